"""The table of ops beside torch's core ATen set."""

from __future__ import annotations

from collections.abc import Iterator

import torch

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


def coverage() -> tuple[list[str], list[str]]:
    """The core ops in the table, and those that are missing, most needed first."""
    core = core_ops()
    have = [name for name in core if name in OPS]
    order = {name: place for place, name in enumerate(NEEDED_FIRST)}
    missing = sorted(
        (name for name in core if name not in OPS),
        key=lambda name: (order.get(name, len(order)), name),
    )
    return have, missing


def coverage_lines() -> Iterator[str]:
    """The coverage as text."""
    have, missing = coverage()
    yield f"{len(OPS)} ops in the table"
    yield f"{len(have)} of {len(have) + len(missing)} core ATen ops"
    yield from (f"missing: {name}" for name in missing)
