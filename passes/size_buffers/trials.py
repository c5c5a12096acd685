"""Tries depths out: schedules a copy of a program with them, and proves it."""

from __future__ import annotations

from dataclasses import dataclass, field

from xdsl.dialects.builtin import IntegerAttr, i64

from spatial_dialect.dialects.spatial import ProgramOp
from spatial_dialect.ir.diagnostics import Findings
from spatial_dialect.machine.proof import Verdict, prove
from spatial_dialect.passes.synthesize_handshakes import schedule

from .rings import Depths, Rings


@dataclass
class Trials:
    """What is known about the depths that were tried."""

    rings: Rings
    proofs: int = 0
    known: dict[tuple[int, ...], Verdict] = field(default_factory=dict[tuple[int, ...], Verdict])

    def verdict(self, depths: Depths, findings: Findings) -> Verdict | None:
        """What the proof says of some depths; None if they cannot be scheduled, after an error."""
        key = tuple(depths[ring] for ring in self.rings.all)
        if key not in self.known:
            copy = with_depths(self.rings, depths)
            # Before the stages of the copy are replaced: the originals have a place in the text.
            originals = dict(zip(copy.walk(), self.rings.program.walk(), strict=True))
            found = Findings()
            if not schedule(copy, found):
                for error in found.errors:
                    op = originals.get(error.op, self.rings.program)
                    findings.error(op, error.message, notes=error.notes)
                return None
            self.proofs += 1
            self.known[key] = prove(copy)
        return self.known[key]

    def is_proved(self, depths: Depths) -> bool:
        """Whether these depths are enough, beyond doubt."""
        verdict = self.verdict(depths, Findings())
        return verdict is not None and verdict.status == "proved"


def with_depths(rings: Rings, depths: Depths) -> ProgramOp:
    """A copy of a program that has the depths."""
    copy = rings.program.clone()
    number = {buffer: place for place, buffer in enumerate(rings.program.buffers)}
    buffers = copy.buffers
    for ring in rings.all:
        for member in ring.members:
            buffers[number[member]].depth = IntegerAttr(depths[ring], i64)
    return copy
