"""Makes template programs of linalg on tensors and memrefs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from spatial_dialect.ir.diagnostics import Findings
from spatial_dialect.targets import get_target


@dataclass(frozen=True)
class ConvertLinalgToSpatialPass(ModulePass):
    """Makes programs of linalg operations, one for each group that can be fused.

    ```mlir
    %c = linalg.matmul ins(%a, %b : ...) outs(%zero : ...) -> tensor<64x64xf32>
    // becomes
    %c = spatial.launch @main_0(%a, %b, %init) : (...) -> tensor<64x64xf32>
    ```

    Read are `linalg.generic` and the named operations, reshapes, slices and constants, on tensors
    and memrefs of static shape. A product takes the elementwise operations behind it along; so do
    reductions, with others of the same rows if a row fits a page. Batch dimensions become items.
    Transposes, broadcasts and reshapes become addresses. Rows of a table that code takes by
    `tensor.extract` are gathered by whatever program uses them, and `stablehlo.scatter` replaces
    rows. An operation that is not understood stays where it is, and a remark says why.
    """

    name = "convert-linalg-to-spatial"

    target: str = "wormhole"
    """The machine, whose tiles and accumulators the programs are made for."""

    accumulate: Literal["f32", "type"] = "f32"
    """What products of 16-bit floats are summed in: f32, or the type of the result."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Convert every function of a module.

        Raises:
            FindingsPassFailed: there is no such target.
        """
        from .functions import carried_out, planned
        from .kinds import Setting

        findings = Findings()
        try:
            target = get_target(self.target)
        except ValueError as error:
            findings.error(op, str(error))
            findings.raise_pass()
            return
        setting = Setting(target, self.accumulate == "f32")
        names = {
            each.data for inner in op.ops if (each := getattr(inner, "sym_name", None)) is not None
        }
        functions = [each for each in op.body.block.ops if isinstance(each, func.FuncOp)]
        # Calls are read as if the body stood in their place: who calls comes before who is called.
        called = _called(op)
        functions.sort(key=lambda each: each.sym_name.data in called)
        for function in functions:
            if len(function.body.blocks) != 1:
                continue
            name = function.sym_name.data
            if name in called and _is_private(function) and name not in _called(op):
                function.detach()
                function.erase()
                continue
            plan = planned(function.body.block, name, setting, names)
            for each, reason in plan.reading.stays.items():
                if reason is not None:
                    findings.remark(each, f"stays as it is: {reason}")
            for program in carried_out(plan, function.body.block):
                op.body.block.insert_op_before(program, function)


def _called(module: ModuleOp) -> set[str]:
    """The names of the functions that are called."""
    return {each.callee.string_value() for each in module.walk() if isinstance(each, func.CallOp)}


def _is_private(function: func.FuncOp) -> bool:
    return function.sym_visibility is not None and function.sym_visibility.data == "private"
