"""A mesh of processing elements in an FPGA or an ASIC, not of any one vendor.

Engines are state machines with streams between them: pages are handed over by valid-ready wires.
Sites share no memory, so there are no semaphores, and therefore no groups, unless a program
overrides `handshakes_remote` for a mesh that has them. All figures are placeholders for a design's
own.
"""

from __future__ import annotations

from spatial_dialect.targets.base import Costs, Figure, Target, register_target


def _assumed(value: float, why: str = "a placeholder for the figure of the design") -> Figure:
    return Figure(value, f"assumed: {why}")


FABRIC = Target(
    name="fabric",
    # As on Tenstorrent's, so that a program without groups moves here unchanged.
    tile=(32, 32),
    handshakes_local=("valid_ready",),
    handshakes_remote=(),
    # A wire delivers in order.
    ordering="ordered",
    # An input and an output port.
    move_engines=2,
    acc_tiles_16=8,
    acc_tiles_32=4,
    acc_across_k=True,
    # Adding in place would need a second port of every buffer.
    pack_accumulate=False,
    local_bytes=512 * 1024,
    reserved_bytes=0,
    # A word of the streams, which are of 256 bits.
    alignment=32,
    element_types=("bf16", "f16", "f32", "f8E4M3FN", "i8", "i16", "i32", "ui8", "ui16", "ui32"),
    max_pages_counter=65535,
    max_grid=None,
    costs=Costs(
        clock_ghz=_assumed(0.5),
        link_bytes_per_cycle=_assumed(32, "a stream of 256 bits"),
        hop_cycles=_assumed(1, "one register stage a hop"),
        remote_cycles=_assumed(2, "one register stage at each end"),
        dram_bytes_per_cycle=_assumed(128),
        dram_cycles=_assumed(100),
        issue_cycles=_assumed(1, "a state machine"),
        semaphore_cycles=_assumed(1, "a state machine"),
        matmul_cycles_4=_assumed(32, "an array of 32x32 multipliers"),
        matmul_cycles_8=_assumed(32, "an array of 32x32 multipliers"),
        matmul_cycles_16=_assumed(32, "an array of 32x32 multipliers"),
        matmul_cycles_32=_assumed(128, "four passes of narrower multipliers"),
        map_cycles=_assumed(32, "32 lanes"),
        reduce_cycles=_assumed(32, "32 lanes"),
        unpack_bytes_per_cycle=_assumed(64),
        pack_bytes_per_cycle=_assumed(64),
    ),
)
"""A generic fabric."""

register_target(FABRIC)
