"""Payloads of several launches, and checks of them at every level."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tilewright.ir.dtypes import element
from tilewright.numeric_check import check_kernel_ir, check_triton_source, make_case
from tilewright.pipeline import Built, build, parse_payload
from tilewright.schedules.schedule import Schedule


def built(text: str, schedule: str | None = None, name: str = "payload.mlir") -> Built:
    """A payload under a schedule in .tw, or under the default."""
    loaded = None if schedule is None else Schedule.from_text(schedule)
    return build(parse_payload(text, name), loaded)


def assert_right(text: str, schedule: str | None = None, *, seed: int = 0) -> Built:
    """Check that the kernel level and the emitted source give the payload's results."""
    payload = parse_payload(text, "payload.mlir")
    program = built(text, schedule)
    question = make_case(payload, seed)
    by_triton = check_triton_source(program, [question])
    for comparison in (check_kernel_ir(program, question), *by_triton):
        assert comparison.ok, comparison.message
    return program


def chain(steps: Sequence[str], shape: str = "64x32", dtype: str = "f32") -> str:
    """One element-wise generic after another; a step is `op` or `op:dtype`.

    Each reads the one before and the first argument, so that nothing is fused away.
    """
    dims = shape.split("x")
    loops = ", ".join(f"d{i}" for i in range(len(dims)))
    identity = f"affine_map<({loops}) -> ({loops})>"
    kinds = ", ".join(['"parallel"'] * len(dims))
    lines: list[str] = []
    before, old = "%a", dtype
    for number, step in enumerate(steps):
        op, _, new = step.partition(":")
        new = new or old
        of = f"tensor<{shape}x{new}>"
        lines += [
            # An empty tensor would be merged with others of its type.
            f"%e{number} = bufferization.alloc_tensor() : {of}",
            f"%t{number} = linalg.generic {{indexing_maps = [{identity}, {identity}], "
            f"iterator_types = [{kinds}]}} "
            f"ins({before} : tensor<{shape}x{old}>) outs(%e{number} : {of}) {{",
            f"^bb0(%x: {old}, %o: {new}):",
            f"  %y = arith.{op} %x, %x : {old}",
            f"  %z = {_cast('%y', old, new)}",
            f"  linalg.yield %z : {new}",
            f"}} -> {of}",
        ]
        before, old = f"%t{number}", new
    body = "\n  ".join(lines)
    result = f"tensor<{shape}x{old}>"
    return (
        f"func.func @chain(%a: tensor<{shape}x{dtype}>) -> {result} {{\n  {body}\n"
        f"  return {before} : {result}\n}}\n"
    )


def _cast(value: str, old: str, new: str) -> str:
    if old == new:
        zero = "0.0" if element(old).is_float else "0"
        return f"arith.addf {value}, {value} : {old}" if zero == "0.0" else value
    widens = element(new).byte_width > element(old).byte_width
    return f"arith.{'extf' if widens else 'truncf'} {value} : {old} to {new}"


def random_array(shape: Sequence[int], seed: int = 0) -> NDArray[np.float32]:
    """Standard normal numbers."""
    return np.random.default_rng(seed).standard_normal(shape, dtype=np.float32)
