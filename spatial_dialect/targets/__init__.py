"""Machines as data, one file a family, and the registry to find them by name."""

from spatial_dialect.targets.base import (
    ENTRY_POINT_GROUP,
    Costs,
    Figure,
    LocalHandshake,
    Ordering,
    OverrideValue,
    RemoteHandshake,
    Target,
    get_target,
    known_targets,
    register_target,
    with_overrides,
)
from spatial_dialect.targets.fabric import FABRIC
from spatial_dialect.targets.hopper import HOPPER
from spatial_dialect.targets.reference import REFERENCE
from spatial_dialect.targets.tenstorrent import BLACKHOLE, WORMHOLE

__all__ = [
    "BLACKHOLE",
    "ENTRY_POINT_GROUP",
    "FABRIC",
    "HOPPER",
    "REFERENCE",
    "WORMHOLE",
    "Costs",
    "Figure",
    "LocalHandshake",
    "Ordering",
    "OverrideValue",
    "RemoteHandshake",
    "Target",
    "get_target",
    "known_targets",
    "register_target",
    "with_overrides",
]
