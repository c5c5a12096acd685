"""Targets: their data, the registry, and overrides."""

import subprocess
import sys
from dataclasses import fields, replace
from importlib import metadata

import pytest

from spatial_dialect.targets import (
    BLACKHOLE,
    FABRIC,
    REFERENCE,
    WORMHOLE,
    Costs,
    OverrideValue,
    Target,
    base,
    get_target,
    known_targets,
    register_target,
    with_overrides,
)

SHIPPED = ("blackhole", "fabric", "hopper", "reference", "wormhole")


@pytest.fixture
def registry(monkeypatch: pytest.MonkeyPatch) -> dict[str, Target]:
    """A copy of the registry that the test may change."""
    copy = {name: get_target(name) for name in SHIPPED}
    monkeypatch.setattr(base, "_registry", copy)
    return copy


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped(name: str):
    target = get_target(name)
    assert name in known_targets()
    assert target.name == name
    assert 0 < target.usable_bytes <= target.local_bytes
    assert target.acc_tiles_32 <= target.acc_tiles_16
    assert hash(target) == hash(get_target(name))
    for field in fields(Costs):
        figure = getattr(target.costs, field.name)
        assert figure.value >= 0
        assert figure.source


def test_what_synthesis_relies_on():
    assert (WORMHOLE.acc_tiles_16, WORMHOLE.acc_tiles_32) == (8, 4)
    assert (WORMHOLE.ordering, BLACKHOLE.ordering) == ("ordered", "needs_flush")
    assert FABRIC.handshakes_local == ("valid_ready",)
    assert not FABRIC.handshakes_remote
    assert all(get_target(n).max_grid is None for n in SHIPPED)
    assert all(set(get_target(n).element_types) <= set(REFERENCE.element_types) for n in SHIPPED)


def test_unknown_name():
    with pytest.raises(ValueError, match="no target 'wormhol', did you mean 'wormhole'") as error:
        get_target("wormhol")
    assert all(name in str(error.value) for name in SHIPPED)


def test_register(registry: dict[str, Target]):
    mine = replace(WORMHOLE, name="mine", move_engines=3)
    register_target(mine)
    assert get_target("mine") is mine
    assert "mine" in known_targets()
    assert registry["mine"] is mine
    with pytest.raises(ValueError, match="already a target named 'mine'"):
        register_target(mine)


class Entry:
    """An entry point, as far as the registry uses one."""

    name = "plugin"
    value = "plugin:targets"

    def __init__(self, loaded: object):
        self.loaded = loaded

    def load(self) -> object:
        return self.loaded


@pytest.mark.usefixtures("registry")
def test_entry_points(monkeypatch: pytest.MonkeyPatch):
    mine = replace(WORMHOLE, name="mine")
    asked: list[str] = []

    def offered(*, group: str) -> list[Entry]:
        asked.append(group)
        return [Entry(mine), Entry([replace(FABRIC, name="other"), WORMHOLE])]

    monkeypatch.setattr(metadata, "entry_points", offered)
    get_target("wormhole")
    assert not asked
    assert get_target("mine") is mine
    assert asked == ["spatial_dialect.targets"]
    assert get_target("other").name == "other"

    def wrong(*, group: str) -> list[Entry]:
        return [Entry(group)]

    monkeypatch.setattr(metadata, "entry_points", wrong)
    with pytest.raises(ValueError, match=r"'plugin' .* is neither a Target nor a sequence"):
        get_target("unknown")


def test_overrides():
    overrides: dict[str, OverrideValue] = {
        "move_engines": 3,
        "pack_accumulate": False,
        "ordering": "needs_flush",
        "max_grid": (8, 7),
        "handshakes_remote": (),
        "hop_cycles": 12,
    }
    changed = with_overrides(WORMHOLE, overrides)
    assert changed.name == "wormhole"
    assert changed.move_engines == 3
    assert not changed.pack_accumulate
    assert changed.ordering == "needs_flush"
    assert changed.max_grid == (8, 7)
    assert changed.handshakes_remote == ()
    assert changed.costs.hop_cycles.value == 12
    assert changed.local_bytes == WORMHOLE.local_bytes
    assert with_overrides(WORMHOLE, {}) == WORMHOLE


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("move_engine", 3, "there is no field 'move_engine', did you mean 'move_engines'"),
        ("name", "x", "there is no field 'name'"),
        ("move_engines", 0, "move_engines must be a whole number, at least 1, not 0"),
        ("move_engines", True, "move_engines must be a whole number, at least 1, not true"),
        ("move_engines", "two", "not 'two'"),
        ("pack_accumulate", 1, "pack_accumulate must be true or false, not 1"),
        ("ordering", "strict", "ordering must be one of ordered, needs_flush, not 'strict'"),
        ("tile", (32,), r"tile must be two whole numbers, .*, not \[32\]"),
        ("handshakes_local", ("fifos",), "must be a list of these: fifo, valid_ready"),
        ("handshakes_local", ("fifo", "fifo"), "must be a list without repetition"),
        ("element_types", "bf16", "element_types must be a list of words, not 'bf16'"),
        ("hop_cycles", -1, "hop_cycles must be a number, at least 0, not -1"),
        ("reserved_bytes", 2**40, "reserved_bytes is 1099511627776, more than local_bytes"),
    ],
)
def test_bad_overrides(name: str, value: OverrideValue, message: str):
    with pytest.raises(ValueError, match=message) as error:
        with_overrides(WORMHOLE, {name: value})
    assert "wormhole" in str(error.value)


def test_import_is_light():
    code = (
        "import sys, spatial_dialect.targets\n"
        "heavy = {'numpy', 'rich', 'xdsl', 'importlib.metadata'} & set(sys.modules)\n"
        "assert not heavy, heavy"
    )
    subprocess.run([sys.executable, "-S", "-c", code], check=True)
