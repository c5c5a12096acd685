"""Runs a function that launches programs, for `spatial-run`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from xdsl.dialects import func, memref, tensor
from xdsl.dialects.builtin import IndexType, MemRefType, ModuleOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.traits import SymbolTable

from spatial_dialect.dialects.spatial import (
    LaunchOp,
    ProgramOp,
    is_tensor,
    written_arguments,
)
from spatial_dialect.ir.types import is_float
from spatial_dialect.machine import reference
from spatial_dialect.machine.arguments import argument_names
from spatial_dialect.machine.elements import Array
from spatial_dialect.machine.host import run_function
from spatial_dialect.tools.run_tensors import (
    CONVERT,
    FILLERS,
    BadArgument,
    bounds_of,
    filled,
    loaded,
    number_of,
    step_of,
)

LEAST_TOLERANCE = 1e-3
"""The relative error that chains of long sums may have whatever their type."""


def functions_of(module: ModuleOp) -> dict[str, func.FuncOp]:
    """The functions of a module that can be run, by name: those with a body, not private."""
    return {
        op.sym_name.data: op
        for op in module.body.block.ops
        if isinstance(op, func.FuncOp)
        and len(op.body.blocks) == 1
        and (op.sym_visibility is None or op.sym_visibility.data != "private")
    }


def names_of(function: func.FuncOp) -> dict[SSAValue, str]:
    """The names by which a run takes the arguments of a function, as for programs."""
    names: dict[SSAValue, str] = {}
    for argument in function.body.block.args:
        name = base = argument.name_hint or f"arg{argument.index}"
        number = 0
        while name in names.values():
            number += 1
            name = f"{base}_{number}"
        names[argument] = name
    return names


@dataclass
class FunctionRun:
    """One run of a function."""

    function: func.FuncOp
    launch: Callable[[ProgramOp, Mapping[str, Array | int]], Mapping[str, Array]]
    """Runs a program on arguments by name, and gives all its tensors afterwards."""
    launched: list[ProgramOp] = field(default_factory=list[ProgramOp])
    """The programs that were launched, in order."""

    @property
    def name(self) -> str:
        """The name of the function."""
        return self.function.sym_name.data

    @staticmethod
    def programs(launches: Iterable[Operation]) -> list[ProgramOp]:
        """The programs that are launched, each once."""
        found: dict[ProgramOp, None] = {}
        for op in launches:
            assert isinstance(op, LaunchOp)
            program = SymbolTable.lookup_symbol(op, op.callee)
            assert isinstance(program, ProgramOp)
            found[program] = None
        return list(found)

    def arguments(
        self, given: Mapping[str, str], seed: int
    ) -> tuple[dict[str, Array | int], dict[str, str]]:
        """The arguments of the function by name, and where each comes from.

        Raises:
            BadArgument: there is no such argument, or what is given for it means nothing.
            BadTensor: a file cannot be read, or does not fit.
        """
        names = names_of(self.function)
        if unknown := [name for name in given if name not in names.values()]:
            known = ", ".join(names.values()) or "none"
            raise BadArgument(
                f"@{self.name} has no argument '{unknown[0]}': its arguments are {known}"
            )
        found: dict[str, Array | int] = {}
        sources: dict[str, str] = {}
        for position, (argument, name) in enumerate(names.items()):
            type = argument.type
            if isinstance(type, IndexType):
                if (text := given.get(name)) is None:
                    raise BadArgument(
                        f"argument '{name}' is missing: it is a number, --arg {name}=N"
                    )
                found[name], sources[name] = number_of(name, text), text
                continue
            if not is_tensor(type) or not type.has_static_shape():
                raise BadArgument(
                    f"argument '{name}' of @{self.name} is {type}: a run takes tensors of static "
                    "shape and numbers of type index"
                )
            source = sources[name] = given.get(name, "random")
            if source in FILLERS:
                generator = np.random.default_rng([seed, position])
                bound = self.bound(argument)
                found[name] = filled(type.get_shape(), type.element_type, source, generator, bound)
            elif source.removesuffix(CONVERT).endswith(".npy"):
                found[name] = loaded(name, source, type.get_shape(), type.element_type)
            else:
                raise BadArgument(
                    f"argument '{name}': '{source}' is neither a .npy file nor one of "
                    f"{', '.join(FILLERS)}"
                )
        return found, sources

    def bound(self, value: SSAValue) -> int | None:
        """What the integers of a tensor are below, if a program uses them as indices."""
        bounds: list[int] = []
        waiting = [value]
        while waiting:
            for use in waiting.pop().uses:
                op = use.operation
                if isinstance(op, LaunchOp):
                    program = SymbolTable.lookup_symbol(op, op.callee)
                    assert isinstance(program, ProgramOp)
                    argument = program.body.block.args[use.index]
                    bounds += [b for a, b in bounds_of(program).items() if a is argument]
                elif isinstance(
                    op,
                    tensor.ExpandShapeOp
                    | tensor.CollapseShapeOp
                    | memref.ExpandShapeOp
                    | memref.CollapseShapeOp,
                ):
                    waiting += op.results
        return min(bounds, default=None)

    def run(self, arguments: Mapping[str, Array | int]) -> dict[str, Array]:
        """The results of the function, and the memrefs that it takes, by name.

        Raises:
            ValueError: the function has an operation that the host does not know.
        """
        # A memref is written in place: what was given stays as it was.
        own = {n: a if isinstance(a, int) else a.copy() for n, a in arguments.items()}
        results = run_function(self.function, list(own.values()), launch=self.launch_in_order)
        return self.named(results, own)

    def named(
        self, results: Sequence[Array], arguments: Mapping[str, Array | int]
    ) -> dict[str, Array]:
        """Results, and arguments that are memrefs, by name."""
        found = {f"result{number}": array for number, array in enumerate(results)}
        for argument, name in names_of(self.function).items():
            array = arguments[name]
            if isinstance(argument.type, MemRefType) and not isinstance(array, int):
                found[name] = array
        return found

    def launch_in_order(
        self, program: ProgramOp, arguments: Sequence[Array | int]
    ) -> Sequence[Array]:
        """Run a program on its arguments in order; the result is what it writes."""
        self.launched.append(program)
        names = list(argument_names(program).values())
        after = self.launch(program, dict(zip(names, arguments, strict=True)))
        return [after[names[index]] for index in written_arguments(program)]

    def types(self) -> dict[str, Attribute]:
        """The types of what a run gives, by name."""
        found: dict[str, Attribute] = {
            f"result{number}": type
            for number, type in enumerate(self.function.function_type.outputs.data)
        }
        for argument, name in names_of(self.function).items():
            type = argument.type
            if is_tensor(type) and isinstance(type, MemRefType):
                found[name] = type
        return found

    def tolerance(self, type: Attribute) -> float:
        """The relative error that rounding accounts for in a result of the run.

        Four steps of the coarsest type of floats that a program stores, times the square root of
        the number of launches; integers are exact.
        """
        assert is_tensor(type)
        if not is_float(type.element_type):
            return 0.0
        steps = [step_of(type.element_type)]
        for program in self.launched:
            for index in written_arguments(program):
                written = program.body.block.args[index].type
                assert is_tensor(written)
                steps.append(step_of(written.element_type))
        return max(LEAST_TOLERANCE, 4 * max(steps) * max(1, len(self.launched)) ** 0.5)


def meaning(function: func.FuncOp, arguments: Mapping[str, Array | int]) -> dict[str, Array]:
    """What a function makes of its arguments, by name, with floats computed in f64.

    Raises:
        ValueError: it has an operation that the host does not know, or launches a program that is
            scheduled already, which has no dataflow.
    """

    def launch(program: ProgramOp, given: Mapping[str, Array | int]) -> Mapping[str, Array]:
        if not program.stages:
            raise ValueError(f"@{program.sym_name.data} is scheduled already: it has no dataflow")
        return reference.run(program, given)

    run = FunctionRun(function, launch)
    own = {name: a if isinstance(a, int) else _wide(a) for name, a in arguments.items()}
    results = run_function(function, list(own.values()), launch=run.launch_in_order, exact=True)
    return run.named(results, own)


def _wide(array: Array) -> Array:
    """Floats as f64; a copy in any case."""
    whole = array.dtype.kind in "iub" or str(array.dtype).startswith(("int", "uint"))
    return array.copy() if whole else array.astype(np.float64)
