"""From exceptions to lines `file:line:col: error: message`."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from typing import TextIO

from xdsl.ir import Block, IRNode, Operation
from xdsl.utils.diagnostic import Diagnostic
from xdsl.utils.exceptions import (
    DiagnosticException,
    MultipleSpansParseError,
    ParseError,
    VerifyException,
)
from xdsl.utils.lexer import Span

from spatial_dialect.ir.diagnostics import (
    Finding,
    FindingsPassFailed,
    FindingsVerifyException,
    Severity,
    op_name,
)
from spatial_dialect.ir.locations import Place, place_of
from spatial_dialect.tools.debug import DEBUG_VARIABLE, debugging, describe_exception
from spatial_dialect.tools.located_parser import ParseErrors

MAX_SOURCE_WIDTH = 160
"""Longer source lines are shown in part, around the place in question."""


class Rejected(Exception):
    """A program is wrong, and these are the reasons."""

    findings: tuple[Finding, ...]

    def __init__(self, findings: Iterable[Finding]):
        self.findings = tuple(findings)
        super().__init__("\n".join(finding.text for finding in self.findings))


class Reporter:
    """Prints each different diagnostic once, and remembers whether there was an error."""

    failed: bool = False

    def __init__(self, file: str, stream: Callable[[], TextIO]):
        """Report about `file` on the stream that `stream` returns."""
        self.file = file
        self._stream = stream
        self._printed: set[str] = set()

    def print(
        self, place: Place, message: str, notes: Iterable[str] = (), severity: Severity = "error"
    ) -> None:
        """Print one diagnostic; further lines of the message and the notes follow it, indented."""
        first, *more = message.strip().splitlines() or [""]
        lines = [f"{place}: {severity}: {first}", *more]
        for note in notes:
            lines += note.splitlines()
        text = "\n  ".join(line.rstrip() for line in lines) + "\n"
        if severity == "error":
            self.failed = True
        if text not in self._printed:
            self._printed.add(text)
            self._stream().write(text)

    def finding(self, finding: Finding, notes: Iterable[str] = ()) -> None:
        """Print a finding at the location of its operation."""
        self.print(
            place_of(finding.op, self.file),
            with_op_name(finding.op, finding.message),
            (*finding.notes, *notes),
            finding.severity,
        )

    def parse_error(self, error: ParseError) -> None:
        """Print a parse error with the source line it is about."""
        errors = error.errors if isinstance(error, ParseErrors) else (error,)
        for each in errors:
            notes = source_lines(each.span)
            if isinstance(each, MultipleSpansParseError):
                for span, message in each.refs:
                    place = span.get_location()
                    notes.append(f"{place}: note: {message or each.ref_text or 'see here'}")
                    notes += source_lines(span)
            place = each.span.get_location()
            self.print(Place(*place), each.msg, notes)

    @contextmanager
    def forgiving(self, forgive: bool) -> Generator[None]:
        """Within the context, if `forgive`, errors are printed but are no failure."""
        failed = self.failed
        try:
            yield
        finally:
            if forgive:
                self.failed = failed

    def exception(
        self, error: BaseException, stage: str, *, parsed: bool, note: str | None = None
    ) -> None:
        """Print any exception.

        `stage` says what was going on, such as `pass 'cse'`, if anything; `parsed` whether there
        was a program already. The note is added to errors about operations, which do not name the
        stage.

        Raises:
            BaseException: `error` itself, if it is unexpected and the user asked for tracebacks.
        """
        notes = () if note is None else (f"note: {note}",)
        match error:
            case ParseError() if not parsed:
                self.parse_error(error)
            case UnicodeDecodeError() if not parsed:
                self.print(*undecodable(error, self.file))
            case Rejected() | FindingsVerifyException() | FindingsPassFailed():
                for finding in error.findings:
                    self.finding(finding, notes)
            case DiagnosticException() if blamed := blamed_operations(error):
                for op, message in blamed:
                    self.finding(Finding(op, message), notes)
            case _:
                if not isinstance(error, DiagnosticException):
                    if debugging():
                        raise error
                    notes = (f"note: {DEBUG_VARIABLE}=1 shows the Python traceback",)
                message = describe_exception(error)
                self.print(
                    Place(self.file), f"{stage} failed: {message}" if stage else message, notes
                )


def undecodable(error: UnicodeDecodeError, file: str) -> tuple[Place, str]:
    """Where and how a file is not UTF-8."""
    data, position = error.object, error.start
    line_start = data.rfind(b"\n", 0, position) + 1
    place = Place(
        file,
        data.count(b"\n", 0, position) + 1,
        len(data[line_start:position].decode("utf-8", "replace")) + 1,
    )
    return place, f"this is not UTF-8 text: byte 0x{data[position]:02x} ({error.reason})"


def source_lines(span: Span[str] | Span[bytes]) -> list[str]:
    """The first line of a span and, below it, carets that point at the span."""
    content, start, end = span.input.content, span.start, span.end
    if isinstance(content, bytes):
        start = len(content[:start].decode("utf-8", "replace"))
        end = len(content[:end].decode("utf-8", "replace"))
        content = content.decode("utf-8", "replace")
    start = min(start, len(content))
    line_start = content.rfind("\n", 0, start) + 1
    line_end = content.find("\n", start)
    line = content[line_start : len(content) if line_end < 0 else line_end].rstrip("\r")
    if not line.strip():
        return []
    column = start - line_start
    width = max(1, min(end - start, len(line) - column))
    if len(line) > MAX_SOURCE_WIDTH:
        cut = max(0, column - MAX_SOURCE_WIDTH // 2)
        line, column = line[cut : cut + MAX_SOURCE_WIDTH], column - cut
        width = min(width, max(1, len(line) - column))
    line = re.sub(r"[\x00-\x08\x0b-\x1f\x7f]", "?", line)
    # Tabs in the margin keep the carets below what they point at.
    margin = re.sub(r"[^\t]", " ", line[:column])
    return [line, margin + " " * (column - len(margin)) + "^" * width]


def with_op_name(op: Operation, message: str) -> str:
    """The message with the name of its operation in front, once."""
    prefix = f"'{op_name(op)}' op"
    message = message.strip()
    message = message.removeprefix(f"Operation {op.name} ")
    message = message.removeprefix("Operation does not verify: ")
    return message if message.startswith(prefix) else f"{prefix} {message}"


_BLAMED = "spatial_blamed_operations"


@contextmanager
def located_diagnostics() -> Generator[None]:
    """Within the context, `op.emit_error` ties the operation to the exception it raises.

    xDSL's own way is to print the whole program below the message, once for each error.
    """
    original = Diagnostic.raise_exception

    def raise_exception(self: Diagnostic, ir: IRNode, underlying_error: Exception) -> None:
        blamed = [(op, message) for op, texts in self.op_messages.items() for message in texts]
        if not hasattr(underlying_error, _BLAMED):
            setattr(underlying_error, _BLAMED, blamed)
        raise underlying_error

    setattr(Diagnostic, "raise_exception", raise_exception)
    try:
        yield
    finally:
        setattr(Diagnostic, "raise_exception", original)


def blamed_operations(error: BaseException) -> list[tuple[Operation, str]]:
    """The operations an exception was raised about, each with its message."""
    return getattr(error, _BLAMED, [])


def verification_errors(root: Operation) -> tuple[Finding, ...]:
    """Every verification error in `root`."""
    errors: list[Finding] = []
    # Children first, because a verifier may rely on their being valid.
    for op in _postorder(root):
        for block in _empty_blocks(op):
            # That such a block lacks a terminator is for the block to say.
            try:
                block.verify()
            except VerifyException as error:
                errors.append(Finding(op, str(error)))
        try:
            op.verify(verify_nested_ops=False)
        except (FindingsVerifyException, FindingsPassFailed) as error:
            errors += error.findings
        except VerifyException as error:
            errors.append(Finding(op, str(error)))
        except Exception as error:
            # A verifier that trips over what was found before has nothing to add.
            if not errors:
                errors.append(Finding(op, describe_exception(error)))
    return tuple(errors)


def in_program_order(root: Operation, findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """The findings, sorted by where their operations stand in `root`."""
    findings = tuple(findings)
    if len(findings) < 2:
        return findings
    position = {op: index for index, op in enumerate(root.walk())}
    return tuple(sorted(findings, key=lambda finding: position.get(finding.op, 0)))


def _empty_blocks(op: Operation) -> Iterator[Block]:
    for region in op.regions:
        for block in region.blocks:
            if block.first_op is None:
                yield block


def _postorder(root: Operation) -> Iterator[Operation]:
    for region in root.regions:
        for block in region.blocks:
            for op in block.ops:
                yield from _postorder(op)
    yield root
