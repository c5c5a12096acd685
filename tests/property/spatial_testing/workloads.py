"""Tensor code that users bring: as text, with what numpy makes of the same arguments."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from .linalg_text import STORAGE, Function, Tensor

Array: TypeAlias = NDArray[Any]

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"

MATMUL = "ik,kj->ij"


@dataclass(frozen=True)
class Workload:
    """A function, its arguments, and its result."""

    text: str
    arguments: tuple[Array | int, ...]
    expected: Array
    """In float64."""
    tolerance: float
    """The largest error, relative to the root mean square of the result."""


def of(function: Function, result: Tensor, tolerance: float) -> Workload:
    """The workload of a function that is complete."""
    return Workload(function.text(result), tuple(function.arrays), result.value, tolerance)


BF16, F32 = 2e-2, 2e-5
"""What rounding to the type of the result, and of what is in between, accounts for."""


################################################################################
# Parts                                                                        #
################################################################################


def gelu(f: Function, x: Tensor) -> Tensor:
    """The tanh form."""
    code = f"""
      %half = arith.constant 0.5 : {x.element}
      %one = arith.constant 1.0 : {x.element}
      %third = arith.constant 0.044715 : {x.element}
      %root = arith.constant 0.7978845608 : {x.element}
      %square = arith.mulf %a, %a : {x.element}
      %cube = arith.mulf %square, %a : {x.element}
      %small = arith.mulf %third, %cube : {x.element}
      %sum = arith.addf %a, %small : {x.element}
      %scaled = arith.mulf %root, %sum : {x.element}
      %tanh = math.tanh %scaled : {x.element}
      %more = arith.addf %one, %tanh : {x.element}
      %part = arith.mulf %half, %a : {x.element}
      %r = arith.mulf %part, %more : {x.element}"""

    def exact(x: Array) -> Array:
        return 0.5 * x * (1 + np.tanh(0.7978845608 * (x + 0.044715 * x**3)))

    letters = "ijkl"[: len(x.shape)]
    return f.elementwise(f"{letters}->{letters}", [x], code, exact)


def layer_norm(f: Function, x: Tensor, gamma: Tensor, beta: Tensor) -> Tensor:
    """Over the last of two dimensions, in f32."""
    count = f"%n = arith.constant {x.shape[-1]}.0 : f32\n"
    total = f.reduced("add", "ij->i", x)
    mean = f.elementwise("i->i", [total], count + "%r = arith.divf %a, %n : f32", _over(x))
    centred = f.apply("sub", x, mean, spec="ij,i->ij")
    square = f.apply("mul", centred, centred)
    sums = f.reduced("add", "ij->i", square)
    code = (
        count
        + """%e = arith.constant 1.0e-5 : f32
        %v = arith.divf %a, %n : f32
        %s = arith.addf %v, %e : f32
        %r = math.rsqrt %s : f32"""
    )
    factor = f.elementwise("i->i", [sums], code, _root_over(x))
    normal = f.apply("mul", centred, factor, spec="ij,i->ij")
    scaled = f.apply("mul", normal, gamma, spec="ij,j->ij")
    return f.apply("add", scaled, beta, spec="ij,j->ij")


def _over(x: Tensor) -> Callable[[Array], Array]:
    def divided(total: Array) -> Array:
        return total / x.shape[-1]

    return divided


def _root_over(x: Tensor) -> Callable[[Array], Array]:
    def root(total: Array) -> Array:
        return 1 / np.sqrt(total / x.shape[-1] + 1e-5)

    return root


################################################################################
# Workloads                                                                    #
################################################################################


def matmul(m: int, n: int, k: int, element: str = "bf16") -> Workload:
    """One product."""
    f = Function()
    a, b = f.argument(m, k, element=element, name="A"), f.argument(k, n, element=element, name="B")
    return of(f, f.product(MATMUL, a, b), BF16 if element == "bf16" else F32)


def batched_matmul(count: int, m: int, n: int, k: int) -> Workload:
    """Several products."""
    f = Function()
    a, b = f.argument(count, m, k, element="bf16"), f.argument(count, k, n, element="bf16")
    return of(f, f.product("bik,bkj->bij", a, b), BF16)


def mlp(tokens: int, model: int, hidden: int) -> Workload:
    """Product, bias, gelu, product, bias, residual."""
    f = Function()
    x = f.argument(tokens, model, name="x")
    w1, b1 = f.argument(model, hidden, name="w1"), f.argument(hidden, name="b1")
    w2, b2 = f.argument(hidden, model, name="w2"), f.argument(model, name="b2")
    h = f.apply("add", f.product(MATMUL, x, w1), b1, spec="ij,j->ij")
    y = f.apply("add", f.product(MATMUL, gelu(f, h), w2), b2, spec="ij,j->ij")
    return of(f, f.apply("add", y, x), F32)


def norm_matmul(tokens: int, model: int, columns: int) -> Workload:
    """Layer normalisation, then a product."""
    f = Function()
    x = f.argument(tokens, model, name="x")
    gamma, beta = f.argument(model, name="gamma"), f.argument(model, name="beta")
    w = f.argument(model, columns, name="w")
    return of(f, f.product(MATMUL, layer_norm(f, x, gamma, beta), w), F32)


def attention(
    batch: int,
    heads: int,
    queries: int,
    keys: int,
    size: int,
    *,
    causal: bool = False,
    length: int | None = None,
    element: str = "bf16",
) -> Workload:
    """Softmax of scaled scores, times values.

    Args:
        batch: of sequences.
        heads: of each.
        queries: their number.
        keys: their number.
        size: of a head.
        causal: whether a query sees no later key.
        length: the keys that count, which the function gets as a tensor of one number.
        element: the type of all tensors.
    """
    f = Function()
    q = f.argument(batch, heads, queries, size, element=element, name="Q")
    k = f.argument(batch, heads, keys, size, element=element, name="K")
    v = f.argument(batch, heads, keys, size, element=element, name="V")
    scores = f.product("bhqd,bhkd->bhqk", q, k, "f32")
    scale = size**-0.5

    def scaled(x: Array) -> Array:
        return x * scale

    s = f.elementwise(
        "bhqk->bhqk",
        [scores],
        f"%c = arith.constant {scale} : f32\n%r = arith.mulf %a, %c : f32",
        scaled,
    )
    if causal:
        code = """%i = linalg.index 2 : index
          %j = linalg.index 3 : index
          %seen = arith.cmpi sge, %i, %j : index
          %least = arith.constant -1.0e+30 : f32
          %r = arith.select %seen, %a, %least : f32"""

        def masked(x: Array) -> Array:
            seen = np.tri(queries, keys, dtype=bool)
            return np.where(seen, x, -1e30)

        s = f.elementwise("bhqk->bhqk", [s], code, masked)
    if length is not None:
        count = f.given(np.array(length), "i32", name="length")
        code = """%j = linalg.index 3 : index
          %key = arith.index_cast %j : index to i32
          %seen = arith.cmpi slt, %key, %b : i32
          %least = arith.constant -1.0e+30 : f32
          %r = arith.select %seen, %a, %least : f32"""

        def cut(x: Array, count: Array) -> Array:
            return np.where(np.arange(keys) < count, x, -1e30)

        s = f.elementwise("bhqk,->bhqk", [s, count], code, cut)
    largest = f.reduced("max", "bhqk->bhq", s)
    shifted = f.apply("sub", s, largest, spec="bhqk,bhq->bhqk")
    e = f.apply("exp", shifted)
    total = f.reduced("add", "bhqk->bhq", e)
    p = f.apply("div", e, total, spec="bhqk,bhq->bhqk")
    wide = v
    if element != "f32":
        wide = f.elementwise(
            "bhkd->bhkd", [v], f"%r = arith.extf %a : {element} to f32", _same, "f32"
        )
    o = f.product("bhqk,bhkd->bhqd", p, wide)
    if element != "f32":
        o = f.elementwise(
            "bhqd->bhqd", [o], f"%r = arith.truncf %a : f32 to {element}", _same, element
        )
    return of(f, o, BF16 if element == "bf16" else F32)


def _same(x: Array) -> Array:
    return x


def embedding(tokens: int, words: int, model: int) -> Workload:
    """Rows of a table, scaled, then layer normalisation."""
    f = Function()
    ids = f.given(f.random.integers(0, words, tokens), "i32", name="ids")
    table = f.argument(words, model, name="table")
    gamma, beta = f.argument(model, name="gamma"), f.argument(model, name="beta")
    out = f.empty((tokens, model))
    rows = f.op(
        f"""linalg.generic {{indexing_maps = [affine_map<(d0, d1) -> (d0)>,
            affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}}
            ins({ids.typed}) outs({out.typed}) {{
          ^bb0(%id: i32, %o: f32):
            %row = arith.index_cast %id : i32 to index
            %col = linalg.index 1 : index
            %found = tensor.extract {table.name}[%row, %col] : {table.type}
            linalg.yield %found : f32
          }} -> {out.type}""",
        table.value[ids.value],
        "f32",
    )
    return of(f, layer_norm(f, rows, gamma, beta), F32)


################################################################################
# What JAX prints                                                              #
################################################################################


def from_jax(name: str, function: Callable[..., Array], scales: Sequence[float]) -> Workload:
    """An example that JAX has printed, with what the same formulas are in numpy.

    Args:
        name: of the file.
        function: the formulas, on float64.
        scales: what random arguments are multiplied with.
    """
    text = (EXAMPLES / f"{name}.mlir").read_text()
    random = np.random.default_rng(0)
    types = re.findall(r"%arg\d+: tensor<([0-9x]+)x(f32|bf16)>", text.partition("{\n")[2])
    given: list[Array] = []
    for (sizes, element), scale in zip(types[: len(scales)], scales, strict=True):
        shape = tuple(map(int, sizes.split("x")))
        given.append((random.standard_normal(shape) * scale).astype(STORAGE[element]))
    expected = function(*(array.astype(np.float64) for array in given))
    narrow = types[0][1] == "bf16"
    return Workload(text, tuple(given), expected, 2 * BF16 if narrow else F32)


def normal(x: Array, gamma: Array, beta: Array) -> Array:
    """Layer normalisation."""
    centred = x - x.mean(-1, keepdims=True)
    return centred / np.sqrt((centred**2).mean(-1, keepdims=True) + 1e-5) * gamma + beta


def gelu_of(x: Array) -> Array:
    """The tanh form, which JAX takes."""
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))


def causal(q: Array, k: Array, v: Array) -> Array:
    """Causal attention."""
    scores = q @ k.swapaxes(-1, -2) * q.shape[-1] ** -0.5
    scores = np.where(np.tri(*scores.shape[-2:], dtype=bool), scores, -1e30)
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    return weights / weights.sum(-1, keepdims=True) @ v


def mlp_of(x: Array, w1: Array, b1: Array, w2: Array, b2: Array) -> Array:
    """Two products with a gelu between, and the residual."""
    return x + gelu_of(x @ w1 + b1) @ w2 + b2


def block_of(x: Array, *weights: Array) -> Array:
    """A transformer block of 4 heads."""
    g1, b1, wq, wk, wv, wo, g2, b2, w1, c1, w2, c2 = weights
    batch, tokens, model = x.shape

    def split(y: Array) -> Array:
        return y.reshape(batch, tokens, 4, model // 4).transpose(0, 2, 1, 3)

    h = normal(x, g1, b1)
    o = causal(split(h @ wq), split(h @ wk), split(h @ wv))
    x = x + o.transpose(0, 2, 1, 3).reshape(batch, tokens, model) @ wo
    h = normal(x, g2, b2)
    return x + gelu_of(h @ w1 + c1) @ w2 + c2


WORKLOADS: Mapping[str, Callable[[], Workload]] = {
    "matmul 256x256x256": lambda: matmul(256, 256, 256),
    "matmul 1000x333x777": lambda: matmul(1000, 333, 777),
    "matmul 2048x512x2048": lambda: matmul(2048, 512, 2048),
    "batched matmul 6x96x80x128": lambda: batched_matmul(6, 96, 80, 128),
    "MLP 512x256x1024": lambda: mlp(512, 256, 1024),
    "layer norm, matmul 512x256x384": lambda: norm_matmul(512, 256, 384),
    "attention 1x4x512x64": lambda: attention(1, 4, 512, 512, 64),
    "attention 1x4x512x64, causal": lambda: attention(1, 4, 512, 512, 64, causal=True),
    "attention 1x4x512x64, length 300": lambda: attention(1, 4, 512, 512, 64, length=300),
    "attention 2x8x1024x128": lambda: attention(2, 8, 1024, 1024, 128),
    "attention 2x8x1024x128, causal": lambda: attention(2, 8, 1024, 1024, 128, causal=True),
    "embedding 300 of 1000x256, layer norm": lambda: embedding(300, 1000, 256),
    "JAX: attention": lambda: from_jax("jax_attention", causal, (1, 1, 1)),
    "JAX: MLP": lambda: from_jax("jax_mlp", mlp_of, (1, 0.06, 1, 0.03, 1)),
    "JAX: transformer block": lambda: from_jax(
        "jax_block", block_of, (1, 1, 1, 0.06, 0.06, 0.06, 0.06, 1, 1, 0.06, 1, 0.03, 1)
    ),
}
"""By name."""
