"""What a target is, and the registry of targets.

A target is data that verifiers, passes and the machine ask; it holds no code. Users add one with
`register_target`, or from a package of their own through the entry-point group
`spatial_dialect.targets`, whose entries load a `Target` or a sequence of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from difflib import get_close_matches
from typing import Literal, TypeAlias, cast

LocalHandshake: TypeAlias = Literal["fifo", "valid_ready"]
"""How two engines of one site hand pages over: a counted ring, or a pair of wires."""

RemoteHandshake: TypeAlias = Literal["semaphore"]
"""How sites hand pages over to each other."""

Ordering: TypeAlias = Literal["ordered", "needs_flush"]
"""Whether a flag sent after data arrives after it."""

OverrideValue: TypeAlias = int | float | bool | str | tuple[int, ...] | tuple[str, ...]
"""What a program may replace a field of its target with."""

ENTRY_POINT_GROUP = "spatial_dialect.targets"
"""The entry-point group in which installed packages offer targets."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A number and where it comes from."""

    value: float
    source: str
    """The public document it is taken from, or `assumed` and why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Costs:
    """What a timed run charges, in clock cycles of a site unless the name says otherwise."""

    clock_ghz: Figure
    """Clock of a site, in GHz: turns cycles into time."""
    link_bytes_per_cycle: Figure
    """Bytes per cycle that one link between neighbours, or a site's port, moves in a direction."""
    hop_cycles: Figure
    """Latency of each hop between neighbouring sites."""
    remote_cycles: Figure
    """Latency of a move between sites, the hops apart."""
    dram_bytes_per_cycle: Figure
    """Bytes per cycle that all sites together read from or write to DRAM."""
    dram_cycles: Figure
    """Latency of a read from DRAM, the transfer apart."""
    issue_cycles: Figure
    """Time of a movement engine to issue one asynchronous move."""
    semaphore_cycles: Figure
    """Time of an engine to set, raise or test a semaphore, the way between sites apart."""
    matmul_cycles_4: Figure
    """Product of two tiles added to a third, for operands of up to 4 bits per element."""
    matmul_cycles_8: Figure
    """The same for operands of up to 8 bits."""
    matmul_cycles_16: Figure
    """The same for operands of up to 16 bits."""
    matmul_cycles_32: Figure
    """The same for operands of 32 bits, possibly rounded to fewer by the multiplier."""
    map_cycles: Figure
    """One elementwise operation on a tile."""
    reduce_cycles: Figure
    """Reduction of a tile to one row or column."""
    unpack_bytes_per_cycle: Figure
    """Bytes per cycle from local memory into the compute engine."""
    pack_bytes_per_cycle: Figure
    """Bytes per cycle from the accumulators into local memory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """A machine, as far as dataflow and choreography depend on it."""

    name: str
    """The name in `#spatial.target<"name">`."""
    tile: tuple[int, int]
    """Rows and columns of a tile, in elements."""
    handshakes_local: tuple[LocalHandshake, ...]
    """Kinds of hand-over between the engines of a site that the target provides, best first."""
    handshakes_remote: tuple[RemoteHandshake, ...]
    """Kinds of hand-over between sites that the target provides; none: no groups."""
    ordering: Ordering
    """`needs_flush`: a flag may overtake data sent before it unless a flush lies between."""
    move_engines: int
    """Movement engines of a site; `on move N` takes N below it."""
    acc_tiles_16: int
    """Tiles of 16 bit elements that the accumulators of a site hold."""
    acc_tiles_32: int
    """Tiles of 32 bit elements that the accumulators of a site hold."""
    acc_across_k: bool
    """Whether the accumulators can keep partial sums over a whole K loop."""
    pack_accumulate: bool
    """Whether packing can add to what a page in local memory holds."""
    local_bytes: int
    """Local memory of a site, in bytes, the reserved part included."""
    reserved_bytes: int
    """Bytes at the start of local memory that programs must leave alone."""
    alignment: int
    """Bytes of which the address of every ring is a multiple."""
    element_types: tuple[str, ...]
    """Element types of pages, as they print: `bf16`, `i8`; block floats are `bfp8` and `bfp4`."""
    max_pages_counter: int
    """Largest number of pages that a counter of a ring can hold."""
    max_grid: tuple[int, int] | None
    """Largest grid, rows and columns; None if the target sets no limit."""
    costs: Costs
    """Figures for a timed run."""

    def __post_init__(self) -> None:
        """Checks that the fields make sense together.

        Raises:
            ValueError: a field is outside its range.
        """
        for field in fields(self):
            problem = _field_problem(field.name, getattr(self, field.name))
            if problem is not None:
                raise ValueError(f"target '{self.name}': {problem}")
        if self.reserved_bytes > self.local_bytes:
            raise ValueError(
                f"target '{self.name}': reserved_bytes is {self.reserved_bytes}, more than "
                f"local_bytes, {self.local_bytes}"
            )

    @property
    def usable_bytes(self) -> int:
        """Local memory that buffers can use, in bytes."""
        return self.local_bytes - self.reserved_bytes


_CHOICES: Mapping[str, tuple[str, ...]] = {
    "handshakes_local": ("fifo", "valid_ready"),
    "handshakes_remote": ("semaphore",),
    "ordering": ("ordered", "needs_flush"),
}
"""The words that a field can hold or list."""

_LEAST: Mapping[str, int] = {
    "move_engines": 1,
    "acc_tiles_16": 1,
    "acc_tiles_32": 1,
    "local_bytes": 1,
    "reserved_bytes": 0,
    "max_pages_counter": 1,
    "alignment": 1,
}
"""The whole-number fields and the least value of each."""

_PAIRS = ("tile", "max_grid")
_FLAGS = ("acc_across_k", "pack_accumulate")
_WORD_LISTS = ("handshakes_local", "handshakes_remote", "element_types")
_COST_NAMES = tuple(f.name for f in fields(Costs))
_OVERRIDABLE = tuple(f.name for f in fields(Target) if f.name not in ("name", "costs"))


def _is_int(value: object) -> bool:
    # True and False are ints to Python, but `move_engines = true` is a slip.
    return isinstance(value, int) and not isinstance(value, bool)


def _items(value: object) -> tuple[object, ...] | None:
    return cast(tuple[object, ...], value) if isinstance(value, tuple) else None


def _field_problem(name: str, value: object) -> str | None:
    """What is wrong with a value for a field of `Target`, or None."""
    wanted: str | None = None
    items = _items(value)
    if name in _LEAST:
        if not (isinstance(value, int) and _is_int(value) and value >= _LEAST[name]):
            wanted = f"a whole number, at least {_LEAST[name]}"
    elif name in _FLAGS:
        if not isinstance(value, bool):
            wanted = "true or false"
    elif name in _PAIRS:
        if not (value is None and name == "max_grid") and not (
            items is not None
            and len(items) == 2
            and all(isinstance(i, int) and _is_int(i) and i >= 1 for i in items)
        ):
            wanted = "two whole numbers, rows and columns, at least 1"
    elif name in _WORD_LISTS:
        known = _CHOICES.get(name)
        if items is None or not all(isinstance(i, str) and i for i in items):
            wanted = "a list of words"
        elif known is not None and not set(items) <= set(known):
            wanted = f"a list of these: {', '.join(known)}"
        elif len(set(items)) < len(items):
            wanted = "a list without repetition"
    elif name in _CHOICES:
        if value not in _CHOICES[name]:
            wanted = f"one of {', '.join(_CHOICES[name])}"
    elif name == "name" and not (isinstance(value, str) and value):
        wanted = "a word"
    return None if wanted is None else f"{name} must be {wanted}, not {_shown(value)}"


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    items = _items(value)
    if items is not None:
        return f"[{', '.join(_shown(i) for i in items)}]"
    return f"'{value}'" if isinstance(value, str) else str(value)


_registry: dict[str, Target] = {}


def register_target(target: Target) -> None:
    """Makes a target known by its name.

    Raises:
        ValueError: the name is taken.
    """
    if target.name in _registry:
        raise ValueError(f"there is already a target named '{target.name}'")
    _registry[target.name] = target


def get_target(name: str) -> Target:
    """The target of that name; installed packages are asked if it is not known yet.

    Raises:
        ValueError: there is no such target; the message names the known ones.
    """
    if name not in _registry:
        _load_entry_points()
    if name not in _registry:
        raise ValueError(
            f"there is no target '{name}'{_did_you_mean(name, _registry)}; "
            f"known targets: {', '.join(known_targets())}"
        )
    return _registry[name]


def known_targets() -> tuple[str, ...]:
    """The names of all registered targets, sorted."""
    return tuple(sorted(_registry))


def with_overrides(target: Target, overrides: Mapping[str, OverrideValue]) -> Target:
    """The target with some fields, or cost figures, replaced; it keeps its name.

    Raises:
        ValueError: a field does not exist or cannot hold the value.
    """
    changed: dict[str, OverrideValue] = {}
    figures: dict[str, Figure] = {}
    for name, value in overrides.items():
        if name in _OVERRIDABLE:
            problem = _field_problem(name, value)
            if problem is not None:
                raise ValueError(f"override of target '{target.name}': {problem}")
            changed[name] = value
        elif name in _COST_NAMES:
            if isinstance(value, bool) or not isinstance(value, int | float) or value < 0:
                raise ValueError(
                    f"override of target '{target.name}': {name} must be a number, at least 0, "
                    f"not {_shown(value)}"
                )
            figures[name] = Figure(value, "override in the program")
        else:
            known = _OVERRIDABLE + _COST_NAMES
            raise ValueError(
                f"override of target '{target.name}': there is no field "
                f"'{name}'{_did_you_mean(name, known)}; fields: {', '.join(known)}"
            )
    # The values were checked against the fields just above, which no static type can follow.
    return replace(target, costs=replace(target.costs, **figures), **changed)  # pyright: ignore[reportArgumentType]


def _did_you_mean(name: str, known: Iterable[str]) -> str:
    close = get_close_matches(name, tuple(known), n=1)
    return f", did you mean '{close[0]}'?" if close else ""


def _load_entry_points() -> None:
    """Registers the targets that installed packages offer and that are not known yet.

    A name that is taken stays as it is, so that this can be repeated.
    """
    # Scanning the installed packages costs more than the rest of a small run.
    from importlib.metadata import entry_points

    for entry in entry_points(group=ENTRY_POINT_GROUP):
        loaded: object = entry.load()
        offered = (loaded,) if isinstance(loaded, Target) else tuple(_sequence(loaded))
        for target in offered:
            if not isinstance(target, Target):
                raise ValueError(
                    f"entry point '{entry.name}' of {ENTRY_POINT_GROUP} ({entry.value}) is "
                    f"neither a Target nor a sequence of them"
                )
            _registry.setdefault(target.name, target)


def _sequence(value: object) -> Iterable[object]:
    return cast(Iterable[object], value) if isinstance(value, list | tuple) else (value,)
