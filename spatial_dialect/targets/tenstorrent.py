"""Tenstorrent's Wormhole and Blackhole: a mesh of Tensix cores with two NoCs.

A site is a Tensix core. Its movement engines are the two data movement RISC-V processors, one a
NoC; its compute engine is the three others with matrix and vector unit. Pages lie in L1, rings are
circular buffers.
"""

from __future__ import annotations

from dataclasses import replace

from spatial_dialect.targets.base import Costs, Figure, Target, register_target

_NOC_DOC = "tt-isa-documentation, {}/NoC/README.md, Performance"
_ENGINE_DOC = "tt-metal, tech_reports/matrix_engine/matrix_engine.md"
_PRODUCT = (
    f"{_ENGINE_DOC}: 8x16 times 16x16 a cycle, so 16 passes for 32x32x32, times the fidelity phases"
)

WORMHOLE = Target(
    name="wormhole",
    tile=(32, 32),
    handshakes_local=("fifo",),
    handshakes_remote=("semaphore",),
    # A multicast that holds its path delivers the flag behind the data.
    ordering="ordered",
    move_engines=2,
    # Half of the destination registers: the other half is being packed meanwhile.
    acc_tiles_16=8,
    acc_tiles_32=4,
    acc_across_k=True,
    pack_accumulate=True,
    # tt-metal, dev_mem_map.h: MEM_L1_SIZE is 1464 KiB, of which firmware takes 32 KiB; the default
    # kernel configuration buffer takes 69 KiB (wh_hal_tensix.cpp).
    local_bytes=1464 * 1024,
    reserved_bytes=(32 + 69) * 1024,
    # tt-metal, wormhole/noc/noc_parameters.h: NOC_DRAM_READ_ALIGNMENT_BYTES, for both ends.
    alignment=32,
    element_types=("bf16", "f16", "f32", "bfp8", "bfp4", "i8", "i32", "ui8", "ui16", "ui32"),
    # `tiles_acked` and `tiles_received` of a circular buffer have 16 bits.
    max_pages_counter=65535,
    # How many cores a card has left differs from card to card.
    max_grid=None,
    costs=Costs(
        clock_ghz=Figure(1.0, "tt-isa-documentation, BlackholeA0/NoC/README.md: 1 GHz before"),
        link_bytes_per_cycle=Figure(32, _NOC_DOC.format("WormholeB0")),
        hop_cycles=Figure(9, _NOC_DOC.format("WormholeB0")),
        remote_cycles=Figure(10, _NOC_DOC.format("WormholeB0") + ": about 5 at each end"),
        dram_bytes_per_cycle=Figure(288, "Tenstorrent n150 product page: 288 GB/s, at 1 GHz"),
        dram_cycles=Figure(300, "assumed; no public figure found"),
        issue_cycles=Figure(40, "assumed: some ten register writes of a small RISC-V processor"),
        semaphore_cycles=Figure(20, "assumed: a few loads and stores to L1"),
        matmul_cycles_4=Figure(16, f"{_PRODUCT} (1, LoFi)"),
        matmul_cycles_8=Figure(32, f"{_PRODUCT} (2, HiFi2)"),
        matmul_cycles_16=Figure(64, f"{_PRODUCT} (4, HiFi4)"),
        matmul_cycles_32=Figure(64, f"{_PRODUCT} (4, HiFi4); operands are rounded to 19 bits"),
        map_cycles=Figure(
            32, "assumed: the vector unit's 32 lanes take one element of a tile a cycle each"
        ),
        reduce_cycles=Figure(16, f"{_ENGINE_DOC}: 16x16 a cycle, times 4 fidelity phases"),
        unpack_bytes_per_cycle=Figure(64, "assumed; no public figure found"),
        pack_bytes_per_cycle=Figure(64, "assumed; no public figure found"),
    ),
)
"""Wormhole B0, as on the n150 and n300 cards."""

BLACKHOLE = replace(
    WORMHOLE,
    name="blackhole",
    ordering="needs_flush",
    # tt-metal, blackhole/dev_mem_map.h: MEM_L1_SIZE is 1536 KiB; reserved as on Wormhole.
    local_bytes=1536 * 1024,
    # tt-metal, blackhole/noc/noc_parameters.h: NOC_DRAM_READ_ALIGNMENT_BYTES.
    alignment=64,
    element_types=(*WORMHOLE.element_types, "f8E4M3FN"),
    costs=replace(
        WORMHOLE.costs,
        clock_ghz=Figure(1.35, "tt-isa-documentation, BlackholeA0/NoC/README.md"),
        link_bytes_per_cycle=Figure(64, _NOC_DOC.format("BlackholeA0")),
        hop_cycles=Figure(9, _NOC_DOC.format("BlackholeA0")),
        remote_cycles=Figure(10, _NOC_DOC.format("BlackholeA0") + ": about 5 at each end"),
        dram_bytes_per_cycle=Figure(
            324, "tt-system-firmware documentation, Blackhole: 3.5 Tb/s, at 1.35 GHz"
        ),
        dram_cycles=Figure(400, "assumed: the time of Wormhole at the higher clock"),
    ),
)
"""Blackhole, as on the p100 and p150 cards."""

register_target(WORMHOLE)
register_target(BLACKHOLE)
