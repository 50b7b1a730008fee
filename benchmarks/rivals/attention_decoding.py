"""Hand-written flash decoding: one query a head, the keys split over programs.

The first kernel takes a chunk of the keys of one head of keys, for all query heads that
share it, and leaves the chunk's maximum, sum and unfinished output. The second merges
the chunks. Where there is but one chunk, the first kernel writes the result.

Tensor cores do both products, also for a single query, which is padded to 16 rows. Sums
of products in f32 took 1.2 to 3 times as long on an H200.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

import torch
import triton
import triton.language as tl

from rivals.launching import Candidate, Launch

LOG2E = tl.constexpr(1.4426950408889634)
ROWS = 16
# How many programs an SM there should be, roughly.
PROGRAMS_PER_SM = (1, 2, 4)
MOST_CHUNKS = 256


class Configuration(NamedTuple):
    """Keys a step, warps, pipeline depth."""

    block: int
    warps: int
    stages: int


CHOICES = (
    Configuration(64, 4, 3),
    Configuration(128, 4, 3),
    Configuration(32, 2, 4),
)


@triton.jit
def chunk_kernel(
    query,
    key,
    value,
    out,
    tops,
    totals,
    parts,
    length,
    scale,
    GROUP: tl.constexpr,
    CHUNK: tl.constexpr,
    CHUNKS: tl.constexpr,
    BLOCK: tl.constexpr,
    FEATURES: tl.constexpr,
    ROWS: tl.constexpr,
    STAGES: tl.constexpr,
):
    """A chunk of CHUNK keys for the GROUP query heads of one head of keys."""
    chunk = tl.program_id(0)
    head = tl.program_id(1)
    row = tl.arange(0, ROWS)
    feature = tl.arange(0, FEATURES)
    first = (tl.cast(head, tl.int64) * length + chunk * CHUNK) * FEATURES
    at = tl.arange(0, BLOCK)[:, None] * FEATURES + feature[None, :]
    offsets = (head * GROUP + row)[:, None] * FEATURES + feature[None, :]
    mine = (row < GROUP)[:, None]
    queries = tl.load(query + offsets, mask=mine, other=0.0)
    top = tl.full((ROWS,), -float("inf"), tl.float32)
    total = tl.zeros((ROWS,), tl.float32)
    acc = tl.zeros((ROWS, FEATURES), tl.float32)
    for start in tl.range(0, CHUNK, BLOCK, num_stages=STAGES):
        keys = tl.load(key + first + start * FEATURES + at)
        score = tl.dot(queries, keys.T)
        largest = tl.maximum(top, tl.max(score, 1) * (scale * LOG2E))
        power = tl.exp2(score * (scale * LOG2E) - largest[:, None])
        shrink = tl.exp2(top - largest)
        total = total * shrink + tl.sum(power, 1)
        acc = acc * shrink[:, None]
        values = tl.load(value + first + start * FEATURES + at)
        acc = tl.dot(power.to(values.dtype), values, acc)
        top = largest
    if CHUNKS == 1:
        result = (acc / total[:, None]).to(out.dtype.element_ty)
        tl.store(out + offsets, result, mask=mine)
    else:
        place = (head * GROUP + row) * CHUNKS + chunk
        tl.store(tops + place, top, mask=row < GROUP)
        tl.store(totals + place, total, mask=row < GROUP)
        part = parts + place[:, None] * FEATURES + feature[None, :]
        tl.store(part, acc, mask=mine)


@triton.jit
def merge_kernel(
    tops, totals, parts, out, CHUNKS: tl.constexpr, FEATURES: tl.constexpr
):
    """The chunks of one query head, brought to one maximum and added."""
    head = tl.program_id(0)
    feature = tl.arange(0, FEATURES)
    place = head * CHUNKS + tl.arange(0, CHUNKS)
    top = tl.load(tops + place)
    weight = tl.exp2(top - tl.max(top, 0))
    total = tl.sum(weight * tl.load(totals + place), 0)
    part = tl.load(parts + place[:, None] * FEATURES + feature[None, :])
    result = tl.sum(part * weight[:, None], 0) / total
    tl.store(out + head * FEATURES + feature, result.to(out.dtype.element_ty))


def candidates(
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    out: torch.Tensor,
    programs: int,
) -> Iterator[Candidate]:
    """Every configuration; `programs` is the number of SMs."""
    batch, kv_heads, length, _ = key.shape
    counts = {
        triton.next_power_of_2(triton.cdiv(wanted * programs, batch * kv_heads))
        for wanted in PROGRAMS_PER_SM
    }
    for config in CHOICES:
        for chunks in sorted(counts):
            fits = chunks * config.block <= length and chunks <= MOST_CHUNKS
            if fits and length % (chunks * config.block) == 0:
                yield candidate(query, key, value, out, config, chunks)


def candidate(
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    out: torch.Tensor,
    config: Configuration,
    chunks: int,
) -> Candidate:
    """One configuration, bound to its tensors and its scratch space."""
    batch, heads, _, features = query.shape
    kv_heads, length = key.shape[1:3]
    scratch = tuple(
        torch.empty(shape, dtype=torch.float32, device=query.device)
        for shape in (
            (batch * heads, chunks),
            (batch * heads, chunks),
            (batch * heads, chunks, features),
        )
    )
    options = {
        "GROUP": heads // kv_heads,
        "CHUNK": length // chunks,
        "CHUNKS": chunks,
        "BLOCK": config.block,
        "FEATURES": features,
        "ROWS": max(ROWS, triton.next_power_of_2(heads // kv_heads)),
        "STAGES": config.stages,
        "num_warps": config.warps,
    }
    arguments = (query, key, value, out, *scratch, length, 1.0 / math.sqrt(features))
    launches = [Launch(chunk_kernel, (chunks, batch * kv_heads), arguments, options)]
    if chunks > 1:
        warps = 4 if chunks <= 64 else 8
        options = {"CHUNKS": chunks, "FEATURES": features, "num_warps": warps}
        arguments = (*scratch, out)
        launches.append(Launch(merge_kernel, (batch * heads,), arguments, options))
    name = f"by {config.block} w{config.warps} s{config.stages} chunks {chunks}"
    return Candidate("split", name, tuple(launches), out, scratch)
