"""The program of a configuration: the kernel's source, and a launcher for one call.

The launcher takes the tensors that the kernel reads, and returns those that it writes.
So the engine compiles, checks and times it like any generated program.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tilewright.codegen.program import GeneratedProgram, KernelInfo
from tilewright.tuning.own_kernels.errors import ArgumentError
from tilewright.tuning.own_kernels.kernel_call import (
    LAUNCH_OPTIONS,
    KernelCall,
    TensorArgument,
)
from tilewright.tuning.own_kernels.kernel_source import literal
from tilewright.tuning.results.records import text_hash

ENTRY = "launch"

Grid = Callable[[dict[str, Any]], Sequence[int]] | Sequence[int] | int

_ALLOCATOR = """
triton.set_allocator(
    lambda size, align, stream: torch.empty(size, dtype=torch.int8, device="cuda")
)
"""
"""Tensor descriptors that a kernel makes are in memory that the launcher provides."""


@dataclass(frozen=True)
class BuiltConfig:
    """The program of a configuration."""

    program: GeneratedProgram
    seconds: Mapping[str, float] = field(default_factory=dict[str, float])


def build_program(
    call: KernelCall, grid: Grid, config: Mapping[str, Any]
) -> GeneratedProgram:
    """The program that runs a call with a configuration."""
    sizes = grid_of(call, grid, config)
    text = _text(call, sizes, config)
    source = call.source
    info = KernelInfo(
        name=source.name,
        grid=sizes,
        num_warps=int(_option(call, config, "num_warps", 4)),
        num_stages=int(_option(call, config, "num_stages", 3)),
        group=1,
        dots=(),
        accesses=(),
    )
    return GeneratedProgram(
        text,
        ENTRY,
        tuple(t.spec for t in call.inputs),
        tuple(t.result_spec for t in call.outputs),
        (info,),
        text_hash(text),
        tuple(
            (source.name, line, source.place_at(line))
            for line in range(1, len(source.lines) + 1)
        ),
    )


def grid_of(call: KernelCall, grid: Grid, config: Mapping[str, Any]) -> tuple[int, ...]:
    """The grid of a configuration, as numbers."""
    place = call.source.place
    if callable(grid):
        try:
            found = grid({**call.values, **config})
        except Exception as error:
            raise ArgumentError(
                f"the grid raises {type(error).__name__}: {error}",
                place,
                "a grid gets a dictionary of all arguments and of the configuration",
            ) from error
    else:
        found = grid
    sizes = (found,) if isinstance(found, int) else tuple(found)
    if not 1 <= len(sizes) <= 3 or not all(isinstance(n, int) for n in sizes):
        raise ArgumentError(
            f"the grid is {found!r}", place, "a grid has one to three integers"
        )
    if any(n < 1 for n in sizes):
        raise ArgumentError(
            f"the grid {sizes} launches nothing",
            place,
            "round up: triton.cdiv(n, BLOCK)",
        )
    return sizes


def _text(call: KernelCall, sizes: Sequence[int], config: Mapping[str, Any]) -> str:
    source = call.source
    needs_memory = "make_tensor_descriptor" in source.text
    lines = [f"def {ENTRY}({', '.join(t.name for t in call.inputs)}):"]
    lines += [f"    {line}" for t in call.tensors for line in _made(t, call)]
    lines += [f"    {source.name}[{_tuple(sizes)}]("]
    lines += [f"        {line}," for line in _arguments(call, config)]
    lines += ["    )"]
    results = ", ".join(_returned(t) for t in call.outputs)
    lines += [f"    return {results}"]
    header = "import torch\nimport triton\nimport triton.language\n"
    allocator = _ALLOCATOR if needs_memory else ""
    return f"{header}{allocator}\n{source.text}\n\n" + "\n".join(lines) + "\n"


def _made(tensor: TensorArgument, call: KernelCall) -> list[str]:
    """Statements that make a tensor from what the launcher gets."""
    name = tensor.name
    if tensor.same_as is not None:
        return [f"{name} = {tensor.same_as}"]
    shape, strides = _tuple(tensor.shape), _tuple(tensor.strides)
    anchor = call.inputs[0].name
    if tensor.is_written and not tensor.is_read:
        # Fresh memory for each run: what an earlier run wrote must not pass the check.
        return [
            f"{name} = torch.empty_strided({shape}, {strides}, "
            f"dtype={tensor.torch_type}, device={anchor}.device)"
        ]
    made: list[str] = []
    if tensor.is_written:
        made.append(f"{name} = {name}.clone()")
    if tensor.is_carried:
        made.append(f"{name} = {name}.view({tensor.torch_type})")
    if not tensor.is_contiguous:
        made.append(f"{name} = {name}.as_strided({shape}, {strides})")
    return made


def _arguments(call: KernelCall, config: Mapping[str, Any]) -> list[str]:
    """The arguments of the launch, each on a line of its own."""
    names = {tensor.name for tensor in call.tensors}
    found: list[str] = []
    for name in call.source.parameters:
        if name in names:
            found.append(f"{name}={name}")
        else:
            value = config[name] if name in config else call.values[name]
            found.append(f"{name}={literal(value)}")
    for name in LAUNCH_OPTIONS:
        if name in config or name in call.options:
            found.append(f"{name}={literal(_option(call, config, name, None))}")
    return found


def _option(
    call: KernelCall, config: Mapping[str, Any], name: str, default: Any
) -> Any:
    return config.get(name, call.options.get(name, default))


def _returned(tensor: TensorArgument) -> str:
    if not tensor.is_carried:
        return tensor.name
    return f"{tensor.name}.view(torch.int{8 * tensor.tensor.element_size()})"


def _tuple(numbers: Sequence[int]) -> str:
    return "(" + "".join(f"{n}, " for n in numbers) + ")"
