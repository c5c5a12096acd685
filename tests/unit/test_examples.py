"""Each example computes what its first comment says, by formulas written out here."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import ml_dtypes
import numpy as np
import pytest
from numpy.typing import NDArray
from xdsl.context import Context
from xdsl.dialects.arith import Arith
from xdsl.dialects.builtin import Builtin
from xdsl.dialects.math import Math
from xdsl.parser import Parser

from spatial_dialect.dialects.spatial import ProgramOp, Spatial, is_tensor
from spatial_dialect.machine.elements import storage_type
from spatial_dialect.machine.reference import argument_names, run

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"

Array: TypeAlias = NDArray[Any]
Arrays: TypeAlias = dict[str, Array]


def programs(name: str) -> list[ProgramOp]:
    """The programs of an example, verified."""
    context = Context()
    for dialect in (Builtin, Arith, Math, Spatial):
        context.load_dialect(dialect)
    module = Parser(context, (EXAMPLES / f"{name}.mlir").read_text()).parse_module()
    module.verify()
    return [op for op in module.body.block.ops if isinstance(op, ProgramOp)]


def filled(program: ProgramOp, **given: Array | int) -> dict[str, Array | int]:
    """Arguments of a program: the given ones, random numbers for all other tensors."""
    rng = np.random.default_rng(0)
    arguments: dict[str, Array | int] = {}
    for argument, name in argument_names(program).items():
        if name in given:
            arguments[name] = given[name]
        elif is_tensor(argument.type):
            storage = storage_type(argument.type.element_type)
            values = rng.normal(size=argument.type.get_shape())
            if storage.kind in "iu":
                values = np.clip(values * 40, -100, 100)
            arguments[name] = values.astype(np.float32).astype(storage)
    return arguments


def exact(arguments: dict[str, Array | int]) -> Arrays:
    """The arguments in f64."""
    return {name: np.asarray(value).astype(np.float64) for name, value in arguments.items()}


def assert_close(found: Array, expected: Array, steps: float = 1) -> None:
    """Equal up to some steps of the type, of each number or of a typical one."""
    eps = {"bfloat16": 2**-7, "float32": 2**-23}[found.dtype.name]
    scale = np.sqrt(np.mean(expected**2))
    error = np.abs(found.astype(np.float64) - expected)
    worst = np.max(error / np.maximum(np.abs(expected), scale)) / eps
    assert worst <= steps, f"off by {worst:.3} steps of {eps:.2}"


def softmax(scores: Array) -> Array:
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True)


def check(
    name: str,
    result: str,
    meaning: Callable[[Arrays], Array],
    steps: float = 1,
    **given: Array,
) -> None:
    """Run the only program of an example and compare one of its results."""
    (program,) = programs(name)
    arguments = filled(program, **given)
    assert_close(run(program, arguments)[result], meaning(exact(arguments)), steps)


@pytest.mark.parametrize("name", ["matmul_row", "matmul_2d_multicast"])
def test_matmul(name: str):
    check(name, "C", lambda a: a["A"] @ a["B"])


def test_matmul_bias_gelu():
    def meaning(a: Arrays) -> Array:
        x = a["A"] @ a["B"] + a["Bias"]
        return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))

    check("matmul_bias_gelu", "D", meaning)


def test_matmul_int8_weights():
    check("matmul_int8_weights", "C", lambda a: a["A"] @ a["B"] * a["Scale"])


@pytest.mark.parametrize("n", [0, 1, 64])
def test_matmul_runtime_depth(n: int):
    def meaning(a: Arrays) -> Array:
        return a["A"][:, : 64 * n] @ a["B"][: 64 * n]

    (program,) = programs("matmul_runtime_depth_hopper")
    arguments = filled(program, n=n)
    found = run(program, arguments)["C"]
    if n == 0:
        assert not found.any()
    else:
        assert_close(found, meaning(exact(arguments)))


def test_attention():
    # The weights are rounded to bf16 too, before they are summed up.
    check("attention", "O", lambda a: softmax(a["Q"] @ a["K"].T / 8) @ a["V"], 2)


def test_attention_runtime_length():
    (program,) = programs("attention_runtime_length")
    blocks = np.array([0, 1, 16, 2, 3, 5, 8, 13], np.int32).reshape(8, 1)
    arguments = filled(program, Blocks=blocks)
    found, given = run(program, arguments)["O"], exact(arguments)
    assert not found[0].any()
    for b in range(1, 8):
        keys, values = (given[name][b, : 64 * int(blocks[b, 0])] for name in "KV")
        assert_close(found[b], softmax(given["Q"][b] @ keys.T / 8) @ values, 2)


def test_attention_of_large_scores():
    """The running maximum keeps all weights finite, also where it rises in a late block."""
    (program,) = programs("attention")
    arguments = filled(program)
    factors = np.linspace(1, 12, 512)[:, None]
    keys = np.asarray(arguments["K"]).astype(np.float32) * factors
    arguments["K"] = keys.astype(ml_dtypes.bfloat16)
    given = exact(arguments)
    expected = softmax(given["Q"] @ given["K"].T / 8) @ given["V"]
    assert_close(run(program, arguments)["O"], expected, 2)


def test_embedding_gather():
    rng = np.random.default_rng(1)
    tokens = rng.integers(0, 32768, (1, 8192)).astype(np.int32)

    def meaning(a: Arrays) -> Array:
        return np.sqrt(512) * a["Table"][tokens[0]] + a["Positions"]

    check("embedding_gather", "Y", meaning, Tokens=tokens)


def test_fabric_elementwise():
    def meaning(a: Arrays) -> Array:
        return a["Gate"] / (1 + np.exp(-a["Gate"])) * a["Up"] + a["Rest"]

    check("fabric_elementwise", "Y", meaning)


def test_rms_norm_of_long_rows():
    def meaning(a: Arrays) -> Array:
        mean = np.mean(a["X"] ** 2, axis=1, keepdims=True)
        return a["X"] / np.sqrt(mean + 1e-6) * a["Gamma"]

    check("rms_norm_long_rows", "Y", meaning)


def test_row_normalisation():
    def meaning(a: Arrays) -> Array:
        x = a["X"]
        variance = np.var(x, axis=1, keepdims=True)
        normal = (x - x.mean(axis=1, keepdims=True)) / np.sqrt(variance + 1e-5)
        return normal * a["Gamma"] + a["Beta"]

    check("row_normalisation", "Y", meaning)


def test_two_programs():
    project, normalise = programs("two_programs")
    arguments = filled(project)
    s = run(project, arguments)["S"]
    given = exact(arguments)
    assert_close(s, given["A"] @ given["B"])
    p = run(normalise, {"S": s})["P"]
    assert_close(p, softmax(s.astype(np.float64)))


def test_every_example_is_looked_at():
    text = Path(__file__).read_text()
    missing = [path.stem for path in EXAMPLES.glob("[!j]*.mlir") if f'"{path.stem}"' not in text]
    assert not missing
