"""Functions of one linalg op as text, and random arguments for them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tilewright.ir.dtypes import numpy_dtype

FLOATS = ("f64", "f32", "f16", "bf16", "f8E4M3FN", "f8E5M2")
INTEGERS = ("i8", "i16", "i32", "i64")

Shape = tuple[int, ...]


def tensor(shape: Shape, dtype: str) -> str:
    """A tensor type."""
    return f"tensor<{''.join(f'{size}x' for size in shape)}{dtype}>"


def one_op(
    op: str, inputs: Sequence[str], output: str, before: str = "", after: str = ""
) -> str:
    """`op` on %a0, %a1, ... into %out; types as given, tensors or memrefs."""
    names = [f"%a{position}" for position in range(len(inputs))]
    types = [*inputs, output]
    on_tensors = output.startswith("tensor")
    arrow = f" -> {output}" if on_tensors else ""
    arguments = ", ".join(
        f"{name}: {kind}" for name, kind in zip([*names, "%out"], types, strict=True)
    )
    # reduce, broadcast and transpose take their result's type from the output.
    end = after or arrow
    return f"""
    func.func @f({arguments}){arrow} {{
      {"%r = " if on_tensors else ""}{op} {before}
        ins({", ".join(names)} : {", ".join(inputs)}) outs(%out : {output}) {end}
      return{f" %r : {output}" if on_tensors else ""}
    }}"""


def random(
    shape: Shape, dtype: str, seed: int = 0, *, small: bool = False
) -> np.ndarray:
    """Random numbers of a dtype: floats around 0, integers over the whole range."""
    rng = np.random.default_rng(seed)
    if dtype == "i1":
        return rng.integers(0, 2, shape).astype(bool)
    if dtype.startswith("i"):
        info = np.iinfo(numpy_dtype(dtype))
        low, high = (-8, 8) if small else (info.min, info.max)
        return rng.integers(low, high, shape, endpoint=True, dtype=info.dtype)
    return (rng.standard_normal(shape) * 2).astype(numpy_dtype(dtype))
