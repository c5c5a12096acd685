"""How often the loops of an engine run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from xdsl.dialects import affine, arith, scf
from xdsl.dialects.builtin import AffineMapAttr, IntegerAttr
from xdsl.ir import SSAValue


def loop_count(loop: affine.ForOp | scf.ForOp) -> int | None:
    """How often the body of a loop runs, None if only the run itself tells."""
    if isinstance(loop, affine.ForOp):
        lower = _bound(loop.lowerBoundMap, loop.lowerBoundOperands, max)
        upper = _bound(loop.upperBoundMap, loop.upperBoundOperands, min)
        step = loop.step.value.data
    else:
        lower, upper, step = map(constant_value, (loop.lb, loop.ub, loop.step))
    if lower is None or upper is None or step is None or step < 1:
        return None
    return max(0, -((lower - upper) // step))


def constant_value(value: SSAValue) -> int | None:
    """The number that a value always is, if it comes from a constant of an integer type."""
    owner = value.owner
    if isinstance(owner, arith.ConstantOp) and isinstance(owner.value, IntegerAttr):
        return owner.value.value.data
    if isinstance(owner, affine.ApplyOp):
        return _bound(owner.map, owner.mapOperands, max)
    return None


def _bound(
    map: AffineMapAttr, operands: Sequence[SSAValue], choose: Callable[[Iterable[int]], int]
) -> int | None:
    values = [constant_value(operand) for operand in operands]
    known = [value for value in values if value is not None]
    if len(known) < len(values):
        return None
    dims = map.data.num_dims
    return choose(map.data.eval(known[:dims], known[dims:]))
