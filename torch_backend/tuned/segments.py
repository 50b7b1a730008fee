"""The payloads of a graph's segments, for the tuner."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from functools import cache

import torch

from tilewright.codegen.targets import detect
from tilewright.ir.errors import UserError
from tilewright.torch_backend.lowering.lower import Lowered, lower
from tilewright.torch_backend.lowering.sizes import symbols_of
from tilewright.torch_backend.options import Options
from tilewright.torch_backend.partition.segments import Segment
from tilewright.torch_backend.tuned.tuner import tune_texts

_log = logging.getLogger("tilewright.torch")


def tune_segments(
    segments: Sequence[Segment], device: torch.device | None, options: Options
) -> None:
    """Tune the kernels of segments, if the mode asks for it and a GPU can time them.

    Segments with symbolic sizes are tuned when they are first called.
    """
    if segments and _is_wanted(device, options):
        tune_texts(list(_texts(segments)), options, device)


def tune_lowered(lowered: Lowered, device: torch.device, options: Options) -> None:
    """Tune the kernels of one payload, as `tune_segments` does."""
    if _is_wanted(device, options):
        tune_texts([lowered.payload.text()], options, device)


def _is_wanted(device: torch.device | None, options: Options) -> bool:
    if not options.tunes:
        return False
    if can_measure(device, options):
        return True
    _say_that_nothing_is_timed()
    return False


def can_measure(device: torch.device | None, options: Options) -> bool:
    """Whether kernels for this device and GPU can be timed here."""
    if device is None or device.type != "cuda" or not torch.cuda.is_available():
        return False
    here = detect()
    return here is not None and options.target in ("auto", here.name)


def _texts(segments: Iterable[Segment]) -> Iterable[str]:
    """The payloads of segments whose sizes are known; those that lower."""
    for segment in segments:
        nodes = (*segment.inputs, *segment.nodes)
        if any(symbols_of(node.meta.get("val")) for node in nodes):
            continue
        try:
            lowered = lower(
                segment.nodes, segment.inputs, segment.outputs, name="payload"
            )
        except UserError:
            continue  # the compiler says so
        yield lowered.payload.text()


@cache
def _say_that_nothing_is_timed() -> None:
    """Say once in a process that no kernel is tuned."""
    _log.warning(
        "max-autotune: nothing is timed, because the tensors are not on the GPU that "
        "kernels are for; kernels are planned, from known winners where there are any"
    )
