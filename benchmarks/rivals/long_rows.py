"""Hand-written Triton kernels for rows too long for registers, read piece by piece.

Each thread keeps running values of its own; they are merged once, at the end:

    logsumexp      one pass
    cross-entropy  one pass, and the label's logit read by its address
    softmax        a second pass writes; log-softmax too
    layernorm      mean and variance in one pass (Welford), a second pass writes
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
import triton
import triton.language as tl

from rivals.launching import Candidate, Launch
from rivals.rows import EPSILON

LOG2E = tl.constexpr(1.4426950408889634)
LN2 = tl.constexpr(0.6931471805599453)
WIDTH = 8
# Elements a step, warps, pipeline depth.
CHOICES = (
    *((2048, 4, stages) for stages in (1, 3, 4)),
    *((4096, 8, stages) for stages in (1, 3)),
    *((8192, 8, stages) for stages in (1, 3)),
    (8192, 16, 1),
    (16384, 16, 1),
)


@triton.jit
def _piece(x, first, start, n, PAD: tl.constexpr, BLOCK: tl.constexpr):
    column = start + tl.arange(0, BLOCK)
    value = tl.load(x + first + column, mask=column < n, other=PAD)
    return value.to(tl.float32)


@triton.jit
def _log2sumexp(
    x, first, n, BLOCK: tl.constexpr, WIDTH: tl.constexpr, STAGES: tl.constexpr
):
    """The logarithm, to the base 2, of the sum of exponentials of a row.

    WIDTH neighbours, which a thread reads at once, share a running maximum: one
    exponential an element, where a maximum for each would cost two.
    """
    top = tl.full((BLOCK // WIDTH,), -1.0e30, tl.float32)
    total = tl.zeros((BLOCK // WIDTH,), tl.float32)
    group = tl.arange(0, BLOCK // WIDTH)[:, None] * WIDTH
    inner = tl.arange(0, WIDTH)[None, :]
    for start in tl.range(0, n, BLOCK, num_stages=STAGES):
        column = start + group + inner
        value = tl.load(x + first + column, mask=column < n, other=-float("inf"))
        value = value.to(tl.float32) * LOG2E
        larger = tl.maximum(top, tl.max(value, 1))
        grown = tl.sum(tl.exp2(value - larger[:, None]), 1)
        total = total * tl.exp2(top - larger) + grown
        top = larger
    largest = tl.max(top, 0)
    return largest + tl.log2(tl.sum(total * tl.exp2(top - largest), 0))


@triton.jit
def logsumexp_kernel(
    x, out, n, BLOCK: tl.constexpr, WIDTH: tl.constexpr, STAGES: tl.constexpr
):
    """One row a program."""
    row = tl.program_id(0)
    first = tl.cast(row, tl.int64) * n
    found = _log2sumexp(x, first, n, BLOCK, WIDTH, STAGES) * LN2
    tl.store(out + row, found.to(out.dtype.element_ty))


@triton.jit
def cross_entropy_kernel(
    x, labels, out, n, BLOCK: tl.constexpr, WIDTH: tl.constexpr, STAGES: tl.constexpr
):
    """One row a program."""
    row = tl.program_id(0)
    first = tl.cast(row, tl.int64) * n
    logit = tl.load(x + first + tl.load(labels + row)).to(tl.float32)
    loss = _log2sumexp(x, first, n, BLOCK, WIDTH, STAGES) * LN2 - logit
    tl.store(out + row, loss.to(out.dtype.element_ty))


@triton.jit
def softmax_kernel(
    x,
    out,
    n,
    LOGARITHM: tl.constexpr,
    BLOCK: tl.constexpr,
    WIDTH: tl.constexpr,
    STAGES: tl.constexpr,
):
    """Softmax, or its logarithm; one row a program, read twice."""
    first = tl.cast(tl.program_id(0), tl.int64) * n
    found = _log2sumexp(x, first, n, BLOCK, WIDTH, STAGES)
    for start in tl.range(0, n, BLOCK, num_stages=STAGES):
        value = _piece(x, first, start, n, 0.0, BLOCK)
        if LOGARITHM:
            value = value - found * LN2
        else:
            value = tl.exp2(value * LOG2E - found)
        column = start + tl.arange(0, BLOCK)
        value = value.to(out.dtype.element_ty)
        tl.store(out + first + column, value, mask=column < n)


@triton.jit
def layernorm_kernel(
    x, weight, bias, out, n, epsilon, BLOCK: tl.constexpr, STAGES: tl.constexpr
):
    """One row a program, read twice; n is a multiple of BLOCK."""
    first = tl.cast(tl.program_id(0), tl.int64) * n
    mean = tl.zeros((BLOCK,), tl.float32)
    squares = tl.zeros((BLOCK,), tl.float32)
    count = 0.0
    for start in tl.range(0, n, BLOCK, num_stages=STAGES):
        value = _piece(x, first, start, n, 0.0, BLOCK)
        count += 1.0
        difference = value - mean
        mean += difference * (1.0 / count)
        squares += difference * (value - mean)
    centre = tl.sum(mean, 0) / BLOCK
    apart = mean - centre
    variance = tl.sum(squares + count * apart * apart, 0) / n
    scale = tl.rsqrt(variance + epsilon)
    for start in tl.range(0, n, BLOCK, num_stages=STAGES):
        value = (_piece(x, first, start, n, 0.0, BLOCK) - centre) * scale
        value = value * _piece(weight, 0, start, n, 0.0, BLOCK)
        value = value + _piece(bias, 0, start, n, 0.0, BLOCK)
        at = out + first + start + tl.arange(0, BLOCK)
        tl.store(at, value.to(out.dtype.element_ty))


def candidates(kind: str, *tensors: torch.Tensor) -> Iterator[Candidate]:
    """Every configuration for the inputs and the output, which comes last."""
    *inputs, out = tensors
    count, n = inputs[0].shape
    kernel: Any = {
        "logsumexp": logsumexp_kernel,
        "cross-entropy": cross_entropy_kernel,
        "log-softmax": softmax_kernel,
        "softmax": softmax_kernel,
        "layernorm": layernorm_kernel,
    }[kind]
    is_norm = kind == "layernorm"
    sizes = (n, EPSILON) if is_norm else (n,)
    extra: dict[str, Any] = {} if is_norm else {"WIDTH": WIDTH}
    if "softmax" in kind:
        extra["LOGARITHM"] = kind == "log-softmax"
    for block, warps, stages in CHOICES:
        if is_norm and n % block:
            continue
        options = {"BLOCK": block, "STAGES": stages, "num_warps": warps, **extra}
        launch = Launch(kernel, (count,), (*inputs, out, *sizes), options)
        name = f"by {block} w{warps} s{stages}"
        yield Candidate("online", name, (launch,), out)
