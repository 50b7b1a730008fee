"""The table of ops beside torch's core ATen set."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import torch

from tilewright.torch_backend.capture.decompositions import decompositions
from tilewright.torch_backend.ops.table import OPS

NEEDED_FIRST = (
    *("aten.convolution.default", "aten._native_batch_norm_legit_no_training.default"),
    *("aten.max_pool2d_with_indices.default", "aten.avg_pool2d.default"),
    *("aten._adaptive_avg_pool2d.default", "aten.constant_pad_nd.default"),
    *("aten.cumsum.default", "aten.embedding.default", "aten.index.Tensor"),
    *("aten.gather.default", "aten.scatter.src", "aten.index_put.default"),
    *("aten.topk.default", "aten.sort.default", "aten.upsample_nearest2d.vec"),
    *("aten.upsample_bilinear2d.vec", "aten._embedding_bag.default"),
)
"""Ops that real models need most, most needed first; the others follow by name."""


def core_ops() -> list[str]:
    """The ops that torch tags as core."""
    names: list[str] = []
    for packet_name in dir(torch.ops.aten):
        packet = getattr(torch.ops.aten, packet_name)
        if not isinstance(packet, torch._ops.OpOverloadPacket):
            continue
        for overload in packet.overloads():
            op = getattr(packet, overload)
            if torch.Tag.core in op.tags:
                names.append(str(op))
    return sorted(names)


@dataclass(frozen=True)
class Coverage:
    """The core ops: in the table, taken apart before we see them, or missing."""

    listed: list[str]
    decomposed: list[str]
    missing: list[str]
    """Most needed first."""


def coverage() -> Coverage:
    """The core ops by what becomes of them."""
    apart = {str(op) for op in decompositions()}
    order = {name: place for place, name in enumerate(NEEDED_FIRST)}
    found = Coverage([], [], [])
    for name in core_ops():
        kinds = found.listed, found.decomposed, found.missing
        kinds[0 if name in OPS else 1 if name in apart else 2].append(name)
    found.missing.sort(key=lambda name: (order.get(name, len(order)), name))
    return found


def coverage_lines() -> Iterator[str]:
    """The coverage as text."""
    found = coverage()
    total = len(found.listed) + len(found.decomposed) + len(found.missing)
    yield f"{len(OPS)} ops in the table"
    yield (
        f"of {total} core ATen ops {len(found.listed)} are in it, "
        f"{len(found.decomposed)} are decomposed, {len(found.missing)} are missing"
    )
    yield from (f"missing: {name}" for name in found.missing)
