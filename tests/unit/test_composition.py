"""xDSL's own passes keep choreography as it is.

No op that waits, signals or touches a page is lost, merged or reordered, whether they run before or
after the synthesis. A small interpreter, which shares nothing with the package but the ops, runs
the code of an engine on one of its sites and writes down each op it meets, with its operands: what
it writes must not change.
"""

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from xdsl.context import Context
from xdsl.dialects import affine, arith, cf, scf
from xdsl.dialects.builtin import IntegerAttr, ModuleOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.parser import Parser
from xdsl.universe import Universe

from spatial_dialect.dialects import choreo, spatial
from spatial_dialect.tools.dominance import check_dominance
from spatial_dialect.universe import ALL_DIALECTS, ALL_PASSES

ROOT = Path(__file__).resolve().parents[2]
# Those of JAX are tensor code.
EXAMPLES = sorted((ROOT / "examples").glob("[!j]*.mlir"))

PASSES = (
    "canonicalize",
    "cse",
    "dce",
    "lower-affine",
    "scf-for-loop-unroll",
    "convert-scf-to-cf",
)
PIPELINES = (
    *((name,) for name in PASSES),
    ("lower-affine", "convert-scf-to-cf"),
    PASSES,
    ("lower-affine", "canonicalize", "cse", "dce", "convert-scf-to-cf", "canonicalize", "cse"),
)
UNROLLING = (
    ("lower-affine", "scf-for-loop-unroll"),
    ("canonicalize", "lower-affine", "cse", "scf-for-loop-unroll", "canonicalize", "cse", "dce"),
)

# Twice the same ops, results that nobody uses, equal buffers and groups: all of it must stay.
BY_HAND = """
spatial.program @by_hand(%A : memref<512x512xbf16>, %C : memref<512x512xbf16>, %n : index)
    target #spatial.target<"reference"> grid [2, 3] loops [k = ? max 4]
    requires [fifo, semaphore] {
  %a = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  %c = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  %ix = spatial.buffer depth 4 : !spatial.buffer<1x1xi32>
  %g = spatial.group from [0:2, 0] to [0:2, 1:3] along x
  %h = spatial.group from [0:2, 0] to [0:2, 1:3] along x
  %g_ready, %g_valid = choreo.semaphores %g
  %h_ready, %h_valid = choreo.semaphores %h
  choreo.engine @send on move 0 at [0:2, 0] {
  ^bb0(%y : index, %x : index):
    %trip = choreo.trip %n
    %again = choreo.trip %n
    %item = choreo.item
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    affine.for %h0 = 0 to 1 {
      choreo.flush
      choreo.flush
    }
    affine.for %none = 2 to 2 {
      choreo.read_barrier
    }
    scf.for %k = %c0 to %again step %c1 {
      choreo.wait %ix
      choreo.wait %ix
      %unused = choreo.load_index %ix
      %ind = choreo.load_index %ix
      choreo.pop %ix
      affine.for %w = 1 to 8 step 3 {
        choreo.reserve %a
        choreo.reserve %b
        %two = arith.constant 2 : index
        %r = affine.apply affine_map<(d0, d1) -> (d0 * 8 + d1)> (%y, %w)
        %s = arith.muli %k, %two : index
        choreo.read_tiles %A[%r, %s] into %a
        choreo.read_tiles %A[%ind, %s] into %b
        choreo.read_barrier
        choreo.read_barrier
        choreo.sem_wait %g_ready eq 2
        choreo.sem_set %g_ready, 0
        choreo.sem_wait %h_ready eq 2
        choreo.sem_set %h_ready, 0
        choreo.mcast_send %a to %g hold_path
        choreo.mcast_set_valid %g_valid to %g
        choreo.mcast_send %b to %h hold_path
        choreo.mcast_set_valid %h_valid to %h
        choreo.push %a
        choreo.push %b
      }
    }
  }
  choreo.engine @receive on move 0 at [0:2, 1:3] {
  ^bb0(%y : index, %x : index):
    affine.for %w = 0 to 3 {
      choreo.reserve %a
      choreo.sem_set %g_valid, invalid
      choreo.sem_set %g_valid, invalid
      choreo.sem_inc %g_ready at sender of %g
      choreo.sem_inc %g_ready at sender of %g
      choreo.sem_wait %g_valid eq valid
      choreo.sem_wait %g_valid eq valid
      choreo.push %a
    }
  }
  choreo.engine @compute on compute {
  ^bb0(%y : index, %x : index):
    choreo.wait %a
    affine.for %h0 = 0 to 2 {
      affine.for %w = 0 to 2 {
        %acc = choreo.acquire 1xf32
        choreo.release %acc
        %acc2 = choreo.acquire 1xf32
        choreo.matmul %acc2, %a, %a[%h0, %w]
        choreo.matmul %acc2, %a, %a[%h0, %w]
        choreo.map %acc2 (%a) {
        ^bb0(%0 : f32):
          %1 = arith.addf %0, %0 : f32
          spatial.yield %1 : f32
        }
        choreo.reserve %c
        choreo.pack %acc2 into %c
        choreo.pack %acc2 into %c accumulate
        choreo.push %c
        choreo.release %acc2
      }
    }
    %zero = arith.constant 0 : index
    %even = arith.cmpi eq, %y, %zero : index
    scf.if %even {
      choreo.wait %b
      choreo.pop %b
    } else {
      choreo.wait %b
      choreo.pop %b
    }
    choreo.pop %a
  }
  choreo.engine @store on move 1 {
  ^bb0(%y : index, %x : index):
    affine.for %w = 0 to 4 {
      choreo.wait %c
      %r = affine.apply affine_map<(d0, d1) -> (d0 * 8 + d1 mod 3)> (%y, %w)
      %s = affine.apply affine_map<(d0, d1) -> (d0 + d1 floordiv 2)> (%x, %w)
      choreo.write_tiles %c into %C[%r, %s]
      choreo.write_tiles %c into %C[%r, %s]
      choreo.write_barrier
      choreo.write_barrier
      choreo.pop %c
    }
  }
}
"""


################################################################################
# The interpreter                                                              #
################################################################################

Event = tuple[Any, ...]


@dataclass
class Run:
    """One engine on one site, for one run-time trip."""

    trip: int
    values: dict[SSAValue, Any]
    trace: list[Event] = field(default_factory=list[Event])

    def region(self, region: Region, *args: Any) -> Sequence[Any]:
        """Run a region from its first block; the operands of the terminator that ends it."""
        block: Block | None = region.first_block
        while block is not None:
            self.values.update(zip(block.args, args, strict=True))
            for op in block.ops:
                self.step(op)
            last = block.last_op
            match last:
                case cf.BranchOp():
                    block, args = last.successor, self.get(last.arguments)
                case cf.ConditionalBranchOp() if self.values[last.cond]:
                    block, args = last.then_block, self.get(last.then_arguments)
                case cf.ConditionalBranchOp():
                    block, args = last.else_block, self.get(last.else_arguments)
                case _:
                    return () if last is None else self.get(last.operands)
        return ()

    def get(self, values: Sequence[SSAValue]) -> tuple[Any, ...]:
        return tuple(self.values[value] for value in values)

    def step(self, op: Operation) -> None:
        match op:
            case arith.ConstantOp(value=IntegerAttr() as value):
                results = (value.value.data,)
            case arith.AddiOp() | arith.MuliOp() | arith.RemSIOp() | arith.FloorDivSIOp():
                left, right = self.get(op.operands)
                results = (
                    left + right
                    if isinstance(op, arith.AddiOp)
                    else left * right
                    if isinstance(op, arith.MuliOp)
                    else left % right
                    if isinstance(op, arith.RemSIOp)
                    else left // right,
                )
            case arith.CmpiOp():
                left, right = self.get(op.operands)
                results = (left == right if op.predicate.value.data == 0 else left < right,)
                assert op.predicate.value.data in (0, 2)
            case affine.ApplyOp():
                results = op.map.data.eval(self.get(op.mapOperands), ())
            case affine.ForOp():
                assert not op.inits
                (lower,) = op.lowerBoundMap.data.eval(self.get(op.lowerBoundOperands), ())
                (upper,) = op.upperBoundMap.data.eval(self.get(op.upperBoundOperands), ())
                for i in range(lower, upper, op.step.value.data):
                    self.region(op.body, i)
                results = ()
            case scf.ForOp():
                results = self.get(op.iter_args)
                for i in range(*self.get((op.lb, op.ub, op.step))):
                    results = self.region(op.body, i, *results)
            case scf.IfOp():
                results = self.region(op.true_region if self.values[op.cond] else op.false_region)
            case choreo.EndOp() | affine.YieldOp() | scf.YieldOp():
                return
            case cf.BranchOp() | cf.ConditionalBranchOp():
                return
            case _:
                results = self.choreography(op)
        self.values.update(zip(op.results, results, strict=True))

    def choreography(self, op: Operation) -> tuple[Any, ...]:
        """Write down an op; code of maps is arithmetic, which passes may well simplify."""
        assert op.name.startswith("choreo."), op
        properties = tuple(sorted((name, str(value)) for name, value in op.properties.items()))
        number = len(self.trace)
        if not isinstance(op, choreo.ItemOp):  # reads what never changes: may be dropped or merged
            self.trace.append((op.name, properties, *self.get(op.operands)))
        match op:
            case choreo.TripOp():
                return (self.trip,)
            case choreo.ItemOp():
                return (0,)
            case choreo.LoadIndexOp():
                return (number,)
            case choreo.AcquireOp():
                return (f"accumulator {number}",)
            case _:
                return ()


Traces = dict[tuple[str, str, tuple[int, int], int], list[Event]]


def traces(
    module: ModuleOp, only: Container[tuple[str, str, tuple[int, int]]] | None = None
) -> Traces:
    """What the engines do, at the first and the last site of each, for several run-time trips."""
    found: Traces = {}
    for program in module.ops:
        assert isinstance(program, spatial.ProgramOp)
        known: dict[SSAValue, Any] = {}
        for value in names(program):
            assert value.name_hint not in known.values()
            known[value] = value.name_hint
        for engine in program.body.block.ops:
            if not isinstance(engine, choreo.EngineOp):
                continue
            box = engine.sites.rects[-1]
            at_run_time = any(isinstance(op, choreo.TripOp) for op in engine.walk())
            for site in dict.fromkeys((engine.sites.first, (box.y1 - 1, box.x1 - 1))):
                key = (program.sym_name.data, engine.sym_name.data, site)
                if only is not None and key not in only:
                    continue
                for trip in (0, 1, 3) if at_run_time else (0,):
                    run = Run(trip, dict(known))
                    run.region(engine.body, *site)
                    found[*key, trip] = run.trace
    assert any(found.values())
    return found


def names(program: spatial.ProgramOp) -> Iterator[SSAValue]:
    yield from program.body.block.args
    for op in program.body.block.ops:
        yield from op.results


################################################################################
# The tests                                                                    #
################################################################################


UNIVERSE = Universe.get_multiverse()
AVAILABLE = {**UNIVERSE.all_passes, **ALL_PASSES}
CONTEXT = Context()
for name, factory in {**UNIVERSE.all_dialects, **ALL_DIALECTS}.items():
    CONTEXT.register_dialect(name, factory)


def parse(text: str) -> ModuleOp:
    module = Parser(CONTEXT, text).parse_module()
    module.verify()
    return module


def apply(module: ModuleOp, *passes: str) -> ModuleOp:
    """A copy of the module after the passes; it verifies after each of them."""
    module = module.clone()
    for name in passes:
        AVAILABLE[name]()().apply(CONTEXT, module)
        module.verify()
        assert not check_dominance(module)
    return module


@dataclass(frozen=True)
class Sample:
    """A program and what its engines do."""

    dataflow: ModuleOp | None
    scheduled: ModuleOp
    traces: Traces


@pytest.fixture(scope="module", params=["by hand", *(path.stem for path in EXAMPLES)])
def sample(request: pytest.FixtureRequest) -> Sample:
    if request.param == "by hand":
        dataflow, scheduled = None, parse(BY_HAND)
    else:
        dataflow = parse((ROOT / "examples" / f"{request.param}.mlir").read_text())
        scheduled = apply(dataflow, "synthesize-handshakes")
    return Sample(dataflow, scheduled, traces(scheduled))


def joined(passes: Sequence[str]) -> str:
    return ",".join(passes)


@pytest.mark.parametrize("passes", PIPELINES, ids=joined)
def test_after_synthesis(sample: Sample, passes: Sequence[str]):
    assert traces(apply(sample.scheduled, *passes)) == sample.traces


@pytest.mark.parametrize("passes", UNROLLING, ids=joined)
def test_unrolled(sample: Sample, passes: Sequence[str]):
    if max(map(len, sample.traces.values())) > 2000:
        pytest.skip("the unrolled program would be too long")
    assert traces(apply(sample.scheduled, *passes)) == sample.traces


@pytest.mark.parametrize("passes", [*((name,) for name in PASSES), PASSES], ids=joined)
def test_before_synthesis(sample: Sample, passes: Sequence[str]):
    if sample.dataflow is None:
        pytest.skip("no dataflow program")
    scheduled = apply(sample.dataflow, *passes, "synthesize-handshakes")
    assert traces(scheduled) == sample.traces


def test_before_and_after(sample: Sample):
    if sample.dataflow is None:
        pytest.skip("no dataflow program")
    scheduled = apply(sample.dataflow, *PASSES, "synthesize-handshakes", *PASSES[:4], *PASSES[5:])
    assert traces(scheduled) == sample.traces


def test_expanded_sites(sample: Sample):
    engines = [op for op in sample.scheduled.walk() if isinstance(op, choreo.EngineOp)]
    if sum(engine.sites.count for engine in engines) > 100:
        pytest.skip("the expanded program would be too long")
    copies = {
        (program, f"{engine}_{site[0]}_{site[1]}", site, trip): trace
        for (program, engine, site, trip), trace in sample.traces.items()
    }
    expanded = apply(sample.scheduled, "expand-sites")
    assert traces(expanded, {key[:3] for key in copies}) == copies


def test_the_trace_tells_what_is_lost():
    module = parse(BY_HAND)
    ops = [op for op in module.walk() if isinstance(op, choreo.ChoreoOp) and not op.results]
    good = traces(module)
    never = [
        op
        for op in ops
        if isinstance(parent := op.parent_op(), affine.ForOp)
        and not (
            parent.upperBoundMap.data.eval((), ())[0] - parent.lowerBoundMap.data.eval((), ())[0]
        )
    ]
    for op in ops:
        block, after = op.parent, op.next_op
        assert block is not None
        op.detach()
        assert (traces(module) == good) == (op in never)
        if after is None:
            block.add_op(op)
        else:
            block.insert_op_before(op, after)
