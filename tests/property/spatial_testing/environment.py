"""What a run is given from outside, and who talks to whom on a small grid, site by site."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from xdsl.ir import SSAValue

from spatial_dialect.dialects.spatial import GroupOp, ProgramOp
from spatial_dialect.ir.sites import Sites

Site: TypeAlias = tuple[int, int]


def sites_of(sites: Sites) -> tuple[Site, ...]:
    """All sites of a small set, in row-major order."""
    return tuple(
        sorted((y, x) for r in sites.rects for y in range(r.y0, r.y1) for x in range(r.x0, r.x1))
    )


@dataclass(frozen=True)
class Trips:
    """Run-time trips: one count for all, or one that differs from element to element."""

    count: int
    spread: int = 0
    """If not 0, an element `[e0, e1, ...]` of a tensor holds `(count + e0 + e1 + ...) % spread`."""

    def __call__(self, element: tuple[int, ...]) -> int:
        if self.spread and element:
            return (self.count + sum(element)) % self.spread
        return self.count

    def __str__(self) -> str:
        if self.spread:
            return f"trips ({self.count} + coordinates) mod {self.spread}"
        return f"trip {self.count}"


@dataclass(frozen=True)
class Group:
    """One family of multicast groups, site by site."""

    receivers: Mapping[Site, tuple[Site, ...]]
    """For each sender."""
    sender: Mapping[Site, Site] = field(repr=False)
    """For each receiver."""

    @staticmethod
    def of(op: GroupOp) -> Group:
        """Found by asking every pair of sites."""
        along = str(op.along.data)
        senders = sites_of(op.senders.data)
        candidates = set(sites_of(op.receivers.data)) - set(senders)
        receivers: dict[Site, tuple[Site, ...]] = {}
        sender: dict[Site, Site] = {}
        for one in senders:
            hears = tuple(
                other
                for other in sorted(candidates)
                if (along != "x" or other[0] == one[0]) and (along != "y" or other[1] == one[1])
            )
            receivers[one] = hears
            for other in hears:
                if other in sender:
                    raise ValueError(f"site {other} hears two senders")
                sender[other] = one
        return Group(receivers, sender)


def groups_of(program: ProgramOp) -> dict[SSAValue, Group]:
    """The groups of a program."""
    return {op.group: Group.of(op) for op in program.body.block.ops if isinstance(op, GroupOp)}


def argument_names(program: ProgramOp) -> dict[SSAValue, str]:
    """Names of a program's arguments that do not change when it is scheduled."""
    return {argument: f"arg{argument.index}" for argument in program.body.block.args}
