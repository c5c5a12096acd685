"""All passes from tensor code to proved choreography."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import PassFailedException, VerifyException

from spatial_dialect.ir.diagnostics import FindingsPassFailed, FindingsVerifyException


@dataclass(frozen=True)
class SpatialPipelinePass(ModulePass):
    """Makes proved choreography of tensor code: all passes in order, each verified.

    ```text
    convert-linalg-to-spatial, tile-spatial, place-spatial, size-buffers, synthesize-handshakes,
    persist, verify-choreography
    ```

    A program that is past a pass already is left as it is by that pass. `spatial-opt` runs the
    passes one by one, as if they had been written out.
    """

    name = "spatial-pipeline"

    grid: str
    """The sites to use, rows by columns, as in `8x8`."""

    target: str = "wormhole"
    """The machine."""

    accumulate: Literal["f32", "type"] = "f32"
    """What products of 16-bit floats are summed in, as `convert-linalg-to-spatial` has it."""

    multicast: bool = True
    """Whether sites share what they read, as `place-spatial` has it."""

    policy: Literal["throughput", "minimal"] = "throughput"
    """What depths are chosen for, as `size-buffers` has it."""

    explain: bool = False
    """Whether the passes that choose say why."""

    @property
    def parts(self) -> tuple[ModulePass, ...]:
        """The passes that this one stands for."""
        from spatial_dialect.passes.convert_linalg_to_spatial import ConvertLinalgToSpatialPass
        from spatial_dialect.passes.persist import PersistPass
        from spatial_dialect.passes.place_spatial import PlaceSpatialPass
        from spatial_dialect.passes.size_buffers import SizeBuffersPass
        from spatial_dialect.passes.synthesize_handshakes import SynthesizeHandshakesPass
        from spatial_dialect.passes.tile_spatial import TileSpatialPass
        from spatial_dialect.passes.verify_choreography import VerifyChoreographyPass

        return (
            ConvertLinalgToSpatialPass(target=self.target, accumulate=self.accumulate),
            TileSpatialPass(target=self.target, grid=self.grid, explain=self.explain),
            PlaceSpatialPass(
                target=self.target,
                grid=self.grid,
                multicast=self.multicast,
                explain=self.explain,
            ),
            SizeBuffersPass(policy=self.policy, explain=self.explain),
            SynthesizeHandshakesPass(),
            PersistPass(),
            VerifyChoreographyPass(),
        )

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Run the passes, and verify the module after each.

        Raises:
            PassFailedException: a pass failed, or left something that does not verify.
        """
        for part in self.parts:
            where = f"in pass '{part.name}' of {self.name}"
            try:
                part.apply(ctx, op)
                op.verify()
            except (FindingsPassFailed, FindingsVerifyException) as error:
                raise FindingsPassFailed(
                    finding.noted(where) for finding in error.findings
                ) from error
            except (PassFailedException, VerifyException) as error:
                raise PassFailedException(f"{where}: {error}") from error
