"""The one way this package reports something wrong with a program.

A verifier or a pass collects `Finding`s, each tied to an operation, and raises them together, so
that a user sees every error of a run at once. Plain `xdsl-opt` shows them as the text of one
exception; `spatial-opt` takes them apart again and prints one line for each, at the location of its
operation.

A message states what is wrong, names the operations and values involved and the two facts that
disagree; the hint states the way out:

```python
findings = Findings()
findings.error(
    op,
    f"reads {value_name(page)} of 4x4, but {describe(producer)} fills 4x8",
    hint="give both the same page shape",
)
findings.raise_verify()
```
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Literal

from xdsl.dialects.builtin import StringAttr, SymbolRefAttr, UnregisteredOp
from xdsl.ir import Block, Operation, OpResult, SSAValue
from xdsl.utils.exceptions import PassFailedException, VerifyException

HINT_PREFIX = "hint: "
"""How the note that states the way out begins."""

Severity = Literal["error", "warning", "remark"]
"""Whether a finding makes a program invalid, is doubtful, or just worth knowing."""


@dataclass(frozen=True)
class Finding:
    """One thing wrong, or doubtful, about an operation."""

    op: Operation
    """The operation at whose location the finding is reported."""

    message: str
    """What is wrong, without the name of `op`, which `text` and the driver put in front."""

    notes: tuple[str, ...] = ()
    """Further lines; the way out begins with `hint: `."""

    severity: Severity = "error"

    def noted(self, note: str) -> Finding:
        """The same with a further line."""
        return replace(self, notes=(*self.notes, note))

    @property
    def text(self) -> str:
        """The message after the name of its operation, then the notes, indented, a line each."""
        message = f"'{op_name(self.op)}' op {self.message}"
        return "\n".join((message, *(f"  {note}" for note in self.notes)))


def op_name(op: Operation) -> str:
    """The name of an operation as it stands in the text, also if no dialect has it."""
    return op.op_name.data if isinstance(op, UnregisteredOp) else op.name


class FindingsVerifyException(VerifyException):
    """The errors that a verifier found."""

    findings: tuple[Finding, ...]

    def __init__(self, findings: Iterable[Finding]):
        self.findings = tuple(findings)
        super().__init__("\n".join(finding.text for finding in self.findings))


class FindingsPassFailed(PassFailedException):
    """The errors for which a pass refused a program."""

    findings: tuple[Finding, ...]

    def __init__(self, findings: Iterable[Finding]):
        self.findings = tuple(findings)
        super().__init__("\n".join(finding.text for finding in self.findings))


_warning_sink: ContextVar[Callable[[Finding], None] | None] = ContextVar(
    "spatial_warning_sink", default=None
)


@contextmanager
def warnings_to(sink: Callable[[Finding], None]) -> Generator[None]:
    """Deliver the warnings raised inside the context to `sink`; outside any, they are dropped."""
    token = _warning_sink.set(sink)
    try:
        yield
    finally:
        _warning_sink.reset(token)


class Findings:
    """Collects errors, to raise them all at once, and passes warnings on."""

    errors: list[Finding]

    def __init__(self) -> None:
        self.errors = []

    def __bool__(self) -> bool:
        """Whether there are errors."""
        return bool(self.errors)

    def error(
        self, op: Operation, message: str, *, hint: str | None = None, notes: Iterable[str] = ()
    ) -> None:
        """Note that `op` is wrong."""
        self.errors.append(Finding(op, message, (*notes, *_notes(hint))))

    def warning(
        self, op: Operation, message: str, *, hint: str | None = None, notes: Iterable[str] = ()
    ) -> None:
        """Tell the user about `op` without refusing the program; lost if nobody listens."""
        if (sink := _warning_sink.get()) is not None:
            sink(Finding(op, message, (*notes, *_notes(hint)), "warning"))

    def remark(self, op: Operation, message: str, *, notes: Iterable[str] = ()) -> None:
        """Tell the user something worth knowing about `op`; lost if nobody listens."""
        if (sink := _warning_sink.get()) is not None:
            sink(Finding(op, message, tuple(notes), "remark"))

    def raise_verify(self) -> None:
        """Raise the errors, if there are any, as a verifier does.

        Raises:
            FindingsVerifyException: there are errors.
        """
        if self.errors:
            raise FindingsVerifyException(self.errors)

    def raise_pass(self) -> None:
        """Raise the errors, if there are any, as a pass does.

        Raises:
            FindingsPassFailed: there are errors.
        """
        if self.errors:
            raise FindingsPassFailed(self.errors)


def _notes(hint: str | None) -> tuple[str, ...]:
    return () if hint is None else (HINT_PREFIX + hint,)


def value_name(value: SSAValue) -> str:
    """The name of a value as a user wrote it, or a description if the text is not at hand.

    `%a` from its name hint; else `result #0 of the 2nd 'spatial.buffer' op`, counted in its block,
    or `argument #1 of 'spatial.program' op @mm`.
    """
    if value.name_hint is not None:
        return f"%{value.name_hint}"
    if isinstance(value, OpResult):
        return f"result #{value.index} of {_numbered(value.op)}"
    owner = value.owner
    index = getattr(value, "index", 0)
    if isinstance(owner, Block) and (parent := owner.parent_op()) is not None:
        return f"argument #{index} of {describe(parent)}"
    return f"argument #{index} of a block"


def _numbered(op: Operation) -> str:
    """An operation and, if its block has several of its kind, its number: `the 2nd 'a.b' op`."""
    alike = [op] if op.parent is None else [o for o in op.parent.ops if o.name == op.name]
    if len(alike) < 2:
        return describe(op)
    number = alike.index(op) + 1
    irregular = {1: "st", 2: "nd", 3: "rd"}
    ending = "th" if number % 100 in (11, 12, 13) else irregular.get(number % 10, "th")
    return f"the {number}{ending} {describe(op)}"


def describe(op: Operation) -> str:
    """The name of an operation and of its symbol, if it has one: `'spatial.load' op @load_a`."""
    symbol = op.properties.get("sym_name") or op.attributes.get("sym_name")
    match symbol:
        case StringAttr():
            return f"'{op_name(op)}' op @{symbol.data}"
        case SymbolRefAttr():
            return f"'{op_name(op)}' op @{symbol.root_reference.data}"
        case _:
            return f"'{op_name(op)}' op"
