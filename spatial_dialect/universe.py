"""What this package adds to every xDSL tool: its dialects, passes and targets.

Each entry is a function that imports what it names only when it is needed, so that tools start
quickly.
"""

from collections.abc import Callable

from xdsl.ir import Dialect
from xdsl.passes import ModulePass
from xdsl.universe import Universe
from xdsl.utils.frontend import Frontend
from xdsl.utils.target import Target


def _spatial() -> Dialect:
    from spatial_dialect.dialects.spatial import Spatial

    return Spatial


def _choreo() -> Dialect:
    from spatial_dialect.dialects.choreo import Choreo

    return Choreo


def _place_spatial() -> type[ModulePass]:
    from spatial_dialect.passes.place_spatial import PlaceSpatialPass

    return PlaceSpatialPass


def _convert_linalg_to_spatial() -> type[ModulePass]:
    from spatial_dialect.passes.convert_linalg_to_spatial import ConvertLinalgToSpatialPass

    return ConvertLinalgToSpatialPass


def _synthesize_handshakes() -> type[ModulePass]:
    from spatial_dialect.passes.synthesize_handshakes import SynthesizeHandshakesPass

    return SynthesizeHandshakesPass


def _expand_sites() -> type[ModulePass]:
    from spatial_dialect.passes.expand_sites import ExpandSitesPass

    return ExpandSitesPass


def _test_dataflow() -> type[ModulePass]:
    from spatial_dialect.passes.test_dataflow import TestDataflowPass

    return TestDataflowPass


def _persist() -> type[ModulePass]:
    from spatial_dialect.passes.persist import PersistPass

    return PersistPass


def _size_buffers() -> type[ModulePass]:
    from spatial_dialect.passes.size_buffers import SizeBuffersPass

    return SizeBuffersPass


def _spatial_pipeline() -> type[ModulePass]:
    from spatial_dialect.passes.spatial_pipeline import SpatialPipelinePass

    return SpatialPipelinePass


def _tile_spatial() -> type[ModulePass]:
    from spatial_dialect.passes.tile_spatial import TileSpatialPass

    return TileSpatialPass


def _verify_choreography() -> type[ModulePass]:
    from spatial_dialect.passes.verify_choreography import VerifyChoreographyPass

    return VerifyChoreographyPass


def _outline() -> type[Target]:
    from spatial_dialect.backends.outline import OutlineTarget

    return OutlineTarget


def _stablehlo() -> type[Frontend]:
    from spatial_dialect.frontends.stablehlo import StableHLOFrontend

    return StableHLOFrontend


ALL_DIALECTS: dict[str, Callable[[], Dialect]] = {
    "choreo": _choreo,
    "spatial": _spatial,
}
"""The dialects by their names."""

ALL_PASSES: dict[str, Callable[[], type[ModulePass]]] = {
    "convert-linalg-to-spatial": _convert_linalg_to_spatial,
    "expand-sites": _expand_sites,
    "persist": _persist,
    "place-spatial": _place_spatial,
    "size-buffers": _size_buffers,
    "spatial-pipeline": _spatial_pipeline,
    "synthesize-handshakes": _synthesize_handshakes,
    "test-dataflow": _test_dataflow,
    "tile-spatial": _tile_spatial,
    "verify-choreography": _verify_choreography,
}
"""The passes by their names."""

ALL_TARGETS: dict[str, Callable[[], type[Target]]] = {
    "outline": _outline,
}
"""The output targets by their names."""

ALL_FRONTENDS: dict[str, Callable[[], type[Frontend]]] = {
    "stablehlo": _stablehlo,
}
"""The input formats by their names."""

SPATIAL_UNIVERSE = Universe(
    all_dialects=ALL_DIALECTS,
    all_passes=ALL_PASSES,
    all_targets=ALL_TARGETS,
    all_frontends=ALL_FRONTENDS,
)
"""The entry point of the group `xdsl.universe`."""
