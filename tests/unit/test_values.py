"""The functional run: right programs under every schedule, and what it makes of wrong ones."""

import re
from pathlib import Path
from typing import Any, TypeAlias

import ml_dtypes
import numpy as np
import pytest
from numpy.typing import NDArray
from xdsl.context import Context
from xdsl.dialects import get_all_dialects
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser
from xdsl.universe import Universe

from spatial_dialect.dialects.spatial import DotOp, MatmulOp, ProgramOp
from spatial_dialect.ir.sites import Rect, Sites
from spatial_dialect.machine import reference, values
from spatial_dialect.machine.code import Numbering
from spatial_dialect.machine.kernels import never_filled
from spatial_dialect.machine.layout import classes
from spatial_dialect.machine.schedules import Schedule
from spatial_dialect.machine.values import Hang, RunError, run
from spatial_dialect.passes.synthesize_handshakes import SynthesizeHandshakesPass
from spatial_dialect.report.hangs import describe
from spatial_dialect.tools.run_tensors import arguments_of, compared, tolerances
from spatial_dialect.universe import ALL_DIALECTS, ALL_PASSES

ROOT = Path(__file__).resolve().parents[2]
# Those of JAX are tensor code.
EXAMPLES = sorted((ROOT / "examples").glob("[!j]*.mlir"))

Array: TypeAlias = NDArray[Any]
Arguments: TypeAlias = dict[str, Array | int]

SCHEDULES = ("round-robin", "random:1", "adversarial")

TARGET = 'target #spatial.target<"reference" {tile = [2, 4]}>'
SQUARE = 'target #spatial.target<"reference" {tile = [4, 4]}>'


def context() -> Context:
    found = Context()
    for name, dialect in (get_all_dialects() | ALL_DIALECTS).items():
        found.register_dialect(name, dialect)
    return found


def parsed(text: str) -> ModuleOp:
    module = Parser(context(), text).parse_module()
    module.verify()
    return module


def programs(module: ModuleOp) -> list[ProgramOp]:
    return [op for op in module.body.block.ops if isinstance(op, ProgramOp)]


def scheduled(module: ModuleOp) -> ModuleOp:
    copy = module.clone()
    SynthesizeHandshakesPass().apply(context(), copy)
    copy.verify()
    return copy


def both(text: str) -> tuple[ProgramOp, ProgramOp]:
    """The only program of a text, as dataflow and as engines."""
    module = parsed(text)
    (dataflow,), (engines,) = programs(module), programs(scheduled(module))
    return dataflow, engines


def engines_of(text: str) -> ProgramOp:
    """The only program of a text, which has engines."""
    (program,) = programs(parsed(text))
    return program


def numbers(*shape: int, seed: int = 0, dtype: Any = np.float32) -> Array:
    rng = np.random.default_rng(seed)
    if np.dtype(dtype).kind in "iu":
        return rng.integers(0, 100, shape).astype(dtype)
    return rng.normal(size=shape).astype(np.float32).astype(dtype)


def has_products(program: ProgramOp) -> bool:
    """Whether sums are made by a BLAS, which adds in another order for another shape."""
    return any(isinstance(stage, MatmulOp | DotOp) for stage in program.stages)


def check_meaning(text: str, **arguments: Array | int) -> dict[str, Array]:
    """Every schedule gives what the dataflow means: bit for bit, but for the order of sums."""
    dataflow, engines = both(text)
    expected = reference.run(dataflow, arguments)
    first: dict[str, Array] = {}
    for schedule in SCHEDULES:
        found = run(engines, arguments, schedule=schedule)
        assert list(found) == list(expected)
        for name, tensor in found.items():
            what = f"{name}, {schedule}"
            assert tensor.tobytes() == first.setdefault(name, tensor).tobytes(), what
            if has_products(dataflow) and tensor.dtype == np.float32:
                np.testing.assert_allclose(tensor, expected[name], 1e-4, 1e-5, err_msg=what)
            else:
                np.testing.assert_array_equal(tensor, expected[name], err_msg=what)
    return expected


################################################################################
# Programs                                                                     #
################################################################################


@pytest.mark.parametrize("schedule", SCHEDULES)
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_examples(path: Path, schedule: str):
    module = parsed(path.read_text())
    for dataflow, engines in zip(programs(module), programs(scheduled(module)), strict=True):
        given = {"n": "3"} if "runtime_depth" in path.stem else {}
        arguments, _ = arguments_of(dataflow, given, 0)
        expected = reference.run(dataflow, arguments)
        found = run(engines, arguments, schedule=schedule)
        for tensor, name in reference.argument_names(engines).items():
            if (tolerance := tolerances(engines).get(tensor)) is None:
                continue
            assert compared(found[name], expected[name], tolerance).passes, name
            if not has_products(dataflow):
                np.testing.assert_array_equal(found[name], expected[name])


@pytest.mark.parametrize("schedule", ["round-robin", "adversarial"])
@pytest.mark.parametrize(
    "passes",
    [
        "canonicalize,cse",
        "lower-affine,canonicalize,convert-scf-to-cf,canonicalize",
        "lower-affine,scf-for-loop-unroll,cse",
        "expand-sites",
    ],
)
@pytest.mark.parametrize("name", ["matmul_row", "attention_runtime_length"])
def test_after_generic_passes(name: str, passes: str, schedule: str):
    module = parsed((ROOT / "examples" / f"{name}.mlir").read_text())
    changed = scheduled(module)
    available = {**Universe.get_multiverse().all_passes, **ALL_PASSES}
    for each in passes.split(","):
        available[each]()().apply(context(), changed)
    (dataflow,), (engines,) = programs(module), programs(changed)
    arguments, _ = arguments_of(dataflow, {}, 0)
    expected = reference.run(dataflow, arguments)
    for tensor, found in run(engines, arguments, schedule=schedule).items():
        np.testing.assert_array_equal(found, expected[tensor])


MATMUL = """
    spatial.program @matmul(%A : memref<16x24xf32>, %B : memref<24x16xf32>, %C : memref<16x16xf32>)
        target #spatial.target<"reference" {{tile = [4, 4]}}> grid [2, 2]
        loops [k = 3, h = 2, w = 2] {{
      %a = spatial.buffer depth 2 : !spatial.buffer<2x2xf32>
      %b = spatial.buffer depth 2 : !spatial.buffer<2x2xf32>
      %c = spatial.buffer depth 4 : !spatial.buffer<1x1xf32>
      {p}
      spatial.load %A[y * 2, k * 2] into %a on move 0
      spatial.load %B[k * 2, x * 2] into %b on move 0
      spatial.matmul %a, %b into %c {form}
      spatial.store %c into %C[y * 2 + h, x * 2 + w] on move 1
    }}"""


@pytest.mark.parametrize(
    ("p", "form"),
    [
        ("%p = spatial.buffer depth 4 : !spatial.buffer<1x1xf32>", "spill %p by reload"),
        ("%p = spatial.buffer depth 4 : !spatial.buffer<1x1xf32>", "spill %p by pack"),
        ("%p = spatial.buffer depth 4 alias %c : !spatial.buffer<1x1xf32>", "spill %p by pack"),
    ],
)
def test_forms_of_a_matmul(p: str, form: str):
    a, b = numbers(16, 24), numbers(24, 16, seed=1)
    found = check_meaning(MATMUL.format(p=p, form=form), A=a, B=b)
    np.testing.assert_allclose(found["C"], a @ b, rtol=1e-4, atol=1e-5)


def test_partial_sums_are_rounded_to_their_pages():
    p = "%p = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>"
    engines = both(MATMUL.format(p=p, form="spill %p by reload"))[1]
    a, b = numbers(16, 24), numbers(24, 16, seed=1)
    expected = np.zeros((16, 16), np.float32)
    for k in range(3):
        expected = expected.astype(ml_dtypes.bfloat16).astype(np.float32)
        expected += a[:, k * 8 : k * 8 + 8] @ b[k * 8 : k * 8 + 8]
    for schedule in SCHEDULES:
        found = run(engines, {"A": a, "B": b}, schedule=schedule)["C"]
        np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize(
    ("senders", "receivers", "along"),
    [
        ("[0:3, 1]", "[0:3, 0] + [0:3, 2:4]", "x"),  # a class of two rectangles
        ("[1, 0:4]", "[0, 0:4] + [2, 0:4]", "y"),
        ("[1, 2]", "[0:3, 0:4]", "yx"),
        ("[0, 0] + [1, 1] + [2, 2]", "[0:3, 0:3]", "x"),  # on the diagonal
        ("[0, 3]", "[0, 0:3]", "x"),
    ],
)
def test_multicasts(senders: str, receivers: str, along: str):
    text = f"""
    spatial.program @send(%X : memref<6x32xf32>, %Y : memref<6x32xf32>)
        {TARGET} grid [3, 4] loops [k = 2] {{
      %x = spatial.buffer depth 2 : !spatial.buffer<1x1xf32>
      %y = spatial.buffer depth 2 : !spatial.buffer<1x1xf32>
      %g = spatial.group from {senders} to {receivers} along {along}
      spatial.load %X[y, x * 2 + k] into %x multicast %g at {senders} on move 0
      spatial.recv %g into %x at RECEIVING on move 0
      spatial.map (%x) into %y at ALL {{
      ^bb0(%0 : f32):
        %1 = arith.addf %0, %0 : f32
        spatial.yield %1 : f32
      }}
      spatial.store %y into %Y[y, x * 2 + k] at ALL on move 1
    }}"""

    def sites(text: str) -> Sites:
        rects: list[Rect] = []
        for part in text.split(" + "):
            bounds: list[int] = []
            for axis in part.strip("[]").split(", "):
                low, _, high = axis.partition(":")
                bounds += (int(low), int(high or int(low) + 1))
            rects.append(Rect(*bounds))
        return Sites.of(rects)

    everyone = sites(senders) | sites(receivers)
    text = text.replace("RECEIVING", str(everyone - sites(senders)))
    found = check_meaning(text.replace("ALL", str(everyone)), X=numbers(6, 32))
    assert np.count_nonzero(found["Y"]) == everyone.count * 16


def test_sites_with_different_trips_are_told_apart():
    text = f"""
    spatial.program @trips(%L : memref<4x2xi32>, %X : memref<8x32xf32>, %Y : memref<8x32xf32>)
        {TARGET} grid [4, 2] loops [k = ? max 4] {{
      %x = spatial.buffer depth 2 : !spatial.buffer<1x1xf32>
      spatial.trip k = %L[y, x]
      spatial.load %X[y, x * 4 + k] into %x on move 0
      spatial.store %x into %Y[y, x * 4 + k] on move 1
    }}"""
    trips = np.array([[0, 1], [2, 3], [4, 1], [1, 1]], np.int32)
    found = check_meaning(text, L=trips, X=numbers(8, 32))
    assert np.count_nonzero(found["Y"]) == 8 * trips.sum()


def test_more_trips_than_classes():
    text = f"""
    spatial.program @trips(%L : memref<100x1xi32>, %X : memref<200x400xf32>,
                           %Y : memref<200x400xf32>)
        {TARGET} grid [100, 1] loops [k = ? max 100] {{
      %x = spatial.buffer depth 2 : !spatial.buffer<1x1xf32>
      spatial.trip k = %L[y, 0]
      spatial.load %X[y, k] into %x on move 0
      spatial.store %x into %Y[y, k] on move 1
    }}"""
    trips = np.arange(100, dtype=np.int32)[:, None]
    found = check_meaning(text, L=trips, X=numbers(200, 400))
    assert np.count_nonzero(found["Y"]) == 8 * trips.sum()


def test_work_items_one_after_the_other():
    text = f"""
    spatial.program @items(%X : memref<12x8xf32>, %Y : memref<12x8xf32>)
        {TARGET} grid [2, 2] loops [i = 3] {{
      %x = spatial.buffer depth 2 : !spatial.buffer<1x1xf32>
      spatial.load %X[i * 2 + y, x] into %x on move 0
      spatial.store %x into %Y[(2 - i) * 2 + y, x] on move 1
    }}"""
    given = numbers(12, 8)
    expected = np.concatenate([given[8:], given[4:8], given[:4]])
    np.testing.assert_array_equal(check_meaning(text, X=given)["Y"], expected)
    engines = both(text)[1]
    only = run(engines, {"X": given}, item=1)["Y"]
    np.testing.assert_array_equal(only[4:8], given[4:8])
    assert not only[:4].any()
    assert not only[8:].any()
    with pytest.raises(RunError, match="has no item 3: it has 3"):
        run(engines, {"X": given}, item=3)


def test_gathers_and_scatters():
    text = f"""
    spatial.program @gather(%I : memref<2x16xi32>, %T : memref<20x8xf32>, %Y : memref<8x16xf32>)
        {SQUARE} grid [2, 2] loops [h = 2] {{
      %ix = spatial.buffer depth 2 : !spatial.buffer<1x1xi32>
      %t = spatial.buffer depth 2 : !spatial.buffer<1x1xf32>
      spatial.load %I[0, y * 2 + h] into %ix pad 3 : i32 on move 0
      spatial.load %T[0, x] into %t via %ix rows on move 0
      spatial.store %t into %Y[y, x * 2 + h] on move 1
    }}"""
    rows = np.random.default_rng(2).integers(0, 20, (2, 16)).astype(np.int32)
    check_meaning(text, I=rows, T=numbers(20, 8))


def test_an_index_page_gives_an_address():
    text = f"""
    spatial.program @gather(%I : memref<4x8xi32>, %T : memref<20x8xf32>, %Y : memref<4x8xf32>)
        {TARGET} grid [2, 2] loops [k = 1] {{
      %ix = spatial.buffer depth 2 : !spatial.buffer<1x1xi32>
      %t = spatial.buffer depth 2 : !spatial.buffer<1x1xf32>
      spatial.load %I[y, x] into %ix on move 0
      spatial.load %T[ind, x] into %t via %ix on move 0
      spatial.store %t into %Y[y, x] on move 1
    }}"""
    index = np.random.default_rng(2).integers(0, 10, (4, 8)).astype(np.int32)
    check_meaning(text, I=index, T=numbers(20, 8))


def test_padding_is_clipped_when_it_is_written():
    text = f"""
    spatial.program @pad(%X : memref<5x7xf32>, %Y : memref<5x7xf32>)
        {TARGET} grid [3, 2] loops [k = 1] {{
      %x = spatial.buffer depth 2 : !spatial.buffer<1x1xf32>
      %y = spatial.buffer depth 2 : !spatial.buffer<1x1xf32>
      spatial.load %X[y, x] into %x pad -1.0 : f32 on move 0
      spatial.map (%x) into %y {{
      ^bb0(%0 : f32):
        %1 = arith.negf %0 : f32
        spatial.yield %1 : f32
      }}
      spatial.store %y into %Y[y, x] on move 1
    }}"""
    given = numbers(5, 7)
    np.testing.assert_array_equal(check_meaning(text, X=given)["Y"], -given)


@pytest.mark.parametrize("type", ["bf16", "f16", "f8E4M3FN", "!spatial.bfp8", "i8", "ui8", "i32"])
def test_element_types(type: str):
    memory = "tensor" if type.startswith("!") else "memref"
    code, add = ("i32", "addi") if "i" in type and "bfp" not in type else ("f32", "addf")
    text = f"""
    spatial.program @twice(%X : {memory}<16x32x{type}>, %Y : {memory}<16x32x{type}>)
        target #spatial.target<"reference" {{tile = [16, 16]}}> grid [1, 2] loops [k = 1] {{
      %x = spatial.buffer depth 2 : !spatial.buffer<1x1x{type}>
      %y = spatial.buffer depth 2 : !spatial.buffer<1x1x{type}>
      spatial.load %X[0, x] into %x on move 0
      spatial.map (%x) into %y {{
      ^bb0(%0 : {code}):
        %1 = arith.{add} %0, %0 : {code}
        spatial.yield %1 : {code}
      }}
      spatial.store %y into %Y[0, x] on move 1
    }}"""
    dataflow = both(text)[0]
    arguments, _ = arguments_of(dataflow, {}, 0)
    check_meaning(text, **arguments)


def test_numbers_that_are_none_pass_through():
    text = f"""
    spatial.program @copy(%X : memref<2x8xf32>, %Y : memref<2x8xf32>)
        {TARGET} grid [1, 2] loops [k = 1] {{
      %x = spatial.buffer depth 2 : !spatial.buffer<1x1xf32>
      spatial.load %X[0, x] into %x on move 0
      spatial.store %x into %Y[0, x] on move 1
    }}"""
    given = numbers(2, 8)
    given[0, :3] = np.nan, np.inf, -np.inf
    check_meaning(text, X=given)


def test_a_tensor_is_not_changed_in_place():
    _, engines = both(f"""
    spatial.program @copy(%X : memref<2x4xf32>, %Y : memref<2x4xf32>)
        {TARGET} grid [1, 1] loops [k = 1] {{
      %x = spatial.buffer depth 2 : !spatial.buffer<1x1xf32>
      spatial.load %X[0, 0] into %x on move 0
      spatial.store %x into %Y[0, 0] on move 1
    }}""")
    x, y = numbers(2, 4), np.zeros((2, 4), np.float32)
    found = run(engines, {"X": x, "Y": y})
    assert not y.any()
    assert found["Y"].any()
    assert found["X"] is x


################################################################################
# Engines written by hand                                                      #
################################################################################


def copy_engines(into: str = "", out: str = "", depth: int = 2, before: str = "") -> str:
    """A choreography that copies X to Y, four pages long."""
    address = """
      %r = affine.apply affine_map<(d0) -> (d0 floordiv 2)> (%k)
      %c = affine.apply affine_map<(d0) -> (d0 mod 2)> (%k)"""
    into = into or "choreo.reserve %x\nREAD\nchoreo.read_barrier\nchoreo.push %x"
    out = out or "choreo.wait %x\nWRITE\nchoreo.write_barrier\nchoreo.pop %x"
    into = into.replace("READ", "choreo.read_tiles %X[%r, %c] into %x")
    out = out.replace("WRITE", "choreo.write_tiles %x into %Y[%r, %c]")
    return f"""
    spatial.program @copy(%X : memref<4x8xf32>, %Y : memref<4x8xf32>)
        {TARGET} grid [1, 1] loops [k = 4] requires [fifo] {{
      %x = spatial.buffer depth {depth} : !spatial.buffer<1x1xf32>
      choreo.engine @in on move 0 {{
      ^bb0(%y : index, %z : index):
        {before}
        affine.for %k = 0 to 4 {{ {address}
          {into}
        }}
      }}
      choreo.engine @out on move 1 {{
      ^bb0(%y : index, %z : index):
        affine.for %k = 0 to 4 {{ {address}
          {out}
        }}
      }}
    }}"""


def outcomes(text: str) -> dict[str, Array]:
    """What Y is after a run under each schedule."""
    (program,) = programs(Parser(context(), text).parse_module())
    given: Arguments = {"X": numbers(4, 8)}
    return {schedule: run(program, given, schedule=schedule)["Y"] for schedule in SCHEDULES}


def test_a_right_copy():
    for found in outcomes(copy_engines()).values():
        np.testing.assert_array_equal(found, numbers(4, 8))


def test_a_page_that_is_pushed_before_it_has_landed_is_not_a_number():
    found = outcomes(copy_engines(into="choreo.reserve %x\nREAD\nchoreo.push %x"))
    np.testing.assert_array_equal(found["round-robin"], numbers(4, 8))
    assert np.isnan(found["adversarial"]).all()
    assert np.isnan(found["random:1"]).any()


def test_a_page_that_is_popped_before_it_has_left_is_lost():
    found = outcomes(copy_engines(out="choreo.wait %x\nWRITE\nchoreo.pop %x", depth=1))
    np.testing.assert_array_equal(found["round-robin"], numbers(4, 8))
    assert not np.array_equal(found["adversarial"], numbers(4, 8))


def test_a_page_that_nobody_filled_is_not_a_number():
    for found in outcomes(copy_engines(into="choreo.reserve %x\nchoreo.push %x")).values():
        assert np.isnan(found).all()


SEND = """
    spatial.program @send(%X : memref<2x16xf32>, %Y : memref<2x16xf32>)
        target #spatial.target<"reference" {{tile = [2, 4], ordering = "{ordering}"}}>
        grid [1, 4] loops [k = 1] requires [fifo, semaphore] {{
      %x = spatial.buffer depth 1 : !spatial.buffer<1x1xf32>
      %row = spatial.group from [0, 0] to [0, 1:4] along x
      %ready, %valid = choreo.semaphores %row
      choreo.engine @send on move 0 at [0, 0] {{
      ^bb0(%y : index, %z : index):
        choreo.reserve %x
        choreo.read_tiles %X[%y, %z] into %x
        choreo.read_barrier
        choreo.sem_wait %ready eq 3
        choreo.sem_set %ready, 0
        {send}
        choreo.push %x
        choreo.wait %x
        choreo.write_tiles %x into %Y[%y, %z]
        choreo.write_barrier
        choreo.pop %x
      }}
      choreo.engine @receive on move 0 at [0, 1:4] {{
      ^bb0(%y : index, %z : index):
        choreo.reserve %x
        choreo.sem_set %valid, invalid
        choreo.sem_inc %ready at sender of %row
        choreo.sem_wait %valid eq valid
        choreo.push %x
        choreo.wait %x
        choreo.write_tiles %x into %Y[%y, %z]
        choreo.write_barrier
        choreo.pop %x
      }}
    }}"""
FLAG = "choreo.mcast_set_valid %valid to %row"


@pytest.mark.parametrize(
    ("ordering", "send", "right"),
    [
        ("ordered", f"choreo.mcast_send %x to %row hold_path\n{FLAG}", True),
        ("ordered", f"choreo.mcast_send %x to %row\n{FLAG}", False),
        ("ordered", f"choreo.mcast_send %x to %row\nchoreo.flush\n{FLAG}", True),
        ("ordered", f"choreo.mcast_send %x to %row\nchoreo.flush when needs_flush\n{FLAG}", False),
        ("needs_flush", f"choreo.mcast_send %x to %row hold_path\n{FLAG}", False),
        (
            "needs_flush",
            f"choreo.mcast_send %x to %row hold_path\nchoreo.flush when needs_flush\n{FLAG}",
            True,
        ),
        ("ordered", f"{FLAG}\nchoreo.mcast_send %x to %row hold_path", False),
    ],
)
def test_flags_overtake_data_that_they_are_not_ordered_after(ordering: str, send: str, right: bool):
    text = SEND.format(ordering=ordering, send=send)
    (program,) = programs(Parser(context(), text).parse_module())
    given: Arguments = {"X": numbers(2, 16)}
    found = run(program, given, schedule="adversarial")["Y"]
    sent = given["X"]
    assert not isinstance(sent, int)
    np.testing.assert_array_equal(found[:, :4], sent[:, :4])
    copies = np.tile(found[:, :4], 4)
    if right:
        np.testing.assert_array_equal(found, copies)
    else:
        assert np.isnan(found[:, 4:]).all()
    if "valid to %row\nchoreo.mcast" not in send:
        np.testing.assert_array_equal(run(program, given)["Y"], copies)


def test_control_that_depends_on_the_site():
    text = f"""
    spatial.program @some(%X : memref<8x16xf32>, %Y : memref<8x16xf32>)
        {TARGET} grid [4, 4] loops [k = 1] requires [fifo] {{
      %x = spatial.buffer depth 2 : !spatial.buffer<1x1xf32>
      choreo.engine @both on move 0 {{
      ^bb0(%y : index, %z : index):
        affine.for %k = affine_map<(d0) -> (d0)>(%y) to 4 {{
          choreo.reserve %x
          choreo.read_tiles %X[%y, %k] into %x
          choreo.read_barrier
          choreo.push %x
          choreo.wait %x
          choreo.write_tiles %x into %Y[%y, %k]
          choreo.write_barrier
          choreo.pop %x
        }}
      }}
    }}"""
    program, given = engines_of(text), numbers(8, 16)
    for schedule in SCHEDULES:
        found = run(program, {"X": given}, schedule=schedule)["Y"]
        for y in range(4):
            rows = slice(2 * y, 2 * y + 2)
            np.testing.assert_array_equal(found[rows, 4 * y :], given[rows, 4 * y :])
            assert not found[rows, : 4 * y].any()


def test_an_index_that_the_program_is_given():
    text = f"""
    spatial.program @some(%n : index, %X : memref<2x16xf32>, %Y : memref<2x16xf32>)
        {TARGET} grid [1, 1] loops [k = 1] requires [fifo] {{
      %x = spatial.buffer depth 2 : !spatial.buffer<1x1xf32>
      choreo.engine @both on move 0 {{
      ^bb0(%y : index, %z : index):
        choreo.reserve %x
        choreo.read_tiles %X[%y, %n] into %x
        choreo.read_barrier
        choreo.push %x
        choreo.wait %x
        choreo.write_tiles %x into %Y[%y, %n]
        choreo.write_barrier
        choreo.pop %x
      }}
    }}"""
    found = run(engines_of(text), {"n": 2, "X": numbers(2, 16)})["Y"]
    np.testing.assert_array_equal(found[:, 8:12], numbers(2, 16)[:, 8:12])


def test_code_may_use_constants_of_the_engine():
    text = f"""
    spatial.program @scale(%X : memref<2x4xf32>, %Y : memref<2x4xf32>)
        {TARGET} grid [1, 1] loops [k = 1] requires [fifo] {{
      %x = spatial.buffer depth 1 : !spatial.buffer<1x1xf32>
      %y = spatial.buffer depth 1 : !spatial.buffer<1x1xf32>
      choreo.engine @in on move 0 {{
      ^bb0(%r : index, %c : index):
        choreo.reserve %x
        choreo.read_tiles %X[%r, %c] into %x
        choreo.read_barrier
        choreo.push %x
        choreo.wait %y
        choreo.write_tiles %y into %Y[%r, %c]
        choreo.write_barrier
        choreo.pop %y
      }}
      choreo.engine @compute on compute {{
      ^bb0(%r : index, %c : index):
        %two = arith.constant 2.0 : f32
        choreo.wait %x
        %acc = choreo.acquire 1xf32
        choreo.map %acc (%x) {{
        ^bb0(%0 : f32):
          %1 = arith.mulf %0, %two : f32
          spatial.yield %1 : f32
        }}
        choreo.reserve %y
        choreo.pack %acc into %y
        choreo.push %y
        choreo.release %acc
        choreo.pop %x
      }}
    }}"""
    (program,) = programs(Parser(context(), text).parse_module())
    np.testing.assert_array_equal(run(program, {"X": numbers(2, 4)})["Y"], 2 * numbers(2, 4))


################################################################################
# Errors                                                                       #
################################################################################


def test_a_hang_names_who_waits_for_what():
    into = "choreo.reserve %x\nREAD\nchoreo.read_barrier\nchoreo.push %x"
    (program,) = programs(
        Parser(context(), copy_engines(into, out="choreo.wait %x, 2\nWRITE")).parse_module()
    )
    with pytest.raises(Hang) as error:
        run(program, {"X": numbers(4, 8)})
    assert str(error.value) == "no engine can go on: @in"
    (line,) = describe(error.value.machine)
    assert line.startswith("@in at [0, 0] waits")
    assert "for room for a page of %x: 2 of 2 pages full" in line


def test_a_hang_at_a_semaphore():
    text = SEND.format(ordering="ordered", send=FLAG).replace("eq 3", "eq 4")
    (program,) = programs(Parser(context(), text).parse_module())
    for schedule, sites in (("round-robin", "[0, 1:4]"), ("adversarial", "[0, 3]")):
        with pytest.raises(Hang) as error:
            run(program, {"X": numbers(2, 16)}, schedule=schedule)
        lines = describe(error.value.machine)
        assert any(
            line.startswith("@send at [0, 0] waits") and "for %ready eq 4: it is 3" in line
            for line in lines
        )
        assert any(
            line.startswith("@receive at") and sites in line and "%valid eq valid" in line
            for line in lines
        )


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_pages_outside_of_a_tensor(schedule: str):
    text = f"""
    spatial.program @far(%X : memref<4x8xf32>, %Y : memref<8x8xf32>)
        {TARGET} grid [3, 2] loops [i = 2, k = 2] {{
      %x = spatial.buffer depth 2 : !spatial.buffer<1x1xf32>
      spatial.load @fetch %X[y, k] into %x on move 0
      spatial.store %x into %Y[y, k] on move 1
    }}"""
    (program,) = programs(
        Parser(context(), str(scheduled(Parser(context(), text).parse_module()))).parse_module()
    )
    message = (
        "@far: 'choreo.read_tiles' op of @move0_0 reads outside %X at site [2, 0], item 0, "
        "iteration 0 of %k: index 4 of dimension 0, which has 4"
    )
    with pytest.raises(RunError, match=re.escape(message).replace("2,\\ 0", "2,\\ [01]")):
        run(program, {"X": numbers(4, 8)}, schedule=schedule)


def test_gathered_rows_outside_of_a_tensor():
    text = f"""
    spatial.program @gather(%I : memref<4x4xi32>, %T : memref<8x4xf32>, %Y : memref<4x4xf32>)
        {SQUARE} grid [1, 1] loops [k = 1] {{
      %ix = spatial.buffer depth 2 : !spatial.buffer<1x1xi32>
      %t = spatial.buffer depth 2 : !spatial.buffer<1x1xf32>
      spatial.load %I[0, 0] into %ix on move 0
      spatial.load %T[0, 0] into %t via %ix rows on move 0
      spatial.store %t into %Y[0, 0] on move 1
    }}"""
    engines = both(text)[1]
    index = np.arange(16, dtype=np.int32).reshape(4, 4) * 3
    with pytest.raises(RunError, match=r"reads outside %T via %ix at site .*: index 9 of dim"):
        run(engines, {"I": index, "T": numbers(8, 4)})


def test_trips_that_are_too_large_or_nowhere():
    text = f"""
    spatial.program @trips(%L : memref<4x2xi32>, %X : memref<8x32xf32>, %Y : memref<8x32xf32>)
        {TARGET} grid [4, 2] loops [k = ? max 4] {{
      %x = spatial.buffer depth 2 : !spatial.buffer<1x1xf32>
      spatial.trip k = %L[y, x]
      spatial.load %X[y, x * 4 + k] into %x on move 0
      spatial.store %x into %Y[y, x * 4 + k] on move 1
    }}"""
    engines = both(text)[1]
    shorter = str(engines).replace("%L: memref<4x2xi32>", "%L: memref<3x2xi32>")
    (program,) = programs(Parser(context(), shorter).parse_module())
    for schedule in SCHEDULES:
        arguments: Arguments = {"L": np.ones((3, 2), np.int32), "X": numbers(8, 32)}
        with pytest.raises(RunError, match=r"at site \[3, .\] reads outside %L: index 3 of dim"):
            run(program, arguments, schedule=schedule)
        arguments["L"] = np.array([[1, 1], [1, 5], [1, 1], [1, 1]], np.int32)
        message = r"trip of k at site \[1, 1\] is 5, given by %L, but it is 0 to 4"
        with pytest.raises(RunError, match=message):
            run(engines, arguments, schedule=schedule)


def test_arguments_are_checked_like_those_of_the_reference():
    dataflow, engines = both(
        copy_text := f"""
    spatial.program @copy(%X : memref<2x4xf32>, %Y : memref<2x4xf32>)
        {TARGET} grid [1, 1] loops [k = 1] {{
      %x = spatial.buffer depth 2 : !spatial.buffer<1x1xf32>
      spatial.load %X[0, 0] into %x on move 0
      spatial.store %x into %Y[0, 0] on move 1
    }}"""
    )
    for arguments in (
        {},
        {"Z": 1},
        {"X": numbers(4, 2)},
        {"X": numbers(2, 4).astype(np.float64)},
        {"X": 3},
    ):
        with pytest.raises(ValueError, match="@copy") as expected:
            reference.run(dataflow, arguments)
        with pytest.raises(RunError) as found:
            run(engines, arguments)
        assert str(found.value) == str(expected.value)
    with pytest.raises(RunError, match="@copy has no engines"):
        run(dataflow, {"X": numbers(2, 4)})
    assert copy_text


def test_an_engine_that_takes_no_part_in_a_group():
    text = SEND.format(ordering="ordered", send=FLAG).replace("at [0, 0]", "at [0, 1]", 1)
    text = text.replace("at [0, 1:4]", "at [0, 0]", 1)
    (program,) = programs(Parser(context(), text).parse_module())
    with pytest.raises(RunError, match=r"at no receiver of %row"):
        run(program, {"X": numbers(2, 16)})


@pytest.mark.parametrize(
    "text", ["", "random", "random:7", "random:-1", "random:x", "greedy", "adversarial:1"]
)
def test_names_of_schedules(text: str):
    if text in ("random", "random:7"):
        assert Schedule.of(text) == Schedule("random", 7 if "7" in text else 0)
        assert str(Schedule.of(text)) == ("random:7" if "7" in text else "random:0")
    else:
        with pytest.raises(ValueError, match="choose from round-robin, random:SEED, adversarial"):
            Schedule.of(text)


################################################################################
# Parts                                                                        #
################################################################################


def test_classes_are_cells():
    text = (ROOT / "examples" / "matmul_2d_multicast.mlir").read_text()
    (program,) = programs(scheduled(parsed(text)))
    layout = classes(Numbering(program))
    assert layout.sites is not None
    assert list(map(str, layout.sites)) == ["[0, 0]", "[0, 1:8]", "[1:8, 0]", "[1:8, 1:8]"]
    rows, cols = layout.links
    assert rows.receivers == {0: (1,), 2: (3,)}
    assert rows.sender == {1: 0, 3: 2}
    assert rows.weight == {1: 7, 3: 7}
    assert cols.receivers == {0: (2,), 1: (3,)}
    assert [len(engines) for engines in layout.engines] == [3, 3, 3, 3]
    apart = classes(Numbering(program), [Sites.of([Rect(3, 4, 3, 4)])])
    assert apart.sites is not None
    assert "[3, 3]" in map(str, apart.sites)
    assert len(apart.components()) == 1


@pytest.mark.parametrize(
    ("type", "marker"),
    [("f32", None), ("bf16", None), ("i8", -128), ("ui8", 255), ("i32", -(2**31)), ("i1", 1)],
)
def test_what_a_page_holds_that_was_never_filled(type: str, marker: int | None):
    text = f"""
    spatial.program @one(%X : memref<2x4x{type}>, %Y : memref<2x4x{type}>)
        {TARGET} grid [1, 1] loops [k = 1] {{
      %x = spatial.buffer depth 2 : !spatial.buffer<1x1x{type}>
      spatial.load %X[0, 0] into %x on move 0
      spatial.store %x into %Y[0, 0] on move 1
    }}"""
    (program,) = programs(Parser(context(), text).parse_module())
    page = never_filled(program.buffers[0].page, (2, 4)).values.astype(np.float64)
    assert page.shape == (1, 1, 2, 4)
    assert np.isnan(page).all() if marker is None else (page == marker).all()


def test_progress_is_told():
    path = ROOT / "examples" / "matmul_row.mlir"
    (program,) = programs(scheduled(parsed(path.read_text())))
    arguments, _ = arguments_of(program, {}, 0)
    told: list[int] = []
    values.run(program, arguments, progress=told.append)
    assert told == sorted(told)
    assert told[-1] > 100
