"""A machine for teaching and tests: it refuses nothing that some machine can do."""

from __future__ import annotations

from spatial_dialect.targets.base import Costs, Figure, Target, register_target

_UNIT = Figure(1, "assumed: a unit, so that times are counts")

REFERENCE = Target(
    name="reference",
    tile=(32, 32),
    handshakes_local=("fifo", "valid_ready"),
    handshakes_remote=("semaphore",),
    ordering="ordered",
    # Enough for an engine of its own for each of two inputs, an output and a gather.
    move_engines=4,
    acc_tiles_16=64,
    acc_tiles_32=64,
    acc_across_k=True,
    pack_accumulate=True,
    local_bytes=2**30,
    reserved_bytes=0,
    alignment=1,
    element_types=(
        *("bf16", "f16", "f32", "f8E4M3FN", "f8E5M2", "bfp8", "bfp4"),
        *("i8", "i16", "i32", "ui8", "ui16", "ui32"),
    ),
    max_pages_counter=2**63 - 1,
    max_grid=None,
    costs=Costs(
        clock_ghz=_UNIT,
        link_bytes_per_cycle=Figure(32, "assumed: as on Wormhole"),
        hop_cycles=_UNIT,
        remote_cycles=_UNIT,
        dram_bytes_per_cycle=Figure(256, "assumed: of the order of Wormhole's"),
        dram_cycles=_UNIT,
        issue_cycles=_UNIT,
        semaphore_cycles=_UNIT,
        matmul_cycles_4=Figure(32, "assumed: a tile row a cycle"),
        matmul_cycles_8=Figure(32, "assumed: a tile row a cycle"),
        matmul_cycles_16=Figure(32, "assumed: a tile row a cycle"),
        matmul_cycles_32=Figure(32, "assumed: a tile row a cycle"),
        map_cycles=Figure(32, "assumed: a tile row a cycle"),
        reduce_cycles=Figure(32, "assumed: a tile row a cycle"),
        unpack_bytes_per_cycle=Figure(64, "assumed: as on Wormhole"),
        pack_bytes_per_cycle=Figure(64, "assumed: as on Wormhole"),
    ),
)
"""The reference target."""

register_target(REFERENCE)
