"""How the tools treat exceptions that no user should see."""

import os

from xdsl.utils.exceptions import DiagnosticException, ParseError

DEBUG_VARIABLE = "SPATIAL_DEBUG"
"""Set to 1 to see the Python traceback of an unexpected exception."""


def debugging() -> bool:
    """Whether the user asked for tracebacks."""
    return os.environ.get(DEBUG_VARIABLE, "0") not in ("", "0")


def describe_exception(error: BaseException) -> str:
    """The exception in words: its message, with its type in front where that tells more."""
    text = str(error).strip()
    if isinstance(error, RecursionError):
        return "the program is nested too deeply"
    if isinstance(error, KeyError) or not text:
        return f"{type(error).__name__}: {text}" if text else type(error).__name__
    if isinstance(error, DiagnosticException | ParseError | ValueError | NotImplementedError):
        return text
    return f"{type(error).__name__}: {text}"
