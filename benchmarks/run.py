"""Measures what the tools cost, each figure as a ratio to a floor measured in the same run.

A ratio says more than a time: the floor (xDSL's own start-up, parsing of xDSL's own ops, a clone of
the output, a small grid, a short program) runs on the same machine in the same minute. The two are
measured in turn, in processor time (start-up: elapsed time), with the garbage collector off while
the clock runs, and compared by their medians.

    python benchmarks/run.py              a table
    python benchmarks/run.py --markdown   the same as Markdown, with the date
    python benchmarks/run.py --quick      small programs, once each: shows that it runs
"""

from __future__ import annotations

import argparse
import gc
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from itertools import product
from pathlib import Path
from time import perf_counter, process_time
from typing import Any, TypeAlias

import ml_dtypes
import numpy as np
from numpy.typing import NDArray
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser
from xdsl.passes import ModulePass
from xdsl.universe import Universe

from spatial_dialect.dialects.spatial import ProgramOp
from spatial_dialect.machine.proof import prove
from spatial_dialect.machine.values import run
from spatial_dialect.passes.synthesize_handshakes import SynthesizeHandshakesPass
from spatial_dialect.universe import ALL_DIALECTS

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"

Array: TypeAlias = NDArray[Any]

Task: TypeAlias = Callable[[], object]
"""What is timed."""

Prepare: TypeAlias = Callable[[], Task]
"""Makes what one repetition needs, off the clock."""


@dataclass(frozen=True)
class Row:
    """One line of the table: a figure, its floor and how far the one may be above the other."""

    what: str
    floor_name: str
    figure: float
    floor: float
    bound: float | None
    unit: str = "ms"

    @property
    def ratio(self) -> float:
        """The figure in terms of the floor."""
        return self.figure / self.floor

    @property
    def verdict(self) -> str:
        """Whether the ratio is within its bound."""
        if self.bound is None:
            return ""
        return "ok" if self.ratio <= self.bound else "over"

    @property
    def cells(self) -> tuple[str, ...]:
        """The columns of the table."""
        return (
            self.what,
            self.floor_name,
            _number(self.figure, self.unit),
            _number(self.floor, self.unit),
            f"{self.ratio:.2f}",
            "" if self.bound is None else f"{self.bound:g}",
            self.verdict,
        )


HEADER = ("what", "floor", "figure", "of the floor", "ratio", "bound", "")


def _number(value: float, unit: str) -> str:
    return f"{value:,.0f} {unit}" if value >= 100 else f"{value:.3g} {unit}"


################################################################################
# Timing                                                                       #
################################################################################


def medians(
    figure: Prepare, floor: Prepare, repetitions: int, clock: Callable[[], float] = process_time
) -> tuple[float, float]:
    """Milliseconds of both tasks, run in turn, after one run of each that does not count."""
    times: tuple[list[float], list[float]] = ([], [])
    for repetition in range(repetitions + 1):
        for prepare, found in zip((figure, floor), times, strict=True):
            task = prepare()
            gc.collect()
            gc.disable()
            start = clock()
            result = task()
            elapsed = clock() - start
            gc.enable()
            del result
            if repetition:
                found.append(elapsed * 1000)
    return statistics.median(times[0]), statistics.median(times[1])


################################################################################
# Programs                                                                     #
################################################################################


def context() -> Context:
    """A context with all dialects."""
    ctx = Context()
    for name, factory in {**Universe.get_multiverse().all_dialects, **ALL_DIALECTS}.items():
        ctx.register_dialect(name, factory)
    return ctx


CONTEXT = context()


def parsed(text: str) -> ModuleOp:
    """The module of a text."""
    return Parser(CONTEXT, text).parse_module()


def operations(module: ModuleOp) -> int:
    """The number of operations of a module."""
    return sum(1 for _ in module.walk())


def scheduled(module: ModuleOp) -> ModuleOp:
    """The module with its handshakes synthesised, in place."""
    apply(SynthesizeHandshakesPass(), module)
    return module


def apply(what: ModulePass, module: ModuleOp) -> None:
    """Run a pass."""
    what.apply(CONTEXT, module)


def matmul(rows: int, cols: int, k: int = 4) -> str:
    """The matmul with multicasts of the examples, on a grid of any size and of any depth."""
    return f"""
spatial.program @matmul(%A : memref<{rows * 256}x{k * 128}xbf16>,
                        %B : memref<{k * 128}x{cols * 256}xbf16>,
                        %C : memref<{rows * 256}x{cols * 256}xbf16>)
    target #spatial.target<"wormhole"> grid [{rows}, {cols}] loops [k = {k}, h = 2, w = 4] {{
  %a = spatial.buffer depth 2 : !spatial.buffer<8x4xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<4x8xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<4x2xbf16>
  %p = spatial.buffer depth 8 : !spatial.buffer<4x2xbf16>
  %rows = spatial.group from [0:{rows}, 0] to [0:{rows}, 1:{cols}] along x
  %cols = spatial.group from [0, 0:{cols}] to [1:{rows}, 0:{cols}] along y
  spatial.load %A[y * 8, k * 4] into %a multicast %rows at [0:{rows}, 0] on move 0
  spatial.recv %rows into %a at [0:{rows}, 1:{cols}] on move 0
  spatial.load %B[k * 4, x * 8] into %b multicast %cols at [0, 0:{cols}] on move 0
  spatial.recv %cols into %b at [1:{rows}, 0:{cols}] on move 0
  spatial.matmul %a, %b into %c spill %p by reload
  spatial.store %c into %C[y * 8 + h * 4, x * 8 + w * 2] on move 1
}}"""


@dataclass(frozen=True)
class SquareMatmul:
    """A product of square bf16 matrices with multicasts, and its blocks."""

    size: int
    grid: int
    """Rows and columns of sites."""
    block: int
    """Tiles of a block of K."""
    sub_blocks: int
    """Rows of sub-blocks; if there are several, partial sums are reloaded between blocks of K."""

    @property
    def page(self) -> int:
        """Rows and columns of tiles that a site makes."""
        return self.size // self.grid // 32

    @property
    def text(self) -> str:
        """The program."""
        g, n, k, h, page = self.grid, self.size, self.block, self.sub_blocks, self.page
        tensors = ", ".join(f"%{name} : memref<{n}x{n}xbf16>" for name in "ABC")
        return f"""
spatial.program @matmul({tensors})
    target #spatial.target<"wormhole"> grid [{g}, {g}] loops [k = {n // 32 // k}, h = {h}] {{
  %a = spatial.buffer depth 2 : !spatial.buffer<{page}x{k}xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<{k}x{page}xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<{page // h}x{page}xbf16>
  %p = spatial.buffer depth {h} : !spatial.buffer<{page // h}x{page}xbf16>
  %rows = spatial.group from [0:{g}, 0] to [0:{g}, 1:{g}] along x
  %cols = spatial.group from [0, 0:{g}] to [1:{g}, 0:{g}] along y
  spatial.load %A[y * {page}, k * {k}] into %a multicast %rows at [0:{g}, 0] on move 0
  spatial.recv %rows into %a at [0:{g}, 1:{g}] on move 0
  spatial.load %B[k * {k}, x * {page}] into %b multicast %cols at [0, 0:{g}] on move 0
  spatial.recv %cols into %b at [1:{g}, 0:{g}] on move 0
  spatial.matmul %a, %b into %c spill %p by reload
  spatial.store %c into %C[y * {page} + h * {page // h}, x * {page}] on move 1
}}"""

    def on_pages(self, a: Array, b: Array) -> Array:
        """The same product in numpy, page by page, with the same roundings."""
        c = np.empty_like(a)
        side, step, rows = self.page * 32, self.block * 32, self.page * 32 // self.sub_blocks
        sums: list[Array] = [c] * self.sub_blocks
        for y, x in product(range(0, self.size, side), repeat=2):
            for k in range(0, self.size, step):
                lhs = a[y : y + side, k : k + step].astype(np.float32)
                rhs = b[k : k + step, x : x + side].astype(np.float32)
                for h in range(self.sub_blocks):
                    total = lhs[h * rows : (h + 1) * rows] @ rhs
                    if k:
                        total += sums[h].astype(np.float32)
                    sums[h] = total.astype(ml_dtypes.bfloat16)
            for h, page in enumerate(sums):
                c[y + h * rows : y + (h + 1) * rows, x : x + side] = page
        return c


def chain(stages: int) -> str:
    """A chain of maps, each of which adds a page that a load has just brought."""
    links = stages // 2 - 1
    lines = [
        "spatial.program @chain(%X : memref<256x8192xbf16>, %Y : memref<256x256xbf16>)",
        '    target #spatial.target<"wormhole"> grid [8, 8] loops [k = 1] {',
    ]
    for number in range(links):
        lines += [
            f"  %x{number} = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>",
            f"  %y{number} = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>",
        ]
    lines += [
        "  %y = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>",
        f"  spatial.load %X[y, x] into %y on move {links % 2}",
    ]
    last = "%y"
    for number in range(links):
        lines += [
            f"  spatial.load %X[y, x + {number % 248}] into %x{number} on move {number % 2}",
            f"  spatial.map ({last}, %x{number}) into %y{number} {{",
            "  ^bb0(%0 : f32, %1 : f32):",
            "    %2 = arith.addf %0, %1 : f32",
            "    spatial.yield %2 : f32",
            "  }",
        ]
        last = f"%y{number}"
    lines += [f"  spatial.store {last} into %Y[y, x] on move 1", "}"]
    return "\n".join(lines)


def arithmetic(count: int) -> str:
    """So many of xDSL's own ops, in the generic form."""
    lines = ['%0 = "arith.constant"() <{value = 1.0 : f32}> : () -> f32']
    for number in range(1, count):
        one, other = number - 1, number // 2
        lines.append(
            f'%{number} = "arith.addf"(%{one}, %{other}) <{{fastmath = #arith.fastmath<none>}}> '
            ": (f32, f32) -> f32"
        )
    return "\n".join(lines)


################################################################################
# Rows                                                                         #
################################################################################


@dataclass(frozen=True)
class Sizes:
    """How much is measured."""

    repetitions: int
    starts: int
    stages: tuple[int, int]
    """A long program and one of a tenth of its stages."""
    examples: tuple[str, ...] | None
    """The examples to synthesise; none for all."""
    matmuls: tuple[tuple[SquareMatmul, float | None], ...]
    """What is run, each with the bound of its ratio."""


SMALL_MATMUL = SquareMatmul(size=128, grid=2, block=1, sub_blocks=1)
FULL = Sizes(
    repetitions=9,
    starts=15,
    stages=(2000, 200),
    examples=None,
    matmuls=((SquareMatmul(size=1024, grid=8, block=4, sub_blocks=2), 2), (SMALL_MATMUL, None)),
)
QUICK = Sizes(
    repetitions=1,
    starts=1,
    stages=(60, 6),
    examples=("two_programs",),
    matmuls=((SMALL_MATMUL, None),),
)


def startup(sizes: Sizes) -> Iterator[Row]:
    """Start-up of the tools, in processes of their own."""

    def help_of(module: str) -> Prepare:
        code = f"import sys; from {module} import main; sys.argv[0] = 'opt'; sys.exit(main())"
        command = [sys.executable, "-c", code, "--help"]
        return lambda: lambda: subprocess.run(command, check=True, stdout=subprocess.DEVNULL)

    figure, floor = medians(
        help_of("spatial_dialect.tools.spatial_opt"),
        help_of("xdsl.tools.xdsl_opt"),
        sizes.starts,
        perf_counter,
    )
    yield Row("spatial-opt --help", "xdsl-opt --help", figure, floor, 1.3)


def parsing(sizes: Sizes) -> Iterator[Row]:
    """Parsing, per operation."""
    dataflow = chain(sizes.stages[0])
    choreography = str(scheduled(parsed(dataflow)))
    for name, text in (("dataflow", dataflow), ("choreography", choreography)):
        count = operations(parsed(text))
        plain = arithmetic(count)

        def parse(what: str) -> Prepare:
            return lambda: lambda: parsed(what)

        figure, floor = medians(parse(text), parse(plain), max(1, sizes.repetitions // 3))
        yield Row(
            f"parse {name}, per op",
            "generic arith ops",
            figure / count * 1000,
            floor / count * 1000,
            None,
            "us",
        )


def synthesis(sizes: Sizes) -> Iterator[Row]:
    """Synthesis against cloning its output."""
    names = sizes.examples or tuple(sorted(path.stem for path in EXAMPLES.glob("[!j]*.mlir")))
    texts = [(name, (EXAMPLES / f"{name}.mlir").read_text()) for name in names]
    length = sizes.stages[1]
    texts.append((f"{length} stages", chain(length)))
    for name, text in texts:
        module = parsed(text)
        output = scheduled(module.clone())

        def synthesise(module: ModuleOp = module) -> Task:
            fresh = module.clone()
            return lambda: scheduled(fresh)

        def clone(output: ModuleOp = output) -> Task:
            return output.clone

        figure, floor = medians(synthesise, clone, sizes.repetitions)
        yield Row(f"synthesize-handshakes, {name}", "clone of its output", figure, floor, 3)


def grid(sizes: Sizes) -> Iterator[Row]:
    """The same program on a large grid and on a small one."""
    large, small = parsed(matmul(750, 990)), parsed(matmul(8, 8))
    large_result, small_result = scheduled(large.clone()), scheduled(small.clone())
    named = "750x990 sites"
    repetitions = sizes.repetitions * 3
    for what, one, other in (
        ("dataflow", large, small),
        ("choreography", large_result, small_result),
    ):
        figure, floor = medians(_verify(one), _verify(other), repetitions)
        yield Row(f"verify {what}, {named}", "8x8 sites", figure, floor, 1.1)
    figure, floor = medians(_synthesise(large), _synthesise(small), repetitions)
    yield Row(f"synthesize-handshakes, {named}", "8x8 sites", figure, floor, 1.1)
    yield Row(
        f"ops of the choreography, {named}",
        "8x8 sites",
        operations(large_result),
        operations(small_result),
        1,
        "ops",
    )


def length(sizes: Sizes) -> Iterator[Row]:
    """A program of many stages and one of a tenth of them."""
    long, short = sizes.stages
    module, other = parsed(chain(long)), parsed(chain(short))
    result, other_result = scheduled(module.clone()), scheduled(other.clone())
    floor_name = f"{short:,} stages"
    repetitions = max(1, sizes.repetitions // 3)
    for what, one, less in (
        ("dataflow", module, other),
        ("choreography", result, other_result),
    ):
        figure, floor = medians(_verify(one), _verify(less), repetitions)
        yield Row(f"verify {what}, {long:,} stages", floor_name, figure, floor, 12)
    figure, floor = medians(_synthesise(module), _synthesise(other), repetitions)
    yield Row(f"synthesize-handshakes, {long:,} stages", floor_name, figure, floor, 12)


def proofs(sizes: Sizes) -> Iterator[Row]:
    """The proof on large grids, for long loops, and of an attention."""

    def proof(text: str) -> tuple[ProgramOp, Prepare]:
        (program,) = (op for op in scheduled(parsed(text)).ops if isinstance(op, ProgramOp))
        assert prove(program).status == "proved"
        return program, lambda: lambda: prove(program)

    small, prove_small = proof(matmul(8, 8))
    for side in ((64, 64), (750, 990)):
        large, prove_large = proof(matmul(*side))
        named = "{}x{} sites".format(*side)
        figure, floor = medians(prove_large, prove_small, sizes.repetitions)
        yield Row(f"verify-choreography, {named}", "8x8 sites", figure, floor, 1.1)
        steps, of = prove(large).steps, prove(small).steps
        yield Row(f"steps of the proof, {named}", "8x8 sites", steps, of, 1, "steps")
    _, prove_short = proof(matmul(8, 8, 64))
    for k, bound in ((8, None), (10**6, 1.5)):
        _, prove_long = proof(matmul(8, 8, k))
        figure, floor = medians(prove_long, prove_short, sizes.repetitions)
        yield Row(f"verify-choreography, k = {k:,}", "k = 64", figure, floor, bound)
    attention = (EXAMPLES / "attention.mlir").read_text()
    attention = attention.replace("k = 8", "k = 32").replace("<512x64x", "<2048x64x")
    program, prove_attention = proof(attention)
    choreography = str(program.parent_op())
    figure, floor = medians(
        prove_attention, lambda: lambda: parsed(choreography), sizes.repetitions
    )
    yield Row("verify-choreography, attention of 32 blocks", "parsing it", figure, floor, None)


def runs(sizes: Sizes) -> Iterator[Row]:
    """The functional run against a plain loop over the same pages."""
    random = np.random.default_rng(0)
    for matmul, bound in sizes.matmuls:
        n = matmul.size
        a, b = (random.standard_normal((n, n), np.float32) for _ in range(2))
        a, b = a.astype(ml_dtypes.bfloat16), b.astype(ml_dtypes.bfloat16)
        (program,) = (op for op in scheduled(parsed(matmul.text)).ops if isinstance(op, ProgramOp))
        given: dict[str, Array | int] = {"A": a, "B": b}
        same = run(program, given)["C"].tobytes() == matmul.on_pages(a, b).tobytes()
        assert same, "both compute the same"

        def execute(program: ProgramOp = program, given: dict[str, Array | int] = given) -> Task:
            return lambda: run(program, given)

        def by_hand(matmul: SquareMatmul = matmul, a: Array = a, b: Array = b) -> Task:
            return lambda: matmul.on_pages(a, b)

        # Elapsed time: the products run on several threads.
        figure, floor = medians(execute, by_hand, sizes.repetitions, perf_counter)
        what = f"run a matmul of {n}^3, {matmul.grid}x{matmul.grid} sites"
        yield Row(what, "numpy on the same pages", figure, floor, bound)


def _verify(module: ModuleOp) -> Prepare:
    return lambda: module.verify


def _synthesise(module: ModuleOp) -> Prepare:
    def prepare() -> Task:
        fresh = module.clone()
        return lambda: scheduled(fresh)

    return prepare


PARTS = (startup, parsing, synthesis, grid, length, proofs, runs)


################################################################################
# The table                                                                    #
################################################################################


def plain_table(rows: list[Row]) -> str:
    """The rows in columns."""
    cells = [HEADER, *(row.cells for row in rows)]
    widths = [max(len(line[column]) for line in cells) for column in range(len(HEADER))]
    return "\n".join(
        "  ".join(
            text.ljust(width) if column < 2 else text.rjust(width)
            for column, (text, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in cells
    )


def markdown_table(rows: list[Row]) -> str:
    """The rows as a Markdown table, below the date."""
    lines = [
        f"Measured on {date.today().isoformat()}:",
        "",
        f"| {' | '.join(HEADER)} |",
        "|---|---|---:|---:|---:|---:|---|",
    ]
    lines += (f"| {' | '.join(row.cells)} |" for row in rows)
    return "\n".join(lines)


def main() -> None:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--markdown", action="store_true", help="print the table as Markdown")
    parser.add_argument("--quick", action="store_true", help="small programs, once each")
    arguments = parser.parse_args()
    sizes = QUICK if arguments.quick else FULL
    rows = [row for part in PARTS for row in part(sizes)]
    print(markdown_table(rows) if arguments.markdown else plain_table(rows))


if __name__ == "__main__":
    main()
