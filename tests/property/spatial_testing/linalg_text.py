"""Writes functions of linalg as text, together with what numpy makes of their arguments.

```python
f = Function("main")
x, w = f.argument(64, 96), f.argument(96, 32)
y = f.product("ik,kj->ij", x, w)
text = f.text(y)  # a func.func
y.value           # x @ w, in float64
```

Dimensions are letters, as in `numpy.einsum`: `ij,j->ij` adds a row to a matrix. `0` stands for an
extent of 1 that is read at 0.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import ml_dtypes
import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[Any]

STORAGE: dict[str, Any] = {
    "f64": np.float64,
    "f32": np.float32,
    "f16": np.float16,
    "bf16": ml_dtypes.bfloat16,
    "i32": np.int32,
    "i16": np.int16,
    "i8": np.int8,
    "i1": np.bool_,
}
"""The numpy type of the elements of each type."""


def is_integer(element: str) -> bool:
    """Whether a type of elements is one of integers."""
    return element.startswith("i")


def tensor_type(shape: Sequence[int], element: str) -> str:
    """The type of a tensor as text."""
    return f"tensor<{''.join(f'{size}x' for size in shape)}{element}>"


@dataclass(frozen=True, eq=False)
class Tensor:
    """A value of a function."""

    name: str
    """With its `%`."""
    element: str
    """The type of its elements."""
    value: Array
    """What numpy computes for it, in float64 or int64."""

    @property
    def shape(self) -> tuple[int, ...]:
        """Its extents."""
        return self.value.shape

    @property
    def type(self) -> str:
        """Its type as text."""
        return tensor_type(self.shape, self.element)

    @property
    def typed(self) -> str:
        """The value with its type, as a list of one operand prints."""
        return f"{self.name} : {self.type}"


@dataclass(frozen=True)
class Scalar:
    """An operation on elements: as code, and in numpy."""

    floats: str | None
    """What it is called on floats, if there is one."""
    integers: str | None
    """What it is called on integers, if there is one."""
    function: Callable[..., Array]

    def code(self, element: str, operands: Sequence[str], result: str) -> str:
        """The operation as a line of text."""
        name = self.integers if is_integer(element) else self.floats
        assert name is not None, f"there is no such operation on {element}"
        return f"{result} = {name} {', '.join(operands)} : {element}"


def _inverse_root(x: Array) -> Array:
    return 1 / np.sqrt(x)


SCALARS: dict[str, Scalar] = {
    "add": Scalar("arith.addf", "arith.addi", np.add),
    "sub": Scalar("arith.subf", "arith.subi", np.subtract),
    "mul": Scalar("arith.mulf", "arith.muli", np.multiply),
    "div": Scalar("arith.divf", None, np.divide),
    "max": Scalar("arith.maximumf", "arith.maxsi", np.maximum),
    "min": Scalar("arith.minimumf", "arith.minsi", np.minimum),
    "neg": Scalar("arith.negf", None, np.negative),
    "abs": Scalar("math.absf", "math.absi", np.abs),
    "exp": Scalar("math.exp", None, np.exp),
    "sqrt": Scalar("math.sqrt", None, np.sqrt),
    "rsqrt": Scalar("math.rsqrt", None, _inverse_root),
    "tanh": Scalar("math.tanh", None, np.tanh),
}
"""Operations on elements by a short name."""

REDUCTIONS: dict[str, tuple[str, str, Callable[..., Array]]] = {
    "add": ("0.0", "0", np.sum),
    "max": ("0xFF800000", "-2147483648", np.max),
    "min": ("0x7F800000", "2147483647", np.min),
}
"""Those that combine elements: where they start, for f32 and for i32, and what numpy does."""


@dataclass(frozen=True)
class _Spec:
    """What each operand follows."""

    inputs: tuple[str, ...]
    output: str

    @staticmethod
    def of(text: str, count: int = 1) -> _Spec:
        """Of some inputs; one that follows nothing is an empty text, like none at all."""
        left, _, right = text.partition("->")
        return _Spec(tuple(left.split(",")) if count else (), right)

    def letters(self) -> str:
        """All dimensions: those of the result, then those that go away."""
        found = dict.fromkeys((*self.output, *"".join(self.inputs)))
        return "".join(letter for letter in found if letter != "0")

    def aligned(self, value: Array, follows: str, letters: str) -> Array:
        """An operand with one axis for each of some dimensions."""
        kept = [axis for axis, letter in enumerate(follows) if letter != "0"]
        plain = value.reshape([value.shape[axis] for axis in kept])
        order = [letter for letter in letters if letter in follows]
        moved = np.transpose(plain, [follows.replace("0", "").index(each) for each in order])
        return moved[tuple(slice(None) if each in follows else None for each in letters)]


@dataclass
class Function:
    """A function in the making."""

    name: str = "main"
    private: bool = False
    seed: int = 0
    whole: bool = False
    """Whether random floats are small whole numbers, so that sums of them are exact."""
    arguments: list[Tensor] = field(default_factory=list[Tensor])
    arrays: list[Array] = field(default_factory=list[Array])
    """What the arguments are given."""
    lines: list[str] = field(default_factory=list[str])
    count: int = 0
    random: np.random.Generator = field(init=False)

    def __post_init__(self) -> None:
        self.random = np.random.default_rng(self.seed)

    ############################################################################
    # Parts                                                                    #
    ############################################################################

    def fresh(self) -> str:
        """A name for a value that has none."""
        self.count += 1
        return f"%{self.count}"

    def given(self, array: Array, element: str = "f32", name: str | None = None) -> Tensor:
        """A new argument of a known value."""
        stored = array.astype(STORAGE[element])
        wide = np.int64 if is_integer(element) else np.float64
        name = f"%{name or f'a{len(self.arguments)}'}"
        argument = Tensor(name, element, stored.astype(wide))
        self.arguments.append(argument)
        self.arrays.append(stored)
        return argument

    def argument(self, *shape: int, element: str = "f32", name: str | None = None) -> Tensor:
        """A new argument of random elements."""
        if element == "i1":
            array = self.random.integers(0, 2, shape)
        elif is_integer(element) or self.whole:
            array = self.random.integers(-4, 5, shape)
        else:
            array = self.random.standard_normal(shape)
        return self.given(array, element, name)

    def op(self, text: str, value: Array, element: str, name: str | None = None) -> Tensor:
        """An operation with one result."""
        result = Tensor(self.fresh() if name is None else f"%{name}", element, np.asarray(value))
        self.lines.append(f"{result.name} = {text}")
        return result

    def number(self, text: str, element: str) -> str:
        """A constant, which is no tensor."""
        name = self.fresh()
        self.lines.append(f"{name} = arith.constant {text} : {element}")
        return name

    def empty(self, shape: Sequence[int], element: str = "f32") -> Tensor:
        """A tensor that holds nothing."""
        value = np.zeros(shape, np.int64 if is_integer(element) else np.float64)
        return self.op(f"tensor.empty() : {tensor_type(shape, element)}", value, element)

    def filled(self, text: str, shape: Sequence[int], element: str = "f32") -> Tensor:
        """A tensor of one number."""
        number, out = self.number(text, element), self.empty(shape, element)
        value = _literal(text, element) + out.value
        return self.op(
            f"linalg.fill ins({number} : {element}) outs({out.typed}) -> {out.type}",
            value,
            element,
        )

    def dense(self, array: Array, element: str = "f32") -> Tensor:
        """A constant tensor."""
        stored = array.astype(STORAGE[element])
        type = tensor_type(array.shape, element)
        elements = repr(stored.astype(float if element[0] != "i" else int).tolist())
        wide = np.int64 if is_integer(element) else np.float64
        return self.op(f"arith.constant dense<{elements}> : {type}", stored.astype(wide), element)

    ############################################################################
    # Operations                                                               #
    ############################################################################

    def generic(
        self,
        spec: str,
        inputs: Sequence[Tensor],
        code: str,
        value: Array,
        element: str,
        *,
        start: Tensor | None = None,
        order: str | None = None,
        name: str | None = None,
        yields: str = "%r",
    ) -> Tensor:
        """A `linalg.generic`.

        Args:
            spec: the dimensions that the inputs and the result follow.
            inputs: `%a`, `%b`, ... in the code.
            code: lines that make `%r`; `%out` is the element of the destination.
            value: what the result is.
            element: the type of the result's elements.
            start: the destination; one that holds nothing if not given.
            order: all dimensions, outermost loop first.
            name: what to call the result.
            yields: what the code yields.
        """
        follows = _Spec.of(spec, len(inputs))
        out = self.empty(value.shape, element) if start is None else start
        letters = follows.letters() if order is None else order
        maps = ", ".join(
            f"affine_map<({', '.join(letters)}) -> ({', '.join(each)})>"
            for each in (*follows.inputs, follows.output)
        )
        kinds = ", ".join(
            '"parallel"' if letter in follows.output else '"reduction"' for letter in letters
        )
        given = f"ins({_operands(inputs)}) " if inputs else ""
        arguments = [f"%{chr(ord('a') + n)} : {each.element}" for n, each in enumerate(inputs)]
        text = (
            f"linalg.generic {{indexing_maps = [{maps}], iterator_types = [{kinds}]}} "
            f"{given}outs({out.typed}) {{\n"
            f"^bb0({', '.join([*arguments, f'%out : {element}'])}):\n"
            f"{code}\n"
            f"linalg.yield {yields} : {element}\n"
            f"}} -> {out.type}"
        )
        return self.op(text, value, element, name)

    def elementwise(
        self,
        spec: str,
        inputs: Sequence[Tensor],
        code: str,
        function: Callable[..., Array],
        element: str | None = None,
        *,
        order: str | None = None,
        name: str | None = None,
        sizes: dict[str, int] | None = None,
        yields: str = "%r",
    ) -> Tensor:
        """Code on elements.

        Args:
            spec: the dimensions that the inputs and the result follow.
            inputs: `%a`, `%b`, ... in the code.
            code: lines that make `%r`.
            function: the same on arrays.
            element: the type of the result, that of the first input if not given.
            order: all dimensions, outermost loop first.
            name: what to call the result.
            sizes: the extents of dimensions that no input follows.
            yields: what the code yields.
        """
        follows = _Spec.of(spec, len(inputs))
        known = {
            letter: size
            for tensor, letters in zip(inputs, follows.inputs, strict=True)
            for letter, size in zip(letters, tensor.shape, strict=True)
            if letter != "0"
        } | (sizes or {})
        aligned = [
            follows.aligned(tensor.value, letters, follows.output)
            for tensor, letters in zip(inputs, follows.inputs, strict=True)
        ]
        with np.errstate(all="ignore"):
            value = np.broadcast_to(
                function(*aligned), tuple(known[letter] for letter in follows.output)
            )
        return self.generic(
            spec,
            inputs,
            code,
            value,
            element or inputs[0].element,
            order=order,
            name=name,
            yields=yields,
        )

    def apply(self, scalar: str, *inputs: Tensor, spec: str | None = None) -> Tensor:
        """One of the `SCALARS` on tensors of one shape, or as the spec says."""
        if spec is None:
            letters = "ijklmn"[: len(inputs[0].shape)]
            spec = f"{','.join([letters] * len(inputs))}->{letters}"
        op = SCALARS[scalar]
        names = [f"%{chr(ord('a') + n)}" for n in range(len(inputs))]
        code = op.code(inputs[0].element, names, "%r")
        return self.elementwise(spec, inputs, code, op.function)

    def moved(
        self,
        spec: str,
        tensor: Tensor,
        *,
        sizes: dict[str, int] | None = None,
        order: str | None = None,
    ) -> Tensor:
        """The same elements: a transpose, or a broadcast to dimensions of these sizes."""
        return self.elementwise(spec, [tensor], "", _same, order=order, sizes=sizes, yields="%a")

    def product(
        self,
        spec: str,
        left: Tensor,
        right: Tensor,
        element: str | None = None,
        *,
        start: Tensor | None = None,
        order: str | None = None,
        name: str | None = None,
    ) -> Tensor:
        """A sum of products.

        Args:
            spec: the dimensions that the factors and the result follow.
            left: a factor.
            right: the other.
            element: the type of the sum, that of the factors if not given.
            start: what is added to; zeros if not given.
            order: all dimensions, outermost loop first.
            name: what to call the result.
        """
        element = element or left.element
        value = np.asarray(np.einsum(spec, left.value, right.value))
        if start is None:
            start = self.filled("0" if is_integer(element) else "0.0", value.shape, element)
        lines: list[str] = []
        names = ["%a", "%b"]
        for place, (tensor, own) in enumerate(zip((left, right), "ab", strict=True)):
            if tensor.element != element:
                widen = "arith.extsi" if is_integer(element) else "arith.extf"
                lines.append(f"%w{own} = {widen} %{own} : {tensor.element} to {element}")
                names[place] = f"%w{own}"
        lines.append(SCALARS["mul"].code(element, names, "%m"))
        lines.append(SCALARS["add"].code(element, ["%out", "%m"], "%r"))
        code = "\n".join(lines)
        return self.generic(
            spec,
            [left, right],
            code,
            value + start.value,
            element,
            start=start,
            order=order,
            name=name,
        )

    def reduced(
        self,
        kind: str,
        spec: str,
        tensor: Tensor,
        *,
        start: str | None = None,
        order: str | None = None,
        name: str | None = None,
    ) -> Tensor:
        """One of the `REDUCTIONS`.

        Args:
            kind: which.
            spec: the dimensions that the input and the result follow.
            tensor: the input.
            start: the number to start with, if it is not the one that changes nothing.
            order: all dimensions, outermost loop first.
            name: what to call the result.
        """
        neutral, neutral_integer, function = REDUCTIONS[kind]
        if is_integer(tensor.element):
            neutral = neutral_integer
        ((follows,), kept) = (each := _Spec.of(spec)).inputs, each.output
        gone = tuple(axis for axis, letter in enumerate(follows) if letter not in kept)
        rest = [letter for letter in follows if letter in kept]
        value = np.transpose(
            np.asarray(function(tensor.value, axis=gone)), [rest.index(letter) for letter in kept]
        )
        scalar = SCALARS[kind]
        if start is not None:
            value = scalar.function(value, _literal(start, tensor.element))
        begin = self.filled(start or neutral, value.shape, tensor.element)
        code = scalar.code(tensor.element, ["%out", "%a"], "%r")
        return self.generic(
            spec, [tensor], code, value, tensor.element, start=begin, order=order, name=name
        )

    def named(
        self,
        op: str,
        inputs: Sequence[Tensor],
        value: Array,
        element: str | None = None,
        *,
        start: Tensor | None = None,
        suffix: str = "",
        name: str | None = None,
    ) -> Tensor:
        """A named operation of linalg.

        Args:
            op: its name without `linalg.`.
            inputs: its inputs.
            value: what the result is.
            element: the type of the result's elements, that of the last input if not given.
            start: the destination; one that holds nothing if not given.
            suffix: text behind the destination.
            name: what to call the result.
        """
        element = element or inputs[-1].element
        out = self.empty(value.shape, element) if start is None else start
        arrow = "" if suffix else f" -> {out.type}"
        text = f"linalg.{op} ins({_operands(inputs)}) outs({out.typed}){suffix}{arrow}"
        return self.op(text, value, element, name)

    def reshaped(self, tensor: Tensor, *shape: int) -> Tensor:
        """The same elements in row-major order in another shape, through one dimension."""
        flat = tensor
        size = tensor.value.size
        # xDSL collapses to no dimensions, and expands these, in other ways only.
        if not tensor.shape:
            flat = self.moved("->i", tensor, sizes={"i": 1})
        elif len(tensor.shape) > 1:
            groups = [list(range(len(tensor.shape)))]
            type = tensor_type([size], tensor.element)
            text = f"tensor.collapse_shape {tensor.name} {groups} : {tensor.type} into {type}"
            flat = self.op(text, tensor.value.reshape(size), tensor.element)
        if len(shape) == 1:
            return flat
        type = tensor_type(shape, tensor.element)
        if not shape:
            return self.op(
                f"tensor.extract_slice {flat.name}[0] [1] [1] : {flat.type} to {type}",
                tensor.value.reshape(shape),
                tensor.element,
            )
        groups = [list(range(len(shape)))]
        text = (
            f"tensor.expand_shape {flat.name} {groups} output_shape {list(shape)} : "
            f"{flat.type} into {type}"
        )
        return self.op(text, tensor.value.reshape(shape), tensor.element)

    def part(
        self,
        tensor: Tensor,
        offsets: Sequence[int],
        sizes: Sequence[int],
        steps: Sequence[int] | None = None,
    ) -> Tensor:
        """A part of a tensor."""
        steps = [1] * len(sizes) if steps is None else steps
        where = tuple(
            slice(offset, offset + (size - 1) * step + 1, step)
            for offset, size, step in zip(offsets, sizes, steps, strict=True)
        )
        value = tensor.value[where]
        type = tensor_type(value.shape, tensor.element)
        text = (
            f"tensor.extract_slice {tensor.name}{list(offsets)} {list(sizes)} {list(steps)} : "
            f"{tensor.type} to {type}"
        )
        return self.op(text, value, tensor.element)

    def call(self, name: str, inputs: Sequence[Tensor], value: Array, element: str) -> Tensor:
        """A call of another function."""
        types = ", ".join(each.type for each in inputs)
        names = ", ".join(each.name for each in inputs)
        type = tensor_type(value.shape, element)
        return self.op(f"func.call @{name}({names}) : ({types}) -> {type}", value, element)

    def text(self, *results: Tensor) -> str:
        """The function, which returns these."""
        types = ", ".join(each.type for each in results)
        names = ", ".join(each.name for each in results)
        lines = [
            f"func.func {'private ' if self.private else ''}@{self.name}"
            f"({', '.join(each.typed for each in self.arguments)}) -> ({types}) {{",
            *self.lines,
            f"func.return {names} : {types}",
            "}",
        ]
        return "\n".join(lines)


def _operands(tensors: Sequence[Tensor]) -> str:
    names = ", ".join(each.name for each in tensors)
    return f"{names} : {', '.join(each.type for each in tensors)}"


def _literal(text: str, element: str) -> float | int:
    """The number that a literal stands for."""
    if is_integer(element):
        return int(text)
    if text.startswith("0x"):
        return float(np.array(int(text, 16), np.uint32).view(np.float32))
    return float(text)


def _same(x: Array) -> Array:
    return x
