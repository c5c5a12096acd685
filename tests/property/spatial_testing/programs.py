"""Random dataflow programs, valid and sized, as the text of modules."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

from .frames import Frame, SiteSet, frames, site_sets
from .parts import Part, chains, copies, folds, matmuls


def text_of(name: str, frame: Frame, parts: Sequence[Part]) -> str:
    """A program made of some parts."""
    arguments = [argument for part in parts for argument in part.arguments]
    lines: list[str] = []
    if frame.trip is not None:
        trip = frame.trip
        arguments.append("%n : index" if trip == "%n" else "%lens : memref<4x4xi32>")
        lines.append(f"spatial.trip k = {trip}")
    for part in parts:
        for buffer, tail in part.buffers.items():
            lines.append(f"{buffer} = spatial.buffer depth {part.depths[buffer]}{tail}")
    lines += (group for part in parts for group in part.groups)
    lines += (stage for part in parts for stage in part.stages)
    loops = f" loops [{frame.loops_text}]" if frame.loops_text else " loops [k = 1]"
    header = (
        f"spatial.program @{name}({', '.join(arguments)})\n    target {frame.target_text} "
        f"grid [{frame.rows}, {frame.cols}]{loops} {{\n"
    )
    return header + "".join(f"  {line}\n" for line in lines) + "}\n"


@st.composite
def chain_programs(draw: st.DrawFn, name: str = "chain") -> str:
    """Chains without a matmul or a carry."""
    frame = draw(frames())
    return text_of(name, frame, [draw(chains(frame, "a", draw(site_sets(frame))))])


@st.composite
def copy_programs(draw: st.DrawFn, name: str = "copy") -> str:
    """Loads and stores alone."""
    frame = draw(frames())
    return text_of(name, frame, [draw(copies(frame, "a", draw(site_sets(frame))))])


@st.composite
def matmul_programs(draw: st.DrawFn, name: str = "matmul") -> str:
    """Matmuls in all forms with what can be fused to them."""
    frame = draw(frames(matmul=True))
    return text_of(name, frame, [draw(matmuls(frame, "a", draw(site_sets(frame))))])


@st.composite
def fold_programs(draw: st.DrawFn, name: str = "fold") -> str:
    """Values carried over the K blocks."""
    frame = draw(frames())
    return text_of(name, frame, [draw(folds(frame, "a", draw(site_sets(frame))))])


@st.composite
def side_by_side_programs(draw: st.DrawFn, name: str = "side_by_side") -> str:
    """Two parts on sites of their own, or on common ones."""
    matmul = draw(st.booleans())
    frame = draw(frames(matmul=matmul))
    sites = draw(site_sets(frame))
    rest = frame.grid - sites
    own: SiteSet = rest if rest and draw(st.booleans()) else draw(site_sets(frame))
    roomy = bool(sites & own)
    family = matmuls if matmul else folds
    first = draw(family(frame, "a", sites, roomy=roomy))
    second = draw(
        chains(frame, "b", own, roomy=roomy, block_stages=not (roomy and first.holds_accumulator))
    )
    parts = [first, second]
    if draw(st.booleans()):
        parts.reverse()
    return text_of(name, frame, parts)


_FAMILIES = (
    copy_programs,
    chain_programs,
    matmul_programs,
    fold_programs,
    side_by_side_programs,
)


def programs(name: str = "main") -> st.SearchStrategy[str]:
    """One program of any family."""
    return st.one_of(*(family(name) for family in _FAMILIES))


@st.composite
def modules(draw: st.DrawFn) -> str:
    """A module with one program, at times with several."""
    count = draw(st.sampled_from((1,) * 9 + (2,)))
    return "\n".join(draw(programs(f"main{n}" if n else "main")) for n in range(count))
