"""Random graphs of tensor operations: after the conversion they make what numpy makes of them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import prod
from typing import TypeVar

import numpy as np
from hypothesis import given, note, settings
from hypothesis import strategies as st
from spatial_testing.linalg_text import SCALARS, Array, Function, Tensor, is_integer
from spatial_testing.template_runs import converted, results

EXAMPLES = int(os.environ.get("SPATIAL_EXAMPLES", "0"))

SIZES = (1, 1, 2, 3, 4, 5, 31, 32, 33, 64, 70, 96, 200, 300)
"""Extents: whole tiles, more and less, 1, and rows that do not fit a page."""

LARGEST = 20_000
"""Elements of a tensor."""

STEPS = 400_000
"""Iterations of an operation."""

BOUND = 2.0**20
"""Whole numbers up to here, and short sums of them, are exact in f32 in any order."""

LETTERS = "abcdefghij"

T = TypeVar("T")


@dataclass
class Graph:
    """A function whose operations are drawn one by one."""

    draw: st.DrawFn
    element: str
    function: Function = field(init=False)
    values: list[Tensor] = field(default_factory=list[Tensor])

    def __post_init__(self) -> None:
        self.function = Function(whole=True, seed=self.draw(st.integers(0, 9)))
        shape = self.shape(self.draw(st.integers(0, 4)))
        self.values.append(self.argument(shape))
        for _ in range(self.draw(st.integers(1, 6))):
            step = self.one_of(
                (
                    *(self.elementwise, self.elementwise, self.unary, self.moved, self.reshaped),
                    *(self.reduced, self.reduced, self.product, self.part, self.number),
                    *(self.normalised, self.indexed),
                )
            )
            made = step(self.one_of(self.values))
            if (
                made is not None
                and len(made.shape) <= len(LETTERS) - 2
                and np.abs(made.value).max(initial=0) <= BOUND
            ):
                self.values.append(made)

    ############################################################################
    # Choices                                                                  #
    ############################################################################

    def one_of(self, items: Sequence[T]) -> T:
        """One of these; the last made tensors are the likely ones."""
        return items[-1 - self.draw(st.integers(0, len(items) - 1))]

    def some_of(self, text: str) -> str:
        """Some letters, in their order."""
        return "".join(each for each in text if self.draw(st.booleans()))

    def shuffled(self, text: str) -> str:
        """Letters in any order; in the given one more often than not."""
        return "".join(self.draw(st.permutations(text))) if self.draw(st.booleans()) else text

    def shape(self, rank: int) -> tuple[int, ...]:
        """Extents that are not too many elements."""
        found: list[int] = []
        for _ in range(rank):
            left = LARGEST // prod(found)
            found.append(self.draw(st.sampled_from([size for size in SIZES if size <= left])))
        return tuple(found)

    def argument(self, shape: Sequence[int]) -> Tensor:
        """A tensor of its own: an argument, or a constant."""
        if prod(shape) <= 64 and self.draw(st.integers(0, 5)) == 5:
            return self.function.dense(self.function.random.integers(-3, 4, shape), self.element)
        return self.function.argument(*shape, element=self.element)

    def other(self, sizes: dict[str, int], follows: str) -> Tensor:
        """A tensor that follows these dimensions: one that is there, or a new one."""
        shape = tuple(sizes[letter] for letter in follows)
        there = [each for each in self.values if each.shape == shape]
        if there and self.draw(st.integers(0, 2)):
            return self.one_of(there)
        return self.argument(shape)

    ############################################################################
    # Operations                                                               #
    ############################################################################

    def elementwise(self, x: Tensor) -> Tensor | None:
        """A tensor and another that follows some of its dimensions, or has some of its own."""
        letters = LETTERS[: len(x.shape)]
        sizes = dict(zip(letters, x.shape, strict=True))
        follows = self.some_of(letters) if self.draw(st.booleans()) else letters
        if len(letters) < 4 and self.draw(st.integers(0, 4)) == 4:
            (sizes["z"],) = self.shape(1)
            follows += "z"
        if prod(sizes.values()) > LARGEST:
            return None
        follows = self.shuffled(follows)
        y = self.other(sizes, follows)
        out = self.shuffled("".join(sizes))
        inputs = [(x, letters), (y, follows)]
        if self.draw(st.booleans()):
            inputs.reverse()
        name = self.one_of(("add", "sub", "mul", "max", "min"))
        code = SCALARS[name].code(self.element, ["%a", "%b"], "%r")
        spec = f"{','.join(each for _, each in inputs)}->{out}"
        tensors = [tensor for tensor, _ in inputs]
        order = self.shuffled(out)
        return self.function.elementwise(spec, tensors, code, SCALARS[name].function, order=order)

    def unary(self, x: Tensor) -> Tensor:
        """A tensor alone."""
        names = ("abs",) if is_integer(self.element) else ("abs", "neg")
        return self.function.apply(self.one_of(names), x)

    def moved(self, x: Tensor) -> Tensor | None:
        """A transpose or a broadcast."""
        letters = LETTERS[: len(x.shape)]
        sizes: dict[str, int] = {}
        if len(letters) < 4 and self.draw(st.booleans()):
            (sizes["z"],) = self.shape(1)
        if x.value.size * prod(sizes.values()) > LARGEST:
            return None
        follows = "".join(
            "0" if size == 1 and self.draw(st.booleans()) else letter
            for letter, size in zip(letters, x.shape, strict=True)
        )
        out = self.shuffled(follows.replace("0", "") + "".join(sizes))
        spec = f"{follows}->{out}"
        return self.function.moved(spec, x, sizes=sizes, order=self.shuffled(out))

    def reshaped(self, x: Tensor) -> Tensor:
        """The same elements in another shape."""
        rest, shape = x.value.size, list[int]()
        while rest > 1 and len(shape) < 3 and self.draw(st.integers(0, 3)):
            size = self.one_of([size for size in range(1, rest + 1) if rest % size == 0])
            shape.append(size)
            rest //= size
        if rest > 1 or self.draw(st.booleans()):
            shape.insert(self.draw(st.integers(0, len(shape))), rest)
        return self.function.reshaped(x, *shape)

    def reduced(self, x: Tensor) -> Tensor:
        """A reduction over some dimensions."""
        letters = LETTERS[: len(x.shape)]
        kept = self.shuffled(self.some_of(letters))
        start = self.one_of((None, None, "3"))
        if start is not None and not is_integer(self.element):
            start = "3.0"
        return self.function.reduced(
            self.one_of(("add", "max", "min")),
            f"{letters}->{kept}",
            x,
            start=start,
            order=self.shuffled(letters),
        )

    def product(self, x: Tensor) -> Tensor | None:
        """A product with another tensor, over some dimensions."""
        letters = LETTERS[: len(x.shape)]
        sizes = dict(zip(letters, x.shape, strict=True))
        shared = self.some_of(letters)
        gone = self.some_of(shared) if self.draw(st.booleans()) else shared[-1:]
        own = "yz"[: self.draw(st.integers(0, 2))]
        sizes |= dict(zip(own, self.shape(len(own)), strict=True))
        follows = self.shuffled(shared + own)
        out = self.shuffled("".join(each for each in sizes if each not in gone))
        largest = max(prod(sizes[d] for d in follows), prod(sizes[d] for d in out))
        if largest > LARGEST or prod(sizes.values()) > STEPS:
            return None
        y = self.other(sizes, follows)
        wider = {"bf16": "f32", "i8": "i32"}.get(self.element, self.element)
        element = wider if self.draw(st.booleans()) else self.element
        if element != self.element:
            return None
        start = self.other(sizes, out) if self.draw(st.integers(0, 3)) == 3 else None
        sides = [(letters, x), (follows, y)]
        if self.draw(st.booleans()):
            sides.reverse()
        (left, a), (right, b) = sides
        order = self.shuffled(out + gone)
        return self.function.product(f"{left},{right}->{out}", a, b, start=start, order=order)

    def part(self, x: Tensor) -> Tensor:
        """A part of a tensor."""
        offsets: list[int] = []
        sizes: list[int] = []
        steps: list[int] = []
        for extent in x.shape:
            whole = self.draw(st.booleans())
            size = extent if whole else self.draw(st.integers(1, extent))
            step = self.draw(st.integers(1, (extent - 1) // (size - 1))) if size > 1 else 1
            if extent > 64 and not whole and self.draw(st.booleans()):
                size, step = 32, 1
            room = extent - (size - 1) * step - 1
            offset = self.draw(st.integers(0, room))
            if room >= 32 and self.draw(st.booleans()):
                offset = 32
            offsets.append(offset)
            sizes.append(size)
            steps.append(step)
        return self.function.part(x, offsets, sizes, steps)

    def number(self, x: Tensor) -> Tensor:
        """A tensor of one number."""
        text = str(self.draw(st.integers(-3, 3)))
        shape = x.shape if self.draw(st.booleans()) else self.shape(self.draw(st.integers(0, 3)))
        return self.function.filled(
            text if is_integer(self.element) else f"{text}.0", shape, self.element
        )

    def normalised(self, x: Tensor) -> Tensor | None:
        """A tensor with something of its rows taken from it, once or twice."""
        if not x.shape:
            return None
        f, letters = self.function, LETTERS[: len(x.shape)]
        found = x
        for _ in range(self.draw(st.integers(1, 2))):
            total = f.reduced(self.one_of(("add", "max", "min")), f"{letters}->{letters[:-1]}", x)
            found = f.apply(
                self.one_of(("sub", "max")),
                found,
                total,
                spec=f"{letters},{letters[:-1]}->{letters}",
            )
            if self.draw(st.booleans()):
                x = found
        return found

    def indexed(self, x: Tensor) -> Tensor | None:
        """A tensor where two positions compare, such as a triangle of a matrix; 1 elsewhere."""
        if not x.shape:
            return None
        rank = len(x.shape)
        left, right = (self.draw(st.integers(0, rank - 1)) for _ in range(2))
        one = "1" if is_integer(self.element) else "1.0"
        code = f"""%i = linalg.index {left} : index
          %j = linalg.index {right} : index
          %c = arith.cmpi sge, %i, %j : index
          %one = arith.constant {one} : {self.element}
          %r = arith.select %c, %a, %one : {self.element}"""

        def chosen(array: Array) -> Array:
            places = np.indices(array.shape)
            return np.where(places[left] >= places[right], array, 1)

        letters = LETTERS[:rank]
        return self.function.elementwise(f"{letters}->{letters}", [x], code, chosen)


@st.composite
def graphs(draw: st.DrawFn) -> tuple[Function, list[Tensor]]:
    """A function, and what it returns."""
    graph = Graph(draw, draw(st.sampled_from(["f32", "f32", "f32", "i32"])))
    count = draw(st.integers(1, min(3, len(graph.values))))
    results = [graph.values[-1], *(graph.one_of(graph.values) for _ in range(count - 1))]
    return graph.function, results


@settings(max_examples=EXAMPLES or 100)
@given(graphs(), st.sampled_from(["wormhole", "wormhole", "hopper", "reference"]))
def test_conversion_keeps_what_a_function_makes(case: tuple[Function, list[Tensor]], target: str):
    function, expected = case
    text = function.text(*expected)
    note(text)
    conversion = converted(text, target=target)
    note(str(conversion.module))
    found = results(conversion.module, function.arrays)
    for array, tensor in zip(found, expected, strict=True):
        assert array.shape == tensor.shape
        np.testing.assert_array_equal(array, tensor.value)
