"""Reads what JAX prints, StableHLO, by the legalisation to linalg that ships with jaxlib.

`jax.jit(f).lower(...).as_text()` is such a text. Nothing of StableHLO is known here: jaxlib, which
the extra `jax` of this package installs, parses it and gives back linalg as text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib import import_module
from typing import IO, Any

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser
from xdsl.utils.exceptions import ParseError
from xdsl.utils.frontend import Frontend
from xdsl.utils.lexer import Input, Span

PIPELINE = (
    "builtin.module(func.func(chlo-legalize-to-stablehlo),inline,symbol-dce,"
    "stablehlo-legalize-to-linalg,canonicalize,cse)"
)
"""The passes of jaxlib that make linalg of what JAX prints."""

INSTALL = "pip install 'spatial-dialect[jax]'"
"""What brings jaxlib."""


@dataclass(frozen=True)
class StableHLOFrontend(Frontend):
    """The frontend `stablehlo`: `spatial-opt -f stablehlo block.mlir`."""

    name = "stablehlo"

    def parse(self, ctx: Context, input: IO[bytes], input_name: str = "input") -> ModuleOp:
        """Read a module.

        Raises:
            ParseError: the text is no StableHLO that can become linalg, or jaxlib is not installed.
        """
        text = input.read().decode("utf-8")
        return self.linalg(ctx, legalised(text, input_name), input_name)

    def linalg(self, ctx: Context, text: str, input_name: str) -> ModuleOp:
        """Parse what jaxlib has made."""
        return Parser(ctx, text, input_name).parse_module()


def legalised(text: str, name: str) -> str:
    """The same functions in linalg, with locations in the text that was given.

    Raises:
        ParseError: the text is no StableHLO, some of it has no linalg, or jaxlib is not installed.
    """
    try:
        # No part of a default installation, so that no types are known.
        interpreters: Any = import_module("jax._src.interpreters.mlir")
        ir: Any = import_module("jaxlib.mlir.ir")
        passmanager: Any = import_module("jaxlib.mlir.passmanager")
        stablehlo: Any = import_module("jaxlib.mlir.dialects.stablehlo")
    except ImportError as error:
        message = f"StableHLO is read by jaxlib, which is not installed: {INSTALL}"
        raise ParseError(Span(0, 0, Input(text, name)), message) from error
    stablehlo.register_stablehlo_passes()
    with interpreters.make_ir_context():
        try:
            module = ir.Module.parse(text)
            passmanager.PassManager.parse(PIPELINE).run(module.operation)
        except ir.MLIRError as error:
            raise _located(error, text, name) from error
        _check(module.operation, text, name)
        asm = module.operation.get_asm(enable_debug_info=True)
        return bits_as_bytes(_with_locations(asm, name))


_BITS = re.compile(r"dense<0x([0-9A-Fa-f]+)>(?= : tensor<[0-9x]*b?f[0-9]+>)")


def bits_as_bytes(text: str) -> str:
    """The same text with floats in hexadecimal, such as infinity, written as the bytes of memory.

    xDSL's own parser takes `dense<0xFF800000>` for a number, but not `dense<"0x000080FF">`.
    """
    return _BITS.sub(lambda found: f'dense<"0x{bytes.fromhex(found[1])[::-1].hex()}">', text)


_ALIAS = re.compile(r"^#(loc\d*) = loc\((.*)\)\n", re.MULTILINE)


def _with_locations(asm: str, name: str) -> str:
    """The text with each location in its place, as a file, a line and a column.

    MLIR writes them at the end, by numbers, and those of code from several places by others.
    """
    meant = dict(_ALIAS.findall(asm))

    def place(alias: str) -> str:
        text = meant.get(alias, "")
        while (match := re.search(r":(\d+:\d+)", text)) is None:
            if (inner := re.search(r"#(loc\d+)", text)) is None:
                return "loc(unknown)"
            text = meant.get(inner[1], "")
        quoted = name.replace("\\", "\\\\").replace('"', '\\"')
        return f'loc("{quoted}":{match[1]})'

    return re.sub(r"loc\(#(loc\d*)\)", lambda found: place(found[1]), _ALIAS.sub("", asm))


def _located(error: Any, text: str, name: str) -> ParseError:
    """The first diagnostic of jaxlib, at its place in the text."""
    for diagnostic in error.error_diagnostics:
        return _at(str(diagnostic.location), diagnostic.message, text, name)
    return ParseError(Span(0, 0, Input(text, name)), error.message)


def _check(operation: Any, text: str, name: str) -> None:
    """Refuse what has no linalg: an operation that is left, or a shape that is not known."""
    for region in operation.regions:
        for block in region.blocks:
            for op in block.operations:
                inner = op.operation
                if inner.name.startswith(("stablehlo.", "chlo.", "sdy.")):
                    raise _at(
                        str(inner.location),
                        f"jaxlib has no linalg for '{inner.name}'",
                        text,
                        name,
                    )
                _check(inner, text, name)


def _at(location: str, message: str, text: str, name: str) -> ParseError:
    """An error at a location as MLIR writes it, `loc("-":3:5)`."""
    position = 0
    if (match := re.search(r":(\d+):(\d+)", location)) is not None:
        lines = text.splitlines(keepends=True)
        line, column = int(match[1]), int(match[2])
        position = sum(map(len, lines[: line - 1])) + column - 1
    position = min(position, max(0, len(text) - 1))
    return ParseError(Span(position, position + 1, Input(text, name)), message)
