"""The documentation is true: commands run, examples parse, generated pages are current."""

import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from xdsl.context import Context
from xdsl.ir import Dialect, Operation
from xdsl.parser import Parser
from xdsl.universe import Universe

from spatial_dialect.tools.make_docs import documentation, field_documentation, pages
from spatial_dialect.universe import ALL_DIALECTS, ALL_PASSES

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
WRITTEN = [ROOT / "README.md", *sorted(DOCS.glob("*.md"))]
"""All pages but the reference of the dialects, whose blocks are checked with their ops."""

NOT_RUN = {
    "make setup": "the continuous integration runs it; it installs packages",
    "make test": "it would run this test",
    "pip install --editable .": "done by hand below, without a network",
}
"""The commands that no test runs, and why."""


################################################################################
# Generated pages                                                              #
################################################################################


@pytest.mark.parametrize("path", list(pages(DOCS)), ids=lambda path: path.name)
def test_generated_page_is_current(path: Path):
    assert path.read_text() == pages(DOCS)[path], "run `make docs`"


def test_every_dialect_page_is_generated():
    assert {path.stem for path in (DOCS / "dialects").iterdir()} == set(ALL_DIALECTS)


@pytest.mark.parametrize("name", sorted(ALL_PASSES))
def test_every_pass_and_option_is_documented(name: str):
    made = ALL_PASSES[name]()
    assert documentation(made)
    options = set(made.__dataclass_fields__) - {"name"}
    assert options == set(field_documentation(made)), "a docstring below each option"


################################################################################
# Examples of ops                                                              #
################################################################################


PROGRAM_VALUES = {
    "A": "%A : memref<2048x2048xbf16>",
    "B": "%B : memref<2048x2048xbf16>",
    "C": "%C : memref<2048x2048xbf16>",
    "T": "%T : memref<2048x2048xbf16>",
    "X": "%X : memref<2048x2048xbf16>",
    "lens": "%lens : memref<8x1xi32>",
    "n": "%n : index",
    "count": "%count : index",
}
"""Arguments of a program that examples use."""

PAGES = {
    **{"a": "8x4xbf16", "b": "4x8xbf16", "c": "4x2xbf16", "d": "4x2xbf16", "p": "4x2xbf16"},
    **{"bias": "1x2xbf16", "q": "4x2xbf16", "kt": "2x2xbf16", "s": "4x2xbf16", "m": "4x1xbf16"},
    **{"mine": "4x2xbf16", "other": "4x2xbf16", "sum": "4x2xbf16", "ix": "1x1xi32"},
    **{"t": "1x1xbf16", "x": "1x1xbf16"},
}
"""Buffers that examples use, by their pages."""

DECLARATIONS = {
    **{name: f"spatial.buffer depth 8 : !spatial.buffer<{page}>" for name, page in PAGES.items()},
    "rows": "spatial.group from [0:8, 0] to [0:8, 1:8] along x",
    "cols": "spatial.group from [0, 0:8] to [1:8, 0:8] along y",
}
"""What a program declares for examples, by name."""

ENGINE_VALUES = {
    **{name: "arith.constant 0 : index" for name in ("c0", "h", "w", "r", "s")},
    "acc": "choreo.acquire 8xbf16",
}
"""What an engine has made before an example."""

CODE_VALUES = {"3": "arith.constant 0.0 : f32"}
"""What the code of a map has made before an example."""


def example_of(op: type[Operation]) -> str:
    """The code block of an op's docstring."""
    found = re.findall(r"```mlir\n(.*?)```", documentation(op), re.DOTALL)
    assert len(found) == 1, f"{op.name} needs one example in its docstring"
    return found[0]


def in_context(op: type[Operation], example: str) -> str:
    """A module around an example that has the values that it uses."""
    defined = set(re.findall(r"%(\w+)", " ".join(re.findall(r"^.* = |\^bb.*$", example, re.M))))
    used = {name for name in re.findall(r"%(\w+)", example) if name not in defined}

    def lines(values: dict[str, str]) -> list[str]:
        return [f"%{name} = {text}" for name, text in values.items() if name in used]

    if op.name in ("spatial.program", "spatial.launch"):
        return example
    body = [example]
    if op.name == "spatial.yield":
        used |= {"c", "d"}
        body = ["spatial.map (%c) into %d {", "^bb0(%0 : f32):", *lines(CODE_VALUES), *body, "}"]
    program = lines(DECLARATIONS)
    if op.name.startswith("choreo.") and op.name not in ("choreo.engine", "choreo.semaphores"):
        # In an engine %s, %x and %y are a value of it and its arguments, unless a page is meant.
        values = {k: v for k, v in ENGINE_VALUES.items() if k != "s" or "%s]" in example}
        program = [line for line in program if not line.startswith("%x ")]
        if "s" in values:
            program = [line for line in program if not line.startswith("%s ")]
        semaphores = ["%a_ready, %a_valid = choreo.semaphores %rows"]
        if used & {"a_ready", "a_valid"}:
            used.add("rows")
            program = [*lines(DECLARATIONS), *semaphores]
        engine = "choreo.engine @engine on move 0 {\n^bb0(%y : index, %x : index):"
        body = [engine, *lines(values), *body, "}"]
    arguments = ", ".join(text for name, text in PROGRAM_VALUES.items() if name in used)
    head = f'spatial.program @p({arguments}) target #spatial.target<"wormhole"> grid [8, 8] loops'
    return "\n".join([f"{head} [k = ? max 4] {{", *program, *body, "}"])


def context() -> Context:
    ctx = Context()
    for name, factory in {**Universe.get_multiverse().all_dialects, **ALL_DIALECTS}.items():
        ctx.register_dialect(name, factory)
    return ctx


def ops() -> list[type[Operation]]:
    dialects: list[Dialect] = [factory() for factory in ALL_DIALECTS.values()]
    return [op for dialect in dialects for op in dialect.operations]


@pytest.mark.parametrize("op", ops(), ids=lambda op: op.name)
def test_example_in_docstring(op: type[Operation]):
    text = in_context(op, example_of(op))
    module = Parser(context(), text).parse_module()
    shown = [each for each in module.walk() if type(each) is op]
    assert shown, "the example shows another op"
    for each in shown:
        if op.name != "spatial.program":
            each.verify(verify_nested_ops=False)
    if op.name == "spatial.program":
        module.verify()
    printed = str(module)
    assert str(Parser(context(), printed).parse_module()) == printed


################################################################################
# Commands                                                                     #
################################################################################


@dataclass(frozen=True)
class CodeBlock:
    """A fenced block of a page."""

    language: str
    title: str
    text: str


def code_blocks(page: Path) -> list[CodeBlock]:
    found = re.findall(r"^```(\w*) ?([^\n]*)\n(.*?)^```$", page.read_text(), re.DOTALL | re.M)
    return [CodeBlock(*parts) for parts in found]


@dataclass(frozen=True)
class Command:
    """A command and what it must print; `None` where only success counts."""

    line: str
    output: str | None
    code: int = 0


def commands(block: CodeBlock) -> Iterator[Command]:
    if block.language == "sh":
        for line in block.text.splitlines():
            yield Command(line, None)
        return
    assert block.text.startswith("$ "), f"a console block starts with a command: {block.text}"
    for part in re.split(r"^\$ ", block.text, flags=re.M)[1:]:
        line, _, output = part.partition("\n")
        code = 0
        if (match := re.search(r"^\[exit (\d+)\]\n\Z", output, re.M)) is not None:
            code, output = int(match[1]), output[: match.start()]
        yield Command(line, output, code)


def agrees(expected: str, found: str) -> bool:
    """Whether an output is as expected; a line `...` stands for any number of lines."""
    pattern = "".join(
        r"(?:.*\n)*" if line == "...\n" else re.escape(line)
        for line in expected.splitlines(keepends=True)
    )
    return re.fullmatch(pattern, found) is not None


class Workplace:
    """A folder like a checkout after `make setup`, in which a page's commands run."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.path = [str(ROOT)]
        for name in ("examples", "benchmarks", "docs"):
            (folder / name).symlink_to(ROOT / name)
        binaries = folder / ".venv" / "bin"
        binaries.mkdir(parents=True)
        python = shlex.quote(sys.executable)
        xdsl_opt = shlex.quote(str(Path(sys.executable).parent / "xdsl-opt"))
        for name, command in (
            ("python", python),
            ("spatial-check", f"{python} -m spatial_dialect.tools.spatial_check"),
            ("spatial-opt", f"{python} -m spatial_dialect.tools.spatial_opt"),
            ("spatial-run", f"{python} -m spatial_dialect.tools.spatial_run"),
            ("xdsl-opt", xdsl_opt),
        ):
            (binaries / name).write_text(f'#!/bin/sh\nexec {command} "$@"\n')
            (binaries / name).chmod(0o755)
        self.binaries = binaries

    def write(self, title: str, text: str) -> None:
        """Make the file that a block shows, or compare it with the one that is there."""
        if (known := ROOT / title).exists() and title.startswith("examples/"):
            assert text == known.read_text(), f"{title} is another text by now"
            return
        path = self.folder / title
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def install(self) -> None:
        """What `pip install --editable .` does, as far as it matters here."""
        project = tomllib.loads((self.folder / "pyproject.toml").read_text())["project"]
        info = self.folder / f"{project['name']}-{project['version']}.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(
            f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
        )
        groups: dict[str, dict[str, str]] = project["entry-points"]
        lines = [
            line
            for group, entries in groups.items()
            for line in (f"[{group}]", *(f"{name} = {what}" for name, what in entries.items()))
        ]
        (info / "entry_points.txt").write_text("\n".join(lines))
        self.path.append(str(self.folder))

    def run(self, line: str) -> subprocess.CompletedProcess[str]:
        environment = {
            **os.environ,
            "PATH": os.pathsep.join((str(self.binaries), os.environ["PATH"])),
            "PYTHONPATH": os.pathsep.join(self.path),
        }
        return subprocess.run(
            ["bash", "-c", f"set -o pipefail; {line}"],
            cwd=self.folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )


@pytest.mark.parametrize("page", WRITTEN, ids=lambda page: str(page.relative_to(ROOT)))
def test_commands_of_page(page: Path, tmp_path: Path):
    workplace = Workplace(tmp_path)
    for block in code_blocks(page):
        if block.title:
            workplace.write(block.title, block.text)
        elif block.language in ("sh", "console"):
            for command in commands(block):
                run_command(workplace, command)


def run_command(workplace: Workplace, command: Command) -> None:
    if command.line == "pip install --editable .":
        workplace.install()
    if command.line in NOT_RUN:
        return
    result = workplace.run(command.line)
    assert result.returncode == command.code, f"{command.line}\n{result.stdout}"
    if command.output is not None:
        assert agrees(command.output, result.stdout), f"{command.line}\n{result.stdout}"


def test_what_is_not_run_is_there():
    lines = {
        command.line
        for page in WRITTEN
        for block in code_blocks(page)
        if block.language in ("sh", "console")
        for command in commands(block)
    }
    assert set(NOT_RUN) <= lines


@pytest.mark.parametrize(
    # What JAX prints is explained by the script that has it printed.
    "example",
    sorted((ROOT / "examples").glob("[!j]*.mlir")),
    ids=lambda path: path.name,
)
def test_every_example_is_explained_and_pinned(example: Path):
    assert example.read_text().startswith("// ")
    assert (ROOT / "tests" / "filecheck" / "examples" / example.name).exists()


################################################################################
# Paths                                                                        #
################################################################################


def links(page: Path) -> Iterable[str]:
    """What a page links to in this repository."""
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text()):
        if not target.startswith("http"):
            yield target


@pytest.mark.parametrize(
    "page", [*WRITTEN, *DOCS.glob("dialects/*.md")], ids=lambda page: str(page.relative_to(ROOT))
)
def test_links_and_paths_lead_somewhere(page: Path):
    for target in links(page):
        assert (page.parent / target).exists(), target
    prose = re.sub(r"^```.*?^```$", "", page.read_text(), flags=re.DOTALL | re.M)
    for path in re.findall(r"`((?:\w+/)+[\w.]*)`", prose):
        assert (ROOT / path).exists(), path


def test_readme_has_a_dated_benchmark_table():
    text = (ROOT / "README.md").read_text()
    table = text.partition("<!-- benchmarks -->")[2].partition("<!-- end of benchmarks -->")[0]
    assert re.search(r"Measured on \d{4}-\d{2}-\d{2}:\n\n\| what \| floor \|", table)
