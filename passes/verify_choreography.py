"""Proves that scheduled programs neither hang nor race, or says what goes wrong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from spatial_dialect.analysis.fingerprint import fingerprint
from spatial_dialect.dialects.choreo import VERDICT, VerdictAttr
from spatial_dialect.dialects.spatial import Phase, ProgramOp
from spatial_dialect.ir.diagnostics import Findings
from spatial_dialect.machine.proof import BUDGET, Verdict, prove


@dataclass(frozen=True)
class VerifyChoreographyPass(ModulePass):
    """Judges each scheduled program: for every order in which its engines may take their turns.

    ```mlir
    spatial.program @matmul(...) ... attributes {choreo.verdict = #choreo.verdict<proved "8c1d...">}
    ```

    `proved`: every engine ends, every page that is read is the one that was meant, no two accesses
    race, and all is back where it started. The program gets a fingerprint of what was proved.
    `refuted` is an error that names the rule which is broken, and what to change. `undecided` is a
    warning that names the reason; the exit code of `spatial-opt` stays 0. Whether addresses lie
    inside tensors, and whether two stores write one place, is for the verifier of dataflow.
    """

    name = "verify-choreography"

    budget: int = BUDGET
    """The most steps of engines to run before giving up."""

    full_grid: bool = False
    """Whether to run every site instead of a few that stand for all."""

    keep_going: bool = False
    """Whether a refuted program is only marked, with a warning, instead of an error."""

    certificate: str | None = None
    """A file for the certificate of all programs, which is written if they are all proved."""

    counterexample: str | None = None
    """A file for the counterexample of the first program that is refuted, as a trace."""

    def __post_init__(self) -> None:
        """Checks that the options go together.

        Raises:
            ValueError: they do not.
        """
        if self.budget < 1:
            raise ValueError(f"the budget is {self.budget}, but no proof takes less than a step")
        if self.certificate is not None and self.full_grid:
            raise ValueError("a certificate is about the reduced grid: leave full-grid out")

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        findings = Findings()
        verdicts: list[tuple[ProgramOp, Verdict]] = []
        for program in [each for each in op.walk() if isinstance(each, ProgramOp)]:
            if program.phase != Phase.SCHEDULED:
                findings.error(
                    program,
                    f"is {program.phase.name.lower()}, but only the engines of a scheduled program "
                    "can be judged",
                    hint="run synthesize-handshakes first",
                )
                continue
            verdict = prove(program, budget=self.budget, on_full_grid=self.full_grid)
            is_first = all(known.status != "refuted" for _, known in verdicts)
            verdicts.append((program, verdict))
            self.report(program, verdict, findings, is_first=is_first)
        findings.raise_pass()
        for program, verdict in verdicts:
            program.attributes[VERDICT] = _attribute(program, verdict)
        if self.certificate is not None:
            self.certify(self.certificate, verdicts, findings)

    def certify(
        self, path: str, verdicts: Sequence[tuple[ProgramOp, Verdict]], findings: Findings
    ) -> None:
        """Writes the certificate, whole or not at all.

        Raises:
            OSError: it cannot be written.
        """
        for program, verdict in verdicts:
            if verdict.status != "proved":
                findings.warning(
                    program,
                    f"is not proved, so no certificate is written to '{path}'",
                )
                return
        # Who wants no certificate need not wait for this to load.
        from spatial_dialect.machine.certificate import certificate

        _write(path, certificate(verdicts))

    def report(
        self, program: ProgramOp, verdict: Verdict, findings: Findings, *, is_first: bool
    ) -> None:
        """Tells the user.

        Args:
            program: that was judged.
            verdict: what is known about it.
            findings: where to tell.
            is_first: whether no program before was refuted.

        Raises:
            OSError: the counterexample cannot be written.
        """
        if verdict.status == "proved":
            findings.remark(
                program,
                f"@{program.sym_name.data} proved: {verdict.message} ({verdict.steps} steps on "
                f"{verdict.cells} {'site' if verdict.cells == 1 else 'sites'})",
            )
            return
        # Programs that are right need not wait for this to load.
        from spatial_dialect.report.counterexample import explain, undecided_notes

        if verdict.status == "undecided":
            notes, hint = undecided_notes(verdict)
            message = f"undecided ({verdict.check}): {verdict.message}"
            findings.warning(verdict.op, message, hint=hint, notes=notes)
            return
        found = explain(verdict, on_full_grid=self.full_grid)
        message = f"refuted ({verdict.check}): {found.message}"
        tell = findings.warning if self.keep_going else findings.error
        tell(found.op, message, hint=found.hint, notes=found.notes)
        if self.counterexample is not None and is_first:
            _write(self.counterexample, found.trace_text())


def _attribute(program: ProgramOp, verdict: Verdict) -> VerdictAttr:
    detail = fingerprint(program) if verdict.status == "proved" else str(verdict.check)
    return VerdictAttr.of(verdict.status, detail)


def _write(path: str, text: str) -> None:
    """Writes a file, whole or not at all.

    Raises:
        OSError: it cannot be written.
    """
    from spatial_dialect.ir.output import OutputFile

    file = None
    try:
        file = OutputFile(path)
        file.stream.write(text)
        file.commit()
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), path) from error
    finally:
        if file is not None:
            file.discard()
