"""Converts functions of linalg to template programs, and runs these by their reference meaning."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import DenseArrayBase, ModuleOp, i64
from xdsl.dialects.func import FuncOp
from xdsl.universe import Universe

from spatial_dialect.dialects.spatial import ProgramOp, StoreOp, written_arguments
from spatial_dialect.ir.diagnostics import Finding, warnings_to
from spatial_dialect.machine.arguments import argument_names
from spatial_dialect.machine.elements import Array
from spatial_dialect.machine.host import run_function
from spatial_dialect.machine.reference import run
from spatial_dialect.passes.convert_linalg_to_spatial import ConvertLinalgToSpatialPass
from spatial_dialect.tools.located_parser import LocatedParser
from spatial_dialect.universe import ALL_DIALECTS

JUNK = 77
"""What a tensor holds that a program has to write."""


def context() -> Context:
    """All dialects."""
    found = Context()
    for name, factory in {**Universe.get_multiverse().all_dialects, **ALL_DIALECTS}.items():
        found.register_dialect(name, factory)
    return found


def parsed(text: str) -> ModuleOp:
    """A module, which verifies."""
    module = LocatedParser(context(), text, name="linalg").parse_module()
    module.verify()
    return module


@dataclass(frozen=True)
class Conversion:
    """A module after `convert-linalg-to-spatial`."""

    module: ModuleOp
    remarks: tuple[Finding, ...]
    """Why operations stay."""

    @property
    def programs(self) -> list[ProgramOp]:
        """The programs, in order."""
        return [op for op in self.module.body.block.ops if isinstance(op, ProgramOp)]

    @property
    def reasons(self) -> list[str]:
        """What the remarks say."""
        return [remark.message for remark in self.remarks]


def converted(text: str, **options: Any) -> Conversion:
    """A module after the pass; it verifies, and so does what its text is read as."""
    module = parsed(text)
    remarks: list[Finding] = []
    with warnings_to(remarks.append):
        ConvertLinalgToSpatialPass(**options).apply(context(), module)
    module.verify()
    printed = str(module)
    assert str(parsed(printed)) == printed
    return Conversion(module, tuple(remarks))


def results(module: ModuleOp, arguments: Sequence[Array], name: str = "main") -> list[Array]:
    """What a function of a module returns, its programs run as templates on one site."""
    (function,) = (
        op for op in module.body.block.ops if isinstance(op, FuncOp) and op.sym_name.data == name
    )
    return run_function(function, list(arguments), launch=launched)


def launched(program: ProgramOp, arguments: Sequence[Array | int]) -> list[Array]:
    """What a template program makes of its arguments."""
    program = program.clone()
    program.grid = DenseArrayBase.from_list(i64, [1, 1])
    names = argument_names(program)
    given = dict(zip(names.values(), arguments, strict=True))
    for argument, name in names.items():
        stores = [op for op in program.stages if isinstance(op, StoreOp) and op.tensor is argument]
        if stores and all(op.index is None for op in stores):
            given[name] = np.full_like(given[name], JUNK)
    after = run(program, given)
    return [after[list(given)[index]] for index in written_arguments(program)]
