"""Functions on memory: programs write what the operations wrote, when it could be seen."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st
from spatial_testing.functions import JUNK, Array, Shape, Text, converted, programs, ran
from xdsl.dialects import memref

from spatial_dialect.dialects.spatial import LaunchOp
from spatial_dialect.ir.diagnostics import Finding, warnings_to

SHAPE = (64, 96)
ADD = "%r = arith.addf %i0, %i1 : f32"
SUB = "%r = arith.subf %i0, %i1 : f32"


@dataclass
class Memory(Text):
    """A function on memrefs, with what it does to arrays, one operation after the other."""

    kind: str = "memref"
    given: dict[str, Array] = field(default_factory=dict[str, Array])
    steps: list[Callable[[dict[str, Array], list[Array]], None]] = field(
        default_factory=list[Callable[[dict[str, Array], list[Array]], None]]
    )
    """Each changes what memrefs hold; what calls see is added to a list."""

    def memory(self, name: str, shape: Shape = SHAPE) -> str:
        """An argument."""
        values = np.random.default_rng(len(self.given)).integers(-4, 5, shape)
        value = self.argument(name, shape)
        self.given[value] = values.astype(np.float32)
        return value

    def allocated(self, shape: Shape = SHAPE) -> str:
        """Memory of the function."""
        name = self.empty(shape)

        def step(values: dict[str, Array], seen: list[Array]) -> None:
            values[name] = np.full(shape, JUNK, np.float32)

        self.steps.append(step)
        return name

    def freed(self, name: str) -> None:
        self.lines.append(f"memref.dealloc {name} : {self.type(name)}")

    def does(self, out: str, what: Callable[[dict[str, Array]], Array | float]) -> None:
        """An operation sets what a memref holds."""

        def step(values: dict[str, Array], seen: list[Array]) -> None:
            values[out][...] = what(values)

        self.steps.append(step)

    def added(self, left: str, right: str, out: str) -> None:
        self.elementwise([left, right], ADD, out)
        self.does(out, lambda v: v[left] + v[right])

    def subtracted(self, left: str, right: str, out: str) -> None:
        self.elementwise([left, right], SUB, out)
        self.does(out, lambda v: v[left] - v[right])

    def set_to(self, number: float, out: str) -> None:
        self.filled(f"{number:e}", out)
        self.does(out, lambda v: number)

    def copied(self, source: str, out: str) -> None:
        types = f"({self.type(source)}, {self.type(out)})"
        self.lines.append(f'"memref.copy"({source}, {out}) : {types} -> ()')
        self.does(out, lambda v: v[source])

    def multiplied(self, left: str, right: str, out: str) -> None:
        ins = f"ins({left}, {right} : {self.type(left)}, {self.type(right)})"
        self.lines.append(f"linalg.matmul {ins} outs({out} : {self.type(out)})")
        self.does(out, lambda v: v[out] + v[left] @ v[right])

    def called(self, name: str) -> None:
        """A function that nobody knows reads, and doubles, what a memref holds."""
        self.lines.append(f"func.call @f({name}) : ({self.type(name)}) -> ()")

        def step(values: dict[str, Array], seen: list[Array]) -> None:
            seen.append(values[name].copy())
            values[name] *= 2

        self.steps.append(step)

    def module(self, *results: str) -> str:
        """The text of a module; its memrefs have one type if functions are called."""
        type = self.type(next(iter(self.given)))
        return f"func.func private @f({type}) -> ()\n{self.function(*results)}"

    def check(self, *results: str) -> tuple[int, int]:
        """Compare; the result is how many launches and copies are left in the function."""
        module = converted(self.module(*results))
        expected = {name: array.copy() for name, array in self.given.items()}
        should_see: list[Array] = []
        for step in self.steps:
            step(expected, should_see)
        arrays = [array.copy() for array in self.given.values()]
        seen: list[Array] = []

        def call(arguments: Sequence[Array]) -> None:
            seen.append(arguments[0].copy())
            arguments[0][...] *= 2

        returned = ran(module, arrays, call)
        for name, array in zip(self.given, arrays, strict=True):
            np.testing.assert_allclose(array, expected[name], rtol=1e-4, err_msg=name)
        for name, array in zip(results, returned, strict=True):
            np.testing.assert_allclose(array, expected[name], rtol=1e-4, err_msg=name)
        np.testing.assert_array_equal(seen, should_see)
        ops = list(module.walk())
        return (
            sum(isinstance(op, LaunchOp) for op in ops),
            sum(isinstance(op, memref.CopyOp) for op in ops),
        )


def test_a_program_writes_to_an_argument() -> None:
    m = Memory()
    a, b, c = m.memory("a"), m.memory("b"), m.memory("c")
    m.added(a, b, c)
    assert m.check() == (1, 0)


def test_what_is_between_needs_no_memory() -> None:
    m = Memory()
    a, b, c = m.memory("a"), m.memory("b"), m.memory("c")
    t = m.allocated()
    m.added(a, b, t)
    m.subtracted(t, a, c)
    m.freed(t)
    assert m.check() == (1, 0)
    (program,) = programs(converted(m.function()))
    assert len(program.body.block.args) == 3


def test_a_product_is_added_to_what_is_there() -> None:
    m = Memory()
    a, b, c = m.memory("a", (64, 32)), m.memory("b", (32, 96)), m.memory("c")
    m.multiplied(a, b, c)
    # It is read, so that the program writes elsewhere first.
    assert m.check() == (1, 1)


def test_a_product_of_memory_that_is_set_to_0() -> None:
    m = Memory()
    a, b, c = m.memory("a", (64, 32)), m.memory("b", (32, 96)), m.memory("c")
    m.set_to(0, c)
    m.multiplied(a, b, c)
    assert m.check() == (1, 0)


def test_memory_is_read_before_it_is_written() -> None:
    m = Memory()
    a, b = m.memory("a"), m.memory("b")
    m.added(a, b, a)
    assert m.check() == (1, 1)


def test_memory_is_swapped() -> None:
    m = Memory()
    a, b = m.memory("a"), m.memory("b")
    t = m.allocated()
    m.copied(a, t)
    m.copied(b, a)
    m.copied(t, b)
    m.check()


def test_memory_of_the_function_is_returned() -> None:
    m = Memory()
    a, b = m.memory("a"), m.memory("b")
    t = m.allocated()
    m.added(a, b, t)
    assert m.check(t) == (1, 0)


def test_an_argument_is_returned() -> None:
    m = Memory()
    a, b = m.memory("a"), m.memory("b")
    m.added(a, b, a)
    m.check(a)


def test_a_call_between_sees_and_changes_memory() -> None:
    m = Memory()
    a, b, c = m.memory("a"), m.memory("b"), m.memory("c")
    m.added(a, b, c)
    m.called(c)
    m.subtracted(c, a, c)
    m.check()


def test_a_call_changes_what_was_read() -> None:
    m = Memory()
    a, b, c, d = m.memory("a"), m.memory("b"), m.memory("c"), m.memory("d")
    m.added(a, b, c)
    m.called(a)
    m.added(c, a, d)
    assert m.check() == (2, 0)


def test_what_a_call_makes_be_written_was_read_by_others() -> None:
    # a holds something made of b when it has to be written; c is made of what a held before.
    m = Memory()
    a, b, c = m.memory("a"), m.memory("b"), m.memory("c")
    m.added(a, a, c)
    m.subtracted(b, a, a)
    m.called(b)
    m.added(c, b, b)
    m.check()


def test_a_call_before_sees_the_old_memory() -> None:
    m = Memory()
    a, b, c = m.memory("a"), m.memory("b"), m.memory("c")
    m.called(c)
    m.added(a, b, c)
    assert m.check() == (1, 0)


def test_shapes_that_a_program_sees_otherwise() -> None:
    m = Memory()
    a, c = m.memory("a", (2, 50, 64)), m.memory("c", (2, 50, 64))
    m.added(a, a, c)
    assert m.check() == (1, 0)


def test_memory_that_holds_nothing_is_not_read() -> None:
    m = Memory()
    a = m.memory("a")
    m.added(m.allocated(), a, a)
    assert remarks(m.function()) == ["stays as it is: it reads a tensor that holds nothing"]


def test_views_of_memory_are_left_alone() -> None:
    m = Memory()
    a, b = m.memory("a"), m.memory("b")
    m.added(a, a, b)
    m.types["%s"] = (32, 96), "f32"
    m.lines.append(f"%s = memref.subview {b}[0, 0] [32, 96] [1, 1] : {m.type(b)} to {m.type('%s')}")
    m.added("%s", "%s", "%s")
    m.added(b, a, a)
    views = "stays as it is: its memref may be seen through others: it, or they, are views"
    assert remarks(m.function())[1:] == [views, views]


def remarks(text: str) -> list[str]:
    found: list[Finding] = []
    with warnings_to(found.append):
        converted(text)
    return [finding.message for finding in found]


@st.composite
def functions(draw: st.DrawFn) -> Memory:
    """Any sequence of operations on a few memrefs."""
    m = Memory()
    shape = (32, 32)
    names = [m.memory(name, shape) for name in "abc"[: draw(st.integers(2, 3))]]
    full = list(names)
    local: list[str] = []
    for _ in range(draw(st.integers(2, 9))):
        out = draw(st.sampled_from(names))
        left, right = draw(st.sampled_from(full)), draw(st.sampled_from(full))
        match draw(st.integers(0, 9)):
            case 0 | 1 | 2:
                m.added(left, right, out)
            case 3 | 4:
                m.subtracted(left, right, out)
            case 5 if left != out:
                m.copied(left, out)
            case 6 if out in full and out not in (left, right):
                m.multiplied(left, right, out)
            case 7:
                m.called(left)
                continue
            case 8:
                m.set_to(draw(st.integers(-3, 3)), out)
            case 9:
                names.append(m.allocated(shape))
                local.append(names[-1])
                continue
            case _:
                continue
        full = [*dict.fromkeys([*full, out])]
    for name in local:
        m.freed(name)
    return m


@given(functions())
def test_any_order_of_operations(function: Memory) -> None:
    # A product of numbers has no loads, without which nothing says that a store may clip.
    assume(not any("nothing read" in each for each in remarks(function.module())))
    function.check()
