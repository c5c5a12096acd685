"""Configuration of the golden tests: `lit tests/filecheck`."""

import os
import shutil
import sys
from pathlib import Path

import lit.formats

here = Path(__file__).resolve().parent
root = here.parents[1]

config.name = "spatial-dialect"
config.test_source_root = str(here)
config.test_exec_root = str(root / "build" / "lit")
config.test_format = lit.formats.ShTest()
config.suffixes = [".mlir"]
config.excludes = ["Inputs"]

# The tools of the environment that lit runs in, whether it is activated or not; the checkout
# itself, so that the suite also runs where the package is not installed.
binaries = str(Path(sys.executable).parent)
config.environment["PATH"] = os.pathsep.join((binaries, os.environ.get("PATH", "")))
config.environment["PYTHONPATH"] = os.pathsep.join(
    path for path in (str(root), os.environ.get("PYTHONPATH")) if path
)

if (mlir_opt := os.environ.get("XDSL_MLIR_OPT") or shutil.which("mlir-opt-22")) is not None:
    config.available_features.add("mlir-opt")
    config.environment["XDSL_MLIR_OPT"] = mlir_opt
    config.substitutions.append(("%mlir-opt", mlir_opt))

for tool in ("spatial-check", "spatial-opt", "spatial-run"):
    if shutil.which(tool, path=binaries) is None:
        module = f"spatial_dialect.tools.{tool.replace('-', '_')}"
        config.substitutions.append((tool, f"python -m {module}"))

# A program printed in the custom and in the generic form reads back as the same program.
config.substitutions.append(
    (
        "SPATIAL_ROUNDTRIP",
        "spatial-opt %s --print-op-generic --split-input-file | spatial-opt --split-input-file",
    )
)
config.substitutions.append(
    (
        "SPATIAL_GENERIC_ROUNDTRIP",
        "spatial-opt %s --split-input-file | spatial-opt --print-op-generic --split-input-file",
    )
)
# lit applies substitutions in order, once each: what a substitution contains must come after it.
config.substitutions.sort(key=lambda pair: not pair[0].startswith("SPATIAL"))
