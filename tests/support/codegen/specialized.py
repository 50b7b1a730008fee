"""Small payloads under schedules that give warps roles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from support.paths import EXAMPLES
from tilewright.codegen.kernel.modules import launcher_of
from tilewright.ir.dtypes import numpy_dtype
from tilewright.ir.interpreter import Interleaving, Options, run
from tilewright.ir.text import to_text
from tilewright.payloads import Payload
from tilewright.payloads import attention as masked_attention
from tilewright.pipeline import Built, build, parse_payload
from tilewright.schedules.schedule import Schedule

_PRODUCT = """
func.func @product(%a: tensor<{m}x{k}x{t}>, %b: tensor<{k}x{n}x{t}>)
    -> tensor<{m}x{n}x{t}> {{
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<{m}x{n}xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<{m}x{n}xf32>)
    -> tensor<{m}x{n}xf32>
  %sum = linalg.matmul ins(%a, %b : tensor<{m}x{k}x{t}>, tensor<{k}x{n}x{t}>)
    outs(%init : tensor<{m}x{n}xf32>) -> tensor<{m}x{n}xf32>
  %out = tensor.empty() : tensor<{m}x{n}x{t}>
  %c = linalg.generic {{
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
    iterator_types = ["parallel", "parallel"]
  }} ins(%sum : tensor<{m}x{n}xf32>) outs(%out : tensor<{m}x{n}x{t}>) {{
  ^bb0(%acc: f32, %old: {t}):
    {tail}
    %half = arith.truncf %x : f32 to {t}
    linalg.yield %half : {t}
  }} -> tensor<{m}x{n}x{t}>
  func.return %c : tensor<{m}x{n}x{t}>
}}
"""

SILU = """%minus = arith.negf %acc : f32
    %e = math.exp %minus : f32
    %one = arith.constant 1.0 : f32
    %d = arith.addf %e, %one : f32
    %x = arith.divf %acc, %d : f32"""
DOUBLE = "%x = arith.addf %acc, %acc : f32"

Point: TypeAlias = dict[str, int | str]
SMALL: Point = {"BM": 128, "BN": 64, "BK": 32, "ring": 2, "consumers": 2}
SMALL |= {"persistent": 0, "group": 4, "parts": 1}
ATTENTION: Point = {"BM": 128, "BN": 64, "ring": 2, "consumers": 2, "persistent": 0}
ATTENTION |= {"products": "late", "ping_pong": 0, "pinned": 0}

ORDERS = (
    Interleaving(),
    Interleaving(late_copies=True),
    Interleaving(ahead="load", late_copies=True),
    Interleaving(ahead="compute_0"),
    Interleaving(seed=1),
    Interleaving(seed=2),
)
"""Orders of steps: as they come, late copies, one partition ahead, at random."""


def product(
    m: int = 256, n: int = 128, k: int = 96, dtype: str = "f16", tail: str = DOUBLE
) -> str:
    """A product with a tail."""
    return _PRODUCT.format(m=m, n=n, k=k, t=dtype, tail=tail)


def attention(sequence: int = 256, features: int = 64) -> str:
    """The example payload with two heads and a short sequence."""
    text = (EXAMPLES / "payloads" / "attention_heads.mlir").read_text()
    text = text.replace("4x8x512x512", f"1x2x{sequence}x{sequence}")
    text = text.replace("4x8x512x64", f"1x2x{sequence}x{features}")
    return text.replace("4x8x512", f"1x2x{sequence}")


def causal(sequence: int = 256, features: int = 64, **options: Any) -> str:
    """Masked attention with two heads and a short sequence."""
    p = Payload("attention")
    shape = (1, 2, sequence, features)
    query, key, value = (p.input(name, shape, "f16") for name in "qkv")
    p.output(masked_attention(query, key, value, causal=True, **options))
    return p.text()


def built(payload: str, schedule: str, point: Mapping[str, int | str]) -> Built:
    """A payload under a schedule of `examples/specialized`, or under a text."""
    if schedule.endswith(".tw"):
        read = Schedule.from_path(EXAMPLES / "specialized" / schedule)
    else:
        read = Schedule.from_text(schedule, "own.tw")
    return build(parse_payload(payload), read, dict(point))


def inputs(module: ModuleOp) -> list[np.ndarray]:
    """Random arguments of a launcher."""
    rng = np.random.default_rng(0)
    types = [argument.type for argument in launcher_of(module).body.block.args]
    return [
        rng.standard_normal(of.get_shape()).astype(numpy_dtype(of))  # pyright: ignore
        for of in types
    ]


def assert_right(
    payload: str,
    schedule: str,
    point: Point,
    integers: np.ndarray | None = None,
    orders: Sequence[Interleaving] = ORDERS,
) -> Built:
    """In some orders, as the payload; bit by bit the same in each. Returns what ran.

    `integers` stand for an argument of integers.
    """
    made = built(payload, schedule, point)
    assert_runs_right(made, payload, integers, orders)
    return made


def assert_runs_right(
    made: Built,
    payload: str,
    integers: np.ndarray | None = None,
    orders: Sequence[Interleaving] = ORDERS,
) -> None:
    """What `assert_right` says, of a payload that was built before."""
    module = made.kernel
    assert "warps.specialize" in to_text(module)
    given = inputs(module)
    if integers is not None:
        given = [integers if each.dtype == integers.dtype else each for each in given]
    expected = run(parse_payload(payload), given)[0].astype(np.float32)
    results = [run(module, given, options=Options(interleaving=o))[0] for o in orders]
    np.testing.assert_allclose(
        results[0].astype(np.float32), expected, rtol=2e-2, atol=2e-2
    )
    for result in results[1:]:
        np.testing.assert_array_equal(result, results[0])
