"""Who makes and reads which pages, the order, the domains and the levels, by example."""

from pathlib import Path

import pytest
from xdsl.context import Context
from xdsl.dialects import arith, builtin, math
from xdsl.parser import Parser

from spatial_dialect.analysis.dataflow import Cycle, Dataflow
from spatial_dialect.analysis.domains import Domains, domains
from spatial_dialect.analysis.levels import Level, levels
from spatial_dialect.analysis.site_index import SiteIndex
from spatial_dialect.dialects.spatial import Phase, ProgramOp, Spatial, StageOp
from spatial_dialect.ir.sites import Rect, Sites

ATTENTION = Path(__file__).resolve().parents[2] / "examples" / "attention.mlir"


def program(text: str) -> ProgramOp:
    context = Context()
    for dialect in (builtin.Builtin, arith.Arith, math.Math, Spatial):
        context.load_dialect(dialect)
    first = Parser(context, text).parse_module().body.block.first_op
    assert isinstance(first, ProgramOp)
    return first


def small(body: str, *, loops: str = "", grid: str = "[2, 2]") -> ProgramOp:
    """A program with tensors %X, %Y (floats) and %I (integers), and buffers %a to %f and %ix."""
    buffers = "".join(f"%{n} = spatial.buffer : !spatial.buffer<1x1xbf16>\n" for n in "abcdef")
    return program(
        f"""
        spatial.program @p(%X : memref<4096x4096xbf16>, %Y : memref<4096x4096xbf16>,
                           %I : memref<4096x4096xi32>)
            target #spatial.target<"reference"> grid {grid} loops [{loops}] {{
          {buffers}
          %ix = spatial.buffer : !spatial.buffer<1x1xi32>
          {body}
        }}"""
    )


def map_text(name: str, inputs: str, output: str, how: str = "into", at: str = "") -> str:
    count = len(inputs.split(","))
    arguments = ", ".join(f"%{n} : f32" for n in range(count))
    return f"""
      spatial.map @{name} ({inputs}) {how} %{output} {at} {{
      ^bb0({arguments}):
        spatial.yield %0 : f32
      }}"""


def named(p: ProgramOp) -> dict[str, StageOp]:
    return {stage.sym_name.data: stage for stage in p.stages if stage.sym_name is not None}


def analysed(p: ProgramOp) -> tuple[dict[str, StageOp], Dataflow, Domains]:
    flow = Dataflow.of(p)
    return named(p), flow, domains(flow, p.loop_nest)


def names(stages: tuple[StageOp, ...]) -> list[str]:
    return [stage.sym_name.data for stage in stages if stage.sym_name is not None]


################################################################################
# Edges and order                                                              #
################################################################################


def test_edges_are_between_stages_that_meet():
    p = small(
        """
        spatial.load @left %X[y, 0] into %a at [0:2, 0] on move 0
        spatial.load @right %X[y, 1] into %a at [0:2, 1] on move 0
        """
        + map_text("copy", "%a", "b", at="at [0:2, 1]")
        + "spatial.store @out %b into %Y[y, 0] at [0:2, 1] on move 1"
        + "\nspatial.store @raw %a into %Y[y, 1] at [0:2, 0] on move 1"
    )
    stages, flow, _ = analysed(p)
    assert list(flow.sources(stages["copy"])) == [stages["right"]]
    assert list(flow.users(stages["left"])) == [stages["raw"]]
    assert list(flow.sources(stages["out"])) == [stages["copy"]]
    assert flow.meet(stages["left"], stages["raw"])
    assert not flow.meet(stages["left"], stages["right"])
    assert not flow.has_matmul


def test_many_stages_of_one_buffer_find_those_they_meet():
    rows = 100
    body = "\n".join(
        f"spatial.load @l{y} %X[{y}, 0] into %a at [{y}, 0] on move 0\n"
        f"spatial.store @s{y} %a into %Y[{y}, 0] at [{y}, 0] on move 1"
        for y in range(rows)
    )
    stages, flow, _ = analysed(small(body, grid=f"[{rows}, 1]"))
    for y in range(rows):
        assert list(flow.users(stages[f"l{y}"])) == [stages[f"s{y}"]]
        assert list(flow.sources(stages[f"s{y}"])) == [stages[f"l{y}"]]


def test_site_index_against_asking_each():
    sets = [
        Sites.of([Rect(n % 5, n % 5 + 1 + n % 3, n % 7, n % 7 + 1), Rect(n, n + 1, 0, 1)])
        for n in range(40)
    ] + [Sites.grid(3, 3)] * 2
    items = list(range(len(sets)))
    index = SiteIndex(items, dict(enumerate(sets)))
    for sites in (*sets, Sites.grid(40, 40), Sites.of([Rect(50, 60, 0, 9)])):
        assert list(index.meeting(sites)) == [n for n in items if not sets[n].isdisjoint(sites)]


def test_order_follows_pages_and_then_the_text():
    p = small(
        "spatial.store @out %c into %Y[y, x] on move 1"
        + map_text("second", "%b, %a", "c")
        + map_text("first", "%a", "b")
        + "\nspatial.load @load %X[y, x] into %a on move 0"
        + "\nspatial.load @also %X[y, x] into %d on move 0"
        + "\nspatial.store @copy %d into %Y[y + 2, x] on move 1"
    )
    _, flow, _ = analysed(p)
    assert names(flow.flow_order) == ["load", "first", "second", "out", "also", "copy"]


def test_a_cycle_names_its_stages_only():
    p = small(
        "spatial.load @load %X[y, x] into %a on move 0"
        + map_text("one", "%a, %c", "b")
        + map_text("two", "%b", "c")
        + map_text("after", "%c", "d")
    )
    flow = Dataflow.of(p)
    with pytest.raises(Cycle) as cycle:
        _ = flow.flow_order
    assert set(names(cycle.value.stages)) == {"one", "two"}


################################################################################
# Domains                                                                      #
################################################################################


def store_all(buffer: str, rows: str) -> str:
    return f"\nspatial.store @out %{buffer} into %Y[{rows}, x] on move 1"


def test_a_page_of_inner_loops_is_loaded_again_for_each_outer_one():
    """The closure of `{w}` inside `h, w`."""
    p = small(
        "spatial.load @wide %X[y, h * 2 + w] into %a on move 0"
        "\nspatial.load @bias %X[0, w] into %b on move 0"
        + map_text("add", "%a, %b", "c")
        + store_all("c", "(y * 2 + h) * 2 + w"),
        loops="h = 2, w = 2",
    )
    stages, _, found = analysed(p)
    assert found.stage[stages["bias"]] == {"h", "w"}
    assert found.stage[stages["add"]] == {"h", "w"}


def test_a_page_of_outer_loops_is_held():
    p = small(
        "spatial.load @wide %X[y, h * 2 + w] into %a on move 0"
        "\nspatial.load @scale %X[h, 0] into %b on move 0"
        + map_text("add", "%a, %b", "c")
        + store_all("c", "(y * 2 + h) * 2 + w"),
        loops="h = 2, w = 2",
    )
    stages, _, found = analysed(p)
    assert found.stage[stages["scale"]] == {"h"}


def test_loops_of_extent_one_do_not_count():
    p = small(
        "spatial.load @wide %X[y, w] into %a on move 0"
        "\nspatial.load @bias %X[h, w] into %b on move 0"
        + map_text("add", "%a, %b", "c")
        + store_all("c", "y * 2 + w"),
        loops="h = 1, w = 2",
    )
    stages, _, found = analysed(p)
    assert found.iterated(found.stage[stages["bias"]]) == ("w",)
    assert found.same(found.stage[stages["bias"]], found.stage[stages["wide"]])
    assert found.is_prefix(frozenset({"h"}), frozenset({"k", "w"}))
    assert not found.is_prefix(frozenset({"w"}), frozenset())
    assert found.pages(frozenset({"h", "w"})) == 2


def test_closure_reaches_the_sender_through_a_chain_of_groups():
    p = small(
        """
        %row = spatial.group from [0, 0] to [0, 1:3] along x
        %down = spatial.group from [0, 1:3] to [1:3, 1:3] along y
        spatial.load @send %X[0, w] into %b multicast %row at [0, 0] on move 0
        spatial.recv @relay %row into %b multicast %down at [0, 1:3] on move 0
        spatial.recv @end %down into %b at [1:3, 1:3] on move 0
        spatial.load @wide %X[y, h * 2 + w] into %a at [1:3, 1:3] on move 1
        """
        + map_text("add", "%a, %b", "c", at="at [1:3, 1:3]")
        + "\nspatial.store %b into %Y[x * 2 + w, 100] at [0, 0:3] on move 1"
        + "\nspatial.store %c into %Y[(y * 2 + h) * 2 + w, x] at [1:3, 1:3] on move 1",
        loops="h = 2, w = 2",
        grid="[3, 3]",
    )
    stages, _, found = analysed(p)
    for name in ("end", "relay", "send"):
        assert found.stage[stages[name]] == {"h", "w"}


def test_a_gather_joins_the_domain_of_its_index_page():
    p = small(
        "spatial.load @index %I[h, 0] into %ix on move 0"
        "\nspatial.load @gather %X[ind, w] into %a via %ix on move 0"
        "\nspatial.load @rows %X[0, 0] into %b via %ix rows on move 0"
        + map_text("add", "%a, %b", "c")
        + store_all("c", "(y * 2 + h) * 2 + w"),
        loops="h = 2, w = 2",
    )
    stages, _, found = analysed(p)
    assert found.stage[stages["gather"]] == {"h", "w"}
    assert found.stage[stages["rows"]] == {"h"}


def test_makers_that_move_pages_in_make_equally_many():
    p = small(
        "spatial.load @one %X[y, h] into %a at [0:2, 0] on move 0"
        "\nspatial.load @other %X[y, 0] into %a at [0:2, 1] on move 0"
        + store_all("a", "y * 2 + h"),
        loops="h = 2",
    )
    stages, _, found = analysed(p)
    assert found.stage[stages["one"]] == found.stage[stages["other"]] == {"h"}


def test_a_matmul_takes_blocks_and_makes_sub_blocks():
    p = small(
        """
        spatial.load @a %X[y, k] into %a on move 0
        spatial.load @b %X[k, x] into %b on move 0
        spatial.matmul @mm %a, %b into %c spill %f
        """
        + store_all("c", "y"),
        loops="k = 3",
    )
    stages, flow, found = analysed(p)
    assert found.nest[stages["mm"]] == {"k"}
    assert found.iterated(found.stage[stages["mm"]]) == ()
    assert flow.has_matmul
    assert {n: levels(flow, found).of[s] for n, s in stages.items()} == {
        "a": Level.BLOCK,
        "b": Level.BLOCK,
        "mm": Level.BLOCK,
        "out": Level.AFTER,
    }


################################################################################
# Levels                                                                       #
################################################################################


def test_levels_of_attention():
    p = program(ATTENTION.read_text())
    flow = Dataflow.of(p)
    found = levels(flow, domains(flow, p.loop_nest))
    parts: dict[Level, list[str]] = {level: [] for level in Level}
    for stage in found.order:
        assert stage.sym_name is not None
        parts[found.of[stage]].append(stage.sym_name.data)
    assert parts == {
        Level.BEFORE: ["load_q", "init_m", "init_l", "init_o"],
        Level.BLOCK: [
            "load_k",
            "load_v",
            "scores",
            "block_max",
            "new_max",
            "alpha",
            "exp",
            "weighted_values",
            "block_sum",
            "new_l",
            "new_o",
            "new_m",
        ],
        Level.AFTER: ["normalise", "store"],
    }


FOLD = (
    "spatial.load @load_q %X[y, 0] into %a on move 0"
    "\nspatial.load @load_k %X[k, 0] into %b on move 0"
    + map_text("init", "%a", "c")
    + map_text("score", "%a, %b", "d")
    + map_text("update", "%c, %d", "c", "update")
    + map_text("finish", "%c", "e")
    + "\nspatial.store @out %e into %Y[y, x] on move 1"
)


def test_levels_of_a_fold():
    stages, flow, found = analysed(small(FOLD, loops="k = 8"))
    result = levels(flow, found)
    assert {n: result.of[s] for n, s in stages.items()} == {
        "load_q": Level.BEFORE,
        "load_k": Level.BLOCK,
        "init": Level.BEFORE,
        "score": Level.BLOCK,
        "update": Level.BLOCK,
        "finish": Level.AFTER,
        "out": Level.AFTER,
    }
    assert names(result.order) == ["load_q", "load_k", "init", "score", "update", "finish", "out"]
    assert flow.is_carry(stages["update"].page_write or pytest.fail("it has an output"))
    assert found.nest[stages["update"]] == {"k"}


def test_two_updates_that_need_each_others_old_page():
    text = (
        "spatial.load @load %X[y, 0] into %a on move 0"
        + map_text("init_b", "%a", "b")
        + map_text("init_c", "%a", "c")
        + map_text("next_b", "%c", "b", "update")
        + map_text("next_c", "%b", "c", "update")
        + map_text("finish", "%b", "e")
        + "\nspatial.store @out %e into %Y[y, x] on move 1"
    )
    stages, flow, found = analysed(small(text, loops="k = 8"))
    del stages
    with pytest.raises(Cycle) as cycle:
        levels(flow, found)
    assert set(names(cycle.value.stages)) == {"next_b", "next_c"}


################################################################################
# Phases                                                                       #
################################################################################


@pytest.mark.parametrize(
    ("head", "on", "depth", "phase"),
    [
        ("", "", "", Phase.TEMPLATE),
        ("loops [k = 2]", "", "", Phase.TILED),
        ('target #spatial.target<"wormhole"> grid [1, 1] loops []', "", "", Phase.TILED),
        ("grid [1, 1]", "on move 0", "", Phase.TEMPLATE),
        ('target #spatial.target<"wormhole"> grid [1, 1]', "on move 0", "", Phase.PLACED),
        ('target #spatial.target<"wormhole"> grid [1, 1]', "on move 0", "depth 2", Phase.SIZED),
        ("", "", "depth 2", Phase.TEMPLATE),
    ],
)
def test_phases(head: str, on: str, depth: str, phase: Phase):
    p = program(
        f"""
        spatial.program @p(%X : memref<32x32xbf16>, %Y : memref<32x32xbf16>) {head} {{
          %x = spatial.buffer {depth} : !spatial.buffer<1x1xbf16>
          spatial.load %X[0, 0] into %x {on}
          spatial.store %x into %Y[0, 0] {on}
        }}"""
    )
    p.verify()
    assert p.phase is phase
