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
# Elements a step, warps, pipeline depth. The deep ones of 16 and 32 warps leave room
# for one program on an SM: only then do long rows stay in the L2 until they are read
# again.
CHOICES = (
    (2048, 4, 1),
    (4096, 8, 1),
    (4096, 8, 3),
    (8192, 8, 3),
    (8192, 16, 1),
    (16384, 16, 6),
    (16384, 32, 1),
    (16384, 32, 4),
    (32768, 32, 3),
)


@triton.jit
def _places(start, BLOCK: tl.constexpr, WIDTH: tl.constexpr):
    """BLOCK numbers from `start`, WIDTH side by side."""
    group = tl.arange(0, BLOCK // WIDTH)[:, None] * WIDTH
    return start + group + tl.arange(0, WIDTH)[None, :]


@triton.jit
def _piece(
    x, at, lead, end, PAD: tl.constexpr, MASKED: tl.constexpr, POLICY: tl.constexpr
):
    if MASKED:
        inside = (at >= lead) & (at < end)
        value = tl.load(x + at, mask=inside, other=PAD, eviction_policy=POLICY)
    else:
        value = tl.load(x + at, eviction_policy=POLICY)
    return value.to(tl.float32)


@triton.jit
def _absorb(
    top,
    total,
    x,
    begin,
    stop,
    lead,
    end,
    MASKED: tl.constexpr,
    POLICY: tl.constexpr,
    BLOCK: tl.constexpr,
    WIDTH: tl.constexpr,
    STAGES: tl.constexpr,
):
    """Take elements into running maxima and sums.

    WIDTH neighbours, which a thread reads at once, share a maximum: one exponential an
    element, where a maximum for each would cost two.
    """
    for start in tl.range(begin, stop, BLOCK, num_stages=STAGES):
        at = _places(start, BLOCK, WIDTH)
        value = _piece(x, at, lead, end, -float("inf"), MASKED, POLICY) * LOG2E
        larger = tl.maximum(top, tl.max(value, 1))
        grown = tl.sum(tl.exp2(value - larger[:, None]), 1)
        total = total * tl.exp2(top - larger) + grown
        top = larger
    return top, total


@triton.jit
def _log2sumexp(
    x,
    lead,
    end,
    POLICY: tl.constexpr,
    BLOCK: tl.constexpr,
    WIDTH: tl.constexpr,
    STAGES: tl.constexpr,
):
    """The logarithm, to the base 2, of the sum of exponentials of a row.

    The row is from `lead` to `end`, and x is at a multiple of WIDTH elements: only the
    first and the last block need masks, which would make the loads narrow where the
    length of rows is odd.
    """
    top = tl.full((BLOCK // WIDTH,), -1.0e30, tl.float32)
    total = tl.zeros((BLOCK // WIDTH,), tl.float32)
    last = tl.maximum(end // BLOCK * BLOCK, BLOCK)
    top, total = _absorb(
        top, total, x, 0, BLOCK, lead, end, True, POLICY, BLOCK, WIDTH, 1
    )
    top, total = _absorb(
        top, total, x, BLOCK, last, lead, end, False, POLICY, BLOCK, WIDTH, STAGES
    )
    top, total = _absorb(
        top, total, x, last, end, lead, end, True, POLICY, BLOCK, WIDTH, 1
    )
    largest = tl.max(top, 0)
    return largest + tl.log2(tl.sum(total * tl.exp2(top - largest), 0))


@triton.jit
def _row(x, n, WIDTH: tl.constexpr):
    """The place of this program's row: a multiple of WIDTH, and what is before it."""
    first = tl.cast(tl.program_id(0), tl.int64) * n
    lead = (first % WIDTH).to(tl.int32)
    return tl.multiple_of(first - lead, WIDTH), lead


@triton.jit
def logsumexp_kernel(
    x, out, n, BLOCK: tl.constexpr, WIDTH: tl.constexpr, STAGES: tl.constexpr
):
    """One row a program."""
    base, lead = _row(x, n, WIDTH)
    end = lead + n
    found = _log2sumexp(x + base, lead, end, "evict_first", BLOCK, WIDTH, STAGES) * LN2
    tl.store(out + tl.program_id(0), found.to(out.dtype.element_ty))


@triton.jit
def cross_entropy_kernel(
    x, labels, out, n, BLOCK: tl.constexpr, WIDTH: tl.constexpr, STAGES: tl.constexpr
):
    """One row a program."""
    base, lead = _row(x, n, WIDTH)
    end = lead + n
    label = tl.load(labels + tl.program_id(0))
    logit = tl.load(x + base + lead + label).to(tl.float32)
    found = _log2sumexp(x + base, lead, end, "evict_first", BLOCK, WIDTH, STAGES) * LN2
    tl.store(out + tl.program_id(0), (found - logit).to(out.dtype.element_ty))


@triton.jit
def _weigh(
    x,
    out,
    found,
    begin,
    stop,
    lead,
    end,
    LOGARITHM: tl.constexpr,
    MASKED: tl.constexpr,
    BLOCK: tl.constexpr,
    WIDTH: tl.constexpr,
    STAGES: tl.constexpr,
):
    """Write the softmax of some elements, or its logarithm."""
    for start in tl.range(begin, stop, BLOCK, num_stages=STAGES):
        at = _places(start, BLOCK, WIDTH)
        value = _piece(x, at, lead, end, 0.0, MASKED, "evict_first")
        if LOGARITHM:
            value = value - found * LN2
        else:
            value = tl.exp2(value * LOG2E - found)
        value = value.to(out.dtype.element_ty)
        if MASKED:
            tl.store(out + at, value, mask=(at >= lead) & (at < end))
        else:
            tl.store(out + at, value, cache_modifier=".cs")


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
    base, lead = _row(x, n, WIDTH)
    x += base
    out += base
    end = lead + n
    found = _log2sumexp(x, lead, end, "evict_last", BLOCK, WIDTH, STAGES)
    last = tl.maximum(end // BLOCK * BLOCK, BLOCK)
    _weigh(x, out, found, 0, BLOCK, lead, end, LOGARITHM, True, BLOCK, WIDTH, 1)
    _weigh(
        x, out, found, BLOCK, last, lead, end, LOGARITHM, False, BLOCK, WIDTH, STAGES
    )
    _weigh(x, out, found, last, end, lead, end, LOGARITHM, True, BLOCK, WIDTH, 1)


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
        column = start + tl.arange(0, BLOCK)
        value = _piece(x + first, column, 0, n, 0.0, False, "evict_last")
        count += 1.0
        difference = value - mean
        mean += difference * (1.0 / count)
        squares += difference * (value - mean)
    centre = tl.sum(mean, 0) / BLOCK
    apart = mean - centre
    variance = tl.sum(squares + count * apart * apart, 0) / n
    scale = tl.rsqrt(variance + epsilon)
    # Three tensors at a time: a deeper pipeline would not fit shared memory.
    for start in tl.range(0, n, BLOCK, num_stages=2 if STAGES > 1 else 1):
        column = start + tl.arange(0, BLOCK)
        value = _piece(x + first, column, 0, n, 0.0, False, "evict_first")
        value = (value - centre) * scale
        value = value * _piece(weight, column, 0, n, 0.0, False, "evict_last")
        value = value + _piece(bias, column, 0, n, 0.0, False, "evict_last")
        result = value.to(out.dtype.element_ty)
        tl.store(out + first + column, result, cache_modifier=".cs")


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
