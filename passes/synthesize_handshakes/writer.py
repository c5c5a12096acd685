"""Writes the code of one engine: ops, loops, and the values of coordinates and addresses."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache

from xdsl.dialects import affine, arith, scf
from xdsl.dialects.builtin import (
    AffineMapAttr,
    DenseArrayBase,
    FlatSymbolRefAttr,
    IndexType,
    IntegerAttr,
    i32,
)
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineExpr, AffineMap

from spatial_dialect.dialects import choreo
from spatial_dialect.dialects.spatial import ComputeStageOp, ProgramOp, StageOp, TripOp
from spatial_dialect.ir.addresses import DIMENSIONS
from spatial_dialect.ir.loops import LoopName, Loops

_INDEX = IndexType()
_STEP = IntegerAttr(1, _INDEX)
_NO_OPERANDS = DenseArrayBase.from_list(i32, (0, 0, 0))


@cache
def _bound(value: int) -> AffineMapAttr:
    """A constant as bound of a loop."""
    return AffineMapAttr(AffineMap(0, 0, (AffineExpr.constant(value),)))


def _constant_loop(start: int, stop: int, body: Region) -> affine.ForOp:
    """A loop between constants; `ForOp.from_region` makes the same in several times the time."""
    properties = {
        "lowerBoundMap": _bound(start),
        "upperBoundMap": _bound(stop),
        "step": _STEP,
        "operandSegmentSizes": _NO_OPERANDS,
    }
    return affine.ForOp.create(properties=properties, regions=(body,))


@dataclass
class Provenance:
    """Which stage the ops being written are for."""

    names: dict[StageOp, FlatSymbolRefAttr]
    """The symbol of each stage."""

    tag_all: bool
    """Whether every op carries it; without, only the computations of stages that have a name."""

    def of(self, stage: StageOp) -> FlatSymbolRefAttr | None:
        """The symbol that an op made for a stage carries."""
        return self.names[stage] if self.tag_all else None

    def of_computation(self, stage: ComputeStageOp) -> FlatSymbolRefAttr | None:
        """The symbol that the computation of a stage carries."""
        return self.names[stage] if self.tag_all or stage.sym_name is not None else None


class EngineWriter:
    """The code of one engine under construction."""

    loops: Loops
    provenance: Provenance
    block: Block
    """The entry block of the engine."""

    def __init__(self, program: ProgramOp, provenance: Provenance):
        self.loops = program.loop_nest
        self.provenance = provenance
        self.block = Block(arg_types=(_INDEX, _INDEX))
        self._trip = next((op for op in program.body.block.ops if isinstance(op, TripOp)), None)
        self._here: list[Operation] = []
        self._top: list[Operation] = []
        self._constants: dict[int, SSAValue] = {}
        self._values: dict[str, SSAValue] = {}
        self._trip_value: SSAValue | None = None
        for name, argument in zip(("y", "x"), self.block.args, strict=True):
            argument.name_hint = name
            self._values[name] = argument

    def finish(self) -> Region:
        """The body of the engine."""
        self.block.add_ops([*self._top, *self._here, choreo.EndOp()])
        return Region(self.block)

    def add(self, op: Operation, stage: StageOp | None = None) -> None:
        """Appends an op, at the location of the stage it is made for."""
        if stage is not None:
            op.location = stage.location
        self._here.append(op)

    def waits(self, pages: Mapping[SSAValue, StageOp]) -> None:
        """Waits for pages, each asked for by a stage."""
        for page, stage in pages.items():
            self.add(choreo.WaitOp.one_page(page, self.provenance.of(stage)), stage)

    def pops(self, pages: Mapping[SSAValue, StageOp]) -> None:
        """Pops pages, each read last by a stage."""
        for page, stage in pages.items():
            self.add(choreo.PopOp.one_page(page, self.provenance.of(stage)), stage)

    def constant(self, value: int) -> SSAValue:
        """An index constant, made once per engine, at its top."""
        if (known := self._constants.get(value)) is None:
            op = arith.ConstantOp(IntegerAttr(value, _INDEX))
            op.result.name_hint = f"c{value}" if value >= 0 else f"cm{-value}"
            self._top.append(op)
            known = self._constants[value] = op.result
        return known

    def loop_value(self, name: LoopName) -> SSAValue:
        """The induction variable of a loop, 0 outside of it."""
        return self._values.get(name) or self.constant(0)

    def address(
        self, address: AffineMap, stage: StageOp | None, index: SSAValue | None = None
    ) -> list[SSAValue]:
        """The values of an address here; `index` is the element of the index page."""
        return [self._value(expr, stage, index) for expr in address.results]

    def _value(self, expr: AffineExpr, stage: StageOp | None, index: SSAValue | None) -> SSAValue:
        known = dict(self._values)
        if index is not None:
            known["ind"] = index
        operands: list[SSAValue] = []
        replacements: list[AffineExpr] = []
        used = expr.used_dims()
        for position, name in enumerate(DIMENSIONS):
            if name == "i" and position in used and not self.loops.i.is_one:
                known["i"] = self._item()
            if position in used and name in known:
                replacements.append(AffineExpr.dimension(len(operands)))
                operands.append(known[name])
            else:
                # A loop that is not there runs once, at 0.
                replacements.append(AffineExpr.constant(0))
        here = expr.replace_dims_and_symbols(replacements, ())
        if not operands:
            return self.constant(here.eval((), ()))
        here = here if used == set(range(len(operands))) else here.simplify(len(operands), 0)
        if isinstance(here, AffineConstantExpr):
            return self.constant(here.value)
        if isinstance(here, AffineDimExpr):
            return operands[here.position]
        op = affine.ApplyOp.create(
            operands=operands,
            result_types=(_INDEX,),
            properties={"map": AffineMapAttr(AffineMap(len(operands), 0, (here,)))},
        )
        self.add(op, stage)
        return op.results[0]

    def _item(self) -> SSAValue:
        if (item := self._values.get("i")) is None:
            op = choreo.ItemOp()
            op.item.name_hint = "i"
            self._top.append(op)
            item = self._values["i"] = op.item
        return item

    @contextmanager
    def loop(self, name: LoopName, start: int = 0, stop: int | None = None) -> Generator[None]:
        """What is added in the context runs in a loop, over its whole extent or `start..stop`."""
        outer, self._here = self._here, []
        outer_value = self._values.get(name)
        body = Block(arg_types=(_INDEX,))
        (variable,) = body.args
        variable.name_hint = name
        self._values[name] = variable
        yield
        self._values.pop(name)
        if outer_value is not None:
            self._values[name] = outer_value
        inner, self._here = self._here, outer
        if stop is None and self.loops[name].at_run_time:
            body.add_ops([*inner, scf.YieldOp()])
            self.add(scf.ForOp(self.constant(0), self.trip(), self.constant(1), (), Region(body)))
        else:
            body.add_ops([*inner, affine.YieldOp.create()])
            bound = self.loops[name].size if stop is None else stop
            self.add(_constant_loop(start, bound, Region(body)))

    def trip(self) -> SSAValue:
        """The run-time trip of the K loop, read at the top of the engine."""
        if self._trip_value is None:
            assert self._trip is not None
            here, self._here = self._here, []
            address = self._trip.address
            indices: Sequence[SSAValue] = ()
            if address is not None:
                indices = self.address(address.data, None)
            op = choreo.TripOp(self._trip.count, indices)
            op.location = self._trip.location
            op.trip.name_hint = "trip"
            self._top += [*self._here, op]
            self._here = here
            self._trip_value = op.trip
        return self._trip_value
