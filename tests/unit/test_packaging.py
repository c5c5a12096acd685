import ast
import subprocess
import sys
import tomllib
from collections.abc import Iterable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
SETUPTOOLS = PYPROJECT["tool"]["setuptools"]
PACKAGE_DIRS: dict[str, str] = SETUPTOOLS["package-dir"]

ALLOWED_IMPORTS: dict[str, set[str]] = {
    "ir": set(),
    "targets": {"ir"},
    "dialects": {"ir", "targets"},
    "analysis": {"ir", "targets", "dialects"},
    "passes": {"ir", "targets", "dialects", "analysis", "machine", "report"},
    "machine": {"ir", "targets", "dialects", "analysis"},
    "report": {"ir", "targets", "dialects", "analysis", "machine"},
    "backends": {"ir", "targets", "dialects", "analysis"},
    "frontends": set(),
    "tools": {
        *("ir", "targets", "dialects", "analysis"),
        *("passes", "machine", "report", "backends", "frontends", "universe"),
    },
    "universe": {"dialects", "passes", "backends", "frontends"},
}
"""What each part may import of the others; a part may always import from itself."""


def source_files() -> dict[str, Path]:
    """Every module of the package by its full name."""
    files: dict[str, Path] = {}
    for package, folder in PACKAGE_DIRS.items():
        # Links are not followed: `passes` and `tools` are listed under their real folders.
        for path in sorted((ROOT / folder).glob("**/*.py")):
            relative = path.relative_to(ROOT / folder)
            if relative.parts[0] in ("passes", "tools") and package == "spatial_dialect":
                continue
            parts = [package, *relative.with_suffix("").parts]
            files[".".join(parts).removesuffix(".__init__")] = path
    return files


FILES = source_files()


def test_every_package_is_listed():
    packages = {name for name, path in FILES.items() if path.name == "__init__.py"}
    folders = {
        name if path.name == "__init__.py" else name.rpartition(".")[0]
        for name, path in FILES.items()
    }
    assert folders == packages, "a folder lacks its __init__.py"
    assert sorted(packages) == SETUPTOOLS["packages"]


@pytest.mark.parametrize("name", ["passes", "tools"])
def test_links_lead_to_the_real_folders(name: str):
    link = ROOT / "spatial_dialect" / name
    # Where git cannot make links, it writes a text file with the path.
    target = link.readlink() if link.is_symlink() else Path(link.read_text())
    assert target == Path("..", name)


@pytest.mark.parametrize("name", ["passes", "tools"])
def test_no_general_name_is_importable(name: str, tmp_path: Path):
    code = f"import importlib.util, sys; sys.exit(importlib.util.find_spec({name!r}) is not None)"
    # From elsewhere, since the current folder is on the path; -I ignores PYTHONPATH.
    subprocess.run([sys.executable, "-I", "-c", code], cwd=tmp_path, check=True)
    assert name not in sys.modules


@pytest.mark.parametrize("module", sorted(FILES))
def test_imports_point_one_way(module: str):
    part = module.split(".")[1] if "." in module else None
    if part is None:
        assert not list(_module_imports(module)), "the package itself imports nothing of its parts"
        return
    for imported in _module_imports(module):
        other = imported.split(".")[1]
        assert other == part or other in ALLOWED_IMPORTS[part], f"{module} imports {imported}"
    for imported in _imports(ast.walk(ast.parse(FILES[module].read_text()))):
        assert imported.split(".")[0] not in ("passes", "tools", "tests"), imported


def _module_imports(module: str) -> list[str]:
    """What of this package a module imports when it is imported itself."""
    tree = ast.parse(FILES[module].read_text())
    imported: list[str] = []
    for name in _imports(_module_level(tree)):
        if name.startswith("spatial_dialect."):
            imported.append(name)
    return imported


def _module_level(tree: ast.Module) -> list[ast.AST]:
    """All nodes that run at import time; imports for the type checker only do not count."""
    nodes: list[ast.AST] = []
    todo: list[ast.AST] = list(tree.body)
    while todo:
        node = todo.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            continue
        if isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING"):
            continue
        nodes.append(node)
        todo += ast.iter_child_nodes(node)
    return nodes


def _imports(nodes: Iterable[ast.AST]) -> list[str]:
    names: list[str] = []
    for node in nodes:
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            if node.level == 1:
                continue  # within one package, so within one part
            assert node.level == 0, "an import reaches out of its package relatively"
            base = node.module or ""
            if base == "spatial_dialect":
                names += [f"{base}.{alias.name}" for alias in node.names]
            else:
                names.append(base)
    return names
