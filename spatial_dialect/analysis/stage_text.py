"""How messages name stages and sites."""

from __future__ import annotations

from spatial_dialect.dialects.spatial import StageOp
from spatial_dialect.ir.diagnostics import value_name
from spatial_dialect.ir.sites import Sites


def stage_text(stage: StageOp) -> str:
    """A stage in the message of another one: by its name, else by the buffer at its end.

    `'spatial.load' op @load_a`, `'spatial.load' op into %a` or `'spatial.store' op of %c`.
    """
    if stage.sym_name is not None:
        return f"'{stage.name}' op @{stage.sym_name.data}"
    if (buffer := stage.page_write) is not None:
        word = "update" if getattr(stage, "update", None) is not None else "into"
        return f"'{stage.name}' op {word} {value_name(buffer)}"
    return f"'{stage.name}' op of {value_name(stage.page_reads[0])}"


def site_text(sites: Sites) -> str:
    """The first site of a set: `[0, 3]`."""
    y, x = sites.first
    return f"[{y}, {x}]"
