"""A fingerprint of a program: equal for programs that are the same but for names and remarks."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256

from xdsl.ir import Attribute, Block, SSAValue

from spatial_dialect.dialects.choreo import VERDICT, VerdictAttr
from spatial_dialect.dialects.spatial import ProgramOp

_REMARKS = frozenset(("sym_name", "stage", VERDICT))
"""What ops carry that means nothing to a run."""


def fingerprint(program: ProgramOp) -> str:
    """32 hexadecimal digits that change with anything a run could depend on."""
    digest = sha256()
    for part in _parts(program):
        digest.update(part.encode())
        digest.update(b"\n")
    return digest.hexdigest()[:32]


def has_valid_proof(program: ProgramOp) -> bool:
    """Whether a program says that it is proved, and is still the one that was."""
    proved = _proved_fingerprint(program)
    return proved is not None and proved == fingerprint(program)


def is_stale(program: ProgramOp) -> bool:
    """Whether a program says that it is proved, but has changed since."""
    proved = _proved_fingerprint(program)
    return proved is not None and proved != fingerprint(program)


def _proved_fingerprint(program: ProgramOp) -> str | None:
    """What was proved, if the program says so."""
    verdict = program.attributes.get(VERDICT)
    if isinstance(verdict, VerdictAttr) and verdict.status.data == "proved":
        return verdict.detail.data
    return None


def _parts(program: ProgramOp) -> Iterator[str]:
    """The structure of a program as lines of text, values by number."""
    values: dict[SSAValue, int] = {}
    blocks: dict[Block, int] = {}
    texts: dict[Attribute, str] = {}

    def text(attribute: Attribute) -> str:
        found = texts.get(attribute)
        if found is None:
            found = texts[attribute] = str(attribute)
        return found

    for op in program.walk():
        named = {
            **{name: value for name, value in op.properties.items() if name not in _REMARKS},
            **{f"{{{k}}}": v for k, v in op.attributes.items() if k not in _REMARKS},
        }
        yield " ".join(
            (
                op.name,
                *(f"%{values.setdefault(operand, len(values))}" for operand in op.operands),
                *(f"^{blocks.setdefault(block, len(blocks))}" for block in op.successors),
                *(f"{k}={text(named[k])}" for k in sorted(named)),
                *(
                    f"-> %{values.setdefault(result, len(values))} {text(result.type)}"
                    for result in op.results
                ),
            )
        )
        for region in op.regions:
            for block in region.blocks:
                yield " ".join(
                    (
                        f"^{blocks.setdefault(block, len(blocks))}",
                        *(
                            f"%{values.setdefault(argument, len(values))} {text(argument.type)}"
                            for argument in block.args
                        ),
                    )
                )
        if op.next_op is None:
            yield "}"
