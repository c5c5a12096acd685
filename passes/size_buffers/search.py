"""The search for depths: the least that are enough, then second pages where they pay."""

from __future__ import annotations

from dataclasses import dataclass

from spatial_dialect.ir.diagnostics import Findings
from spatial_dialect.machine.proof import Verdict

from .layout import laid_out
from .rings import Depths, Rings
from .trials import Trials


@dataclass
class Search:
    """The search for one program."""

    rings: Rings
    trials: Trials
    findings: Findings

    def least(self) -> Depths | None:
        """Depths that are enough, and with a page less in any ring are not; None after an error.

        All engines take their stages in one order, so that what a ring cannot do without is enough
        as a rule. Rings in the same memory may need more, so as not to write over each other.
        """
        depths = first = self.rings.depths()
        while (verdict := self.trials.verdict(depths, self.findings)) is not None:
            if verdict.status != "refuted":
                break
            deeper = {
                ring: depth if ring.given is not None else min(2 * depth, ring.most)
                for ring, depth in depths.items()
            }
            if deeper == depths:
                self.refuse(verdict)
                return None
            depths = deeper
        else:
            return None
        if verdict.status == "undecided":
            self.findings.warning(
                self.rings.program,
                f"whether the rings of @{self.rings.program.sym_name.data} are deep enough is "
                f"undecided ({verdict.check}): {verdict.message}",
            )
        return depths if depths is first else self.lowered(depths)

    def lowered(self, depths: Depths) -> Depths:
        """Depths that are proved, the largest rings made smaller first, until none can be."""
        result = dict(depths)
        free = [ring for ring in result if ring.given is None]
        for ring in sorted(free, key=lambda ring: -result[ring] * ring.page_bytes):
            low, high = ring.least, result[ring]
            # Most rings can do with the least, so this is tried first.
            middle = low
            while low < high:
                if self.trials.is_proved({**result, ring: middle}):
                    high = middle
                else:
                    low = middle + 1
                middle = (low + high) // 2
            result[ring] = high
        return result

    def refuse(self, verdict: Verdict) -> None:
        """Report that the program is refuted, whatever the depths that are free."""
        notes: list[str] = []
        if verdict.check == "deadlock" and verdict.run is not None:
            # Programs that go on need not wait for this to load.
            from spatial_dialect.report.hangs import hang

            notes = hang(verdict.run.machine, verdict.run.trips).lines()
        given = [f"{ring.name} {ring.given}" for ring in self.rings.all if ring.given is not None]
        but = f", with the given depths ({', '.join(given)})" if given else ""
        self.findings.error(
            self.rings.program,
            f"@{self.rings.program.sym_name.data} is refuted ({verdict.check}) however deep its "
            f"rings are{but}: {verdict.message}",
            notes=notes,
            hint="look at rings that are an `alias`, and at depths that are given",
        )

    def doubled(self, least: Depths) -> Depths:
        """The least depths, and a second page where that hides something and there is room.

        What hides most cycles per byte comes first.
        """
        hidden = self.rings.hidden
        waiting = [r for r in self.rings.all if r.given is None and least[r] == 1 and hidden[r]]
        depths = {**least, **dict.fromkeys(waiting, 2)}
        if laid_out(self.rings, depths).left < 0:
            depths = dict(least)
            for ring in sorted(waiting, key=lambda ring: -hidden[ring] / ring.page_bytes):
                deeper = {**depths, ring: 2}
                if laid_out(self.rings, deeper).left >= 0:
                    depths = deeper
        # More room does no harm; should the proof say otherwise, it is right.
        return depths if self.trials.is_proved(depths) else least
