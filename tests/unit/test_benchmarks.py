"""The benchmarks run and have all their rows. What they measure is no matter of a test."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

ROWS = (
    r"spatial-opt --help",
    r"parse dataflow, per op",
    r"parse choreography, per op",
    r"synthesize-handshakes, two_programs",
    r"synthesize-handshakes, \d+ stages",
    r"verify dataflow, 750x990 sites",
    r"verify choreography, 750x990 sites",
    r"synthesize-handshakes, 750x990 sites",
    r"ops of the choreography, 750x990 sites",
    r"verify dataflow, \d+ stages",
    r"verify choreography, \d+ stages",
    r"synthesize-handshakes, \d+ stages",
    r"verify-choreography, 64x64 sites",
    r"steps of the proof, 64x64 sites",
    r"verify-choreography, 750x990 sites",
    r"steps of the proof, 750x990 sites",
    r"verify-choreography, k = 8",
    r"verify-choreography, k = 1,000,000",
    r"verify-choreography, attention of 32 blocks",
    r"run a matmul of \d+\^3, \dx\d sites",
)
"""What each row of the table measures, in order."""


@pytest.fixture(scope="module")
def table() -> list[list[str]]:
    command = [sys.executable, str(ROOT / "benchmarks" / "run.py"), "--quick", "--markdown"]
    output = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    assert re.match(r"Measured on \d{4}-\d{2}-\d{2}:\n\n", output)
    lines = [line for line in output.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def test_every_row_is_there(table: list[list[str]]):
    names = [row[0] for row in table[2:]]
    assert len(names) == len(ROWS)
    for name, pattern in zip(names, ROWS, strict=True):
        assert re.fullmatch(pattern, name), name


def test_ratios_are_judged(table: list[list[str]]):
    assert table[0] == ["what", "floor", "figure", "of the floor", "ratio", "bound", ""]
    for *_, ratio, bound, verdict in table[2:]:
        if bound:
            # The last digit of a printed ratio is rounded.
            at_bound = abs(float(ratio) - float(bound)) < 0.01
            assert at_bound or verdict == ("ok" if float(ratio) < float(bound) else "over")
        else:
            assert verdict == ""
