"""The loop nest of a program: which loops there are, and how often each runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

LoopName: TypeAlias = Literal["i", "k", "h", "w"]
"""`i` work items of a site, `k` reduction blocks of an item, `h` and `w` output sub-blocks."""

LOOP_NAMES: tuple[LoopName, ...] = get_args(LoopName)
"""All loops, outermost first."""

PAGE_LOOPS: tuple[LoopName, ...] = ("k", "h", "w")
"""The loops that pages can be indexed by, outermost first."""

Domain: TypeAlias = frozenset[LoopName]
"""The set of page loops that index a stream of pages: one page per point of their product."""


@dataclass(frozen=True, slots=True)
class Extent:
    """How often a loop runs: exactly `size` times, or `0..size` times if known at run time only."""

    size: int
    at_run_time: bool = False

    @property
    def is_one(self) -> bool:
        """Whether the loop can be left out of every nest."""
        return self.size == 1 and not self.at_run_time

    def __str__(self) -> str:
        return f"? max {self.size}" if self.at_run_time else str(self.size)


ONE = Extent(1)


@dataclass(frozen=True, slots=True)
class Loops:
    """The extents of a program's loops; a loop that is not named runs once."""

    i: Extent = ONE
    k: Extent = ONE
    h: Extent = ONE
    w: Extent = ONE

    @staticmethod
    def of(extents: Mapping[LoopName, Extent | int]) -> Loops:
        """The nest with the given extents."""
        return Loops(
            **{
                name: Extent(extent) if isinstance(extent, int) else extent
                for name, extent in extents.items()
            }
        )

    def __getitem__(self, name: LoopName) -> Extent:
        match name:
            case "i":
                return self.i
            case "k":
                return self.k
            case "h":
                return self.h
            case "w":
                return self.w

    def iterated(self, names: Iterable[LoopName]) -> tuple[LoopName, ...]:
        """Those of the named loops that need a loop in code, outermost first."""
        chosen = set(names)
        return tuple(n for n in LOOP_NAMES if n in chosen and not self[n].is_one)

    def pages(self, domain: Iterable[LoopName]) -> int:
        """Pages per item of a stream with this domain (the most, with a run-time trip)."""
        count = 1
        for name in set(domain):
            count *= self[name].size
        return count

    def __str__(self) -> str:
        named = (f"{name} = {self[name]}" for name in LOOP_NAMES if not self[name].is_one)
        return f"[{', '.join(named)}]"


def domain_text(domain: Iterable[LoopName]) -> str:
    """A domain as users write it, `{k, h}`, outermost loop first."""
    chosen = set(domain)
    return "{" + ", ".join(name for name in LOOP_NAMES if name in chosen) + "}"
