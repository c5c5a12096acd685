"""Chooses how many pages each ring holds, and where it lies in local memory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from xdsl.context import Context
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, i64
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import VerifyException

from spatial_dialect.analysis.costs import CostModel, Estimate, estimate, page_bytes
from spatial_dialect.analysis.local_memory import LiveRanges, root_of
from spatial_dialect.dialects.spatial import BufferOp, Phase, ProgramOp
from spatial_dialect.ir.diagnostics import Findings, FindingsPassFailed, value_name
from spatial_dialect.ir.types import element_name
from spatial_dialect.machine.proof import prove
from spatial_dialect.passes.synthesize_handshakes import SynthesizeHandshakesPass
from spatial_dialect.passes.synthesize_handshakes.checks import placing_problem
from spatial_dialect.targets import Target

MOST_PAGES = 64
"""The deepest ring that is tried where a program does not go on with less."""

Depths = dict[BufferOp, int]


@dataclass(frozen=True)
class SizeBuffersPass(ModulePass):
    """Gives every buffer of a placed program a depth and an address.

    ```mlir
    %a = spatial.buffer : !spatial.buffer<8x4xbf16>
    // becomes
    %a = spatial.buffer depth 2 address 103424 : !spatial.buffer<8x4xbf16>
    ```

    Whether depths are enough is decided by the proof of the choreography that they give. `minimal`
    takes the least: with one page less in any ring a program would hang, or could not be scheduled.
    `throughput` adds second pages where one engine can fill a ring while another drains it, as long
    as local memory has room. Depths and addresses that are given stay as they are. Rings that only
    the compute engine uses, one after the other, may lie in the same place.
    """

    name = "size-buffers"

    policy: Literal["throughput", "minimal"] = "throughput"
    """What depths are chosen for."""

    explain: bool = False
    """Whether to say what each ring takes, and why."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Size every program of a module.

        Raises:
            FindingsPassFailed: a program is not placed, does not fit, or cannot be proved.
        """
        findings = Findings()
        sized: list[tuple[ProgramOp, Depths, Mapping[BufferOp, int]]] = []
        for program in [each for each in op.walk() if isinstance(each, ProgramOp)]:
            if program.phase is Phase.SCHEDULED or not program.stages:
                continue
            if (problem := placing_problem(program)) is not None:
                where, what, hint = problem
                findings.error(
                    where,
                    f"has no {what}: size-buffers expects a placed program, but this one is "
                    f"{program.phase.name.lower()}",
                    hint=hint,
                )
                continue
            if _is_done(program):
                continue
            found = _Sizing(self, program, findings).result()
            if found is not None:
                sized.append((program, *found))
        findings.raise_pass()
        for program, depths, addresses in sized:
            for buffer in program.buffers:
                buffer.depth = IntegerAttr(depths[buffer], i64)
                if buffer in addresses:
                    buffer.address = IntegerAttr(addresses[buffer], i64)


def _is_done(program: ProgramOp) -> bool:
    return all(
        buffer.depth is not None and (buffer.address is not None or buffer.alias is not None)
        for buffer in program.buffers
    )


@dataclass
class _Sizing:
    """The search for the depths of one program."""

    options: SizeBuffersPass
    program: ProgramOp
    findings: Findings
    proofs: int = 0
    problem: str = ""
    """Why the last depths that were tried are not enough."""
    known: dict[tuple[int, ...], bool] = field(default_factory=dict[tuple[int, ...], bool])

    def __post_init__(self) -> None:
        machine = self.program.machine
        assert machine is not None
        self.target: Target = machine
        self.buffers = self.program.buffers
        self.free = [b for b in self.buffers if b.depth is None and b.alias is None]
        self.model = CostModel.of(self.program, machine)

    def result(self) -> tuple[Depths, dict[BufferOp, int]] | None:
        """Depths and addresses, or None after an error."""
        usual = self.usual()
        depths = self.enough(usual)
        if depths is None:
            self.findings.error(
                self.program,
                f"@{self.program.sym_name.data} cannot be proved with rings of up to {MOST_PAGES} "
                f"pages: {self.problem}",
                hint="see what verify-choreography says of the program with depths of your own",
            )
            return None
        if self.options.policy == "minimal" or self.placed(depths) is None:
            depths = self.least(depths)
            if self.options.policy != "minimal":
                depths = self.filled(depths)
        addresses = self.placed(depths)
        if addresses is None:
            self.overflow(depths)
            return None
        if self.options.explain:
            self.explain(depths, addresses)
        return depths, addresses

    ############################################################################
    # Depths                                                                   #
    ############################################################################

    def with_aliases(self, depths: Mapping[BufferOp, int]) -> Depths:
        """Depths for all buffers: those that share memory have one depth."""
        return {
            b: b.pages if b.pages is not None else depths.get(b, depths.get(root_of(b), 1))
            for b in self.buffers
        }

    def usual(self) -> Depths:
        """Two pages between engines, what forms need, and one page elsewhere."""
        return self.with_aliases({b: self.model.least_depth(b.buffer) for b in self.buffers})

    def enough(self, depths: Depths) -> Depths | None:
        """Depths that are proved, at least these."""
        while not self.proved(depths):
            larger = self.with_aliases(
                {b: min(2 * d, MOST_PAGES) if self.grows(b) else d for b, d in depths.items()}
            )
            if larger == depths:
                return None
            depths = larger
        return depths

    def grows(self, buffer: BufferOp) -> bool:
        """Whether a ring can be deeper than its form needs."""
        return buffer in self.free and not self.model.is_spill(buffer.buffer)

    def least(self, depths: Depths) -> Depths:
        """Depths of which none can be less, the largest rings being made smaller first."""
        for buffer in sorted(self.free, key=lambda b: -page_bytes(b.page, self.target) * depths[b]):
            low, high = 1, depths[buffer]
            while low < high:
                middle = (low + high) // 2
                if self.proved(self.with_aliases({**depths, buffer: middle})):
                    high = middle
                else:
                    low = middle + 1
            depths = self.with_aliases({**depths, buffer: high})
        return depths

    def filled(self, depths: Depths) -> Depths:
        """Second pages between engines, those that hide most cycles per byte first, as they fit."""
        waiting = [b for b in self.free if depths[b] == 1 and self.usual()[b] > 1]
        waiting.sort(
            key=lambda b: -self.model.moving_cycles(b.buffer) / page_bytes(b.page, self.target)
        )
        for buffer in waiting:
            deeper = self.with_aliases({**depths, buffer: 2})
            if self.placed(deeper) is not None and self.proved(deeper):
                depths = deeper
        return depths

    def proved(self, depths: Depths) -> bool:
        """Whether the program is proved with these depths."""
        key = tuple(depths[buffer] for buffer in self.buffers)
        if key not in self.known:
            self.proofs += 1
            self.known[key] = self.try_out(depths)
        return self.known[key]

    def try_out(self, depths: Depths) -> bool:
        clone = self.program.clone()
        for own, copy in zip(self.buffers, clone.buffers, strict=True):
            copy.depth = IntegerAttr(depths[own], i64)
        module = ModuleOp([clone])
        try:
            module.verify()
            SynthesizeHandshakesPass().apply(Context(), module)
        except (FindingsPassFailed, VerifyException) as error:
            self.problem = str(error).split("\n", 1)[0]
            return False
        verdict = prove(clone)
        self.problem = verdict.message
        return verdict.status == "proved"

    ############################################################################
    # Addresses                                                                #
    ############################################################################

    def placed(self, depths: Depths) -> dict[BufferOp, int] | None:
        """An address for every ring that has memory of its own, or None if there is no room."""
        target = self.target
        ranges = LiveRanges.of(self.program)
        taken: list[tuple[int, int, BufferOp]] = []
        for buffer in self.buffers:
            if buffer.address is not None and buffer.alias is None:
                start = buffer.address.value.data
                taken.append((start, start + self.size(buffer, depths), buffer))
        result: dict[BufferOp, int] = {}
        waiting = [b for b in self.buffers if b.alias is None and b.address is None]
        # Large ones first: what is small fits between them.
        for buffer in sorted(waiting, key=lambda b: -self.size(b, depths)):
            size = self.size(buffer, depths)
            blocking = sorted(
                (start, end) for start, end, other in taken if not ranges.may_share(buffer, other)
            )
            at = _aligned(target.reserved_bytes, target.alignment)
            for start, end in blocking:
                if at + size <= start:
                    break
                at = max(at, _aligned(end, target.alignment))
            if at + size > target.local_bytes:
                return None
            taken.append((at, at + size, buffer))
            result[buffer] = at
        return result

    def size(self, buffer: BufferOp, depths: Mapping[BufferOp, int]) -> int:
        """The bytes of a ring."""
        return depths[buffer] * page_bytes(buffer.page, self.target)

    def overflow(self, depths: Depths) -> None:
        """Report that the rings do not fit."""
        target = self.target
        own = [b for b in self.buffers if b.alias is None]
        total = sum(self.size(b, depths) for b in own)
        notes = [
            f"{self.size(b, depths)} bytes: {value_name(b.buffer)}, {_counted(depths[b])} of "
            f"{b.page.shape[0]}x{b.page.shape[1]} tiles of {element_name(b.page.element_type)}"
            for b in sorted(own, key=lambda b: -self.size(b, depths))
        ]
        self.findings.error(
            self.program,
            f"the rings of @{self.program.sym_name.data} need {total} bytes at least, but target "
            f"'{target.name}' has {target.usable_bytes} for them",
            hint="make smaller pages, with tile-spatial for instance",
            notes=notes,
        )

    def explain(self, depths: Depths, addresses: Mapping[BufferOp, int]) -> None:
        """Tell what every ring takes, and what more pages would bring."""
        target = self.target
        total = max((a + self.size(b, depths) for b, a in addresses.items()), default=0)
        notes = [
            f"{value_name(b.buffer)}: {_counted(depths[b])}, {self.size(b, depths)} bytes"
            + (f" from {addresses[b]}" if b in addresses else "")
            for b in self.buffers
        ]
        found = self.estimate(depths)
        self.findings.remark(
            self.program,
            f"the rings of @{self.program.sym_name.data} end at byte {total} of "
            f"{target.local_bytes}: {round(found.total_cycles)} cycles, policy "
            f"{self.options.policy}, {self.proofs} proof{'s' if self.proofs != 1 else ''}",
            notes=notes,
        )

    def estimate(self, depths: Depths) -> Estimate:
        """What the program is predicted to take with these depths."""
        clone = self.program.clone()
        for own, copy in zip(self.buffers, clone.buffers, strict=True):
            copy.depth = IntegerAttr(depths[own], i64)
        return estimate(clone)


def _aligned(address: int, alignment: int) -> int:
    return -(-address // alignment) * alignment


def _counted(pages: int) -> str:
    return f"{pages} page{'' if pages == 1 else 's'}"
