"""`spatial-opt`: xDSL's optimizer driver with the manners of `mlir-opt`.

It runs passes on a program and prints the result. Every registered pass is also a flag. Errors are
printed as `file:line:col: error: message`, all that a run finds.

Exit codes: 0 all is well; 1 the input is at fault; 2 the command line is, which includes an output
file that cannot be written.
"""

from __future__ import annotations

import argparse
import gc
import inspect
import io
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from difflib import get_close_matches
from io import BytesIO
from typing import IO, Any, Protocol, TextIO, runtime_checkable

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass, PassPipeline, PassPipelineCallbackType
from xdsl.universe import Universe
from xdsl.utils.arg_spec import ArgSpec, parse_pipeline, parse_spec
from xdsl.utils.exceptions import (
    ArgSpecParseError,
    DiagnosticException,
    ParseError,
    ShrinkException,
)
from xdsl.xdsl_opt_main import xDSLOptMain

from spatial_dialect.ir.diagnostics import warnings_to
from spatial_dialect.tools.debug import debugging, describe_exception
from spatial_dialect.tools.dominance import check_dominance
from spatial_dialect.tools.located_parser import (
    InvalidConstructError,
    LocatedFrontend,
    LocatedStableHLOFrontend,
)
from spatial_dialect.tools.output import OutputFile
from spatial_dialect.tools.pass_flags import fold_pass_flags
from spatial_dialect.tools.report import (
    Place,
    Rejected,
    Reporter,
    in_program_order,
    located_diagnostics,
    verification_errors,
)
from spatial_dialect.universe import ALL_DIALECTS, ALL_PASSES, ALL_TARGETS

PROGRAM = "spatial-opt"
"""The name of the tool in its messages."""

OK, BAD_INPUT, BAD_USAGE = 0, 1, 2
"""The exit codes."""

SEPARATOR = "// -----\n"
"""The line between two programs of one file."""


class UsageError(Exception):
    """The command line asks for something that does not exist or cannot be done."""


class SpatialOptMain(xDSLOptMain):
    """The driver; `execute` runs it."""

    version_format = "spatial-opt built from xdsl version {xdsl_version}"

    def __init__(
        self, description: str = "Spatial optimizer driver", args: Sequence[str] | None = None
    ):
        arguments = sys.argv[1:] if args is None else args
        passes = {*Universe.get_multiverse().all_passes, *ALL_PASSES}
        self._stage = ""
        """What is going on, for the messages of exceptions: `pass 'cse'`."""
        self._note: str | None = None
        """The same for errors about operations, where it is of help."""
        self._written: set[str] = set()
        """Files that passes write."""
        super().__init__(description, fold_pass_flags(arguments, passes))
        self.reporter = Reporter(self.get_input_name(), self._diagnostic_stream)

    # Our own entries are registered here as well, for a checkout that is not installed.

    def register_all_dialects(self) -> None:
        """Register the dialects of all plug-ins, and ours."""
        super().register_all_dialects()
        for name, factory in ALL_DIALECTS.items():
            if name not in self.ctx.registered_dialect_names:
                self.ctx.register_dialect(name, factory)

    def register_all_passes(self) -> None:
        """Register the passes of all plug-ins, and ours."""
        super().register_all_passes()
        self.available_passes = {**ALL_PASSES, **self.available_passes}

    def register_all_targets(self) -> None:
        """Register the targets of all plug-ins, and ours."""
        super().register_all_targets()
        self.available_targets = {**ALL_TARGETS, **self.available_targets}

    def register_all_frontends(self) -> None:
        """Register the frontends of all plug-ins, with our located one for `.mlir`."""
        super().register_all_frontends()
        self.available_frontends["mlir"] = lambda: LocatedFrontend
        self.available_frontends["stablehlo"] = lambda: LocatedStableHLOFrontend

    def register_all_arguments(self, arg_parser: argparse.ArgumentParser) -> None:
        """Declare the arguments, with a flag for each pass."""
        super().register_all_arguments(arg_parser)
        arg_parser.prog = PROGRAM
        arg_parser.usage = "%(prog)s [options] [passes] [input_file ...]"
        arg_parser.add_argument(
            "more_input_files", nargs="*", help="further input files, each a program of its own"
        )
        arg_parser.add_argument(
            "--certificate",
            metavar="FILE",
            help="write what verify-choreography has proved to a file, for spatial-check",
        )
        arg_parser.add_argument(
            "--counterexample",
            metavar="FILE",
            help="write why verify-choreography refutes a program to a file, as a trace",
        )
        arg_parser.add_argument(
            "--explain",
            action="store_true",
            help="have passes that choose something say why, and what they did not take",
        )
        # An abbreviation could mean a pass today and an option tomorrow.
        arg_parser.allow_abbrev = False
        # The flags are folded into -p before argparse sees them; here they are only listed.
        group = arg_parser.add_argument_group(
            "passes",
            'Run in the order of the command line. Options: --name="key=value key=value".',
        )
        for name in sorted(self.available_passes):
            group.add_argument(f"--{name}", action="store_true", dest=argparse.SUPPRESS)

    def setup_pipeline(self) -> None:
        """Make the passes, and check that the frontend and the target exist and take their options.

        Raises:
            UsageError: one of them does not.
        """
        for spec in parse_pipeline(self.args.passes):
            self._check_options(spec, "pass", self.available_passes)
        super().setup_pipeline()
        passes = self._explaining(_spelled_out(self.pipeline.passes))
        self.pipeline = PassPipeline(
            self._with_files(passes), self._between_passes(self.pipeline.callback)
        )
        target = parse_spec(self.args.target)
        if target.parameters or target.name != "mlir":
            self._check_options(target, "target", self.available_targets)
        if self.args.frontend is not None:
            frontend = parse_spec(self.args.frontend)
            if frontend.parameters:
                self._check_options(frontend, "frontend", self.available_frontends)
            return
        for file in (self.args.input_file, *self.args.more_input_files):
            if self._file_extension(file) not in self.available_frontends:
                known = ", ".join(self.available_frontends)
                raise UsageError(
                    f"unknown file extension of '{file}': name the frontend with -f "
                    f"(choose from {known})"
                )

    def _explaining(self, passes: Sequence[ModulePass]) -> tuple[ModulePass, ...]:
        """The passes, those that choose something made to say why if `--explain` is given.

        Raises:
            UsageError: none of them chooses anything.
        """
        if not self.args.explain:
            return tuple(passes)
        found = tuple(replace(p, explain=True) if hasattr(p, "explain") else p for p in passes)
        if not any(hasattr(each, "explain") for each in found):
            raise UsageError("--explain is for passes that choose something: there is none")
        return found

    def _with_files(self, passes: Sequence[ModulePass]) -> tuple[ModulePass, ...]:
        """The passes, with the file of each flag handed to the last one that can write it.

        Raises:
            UsageError: there is none, or there are several inputs for the one file.
        """
        found = list(passes)
        name = "verify-choreography"
        for option in ("certificate", "counterexample"):
            path: str | None = getattr(self.args, option)
            if path is not None:
                last = max((n for n, each in enumerate(found) if each.name == name), default=None)
                if last is None:
                    raise UsageError(f"--{option} is for --{name}, which is not asked for")
                try:
                    found[last] = replace(found[last], **{option: path})
                except ValueError as error:
                    raise UsageError(f"--{option}: {error}") from error
            paths = {path for each in found if (path := getattr(each, option, None)) is not None}
            if paths and (self.args.more_input_files or self.args.split_input_file):
                raise UsageError(f"a {option} is about one input, which is not split")
            self._written |= paths
        return tuple(found)

    @staticmethod
    def _check_options(
        spec: ArgSpec, kind: str, available: Mapping[str, Callable[..., Any]]
    ) -> None:
        """Check that `spec` names something that exists, and gives it options that it takes."""
        if (factory := available.get(spec.name)) is None:
            message = f"unknown {kind} '{spec.name}'"
            if close := get_close_matches(spec.name, available, 1):
                message += f"; did you mean '{close[0]}'?"
            raise UsageError(message)
        if inspect.signature(factory).parameters:
            return  # a target or frontend of the older kind, which has no options
        try:
            factory().from_spec(spec)
        except Exception as error:
            if debugging():
                raise
            raise UsageError(f"{kind} '{spec.name}': {describe_exception(error)}") from error

    @staticmethod
    def _file_extension(file: str | None) -> str:
        if file is None:
            return "mlir"
        return os.path.splitext(file)[1].removeprefix(".") or "mlir"

    def get_input_name(self) -> str:
        """What to call the input in messages."""
        return "stdin" if self.args.input_file in (None, "-") else self.args.input_file

    def get_input_stream(self) -> tuple[IO[bytes], str]:
        """Read the whole input; a file name of `-` means standard input.

        Raises:
            OSError: it cannot be read.
        """
        if self.args.input_file in (None, "-"):
            data = sys.stdin.buffer.read()
        else:
            with open(self.args.input_file, "rb") as file:
                data = file.read()
        key: str = self.args.frontend or self._file_extension(self.args.input_file)
        return BytesIO(data), parse_spec(key).name

    def _diagnostic_stream(self) -> TextIO:
        on_stdout = self.args.verify_diagnostics or self.args.parsing_diagnostics
        return sys.stdout if on_stdout else sys.stderr

    def _between_passes(self, inner: PassPipelineCallbackType | None) -> PassPipelineCallbackType:
        """Verify the program more thoroughly than xDSL's own callback, `inner`, does."""

        several = len(self.pipeline.passes) > 1

        def callback(
            previous: ModulePass | None, module: ModuleOp, following: ModulePass | None
        ) -> None:
            if previous is not None:
                self._stage = f"verification after pass '{previous.name}'"
                self._note = f"found after pass '{previous.name}'"
            error: Exception | None = None
            try:
                if inner is not None:
                    inner(previous, module, following)
            except Exception as raised:
                if debugging() and not isinstance(raised, DiagnosticException):
                    raise
                error = raised
            if not self.args.disable_verify:
                findings = verification_errors(module) if error is not None else ()
                if findings := in_program_order(module, findings + check_dominance(module)):
                    raise Rejected(findings) from error
            if error is not None:
                raise error
            if following is not None:
                self._stage = f"pass '{following.name}'"
                self._note = f"in pass '{following.name}'" if several else None

        return callback

    def execute(self) -> int:
        """Read, transform and print the programs; the result is the exit code.

        Raises:
            UsageError: the output cannot be written.
        """
        path: str | None = self.args.output_file
        try:
            output = None if path in (None, "-") else OutputFile(path)
        except OSError as error:
            raise UsageError(f"cannot write '{path}': {error.strerror or error}") from error
        try:
            stream = sys.stdout if output is None else output.stream
            with located_diagnostics(), warnings_to(self.reporter.finding):
                for number, file in enumerate([self.args.input_file, *self.args.more_input_files]):
                    if number > 0:
                        stream.write(SEPARATOR)
                    self._process_file(file, stream)
            if output is not None and not self.reporter.failed:
                output.commit()
        except ShrinkException:
            assert self.args.shrink, "a pass raised ShrinkException, but there is no --shrink"
            print("Success, can shrink")
            return OK
        except BrokenPipeError:
            raise
        except OSError as error:
            where = "the standard output" if path is None else f"'{path}'"
            raise UsageError(f"cannot write {where}: {error.strerror or error}") from error
        finally:
            if output is not None:
                output.discard()
        if self.args.shrink:
            print("Failure, can't shrink")
            return BAD_INPUT
        return BAD_INPUT if self.reporter.failed else OK

    def _process_file(self, file: str | None, stream: IO[str]) -> None:
        """Transform and print the programs of one input file, or report that it cannot be read."""
        self.args.input_file = file
        self.reporter.file = self.get_input_name()
        try:
            chunks, file_extension = self.prepare_input()
        except OSError as error:
            reason = error.strerror or str(error)
            self.reporter.print(Place(self.get_input_name()), f"cannot read the input: {reason}")
            return
        for index, (chunk, offset) in enumerate(chunks):
            if index > 0:
                stream.write(SEPARATOR)
            stream.write(self._process(chunk, file_extension, offset))
            stream.flush()

    def _process(self, chunk: IO[bytes], file_extension: str, offset: int) -> str:
        """The printed result of one program, or nothing after its errors were reported."""
        # Empty lines in front make every location one in the whole file, whatever the frontend.
        padded = BytesIO(b"\n" * offset + chunk.read())
        parsed = False
        self._stage, self._note = "", None
        try:
            module = self.parse_chunk(padded, file_extension)
            if module is None:
                return ""
            parsed = True
            self.apply_passes(module)
            self._stage, self._note = f"target '{parse_spec(self.args.target).name}'", None
            return self.output_resulting_program(module)
        except (ShrinkException, BrokenPipeError):
            raise
        except Exception as error:
            if isinstance(error, OSError) and error.filename in self._written:
                reason = error.strerror or error
                raise UsageError(f"cannot write '{error.filename}': {reason}") from error
            forgiven = self._is_asked_for(error)
            with self.reporter.forgiving(forgiven):
                self.reporter.exception(error, self._stage, parsed=parsed, note=self._note)
            return ""

    def _is_asked_for(self, error: Exception) -> bool:
        """Whether the user wants to see `error` as a result rather than a failure."""
        invalid = isinstance(error, DiagnosticException | Rejected | InvalidConstructError)
        return bool(
            (self.args.verify_diagnostics and invalid)
            or (self.args.parsing_diagnostics and isinstance(error, ParseError))
        )


def _spelled_out(passes: Sequence[ModulePass]) -> list[ModulePass]:
    """The passes, those that stand for several replaced by these."""
    found: list[ModulePass] = []
    for each in passes:
        found += each.parts if isinstance(each, _Parts) else (each,)
    return found


@runtime_checkable
class _Parts(Protocol):
    """A pass that stands for several."""

    @property
    def parts(self) -> tuple[ModulePass, ...]: ...


def main(args: Sequence[str] | None = None) -> int:
    """Run the tool with these arguments or the command line's; the result is the exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        tool = SpatialOptMain(args=args)
        # What is loaded now stays: the collector need not look at it again.
        gc.freeze()
        code = tool.execute()
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader has seen enough. Python would complain once more when it flushes at exit.
        with suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK
    except OSError as error:
        return _refuse(f"cannot write the standard output: {error.strerror or error}")
    except (UsageError, ArgSpecParseError) as error:
        return _refuse(str(error).strip())
    except Exception as error:
        if debugging():
            raise
        return _refuse(describe_exception(error))
    return code


def _refuse(reason: str) -> int:
    with suppress(OSError):
        print(f"{PROGRAM}: error: {reason}", file=sys.stderr)
    return BAD_USAGE


if __name__ == "__main__":
    sys.exit(main())
