"""What programs are predicted to take, against sums made by hand."""

import time

import pytest
from xdsl.context import Context
from xdsl.dialects.arith import Arith
from xdsl.dialects.builtin import Builtin
from xdsl.parser import Parser

from spatial_dialect.analysis.costs import CostModel, estimate, move_cycles, target_of
from spatial_dialect.dialects.spatial import LoadOp, ProgramOp, RecvOp, Spatial, StoreOp
from spatial_dialect.ir.loops import Extent, Loops
from spatial_dialect.targets import with_overrides

# Figures that no two sums have in common by chance.
FIGURES = {
    **{"link_bytes_per_cycle": 8, "remote_cycles": 1000, "dram_bytes_per_cycle": 4},
    **{"dram_cycles": 20000, "issue_cycles": 3, "semaphore_cycles": 7},
    **{"matmul_cycles_4": 11, "matmul_cycles_8": 13, "matmul_cycles_16": 17},
    **{"matmul_cycles_32": 19, "map_cycles": 23, "reduce_cycles": 29},
    **{"unpack_bytes_per_cycle": 32, "pack_bytes_per_cycle": 16, "move_engines": 2},
}
TARGET = (
    'target #spatial.target<"reference" {tile = [4, 4], '
    + ", ".join(f"{name} = {value}" for name, value in FIGURES.items())
    + "}>"
)
TILE = 16 * 2
"""The bytes of a tile of 16 elements of 16 bits."""


def program(text: str) -> ProgramOp:
    context = Context()
    for dialect in (Builtin, Arith, Spatial):
        context.load_dialect(dialect)
    module = Parser(context, text.replace("TARGET", TARGET)).parse_module()
    module.verify()
    (found,) = (op for op in module.ops if isinstance(op, ProgramOp))
    return found


def matmul(loops: str, spill: str = "", depth: str = "") -> ProgramOp:
    """A matmul of pages of 4x2 and 2x2 tiles, with sub-blocks of 2x1."""
    ring = "%p = spatial.buffer : !spatial.buffer<2x1xf32>" if spill else ""
    return program(f"""
      spatial.program @p(%A : memref<64x64xbf16>, %B : memref<64x64xbf16>,
                         %C : memref<64x64xbf16>) TARGET loops [{loops}] {{
        %a = spatial.buffer {depth} : !spatial.buffer<4x2xbf16>
        %b = spatial.buffer : !spatial.buffer<2x2xbf16>
        %c = spatial.buffer : !spatial.buffer<2x1xbf16>
        {ring}
        spatial.load %A[i * 4, k * 2] into %a
        spatial.load %B[k * 2, 0] into %b
        spatial.matmul %a, %b into %c {spill}
        spatial.store %c into %C[i * 4 + h * 2, w]
      }}""")


LOOPS = "i = 4, k = 4, h = 2, w = 2"
A, B, C, P = 8 * TILE, 4 * TILE, 2 * TILE, 2 * 2 * TILE
PRODUCTS = 4 * 16 * 17
# Each of the two columns of sub-blocks reads the left factor, each of the two rows the right.
UNPACKED = 4 * (2 * A + 2 * B) / 32
PACKED = 4 * C / 16
LOADS = 4 * (20000 + A / 8 + 8 * 3) + 4 * (20000 + B / 8 + 4 * 3)
STORES = 4 * (20000 + C / 8 + 2 * 3)


@pytest.mark.parametrize(
    ("spill", "partial"),
    [
        ("spill %p", 3 * 4 * P * (1 / 16 + 1 / 32)),
        ("spill %p by pack", 3 * 4 * P / 16 + 4 * P / 32),
    ],
)
def test_a_matmul(spill: str, partial: float) -> None:
    found = estimate(matmul(LOOPS, spill))
    assert found.compute_cycles == PRODUCTS + UNPACKED + PACKED + partial
    assert found.move_cycles == (LOADS, STORES)
    assert found.item_cycles == LOADS
    assert found.dram_bytes == 4 * (4 * (A + B) + 4 * C)
    assert found.dram_cycles == found.dram_bytes / 4
    # Every engine waits once for the first block of the others.
    assert found.total_cycles == 4 * LOADS + (found.compute_cycles + STORES) / 4
    assert found.serial_cycles == 4 * (LOADS + STORES + found.compute_cycles)
    assert found.least_bytes == A + B + C + 4 * P
    assert found.local_bytes == 2 * (A + B + C) + 4 * P


def test_items_are_spread_over_the_sites_of_a_grid() -> None:
    found = matmul(LOOPS, "spill %p")
    first = (estimate(found).compute_cycles + STORES) / 4
    for grid, items in (((1, 1), 4), ((1, 3), 2), ((2, 2), 1), ((8, 8), 1)):
        result = estimate(found, grid=grid)
        assert result.total_cycles == max(items * LOADS, result.dram_cycles) + first
        assert estimate(found, grid=grid).dram_bytes == estimate(found).dram_bytes


def test_all_sites_share_dram() -> None:
    found = matmul(LOOPS, "spill %p")
    slow = with_overrides(target_of(found), {"dram_bytes_per_cycle": 0.01})
    first = estimate(found, grid=(2, 2)).total_cycles - LOADS
    limited = estimate(found, target=slow, grid=(2, 2))
    assert limited.dram_cycles == limited.dram_bytes / 0.01 > LOADS
    assert limited.total_cycles == limited.dram_cycles + first


def test_a_ring_of_one_page_keeps_engines_from_working_at_the_same_time() -> None:
    two, one = (estimate(matmul(LOOPS, "spill %p", f"depth {depth}")) for depth in (2, 1))
    assert two.item_cycles == max(two.compute_cycles, *two.move_cycles)
    assert one.item_cycles == one.compute_cycles + sum(one.move_cycles)
    assert two.local_bytes - one.local_bytes == A


@pytest.mark.parametrize(
    ("type", "cycles", "bits"),
    [
        *(("bf16", 17, 16), ("f32", 19, 32), ("f8E4M3FN", 13, 8)),
        *(("!spatial.bfp8", 13, 8.5), ("!spatial.bfp4", 11, 4.5)),
    ],
)
def test_a_product_costs_what_the_wider_factor_does(type: str, cycles: int, bits: float) -> None:
    found = program(f"""
      spatial.program @p(%A : tensor<8x8x!spatial.bfp4>, %B : tensor<8x8x{type}>,
                         %C : memref<8x8xf32>) TARGET loops [] {{
        %a = spatial.buffer : !spatial.buffer<2x2x!spatial.bfp4>
        %b = spatial.buffer : !spatial.buffer<2x2x{type}>
        %c = spatial.buffer : !spatial.buffer<2x2xf32>
        spatial.load %A[0, 0] into %a
        spatial.load %B[0, 0] into %b
        spatial.dot %a, %b into %c
        spatial.store %c into %C[0, 0]
      }}""")
    moved = 4 * 16 * (4.5 + bits) / 8
    assert estimate(found).compute_cycles == 8 * cycles + moved / 32 + 4 * 64 / 16


def test_a_chain() -> None:
    found = estimate(
        program("""
          spatial.program @p(%X : memref<8x16xbf16>, %Y : memref<8x8xbf16>) TARGET loops [w = 2] {
            %x = spatial.buffer : !spatial.buffer<2x2xbf16>
            %s = spatial.buffer : !spatial.buffer<2x2xbf16>
            %y = spatial.buffer : !spatial.buffer<2x1xbf16>
            spatial.load %X[0, w * 2] into %x
            spatial.map (%x) into %s {
            ^bb0(%a : f32):
              %c = arith.constant 2.0 : f32
              %b = arith.mulf %a, %c : f32
              %r = arith.addf %b, %c : f32
              spatial.yield %r : f32
            }
            spatial.reduce add cols %s into %y
            spatial.store %y into %Y[0, w]
          }""")
    )
    x, y = 4 * TILE, 2 * TILE
    mapped = 4 * 2 * 23 + x / 32 + x / 16
    reduced = 4 * 29 + x / 32 + y / 16
    assert found.compute_cycles == 2 * (mapped + reduced)
    assert found.move_cycles[1] == 2 * (20000 + y / 8 + 2 * 3)
    # Only the compute engine has the page in between.
    assert found.local_bytes == 2 * x + x + 2 * y


def test_only_senders_read_and_the_slowest_site_counts() -> None:
    found = program("""
      spatial.program @p(%A : memref<64x64xbf16>, %C : memref<192x64xbf16>)
          TARGET grid [2, 4] loops [i = 3, k = 5] {
        %a = spatial.buffer : !spatial.buffer<2x2xbf16>
        %c = spatial.buffer : !spatial.buffer<2x2xbf16>
        %rows = spatial.group from [0:2, 0] to [0:2, 1:4] along x
        spatial.load %A[y * 2, k * 2] into %a multicast %rows at [0:2, 0] on move 0
        spatial.recv %rows into %a at [0:2, 1:4] on move 0
        spatial.map (%a) into %c {
        ^bb0(%v : f32):
          spatial.yield %v : f32
        }
        spatial.store %c into %C[i * 16 + y * 8 + x * 2, k * 2] on move 1
      }""")
    page = 4 * TILE
    sent = 20000 + page / 8 + 4 * 3 + page / 8 + 3 + 2 * 7
    cycles = {type(stage): each for stage, each in move_cycles(found).items()}
    assert cycles[LoadOp] == 5 * sent
    assert cycles[RecvOp] == 5 * (1000 + page / 8 + 2 * 7)
    result = estimate(found)
    # No site does both.
    assert result.move_cycles == (cycles[LoadOp], cycles[StoreOp])
    assert result.dram_bytes == 3 * 5 * page * (2 + 8)
    assert result.item_cycles == max(result.move_cycles)
    assert result.total_cycles >= 3 * result.item_cycles


def test_extents_may_change_without_a_new_model() -> None:
    found = matmul(LOOPS, "spill %p")
    model = CostModel.of(found, target_of(found))
    for text in ("h = 2, w = 2", "i = 3, k = 8, h = 2, w = 2"):
        other = matmul(text, "spill %p")
        assert model.estimate(model.shapes, other.loop_nest) == estimate(other)
    # With one sub-block a row, the factor of the rows is read once a block.
    shapes = {**model.shapes, found.buffers[1].buffer: (2, 1)}
    less = model.estimate(shapes, Loops(k=Extent(4), h=Extent(2)))
    assert less.move_cycles[1] == STORES / 2
    assert less.compute_cycles == estimate(found).compute_cycles / 2


def test_what_waits_for_the_blocks_needs_room() -> None:
    # The factors of the columns are made before the blocks and read after them.
    found = program("""
      spatial.program @p(%X : memref<4x64xf32>, %G : memref<4x64xf32>, %Y : memref<4x64xf32>)
          TARGET loops [k = 4, w = 4] {
        %x = spatial.buffer : !spatial.buffer<1x4xf32>
        %g = spatial.buffer : !spatial.buffer<1x4xf32>
        %sum = spatial.buffer : !spatial.buffer<1x1xf32>
        %part = spatial.buffer : !spatial.buffer<1x1xf32>
        %y = spatial.buffer : !spatial.buffer<1x4xf32>
        spatial.load %X[0, k * 4] into %x
        spatial.load %G[0, w * 4] into %g
        spatial.map () into %sum {
          %z = arith.constant 0.0 : f32
          spatial.yield %z : f32
        }
        spatial.reduce add cols %x into %part
        spatial.map (%sum, %part) update %sum {
        ^bb0(%a : f32, %b : f32):
          %r = arith.addf %a, %b : f32
          spatial.yield %r : f32
        }
        spatial.map (%g, %sum broadcast cols) into %y {
        ^bb0(%a : f32, %b : f32):
          %r = arith.mulf %a, %b : f32
          spatial.yield %r : f32
        }
        spatial.store %y into %Y[0, w * 4]
      }""")
    tile = 64
    # The old page of a carry is read while the new one is made.
    assert estimate(found).least_bytes == tile * (4 + 4 + 2 + 1 + 4)
    assert estimate(found).local_bytes == tile * (8 + 8 + 2 + 1 + 8)


def test_nothing_goes_over_sites_or_blocks() -> None:
    small = matmul(LOOPS, "spill %p")
    model = CostModel.of(small, target_of(small))
    huge = Loops(Extent(10**9), Extent(10**9), Extent(10**6), Extent(10**6))
    start = time.perf_counter()
    found = model.estimate(model.shapes, huge, (10**6, 10**6))
    assert time.perf_counter() - start < 0.1
    assert found.total_cycles > 10**9
