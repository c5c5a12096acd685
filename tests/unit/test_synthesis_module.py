"""What `synthesize-handshakes` leaves alone."""

import pytest
from xdsl.context import Context
from xdsl.dialects.arith import Arith
from xdsl.dialects.builtin import Builtin, ModuleOp, bf16
from xdsl.ir import SSAValue
from xdsl.irdl import irdl_op_definition, operand_def
from xdsl.parser import Parser

from spatial_dialect.dialects.choreo import Choreo
from spatial_dialect.dialects.spatial import (
    BufferOp,
    ComputeStageOp,
    Phase,
    ProgramOp,
    Spatial,
)
from spatial_dialect.ir.diagnostics import FindingsPassFailed
from spatial_dialect.ir.types import BufferType
from spatial_dialect.passes.synthesize_handshakes import SynthesizeHandshakesPass


def copy(name: str, depth: str = "depth 2", handshake: str = "", target: str = "wormhole") -> str:
    return f"""
    spatial.program @{name}(%X : memref<32x128xbf16>, %Y : memref<32x128xbf16>)
        target #spatial.target<"{target}"> grid [1, 1] loops [k = 4] {{
      %x = spatial.buffer {depth} {handshake} : !spatial.buffer<1x1xbf16>
      spatial.load %X[0, k] into %x on move 0
      spatial.store %x into %Y[0, k] on move 1
    }}"""


def parsed(text: str) -> tuple[Context, ModuleOp]:
    context = Context()
    for dialect in (Builtin, Arith, Spatial, Choreo):
        context.load_dialect(dialect)
    return context, Parser(context, text).parse_module()


@pytest.mark.parametrize(
    "wrong",
    [copy("wrong", depth=""), copy("wrong", handshake="handshake valid_ready")],
)
@pytest.mark.parametrize("first", [True, False])
def test_module_unchanged_when_one_program_fails(wrong: str, first: bool):
    """If one program cannot be scheduled, none is changed, whatever the order.

    The good one would change in its stages, and on `fabric` in the handshake of its ring.
    """
    good = copy("good", target="fabric")
    context, module = parsed(wrong + good if first else good + wrong)
    before = str(module)
    with pytest.raises(FindingsPassFailed) as failure:
        SynthesizeHandshakesPass().apply(context, module)
    assert len(failure.value.findings) == 1
    assert str(module) == before
    module.verify()


def test_scheduled_program_is_left_alone():
    """The ops of a scheduled program are the very same ones after another run."""
    context, module = parsed(copy("one") + copy("two", target="fabric"))
    SynthesizeHandshakesPass().apply(context, module)
    programs = [op for op in module.walk() if isinstance(op, ProgramOp)]
    assert [program.phase for program in programs] == [Phase.SCHEDULED] * 2
    text, ops = str(module), list(module.walk())
    SynthesizeHandshakesPass(tag_stages=True).apply(context, module)
    assert str(module) == text
    assert all(one is other for one, other in zip(ops, module.walk(), strict=True))


def test_empty_module():
    """A module without programs stays empty."""
    module = ModuleOp([])
    SynthesizeHandshakesPass().apply(Context(), module)
    assert not list(module.ops)


@irdl_op_definition
class ScaleOp(ComputeStageOp):
    """A stage of some other dialect."""

    name = "test.scale"

    input = operand_def(BufferType)

    @property
    def page_reads(self) -> tuple[SSAValue, ...]:
        return (self.input,)


def test_stage_of_another_dialect_is_refused():
    """What the synthesis does not know is named, with the way out."""
    _, module = parsed(copy("one"))
    program = next(op for op in module.walk() if isinstance(op, ProgramOp))
    load, store = program.stages
    scaled = BufferOp(BufferType.of(1, 1, bf16), depth=1)
    page = load.page_write
    assert page is not None
    scale = ScaleOp(operands=[page, scaled.buffer])
    program.body.block.insert_ops_before([scaled, scale], store)
    store.operands[0] = scaled.buffer
    module.verify()
    with pytest.raises(FindingsPassFailed) as failure:
        SynthesizeHandshakesPass().apply(Context(), module)
    (finding,) = failure.value.findings
    assert finding.op is scale
    assert finding.text == (
        "'test.scale' op is a stage that synthesize-handshakes does not know\n"
        "  hint: lower it to stages of the spatial dialect first"
    )
