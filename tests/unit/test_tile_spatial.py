"""A tiled program means what its template means, however it is cut, and does not hang."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from xdsl.context import Context
from xdsl.dialects.arith import Arith, CeilDivUIOp
from xdsl.dialects.builtin import Builtin, DenseArrayBase, IntegerAttr, ModuleOp, i64
from xdsl.dialects.func import Func
from xdsl.dialects.math import Math
from xdsl.parser import Parser

from spatial_dialect.analysis.costs import CostModel, estimate, target_of
from spatial_dialect.dialects.spatial import (
    LaunchOp,
    MatmulOp,
    Phase,
    ProgramOp,
    Spatial,
    page_type,
)
from spatial_dialect.ir.diagnostics import FindingsPassFailed
from spatial_dialect.machine.proof import prove
from spatial_dialect.machine.reference import run
from spatial_dialect.passes.place_spatial import PlaceSpatialPass
from spatial_dialect.passes.synthesize_handshakes import SynthesizeHandshakesPass
from spatial_dialect.passes.tile_spatial import TileSpatialPass
from spatial_dialect.passes.tile_spatial.candidates import USUAL, sizes
from spatial_dialect.passes.tile_spatial.prediction import spreads

Array: TypeAlias = NDArray[Any]
Shape: TypeAlias = tuple[int, ...]

TILES = {"wormhole": 4, "hopper": 8}
"""Tiles that are small, so that tensors are; those of Hopper are twice as large."""

NUMPY: dict[str, Any] = {
    **{"f32": np.float32, "bf16": ml_dtypes.bfloat16},
    **{"i32": np.int32, "i8": np.int8},
}


################################################################################
# Templates                                                                    #
################################################################################


@dataclass
class Text:
    """A template in the making, with arguments for it."""

    target: str = "wormhole"
    tile: int = 4
    batch: int = 1
    trip: str = ""
    lines: list[str] = field(default_factory=list[str])
    buffers: list[str] = field(default_factory=list[str])
    tensors: list[str] = field(default_factory=list[str])
    given: dict[str, Array | int] = field(default_factory=dict[str, Array | int])

    def tiles(self, size: int) -> int:
        """The tiles that so many elements take."""
        return -(-size // self.tile)

    def tensor(
        self, name: str, shape: Shape, type: str = "f32", values: Array | None = None
    ) -> str:
        """An argument: whole numbers whose sums are exact, unless given."""
        self.tensors.append(f"%{name} : memref<{'x'.join(map(str, shape))}x{type}>")
        if values is None:
            values = np.random.default_rng(len(self.given)).integers(-3, 4, shape)
        self.given[name] = values.astype(NUMPY[type])
        return f"%{name}"

    def buffer(self, name: str, shape: tuple[int, int], type: str = "f32") -> str:
        """A buffer for pages of so many tiles."""
        self.buffers.append(
            f"%{name} = spatial.buffer : !spatial.buffer<{shape[0]}x{shape[1]}x{type}>"
        )
        return f"%{name}"

    def load(
        self,
        name: str,
        shape: Shape,
        type: str = "f32",
        *,
        address: str = "",
        how: str = "",
        page: tuple[int, int] | None = None,
        values: Array | None = None,
        pad: str = "0.0",
    ) -> str:
        """A load of a matrix that is an argument; what does not fill tiles is padded."""
        rows, cols = self.tiles(shape[-2]), self.tiles(shape[-1])
        tensor = name.upper()
        if tensor not in self.given:
            self.tensor(tensor, shape, type, values)
        if page is None:
            page = (cols, rows) if "transpose" in how else (rows, cols)
        buffer = self.buffer(name, page, type)
        leading = ["i"] * (len(shape) - 2) if self.batch > 1 else ["0"] * (len(shape) - 2)
        address = address or ", ".join([*leading, "0", "0"])
        if any(size % self.tile for size in shape[-2:]):
            number = "0" if pad == "0.0" and type[0] == "i" else pad
            how += f" pad {number} : {type}"
        self.lines.append(f"spatial.load %{tensor}[{address}] into {buffer} {how}")
        return buffer

    def stage(self, text: str, name: str, shape: tuple[int, int], type: str = "f32") -> str:
        """A stage with a result of its own."""
        buffer = self.buffer(name, shape, type)
        self.lines.append(text.replace("=>", f"into {buffer}"))
        return buffer

    def map(
        self,
        inputs: Sequence[str],
        code: str,
        name: str,
        shape: tuple[int, int],
        type: str = "f32",
        how: str = "into",
    ) -> str:
        """Elementwise code on %0, %1, ...; the last line gives %r."""
        kind = "i32" if type[0] == "i" else "f32"
        buffer = f"%{name}" if how == "update" else self.buffer(name, shape, type)
        names = ", ".join(f"%a{n} : {kind}" for n in range(len(inputs)))
        head = f"^bb0({names}):" if inputs else ""
        self.lines.append(
            f"spatial.map ({', '.join(inputs)}) {how} {buffer} {{\n{head}\n{code}\n"
            f"spatial.yield %r : {kind}\n}}"
        )
        return buffer

    def store(
        self,
        buffer: str,
        name: str,
        shape: Shape,
        type: str = "f32",
        *,
        address: str = "",
        how: str = "",
    ) -> None:
        """A store to a result."""
        self.tensors.append(f"%{name} : memref<{'x'.join(map(str, shape))}x{type}>")
        leading = ["i" if self.batch > 1 else "0"] * (len(shape) - 2)
        address = address or ", ".join([*leading, "0", "0"])
        self.lines.append(f"spatial.store {buffer} into %{name}[{address}] {how}")

    def program(self) -> str:
        """The text."""
        extents = [f"i = {self.batch}"] if self.batch > 1 else []
        extents += [f"k = ? max {self.trip}"] if self.trip else []
        loops = f"template loops [{', '.join(extents)}]" if extents else ""
        body = "\n".join([*self.buffers, *self.lines])
        return (
            f"spatial.program @p({', '.join(self.tensors)})\n"
            f'target #spatial.target<"{self.target}" {{tile = [{self.tile}, {self.tile}]}}> '
            f"{loops} {{\n{body}\n}}"
        )


Template: TypeAlias = Callable[[Text, Sequence[int]], None]
TEMPLATES: dict[str, Template] = {}


def template(function: Template) -> Template:
    """Lists a template by its name."""
    TEMPLATES[function.__name__] = function
    return function


ADD = "%r = arith.addf %a0, %a1 : f32"
MUL = "%r = arith.mulf %a0, %a1 : f32"
COPY = "%c = arith.constant 1.0 : f32\n%r = arith.mulf %a0, %c : f32"


def constant(value: str) -> str:
    return f"%r = arith.constant {value} : f32"


@template
def matmul(t: Text, n: Sequence[int]) -> None:
    a, b = t.load("a", (n[0], n[2]), "bf16"), t.load("b", (n[2], n[1]), "bf16")
    c = t.stage(f"spatial.matmul {a}, {b} =>", "c", (t.tiles(n[0]), t.tiles(n[1])))
    t.store(c, "C", (n[0], n[1]))


@template
def integer_matmul(t: Text, n: Sequence[int]) -> None:
    a, b = t.load("a", (n[0], n[2]), "i8"), t.load("b", (n[2], n[1]), "i8")
    c = t.stage(f"spatial.matmul {a}, {b} =>", "c", (t.tiles(n[0]), t.tiles(n[1])), "i32")
    t.store(c, "C", (n[0], n[1]), "i32")


@template
def matmul_bias_gelu_residual(t: Text, n: Sequence[int]) -> None:
    page = t.tiles(n[0]), t.tiles(n[1])
    a, b = t.load("a", (n[0], n[2])), t.load("b", (n[2], n[1]))
    c = t.stage(f"spatial.matmul {a}, {b} =>", "c", page, "f32")
    bias = t.load("bias", (1, n[1]))
    one = t.map([c, f"{bias} broadcast rows"], ADD, "one", page)
    gelu = """%x3 = arith.mulf %a0, %a0 : f32
      %t = math.tanh %x3 : f32
      %r = arith.mulf %a0, %t : f32"""
    two = t.map([one], gelu, "two", page)
    residual = t.load("residual", (n[0], n[1]), "bf16")
    scale = t.load("scale", (n[0], 1))
    code = "%s = arith.mulf %a1, %a2 : f32\n%r = arith.addf %a0, %s : f32"
    y = t.map([two, residual, f"{scale} broadcast cols"], code, "y", page, "bf16")
    t.store(y, "Y", (n[0], n[1]), "bf16")


@template
def batch_matmul(t: Text, n: Sequence[int]) -> None:
    t.batch = n[3]
    a = t.load("a", (t.batch, n[0], n[2]))
    half = -(-t.batch // 2)
    b = t.load("b", (half, n[2], n[1]), address="i floordiv 2, 0, 0" if half > 1 else "0, 0, 0")
    c = t.stage(f"spatial.matmul {a}, {b} =>", "c", (t.tiles(n[0]), t.tiles(n[1])))
    t.store(c, "C", (t.batch, n[0], n[1]))


@template
def transposed_matmul(t: Text, n: Sequence[int]) -> None:
    a = t.load("a", (n[2], n[0]), how="transpose")
    b = t.load("b", (n[1], n[2]), how="transpose")
    c = t.stage(f"spatial.matmul {a}, {b} =>", "c", (t.tiles(n[0]), t.tiles(n[1])))
    t.store(c, "C", (n[0], n[1]))


@template
def matmul_of_converted_weights(t: Text, n: Sequence[int]) -> None:
    inner = n[2] // t.tile * t.tile or t.tile
    a = t.load("a", (n[0], inner))
    packed = t.load("packed", (inner, n[1]), "bf16")
    scale = t.load("scale", (1, n[1]))
    page = t.tiles(inner), t.tiles(n[1])
    b = t.map([packed, f"{scale} broadcast rows"], MUL, "b", page)
    c = t.stage(f"spatial.matmul {a}, {b} =>", "c", (t.tiles(n[0]), t.tiles(n[1])))
    t.store(c, "C", (n[0], n[1]))


@template
def gated_matmuls(t: Text, n: Sequence[int]) -> None:
    page = t.tiles(n[0]), t.tiles(n[1])
    a, b = t.load("a", (n[0], n[2])), t.load("b", (n[2], n[1]))
    d = t.load("d", (n[2], n[1]))
    one = t.stage(f"spatial.matmul {a}, {b} =>", "one", page)
    two = t.stage(f"spatial.matmul {a}, {d} =>", "two", page)
    y = t.map([one, two], MUL, "y", page)
    t.store(y, "Y", (n[0], n[1]))


@template
def matmul_with_sums_of_rows(t: Text, n: Sequence[int]) -> None:
    cols = min(n[1], 4 * t.tile)
    page = t.tiles(n[0]), t.tiles(cols)
    a, b = t.load("a", (n[0], n[2])), t.load("b", (n[2], cols))
    c = t.stage(f"spatial.matmul {a}, {b} =>", "c", page)
    s = t.stage(f"spatial.reduce add cols {c} =>", "s", (page[0], 1))
    y = t.map([c, f"{s} broadcast cols"], ADD, "y", page)
    t.store(y, "Y", (n[0], cols))


@template
def matmul_with_bias_made_before(t: Text, n: Sequence[int]) -> None:
    page = t.tiles(n[0]), t.tiles(n[1])
    bias = t.load("bias", (1, n[1]))
    twice = t.map([bias, bias], ADD, "twice", (1, page[1]))
    a, b = t.load("a", (n[0], n[2])), t.load("b", (n[2], n[1]))
    c = t.stage(f"spatial.matmul {a}, {b} =>", "c", page)
    y = t.map([c, f"{twice} broadcast rows"], ADD, "y", page)
    t.store(y, "Y", (n[0], n[1]))


@template
def elementwise(t: Text, n: Sequence[int]) -> None:
    page = t.tiles(n[0]), t.tiles(n[1])
    t.batch = n[3]
    leading = () if t.batch == 1 else (t.batch,)
    x = t.load("x", (*leading, n[0], n[1]))
    row, col = t.load("row", (*leading, 1, n[1])), t.load("col", (n[0], 1), address="0, 0")
    one = t.load("one", (t.tile, t.tile), address="0, 0")
    code = """%b = arith.mulf %a0, %a1 : f32
      %c = arith.addf %b, %a2 : f32
      %r = arith.subf %c, %a3 : f32"""
    inputs = [x, f"{row} broadcast rows", f"{col} broadcast cols", f"{one} broadcast scalar"]
    y = t.map(inputs, code, "y", page)
    t.store(y, "Y", (*leading, n[0], n[1]))


@template
def two_results(t: Text, n: Sequence[int]) -> None:
    page = t.tiles(n[0]), min(t.tiles(n[1]), 4)
    size = n[0], min(n[1], page[1] * t.tile)
    x, col = t.load("x", size), t.load("col", (n[0], 1))
    scaled = t.map([x, f"{col} broadcast cols"], MUL, "scaled", page)
    twice = t.map([col, col], ADD, "twice", (page[0], 1))
    t.store(scaled, "Y", size)
    t.store(twice, "Z", (n[0], 1))


@template
def softmax(t: Text, n: Sequence[int]) -> None:
    cols = min(n[1], 4 * t.tile)
    page = t.tiles(n[0]), t.tiles(cols)
    x = t.load("x", (n[0], cols), pad="-1.0e+30")
    top = t.stage(f"spatial.reduce max cols {x} =>", "top", (page[0], 1))
    code = "%d = arith.subf %a0, %a1 : f32\n%r = math.exp %d : f32"
    e = t.map([x, f"{top} broadcast cols"], code, "e", page)
    s = t.stage(f"spatial.reduce add cols {e} =>", "s", (page[0], 1))
    y = t.map([e, f"{s} broadcast cols"], "%r = arith.divf %a0, %a1 : f32", "y", page)
    t.store(y, "Y", (n[0], cols))


@template
def layer_norm(t: Text, n: Sequence[int]) -> None:
    cols = min(n[1] // t.tile or 1, 4) * t.tile
    page = t.tiles(n[0]), t.tiles(cols)
    x = t.load("x", (n[0], cols))
    gamma, beta = t.load("gamma", (1, cols)), t.load("beta", (1, cols))
    s = t.stage(f"spatial.reduce add cols {x} =>", "s", (page[0], 1))
    code = f"""%n = arith.constant {cols}.0 : f32
      %m = arith.divf %a1, %n : f32
      %r = arith.subf %a0, %m : f32"""
    off = t.map([x, f"{s} broadcast cols"], code, "off", page)
    square = t.map([off, off], MUL, "square", page)
    v = t.stage(f"spatial.reduce add cols {square} =>", "v", (page[0], 1))
    code = f"""%n = arith.constant {cols}.0 : f32
      %e = arith.constant 1.0e-3 : f32
      %m = arith.divf %a1, %n : f32
      %p = arith.addf %m, %e : f32
      %f = math.rsqrt %p : f32
      %g = arith.mulf %a0, %f : f32
      %h = arith.mulf %g, %a2 : f32
      %r = arith.addf %h, %a3 : f32"""
    inputs = [off, f"{v} broadcast cols", f"{gamma} broadcast rows", f"{beta} broadcast rows"]
    y = t.map(inputs, code, "y", page, "bf16")
    t.store(y, "Y", (n[0], cols), "bf16")


@template
def rms_norm_of_long_rows(t: Text, n: Sequence[int]) -> None:
    rows, cols = t.tiles(n[0]), t.tiles(n[1])
    width = cols * t.tile
    x = t.load("x", (n[0], width), address=f"0, k * {cols}")
    t.map([], constant("0.0"), "sum", (rows, 1))
    square = t.map([x, x], MUL, "square", (rows, cols))
    part = t.stage(f"spatial.reduce add cols {square} =>", "part", (rows, 1))
    t.map(["%sum", part], ADD, "sum", (rows, 1), how="update")
    code = """%e = arith.constant 1.0 : f32
      %p = arith.addf %a0, %e : f32
      %r = math.rsqrt %p : f32"""
    factor = t.map(["%sum"], code, "factor", (rows, 1))
    again = t.buffer("again", (rows, cols))
    pad = "pad 0.0 : f32" if n[0] % t.tile else ""
    t.lines.append(f"spatial.load %X[0, w * {cols}] into {again} {pad}")
    gamma = t.load("gamma", (1, width), address=f"0, w * {cols}")
    code = "%g = arith.mulf %a0, %a1 : f32\n%r = arith.mulf %g, %a2 : f32"
    inputs = [again, f"{factor} broadcast cols", f"{gamma} broadcast rows"]
    y = t.map(inputs, code, "y", (rows, cols))
    t.store(y, "Y", (n[0], width), address=f"0, w * {cols}")


def attention_of(t: Text, n: Sequence[int], q: str, kt: str, v: str, head: int) -> str:
    """The stages between the loads and the store."""
    rows, keys, width = t.tiles(n[0]), t.tiles(n[1]), t.tiles(head)
    column = rows, 1
    t.map([], constant("-3.0e+38"), "m", column)
    t.map([], constant("0.0"), "l", column)
    t.map([], constant("0.0"), "o", (rows, width))
    s = t.stage(f"spatial.dot {q}, {kt} transpose_b =>", "s", (rows, keys))
    top = t.stage(f"spatial.reduce max cols {s} =>", "top", column)
    new = t.map(["%m", top], "%r = arith.maximumf %a0, %a1 : f32", "new", column)
    code = "%d = arith.subf %a0, %a1 : f32\n%r = math.exp %d : f32"
    alpha = t.map(["%m", new], code, "alpha", column)
    e = t.map([s, f"{new} broadcast cols"], code, "e", (rows, keys))
    pv = t.stage(f"spatial.dot {e}, {v} =>", "pv", (rows, width))
    es = t.stage(f"spatial.reduce add cols {e} =>", "es", column)
    code = "%k = arith.mulf %a0, %a1 : f32\n%r = arith.addf %k, %a2 : f32"
    t.map(["%l", alpha, es], code, "l", column, how="update")
    t.map(["%o", f"{alpha} broadcast cols", pv], code, "o", (rows, width), how="update")
    t.map([new], COPY, "m", column, how="update")
    code = "%r = arith.divf %a0, %a1 : f32"
    return t.map(["%o", "%l broadcast cols"], code, "y", (rows, width))


@template
def attention(t: Text, n: Sequence[int]) -> None:
    t.batch, head = 2 * n[3], 2 * t.tile
    rows, keys = n[0], t.tiles(n[1]) * t.tile
    k = t.tiles(n[1])
    where = f"i floordiv 2, i mod 2, k * {k}, 0"
    q = t.load("q", (n[3], 2, rows, head), address="i floordiv 2, i mod 2, 0, 0")
    kt = t.load("kt", (n[3], 2, keys, head), address=where)
    v = t.load("v", (n[3], 2, keys, head), address=where)
    y = attention_of(t, n, q, kt, v, head)
    t.store(y, "Y", (n[3], 2, rows, head), address="i floordiv 2, i mod 2, 0, 0")


@template
def attention_of_heads_side_by_side(t: Text, n: Sequence[int]) -> None:
    t.batch, head = 3, t.tile
    rows, keys = n[0], t.tiles(n[1]) * t.tile
    k = t.tiles(n[1])
    q = t.load("q", (rows, 3 * head), address="0, i", page=(t.tiles(rows), 1))
    kt = t.load("kt", (keys, 3 * head), address=f"k * {k}, i", page=(k, 1))
    v = t.load("v", (keys, 3 * head), address=f"k * {k}, i", page=(k, 1))
    y = attention_of(t, n, q, kt, v, head)
    t.store(y, "Y", (rows, 3 * head), address="0, i")


@template
def gather(t: Text, n: Sequence[int]) -> None:
    ids = np.random.default_rng(5).integers(0, 50, (1, n[0]))
    index = t.load("ids", (1, n[0]), "i32", values=ids)
    rows = t.load("rows", (50, n[1]), how=f"via {index} rows", page=(t.tiles(n[0]), t.tiles(n[1])))
    y = t.map([rows, rows], ADD, "y", (t.tiles(n[0]), t.tiles(n[1])))
    t.store(y, "Y", (n[0], n[1]))


@template
def scatter(t: Text, n: Sequence[int]) -> None:
    # An index of -1 names no row.
    ids = np.random.default_rng(5).permutation(n[0])[None]
    index = t.load("ids", ids.shape, "i32", values=ids, pad="-1")
    rows = t.load("rows", (n[0], n[1]))
    t.store(rows, "Y", (n[0], n[1]), how=f"via {index} rows")


@template
def scatter_by_a_made_index(t: Text, n: Sequence[int]) -> None:
    # What lies beyond the end of such an index could name a row.
    size = t.tiles(n[0]) * t.tile
    ids = np.random.default_rng(5).permutation(size)[None] + 3
    index = t.load("ids", ids.shape, "i32", values=ids, pad="3")
    code = "%z = arith.constant 3 : i32\n%r = arith.subi %a0, %z : i32"
    made = t.map([index], code, "made", (1, t.tiles(size)), "i32")
    rows = t.load("rows", (size, n[1]))
    t.store(rows, "Y", (size, n[1]), how=f"via {made} rows")


@template
def steps_between_tiles(t: Text, n: Sequence[int]) -> None:
    rows, cols = t.tiles(n[0]), t.tiles(n[1])
    shape = (2 * rows * t.tile, cols * t.tile)
    x = t.load("x", shape, page=(rows, cols), address="1, 0", how="strides [2, 1] pad 0.0 : f32")
    t.store(x, "Y", (n[0], n[1]))


@template
def filled(t: Text, n: Sequence[int]) -> None:
    size = t.tiles(n[0]) * t.tile, t.tiles(n[1]) * t.tile
    y = t.map([], constant("2.0"), "y", (t.tiles(n[0]), t.tiles(n[1])))
    t.store(y, "Y", size)


@template
def part_of_a_tensor(t: Text, n: Sequence[int]) -> None:
    rows, cols = t.tiles(n[0]), t.tiles(n[1])
    shape = ((rows + 2) * t.tile, (cols + 3) * t.tile)
    x = t.load("x", shape, page=(rows, cols), address="1, 2")
    y = t.map([x, x], ADD, "y", (rows, cols))
    t.store(y, "Y", shape, address="0, 3")


################################################################################
# Meaning                                                                      #
################################################################################


def parsed(text: str) -> tuple[Context, ModuleOp, ProgramOp]:
    context = Context()
    for dialect in (Builtin, Arith, Math, Func, Spatial):
        context.load_dialect(dialect)
    module = Parser(context, text).parse_module()
    module.verify()
    return context, module, program_of(module)


def program_of(module: ModuleOp) -> ProgramOp:
    (program,) = (op for op in module.walk() if isinstance(op, ProgramOp))
    return program


def meaning(program: ProgramOp, arguments: dict[str, Array | int]) -> dict[str, Array]:
    if program.grid is None:
        program = program.clone()
        program.grid = DenseArrayBase.from_list(i64, [1, 1])
    return run(program, arguments)


def made(
    name: str, sizes: Sequence[int], target: str = "wormhole", tile: int | None = None
) -> Text:
    text = Text(target, tile or TILES[target])
    TEMPLATES[name](text, sizes)
    return text


def assert_same(before: dict[str, Array], after: dict[str, Array]) -> None:
    for name, array in before.items():
        got, wanted = after[name].astype(np.float64), array.astype(np.float64)
        np.testing.assert_allclose(
            got, wanted, rtol=2e-2 if array.dtype.itemsize == 2 else 1e-5, atol=1e-5
        )


def check(text: Text, **options: Any) -> tuple[Context, ModuleOp, ProgramOp]:
    context, module, program = parsed(text.program())
    assert program.phase is Phase.TEMPLATE
    before = meaning(program, text.given)
    TileSpatialPass(**options).apply(context, module)
    module.verify()
    program = program_of(module)
    assert program.phase is Phase.TILED
    assert_same(before, meaning(program, text.given))
    return context, module, program


@pytest.mark.parametrize("target", TILES)
@pytest.mark.parametrize("name", TEMPLATES)
@pytest.mark.parametrize("sizes", [(64, 64, 64, 2), (37, 50, 41, 3), (8, 8, 8, 1), (1, 100, 1, 1)])
def test_tiled_means_the_same(name: str, target: str, sizes: Shape) -> None:
    check(made(name, sizes, target))


options = st.fixed_dictionaries(
    {},
    optional={
        "grid": st.sampled_from(["1x1", "2x3", "8x8"]),
        "m": st.integers(1, 9),
        "n": st.integers(1, 9),
        "k": st.integers(1, 9),
        "sub": st.sampled_from(["1x1", "1x2", "2x1", "2x2", "3x1", "4x2"]),
        "spill": st.sampled_from(["reload", "pack", "none"]),
    },
)


@settings(max_examples=150, deadline=None)
@given(
    st.sampled_from(sorted(TEMPLATES)),
    st.sampled_from(sorted(TILES)),
    st.tuples(*[st.integers(1, 60)] * 3, st.integers(1, 3)),
    options,
)
def test_tiled_as_wanted_means_the_same(
    name: str, target: str, sizes: Shape, wanted: dict[str, Any]
) -> None:
    try:
        check(made(name, sizes, target), **wanted)
    except FindingsPassFailed:
        # What is wanted may be impossible, but nothing else is.
        assert wanted
        check(made(name, sizes, target))


@pytest.mark.parametrize(("target", "tile"), [("wormhole", 32), ("hopper", 64)])
def test_sizes_that_nothing_divides(target: str, tile: int) -> None:
    check(made("matmul_bias_gelu_residual", (1000, 333, 777, 1), target, tile))
    check(made("batch_matmul", (100, 130, 70, 3), target, tile))


################################################################################
# Schedules                                                                    #
################################################################################


@pytest.mark.parametrize("target", TILES)
@pytest.mark.parametrize("name", TEMPLATES)
@pytest.mark.parametrize("sizes", [(64, 64, 64, 2), (37, 50, 41, 3)])
def test_what_is_tiled_is_proved(name: str, target: str, sizes: Shape) -> None:
    text = made(name, sizes, target)
    context, module, program = check(text)
    PlaceSpatialPass(grid="2x2").apply(context, module)
    program = program_of(module)
    assert_same(meaning(parsed(text.program())[2], text.given), meaning(program, text.given))
    needs = CostModel.of(program, target_of(program)).needs(program.loop_nest)
    for buffer in program.buffers:
        least = needs.least(buffer.buffer)
        spills = any(isinstance(s, MatmulOp) and s.spill is buffer.buffer for s in program.stages)
        buffer.depth = IntegerAttr(least if spills else max(2, least), i64)
    SynthesizeHandshakesPass().apply(context, module)
    assert prove(program_of(module)).status == "proved"


################################################################################
# Choices                                                                      #
################################################################################


@pytest.mark.parametrize("extent", [1, 2, 7, 25, 64, 97, 1000, 10**9])
def test_blocks_are_few_and_leave_little_rest(extent: int) -> None:
    found = sizes(extent, exact=False)
    assert 0 < len(found) <= len(USUAL)
    assert all(-(-extent // size) * size - extent < -(-extent // size) for size in found)
    assert all(extent % size == 0 for size in sizes(extent, exact=True))
    assert sizes(extent, exact=True)[0] == 1


@given(
    st.lists(st.integers(1, 20), min_size=1, max_size=4),
    st.tuples(st.integers(1, 8), st.integers(1, 8)),
)
def test_all_items_have_a_site(extents: list[int], grid: tuple[int, int]) -> None:
    for spread in spreads(extents, grid):
        rows, cols = spread.sites
        assert rows <= grid[0]
        assert cols <= grid[1]
        assert spread.items * rows * cols >= np.prod(extents)
        every = frozenset(range(len(extents)))
        assert spread.moves(every, shared=True) <= spread.moves(every, shared=False)
        assert spread.moves(frozenset(), shared=True) * rows * cols == spread.moves(every, False)


def test_partial_sums_are_added_by_the_packer_where_it_can() -> None:
    text = made("matmul", (256, 256, 256, 1))
    _, _, program = check(text, m=16, n=16, k=8)
    (stage,) = (s for s in program.stages if isinstance(s, MatmulOp))
    assert stage.spill is not None
    assert stage.by.data == "pack"
    _, _, program = check(made("matmul", (256, 256, 256, 1), "hopper"), m=16, n=16, k=8)
    (stage,) = (s for s in program.stages if isinstance(s, MatmulOp))
    assert stage.by.data == "reload"


def test_it_costs_the_same_whatever_the_size() -> None:
    small, large = (
        f"""spatial.program @p(%A : memref<{size}x{size}xbf16>, %B : memref<{size}x{size}xbf16>,
                               %C : memref<{size}x{size}xbf16>)
            target #spatial.target<"wormhole"> {{
          %a = spatial.buffer : !spatial.buffer<{size // 32}x{size // 32}xbf16>
          %b = spatial.buffer : !spatial.buffer<{size // 32}x{size // 32}xbf16>
          %c = spatial.buffer : !spatial.buffer<{size // 32}x{size // 32}xbf16>
          spatial.load %A[0, 0] into %a
          spatial.load %B[0, 0] into %b
          spatial.matmul %a, %b into %c
          spatial.store %c into %C[0, 0]
        }}"""
        for size in (4096, 2**20)
    )
    for text in (small, large):
        context, module, _ = parsed(text)
        TileSpatialPass(grid="750x990").apply(context, module)
        module.verify()


################################################################################
# Trips that are known at run time                                             #
################################################################################

TRIP = """
spatial.program @p(%A : memref<16x64xf32>, %B : memref<64x16xf32>, %n : index,
                   %C : memref<16x16xf32>)
    target #spatial.target<"wormhole" {tile = [4, 4]}> template loops [k = ? max 16] {
  %a = spatial.buffer : !spatial.buffer<4x16xf32>
  %b = spatial.buffer : !spatial.buffer<16x4xf32>
  %c = spatial.buffer : !spatial.buffer<4x4xf32>
  spatial.trip k = %n
  spatial.load %A[0, k * 16] into %a
  spatial.load %B[k * 16, 0] into %b
  spatial.matmul %a, %b into %c
  spatial.store %c into %C[0, 0]
}
func.func @main(%a : memref<16x64xf32>, %b : memref<64x16xf32>, %n : index,
                %c : memref<16x16xf32>) {
  spatial.launch @p(%a, %b, %n, %c)
      : (memref<16x64xf32>, memref<64x16xf32>, index, memref<16x16xf32>) -> ()
  func.return
}
"""


@pytest.mark.parametrize("n", [0, 1, 7, 16])
@pytest.mark.parametrize("k", [None, 2, 3, 4])
def test_a_trip_counts_tiles_or_blocks(n: int, k: int | None) -> None:
    context, module, _ = parsed(TRIP)
    TileSpatialPass(k=k).apply(context, module)
    module.verify()
    block = k or 1
    (launch,) = (op for op in module.walk() if isinstance(op, LaunchOp))
    count = launch.arguments[2].owner
    assert isinstance(count, CeilDivUIOp) == (block > 1)
    a, b = (np.random.default_rng(1).integers(-3, 4, s) for s in ((16, 64), (64, 16)))
    given = {"A": a.astype(np.float32), "B": b.astype(np.float32), "n": -(-n // block)}
    end = min(-(-n // block) * block * 4, 64)
    after = meaning(program_of(module), given)
    np.testing.assert_array_equal(after["C"], (a[:, :end] @ b[:end]).astype(np.float32))


def test_a_trip_that_is_read_follows_the_matrix() -> None:
    text = """
    spatial.program @p(%A : memref<3x16x64xf32>, %B : memref<64x16xf32>, %L : memref<3x1xi32>,
                       %C : memref<3x16x16xf32>)
        target #spatial.target<"wormhole" {tile = [4, 4]}> template loops [i = 3, k = ? max 16] {
      %a = spatial.buffer : !spatial.buffer<4x16xf32>
      %b = spatial.buffer : !spatial.buffer<16x4xf32>
      %c = spatial.buffer : !spatial.buffer<4x4xf32>
      spatial.trip k = %L[i, 0]
      spatial.load %A[i, 0, k * 16] into %a
      spatial.load %B[k * 16, 0] into %b
      spatial.matmul %a, %b into %c
      spatial.store %c into %C[i, 0, 0]
    }"""
    context, module, _ = parsed(text)
    TileSpatialPass().apply(context, module)
    module.verify()
    a, b = (np.random.default_rng(1).integers(-3, 4, s) for s in ((3, 16, 64), (64, 16)))
    lengths = np.array([[5], [0], [16]], np.int32)
    given: dict[str, Array | int] = {"L": lengths}
    given |= {"A": a.astype(np.float32), "B": b.astype(np.float32)}
    after = meaning(program_of(module), given)
    for number, (length,) in enumerate(lengths):
        end = 4 * length
        np.testing.assert_array_equal(after["C"][number], a[number, :, :end] @ b[:end])


def test_the_choice_is_deterministic() -> None:
    texts = set[str]()
    for _ in range(2):
        context, module, _ = parsed(made("attention", (64, 64, 64, 2)).program())
        TileSpatialPass().apply(context, module)
        texts.add(str(module))
    assert len(texts) == 1


def test_what_is_tiled_already_stays() -> None:
    context, module, _ = parsed(made("matmul", (64, 64, 64, 1)).program())
    TileSpatialPass().apply(context, module)
    before = str(module)
    TileSpatialPass(m=1).apply(context, module)
    assert str(module) == before


def test_every_page_fits() -> None:
    for name in TEMPLATES:
        _, _, program = check(made(name, (64, 64, 64, 2), "hopper"))
        found = estimate(program)
        assert found.least_bytes <= target_of(program).usable_bytes
        assert all(page_type(buffer.buffer).tiles > 0 for buffer in program.buffers)
