"""Checks of whole programs: against brute force on small grids, and at scale."""

from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.context import Context
from xdsl.dialects.arith import Arith
from xdsl.dialects.builtin import Builtin
from xdsl.parser import Parser

from spatial_dialect.dialects.spatial import Spatial
from spatial_dialect.ir.diagnostics import Finding, FindingsVerifyException, warnings_to


def findings(text: str) -> tuple[list[str], list[str]]:
    """The messages of the errors and of the warnings about a program."""
    context = Context()
    for dialect in (Builtin, Arith, Spatial):
        context.load_dialect(dialect)
    module = Parser(context, text).parse_module()
    warnings: list[Finding] = []
    errors: tuple[Finding, ...] = ()
    with warnings_to(warnings.append):
        try:
            module.verify()
        except FindingsVerifyException as error:
            errors = error.findings
    return [finding.message for finding in errors], [finding.message for finding in warnings]


def affine(coefficients: tuple[int, ...], names: tuple[str, ...], constant: int) -> str:
    terms = (f"{name} * {c}" for name, c in zip(names, coefficients, strict=True))
    return " + ".join((*terms, str(constant)))


NAMES = ("i", "y", "x", "h", "w")
steps = st.tuples(*(st.integers(0, 7) for _ in NAMES))
extents = st.tuples(*(st.integers(1, 3) for _ in NAMES))
pages = st.tuples(st.integers(1, 3), st.integers(1, 3))
SIZE = 64


def copy_text(extent: tuple[int, ...], page: tuple[int, int], stores: str) -> str:
    i, y, x, h, w = extent
    rows, cols = page
    return f"""
    spatial.program @copy(%X : memref<{SIZE}x{SIZE}x1024x1024xbf16>, %Y : memref<2048x2048xbf16>)
        target #spatial.target<"reference"> grid [{y}, {x}] loops [i = {i}, h = {h}, w = {w}] {{
      %b = spatial.buffer : !spatial.buffer<{rows}x{cols}xbf16>
      spatial.load %X[h, w, 0, 0] into %b on move 0
      {stores}
    }}"""


def store(rows: str, cols: str, at: str = "") -> str:
    return f"spatial.store %b into %Y[{rows}, {cols}] {at} on move 1\n"


Tile = tuple[int, int]


def tiles(
    row: tuple[int, ...], col: tuple[int, ...], point: tuple[int, ...], page: tuple[int, int]
) -> set[Tile]:
    r = sum(c * v for c, v in zip(row, point, strict=True))
    c = sum(c * v for c, v in zip(col, point, strict=True))
    return {(r + a, c + b) for a in range(page[0]) for b in range(page[1])}


@settings(deadline=None, max_examples=60)
@given(extents, pages, steps, steps)
def test_one_store_against_brute_force(
    extent: tuple[int, ...], page: tuple[int, int], row: tuple[int, ...], col: tuple[int, ...]
):
    seen: set[Tile] = set()
    twice = False
    for point in product(*map(range, extent)):
        page_tiles = tiles(row, col, point, page)
        twice = twice or not seen.isdisjoint(page_tiles)
        seen |= page_tiles
    outside = any(r >= SIZE or c >= SIZE for r, c in seen)
    errors, warnings = findings(
        copy_text(extent, page, store(affine(row, NAMES, 0), affine(col, NAMES, 0)))
    )
    assert not warnings
    assert any("writes outside %Y" in error for error in errors) == outside
    overlap = any("writes the same tiles" in e or "twice" in e for e in errors)
    assert overlap == twice
    assert len(errors) == sum(
        (
            any(r >= SIZE for r, _ in seen),
            any(c >= SIZE for _, c in seen),
            twice,
        )
    )


@settings(deadline=None, max_examples=60)
@given(
    extents, pages, steps, steps, st.integers(0, 6), st.integers(0, 6), st.booleans(), st.booleans()
)
def test_two_stores_against_brute_force(
    extent: tuple[int, ...],
    page: tuple[int, int],
    row: tuple[int, ...],
    col: tuple[int, ...],
    down: int,
    right: int,
    apart: bool,
    other: bool,
):
    """Two stores at shifted places, on the same sites or each on its own, both alone or not."""
    i, y, x, h, w = extent
    extent = (i, y + 1, x, h, w)
    ys = (range(1), range(1, y + 1)) if apart else (range(y + 1), range(y + 1))
    ats = (f"at [0, 0:{x}]", f"at [1:{y + 1}, 0:{x}]") if apart else ("", "")
    second = tuple(reversed(row)) if other else row
    written: list[set[Tile]] = []
    for rows, coefficients, shift in zip(ys, (row, second), ((0, 0), (down, right)), strict=True):
        found: set[Tile] = set()
        for point in product(range(i), rows, range(x), range(h), range(w)):
            found |= {
                (r + shift[0], c + shift[1]) for r, c in tiles(coefficients, col, point, page)
            }
        written.append(found)
    errors, warnings = findings(
        copy_text(
            extent,
            page,
            store(affine(row, NAMES, 0), affine(col, NAMES, 0), ats[0])
            + store(affine(second, NAMES, down), affine(col, NAMES, right), ats[1]),
        )
    )
    assert not warnings
    assert any("writes too" in e for e in errors) == bool(written[0] & written[1])


@settings(deadline=None, max_examples=60)
@given(
    st.integers(1, 12),
    st.integers(1, 12),
    st.integers(-3, 3),
    st.integers(1, 5),
    st.integers(1, 5),
    st.integers(-4, 4),
    st.integers(1, 12),
    st.sampled_from(("floordiv", "ceildiv", "mod")),
)
def test_inside_against_brute_force(
    y: int, x: int, a: int, b: int, c: int, d: int, rows: int, word: str
):
    def value(v: int, u: int) -> int:
        n = v * b + u
        quotient = {"floordiv": n // c, "ceildiv": -(-n // c), "mod": n % c}[word]
        return v * a + quotient + d

    values = [value(v, u) for v in range(y) for u in range(x)]
    outside = min(values) < 0 or max(values) >= rows
    text = f"""
    spatial.program @p(%X : memref<{rows * 32}x32xbf16>, %Y : memref<{y * 32}x{x * 32}xbf16>)
        target #spatial.target<"reference"> grid [{y}, {x}] {{
      %b = spatial.buffer : !spatial.buffer<1x1xbf16>
      spatial.load %X[y * {a} + (y * {b} + x) {word} {c} + {d}, 0] into %b on move 0
      spatial.store %b into %Y[y, x] on move 1
    }}"""
    errors, warnings = findings(text)
    assert not warnings
    assert bool(errors) == outside, errors


################################################################################
# Scale: results only                                                          #
################################################################################


def test_huge_grid_and_loops():
    """The cost is that of the text: a grid of 10^12 sites, loops that run 10^9 times."""
    n, loop = 10**6, 10**9
    text = f"""
    spatial.program @copy(%X : memref<{n * loop * 32}x{n * 64}xbf16>,
                          %Y : memref<{n * loop * 32}x{n * 64}xbf16>)
        target #spatial.target<"wormhole"> grid [{n}, {n}] loops [h = {loop}, w = 2] {{
      %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
      %rows = spatial.group from [0:{n}, 0] to [0:{n}, 1:{n}] along x
      spatial.load %X[y * {loop} + h, w] into %x multicast %rows at [0:{n}, 0] on move 0
      spatial.recv %rows into %x at [0:{n}, 1:{n}] on move 0
      spatial.store %x into %Y[y * {loop} + h, x * 2 + w] on move 1
    }}"""
    assert findings(text) == ([], [])
    errors, _ = findings(text.replace("x * 2 + w]", "x + w]"))
    assert errors == ["writes tile [0, 1] of %Y twice, at x = 0, w = 1 and at x = 1, w = 0"]
    errors, _ = findings(text.replace(f"{n * loop * 32}x{n * 64}xbf16>)", "64x64xbf16>)"))
    assert errors == [
        f"writes outside %Y: `y * {loop} + h` is {loop - 1} at y = 0, h = {loop - 1}, but "
        "dimension 0 has 2 whole tiles",
        f"writes outside %Y: `x * 2 + w` is {2 * n - 2} at x = {n - 1}, w = 0, but dimension 1 has "
        "2 whole tiles",
    ]


def chain_text(length: int, *, last: str = "") -> str:
    """A chain of maps from a load to a store."""
    lines = [
        """
    spatial.program @chain(%X : memref<64x64xbf16>, %Y : memref<64x64xbf16>)
        target #spatial.target<"wormhole"> grid [2, 2] {
      %b0 = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
      spatial.load %X[y, x] into %b0 on move 0"""
    ]
    for n in range(length):
        lines.append(
            f"""
      %b{n + 1} = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
      spatial.map (%b{n}) into %b{n + 1} {{
      ^bb0(%0 : f32):
        spatial.yield %0 : f32
      }}"""
        )
    lines.append(f"spatial.store %b{length} into %Y[y, x] on move 1 {last} }}")
    return "\n".join(lines)


def test_thousands_of_stages():
    assert findings(chain_text(1_200)) == ([], [])
    errors, _ = findings(chain_text(1_200, last="%z = spatial.buffer : !spatial.buffer<1x1xbf16>"))
    assert errors == ["%z is never used"]


def wide_text(rows: int) -> str:
    """In every row another load and another store, all of one buffer."""
    lines = [
        f"""
    spatial.program @wide(%X : memref<{rows * 32}x64xbf16>, %Y : memref<{rows * 32}x64xbf16>)
        target #spatial.target<"wormhole"> grid [{rows}, 2] {{
      %b = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>"""
    ]
    for y in range(rows):
        lines.append(f"spatial.load %X[{y}, x] into %b at [{y}, 0:2] on move 0")
        lines.append(f"spatial.store %b into %Y[{y}, x] at [{y}, 0:2] on move 1")
    return "\n".join([*lines, "}"])


def test_thousands_of_stages_on_one_buffer():
    text = wide_text(1_000)
    assert findings(text) == ([], [])
    moved = text.replace("%Y[700, x]", "%Y[701, x]")
    assert findings(moved)[0] == [
        "writes tile [701, 0] of %Y, which 'spatial.store' op of %b writes too"
    ]
    again = text.replace("into %b at [700, 0:2]", "into %b at [699:701, 0:2]")
    assert findings(again)[0] == [
        "fills %b at [699, 0], where 'spatial.load' op into %b fills it too"
    ]
