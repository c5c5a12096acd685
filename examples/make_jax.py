"""Writes the examples that come from JAX: a transformer block, an MLP block and attention.

Needs the extra `jax`. For each it writes what JAX prints, `jax_*.stablehlo`, and the linalg that
`spatial-opt` makes of it, `jax_*.mlir`, which needs no JAX to read:

    python examples/make_jax.py
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp

from spatial_dialect.frontends.stablehlo import bits_as_bytes

HERE = Path(__file__).parent


def layer_norm(x: Any, gamma: Any, beta: Any) -> Any:
    """Normalises the last dimension."""
    mean = jnp.mean(x, -1, keepdims=True)
    variance = jnp.mean((x - mean) ** 2, -1, keepdims=True)
    return (x - mean) * jax.lax.rsqrt(variance + 1e-5) * gamma + beta


def attention(q: Any, k: Any, v: Any) -> Any:
    """Causal attention of tensors with dimensions batch, head, token and element."""
    tokens = q.shape[2]
    scores = jnp.einsum("bhqd,bhkd->bhqk", q, k, preferred_element_type=jnp.float32)
    seen = jnp.tril(jnp.ones((tokens, tokens), bool))
    scores = jnp.where(seen, scores * q.shape[-1] ** -0.5, -1e30)
    weights = jax.nn.softmax(scores, -1).astype(v.dtype)
    return jnp.einsum("bhqk,bhkd->bhqd", weights, v)


def mlp(x: Any, w1: Any, b1: Any, w2: Any, b2: Any) -> Any:
    """Two products with a gelu between, and the residual."""
    return x + jax.nn.gelu(x @ w1 + b1) @ w2 + b2


def block(
    x: Any,
    g1: Any,
    b1: Any,
    wq: Any,
    wk: Any,
    wv: Any,
    wo: Any,
    g2: Any,
    b2: Any,
    w1: Any,
    c1: Any,
    w2: Any,
    c2: Any,
) -> Any:
    """A transformer block of 4 heads, normalised in front."""
    batch, tokens, model = x.shape
    heads = 4

    def split(y: Any) -> Any:
        return y.reshape(batch, tokens, heads, model // heads).transpose(0, 2, 1, 3)

    h = layer_norm(x, g1, b1)
    o = attention(split(h @ wq), split(h @ wk), split(h @ wv))
    x = x + o.transpose(0, 2, 1, 3).reshape(batch, tokens, model) @ wo
    h = layer_norm(x, g2, b2)
    return x + jax.nn.gelu(h @ w1 + c1) @ w2 + c2


def shapes(dtype: Any, *sizes: tuple[int, ...]) -> list[Any]:
    """Arguments of these shapes."""
    return [jax.ShapeDtypeStruct(size, dtype) for size in sizes]


MODEL, HIDDEN = 256, 1024

EXAMPLES: dict[str, tuple[Callable[..., Any], list[Any]]] = {
    "jax_block": (
        block,
        shapes(
            jnp.float32,
            (2, 128, MODEL),
            *((MODEL,), (MODEL,)),
            *((MODEL, MODEL),) * 4,
            *((MODEL,), (MODEL,)),
            *((MODEL, HIDDEN), (HIDDEN,), (HIDDEN, MODEL), (MODEL,)),
        ),
    ),
    "jax_mlp": (
        mlp,
        shapes(
            jnp.bfloat16,
            (512, MODEL),
            *((MODEL, HIDDEN), (HIDDEN,), (HIDDEN, MODEL), (MODEL,)),
        ),
    ),
    "jax_attention": (attention, shapes(jnp.bfloat16, *((1, 4, 512, 64),) * 3)),
}
"""By the name of the file."""


def write(folder: Path) -> None:
    """Write all files to a folder."""
    tool = Path(sys.executable).with_name("spatial-opt")
    for name, (function, arguments) in EXAMPLES.items():
        source = folder / f"{name}.stablehlo"
        source.write_text(jax.jit(function).lower(*arguments).as_text())
        output = folder / f"{name}.mlir"
        # What nothing uses goes: it only stood in the functions that JAX calls.
        subprocess.run([tool, source, "--dce", "-o", output], check=True)
        output.write_text(bits_as_bytes(output.read_text()))


if __name__ == "__main__":
    write(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE)
