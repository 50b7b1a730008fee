"""Runs a lowered payload on tensors: Triton kernels on a GPU, an interpreter else."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import torch

from tilewright.torch_backend.compiling.cached import program_for
from tilewright.torch_backend.lowering.layouts import Order, inverse, is_plain
from tilewright.torch_backend.lowering.lower import Lowered
from tilewright.torch_backend.options import Options

Runner = Callable[[Sequence[torch.Tensor]], list[torch.Tensor]]


def runner_for(lowered: Lowered, device: torch.device, options: Options) -> Runner:
    """A callable from the payload's input tensors to its output tensors."""
    if uses_kernels(device, options):
        called: Callable[..., Any] = _compiled(lowered, options)
    else:
        called = _interpreted(lowered)
    return with_layouts(lowered, called)


def uses_kernels(device: torch.device, options: Options) -> bool:
    """Whether kernels are made for tensors on a device."""
    return device.type == "cuda" or options.interpreter == "kernels"


def _compiled(lowered: Lowered, options: Options) -> Callable[..., Any]:
    """The planned kernels of the payload."""
    program = program_for(lowered, options)
    if not torch.cuda.is_available():
        announce_interpreter()

    def call(tensors: Sequence[torch.Tensor]) -> Sequence[torch.Tensor]:
        made = program(*tensors)
        return made if isinstance(made, tuple) else (made,)

    return call


def _interpreted(lowered: Lowered) -> Callable[..., Any]:
    """The payload itself in the numpy interpreter."""
    from tilewright.ir.interpreter import run
    from tilewright.tuning.measure.inputs import from_torch, to_torch

    module, payload = lowered.payload.module, lowered.payload
    announce_interpreter()

    def call(tensors: Sequence[torch.Tensor]) -> list[torch.Tensor]:
        arrays = [
            from_torch(tensor, given.dtype)
            for tensor, given in zip(tensors, payload.inputs, strict=True)
        ]
        found = run(module, arrays)
        return [
            to_torch(array, made.dtype)
            for array, made in zip(found, payload.outputs, strict=True)
        ]

    return call


def with_layouts(lowered: Lowered, call: Callable[..., Any]) -> Runner:
    """Permute tensors to the order that the payload reads and writes."""
    turned_in = [_permutation(order) for order in lowered.input_orders]
    turned_out = [_permutation(inverse(order)) for order in lowered.output_orders]

    def run(tensors: Sequence[torch.Tensor]) -> list[torch.Tensor]:
        given = [
            (tensor if order is None else tensor.permute(order)).contiguous()
            for tensor, order in zip(tensors, turned_in, strict=True)
        ]
        return [
            tensor if order is None else tensor.permute(order)
            for tensor, order in zip(call(given), turned_out, strict=True)
        ]

    return run


def _permutation(order: Order) -> Order | None:
    return None if is_plain(order) else order


@cache
def announce_interpreter() -> None:
    """Say once in a process that nothing here is fast."""
    warnings.warn(
        "tilewright: these tensors are on a CPU; payloads run in the numpy "
        "interpreter: the numbers are theirs, the time is not",
        stacklevel=2,
    )
