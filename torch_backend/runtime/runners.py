"""Runs a lowered payload on tensors: Triton kernels on a GPU, an interpreter else."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import torch

from tilewright.codegen.runtime.launch import load
from tilewright.codegen.runtime.launch_ranges import is_active
from tilewright.codegen.runtime.lean.launch import lean_launcher
from tilewright.codegen.runtime.lean.orders import (
    Orders,
    inverse,
    ordered,
    permuted_text,
)
from tilewright.codegen.runtime.source_cache import source_directory
from tilewright.compiled_program import Program
from tilewright.torch_backend.compiling.cached import program_for
from tilewright.torch_backend.lowering.layouts import Order, is_plain
from tilewright.torch_backend.lowering.lower import Lowered
from tilewright.torch_backend.options import Options

Call = Callable[..., Any]
"""From the payload's tensors to its result or their tuple."""
Runner = Callable[[Sequence[torch.Tensor]], list[torch.Tensor]]


def call_for(lowered: Lowered, device: torch.device, options: Options) -> Call:
    """The payload as a function of tensors of torch, dense in the payload's orders."""
    return _call(lowered, device, options, orders_of(lowered))


def runner_for(lowered: Lowered, device: torch.device, options: Options) -> Runner:
    """A callable from tensors of torch to tensors of torch, in any layout."""
    return with_layouts(lowered, _call(lowered, device, options, Orders()))


def orders_of(lowered: Lowered) -> Orders:
    """How tensors of torch lie in memory where the payload takes or gives them."""
    return Orders(
        tuple(map(permutation, lowered.input_orders)),
        tuple(map(permutation, lowered.output_orders)),
    )


def _call(
    lowered: Lowered, device: torch.device, options: Options, orders: Orders
) -> Call:
    if uses_kernels(device, options):
        return call_of(program_for(lowered, options), device, orders)
    return ordered(_interpreted(lowered), orders)


def uses_kernels(device: torch.device, options: Options) -> bool:
    """Whether kernels are made for tensors on a device."""
    return device.type == "cuda" or options.interpreter == "kernels"


def call_of(program: Program, device: torch.device, orders: Orders) -> Call:
    """The planned kernels of a payload, on tensors in these orders.

    A launch takes addresses as they are. Where tensors are on a CPU the kernels run in
    an interpreter, whether the machine has a GPU or not.
    """
    if device.type != "cuda":
        announce_interpreter()
        program.interpreted.is_announced = True
        # Equal payloads share a program for as long as a call holds it.
        return ordered(lambda *tensors: program.interpreted(*tensors), orders)
    if is_active():
        # It may have been loaded before, without ranges.
        made = load(program.built.program, source_directory())
        return ordered(made.__call__, orders)
    loaded = program.loaded
    return lean_launcher(loaded.program, loaded.plain_launcher, device, loaded, orders)


def _interpreted(lowered: Lowered) -> Call:
    """The payload itself in the numpy interpreter."""
    from tilewright.ir.interpreter import run
    from tilewright.tuning.measure.inputs import from_torch, to_torch

    module, payload = lowered.payload.module, lowered.payload
    announce_interpreter()

    def call(*tensors: torch.Tensor) -> Any:
        arrays = [
            from_torch(tensor, given.dtype)
            for tensor, given in zip(tensors, payload.inputs, strict=True)
        ]
        found = run(module, arrays)
        results = tuple(
            to_torch(array, made.dtype)
            for array, made in zip(found, payload.outputs, strict=True)
        )
        return results[0] if len(results) == 1 else results

    return call


def with_layouts(lowered: Lowered, call: Call) -> Runner:
    """Permute tensors to the order that the payload reads and writes.

    The function is written for these orders: loops would take longer than a launch.

        def run(tensors):
            x0, x1, = tensors
            y0, y1, = call(x0.contiguous(), x1.permute((1, 0)).contiguous())
            return [y0, y1.permute((1, 0))]
    """
    given = [
        f"{permuted_text(f'x{place}', permutation(order))}.contiguous()"
        for place, order in enumerate(lowered.input_orders)
    ]
    results = [
        permuted_text(f"y{place}", permutation(inverse(order)))
        for place, order in enumerate(lowered.output_orders)
    ]
    taken = "".join(f"x{place}, " for place in range(len(given)))
    comma = "" if len(results) == 1 else ","
    made = ", ".join(f"y{place}" for place in range(len(results)))
    lines = [
        "def run(tensors):",
        f"    {taken or '()'} = tensors",
        f"    {made}{comma} = call({', '.join(given)})",
        f"    return [{', '.join(results)}]",
    ]
    scope: dict[str, Any] = {"call": call}
    exec("\n".join(lines), scope)
    return scope["run"]


def permutation(order: Order) -> Order | None:
    """The order, or None where tensors stay as they are."""
    return None if is_plain(order) else order


@cache
def announce_interpreter() -> None:
    """Say once in a process that nothing here is fast."""
    warnings.warn(
        "tilewright: these tensors are on a CPU; payloads run in the numpy "
        "interpreter: results are right, times are the interpreter's",
        stacklevel=2,
    )
