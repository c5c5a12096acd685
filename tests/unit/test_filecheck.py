"""Runs the golden tests of `tests/filecheck`, so that pytest alone runs everything."""

import subprocess
import sys
from pathlib import Path

import pytest

FILECHECK = Path(__file__).resolve().parents[1] / "filecheck"
LIT = (
    *(sys.executable, "-c", "from lit.main import main; main()"),
    *("-v", "-j1", "--no-progress-bar", "--skip-test-time-recording"),
)


@pytest.mark.parametrize(
    "test",
    sorted(
        str(path.relative_to(FILECHECK))
        for path in FILECHECK.rglob("*.mlir")
        if "Inputs" not in path.parts
    ),
)
def test_golden(test: str):
    result = subprocess.run(
        [*LIT, str(FILECHECK / test)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    assert result.returncode == 0, result.stdout
    if "UNSUPPORTED: " in result.stdout:
        pytest.skip(f"{test} needs a tool that is not installed here")
