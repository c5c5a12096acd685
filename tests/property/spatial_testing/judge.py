"""Everything that must hold of a valid dataflow program and of what scheduling makes of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from io import StringIO

from xdsl.context import Context
from xdsl.dialects import get_all_dialects
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import ParseError, VerifyException

from spatial_dialect.passes.synthesize_handshakes import SynthesizeHandshakesPass
from spatial_dialect.universe import ALL_DIALECTS

from .balance import balance


@dataclass
class Rejection(Exception):
    """A program that breaks a property, and where."""

    step: str
    why: str
    program: str
    scheduled: str = ""

    def __str__(self) -> str:
        parts = [f"{self.step}: {self.why}", self.program]
        return "\n\n".join([*parts, self.scheduled] if self.scheduled else parts)


@cache
def context() -> Context:
    """A context with all dialects of xDSL and of this package."""
    result = Context()
    for name, dialect in (get_all_dialects() | ALL_DIALECTS).items():
        result.register_dialect(name, dialect)
    return result


def parsed(text: str) -> ModuleOp:
    """The module with this text, not verified."""
    return Parser(context(), text).parse_module()


def printed(module: ModuleOp, *, generic: bool = False) -> str:
    """The text of a module."""
    stream = StringIO()
    Printer(stream, print_generic_format=generic).print_op(module)
    return stream.getvalue()


def schedule(module: ModuleOp) -> None:
    """Schedules the programs of a module in place."""
    SynthesizeHandshakesPass().apply(context(), module)


def check_round_trips(what: str, module: ModuleOp, text: str) -> None:
    """A module parses again to what it was, from the custom and from the generic format.

    Raises:
        Rejection: it does not.
    """
    for generic in (False, True):
        once = printed(module, generic=generic)
        try:
            again = parsed(once)
        except (ParseError, VerifyException) as error:
            raise Rejection(f"{what} does not parse again", str(error), text, once) from error
        if not module.is_structurally_equivalent(again):
            other = printed(again, generic=generic)
            raise Rejection(f"{what} is another program when parsed again", other, text, once)


def judge(text: str, *, round_trips: bool = False) -> ModuleOp:
    """Checks a valid dataflow program and its choreography; returns the latter.

    With `round_trips`, both must also parse again to what they were, which takes most of the time.

    Raises:
        Rejection: something is wrong with the program, the verifier, the pass or its output.
    """
    module = parsed(text)
    try:
        module.verify()
    except VerifyException as error:
        raise Rejection("a valid program does not verify", str(error), text) from error
    if round_trips:
        check_round_trips("the program", module, text)
    scheduled = module.clone()
    try:
        schedule(scheduled)
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"
        raise Rejection("a valid program is not scheduled", reason, text) from error
    output = printed(scheduled)
    try:
        scheduled.verify()
    except VerifyException as error:
        raise Rejection("the output does not verify", str(error), text, output) from error
    if round_trips:
        check_round_trips("the output", scheduled, text)
    again = scheduled.clone()
    schedule(again)
    if not again.is_structurally_equivalent(scheduled):
        raise Rejection("scheduling again changes something", printed(again), text, output)
    if problems := balance(scheduled, module):
        raise Rejection("the choreography is wrong", "\n".join(problems), text, output)
    return scheduled
