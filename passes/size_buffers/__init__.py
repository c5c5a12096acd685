"""Chooses how many pages every ring holds, and where it lies in local memory."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from xdsl.context import Context
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, i64
from xdsl.passes import ModulePass

from spatial_dialect.dialects.spatial import BufferOp, Phase, ProgramOp, StageOp
from spatial_dialect.ir.diagnostics import Findings, value_name
from spatial_dialect.passes.synthesize_handshakes.checks import placing_problem

from .layout import Layout, laid_out
from .report import check_room, explain
from .rings import Depths, Rings
from .search import Search
from .trials import Trials


@dataclass(frozen=True)
class SizeBuffersPass(ModulePass):
    """Gives every buffer of a placed program a depth and an address.

    ```mlir
    %a = spatial.buffer : !spatial.buffer<8x4xbf16>
    // becomes
    %a = spatial.buffer depth 2 address 103424 : !spatial.buffer<8x4xbf16>
    ```

    The proof of the choreography that would come of it tells which depths are enough. `minimal`
    takes the least: with a page less in any ring the program would hang, or could not be scheduled.
    `throughput` adds a second page where one engine can then fill a ring while another drains it,
    what is predicted to hide most cycles per byte first, as long as there is room. Depths and
    addresses that are given stay as they are.

    Rings that only the compute engine uses, and that never hold pages at the same time, may lie in
    the same place; a ring that is an `alias` has the address of the other. If the rings do not fit,
    the error lists them by size.
    """

    name = "size-buffers"

    policy: Literal["throughput", "minimal"] = "throughput"
    """What depths are chosen for."""

    depths: str | None = None
    """Depths of single buffers by name, in quotes, such as `"a:3,b:2"`."""

    explain: bool = False
    """Whether to say what each ring takes, and why."""

    def __post_init__(self) -> None:
        """Checks the options.

        Raises:
            ValueError: one is wrong.
        """
        _ = self.asked

    @property
    def asked(self) -> Mapping[str, int]:
        """The option `depths`.

        Raises:
            ValueError: it says something else.
        """
        result: dict[str, int] = {}
        for part in () if self.depths is None else self.depths.split(","):
            found = re.fullmatch(r"\s*%?([\w.$-]+):([1-9]\d*)\s*", part)
            if found is None or found[1] in result:
                raise ValueError(
                    f"depths is '{self.depths}', but depths are NAME:PAGES,..., each name once, "
                    "such as a:3,b:2"
                )
            result[found[1]] = int(found[2])
        return result

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Size every program of a module.

        Raises:
            FindingsPassFailed: a program is not placed, or its rings do not fit or go on.
        """
        findings = Findings()
        programs = [
            program
            for program in op.walk()
            if isinstance(program, ProgramOp) and program.phase is not Phase.SCHEDULED
        ]
        self.check_asked(op, programs, findings)
        sizes: list[_Sizes] = []
        for program in programs:
            if (problem := _placing_problem(program)) is not None:
                where, what, hint = problem
                findings.error(
                    where,
                    f"{what}: size-buffers expects a placed program, but this one is "
                    f"{program.phase.name.lower()}",
                    hint=hint,
                )
            elif not all(map(_is_sized, program.buffers)):
                found = self.sizes(program, findings)
                if found is not None:
                    sizes.append(found)
        findings.raise_pass()
        for found in sizes:
            found.write()

    def check_asked(self, module: ModuleOp, programs: list[ProgramOp], findings: Findings) -> None:
        """The option `depths` is about buffers that there are, and that have no other depth."""
        buffers = [buffer for program in programs for buffer in program.buffers]
        for name, pages in self.asked.items():
            named = [buffer for buffer in buffers if buffer.buffer.name_hint == name]
            if not named:
                findings.error(
                    module,
                    f"depths says {name}:{pages}, but no program has a buffer %{name}",
                    hint="the buffers are "
                    + ", ".join(sorted({value_name(buffer.buffer) for buffer in buffers})),
                )
            for buffer in named:
                if buffer.pages not in (None, pages):
                    findings.error(
                        buffer,
                        f"%{name} has depth {buffer.pages}, but depths says {name}:{pages}",
                        hint="leave one of them out",
                    )

    def sizes(self, program: ProgramOp, findings: Findings) -> _Sizes | None:
        """Depths and addresses for a program, or None after an error."""
        rings = Rings.of(program, self.asked)
        # What cannot be helped first: it costs no proof.
        for depths in (rings.depths(1), rings.depths()):
            if not check_room(rings, depths, findings):
                return None
        trials = Trials(rings)
        search = Search(rings, trials, findings)
        least = search.least()
        if least is None or not check_room(rings, least, findings):
            return None
        depths = least if self.policy == "minimal" else search.doubled(least)
        layout = laid_out(rings, depths)
        if self.explain:
            explain(rings, least, depths, layout, trials, findings)
        return _Sizes(depths, layout)


def _placing_problem(program: ProgramOp) -> tuple[ProgramOp | StageOp, str, str] | None:
    """What a program lacks that is not placed yet: where, what, and how to come by it."""
    if program.phase is Phase.TEMPLATE and program.grid is None:
        return program, "has whole matrices for pages", "run tile-spatial and place-spatial first"
    if (problem := placing_problem(program)) is None:
        return None
    where, what, hint = problem
    return where, f"has no {what}", hint


def _is_sized(buffer: BufferOp) -> bool:
    return buffer.depth is not None and (buffer.address is not None or buffer.alias is not None)


@dataclass(frozen=True)
class _Sizes:
    """What was found for a program."""

    depths: Depths
    layout: Layout

    def write(self) -> None:
        """Writes it to the buffers; an alias has the address of what it shares memory with."""
        for ring, depth in self.depths.items():
            for buffer in ring.members:
                buffer.depth = IntegerAttr(depth, i64)
            ring.owner.address = IntegerAttr(self.layout.addresses[ring], i64)
