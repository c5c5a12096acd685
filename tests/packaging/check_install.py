"""Install the package in fresh environments, normally and editable, and look at it from elsewhere.

Run by `make packaging`. Needs a package index for the dependencies.
"""

import subprocess
import sys
import tempfile
import textwrap
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

CHECK = textwrap.dedent(
    """
    import importlib
    import importlib.util

    for name in (
        "spatial_dialect.ir.diagnostics",
        "spatial_dialect.passes",
        "spatial_dialect.tools.spatial_opt",
        "spatial_dialect.universe",
    ):
        importlib.import_module(name)
    for name in ("passes", "tools"):
        assert importlib.util.find_spec(name) is None, f"{name} is importable"

    from spatial_dialect.universe import ALL_DIALECTS, ALL_PASSES, ALL_TARGETS

    for entries in (ALL_DIALECTS, ALL_PASSES, ALL_TARGETS):
        for name, factory in entries.items():
            assert factory().name == name, name
    """
)


def run(*command: str | Path, cwd: Path) -> str:
    """The output of a command that must succeed."""
    result = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    if result.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{result.stdout}")
    return result.stdout


def check(folder: Path, *options: str) -> None:
    """Install with these options of pip into an environment in `folder`, and check it."""
    environment, elsewhere = folder / "venv", folder / "elsewhere"
    elsewhere.mkdir(parents=True)
    venv.create(environment, with_pip=True)
    binaries = environment / "bin"
    run(
        binaries / "python",
        *("-m", "pip", "install", "--quiet", "--disable-pip-version-check"),
        *options,
        cwd=elsewhere,
    )
    run(binaries / "python", "-c", CHECK, cwd=elsewhere)
    for tool in ("xdsl-opt", "spatial-opt"):
        text = run(binaries / tool, "--help", cwd=elsewhere)
        # Help is wrapped, also inside of a name.
        known = "".join(text.split())
        assert "synthesize-handshakes" in known, f"{tool} does not know our passes"
    run(binaries / "spatial-run", "--help", cwd=elsewhere)
    run(binaries / "spatial-check", "--help", cwd=elsewhere)


def main() -> None:
    """Check both ways of installing."""
    with tempfile.TemporaryDirectory() as temporary:
        source = Path(temporary) / "source"
        # A copy, since setuptools leaves build/ and egg-info behind, and a clone has no such
        # remains.
        files = run("git", "ls-files", "-co", "--exclude-standard", cwd=ROOT).splitlines()
        for name in files:
            origin, copy = ROOT / name, source / name
            copy.parent.mkdir(parents=True, exist_ok=True)
            if origin.is_symlink():
                copy.symlink_to(origin.readlink())
            elif origin.is_file():
                copy.write_bytes(origin.read_bytes())
        check(Path(temporary) / "normal", str(source))
        check(Path(temporary) / "editable", "--editable", str(source))
    print("packaging: normal and editable installs work")


if __name__ == "__main__":
    main()
