"""What size-buffers tells: why rings do not fit, and why their depths are what they are."""

from __future__ import annotations

from spatial_dialect.analysis.costs import estimate
from spatial_dialect.ir.diagnostics import Findings, value_name

from .layout import Layout, laid_out
from .rings import Depths, Ring, Rings
from .trials import Trials, with_depths

MOST_LINES = 16
"""How many rings have a line of their own in a table."""


def check_room(rings: Rings, depths: Depths, findings: Findings) -> bool:
    """Whether the rings fit local memory; a table of them if not.

    Args:
        rings: of a program.
        depths: what they cannot do without.
        findings: where to tell.
    """
    layout = laid_out(rings, depths)
    if layout.left >= 0:
        return True
    target, program = rings.target, rings.program
    single = all(depth == 1 for depth in depths.values())
    what = "one page of each ring takes" if single else "the rings take"
    notes = _table(rings, depths)
    hint = "make smaller pages: tile-spatial takes sizes as options"
    if any(ring.given is not None for ring in rings.all):
        least = laid_out(rings, {ring: ring.least for ring in rings.all})
        notes.append(f"with the least depths: {least.total} bytes")
        if least.left >= 0:
            hint = "leave out depths that are given, or give fewer pages"
    findings.error(
        program,
        f"{what} {layout.total} bytes of the local memory of a site of @{program.sym_name.data}, "
        f"but target '{target.name}' has {target.usable_bytes} for buffers",
        notes=notes,
        hint=hint,
    )
    return False


def _table(rings: Rings, depths: Depths) -> list[str]:
    """A line for each ring, the largest first."""
    rows = sorted(rings.all, key=lambda ring: -depths[ring] * ring.page_bytes)
    lines = [
        f"{depths[r] * r.page_bytes} bytes for {_names(r)}: {depths[r]} x {r.page_bytes}, least "
        f"depth {r.least}"
        for r in rows
    ]
    if len(lines) > MOST_LINES:
        rest = sum(depths[r] * r.page_bytes for r in rows[MOST_LINES - 1 :])
        lines[MOST_LINES - 1 :] = [f"{rest} bytes for {len(rows) - MOST_LINES + 1} further rings"]
    return lines


def _names(ring: Ring) -> str:
    """`%p with %c` for rings that share memory."""
    return " with ".join(value_name(buffer.buffer) for buffer in ring.members)


def explain(
    rings: Rings, least: Depths, depths: Depths, layout: Layout, trials: Trials, findings: Findings
) -> None:
    """Say what every ring takes, and what second pages are predicted to bring."""
    program = rings.program
    notes = [
        f"{_names(ring)}: {depths[ring]} x {ring.page_bytes} bytes at {layout.addresses[ring]}, "
        + _reason(rings, ring, least, depths)
        for ring in rings.all
    ]
    notes.append(
        f"{_cycles(rings, depths)} cycles predicted, {_cycles(rings, least)} with the least depths"
    )
    notes.append(f"{trials.proofs} proof{'' if trials.proofs == 1 else 's'}")
    findings.remark(
        program,
        f"the rings of @{program.sym_name.data} take {layout.total} of "
        f"{rings.target.usable_bytes} bytes",
        notes=notes,
    )


def _cycles(rings: Rings, depths: Depths) -> int:
    """What the program is predicted to take."""
    # For the estimate, engines take turns wherever a ring has a single page; but not where a
    # single page goes by.
    seen = {ring: depth if rings.hidden[ring] else max(2, depth) for ring, depth in depths.items()}
    return round(estimate(with_depths(rings, seen)).total_cycles)


def _reason(rings: Rings, ring: Ring, least: Depths, depths: Depths) -> str:
    if ring.given is not None:
        return "as given"
    hidden = round(rings.hidden[ring])
    if depths[ring] > least[ring]:
        return f"a second page hides up to {hidden} cycles per item"
    if depths[ring] == 1 and hidden:
        return f"the least: a second page would hide up to {hidden} cycles per item"
    return "the least"
