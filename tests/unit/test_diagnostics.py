import pytest
from xdsl.dialects.builtin import ModuleOp, StringAttr, i32
from xdsl.dialects.test import TestOp
from xdsl.ir import Block, Region
from xdsl.utils.exceptions import PassFailedException, VerifyException

from spatial_dialect.ir.diagnostics import (
    Finding,
    Findings,
    FindingsPassFailed,
    FindingsVerifyException,
    describe,
    value_name,
    warnings_to,
)


def test_no_errors_raise_nothing():
    findings = Findings()
    assert not findings
    findings.raise_verify()
    findings.raise_pass()


def test_all_errors_are_raised_together():
    first, second = TestOp(), TestOp()
    findings = Findings()
    findings.error(first, "is wrong", hint="put it right")
    findings.error(second, "is wrong too")
    assert findings
    with pytest.raises(VerifyException) as verify:
        findings.raise_verify()
    assert isinstance(verify.value, FindingsVerifyException)
    assert [finding.op for finding in verify.value.findings] == [first, second]
    assert str(verify.value) == (
        "'test.op' op is wrong\n  hint: put it right\n'test.op' op is wrong too"
    )
    with pytest.raises(PassFailedException) as failed:
        findings.raise_pass()
    assert isinstance(failed.value, FindingsPassFailed)
    assert failed.value.findings == verify.value.findings


def test_warnings_go_to_the_sink_and_are_no_error():
    heard: list[Finding] = []
    op = TestOp()
    findings = Findings()
    findings.warning(op, "nobody listens")
    with warnings_to(heard.append):
        findings.warning(op, "is doubtful", hint="look again")
    findings.warning(op, "nobody listens any more")
    assert heard == [Finding(op, "is doubtful", ("hint: look again",), "warning")]
    findings.raise_verify()


def test_value_names():
    op = TestOp(result_types=[i32, i32])
    op.results[0].name_hint = "page"
    assert value_name(op.results[0]) == "%page"
    assert value_name(op.results[1]) == "result #1 of 'test.op' op"
    several = Block([TestOp(result_types=[i32]) for _ in range(2)])
    last = several.last_op
    assert last is not None
    assert value_name(last.results[0]) == "result #0 of the 2nd 'test.op' op"
    block = Block(arg_types=[i32, i32])
    assert value_name(block.args[1]) == "argument #1 of a block"
    TestOp(regions=[Region(block)], properties={"sym_name": StringAttr("mm")})
    assert value_name(block.args[1]) == "argument #1 of 'test.op' op @mm"


def test_descriptions():
    assert describe(TestOp()) == "'test.op' op"
    assert describe(ModuleOp([], sym_name=StringAttr("top"))) == "'builtin.module' op @top"
    assert describe(TestOp(attributes={"sym_name": StringAttr("a")})) == "'test.op' op @a"
