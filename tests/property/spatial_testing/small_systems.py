"""Small scheduled programs on which careless readings of the proof go wrong, and their verdicts.

Engines are written in short: `R p` reserves a page of %p, `P p` pushes it, `W p` waits for it and
`O p` pops it (`R p 2` and so on for more). `fill p` reads a tensor into a page up to the barrier,
`use p` writes a page to a tensor likewise; `read p`, `rbar`, `write p` and `wbar` are the halves of
them. `inc g`, `set g_ready 0`, `wait g_ready eq 1`, `send p g hold`, `flag g` and `flush` are the
ops between sites. `mul a b to c` multiplies front pages into a reserved one, `mul a b` just reads
them, and `make c` fills a page with zeros, on compute engines. `for 3 {` begins a loop, `for n {`
one of the run-time trip, and `}` ends it. All other words are ops of the dialect, spelled out.
`SYSTEMS` and `RULES` have the texts in full.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import count
from typing import Literal, TypeAlias

from .environment import Trips

Verdict: TypeAlias = Literal["proved", "refuted", "undecided", "rejected"]
"""What a proof says; `rejected`: the verifier of the program refuses it already."""

_RINGS = {"R": "reserve", "P": "push", "W": "wait", "O": "pop"}


def _op(words: list[str]) -> list[str]:
    """The ops that a phrase stands for."""
    match words:
        case [("R" | "P" | "W" | "O") as what, ring, *pages]:
            return [f"choreo.{_RINGS[what]} %{ring}" + "".join(f", {n}" for n in pages)]
        case ["fill", ring]:
            return [f"choreo.read_tiles %T[%c0, %c0] into %{ring}", "choreo.read_barrier"]
        case ["read", ring]:
            return [f"choreo.read_tiles %T[%c0, %c0] into %{ring}"]
        case ["rbar"]:
            return ["choreo.read_barrier"]
        case ["use", ring]:
            return [f"choreo.write_tiles %{ring} into %U[%c0, %c0]", "choreo.write_barrier"]
        case ["write", ring]:
            return [f"choreo.write_tiles %{ring} into %U[%c0, %c0]"]
        case ["wbar"]:
            return ["choreo.write_barrier"]
        case ["inc", group, *more]:
            return [
                f"choreo.sem_inc %{group}_ready at sender of %{group}"
                + "".join(f", {n}" for n in more)
            ]
        case ["set", semaphore, value]:
            return [f"choreo.sem_set %{semaphore}, {value}"]
        case ["wait", semaphore, comparison, value]:
            return [f"choreo.sem_wait %{semaphore} {comparison} {value}"]
        case ["send", ring, group]:
            return [f"choreo.mcast_send %{ring} to %{group}"]
        case ["send", ring, group, "hold"]:
            return [f"choreo.mcast_send %{ring} to %{group} hold_path"]
        case ["flag", group]:
            return [f"choreo.mcast_set_valid %{group}_valid to %{group}"]
        case ["flush", *rest]:
            return [" ".join(("choreo.flush", *rest))]
        case _:
            return [" ".join(words)]


def engine(where: str, code: str) -> str:
    """An engine from its place, `move 0 at [0, 0]`, and its code in short."""
    names = count()
    lines = ["%c0 = arith.constant 0 : index"]
    if "for n {" in code:
        lines.append("%c1 = arith.constant 1 : index")
        if "%n = " not in code:
            lines.append("%n = choreo.trip %count")
    phrases = re.split(r"[;\n]|(?<=[{}])|(?=})", code)
    for phrase in phrases:
        words = phrase.split()
        match words:
            case []:
                pass
            case ["for", "n", "{"]:
                lines.append(f"scf.for %i{next(names)} = %c0 to %n step %c1 {{")
            case ["for", trip, "{"]:
                lines.append(f"affine.for %i{next(names)} = 0 to {trip} {{")
            case ["mul", *rings] | ["make", *rings]:
                # In the order of operands: what is multiplied, and then what it goes to.
                acc = f"%acc{next(names)}"
                *factors, result = rings if words[0] == "make" or "to" in rings else (*rings, "")
                factors = [f"%{ring}" for ring in factors if ring != "to"]
                lines.append(f"{acc} = choreo.acquire 1xbf16")
                if factors:
                    lines.append(f"choreo.matmul {', '.join((acc, *factors))}")
                if result:
                    lines.append(f"choreo.pack {acc} into %{result}")
                lines.append(f"choreo.release {acc}")
            case _:
                lines += _op(words)
    name = re.sub(r"\W+", "_", where).strip("_")
    text, depth = "", 2
    for line in lines:
        depth -= line == "}"
        text += "  " * depth + line + "\n"
        depth += line.endswith("{")
    return f"  choreo.engine @{name} on {where} {{\n  ^bb0(%y : index, %x : index):\n{text}  }}\n"


def system(
    name: str,
    grid: str,
    head: list[str],
    *engines: tuple[str, str],
    target: str = '"reference"',
    loops: str = "",
    trips: str = "",
) -> str:
    """A scheduled program.

    Args:
        name: its name.
        grid: rows and columns, `[1, 2]`.
        head: rings, as `p 1` or `q 1 alias p`, and groups, as `g from [0, 0] to [0, 1] along x`.
        engines: the place and the code of each, in short.
        target: the target and its overrides.
        loops: what stands between the brackets of `loops`.
        trips: an argument with run-time trips, `%count : index`.
    """
    lines: list[str] = []
    groups: list[str] = []
    for text in head:
        match text.split():
            case [group, "from", *_]:
                groups.append(group)
                lines.append(f"%{group} = spatial.group {text.split(maxsplit=1)[1]}")
            case [ring, depth, "alias", other]:
                lines.append(_ring(ring, f"{depth} alias %{other}"))
            case [ring, depth]:
                lines.append(_ring(ring, depth))
            case _:
                raise ValueError(text)
    lines += (f"%{g}_ready, %{g}_valid = choreo.semaphores %{g}" for g in groups)
    body = "".join(engine(where, code) for where, code in engines)
    kinds: list[str] = []
    if re.search(r"choreo\.(reserve|push|wait|pop)\b", body):
        kinds.append("fifo")
    if re.search(r"choreo\.(sem_|mcast_)", body):
        kinds.append("semaphore")
    arguments = ["%T : memref<32x32xbf16>", "%U : memref<32x32xbf16>", *([trips] if trips else [])]
    return (
        f"spatial.program @{name}({', '.join(arguments)})\n"
        f"    target #spatial.target<{target}> grid {grid}"
        f"{f' loops [{loops}]' if loops else ''} requires [{', '.join(kinds)}] {{\n"
        + "".join(f"  {line}\n" for line in lines)
        + body
        + "}\n"
    )


def _ring(name: str, rest: str) -> str:
    return f"%{name} = spatial.buffer depth {rest} : !spatial.buffer<1x1xbf16>"


@dataclass(frozen=True)
class SmallSystem:
    """A small program and the right verdict."""

    text: str = field(repr=False)
    verdict: Verdict
    """Of a proof."""
    note: str
    """What makes it interesting."""
    explored: Literal["fine", "fault", "rejected", ""] = ""
    """What the search of all interleavings finds, if that does not follow from the verdict."""
    kinds: tuple[str, ...] = ()
    """The kinds of fault that this search may find first; none: any."""
    trips: tuple[Trips, ...] = (Trips(0),)
    """The run-time trips of the items of a run that shows it."""
    dataflow: bool = False
    """The text is dataflow that has yet to be scheduled."""

    @property
    def expected(self) -> str:
        """What the search of all interleavings finds."""
        found = {"proved": "fine", "refuted": "fault", "rejected": "rejected", "undecided": "fault"}
        return self.explored or found[self.verdict]


_PAIR = "g from [0, 0] to [0, 1] along x"
_THREE = "g from [0, 0] to [0, 1:3] along x"
_LOCAL = "R {0}; fill {0}; P {0}; W {0}; use {0}; O {0}"


def _local(ring: str) -> str:
    """One page of a ring, made and used by one engine."""
    return _LOCAL.format(ring)


def send_round(ring: str = "b", group: str = "g", count: int = 1, end: str = "") -> str:
    """The sender's part of one round of a multicast with the path held."""
    return (
        f"R {ring}; fill {ring}; wait {group}_ready eq {count}; set {group}_ready 0; "
        f"send {ring} {group} hold; flag {group}; {end}P {ring}"
    )


def recv_round(ring: str = "b", group: str = "g") -> str:
    """The receiver's part of one round of a multicast."""
    return (
        f"R {ring}; set {group}_valid invalid; inc {group}; wait {group}_valid eq valid; P {ring}"
    )


def take(ring: str = "b") -> str:
    """Takes one page of a ring."""
    return f"W {ring}; use {ring}; O {ring}"


def _multicast(
    name: str,
    depth: int,
    send: str,
    recv: str,
    taken: str,
    sites: int = 2,
    target: str = "reference",
) -> str:
    """A multicast along one row, with an engine on each site that takes the pages."""
    return system(
        name,
        f"[1, {sites}]",
        [f"b {depth}", f"g from [0, 0] to [0, 1:{sites}] along x"],
        ("move 0 at [0, 0]", send),
        (f"move 0 at [0, 1:{sites}]", recv),
        (f"move 1 at [0, 0:{sites}]", taken),
        target=f'"{target}"',
    )


def _positions() -> str:
    taken = "R b; fill b; P b"
    return system(
        "positions",
        "[1, 2]",
        ["b 4", _PAIR],
        ("move 0 at [0, 0]", f"for 2 {{ {send_round()} }}"),
        ("move 0 at [0, 1]", f"for 2 {{ {recv_round()}; {taken} }}"),
        ("move 1 at [0, 0]", f"for 2 {{ {take()} }}"),
        ("move 1 at [0, 1]", f"for 4 {{ {take()} }}"),
    )


def _two_sources(first: str, last: str, sites: int) -> str:
    """A waits for s on another site, which passes the word on to B, on A's site."""
    others = [("move 0 at [0, 2]", "inc g; wait g_valid eq valid; set g_valid invalid")]
    return system(
        "two_sources",
        f"[1, {sites}]",
        ["p 1", "q 1 alias p", f"g from [0, 0] to [0, 1:{sites}] along x"],
        ("move 0 at [0, 0]", "wait g_ready ge 1; flag g; wait g_ready eq 2; set g_ready 0"),
        ("move 0 at [0, 1]", f"R p; fill p; P p; W p; {first}use p; {last}O p"),
        (
            "move 1 at [0, 1]",
            "R q; wait g_valid eq valid; fill q; P q; W q; use q; O q; set g_valid invalid",
        ),
        *(others if sites > 2 else []),
    )


def _rounds(n: int) -> str:
    return system(
        "order_between_records",
        "[1, 1]",
        ["p 1", "q 1 alias p", "t 2"],
        ("move 0 at [0, 0]", f"for {n} {{ {_local('p')}; R t; fill t; P t }}"),
        ("move 1 at [0, 0]", f"for {n} {{ {take('t')}; {_local('q')} }}"),
    )


_PARITY = system(
    "parity",
    "[1, 2]",
    ["b 2", _PAIR],
    ("move 0 at [0, 0]", f"for n {{ R b; fill b; P b }} {send_round()}"),
    ("move 1 at [0, 0]", f"for n {{ {take()} }} {take()}"),
    ("move 0 at [0, 1]", recv_round()),
    ("move 1 at [0, 1]", take()),
    loops="k = ? max 4",
    trips="%count : index",
)

_ITEMS = system(
    "trip_of_each_item",
    "[1, 2]",
    [_PAIR],
    (
        "move 0 at [0, 1]",
        "%item = choreo.item; %n = choreo.trip %lens[%item]; "
        "for n { set g_valid invalid } wait g_valid eq invalid; for n { set g_valid valid }",
    ),
    loops="i = 2, k = ? max 1",
    trips="%lens : memref<2xi32>",
)

MATMUL = """
spatial.program @matmul(%A : memref<32x64xbf16>, %B : memref<64x64xbf16>, %C : memref<32x64xbf16>)
    target #spatial.target<"wormhole"> grid [1, 2] loops [k = 2] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %c = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %rows = spatial.group from [0, 0] to [0, 1] along x
  spatial.load %A[0, k] into %a multicast %rows at [0, 0] on move 0
  spatial.recv %rows into %a at [0, 1] on move 0
  spatial.load %B[k, x] into %b on move 0
  spatial.matmul %a, %b into %c
  spatial.store %c into %C[0, x] on move 1
}
"""
"""The ordinary multicast matmul, as dataflow, on two sites."""

SYSTEMS: dict[str, SmallSystem] = {
    "1": SmallSystem(
        _multicast(
            "not_invalidated",
            2,
            f"for 2 {{ {send_round()} }}",
            "set g_valid invalid; for 2 { R b; inc g; wait g_valid eq valid; P b }",
            f"for 2 {{ {take()} }}",
        ),
        "refuted",
        "the receiver's second wait is satisfied by the first round's flag",
    ),
    "1, right": SmallSystem(
        _multicast(
            "invalidated",
            2,
            f"for 2 {{ {send_round()} }}",
            f"for 2 {{ {recv_round()} }}",
            f"for 2 {{ {take()} }}",
        ),
        "proved",
        "the same with the flag cleared in each round",
    ),
    "2": SmallSystem(
        system(
            "passing_value",
            "[1, 2]",
            ["p 1", "q 1 alias p", _PAIR],
            (
                "move 0 at [0, 1]",
                "R p; fill p; P p; W p; set g_valid valid; set g_valid invalid; use p; "
                "set g_valid valid; O p",
            ),
            ("move 1 at [0, 1]", "R q; wait g_valid eq valid; fill q; P q; W q; use q; O q"),
        ),
        "refuted",
        "an earlier epoch of the semaphore satisfies the wait, too",
        kinds=("semaphore race", "slot race"),
    ),
    "3a": SmallSystem(
        _two_sources("", "inc g; ", 3),
        "refuted",
        "either of two increments may satisfy the wait; the other one makes it a race",
        kinds=("slot race",),
    ),
    "3b": SmallSystem(
        _two_sources("inc g; ", "inc g; ", 2),
        "refuted",
        "the first of two increments satisfies the wait; it comes before the use",
        kinds=("slot race",),
    ),
    "4": SmallSystem(
        system(
            "push_by_count",
            "[1, 1]",
            ["p 2", "u 1", "v 1 alias u"],
            ("move 0 at [0, 0]", f"R p; fill p; P p; {_local('u')}; R p; fill p; P p"),
            ("move 1 at [0, 0]", f"W p; {_local('v')}; use p; O p; {take('p')}"),
        ),
        "refuted",
        "the wait is satisfied by the first push already",
        kinds=("slot race",),
    ),
    "5": SmallSystem(
        _positions(),
        "refuted",
        "sender and receiver are at different places of the ring from the second round on",
        kinds=("landing",),
    ),
    "6": SmallSystem(
        system(
            "wrong_contents",
            "[1, 1]",
            ["p 1", "c 1 alias p", "t 1"],
            ("move 0 at [0, 0]", "R p; fill p; P p; R c; fill c; P c; R t; fill t; P t"),
            ("move 1 at [0, 0]", f"{take('t')}; {take('p')}; {take('c')}"),
        ),
        "refuted",
        "all accesses are ordered, but the page has been overwritten by another ring's",
        kinds=("contents",),
    ),
    "7": SmallSystem(
        system(
            "diagonal",
            "[2, 2]",
            [
                "b 1",
                "g1 from [0, 0] + [1, 1] to [0, 1] + [1, 0] along x",
                "g2 from [0, 0] + [1, 1] to [0, 1] + [1, 0] along y",
            ],
            (
                "move 0 at [0, 0] + [1, 1]",
                "R b; fill b; wait g1_ready eq 1; set g1_ready 0; wait g2_ready eq 1; "
                "set g2_ready 0; send b g1 hold; flag g1; wait g1_ready eq 1; set g1_ready 0; "
                "flag g2; P b; W b; use b; O b",
            ),
            (
                "move 0 at [0, 1] + [1, 0]",
                "R b; set g1_valid invalid; set g2_valid invalid; inc g1; inc g2; "
                "wait g2_valid eq valid; P b; W b; use b; O b",
            ),
            ("move 1 at [0, 1] + [1, 0]", "wait g1_valid eq valid; inc g1"),
        ),
        "refuted",
        "the word that data has landed comes from another site of the same class",
    ),
    "8": SmallSystem(
        system(
            "one_too_few",
            "[1, 3]",
            ["b 1", _THREE],
            (
                "move 0 at [0, 0]",
                "R b; fill b; wait g_ready ge 1; set g_ready 0; send b g hold; flag g; P b",
            ),
            ("move 0 at [0, 1:3]", recv_round()),
            ("move 1 at [0, 0:3]", take()),
        ),
        "refuted",
        "the sender goes on before its last receiver is ready",
    ),
    "9, n = 1": SmallSystem(_rounds(1), "proved", "one round alone is in order"),
    "9, n = 2": SmallSystem(
        _rounds(2), "refuted", "the second round of one engine meets the first of the other"
    ),
    "9, n = 3": SmallSystem(
        _rounds(3), "refuted", "the second round of one engine meets the first of the other"
    ),
    "10": SmallSystem(
        _PARITY,
        "refuted",
        "right for even trips only; it shows at 1",
        trips=(Trips(1),),
        kinds=("landing",),
    ),
    "11": SmallSystem(
        _ITEMS,
        "refuted",
        "one item leaves the flag set, the next one with no trips waits for it to be clear",
        trips=(Trips(1), Trips(0)),
        kinds=("deadlock",),
    ),
    "12": SmallSystem(
        system(
            "nobody_waits",
            "[1, 2]",
            [_PAIR],
            ("move 0 at [0, 0]", "flag g"),
            loops="i = 2",
        ),
        "refuted",
        "a flag of one item may land in the next one",
        kinds=("open at the end",),
    ),
    "13": SmallSystem(MATMUL, "proved", "flags end at 1", dataflow=True),
    "14, neither": SmallSystem(
        _multicast(
            "no_flush",
            1,
            f"for 2 {{ {send_round()} }}",
            f"for 2 {{ {recv_round()} }}",
            f"for 2 {{ {take()} }}",
        ),
        "refuted",
        "the sender fills its only page again while the multicast may still read it",
        kinds=("slot race",),
    ),
    "14, flush": SmallSystem(
        _multicast(
            "flush",
            1,
            f"for 2 {{ {send_round(end='flush; ')} }}",
            f"for 2 {{ {recv_round()} }}",
            f"for 2 {{ {take()} }}",
        ),
        "proved",
        "the flush waits until the page has been read",
    ),
    "14, depth 2": SmallSystem(
        _multicast(
            "depth_2",
            2,
            f"for 3 {{ {send_round()} }}",
            f"for 3 {{ {recv_round()} }}",
            f"for 3 {{ {take()} }}",
        ),
        "proved",
        "who is ready for the next page has the last one",
    ),
    "14, two rings": SmallSystem(
        system(
            "two_rings",
            "[1, 2]",
            ["a 1", "b 1", _PAIR],
            ("move 0 at [0, 0]", f"for 2 {{ {send_round('a')}; {send_round('b')} }}"),
            ("move 0 at [0, 1]", f"for 2 {{ {recv_round('a')}; {recv_round('b')} }}"),
            ("move 1 at [0, 0:2]", f"for 2 {{ {take('a')}; {take('b')} }}"),
        ),
        "proved",
        "who is ready for b has a",
    ),
    "15": SmallSystem(
        system(
            "passed_over",
            "[1, 3]",
            [_THREE],
            ("move 0 at [0, 0]", "wait g_ready eq 1; wait g_ready eq 2; set g_ready 0"),
            ("move 0 at [0, 1:3]", "inc g"),
        ),
        "refuted",
        "the value waited for may be passed over",
        kinds=("semaphore race", "deadlock"),
    ),
    "16": SmallSystem(
        system(
            "two_paths",
            "[1, 3]",
            [
                "a 1",
                "b 1",
                "g1 from [0, 0] to [0, 1] along x",
                "g2 from [0, 0] to [0, 2] along x",
            ],
            (
                "move 0 at [0, 0]",
                "R a; fill a; R b; fill b; wait g1_ready eq 1; set g1_ready 0; "
                "wait g2_ready eq 1; set g2_ready 0; send a g1 hold; send b g2 hold; "
                "flag g1; flag g2; flush; P a; P b",
            ),
            ("move 1 at [0, 0]", f"{take('a')}; {take('b')}"),
            ("move 0 at [0, 1]", recv_round("a", "g1")),
            ("move 1 at [0, 1]", take("a")),
            ("move 0 at [0, 2]", recv_round("b", "g2")),
            ("move 1 at [0, 2]", take("b")),
        ),
        "rejected",
        "a held path is closed by a multicast to another group",
    ),
    "17": SmallSystem(
        system(
            "two_senders",
            "[1, 3]",
            ["g from [0, 0:2] to [0, 2] along x"],
            ("move 0 at [0, 2]", "inc g"),
        ),
        "rejected",
        "a receiver hears two senders of one group",
    ),
    "push reads": SmallSystem(
        system(
            "push_reads",
            "[1, 2]",
            ["p 1", "q 1 alias p", _PAIR],
            ("move 0 at [0, 1]", "R p; fill p; set g_valid valid; P p; W p; O p"),
            (
                "move 1 at [0, 1]",
                "R q; wait g_valid eq valid; fill q; P q; W q; use q; O q; set g_valid invalid",
            ),
        ),
        "refuted",
        "nobody reads the page, but it is pushed while another ring's page may be in its slot",
        kinds=("contents", "slot race"),
    ),
    "flag of the last item": SmallSystem(
        _multicast(
            "last_item",
            1,
            send_round(end="flush; "),
            "R b; inc g; wait g_valid eq valid; P b",
            take(),
        ),
        "refuted",
        "right for one item; in the next the flag is valid before the page has landed, though the "
        "first access of the semaphore is a set: the landing of a flag",
    ),
    "push once too deep": SmallSystem(
        system(
            "deep",
            "[1, 1]",
            ["p 1", "q 1"],
            ("move 0 at [0, 0]", "for 2 { R p; fill p; P p } R q; fill q; P q"),
            ("move 1 at [0, 0]", f"W q; for 2 {{ {take('p')} }} use q; O q"),
        ),
        "refuted",
        "hangs: more pages than the ring holds before the page that the reader waits for",
        kinds=("deadlock",),
    ),
    "push just deep enough": SmallSystem(
        system(
            "deep_enough",
            "[1, 1]",
            ["p 2", "q 1"],
            ("move 0 at [0, 0]", "for 2 { R p; fill p; P p } R q; fill q; P q"),
            ("move 1 at [0, 0]", f"W q; for 2 {{ {take('p')} }} use q; O q"),
        ),
        "proved",
        "the same with a ring that holds them",
    ),
    "no path held": SmallSystem(
        _multicast(
            "overtaken",
            2,
            f"for 2 {{ {send_round().replace(' hold', '')} }}",
            f"for 2 {{ {recv_round()} }}",
            f"for 2 {{ {take()} }}",
        ),
        "refuted",
        "the flag may overtake the data",
    ),
    "path held in vain": SmallSystem(
        _multicast(
            "held_in_vain",
            2,
            f"for 2 {{ {send_round()} }}",
            f"for 2 {{ {recv_round()} }}",
            f"for 2 {{ {take()} }}",
            target="blackhole",
        ),
        "refuted",
        "the target does not keep the order of a held path",
    ),
}
"""Systems by name; names that are numbers follow the list of systems that the proof comes with."""


@dataclass(frozen=True)
class Rule:
    """A mistake that people make, and the same program without it."""

    right: str = field(repr=False)
    wrong: str = field(repr=False)
    kinds: tuple[str, ...]
    """The kinds of fault that the search of all interleavings may find first."""
    verifies: bool = True
    """Whether the wrong program verifies; if not, its engines break a rule on their own."""


def _two(name: str, rings: list[str], one: str, other: str) -> str:
    """Two engines on one site."""
    return system(name, "[1, 1]", rings, ("move 0 at [0, 0]", one), ("move 1 at [0, 0]", other))


def _compute(name: str, rings: list[str], move: str, compute: str) -> str:
    """A movement engine and the compute engine of one site."""
    return system(name, "[1, 1]", rings, ("move 0 at [0, 0]", move), ("compute at [0, 0]", compute))


def _rule(
    right: tuple[str, str, str], wrong: tuple[str, str, str], *kinds: str, verifies: bool = True
) -> Rule:
    """Two multicasts, each by the code of sender, receiver and taker."""
    return Rule(
        _multicast("right", 2, *right), _multicast("wrong", 2, *wrong), kinds, verifies=verifies
    )


def _carried() -> str:
    """A value that is replaced by one made from it while it is still there."""
    return "R p; make p; P p; for 2 { W p; R p; mul p p to p; P p; O p } W p; mul p p; O p"


def _counter(more: int) -> str:
    return system(
        "counter",
        "[1, 2]",
        [_PAIR],
        ("move 0 at [0, 0]", f"wait g_ready ge {more}; set g_ready 0"),
        ("move 0 at [0, 1]", f"inc g {more}"),
        target='"reference" {max_pages_counter = 1}',
    )


_ROUNDS = (
    f"for 2 {{ {send_round()} }}",
    f"for 2 {{ {recv_round()} }}",
    f"for 2 {{ {take()} }}",
)
RULES: dict[str, Rule] = {
    "page counts of two engines": Rule(
        _two("right", ["p 4"], "for 2 { R p; fill p; P p }", f"for 2 {{ {take('p')} }}"),
        _two("wrong", ["p 4"], "for 2 { R p; fill p; P p }", f"for 3 {{ {take('p')} }}"),
        ("deadlock",),
    ),
    "pop at the wrong loop level": Rule(
        _two("right", ["p 2"], "R p; fill p; P p", "for 2 { W p; use p } O p"),
        _two("wrong", ["p 2"], "R p; fill p; P p", f"for 2 {{ {take('p')} }}"),
        ("deadlock",),
    ),
    "right totals, wrong prefix": Rule(
        _two("right", ["p 4"], "for 4 { R p; fill p; P p }", "for 2 { W p 2; use p; O p 2 }"),
        _two("wrong", ["p 4"], "for 4 { R p; fill p; P p }", "W p 3; use p; O p; W p 4; O p 3"),
        ("deadlock",),
    ),
    "more than the ring holds": Rule(
        _two("right", ["p 2"], "for 2 { R p; fill p; P p }", "W p 2; use p; O p 2"),
        _two("wrong", ["p 2"], "for 2 { R p; fill p; P p }", "W p 3; use p; O p 3"),
        ("deadlock",),
        verifies=False,
    ),
    "reader in another order than compute": Rule(
        _compute(
            "right",
            ["a 1", "b 1"],
            "for 2 { R a; fill a; P a; R b; fill b; P b }",
            "for 2 { W a; W b; mul a b; O a; O b }",
        ),
        _compute(
            "wrong",
            ["a 1", "b 1"],
            "for 2 { R a; fill a; P a } for 2 { R b; fill b; P b }",
            "for 2 { W a; W b; mul a b; O a; O b }",
        ),
        ("deadlock",),
    ),
    "load and store not interleaved": Rule(
        _compute(
            "right",
            ["p 1", "q 1"],
            f"for 4 {{ R p; fill p; P p; {take('q')} }}",
            "for 4 { W p; R q; mul p p to q; O p; P q }",
        ),
        _compute(
            "wrong",
            ["p 1", "q 1"],
            f"for 4 {{ R p; fill p; P p }} for 4 {{ {take('q')} }}",
            "for 4 { W p; R q; mul p p to q; O p; P q }",
        ),
        ("deadlock",),
    ),
    "two multicasts in another order": Rule(
        system(
            "right",
            "[1, 2]",
            ["a 1", "b 1", "g1 from [0, 0] to [0, 1] along x", "g2 from [0, 0] to [0, 1] along x"],
            ("move 0 at [0, 0]", f"{send_round('a', 'g1')}; {send_round('b', 'g2')}"),
            ("move 0 at [0, 1]", f"{recv_round('a', 'g1')}; {recv_round('b', 'g2')}"),
            ("move 1 at [0, 0:2]", f"{take('a')}; {take('b')}"),
        ),
        system(
            "wrong",
            "[1, 2]",
            ["a 1", "b 1", "g1 from [0, 0] to [0, 1] along x", "g2 from [0, 0] to [0, 1] along x"],
            ("move 0 at [0, 0]", f"{send_round('a', 'g1')}; {send_round('b', 'g2')}"),
            ("move 0 at [0, 1]", f"{recv_round('b', 'g2')}; {recv_round('a', 'g1')}"),
            ("move 1 at [0, 0:2]", f"{take('a')}; {take('b')}"),
        ),
        ("deadlock",),
    ),
    "rounds of sender and receiver": _rule(
        _ROUNDS,
        (_ROUNDS[0], f"for 3 {{ {recv_round()} }}", _ROUNDS[2]),
        *("deadlock", "left over", "semaphore at the end", "open at the end"),
    ),
    "ready count": _rule(_ROUNDS, (_ROUNDS[0].replace("eq 1", "eq 2"), *_ROUNDS[1:]), "deadlock"),
    "reset of the ready count missing": _rule(
        _ROUNDS,
        (_ROUNDS[0].replace("set g_ready 0; ", ""), *_ROUNDS[1:]),
        *("deadlock", "semaphore at the end", "landing", "semaphore race"),
    ),
    "reset of the ready count after telling": _rule(
        _ROUNDS,
        (
            _ROUNDS[0].replace("set g_ready 0; ", "").replace("flag g", "flag g; set g_ready 0"),
            *_ROUNDS[1:],
        ),
        "semaphore race",
    ),
    "flag cleared after telling the sender": _rule(
        _ROUNDS,
        (
            _ROUNDS[0],
            "for 2 { R b; inc g; set g_valid invalid; wait g_valid eq valid; P b }",
            _ROUNDS[2],
        ),
        "semaphore race",
    ),
    "push before the read barrier": Rule(
        _two("right", ["p 1"], "R p; read p; rbar; P p", take("p")),
        _two("wrong", ["p 1"], "R p; read p; P p; rbar", take("p")),
        ("slot race", "contents"),
    ),
    "send before the read barrier": _rule(
        _ROUNDS,
        (_ROUNDS[0].replace("fill b", "read b").replace("P b", "rbar; P b"), *_ROUNDS[1:]),
        *("slot race", "contents"),
    ),
    "pop before the write barrier": Rule(
        _two("right", ["p 1"], "for 2 { R p; fill p; P p }", "for 2 { W p; write p; wbar; O p }"),
        _two("wrong", ["p 1"], "for 2 { R p; fill p; P p }", "for 2 { W p; write p; O p; wbar }"),
        ("slot race",),
    ),
    "writes waited for by the wrong barrier": Rule(
        _two("right", ["p 1"], "for 2 { R p; fill p; P p }", "for 2 { W p; write p; wbar; O p }"),
        _two("wrong", ["p 1"], "for 2 { R p; fill p; P p }", "for 2 { W p; write p; rbar; O p }"),
        ("slot race", "open at the end"),
    ),
    "receiver not ready": _rule(
        _ROUNDS,
        (
            _ROUNDS[0],
            "for 2 { set g_valid invalid; inc g; R b; wait g_valid eq valid; P b }",
            _ROUNDS[2],
        ),
        "landing",
    ),
    "pages moved at once around the end": Rule(
        _two("right", ["p 4"], "for 4 { R p; fill p; P p }", "for 2 { W p 2; use p; O p 2 }"),
        _two("wrong", ["p 3"], "for 4 { R p; fill p; P p }", "for 2 { W p 2; use p; O p 2 }"),
        ("wrap",),
    ),
    "page left over": Rule(
        _two("right", ["p 2"], "R p; fill p; P p", take("p")),
        _two("wrong", ["p 2"], "for 2 { R p; fill p; P p }", take("p")),
        ("left over",),
    ),
    "carry ring too shallow": Rule(
        _compute("right", ["p 2"], "", _carried()),
        _compute("wrong", ["p 1"], "", _carried()),
        ("deadlock",),
    ),
    "alias written while a page is live": Rule(
        _two(
            "right",
            ["p 1", "q 1 alias p", "t 1"],
            f"{_local('p')}; R t; fill t; P t",
            f"{take('t')}; {_local('q')}",
        ),
        _two(
            "wrong",
            ["p 1", "q 1 alias p", "t 1"],
            "R p; fill p; P p; R t; fill t; P t; W p; use p; O p",
            f"{take('t')}; {_local('q')}",
        ),
        ("slot race", "contents"),
    ),
    "two engines take": Rule(
        _two("right", ["p 2"], "for 2 { R p; fill p; P p }", f"for 2 {{ {take('p')} }}"),
        _two("wrong", ["p 2"], f"for 2 {{ R p; fill p; P p }} {take('p')}", take("p")),
        ("two engines",),
        verifies=False,
    ),
    "counter beyond what it holds": Rule(
        _counter(1),
        _counter(2),
        ("overflow",),
    ),
}
"""Rules that people break, each with a right and a wrong program."""
