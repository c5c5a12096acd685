"""Programs read from files, with everything that is wrong with them reported."""

from __future__ import annotations

import io
import sys

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from spatial_dialect.ir.diagnostics import Finding, warnings_to
from spatial_dialect.tools.dominance import check_dominance
from spatial_dialect.tools.located_parser import LocatedFrontend
from spatial_dialect.tools.report import (
    Place,
    Rejected,
    Reporter,
    in_program_order,
    located_diagnostics,
    verification_errors,
)


def read_module(context: Context, file: str, *, warnings: bool = True) -> ModuleOp | None:
    """The verified module of a file, or of the standard input if the file is `-`.

    Args:
        context: with the dialects that are known.
        file: the file.
        warnings: whether to report more than errors.

    Returns:
        The module, or None after it was reported what is wrong with it.
    """
    name = "stdin" if file == "-" else file
    reporter = Reporter(name, lambda: sys.stderr)
    try:
        if file == "-":
            data = sys.stdin.buffer.read()
        else:
            with open(file, "rb") as stream:
                data = stream.read()
    except OSError as error:
        reporter.print(Place(name), f"cannot read the input: {error.strerror or error}")
        return None
    module = None
    try:
        with located_diagnostics(), warnings_to(reporter.finding if warnings else _unheard):
            module = LocatedFrontend().parse(context, io.BytesIO(data), name)
            findings = (*verification_errors(module), *check_dominance(module))
            if findings := in_program_order(module, findings):
                raise Rejected(findings)
    except Exception as error:
        # Whatever a parser or a verifier raises is about the input: the reporter knows all kinds.
        reporter.exception(error, "", parsed=module is not None)
        return None
    return module


def _unheard(finding: Finding) -> None:
    del finding
