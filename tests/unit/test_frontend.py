"""What JAX prints, read as linalg; most of it needs jaxlib."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

from spatial_dialect.frontends.stablehlo import bits_as_bytes
from spatial_dialect.tools.spatial_opt import main

ROOT = Path(__file__).resolve().parents[2]
HAS_JAX = importlib.util.find_spec("jaxlib") is not None

needs_jax = pytest.mark.skipif(not HAS_JAX, reason="needs the extra jax")


@needs_jax
def test_examples_are_what_jax_prints(tmp_path: Path):
    script = ROOT / "examples" / "make_jax.py"
    subprocess.run([sys.executable, script, tmp_path], check=True)
    written = sorted(tmp_path.iterdir())
    assert [path.name for path in written] == sorted(
        path.name for path in (ROOT / "examples").glob("jax_*")
    )
    for path in written:
        assert path.read_text() == (ROOT / "examples" / path.name).read_text(), path.name


@needs_jax
def test_operations_have_the_places_of_the_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    source = tmp_path / "f.stablehlo"
    source.write_text(
        "func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {\n"
        "  %0 = stablehlo.foo %a : tensor<4xf32>\n"
        "  return %0 : tensor<4xf32>\n}\n"
    )
    assert main([str(source)]) == 1
    error = capsys.readouterr().err
    assert f"{source}:2:8: error: custom op 'stablehlo.foo' is unknown" in error


@needs_jax
def test_what_has_no_linalg_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    source = tmp_path / "f.stablehlo"
    source.write_text(
        "func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {\n"
        "  %0 = stablehlo.custom_call @somewhere(%a) : (tensor<4xf32>) -> tensor<4xf32>\n"
        "  return %0 : tensor<4xf32>\n}\n"
    )
    assert main([str(source)]) == 1
    error = capsys.readouterr().err
    assert f"{source}:2:8: error: jaxlib has no linalg for 'stablehlo.custom_call'" in error


@pytest.mark.skipif(HAS_JAX, reason="the extra jax is installed")
def test_without_jax_the_way_out_is_told(capsys: pytest.CaptureFixture[str]):
    path = ROOT / "examples" / "jax_mlp.stablehlo"
    assert main(["-f", "stablehlo", str(path)]) == 1
    error = capsys.readouterr().err
    assert "jaxlib, which is not installed: pip install 'spatial-dialect[jax]'" in error
    assert "Traceback" not in error


def test_bits_of_floats_are_written_as_bytes():
    text = "arith.constant dense<0xFF800000> : tensor<f32>"
    assert bits_as_bytes(text) == 'arith.constant dense<"0x000080ff"> : tensor<f32>'
    whole = "arith.constant dense<0x10> : tensor<4xi32>"
    assert bits_as_bytes(whole) == whole
