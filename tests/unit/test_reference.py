"""The reference meaning of each operation, against numpy and plain loops written out here."""

import math
from collections.abc import Callable, Sequence
from itertools import product
from typing import Any, TypeAlias

import ml_dtypes
import numpy as np
import pytest
from numpy.typing import NDArray
from xdsl.context import Context
from xdsl.dialects.arith import Arith
from xdsl.dialects.builtin import Builtin
from xdsl.dialects.math import Math
from xdsl.parser import Parser

from spatial_dialect.dialects.spatial import ProgramOp, Spatial
from spatial_dialect.machine.block_floats import quantised
from spatial_dialect.machine.reference import argument_names, run

Array: TypeAlias = NDArray[Any]

# Tiles that are small and not square, so that rows and columns cannot be mixed up unnoticed.
TILE_ROWS, TILE_COLS = 2, 4
TARGET = 'target #spatial.target<"reference" {tile = [2, 4]}>'
SQUARE = 'target #spatial.target<"reference" {tile = [4, 4]}>'
BLOCKS = 'target #spatial.target<"reference" {tile = [16, 16]}>'


def program(text: str) -> ProgramOp:
    """The only program of a text, verified."""
    context = Context()
    for dialect in (Builtin, Arith, Math, Spatial):
        context.load_dialect(dialect)
    module = Parser(context, text).parse_module()
    module.verify()
    (found,) = (op for op in module.body.block.ops if isinstance(op, ProgramOp))
    return found


def outcome(text: str, **arguments: Array | int) -> dict[str, Array]:
    return run(program(text), arguments)


def numbers(*shape: int, seed: int = 0, dtype: Any = np.float32) -> Array:
    rng = np.random.default_rng(seed)
    if np.dtype(dtype).kind in "iu":
        return rng.integers(0, 100, shape).astype(dtype)
    return rng.normal(size=shape).astype(dtype)


def tile_of(
    array: Array, row: int, col: int, tile: tuple[int, int] = (TILE_ROWS, TILE_COLS)
) -> Array:
    rows, cols = tile
    return array[row * rows : (row + 1) * rows, col * cols : (col + 1) * cols]


################################################################################
# Movement                                                                     #
################################################################################


def test_addresses_use_items_sites_and_sub_blocks():
    text = f"""
    spatial.program @copy(%X : memref<2x3x24x96xf32>, %Y : memref<2x3x24x96xf32>)
        {TARGET} grid [2, 3] loops [i = 2, h = 3, w = 2] {{
      %b = spatial.buffer : !spatial.buffer<1x2xf32>
      spatial.load %X[i, x, y * 3 + h, x * 4 + w * 2] into %b on move 0
      spatial.store %b into %Y[1 - i, 2 - x, h * 2 + y, w * 6 + x * 2] on move 1
    }}"""
    given = numbers(2, 3, 24, 96)
    expected = np.zeros_like(given)
    for i, y, x, h, w, c in product(*map(range, (2, 2, 3, 3, 2, 2))):
        source = tile_of(given[i, x], y * 3 + h, x * 4 + w * 2 + c)
        tile_of(expected[1 - i, 2 - x], h * 2 + y, w * 6 + x * 2 + c)[...] = source
    found = outcome(text, X=given)
    np.testing.assert_array_equal(found["Y"], expected)
    assert found["X"] is given


def test_addresses_divide_and_take_remainders():
    text = f"""
    spatial.program @copy(%X : memref<8x64xf32>, %Y : memref<24x16xf32>)
        {TARGET} grid [1, 4] loops [h = 3] {{
      %b = spatial.buffer : !spatial.buffer<1x1xf32>
      spatial.load %X[(h + x) mod 4, (h * 4 + x) floordiv 3 + (x + h) ceildiv 2 - h]
          into %b on move 0
      spatial.store %b into %Y[h * 4 + 3 - x, x] on move 1
    }}"""
    given = numbers(8, 64)
    expected = np.zeros((24, 16), np.float32)
    for x, h in product(range(4), range(3)):
        col = (h * 4 + x) // 3 + math.ceil((x + h) / 2) - h
        tile_of(expected, h * 4 + 3 - x, x)[...] = tile_of(given, (h + x) % 4, col)
    np.testing.assert_array_equal(outcome(text, X=given)["Y"], expected)


def test_stages_in_the_blocks_store_a_page_per_block():
    text = f"""
    spatial.program @copy(%X : memref<4x24xf32>, %Y : memref<4x24xf32>)
        {TARGET} grid [2, 1] loops [k = 3, w = 2] {{
      %b = spatial.buffer : !spatial.buffer<1x1xf32>
      spatial.load %X[y, k * 2 + w] into %b on move 0
      spatial.store %b into %Y[y, (2 - k) * 2 + w] on move 1
    }}"""
    given = numbers(4, 24)
    expected = np.concatenate([given[:, 16:], given[:, 8:16], given[:, :8]], axis=1)
    np.testing.assert_array_equal(outcome(text, X=given)["Y"], expected)


def test_strides_step_over_tiles():
    text = f"""
    spatial.program @copy(%X : memref<12x32xf32>, %Y : memref<4x24xf32>)
        {TARGET} grid [1, 1] loops [k = 1] {{
      %b = spatial.buffer : !spatial.buffer<2x2xf32>
      spatial.load %X[1, 1] into %b strides [3, 4] on move 0
      spatial.store %b into %Y[0, 3] on move 1
    }}"""
    given = numbers(12, 32)
    expected = np.zeros((4, 24), np.float32)
    for r, c in product(range(2), range(2)):
        tile_of(expected, r, 3 + c)[...] = tile_of(given, 1 + 3 * r, 1 + 4 * c)
    np.testing.assert_array_equal(outcome(text, X=given)["Y"], expected)


@pytest.mark.parametrize("strides", [(1, 1), (2, 3)])
def test_transpose_exchanges_rows_and_columns(strides: tuple[int, int]):
    # The page has 2 x 3 tiles: 3 tile rows and 2 tile columns of the tensor.
    text = f"""
    spatial.program @copy(%X : memref<40x40xf32>, %Y : memref<8x12xf32>)
        {SQUARE} grid [1, 1] loops [k = 1] {{
      %b = spatial.buffer : !spatial.buffer<2x3xf32>
      spatial.load %X[1, 2] into %b strides [{strides[0]}, {strides[1]}] transpose on move 0
      spatial.store %b into %Y[0, 0] on move 1
    }}"""
    given = numbers(40, 40)
    expected = np.zeros((8, 12), np.float32)
    for r, c in product(range(2), range(3)):
        source = tile_of(given, 1 + c * strides[1], 2 + r * strides[0], (4, 4))
        tile_of(expected, r, c, (4, 4))[...] = source.T
    np.testing.assert_array_equal(outcome(text, X=given)["Y"], expected)
    if strides == (1, 1):
        np.testing.assert_array_equal(expected, given[4:16, 8:16].T)


def test_transpose_needs_square_tiles():
    text = f"""
    spatial.program @copy(%X : memref<8x8xf32>, %Y : memref<8x8xf32>)
        {TARGET} grid [1, 1] loops [k = 1] {{
      %b = spatial.buffer : !spatial.buffer<1x1xf32>
      spatial.load %X[0, 0] into %b transpose on move 0
      spatial.store %b into %Y[0, 0] on move 1
    }}"""
    with pytest.raises(ValueError, match="transposes, but tiles of 2x4 are not square"):
        outcome(text, X=numbers(8, 8))


def test_padding_is_read_outside_and_clipped_when_stored():
    # 5 x 6 elements, of which the tiles at the far ends are only partly there.
    text = f"""
    spatial.program @shift(%X : memref<2x5x6xf32>, %Y : memref<2x5x6xf32>)
        {TARGET} grid [2, 1] loops [i = 3, h = 3, w = 2] {{
      %x = spatial.buffer : !spatial.buffer<1x1xf32>
      %y = spatial.buffer : !spatial.buffer<1x1xf32>
      spatial.load %X[i - 1, y * 3 + h - 1, w - 1] into %x pad -7.0 : f32 on move 0
      spatial.map (%x) into %y {{
      ^bb0(%0 : f32):
        spatial.yield %0 : f32
      }}
      spatial.store %y into %Y[i - 1, y * 3 + h, w] on move 1
    }}"""
    given = numbers(2, 5, 6)
    expected = np.zeros_like(given)
    for n, p, q in np.ndindex(given.shape):
        row, col = p - TILE_ROWS, q - TILE_COLS
        inside = 0 <= row and 0 <= col
        expected[n, p, q] = given[n, row, col] if inside else -7
    np.testing.assert_array_equal(outcome(text, X=given)["Y"], expected)


def test_padding_of_strided_and_transposed_pages():
    text = f"""
    spatial.program @pad(%X : memref<6x10xf32>, %Y : memref<12x12xf32>)
        {SQUARE} grid [1, 1] loops [k = 1] {{
      %b = spatial.buffer : !spatial.buffer<3x3xf32>
      spatial.load %X[-2, -1] into %b strides [2, 1] transpose pad 5.0 : f32 on move 0
      spatial.store %b into %Y[0, 0] on move 1
    }}"""
    given = numbers(6, 10)
    expected = np.full((12, 12), 5, np.float32)
    for p, q in np.ndindex(12, 12):
        row = (q // 4 - 2) * 4 + q % 4
        col = (p // 4 * 2 - 1) * 4 + p % 4
        if 0 <= row < 6 and 0 <= col < 10:
            expected[p, q] = given[row, col]
    np.testing.assert_array_equal(outcome(text, X=given)["Y"], expected)


GATHER = f"""
    spatial.program @gather(%I : memref<2x12xi32>, %T : memref<4x20x8xf32>, %Y : memref<4x8xf32>)
        {TARGET} grid [2, 1] loops [w = 2] {{
      %ix = spatial.buffer : !spatial.buffer<1x1xi32>
      %b = spatial.buffer : !spatial.buffer<1x1xf32>
      spatial.load %I[0, y] into %ix on move 0
      spatial.load %T[ind mod 4, ind + 1, w] into %b via %ix on move 0
      spatial.store %b into %Y[y, w] on move 1
    }}"""


def test_a_gather_takes_the_first_element_of_its_index_page():
    table, indices = numbers(4, 20, 8), numbers(2, 12, dtype=np.int32)
    indices[0, 0], indices[0, 4] = 7, 2
    expected = np.concatenate([table[3, 16:18], table[2, 6:8]])
    np.testing.assert_array_equal(outcome(GATHER, I=indices, T=table)["Y"], expected)


def test_a_gather_outside_its_tensor_names_site_and_index():
    indices = np.zeros((2, 12), np.int32)
    indices[0, 4] = 13
    message = (
        r"@gather: 'spatial.load' op reads outside %T via %ix at site \[1, 0\], w = 0, ind = 13: "
        r"index 28 of dimension 1, which has 20"
    )
    with pytest.raises(ValueError, match=message):
        outcome(GATHER, I=indices, T=numbers(4, 20, 8))
    indices[0, 4] = -2
    with pytest.raises(ValueError, match="ind = -2: index -2 of dimension 1, which has 20"):
        outcome(GATHER, I=indices, T=numbers(4, 20, 8))


ROWS = f"""
    spatial.program @rows(%I : memref<4x8xi32>, %T : memref<2x30x8xf32>, %Y : memref<24x8xf32>)
        {TARGET} grid [1, 2] loops [h = 2] {{
      %ix = spatial.buffer : !spatial.buffer<1x1xi32>
      %b = spatial.buffer : !spatial.buffer<3x1xf32>
      spatial.load %I[h, x] into %ix on move 0
      spatial.load %T[h, 0, x] into %b via %ix rows PAD on move 0
      spatial.store %b into %Y[h * 6 + x * 3, 1] on move 1
    }}"""


def test_a_gather_by_rows_takes_a_row_per_element():
    indices, table = numbers(4, 8, dtype=np.int32) % 30, numbers(2, 30, 8)
    expected = np.zeros((24, 8), np.float32)
    for h, x, r in product(range(2), range(2), range(6)):
        # 6 rows of 3 tiles by the 8 elements of a page of 2 x 4, row by row.
        index = indices[h * 2 + r // 4, x * 4 + r % 4]
        row = (h * 6 + x * 3) * 2 + r
        expected[row, 4:] = table[h, index, x * 4 : x * 4 + 4]
    found = outcome(ROWS.replace("PAD", ""), I=indices, T=table)["Y"]
    np.testing.assert_array_equal(found, expected)


def test_a_gather_by_rows_outside_its_tensor():
    indices, table = numbers(4, 8, dtype=np.int32) % 30, numbers(2, 30, 8)
    indices[3, 5] = 99
    message = r"%T via %ix at site \[0, 1\], h = 1: index 99 of dimension 1, which has 30"
    with pytest.raises(ValueError, match=message):
        outcome(ROWS.replace("PAD", ""), I=indices, T=table)
    # With padding, no row of the table.
    found = outcome(ROWS.replace("PAD", "pad 3.0 : f32"), I=indices, T=table)["Y"]
    np.testing.assert_array_equal(found[23, 4:], 3)
    np.testing.assert_array_equal(found[22, 4:], table[1, indices[3, 4], 4:])


def test_a_gather_by_rows_needs_an_element_per_row():
    text = ROWS.replace("PAD", "").replace("buffer<3x1xf32>", "buffer<6x1xf32>")
    text = text.replace("h * 6 + x * 3", "h * 6").replace("[1, 2]", "[1, 1]")
    with pytest.raises(ValueError, match="takes 12 rows by %ix, whose pages have 8 elements"):
        outcome(text, I=np.zeros((4, 8), np.int32), T=numbers(2, 30, 8))


SCATTER = f"""
    spatial.program @scatter(%I : memref<2x8xi32>, %X : memref<4x8xf32>, %Y : memref<20x8xf32>)
        {TARGET} grid [1, 2] loops [k = 1] {{
      %ix = spatial.buffer : !spatial.buffer<1x1xi32>
      %b = spatial.buffer : !spatial.buffer<2x1xf32>
      spatial.load %I[0, x] into %ix on move 0
      spatial.load %X[0, x] into %b on move 1
      spatial.store %b into %Y[ROW, x] via %ix MODE on move 0
    }}"""


def test_scatters_write_where_the_indices_say():
    given = numbers(4, 8)
    indices = np.array([[3, 0, 19, 7, 8, 9, 1, 2], [0] * 8], np.int32)
    by_row = outcome(SCATTER.replace("ROW", "0").replace("MODE", "rows"), I=indices, X=given)["Y"]
    expected = np.zeros((20, 8), np.float32)
    for x, r in product(range(2), range(4)):
        expected[indices[0, x * 4 + r], x * 4 : x * 4 + 4] = given[r, x * 4 : x * 4 + 4]
    np.testing.assert_array_equal(by_row, expected)
    by_page = outcome(SCATTER.replace("ROW", "ind").replace("MODE", ""), I=indices, X=given)["Y"]
    expected[...] = 0
    expected[6:10, :4], expected[16:20, 4:] = given[:, :4], given[:, 4:]
    np.testing.assert_array_equal(by_page, expected)


def test_a_scatter_outside_its_tensor_names_site_and_index():
    indices = np.array([[3, 0, 19, 7, 8, 9, 20, 2], [0] * 8], np.int32)
    text = SCATTER.replace("ROW", "0").replace("MODE", "rows")
    message = r"writes outside %Y via %ix at site \[0, 1\]: index 20 of dimension 0, which has 20"
    with pytest.raises(ValueError, match=message):
        outcome(text, I=indices, X=numbers(4, 8))


Site: TypeAlias = tuple[int, int]

SENDERS: dict[str, tuple[str, Callable[[int, int], Site]]] = {
    "x": ("[0:2, 1]", lambda y, x: (y, 1)),
    "y": ("[1, 0:3]", lambda y, x: (1, x)),
    "yx": ("[1, 2]", lambda y, x: (1, 2)),
}


@pytest.mark.parametrize("along", SENDERS)
def test_receivers_have_the_page_of_their_sender(along: str):
    senders, sender = SENDERS[along]
    all_sites = {(y, x) for y in range(2) for x in range(3)}
    receiving = sorted(s for s in all_sites if sender(*s) != s)
    places = " + ".join(f"[{y}, {x}]" for y, x in receiving)
    text = f"""
    spatial.program @cast(%X : memref<4x24xf32>, %Y : memref<4x24xf32>)
        {TARGET} grid [2, 3] loops [k = 2] {{
      %b = spatial.buffer : !spatial.buffer<1x1xf32>
      %g = spatial.group from {senders} to [0:2, 0:3] along {along}
      spatial.load %X[y, x * 2 + k] into %b multicast %g at {senders} on move 0
      spatial.recv %g into %b at {places} on move 0
      spatial.store %b into %Y[y, x * 2 + k] on move 1
    }}"""
    given = numbers(4, 24)
    expected = np.zeros_like(given)
    for (y, x), k in product(all_sites, range(2)):
        sy, sx = sender(y, x)
        tile_of(expected, y, x * 2 + k)[...] = tile_of(given, sy, sx * 2 + k)
    np.testing.assert_array_equal(outcome(text, X=given)["Y"], expected)


def test_a_page_is_sent_on():
    text = f"""
    spatial.program @cast(%X : memref<2x8xf32>, %Y : memref<4x24xf32>)
        {TARGET} grid [2, 3] loops [w = 2] {{
      %b = spatial.buffer : !spatial.buffer<1x1xf32>
      %row = spatial.group from [0, 0] to [0, 1:3] along x
      %cols = spatial.group from [0, 1:3] to [1, 1:3] along y
      spatial.recv %cols into %b at [1, 1:3] on move 0
      spatial.recv %row into %b multicast %cols at [0, 1:3] on move 0
      spatial.load %X[0, w] into %b multicast %row at [0, 0] on move 0
      spatial.store %b into %Y[y, x * 2 + w] at [0, 0:3] + [1, 1:3] on move 1
    }}"""
    given = numbers(2, 8)
    expected = np.tile(given, (2, 3))
    expected[2:, :8] = 0
    np.testing.assert_array_equal(outcome(text, X=given)["Y"], expected)


################################################################################
# Products                                                                     #
################################################################################


def matmul_text(
    spill: str = "",
    type: str = "f32",
    result: str = "f32",
    loops: str = "k = 3, h = 2, w = 2",
    trip: str = "",
    argument: str = "",
) -> str:
    return f"""
    spatial.program @matmul(%A : memref<32x48x{type}>, %B : memref<48x32x{type}>,
                            %C : memref<32x32x{result}>{argument})
        {SQUARE} grid [2, 2] loops [{loops}] {{
      %a = spatial.buffer : !spatial.buffer<4x4x{type}>
      %b = spatial.buffer : !spatial.buffer<4x4x{type}>
      %p = spatial.buffer : !spatial.buffer<2x2x{result}>
      %c = spatial.buffer : !spatial.buffer<2x2x{result}>
      {trip}
      spatial.load %A[y * 4, k * 4] into %a on move 0
      spatial.load %B[k * 4, x * 4] into %b on move 0
      spatial.matmul %a, %b into %c {spill}
      spatial.store %c into %C[y * 4 + h * 2, x * 4 + w * 2] on move 1
    }}"""


@pytest.mark.parametrize("spill", ["spill %p", "spill %p by pack"])
def test_matmul_of_sub_blocks_over_blocks(spill: str):
    a, b = numbers(32, 48, seed=1), numbers(48, 32, seed=2)
    found = outcome(matmul_text(spill), A=a, B=b)["C"]
    np.testing.assert_allclose(found, a.astype(np.float64) @ b, rtol=0, atol=1e-5)


def test_matmul_rounds_its_sum_once():
    a, b = (numbers(*s, dtype=ml_dtypes.bfloat16) for s in ((32, 48), (48, 32)))
    found = outcome(matmul_text("spill %p", "bf16", "bf16"), A=a, B=b)["C"]
    exact = a.astype(np.float32) @ b.astype(np.float32)
    unequal = found != exact.astype(ml_dtypes.bfloat16)
    # The order of the sum may differ, and so may its last bit, which seldom decides.
    assert np.count_nonzero(unequal) < 20
    np.testing.assert_allclose(found.astype(np.float32), exact, rtol=2**-8, atol=1e-6)


@pytest.mark.parametrize("largest", [100, 2**31 - 1])
def test_matmul_of_integers_is_modulo_2_to_the_32(largest: int):
    rng = np.random.default_rng(0)
    a, b = (rng.integers(-largest, largest, s).astype(np.int32) for s in ((32, 48), (48, 32)))
    found = outcome(matmul_text("spill %p", "i32", "i32"), A=a, B=b)["C"]
    exact = a.astype(object) @ b.astype(object)
    expected = np.array([(int(v) + 2**31) % 2**32 - 2**31 for v in exact.flat]).reshape(32, 32)
    np.testing.assert_array_equal(found, expected)


RUN_TIME: dict[str, Any] = {
    "loops": "k = ? max 3",
    "trip": "spatial.trip k = %n",
    "argument": ", %n : index",
}


@pytest.mark.parametrize("trip", [0, 1, 3])
def test_matmul_of_a_run_time_depth(trip: int):
    text = matmul_text(**RUN_TIME).replace("buffer<2x2xf32>", "buffer<4x4xf32>")
    a, b = numbers(32, 48, seed=1), numbers(48, 32, seed=2)
    found = outcome(
        text.replace("%p = spatial.buffer : !spatial.buffer<4x4xf32>", ""), A=a, B=b, n=trip
    )
    expected = a[:, : 16 * trip].astype(np.float64) @ b[: 16 * trip]
    np.testing.assert_allclose(found["C"], expected, rtol=0, atol=1e-5)


TRIPS = f"""
    spatial.program @fold(%N : memref<3x2xi32>, %X : memref<24x16xf32>, %I : memref<6x16xi32>,
                          %Y : memref<8x4xf32>)
        {TARGET} grid [2, 1] loops [i = 2, k = ? max 4] {{
      %ix = spatial.buffer : !spatial.buffer<1x1xi32>
      %x = spatial.buffer : !spatial.buffer<1x1xf32>
      %s = spatial.buffer : !spatial.buffer<1x1xf32>
      %o = spatial.buffer : !spatial.buffer<1x1xf32>
      spatial.trip k = %N[i + y, 1]
      spatial.load %I[y, k] into %ix on move 0
      spatial.load %X[ind, k] into %x via %ix on move 0
      spatial.map @init () into %s {{
        %0 = arith.constant 100.0 : f32
        spatial.yield %0 : f32
      }}
      spatial.map @add (%s, %x) update %s {{
      ^bb0(%0 : f32, %1 : f32):
        %2 = arith.addf %0, %1 : f32
        spatial.yield %2 : f32
      }}
      spatial.map @copy (%s) into %o {{
      ^bb0(%0 : f32):
        spatial.yield %0 : f32
      }}
      spatial.store %o into %Y[i * 2 + y, 0] on move 1
    }}"""


def test_trips_differ_between_sites_and_items():
    trips = np.array([[9, 0], [9, 4], [9, 1]], np.int32)
    given, indices = numbers(24, 16), np.full((6, 16), 99, np.int32)
    rng = np.random.default_rng(1)
    # Of the second site; the first has no block in the first item and four in the second.
    indices[0, ::4], indices[2, ::4] = rng.integers(0, 12, 4), rng.integers(0, 12, 4)
    expected = np.full((8, 4), 100, np.float32)
    for i, y in product(range(2), range(2)):
        for k in range(trips[i + y, 1]):
            tile_of(expected, i * 2 + y, 0)[...] += tile_of(given, indices[y * 2, k * 4], k)
    found = outcome(TRIPS, N=trips, X=given, I=indices)["Y"]
    np.testing.assert_allclose(found, expected, rtol=1e-6)
    # A block that is left out is not read, whatever its index.
    trips[1, 1] = 1
    indices[0, 4:] = indices[2, 4:] = -5
    outcome(TRIPS, N=trips, X=given, I=indices)


def test_a_trip_outside_its_range_names_site_and_count():
    trips = np.zeros((3, 2), np.int32)
    trips[2, 1] = 5
    rest: dict[str, Array] = {"X": numbers(24, 16), "I": np.zeros((6, 16), np.int32)}
    message = (
        r"@fold: the run-time trip of k at site \[1, 0\], item 1 is 5, given by %N, "
        "but it is 0 to 4"
    )
    with pytest.raises(ValueError, match=message):
        outcome(TRIPS, N=trips, **rest)
    trips[2, 1] = -1
    with pytest.raises(ValueError, match=r"is -1, given by %N, but it is 0 to 4"):
        outcome(TRIPS, N=trips, **rest)


def test_operands_and_results_of_a_matmul_are_computed():
    text = f"""
    spatial.program @scaled(%A : memref<8x12xf32>, %B : memref<12x4xi8>, %S : memref<2x4xf32>,
                            %C : memref<8x4xf32>)
        {SQUARE} grid [1, 1] loops [k = 3, h = 2] {{
      %a = spatial.buffer : !spatial.buffer<2x1xf32>
      %b8 = spatial.buffer : !spatial.buffer<1x1xi8>
      %b = spatial.buffer : !spatial.buffer<1x1xf32>
      %s = spatial.buffer : !spatial.buffer<1x1xf32>
      %p = spatial.buffer : !spatial.buffer<1x1xf32>
      %c = spatial.buffer : !spatial.buffer<1x1xf32>
      %d = spatial.buffer : !spatial.buffer<1x1xf32>
      spatial.load %A[0, k] into %a on move 0
      spatial.load %B[k, 0] into %b8 on move 0
      spatial.load %S[0, 0] into %s pad 0.0 : f32 on move 0
      spatial.map (%b8) into %b {{
      ^bb0(%0 : i32):
        %1 = arith.sitofp %0 : i32 to f32
        spatial.yield %1 : f32
      }}
      spatial.matmul %a, %b into %c spill %p
      spatial.map (%c, %s broadcast rows) into %d {{
      ^bb0(%0 : f32, %1 : f32):
        %2 = arith.mulf %0, %1 : f32
        spatial.yield %2 : f32
      }}
      spatial.store %d into %C[h, 0] on move 1
    }}"""
    a, s = numbers(8, 12), numbers(2, 4, seed=1)
    b = np.random.default_rng(2).integers(-128, 128, (12, 4)).astype(np.int8)
    expected = (a.astype(np.float64) @ b) * s[0]
    np.testing.assert_allclose(outcome(text, A=a, B=b, S=s)["C"], expected, rtol=1e-5, atol=1e-3)


@pytest.mark.parametrize("transposed", [False, True])
def test_dot(transposed: bool):
    shape = (3, 2) if transposed else (2, 3)
    text = f"""
    spatial.program @dot(%A : memref<16x8xf32>, %B : memref<48x12xf32>, %C : memref<32x24xf32>)
        {SQUARE} grid [1, 1] loops [h = 4, w = 2] {{
      %a = spatial.buffer : !spatial.buffer<1x2xf32>
      %b = spatial.buffer : !spatial.buffer<{shape[0]}x{shape[1]}xf32>
      %c = spatial.buffer : !spatial.buffer<1x3xf32>
      spatial.load %A[h, 0] into %a on move 0
      spatial.load %B[w * 3, 0] into %b on move 0
      spatial.dot %a, %b {"transpose_b" if transposed else ""} into %c
      spatial.store %c into %C[h, w * 3] on move 1
    }}"""
    a, b = numbers(16, 8, seed=1), numbers(48, 12, seed=2)
    expected = np.zeros((32, 24))
    for h, w in product(range(4), range(2)):
        right = b[w * 12 : w * 12 + shape[0] * 4, : shape[1] * 4].astype(np.float64)
        right = right.T if transposed else right
        expected[h * 4 : h * 4 + 4, w * 12 : w * 12 + 12] = a[h * 4 : h * 4 + 4] @ right
    np.testing.assert_allclose(outcome(text, A=a, B=b)["C"], expected, rtol=0, atol=1e-5)


def test_products_of_tiles_that_do_not_fit():
    text = matmul_text("spill %p").replace(SQUARE, TARGET)
    text = text.replace("32x48", "32x96").replace("48x32", "48x64").replace("32x32", "32x64")
    with pytest.raises(ValueError, match="multiplies 8x16 by 8x16 elements: with tiles of 2x4"):
        outcome(text, A=numbers(32, 96), B=numbers(48, 64))


################################################################################
# Elementwise code                                                             #
################################################################################


def code_text(inputs: Sequence[str], output: str, code: str) -> str:
    """A map of single tiles of the given element types; its code takes %0, %1, ..."""
    wide = ["i32" if "i" in t else "f32" for t in inputs]
    arguments = ", ".join(f"%X{chr(97 + n)} : memref<4x4x{t}>" for n, t in enumerate(inputs))
    buffers = "\n".join(
        f"%b{n}in = spatial.buffer : !spatial.buffer<1x1x{t}>" for n, t in enumerate(inputs)
    )
    loads = "\n".join(
        f"spatial.load %X{chr(97 + n)}[0, 0] into %b{n}in on move 0" for n in range(len(inputs))
    )
    names = ", ".join(f"%b{n}in" for n in range(len(inputs)))
    block = ", ".join(f"%{n} : {t}" for n, t in enumerate(wide))
    return f"""
    spatial.program @code({arguments}, %Y : memref<4x4x{output}>)
        {SQUARE} grid [1, 1] loops [k = 1] {{
      {buffers}
      %y = spatial.buffer : !spatial.buffer<1x1x{output}>
      {loads}
      spatial.map ({names}) into %y {{
      ^bb0({block}):
        {code}
      }}
      spatial.store %y into %Y[0, 0] on move 1
    }}"""


def code_result(inputs: Sequence[tuple[str, Array]], output: str, code: str) -> Array:
    arguments = {f"X{chr(97 + n)}": array for n, (_, array) in enumerate(inputs)}
    return outcome(code_text([type for type, _ in inputs], output, code), **arguments)["Y"]


def scalar(function: Callable[..., float], *operands: Array) -> Array:
    """A function of numbers, element by element."""
    flat = [
        function(*map(float, values)) for values in zip(*(o.flat for o in operands), strict=True)
    ]
    return np.array(flat).reshape(operands[0].shape)


UNARY: dict[str, Callable[[float], float]] = {
    "arith.negf": lambda x: -x,
    "math.absf": abs,
    "math.acos": math.acos,
    "math.asin": math.asin,
    "math.asinh": math.asinh,
    "math.atan": math.atan,
    "math.atanh": math.atanh,
    "math.cbrt": lambda x: math.copysign(abs(x) ** (1 / 3), x),
    "math.ceil": math.ceil,
    "math.cos": math.cos,
    "math.cosh": math.cosh,
    "math.erf": math.erf,
    "math.exp": math.exp,
    "math.exp2": lambda x: 2**x,
    "math.expm1": math.expm1,
    "math.floor": math.floor,
    "math.log1p": math.log1p,
    "math.round": lambda x: math.copysign(math.floor(abs(x) + 0.5), x),
    "math.roundeven": round,
    "math.sin": math.sin,
    "math.sinh": math.sinh,
    "math.tan": math.tan,
    "math.tanh": math.tanh,
    "math.trunc": math.trunc,
}

POSITIVE: dict[str, Callable[[float], float]] = {
    "math.log": math.log,
    "math.log2": math.log2,
    "math.log10": math.log10,
    "math.rsqrt": lambda x: 1 / math.sqrt(x),
    "math.sqrt": math.sqrt,
}


@pytest.mark.parametrize("name", [*UNARY, *POSITIVE])
def test_functions_of_one_float(name: str):
    values = np.random.default_rng(3).uniform(-0.99, 0.99, (4, 4)).astype(np.float32)
    if name in ("math.ceil", "math.floor", "math.round", "math.roundeven", "math.trunc"):
        values = (values * 4).round(1)
        values[0] = (0.5, -0.5, 1.5, 2.5)
    if name in POSITIVE:
        values = np.abs(values) * 10
    code = f"%r = {name} %0 : f32\nspatial.yield %r : f32"
    expected = scalar({**UNARY, **POSITIVE}[name], values)
    found = code_result([("f32", values)], "f32", code)
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-7)


def test_erf_everywhere():
    points = np.concatenate([np.linspace(-7, 7, 14), [math.inf, -0.0]]).astype(np.float32)
    tiny = np.array([1e-30, -1e-10, 1e-5, 1e-3] * 4, np.float32)
    for values in (points.reshape(4, 4), tiny.reshape(4, 4)):
        found = code_result(
            [("f32", values)], "f32", "%r = math.erf %0 : f32\nspatial.yield %r : f32"
        )
        np.testing.assert_allclose(found, scalar(math.erf, values), rtol=2e-7)
        assert np.array_equal(np.signbit(found), np.signbit(values))


FLOAT_PAIRS: dict[str, Callable[[float, float], float]] = {
    "arith.addf": lambda a, b: a + b,
    "arith.subf": lambda a, b: a - b,
    "arith.mulf": lambda a, b: a * b,
    "arith.divf": lambda a, b: a / b,
    "arith.maximumf": max,
    "arith.minimumf": min,
    "arith.maxnumf": max,
    "arith.minnumf": min,
    "math.atan2": math.atan2,
    "math.copysign": math.copysign,
    "math.powf": lambda a, b: abs(a) ** b,
}


@pytest.mark.parametrize("name", FLOAT_PAIRS)
def test_functions_of_two_floats(name: str):
    a, b = numbers(4, 4, seed=1), numbers(4, 4, seed=2)
    if name == "math.powf":
        a = np.abs(a)
    found = code_result(
        [("f32", a), ("f32", b)], "f32", f"%r = {name} %0, %1 : f32\nspatial.yield %r : f32"
    )
    np.testing.assert_allclose(found, scalar(FLOAT_PAIRS[name], a, b), rtol=1e-6)


def test_fma_and_powers():
    a, b, c = (numbers(4, 4, seed=n) for n in range(3))
    code = "%r = math.fma %0, %1, %2 : f32\nspatial.yield %r : f32"
    found = code_result([("f32", a), ("f32", b), ("f32", c)], "f32", code)
    np.testing.assert_allclose(found, a.astype(np.float64) * b + c, rtol=1e-6)
    code = """%n = arith.constant -3 : i32
    %r = math.fpowi %0, %n : f32, i32
    spatial.yield %r : f32"""
    found = code_result([("f32", a)], "f32", code)
    np.testing.assert_allclose(found, 1 / a.astype(np.float64) ** 3, rtol=1e-6)


def test_minima_and_maxima_of_nans():
    a = np.array([[1, math.nan, math.nan, -1]] * 4, np.float32)
    b = np.array([[math.nan, 1, math.nan, 2]] * 4, np.float32)
    expected = {
        "arith.maximumf": (math.nan, math.nan, math.nan, 2),
        "arith.maxnumf": (1, 1, math.nan, 2),
        "arith.minimumf": (math.nan, math.nan, math.nan, -1),
        "arith.minnumf": (1, 1, math.nan, -1),
    }
    for name, row in expected.items():
        code = f"%r = {name} %0, %1 : f32\nspatial.yield %r : f32"
        np.testing.assert_array_equal(code_result([("f32", a), ("f32", b)], "f32", code)[0], row)


def wrapped(value: int, bits: int = 32) -> int:
    return (value + 2 ** (bits - 1)) % 2**bits - 2 ** (bits - 1)


def unsigned(value: int) -> int:
    return value % 2**32


def truncated(a: int, b: int) -> int:
    return int(abs(a) // abs(b)) * (1 if (a < 0) == (b < 0) else -1)


INTEGER_PAIRS: dict[str, Callable[[int, int], int]] = {
    "addi": lambda a, b: a + b,
    "subi": lambda a, b: a - b,
    "muli": lambda a, b: a * b,
    "divsi": truncated,
    "remsi": lambda a, b: a - truncated(a, b) * b,
    "floordivsi": lambda a, b: a // b,
    "ceildivsi": lambda a, b: -(-a // b),
    "divui": lambda a, b: unsigned(a) // unsigned(b),
    "remui": lambda a, b: unsigned(a) % unsigned(b),
    "maxsi": max,
    "minsi": min,
    "maxui": lambda a, b: max(a, b, key=unsigned),
    "minui": lambda a, b: min(a, b, key=unsigned),
    "andi": lambda a, b: a & b,
    "ori": lambda a, b: a | b,
    "xori": lambda a, b: a ^ b,
    "shli": lambda a, b: a << (b % 32),
    "shrsi": lambda a, b: a >> (b % 32),
    "shrui": lambda a, b: unsigned(a) >> (b % 32),
}


@pytest.mark.parametrize("name", INTEGER_PAIRS)
def test_functions_of_two_integers(name: str):
    rng = np.random.default_rng(4)
    a = rng.integers(-(2**31), 2**31, (4, 4)).astype(np.int32)
    b = rng.integers(-(2**31), 2**31, (4, 4)).astype(np.int32)
    b[0] = (3, -3, 7, -1000)
    if name.startswith("sh"):
        b %= 32
    code = f"%r = arith.{name} %0, %1 : i32\nspatial.yield %r : i32"
    found = code_result([("i32", a), ("i32", b)], "i32", code)
    expected = [
        wrapped(INTEGER_PAIRS[name](int(p), int(q))) for p, q in zip(a.flat, b.flat, strict=True)
    ]
    np.testing.assert_array_equal(found.reshape(-1), expected)


FLOAT_PREDICATES: dict[str, Callable[[float, float], bool]] = {
    "false": lambda a, b: False,
    "oeq": lambda a, b: a == b,
    "ogt": lambda a, b: a > b,
    "oge": lambda a, b: a >= b,
    "olt": lambda a, b: a < b,
    "ole": lambda a, b: a <= b,
    "one": lambda a, b: a < b or a > b,
    "ord": lambda a, b: a == a and b == b,
    "ueq": lambda a, b: not (a < b or a > b),
    "ugt": lambda a, b: not a <= b,
    "uge": lambda a, b: not a < b,
    "ult": lambda a, b: not a >= b,
    "ule": lambda a, b: not a > b,
    "une": lambda a, b: a != b,
    "uno": lambda a, b: not (a == a and b == b),
    "true": lambda a, b: True,
}


@pytest.mark.parametrize("name", FLOAT_PREDICATES)
def test_comparisons_of_floats(name: str):
    few = (1.0, 2.0, math.nan, -math.inf)
    a, b = (np.array(v, np.float32) for v in ([[x] * 4 for x in few], [few] * 4))
    code = f"""%c = arith.cmpf {name}, %0, %1 : f32
    %r = arith.select %c, %0, %1 : f32
    %t = arith.extui %c : i1 to i32
    %f = arith.sitofp %t : i32 to f32
    spatial.yield %f : f32"""
    found = code_result([("f32", a), ("f32", b)], "f32", code)
    expected = [
        FLOAT_PREDICATES[name](float(p), float(q)) for p, q in zip(a.flat, b.flat, strict=True)
    ]
    np.testing.assert_array_equal(found.reshape(-1), expected)


INTEGER_PREDICATES: dict[str, Callable[[int, int], bool]] = {
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "slt": lambda a, b: a < b,
    "sle": lambda a, b: a <= b,
    "sgt": lambda a, b: a > b,
    "sge": lambda a, b: a >= b,
    "ult": lambda a, b: unsigned(a) < unsigned(b),
    "ule": lambda a, b: unsigned(a) <= unsigned(b),
    "ugt": lambda a, b: unsigned(a) > unsigned(b),
    "uge": lambda a, b: unsigned(a) >= unsigned(b),
}


@pytest.mark.parametrize("name", INTEGER_PREDICATES)
def test_comparisons_and_choices_of_integers(name: str):
    few = (-5, 5, 0, 7)
    a, b = (np.array(v, np.int32) for v in ([[x] * 4 for x in few], [few] * 4))
    code = f"""%c = arith.cmpi {name}, %0, %1 : i32
    %r = arith.select %c, %0, %1 : i32
    spatial.yield %r : i32"""
    found = code_result([("i32", a), ("i32", b)], "i32", code)
    expected = [
        p if INTEGER_PREDICATES[name](p, q) else q
        for p, q in zip(a.reshape(-1).tolist(), b.reshape(-1).tolist(), strict=True)
    ]
    np.testing.assert_array_equal(found.reshape(-1), expected)


def converted(type: str, values: Array, *ops: str) -> Array:
    """The result of operations one after the other, on f32 or i32 at both ends."""
    lines = [f"%r{n} = {op.replace('%', f'%r{n - 1}' if n else '%0')}" for n, op in enumerate(ops)]
    code = "\n".join((*lines, f"spatial.yield %r{len(ops) - 1} : {type}"))
    return code_result([(type, values)], type, code)


def test_conversions_of_floats_inside_code():
    values = np.array([[1.5, -2.7, 3e9, -3e9], [math.nan, math.inf, 0, 300.4]] * 2, np.float32)
    found = converted("f32", values, "arith.fptosi % : f32 to i32", "arith.sitofp % : i32 to f32")
    np.testing.assert_array_equal(found[0], [1, -2, 2.0**31, -(2.0**31)])
    np.testing.assert_array_equal(found[1], [0, 2.0**31, 0, 300])
    found = converted("f32", values, "arith.fptoui % : f32 to i32", "arith.uitofp % : i32 to f32")
    np.testing.assert_array_equal(found[0], [1, 0, np.float32(3e9), 0])
    found = converted("f32", values, "arith.truncf % : f32 to bf16", "arith.extf % : bf16 to f32")
    np.testing.assert_array_equal(found, values.astype(ml_dtypes.bfloat16).astype(np.float32))


def test_conversions_of_integers_inside_code():
    values = np.array([[300, -1, 128, -129]] * 4, np.int32)
    for ops, expected in (
        (("trunci % : i32 to i8", "extsi % : i8 to i32"), [44, -1, -128, 127]),
        (("trunci % : i32 to i8", "extui % : i8 to i32"), [44, 255, 128, 127]),
        (("trunci % : i32 to i1", "extsi % : i1 to i32"), [0, -1, 0, -1]),
        (("trunci % : i32 to i1", "extui % : i1 to i32"), [0, 1, 0, 1]),
        (("trunci % : i32 to i1", "addi %, % : i1", "extui % : i1 to i32"), [0, 0, 0, 0]),
        (("trunci % : i32 to i1", "maxsi %, % : i1", "extui % : i1 to i32"), [0, 1, 0, 1]),
        (("index_cast % : i32 to index", "index_cast % : index to i32"), [300, -1, 128, -129]),
    ):
        found = converted("i32", values, *(f"arith.{op}" for op in ops))
        np.testing.assert_array_equal(found[0], expected)
    bits = ("bitcast % : i32 to f32", "negf % : f32", "bitcast % : f32 to i32")
    found = converted("i32", values, *(f"arith.{op}" for op in bits))
    np.testing.assert_array_equal(found, values ^ np.int32(-(2**31)))


def test_code_that_uses_no_input_and_division_by_zero():
    code = "%r = arith.constant 2.5 : f32\nspatial.yield %r : f32"
    np.testing.assert_array_equal(code_result([("f32", numbers(4, 4))], "f32", code), 2.5)
    zero = np.zeros((4, 4), np.int32)
    for name in ("divsi", "remsi", "divui", "floordivsi"):
        code = f"%r = arith.{name} %0, %1 : i32\nspatial.yield %r : i32"
        one = np.full((4, 4), 7, np.int32)
        np.testing.assert_array_equal(code_result([("i32", one), ("i32", zero)], "i32", code), 0)
    code = "%z = arith.constant 0.0 : f32\n%r = arith.divf %0, %z : f32\nspatial.yield %r : f32"
    values = np.array([[1, -1, 0, math.inf]] * 4, np.float32)
    found = code_result([("f32", values)], "f32", code)
    np.testing.assert_array_equal(found[0], [math.inf, -math.inf, math.nan, math.inf])


def test_code_that_is_not_known():
    code = "%r = math.ctpop %0 : i32\nspatial.yield %r : i32"
    message = "@code: 'spatial.map' op: its code has 'math.ctpop', which is not known here"
    with pytest.raises(ValueError, match=message):
        code_result([("i32", np.zeros((4, 4), np.int32))], "i32", code)


def test_broadcasts_take_the_first_row_column_and_element():
    text = f"""
    spatial.program @cast(%X : memref<8x24xf32>, %R : memref<2x24xf32>, %C : memref<8x4xf32>,
                          %S : memref<2x4xf32>, %Y : memref<8x24xf32>)
        {TARGET} grid [1, 1] loops [h = 2, w = 2] {{
      %x = spatial.buffer : !spatial.buffer<2x3xf32>
      %r = spatial.buffer : !spatial.buffer<1x3xf32>
      %c = spatial.buffer : !spatial.buffer<2x1xf32>
      %s = spatial.buffer : !spatial.buffer<1x1xf32>
      %y = spatial.buffer : !spatial.buffer<2x3xf32>
      spatial.load %X[h * 2, w * 3] into %x on move 0
      spatial.load %R[0, w * 3] into %r on move 0
      spatial.load %C[h * 2, 0] into %c on move 0
      spatial.load %S[0, 0] into %s on move 0
      spatial.map (%x, %r broadcast rows, %c broadcast cols, %s broadcast scalar) into %y {{
      ^bb0(%0 : f32, %1 : f32, %2 : f32, %3 : f32):
        %4 = arith.mulf %0, %1 : f32
        %5 = arith.addf %4, %2 : f32
        %6 = arith.subf %5, %3 : f32
        spatial.yield %6 : f32
      }}
      spatial.store %y into %Y[h * 2, w * 3] on move 1
    }}"""
    x, r, c, s = numbers(8, 24), numbers(2, 24), numbers(8, 4), numbers(2, 4)
    expected = x * r[:1] + c[:, :1] - s[0, 0]
    np.testing.assert_allclose(
        outcome(text, X=x, R=r, C=c, S=s)["Y"], expected, rtol=1e-6, atol=1e-6
    )


################################################################################
# Reductions and carries                                                       #
################################################################################

REDUCED: dict[str, Callable[..., Any]] = {"add": np.sum, "max": np.max, "min": np.min}


@pytest.mark.parametrize("kind", REDUCED)
@pytest.mark.parametrize("axis", ["rows", "cols"])
@pytest.mark.parametrize("type", ["f32", "i32", "bf16"])
def test_reductions_within_a_page(kind: str, axis: str, type: str):
    rows, cols = (1, 3) if axis == "rows" else (2, 1)
    text = f"""
    spatial.program @reduce(%X : memref<8x12x{type}>, %Y : memref<8x12x{type}>)
        {TARGET} grid [1, 1] loops [h = 2] {{
      %x = spatial.buffer : !spatial.buffer<2x3x{type}>
      %y = spatial.buffer : !spatial.buffer<{rows}x{cols}x{type}>
      spatial.load %X[h * 2, 0] into %x on move 0
      spatial.reduce {kind} {axis} %x into %y
      spatial.store %y into %Y[h * {rows}, 0] on move 1
    }}"""
    dtype = {"f32": np.float32, "i32": np.int32, "bf16": ml_dtypes.bfloat16}[type]
    given = numbers(8, 12, dtype=dtype) - np.asarray(3, dtype)
    expected = np.zeros((8, 12))
    for h in range(2):
        page = given[h * 4 : h * 4 + 4].astype(np.float64)
        if axis == "rows":
            expected[h * 2, :] = REDUCED[kind](page, axis=0)
        else:
            expected[h * 4 : h * 4 + 4, 0] = REDUCED[kind](page, axis=1)
    # Where there is no result, there are zeros.
    found = outcome(text, X=given)["Y"].astype(np.float64)
    np.testing.assert_allclose(found, expected, rtol=2**-8 if type == "bf16" else 1e-6)


@pytest.mark.parametrize("kind", REDUCED)
def test_all_reduce_combines_pages(kind: str):
    text = f"""
    spatial.program @reduce(%X : memref<4x24xf32>, %Y : memref<4x8xf32>)
        {TARGET} grid [1, 2] loops [h = 2] {{
      %a = spatial.buffer : !spatial.buffer<1x1xf32>
      %b = spatial.buffer : !spatial.buffer<1x1xf32>
      %c = spatial.buffer : !spatial.buffer<1x1xf32>
      %y = spatial.buffer : !spatial.buffer<1x1xf32>
      %g = spatial.group from [0, 0] to [0, 1] along x
      spatial.load %X[h, x * 3] into %a on move 0
      spatial.load %X[h, x * 3 + 1] into %b on move 0
      spatial.load %X[h, 2] into %c multicast %g at [0, 0] on move 0
      spatial.recv %g into %c at [0, 1] on move 0
      spatial.all_reduce {kind} %a, %b, %c into %y across %g
      spatial.store %y into %Y[h, x] on move 1
    }}"""
    given = numbers(4, 24)
    expected = np.zeros((4, 8))
    for h, x in product(range(2), range(2)):
        pages = [tile_of(given, h, col) for col in (x * 3, x * 3 + 1, 2)]
        tile_of(expected, h, x)[...] = REDUCED[kind](pages, axis=0)
    np.testing.assert_allclose(outcome(text, X=given)["Y"], expected, rtol=1e-6, atol=1e-6)


def test_a_reduction_does_not_convert():
    text = f"""
    spatial.program @reduce(%X : memref<2x4xf32>, %Y : memref<2x4xi32>)
        {TARGET} grid [1, 1] loops [k = 1] {{
      %x = spatial.buffer : !spatial.buffer<1x1xf32>
      %y = spatial.buffer : !spatial.buffer<1x1xi32>
      spatial.load %X[0, 0] into %x on move 0
      spatial.reduce add rows %x into %y
      spatial.store %y into %Y[0, 0] on move 1
    }}"""
    with pytest.raises(ValueError, match="reduces floats to integers"):
        outcome(text, X=numbers(2, 4))


FOLD = f"""
    spatial.program @fold(%X : memref<4x96xf32>, %Y : memref<4x8xf32>, %Z : memref<4x8xf32>)
        {TARGET} grid [2, 1] loops [k = 6, w = 2] {{
      %x = spatial.buffer : !spatial.buffer<1x1xf32>
      %sum = spatial.buffer : !spatial.buffer<1x1xf32>
      %last = spatial.buffer : !spatial.buffer<1x1xf32>
      %first = spatial.buffer : !spatial.buffer<1x1xf32>
      %start = spatial.buffer : !spatial.buffer<1x1xf32>
      %y = spatial.buffer : !spatial.buffer<1x1xf32>
      %z = spatial.buffer : !spatial.buffer<1x1xf32>
      spatial.load %X[y, w] into %first on move 0
      spatial.load %X[y, w] into %start on move 0
      spatial.load %X[y, k * 2 + w] into %x on move 1
      spatial.map @init_sum (%first) into %sum {{
      ^bb0(%0 : f32):
        spatial.yield %0 : f32
      }}
      spatial.map @init_last (%start) into %last {{
      ^bb0(%0 : f32):
        %1 = arith.negf %0 : f32
        spatial.yield %1 : f32
      }}
      // Reads the sum of the blocks before, as its own update comes after.
      spatial.map @keep (%sum, %last) update %last {{
      ^bb0(%0 : f32, %1 : f32):
        %2 = arith.subf %0, %1 : f32
        spatial.yield %2 : f32
      }}
      spatial.map @add (%sum, %x) update %sum {{
      ^bb0(%0 : f32, %1 : f32):
        %2 = arith.addf %0, %1 : f32
        spatial.yield %2 : f32
      }}
      spatial.map @copy_sum (%sum) into %y {{
      ^bb0(%0 : f32):
        spatial.yield %0 : f32
      }}
      spatial.map @copy_last (%last) into %z {{
      ^bb0(%0 : f32):
        spatial.yield %0 : f32
      }}
      spatial.store %y into %Y[y, w] on move 0
      spatial.store %z into %Z[y, w] on move 0
    }}"""


def test_carries_are_read_before_they_are_replaced():
    given = numbers(4, 96)
    blocks = given.reshape(4, -1, 8)[:, :6]
    total, last = blocks[:, 0].copy(), -blocks[:, 0]
    for k in range(6):
        total, last = total + blocks[:, k], total - last
    found = outcome(FOLD, X=given)
    np.testing.assert_allclose(found["Y"], total, rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(found["Z"], last, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("op", ["dot", "reduce", "all_reduce"])
def test_any_stage_that_computes_can_update(op: str):
    update = {
        "dot": "spatial.dot %s, %x update %s",
        "reduce": "spatial.reduce add cols %x update %s",
        "all_reduce": "spatial.all_reduce add %s, %x update %s across %g",
    }[op]
    text = f"""
    spatial.program @fold(%X : memref<4x12xf32>, %Y : memref<4x8xf32>)
        {SQUARE} grid [1, 2] loops [k = 3] {{
      %x = spatial.buffer : !spatial.buffer<1x1xf32>
      %s = spatial.buffer : !spatial.buffer<1x1xf32>
      %y = spatial.buffer : !spatial.buffer<1x1xf32>
      %g = spatial.group from [0, 0] to [0, 1] along x
      spatial.load %X[0, k] into %x multicast %g at [0, 0] on move 0
      spatial.recv %g into %x at [0, 1] on move 0
      spatial.map () into %s {{
        %0 = arith.constant 1.0 : f32
        spatial.yield %0 : f32
      }}
      {update}
      spatial.map (%s) into %y {{
      ^bb0(%0 : f32):
        spatial.yield %0 : f32
      }}
      spatial.store %y into %Y[0, x] on move 1
    }}"""
    given = numbers(4, 12)
    expected = np.ones((4, 4))
    for k in range(3):
        page = given[:, k * 4 : k * 4 + 4].astype(np.float64)
        if op == "dot":
            expected = expected @ page
        elif op == "all_reduce":
            expected = expected + page
        else:
            expected = np.zeros((4, 4))
            expected[:, 0] = page.sum(axis=1)
    found = outcome(text, X=given)["Y"]
    np.testing.assert_allclose(found, np.tile(expected, 2), rtol=1e-5, atol=1e-5)


################################################################################
# Element types                                                                #
################################################################################

FLOATS: dict[str, Any] = {
    "f16": np.float16,
    "bf16": ml_dtypes.bfloat16,
    "f8E4M3FN": ml_dtypes.float8_e4m3fn,
    "f8E5M2": ml_dtypes.float8_e5m2,
}


def types_target(*names: str) -> str:
    types = ", ".join(f'"{name}"' for name in names)
    return f'target #spatial.target<"reference" {{tile = [4, 4], element_types = [{types}]}}>'


@pytest.mark.parametrize("name", FLOATS)
def test_floats_are_rounded_when_a_page_is_made(name: str):
    given = np.array(
        [[1.0 + 2**-8, 1.0 + 3 * 2**-8, 1e-3, -7.3], [1e9, -1e9, math.nan, -0.0]] * 2, np.float32
    )
    found = code_result([("f32", given)], name, "spatial.yield %0 : f32")
    assert found.dtype == FLOATS[name]
    with np.errstate(over="ignore"):
        expected = given.astype(FLOATS[name])
    np.testing.assert_array_equal(found.astype(np.float32), expected.astype(np.float32))
    # And taken without loss.
    again = code_result([(name, found)], "f32", "spatial.yield %0 : f32")
    np.testing.assert_array_equal(again, found.astype(np.float32))


@pytest.mark.parametrize(
    ("name", "dtype", "row", "wide", "narrow"),
    [
        ("i8", np.int8, [-128, 127, 0, -1], [-128, 127, 0, -1], [-127, -128, 1, 0]),
        ("ui8", np.uint8, [255, 0, 1, 128], [255, 0, 1, 128], [0, 1, 2, 129]),
        ("i16", np.int16, [-32768, 32767, 5, 0], [-32768, 32767, 5, 0], [-32767, -32768, 6, 1]),
        ("ui32", np.uint32, [2**32 - 1, 0, 1, 2**31], [-1, 0, 1, -(2**31)], [0, 1, 2, 2**31 + 1]),
    ],
)
def test_integers_are_extended_and_keep_their_lowest_bits(
    name: str, dtype: Any, row: list[int], wide: list[int], narrow: list[int]
):
    given = np.array([row] * 4, dtype)
    found = code_result([(name, given)], "i32", "spatial.yield %0 : i32")
    np.testing.assert_array_equal(found[0], wide)
    code = "%1 = arith.constant 1 : i32\n%2 = arith.addi %0, %1 : i32\nspatial.yield %2 : i32"
    found = code_result([(name, given)], name, code)
    assert found.dtype == dtype
    np.testing.assert_array_equal(found[0], narrow)


def test_bits_are_numbers():
    given = np.array([[True, False, True, True]] * 4)
    text = code_text(["i1"], "i1", "%1 = arith.addi %0, %0 : i32\nspatial.yield %1 : i32")
    text = text.replace(SQUARE, types_target("i1"))
    np.testing.assert_array_equal(outcome(text, Xa=given)["Y"], False)
    text = text.replace("%1 = arith.addi %0, %0 : i32\nspatial.yield %1", "spatial.yield %0")
    np.testing.assert_array_equal(outcome(text, Xa=given)["Y"], given)


def test_types_without_arrays():
    text = code_text(["f32"], "f80", "spatial.yield %0 : f32")
    text = text.replace(SQUARE, types_target("f32", "f80"))
    with pytest.raises(ValueError, match="there is no numpy type for elements of f80"):
        outcome(text, Xa=numbers(4, 4))


def block_quantised(values: Sequence[float], bits: int) -> list[float]:
    """One block, number by number: exact arithmetic on mantissas and the shared exponent."""
    shared = max((math.frexp(v)[1] for v in values if v), default=0)
    result: list[float] = []
    for value in values:
        # 24 bits below the shared exponent, the rest is cut off.
        cut = math.trunc(abs(value) * 2.0 ** (24 - shared))
        mantissa = round(cut / 2 ** (24 - bits))
        mantissa = min(mantissa, 2**bits - 1)
        result.append(math.copysign(mantissa * 2.0 ** (shared - bits), value) if mantissa else 0.0)
    return result


@pytest.mark.parametrize("bits", [7, 3])
def test_block_floats_number_by_number(bits: int):
    rng = np.random.default_rng(5)
    given = (rng.normal(size=(50, 48)) * 2.0 ** rng.integers(-12, 12, (50, 48))).astype(np.float32)
    given[0], given[1, :20], given[2, 3] = 0, 2.0 ** np.arange(-10, 10), -0.0
    # Ties, and numbers that would round up to the next power of two.
    given[3, :16] = 1 + np.arange(16) * 2.0**-bits
    given[4, :16] = 2 - np.arange(16) * 2.0**-12
    expected = [
        [
            v
            for start in (0, 16, 32)
            for v in block_quantised(row[start : start + 16].tolist(), bits)
        ]
        for row in given
    ]
    found = quantised(given, bits)
    assert found.dtype == np.float32
    np.testing.assert_array_equal(found, expected)
    assert not np.signbit(found[found == 0]).any()
    np.testing.assert_array_equal(quantised(found, bits), found)


def test_block_floats_of_known_values():
    # Mantissas of 7 bits: units of 2^-6 where the largest number is in [1, 2).
    block = np.zeros(16, np.float32)
    block[:7] = (1.0, 1 / 64, 1 / 128, 3 / 128, -0.1, 1.9999, 1e-9)
    expected = np.zeros(16, np.float32)
    expected[:7] = (1.0, 1 / 64, 0, 2 / 64, -6 / 64, 127 / 64, 0)
    np.testing.assert_array_equal(quantised(block, 7), expected)
    block[6:8] = (math.nan, 1e38)
    found = quantised(block, 7)
    assert np.isnan(found[6])
    assert not found[:6].any()
    # A row that ends within a block is filled up with zeros.
    np.testing.assert_array_equal(quantised(block[:3], 7), expected[:3])


@pytest.mark.parametrize(("name", "bits"), [("bfp8", 7), ("bfp4", 3)])
def test_tensors_of_block_floats_are_quantised(name: str, bits: int):
    text = f"""
    spatial.program @blocks(%X : tensor<16x32x!spatial.{name}>, %F : memref<16x32xf32>,
                            %Y : tensor<16x32x!spatial.{name}>, %Z : tensor<16x32x!spatial.{name}>,
                            %T : tensor<16x16x!spatial.{name}>)
        {BLOCKS} grid [1, 1] loops [w = 2] {{
      %x = spatial.buffer : !spatial.buffer<1x1x!spatial.{name}>
      %f = spatial.buffer : !spatial.buffer<1x1xf32>
      %y = spatial.buffer : !spatial.buffer<1x1x!spatial.{name}>
      %t = spatial.buffer : !spatial.buffer<1x1x!spatial.{name}>
      spatial.load %X[0, w] into %x on move 0
      spatial.load %F[0, w] into %f on move 0
      spatial.load %X[0, 0] into %t transpose on move 0
      spatial.store %t into %T[0, 0] on move 1
      spatial.store %x into %Z[0, w] on move 1
      spatial.map (%f) into %y {{
      ^bb0(%1 : f32):
        spatial.yield %1 : f32
      }}
      spatial.store %y into %Y[0, w] on move 1
    }}"""
    x, f = numbers(16, 32, seed=1), numbers(16, 32, seed=2)
    found = outcome(text, X=x, F=f)

    def by_blocks(array: Array) -> Array:
        return np.array([block_quantised(block.tolist(), bits) for block in array.reshape(-1, 16)])

    np.testing.assert_array_equal(found["X"].reshape(-1, 16), by_blocks(x))
    np.testing.assert_array_equal(found["Z"], found["X"])
    np.testing.assert_array_equal(found["Y"].reshape(-1, 16), by_blocks(f))
    # Transposed elements share other exponents.
    np.testing.assert_array_equal(found["T"], by_blocks(found["X"][:, :16].T))
    assert x.dtype == found["Y"].dtype == np.float32


################################################################################
# Arguments                                                                    #
################################################################################

COPY = f"""
    spatial.program @copy(%X : memref<2x4xbf16>, %Y : memref<2x4xbf16>, %n : index)
        {TARGET} grid [1, 1] loops [k = ? max 2] {{
      %b = spatial.buffer : !spatial.buffer<1x1xbf16>
      %c = spatial.buffer : !spatial.buffer<1x1xbf16>
      %d = spatial.buffer : !spatial.buffer<1x1xbf16>
      spatial.trip k = %n
      spatial.load %X[0, 0] into %b on move 0
      spatial.map (%b) into %c {{
      ^bb0(%0 : f32):
        spatial.yield %0 : f32
      }}
      spatial.map (%c) into %d {{
      ^bb0(%0 : f32):
        spatial.yield %0 : f32
      }}
      spatial.store %d into %Y[0, 0] on move 1
    }}"""

PAGE = numbers(2, 4, dtype=ml_dtypes.bfloat16)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"n": 1}, r"@copy: argument 'X' is missing: the program reads memref<2x4xbf16>"),
        ({"X": PAGE}, r"@copy: argument 'n' is missing: it is a number"),
        ({"X": PAGE, "n": 1.5}, r"argument 'n' is an index, but what is given is 1.5"),
        ({"X": PAGE, "n": True}, r"argument 'n' is an index, but what is given is True"),
        ({"X": PAGE, "n": PAGE}, r"'n' is an index, but what is given is an array of 2x4xbfloat16"),
        (
            {"X": 3, "n": 1},
            r"'X' is memref<2x4xbf16>, an array of 2x4xbfloat16, but what is given is 3",
        ),
        (
            {"X": PAGE.T, "n": 1},
            r"an array of 2x4xbfloat16, but what is given is an array of 4x2xbfloat16",
        ),
        (
            {"X": numbers(2, 4), "n": 1},
            r"an array of 2x4xbfloat16, but what is given is an array of 2x4xfloat32",
        ),
        (
            {"X": PAGE, "Y": numbers(2, 4), "n": 1},
            r"@copy: argument 'Y' is memref<2x4xbf16>, .* is given is an array of 2x4xfloat32",
        ),
        ({"X": PAGE, "Z": PAGE, "n": 1}, r"@copy has no argument 'Z': its arguments are X, Y, n"),
        ({"X": PAGE, "n": 3}, r"the run-time trip of k at site \[0, 0\] is 3, given by %n"),
    ],
)
def test_arguments_that_do_not_fit(arguments: dict[str, Any], message: str):
    with pytest.raises(ValueError, match=message):
        outcome(COPY, **arguments)


def test_given_arrays_stay_as_they_are():
    x, y = PAGE.copy(), np.ones((2, 4), ml_dtypes.bfloat16)
    found = outcome(COPY, X=x, Y=y, n=0)
    np.testing.assert_array_equal(found["Y"], PAGE)
    np.testing.assert_array_equal(y, np.ones((2, 4)))
    np.testing.assert_array_equal(x, PAGE)
    assert list(found) == ["X", "Y"]


def test_a_load_sees_its_tensor_as_it_was():
    text = f"""
    spatial.program @shift(%X : memref<2x12xf32>) {TARGET} grid [1, 1] loops [i = 2] {{
      %b = spatial.buffer : !spatial.buffer<1x1xf32>
      spatial.load %X[0, i] into %b on move 0
      spatial.store %b into %X[0, i + 1] on move 1
    }}"""
    given = numbers(2, 12)
    found = outcome(text, X=given)["X"]
    np.testing.assert_array_equal(found, np.concatenate([given[:, :4], given[:, :8]], axis=1))


def test_names_of_arguments():
    text = COPY.replace("%X", "%A_1").replace("%Y", "%A_2").replace("%n", "%7")
    assert list(argument_names(program(text)).values()) == ["A", "A_1", "arg2"]


def test_programs_without_a_meaning():
    text = """
    spatial.program @copy(%X : memref<32x32xf32>, %Y : memref<32x32xf32>) GRID {
      %b = spatial.buffer : !spatial.buffer<1x1xf32>
      spatial.load %X[0, 0] into %b
      spatial.store %b into %Y[0, 0]
    }"""
    given = numbers(32, 32)
    with pytest.raises(ValueError, match="@copy has no target, without which it has no meaning"):
        outcome(text.replace("GRID", ""), X=given)
    with pytest.raises(ValueError, match="@copy has no grid, without which it has no meaning"):
        outcome(text.replace("GRID", 'target #spatial.target<"reference">'), X=given)
    # Engines and depths do not matter.
    whole = text.replace("GRID", 'target #spatial.target<"reference"> grid [1, 1]')
    np.testing.assert_array_equal(outcome(whole, X=given)["Y"], given)


def test_a_page_of_a_block_is_read_in_that_block_only():
    text = f"""
    spatial.program @late(%X : memref<2x12xf32>, %Y : memref<2x4xf32>)
        {TARGET} grid [1, 1] loops [k = 3] {{
      %x = spatial.buffer : !spatial.buffer<1x1xf32>
      %s = spatial.buffer : !spatial.buffer<1x1xf32>
      %e = spatial.buffer : !spatial.buffer<1x1xf32>
      %y = spatial.buffer : !spatial.buffer<1x1xf32>
      spatial.load %X[0, k] into %x on move 0
      spatial.map () into %s {{
        %0 = arith.constant 1.0 : f32
        spatial.yield %0 : f32
      }}
      spatial.map (%s) into %e {{
      ^bb0(%0 : f32):
        spatial.yield %0 : f32
      }}
      spatial.map (%e, %x) update %s {{
      ^bb0(%0 : f32, %1 : f32):
        %2 = arith.addf %0, %1 : f32
        spatial.yield %2 : f32
      }}
      spatial.map (%e) into %y {{
      ^bb0(%0 : f32):
        spatial.yield %0 : f32
      }}
      spatial.store %y into %Y[0, 0] on move 1
    }}"""
    with pytest.raises(ValueError, match=r"reads %e at site \[0, 0\], but there is no page"):
        outcome(text, X=numbers(2, 12))
