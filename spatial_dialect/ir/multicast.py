"""The geometry of a family of multicast groups: who sends to whom.

`spatial.group from S to R along x|y|yx` describes one group per sender: a site of `S` sends to the
sites of `R` that agree with it on the axes that are not named (along `x`: those of its row, along
`y`: those of its column, along `yx`: all of `R`), itself excluded. Everything here works on
rectangles and costs nothing per site.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, TypeAlias

from spatial_dialect.ir.sites import Intervals, Rect, Sites, paired_slabs

Along: TypeAlias = Literal["x", "y", "yx"]
"""The axes along which a sender reaches its receivers."""


def check_group(senders: Sites, receivers: Sites, along: Along) -> str | None:
    """Says why these sites do not form multicast groups, or None if they do.

    They do if every sender reaches the same number of receivers, at least one; the receivers of a
    sender form a rectangle, which may be completed by the sender itself; and every receiver hears
    exactly one sender. A sender may be listed among the receivers, but not hear another sender. The
    message names the sites and the counts that disagree.
    """
    if not senders or not receivers:
        side = "senders" if not senders else "receivers"
        return f"the group has no {side}: from {senders} to {receivers}"
    known: tuple[str, int] | None = None  # a sender and how many receivers it has
    for from_, to, where in _families(senders, receivers, along):
        if not from_:
            return f"receiver {_text(to.first)} hears no sender: there is none in {where}"
        sender = from_.first
        one = _single(sender)
        others = to - one
        if from_ != one:
            return _two_senders(sender, (from_ - one).first, to, where)
        if not others:
            found = "that site alone" if to else "none"
            return f"sender {_text(sender)} has no receiver: in {where} there is {found}"
        if not others.is_rectangle and not (others | one).is_rectangle:
            around = others.bounding
            gap = (Sites.of((around,)) - others - one).first
            return (
                f"the {others.count} receivers of sender {_text(sender)} do not form one "
                f"rectangle: they reach across {around}, but {_text(gap)} is none of them"
            )
        if known is None:
            known = (_text(sender), others.count)
        elif known[1] != others.count:
            return (
                f"senders with different numbers of receivers: sender {known[0]} has {known[1]}, "
                f"sender {_text(sender)} has {others.count}"
            )
    return None


def ready_count(senders: Sites, receivers: Sites, along: Along) -> int:
    """How many receivers each sender waits for, in a group that `check_group` accepts.

    Raises:
        ValueError: there are no senders.
    """
    y, x = senders.first
    own = receivers.contains(y, x)
    if along == "yx":
        return receivers.count - own
    if along == "y":
        receivers, y = receivers.transpose(), x
    columns = next((c for y0, y1, c in receivers.slabs() if y0 <= y < y1), ())
    return sum(x1 - x0 for x0, x1 in columns) - own


def effective_receivers(senders: Sites, receivers: Sites, along: Along) -> Sites:
    """The sites that hear a sender, in a group that `check_group` accepts.

    These are the receivers without the senders, whatever the axes: there, a sender listed among the
    receivers only completes the rectangle.
    """
    del along
    return receivers - senders


def _families(senders: Sites, receivers: Sites, along: Along) -> Iterator[tuple[Sites, Sites, str]]:
    """Senders and receivers that all reach each other, and where they are.

    Along x and y there is one family for each run of equal rows or columns: its first one.
    """
    if along == "yx":
        yield senders, receivers, "the group"
    elif along == "x":
        for y, _, from_, to in paired_slabs(senders, receivers):
            yield _row(y, from_), _row(y, to), f"row {y}"
    else:
        for x, _, from_, to in paired_slabs(senders.transpose(), receivers.transpose()):
            yield _row(x, from_).transpose(), _row(x, to).transpose(), f"column {x}"


def _row(y: int, columns: Intervals) -> Sites:
    return Sites(tuple(Rect(y, y + 1, x0, x1) for x0, x1 in columns))


def _single(site: tuple[int, int]) -> Sites:
    y, x = site
    return Sites((Rect(y, y + 1, x, x + 1),))


def _text(site: tuple[int, int]) -> str:
    return f"[{site[0]}, {site[1]}]"


def _two_senders(one: tuple[int, int], two: tuple[int, int], to: Sites, where: str) -> str:
    """The message about two senders of one family."""
    first, second = _text(one), _text(two)
    if not to:
        return f"sender {first} has no receiver: in {where} there is none"
    common = to - _single(one) - _single(two)
    if common:
        return f"receiver {_text(common.first)} hears two senders, {first} and {second}"
    # Only the senders themselves are left to receive.
    if not to.contains(*two):
        first, second = second, first
    return f"sender {second} is also a receiver of sender {first}, which only others may be"
