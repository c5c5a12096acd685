"""NVIDIA's Hopper: thread blocks of a cluster as sites.

A site is a persistent thread block, one a streaming multiprocessor (SM). Its movement engines are
warps that drive the tensor memory accelerator (TMA); its compute engine is the warp groups that
issue `wgmma`. Pages lie in shared memory, a ring has a pair of `mbarrier`s a page, and groups are
multicasts within a cluster, of at most 8 blocks (16 where not portable).
"""

from __future__ import annotations

from spatial_dialect.targets.base import Costs, Figure, Target, register_target

_PAPER = "Luo et al., Dissecting the NVIDIA Hopper Architecture, arXiv 2501.12084"
_PEAK = "NVIDIA H100 SXM data: {} TFLOPS dense, 132 SMs, 1.83 GHz, so {} cycles for 64x64x64"

HOPPER = Target(
    name="hopper",
    # 64 is the M of a `wgmma`, and 64 elements of 16 bit fill a row of the 128 byte swizzle.
    tile=(64, 64),
    handshakes_local=("fifo",),
    handshakes_remote=("semaphore",),
    # The barrier of a page counts the bytes that have landed, so it cannot pass before the data.
    ordering="ordered",
    # Warp-specialised kernels use one warp for loads and another for stores.
    move_engines=2,
    # Half of the 64 Ki registers, 32 bit each; wgmma packs two f16 sums into one.
    acc_tiles_16=16,
    acc_tiles_32=8,
    acc_across_k=True,
    pack_accumulate=False,
    # CUDA programming guide, compute capability 9.0: 228 KiB an SM, 1 KiB a block for the system.
    local_bytes=228 * 1024,
    reserved_bytes=1024,
    # CUDA programming guide, tensor memory access: shared memory at 128 bytes; the 128 byte swizzle
    # repeats every 1024.
    alignment=1024,
    element_types=("bf16", "f16", "f32", "f8E4M3FN", "f8E5M2", "i8", "i32", "ui8", "ui32"),
    # A ring keeps a phase bit a page and counts in a register.
    max_pages_counter=2**32 - 1,
    max_grid=None,
    costs=Costs(
        clock_ghz=Figure(1.83, "NVIDIA H100 SXM data: the clock of the tensor core peaks"),
        link_bytes_per_cycle=Figure(
            14, f"{_PAPER}: 3.27 TB/s between the SMs of clusters of 2, over 132 SMs at 1.83 GHz"
        ),
        hop_cycles=Figure(0, "assumed: a crossbar, so no SM of a cluster is nearer than another"),
        remote_cycles=Figure(180, f"{_PAPER}: latency of the SM-to-SM network"),
        dram_bytes_per_cycle=Figure(1830, "NVIDIA H100 SXM data: 3.35 TB/s, at 1.83 GHz"),
        dram_cycles=Figure(500, "assumed; arXiv 2402.13499 measures L2 hits alone at 263"),
        issue_cycles=Figure(20, "assumed: one thread issues a whole tile to the TMA"),
        semaphore_cycles=Figure(29, f"{_PAPER}: latency of shared memory"),
        matmul_cycles_4=Figure(64, "as for 8 bits: there is no narrower tensor core path"),
        matmul_cycles_8=Figure(64, _PEAK.format("1979", "64")),
        matmul_cycles_16=Figure(128, _PEAK.format("989.4", "128")),
        matmul_cycles_32=Figure(256, _PEAK.format("494.7", "256") + "; operands are TF32"),
        map_cycles=Figure(32, "NVIDIA H100 data: 128 FP32 lanes an SM, for 4096 elements"),
        reduce_cycles=Figure(64, "assumed: twice an elementwise operation, for the shuffles"),
        unpack_bytes_per_cycle=Figure(128, "32 banks of 4 bytes, CUDA programming guide"),
        pack_bytes_per_cycle=Figure(128, "32 banks of 4 bytes, CUDA programming guide"),
    ),
)
"""Hopper, as on the H100 SXM."""

register_target(HOPPER)
