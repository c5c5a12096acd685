"""Shows what the analyses find, on the stages and in the text, so that a test can see it."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ArrayAttr, IntegerAttr, ModuleOp, StringAttr, i64
from xdsl.passes import ModulePass

from spatial_dialect.analysis.dataflow import Dataflow
from spatial_dialect.analysis.domains import domains
from spatial_dialect.analysis.levels import levels
from spatial_dialect.analysis.site_classes import GroupSites, site_classes
from spatial_dialect.dialects.spatial import GroupOp, ProgramOp
from spatial_dialect.ir.loops import domain_text


@dataclass(frozen=True)
class TestDataflowPass(ModulePass):
    """Writes rank, level, domain and pages per item on each stage, site classes on the program.

    ```mlir
    spatial.load %X[y, k] into %x on move 0 {rank = 0 : i64, level = "block", domain = "{k}",
                                             pages_per_item = 4 : i64}
    ```

    The pages are the most that there can be, with a run-time trip.
    """

    name = "test-dataflow"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for program in [p for p in op.walk() if isinstance(p, ProgramOp) and p.stages]:
            _annotate(program)


def _annotate(program: ProgramOp) -> None:
    flow = Dataflow.of(program)
    found = domains(flow, program.loop_nest)
    order = levels(flow, found)
    for rank, stage in enumerate(order.order):
        domain = found.stage[stage]
        stage.attributes["rank"] = IntegerAttr(rank, i64)
        stage.attributes["level"] = StringAttr(order.of[stage].name.lower())
        stage.attributes["domain"] = StringAttr(domain_text(domain))
        stage.attributes["pages_per_item"] = IntegerAttr(found.pages(domain), i64)
    if (grid := program.grid_sites) is not None:
        groups = [
            GroupSites(op.senders.data, op.receivers.data, op.axes)
            for op in program.body.block.ops
            if isinstance(op, GroupOp)
        ]
        classes = site_classes(grid, list(dict.fromkeys(flow.sites.values())), groups)
        program.attributes["site_classes"] = ArrayAttr(StringAttr(str(c)) for c in classes)
