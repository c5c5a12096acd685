"""`spatial-run`: runs a program on arrays, engine by engine.

The program is dataflow, which is scheduled first, or choreography. Tensors come from `.npy` files
or are made up, and go to `.npy` files. `--check` compares what the engines make of them with what
the dataflow means.

Exit codes: 0 all is well; 1 the program, a tensor or a check is at fault; 2 the command line is,
which includes an output file that cannot be written; 130 the run was interrupted.
"""

from __future__ import annotations

import argparse
import io
import json
import math
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from time import perf_counter
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.dialects import func
    from xdsl.dialects.builtin import ModuleOp
    from xdsl.ir import SSAValue

    from spatial_dialect.dialects.spatial import ProgramOp
    from spatial_dialect.machine.elements import Array
    from spatial_dialect.machine.schedules import Schedule
    from spatial_dialect.tools.report import Reporter
    from spatial_dialect.tools.run_tensors import Difference

# What takes time to import is imported where it is used, so that --help is quick.

TOOL = "spatial-run"
"""The name of the tool in its messages."""

OK, BAD_INPUT, BAD_USAGE, INTERRUPTED = 0, 1, 2, 130
"""The exit codes."""

PATIENCE = 1.0
"""So many seconds go by before a run shows that it is alive."""


class UsageError(Exception):
    """The command line asks for something that does not exist or cannot be done."""


class BadInput(Exception):
    """The program or a tensor is at fault; without a text if that has been reported."""


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=TOOL,
        description="Runs a program on arrays, engine by engine.",
        epilog="Fillers: random (floats with mean 0 and variance 1, small integers), zeros, ones, "
        "arange. Arguments that are not given: random if the program reads them, else zeros.",
        allow_abbrev=False,
    )
    add = parser.add_argument
    add("input", nargs="?", default="-", help="the program, an .mlir file; - is standard input")
    add("--program", metavar="NAME", help="the program to run, if there are several")
    add(
        "--arg",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="an argument: a .npy file, a filler, or a number for an index; FILE.npy:convert "
        "converts elements of another type",
    )
    add(
        "--out",
        action="append",
        default=[],
        metavar="NAME=FILE",
        help="a .npy file for a tensor after the run; FILE.npy:convert writes narrow floats as f32",
    )
    add("--check", action="store_true", help="compare with what the dataflow means")
    add("--reference", metavar="FILE", help="the dataflow of a program that is scheduled already")
    add(
        "--tolerance",
        type=_tolerance,
        metavar="T",
        help="the relative error that --check accepts; by default what rounding accounts for",
    )
    add(
        "--schedule",
        default="round-robin",
        metavar="NAME",
        help="round-robin (the default), random:SEED or adversarial",
    )
    add("--seed", type=int, default=0, metavar="N", help="the seed of random tensors")
    add("--json", action="store_true", help="print one JSON object")
    add("--quiet", action="store_true", help="print nothing but errors")
    return parser


def _tolerance(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value < math.inf:
        raise argparse.ArgumentTypeError(f"a number from 0, not '{text}'")
    return value


@dataclass
class _Tool:
    """One run of the tool."""

    options: argparse.Namespace
    report: dict[str, Any] = field(default_factory=dict[str, Any])
    """What --json prints."""
    lines: list[str] = field(default_factory=list[str])
    """What is printed without it."""
    modules: dict[str, Any] = field(default_factory=dict[str, Any])
    """The files that have been read."""

    def execute(self) -> int:
        """Run the program; the result is the exit code.

        Raises:
            UsageError: the command line is at fault.
            BadInput: the program or a tensor is.
        """
        from spatial_dialect.machine.schedules import Schedule
        from spatial_dialect.tools import run_tensors
        from spatial_dialect.tools.debug import describe_exception

        options = self.options
        given = _pairs("--arg", options.arg)
        outputs = _pairs("--out", options.out)
        files = [path.removesuffix(":convert") for path in outputs.values()]
        if len(set(files)) < len(files):
            raise UsageError("two tensors cannot be written to one file: give each --out its own")
        if options.seed < 0:
            raise UsageError(f"--seed is {options.seed}, but seeds count from 0")
        if options.reference is not None and not options.check:
            raise UsageError("--reference is for --check")
        try:
            schedule = Schedule.of(options.schedule)
        except ValueError as error:
            raise UsageError(str(error)) from error

        if (function := self.function(options.input, options.program)) is not None:
            return self.run_function(function, given, outputs, schedule)
        program = self.program(options.input, options.program)
        dataflow = program if program.stages else None
        if options.reference is not None:
            if dataflow is not None:
                raise UsageError("--reference is for a program that is scheduled already")
            dataflow = self.program(options.reference, program.sym_name.data)
            if not dataflow.stages:
                raise UsageError(f"'{options.reference}' is no dataflow: it has no stages")
        if options.check and dataflow is None:
            raise UsageError(
                f"@{program.sym_name.data} is scheduled already: --check needs its dataflow, "
                "--reference FILE"
            )
        try:
            arguments, sources = run_tensors.arguments_of(program, given, options.seed)
        except run_tensors.BadArgument as error:
            raise UsageError(str(error)) from error
        except run_tensors.BadTensor as error:
            raise BadInput(str(error)) from error
        except ValueError as error:
            raise BadInput(f"@{program.sym_name.data}: {describe_exception(error)}") from error
        names = _names(program)
        tensors = [name for name, value in arguments.items() if not isinstance(value, int)]
        for name in outputs:
            if name not in tensors:
                known = ", ".join(tensors)
                raise UsageError(
                    f"@{program.sym_name.data} has no tensor '{name}' to write: it has {known}"
                )

        scheduled = self.scheduled(program)
        results = self.run(scheduled, arguments, schedule)
        self.save(outputs, results)
        written = run_tensors.written_tensors(scheduled)
        after = {n: results[n] for value, n in _names(scheduled).items() if value in written}
        self.describe(program, sources, schedule, after, outputs)
        if dataflow is None or not options.check:
            return OK
        return self.check(scheduled, dataflow, names, arguments, after)

    # Functions.

    def function(self, file: str, name: str | None) -> func.FuncOp | None:
        """The function to run, if a file has one, of that name if one is given.

        Raises:
            UsageError: there are several, and no name.
            BadInput: the file cannot be read, or something in it is wrong.
        """
        from spatial_dialect.tools.run_function import functions_of

        functions = functions_of(self.parsed(file))
        if name is not None:
            return functions.get(name.removeprefix("@"))
        if len(functions) > 1:
            known = ", ".join(f"@{each}" for each in functions)
            raise UsageError(f"'{file}' has the functions {known}: choose one by --program NAME")
        return next(iter(functions.values()), None)

    def run_function(
        self,
        function: func.FuncOp,
        given: Mapping[str, str],
        outputs: Mapping[str, str],
        schedule: Schedule,
    ) -> int:
        """Run a function and the programs that it launches; the result is the exit code.

        Raises:
            UsageError: the command line is at fault.
            BadInput: the function, a program or a tensor is.
        """
        from spatial_dialect.tools import run_tensors
        from spatial_dialect.tools.run_function import FunctionRun, meaning

        options = self.options
        name = function.sym_name.data
        scheduled: dict[ProgramOp, ProgramOp] = {}
        passed = True

        def launch(program: ProgramOp, arguments: Mapping[str, Array | int]) -> Mapping[str, Array]:
            nonlocal passed
            if program not in scheduled:
                scheduled[program] = self.scheduled(program)
            engines = scheduled[program]
            results = self.run(engines, arguments, schedule)
            written = run_tensors.written_tensors(engines)
            after = {n: results[n] for v, n in _names(engines).items() if v in written}
            self.describe(program, dict.fromkeys(arguments, "launch"), schedule, after, {})
            if options.check and options.reference is None:
                found = self.check(engines, program, _names(program), arguments, after)
                passed &= found == OK
                self.lines.pop()
            return results

        run = FunctionRun(function, launch)
        launches = [op for op in function.walk() if op.name == "spatial.launch"]
        if options.check and options.reference is None:
            for program in run.programs(launches):
                if not program.stages:
                    raise UsageError(
                        f"@{program.sym_name.data} is scheduled already: --check needs the tensor "
                        "code that it was made of, --reference FILE"
                    )
        reference = None
        if options.reference is not None:
            reference = self.function(options.reference, name)
            if reference is None:
                raise UsageError(f"'{options.reference}' has no function @{name}")
        try:
            arguments, _ = run.arguments(given, options.seed)
        except run_tensors.BadArgument as error:
            raise UsageError(str(error)) from error
        except run_tensors.BadTensor as error:
            raise BadInput(str(error)) from error
        types = run.types()
        for each in outputs:
            if each not in types:
                known = ", ".join(types) or "none"
                raise UsageError(f"@{name} has no result '{each}' to write: it has {known}")
        try:
            results = run.run(arguments)
        except ValueError as error:
            raise BadInput(f"@{name}: {error}") from error
        self.save(outputs, results)
        for each, array in results.items():
            self.lines.append(f"{each}: {run_tensors.type_text(types[each])}, {_range(array)}")
        self.report |= {
            "function": name,
            "programs": [program.sym_name.data for program in run.launched],
            "results": {each: _summary(array) for each, array in results.items()},
        }
        if not options.check:
            return OK
        if reference is not None:
            try:
                expected = meaning(reference, arguments)
            except (ValueError, KeyError) as error:
                raise BadInput(f"@{name} of '{options.reference}': {error}") from error
            if {n: a.shape for n, a in expected.items()} != {
                n: a.shape for n, a in results.items()
            }:
                raise BadInput(f"@{name} of '{options.reference}' gives other results")
            for each, array in results.items():
                tolerance = options.tolerance
                tolerance = run.tolerance(types[each]) if tolerance is None else tolerance
                difference = run_tensors.compared(array, expected[each], tolerance)
                passed &= difference.passes
                self.lines.append(f"{each}: {_difference_text(difference)}")
        self.lines.append(f"check {'passed' if passed else 'failed'}")
        self.report["check"] = {"passed": passed}
        return OK if passed else BAD_INPUT

    # Programs.

    def program(self, file: str, name: str | None) -> ProgramOp:
        """The program to run, of a file.

        Raises:
            UsageError: it is not there, or there are several.
            BadInput: the file cannot be read, or something in it is wrong.
        """
        from spatial_dialect.dialects.spatial import ProgramOp

        module = self.parsed(file)
        programs = {op.sym_name.data: op for op in module.walk() if isinstance(op, ProgramOp)}
        where = "the standard input" if file == "-" else f"'{file}'"
        if not programs:
            raise BadInput(f"{where} has no program")
        known = ", ".join(f"@{each}" for each in programs)
        if name is None:
            if len(programs) > 1:
                raise UsageError(f"{where} has the programs {known}: choose one by --program NAME")
            return next(iter(programs.values()))
        if (found := programs.get(name.removeprefix("@"))) is None:
            raise UsageError(f"{where} has no program @{name.removeprefix('@')}: it has {known}")
        return found

    def parsed(self, file: str) -> ModuleOp:
        """The verified module of a file.

        Raises:
            BadInput: it has been reported what is wrong.
        """
        from spatial_dialect.tools.reading import read_module

        if file not in self.modules:
            module = read_module(_context(), file)
            if module is None:
                raise BadInput
            self.modules[file] = module
        return self.modules[file]

    @staticmethod
    def reported(reporter: Reporter, error: Exception, stage: str, *, parsed: bool) -> NoReturn:
        """Report what is wrong with a program."""
        reporter.exception(error, stage, parsed=parsed)
        raise BadInput from error

    def scheduled(self, program: ProgramOp) -> ProgramOp:
        """The program as engines.

        Raises:
            BadInput: it cannot be scheduled, which has been reported.
        """
        if not program.stages:
            return program
        from xdsl.dialects.builtin import ModuleOp

        from spatial_dialect.dialects.spatial import ProgramOp
        from spatial_dialect.ir.diagnostics import warnings_to
        from spatial_dialect.passes.synthesize_handshakes import SynthesizeHandshakesPass
        from spatial_dialect.tools.report import Reporter, located_diagnostics

        name = "stdin" if self.options.input == "-" else self.options.input
        reporter = Reporter(name, lambda: sys.stderr)
        module = ModuleOp([program.clone()])
        for original, copy in zip(program.walk(), module.body.block.walk(), strict=True):
            copy.location = original.location
        try:
            with located_diagnostics(), warnings_to(reporter.finding):
                SynthesizeHandshakesPass().apply(_context(), module)
        except Exception as error:
            # A pass may fail with any exception; users get a message with its name.
            self.reported(reporter, error, "pass 'synthesize-handshakes'", parsed=True)
        found = module.body.block.first_op
        assert isinstance(found, ProgramOp)
        return found

    # Runs.

    def run(
        self, program: ProgramOp, arguments: Mapping[str, Array | int], schedule: Schedule
    ) -> dict[str, Array]:
        """The tensors after a run.

        Raises:
            BadInput: it does not get to its end.
        """
        from spatial_dialect.machine.code import Unsupported
        from spatial_dialect.machine.layout import TooLarge
        from spatial_dialect.machine.values import Hang, run
        from spatial_dialect.report.hangs import describe
        from spatial_dialect.tools.report import place_of

        name = program.sym_name.data
        start = perf_counter()
        events = 0
        with _Progress(self.options) as progress:

            def happened(count: int) -> None:
                nonlocal events
                events = count
                progress(count)

            try:
                results = run(program, arguments, schedule=schedule, progress=happened)
            except Hang as hang:
                lines = "\n".join(describe(hang.machine))
                raise BadInput(f"@{name} hangs under the schedule {schedule}:\n{lines}") from hang
            except Unsupported as error:
                place = place_of(error.op, self.options.input)
                raise BadInput(f"{place}: '{error.op.name}' {error}") from error
            except TooLarge as error:
                raise BadInput(f"@{name} cannot run site by site: {error}") from error
            except ValueError as error:
                raise BadInput(str(error)) from error
        self.report["events"] = events
        self.report["seconds"] = round(perf_counter() - start, 6)
        return results

    def describe(
        self,
        program: ProgramOp,
        sources: Mapping[str, str],
        schedule: Schedule,
        after: Mapping[str, Array],
        outputs: Mapping[str, str],
    ) -> None:
        """Say what has been run, and what came out."""
        from spatial_dialect.tools.run_tensors import CONVERT, type_text

        name, shape = program.sym_name.data, program.grid_shape
        assert shape is not None
        items = program.loop_nest.i.size
        text = f"@{name} on {shape[0]}x{shape[1]} sites"
        text += "" if items == 1 else f", {items} work items"
        self.lines.append(f"{text}, schedule {schedule}")
        tensors: dict[str, Any] = {}
        for argument, tensor in _names(program).items():
            entry: dict[str, Any] = {"type": str(argument.type), "given": sources[tensor]}
            if tensor in after:
                array = after[tensor]
                entry |= _summary(array)
                text = f"{tensor}: {type_text(argument.type)}"
                self.lines.append(f"{text}, {_range(array)}" if array.size else text)
            if tensor in outputs:
                entry["file"] = outputs[tensor].removesuffix(CONVERT)
            tensors[tensor] = entry
        self.report |= {
            "program": name,
            "schedule": str(schedule),
            "seed": self.options.seed,
            "sites": shape[0] * shape[1],
            "items": items,
            "arguments": tensors,
        }

    def save(self, outputs: Mapping[str, str], results: Mapping[str, Array]) -> None:
        """Write tensors to files: all of them, or none.

        Raises:
            UsageError: one of them cannot be written.
        """
        import numpy as np

        from spatial_dialect.tools.output import OutputFile
        from spatial_dialect.tools.run_tensors import to_save

        files: list[tuple[str, OutputFile]] = []
        path = ""
        try:
            for name, file in outputs.items():
                path, array = to_save(results[name], file)
                files.append((path, OutputFile(path, binary=True)))
                np.save(files[-1][1].stream, array, allow_pickle=False)
            for path, file in files:
                file.commit()
        except OSError as error:
            raise UsageError(f"cannot write '{path}': {error.strerror or error}") from error
        finally:
            for _, file in files:
                file.discard()

    # The check.

    def check(
        self,
        scheduled: ProgramOp,
        dataflow: ProgramOp,
        names: Mapping[SSAValue, str],
        arguments: Mapping[str, Array | int],
        after: Mapping[str, Array],
    ) -> int:
        """Compare with what the dataflow means; the result is the exit code.

        Raises:
            BadInput: the dataflow has no meaning, or other arguments.
        """
        from spatial_dialect.machine import reference
        from spatial_dialect.tools.run_tensors import compared, tolerances

        theirs = {name: value.type for value, name in _names(dataflow).items()}
        if theirs != {name: value.type for value, name in names.items()}:
            raise BadInput(
                f"@{dataflow.sym_name.data} of '{self.options.reference}' takes other arguments: "
                f"{', '.join(theirs)}"
            )
        try:
            expected = reference.run(dataflow, arguments)
        except ValueError as error:
            raise BadInput(f"the reference meaning: {error}") from error
        by_rounding = {_names(scheduled)[v]: t for v, t in tolerances(scheduled).items()}
        found: dict[str, Any] = {}
        passed = True
        for name, array in after.items():
            tolerance = self.options.tolerance
            tolerance = by_rounding[name] if tolerance is None else tolerance
            difference = compared(array, expected[name], tolerance)
            passed &= difference.passes
            self.lines.append(f"{name}: {_difference_text(difference)}")
            found[name] = {
                "passed": difference.passes,
                "largest_absolute_error": _finite(difference.absolute),
                "at": list(difference.absolute_at),
                "largest_relative_error": _finite(difference.relative),
                "relative_at": list(difference.relative_at),
                "found": _finite(difference.found),
                "expected": _finite(difference.expected),
                "tolerance": tolerance,
            }
        self.lines.append(f"check {'passed' if passed else 'failed'}")
        self.report["check"] = {"passed": passed, "tensors": found}
        return OK if passed else BAD_INPUT

    def print(self, error: str | None = None) -> None:
        """Print the results."""
        if self.options.json:
            if error is not None:
                self.report["error"] = error
            print(json.dumps(self.report, allow_nan=False))
        elif not self.options.quiet:
            for line in self.lines:
                print(line)
        elif self.lines and self.lines[-1] == "check failed":
            print("spatial-run: error: check failed", file=sys.stderr)
        sys.stdout.flush()


def _pairs(option: str, texts: Iterable[str]) -> dict[str, str]:
    """`NAME=VALUE`, each name once.

    Raises:
        UsageError: that is not what it is.
    """
    found: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        name = name.removeprefix("%")
        if not equals or not name or not value:
            raise UsageError(f"{option} takes NAME=VALUE, not '{text}'")
        if name in found:
            raise UsageError(f"{option} {name}=... is given twice")
        found[name] = value
    return found


def _names(program: ProgramOp) -> dict[SSAValue, str]:
    from spatial_dialect.machine.arguments import argument_names

    return argument_names(program)


def _context() -> Context:
    from xdsl.context import Context
    from xdsl.universe import Universe

    from spatial_dialect.universe import ALL_DIALECTS

    context = Context()
    for name, factory in {**Universe.get_multiverse().all_dialects, **ALL_DIALECTS}.items():
        context.register_dialect(name, factory)
    return context


def _summary(array: Array) -> dict[str, Any]:
    """The range of a tensor's elements."""
    import numpy as np

    values = array.astype(np.float64)
    numbers = values[~np.isnan(values)]
    return {
        "least": _finite(float(numbers.min())) if numbers.size else None,
        "largest": _finite(float(numbers.max())) if numbers.size else None,
        "nan": int(values.size - numbers.size),
    }


def _range(array: Array) -> str:
    """The least and the largest number, and how many are none."""
    entry = _summary(array)
    text = f"{_number(entry['least'])} to {_number(entry['largest'])}" if array.size else "empty"
    return text + (f", {entry['nan']} not a number" if entry["nan"] else "")


def _finite(value: float) -> float | str:
    """A number as JSON can hold it."""
    return value if math.isfinite(value) else str(value)


def _number(value: float | str | None) -> str:
    return "nothing" if value is None else value if isinstance(value, str) else f"{value:.6g}"


def _difference_text(difference: Difference) -> str:
    if difference.absolute == 0:
        return "no error"

    def place(at: Sequence[int]) -> str:
        return f"[{', '.join(map(str, at))}]"

    verb = "within" if difference.passes else "above"
    return (
        f"largest error {difference.absolute:.3g} at {place(difference.absolute_at)}; largest "
        f"relative error {difference.relative:.3g}, {verb} {difference.tolerance:.3g}, at "
        f"{place(difference.relative_at)}: {difference.found:.6g} instead of "
        f"{difference.expected:.6g}"
    )


class _Progress:
    """Shows that a long run is alive, on a terminal."""

    def __init__(self, options: argparse.Namespace):
        self.shows = sys.stderr.isatty() and not options.quiet
        self.start = perf_counter()
        self.status: Any = None

    def __enter__(self) -> Callable[[int], None]:
        return self.happened

    def happened(self, events: int) -> None:
        """So many events have happened."""
        if not self.shows or perf_counter() - self.start < PATIENCE:
            return
        text = f"{events:,} events"
        if self.status is None:
            from rich.console import Console

            self.status = Console(stderr=True).status(text)
            self.status.start()
        self.status.update(text)

    def __exit__(self, *_: object) -> None:
        if self.status is not None:
            self.status.stop()


def main(args: Sequence[str] | None = None) -> int:
    """Run the tool with these arguments or the command line's; the result is the exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    tool = _Tool(_parser().parse_args(args))
    try:
        return _guarded(tool)
    except KeyboardInterrupt:
        _complain("interrupted")
        return INTERRUPTED
    except BrokenPipeError:
        # The reader has seen enough. Python would complain once more when it flushes at exit.
        with suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK
    except OSError as error:
        _complain(f"cannot write the standard output: {error.strerror or error}")
        return BAD_USAGE


def _guarded(tool: _Tool) -> int:
    """Execute and print; what goes wrong becomes a message and an exit code."""
    from spatial_dialect.tools.debug import debugging, describe_exception

    try:
        code = tool.execute()
    except UsageError as error:
        _complain(str(error))
        return BAD_USAGE
    except BadInput as error:
        text = str(error)
        if text:
            _complain(text)
        tool.print(text or "the program is wrong: see the standard error")
        return BAD_INPUT
    except BrokenPipeError:
        raise
    except MemoryError:
        _complain("out of memory")
        return BAD_INPUT
    except Exception as error:
        # The last resort: a user gets one line, who asks for debugging the traceback.
        if debugging():
            raise
        _complain(describe_exception(error))
        return BAD_INPUT
    tool.print()
    return code


def _complain(text: str) -> None:
    with suppress(OSError):
        print(f"{TOOL}: error: {text}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
