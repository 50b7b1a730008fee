"""The machine code of a program's launches, and how arguments are packed for it.

Triton compiles a kernel again for numbers that 16 divides. Without the compiler that
has to be done ahead: a launch with one or two sizes has a variant for each set of sizes
that 16 divides; one with more has two, for all of them and for none.

The parameters follow Triton's own launcher (`backends/nvidia/driver.py`, 3.6 and 3.7):
a descriptor is a CUtensorMap, then its shape (i32) and its strides (i64); at the end
come two pointers to scratch memory. They are compared with the parameters in the PTX.

Compile in a worker process, as with `runtime/compile.py`.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tilewright.codegen.artefact.plan_metadata import number_type
from tilewright.codegen.launches.plan import Launch
from tilewright.codegen.runtime.compile import (
    compiled_launches,
    compiling_for,
    example,
)
from tilewright.codegen.runtime.machine_code import resource_usage
from tilewright.ir.errors import UserError

if TYPE_CHECKING:
    from tilewright.codegen.program import GeneratedProgram
    from tilewright.codegen.targets import Target

_MOST_SUBSETS = 2
"""Sizes of a launch up to which every set of divisible ones has a variant."""


_BYTES = {"i32": 4, "i64": 8, "fp32": 4, "tensormap": 128, "pointer": 8}

_PTX_BYTES = {"b8": 1, "u8": 1, "u32": 4, "b32": 4, "f32": 4, "u64": 8, "b64": 8}

_NOT_LAUNCHED = {
    "num_ctas": (1, "clusters of blocks"),
    "global_scratch_size": (0, "scratch memory"),
    "profile_scratch_size": (0, "a profiler's memory"),
    "launch_cooperative_grid": (False, "a cooperative launch"),
    "launch_pdl": (False, "programmatic dependent launches"),
}
"""What Triton may ask of a launch and the loader does not do: the usual value, and its
name. No generated kernel asks for it."""


@dataclass(frozen=True)
class Binary:
    """One compilation of a kernel."""

    kernel: str
    cubin: bytes
    arch: str
    """What it was compiled for: `sm_90a`."""
    divisible: tuple[int, ...]
    """The numbers of the launch, by position, that 16 must divide."""
    warps: int
    stages: int
    shared_bytes: int
    registers: int
    spill_bytes: int
    packed: tuple[str, ...]
    """The types of the parameters as they are passed: pointer, tensormap, i32, ..."""
    descriptors: tuple[dict[str, Any], ...]
    """What Triton says of each descriptor: swizzle, element, block."""


def compile_launches(
    program: GeneratedProgram, target: Target, directory: Path
) -> list[list[Binary]]:
    """The variants of every launch, those with the most divisible numbers first."""
    assert program.launch_plan is not None
    launches = program.launch_plan.launches
    arguments: list[Any] = []
    for spec in program.arguments:
        value = example(spec.sized({}))
        is_wide = spec.is_scalar and spec.dtype == "i64"
        # An example of a number that needs 64 bits.
        arguments.append(2**40 + 1 if is_wide else value)
    with compiling_for(target):
        launched = compiled_launches(program, directory, arguments)
        assert len(launched) == len(launches), "every launch of the plan is compiled"
        known: dict[tuple[Any, ...], list[Binary]] = {}
        found: list[list[Binary]] = []
        for launch, made in zip(launches, launched, strict=True):
            key = (made.kernel.hash, *((n.dtype, n.is_size) for n in launch.numbers))
            if key not in known:
                known[key] = list(_variants(launch, made.kernel, made.options, target))
            found.append(known[key])
    return found


def _variants(
    launch: Launch, kernel: Any, keywords: dict[str, Any], target: Target
) -> Iterator[Binary]:
    if not launch.numbers:
        yield _binary(launch, kernel, keywords, (), target)
        return
    sizes = [n for n, number in enumerate(launch.numbers) if number.is_size]
    counts = range(len(sizes), -1, -1)
    if len(sizes) > _MOST_SUBSETS:
        counts = [len(sizes), 0]
    for count in counts:
        for divisible in itertools.combinations(sizes, count):
            made = _compiled(launch, kernel, keywords, divisible, target)
            yield _binary(launch, made, keywords, divisible, target)


def _compiled(
    launch: Launch,
    kernel: Any,
    keywords: dict[str, Any],
    divisible: tuple[int, ...],
    target: Target,
) -> Any:
    """The kernel for any numbers, of which 16 divides some."""
    import triton
    from triton.backends.compiler import GPUTarget
    from triton.compiler import make_backend

    source = kernel.src
    signature: dict[str, str] = dict(source.signature)
    names = list(source.fn.arg_names)
    first = len(launch.buffers)
    places = range(first, first + len(launch.numbers))
    attributes = {
        path: entries for path, entries in source.attrs.items() if path[0] not in places
    }
    constants = {
        path: value for path, value in source.constants.items() if path[0] not in places
    }
    for place, number in zip(places, launch.numbers, strict=True):
        signature[names[place]] = number_type(number)
        if place - first in divisible:
            attributes[place,] = [["tt.divisibility", 16]]
    made = type(source)(source.fn, signature, constants, attributes)
    card = GPUTarget(target.backend, target.arch, target.warp)
    options = make_backend(card).parse_options(dict(keywords))
    return triton.compile(made, target=card, options=options.__dict__)


def _binary(
    launch: Launch,
    kernel: Any,
    keywords: dict[str, Any],
    divisible: tuple[int, ...],
    target: Target,
) -> Binary:
    metadata = kernel.metadata
    for name, (usual, meaning) in _NOT_LAUNCHED.items():
        # An attribute that Triton has not set is None, or missing.
        if (getattr(metadata, name, None) or usual) != usual:
            raise UserError(
                f"{launch.kernel} needs {meaning}, which the loader of an artefact "
                "does not provide",
                remedy="run it by tilewright.compile, or from its Triton source",
            )
    described = tuple(getattr(metadata, "tensordesc_meta", None) or ())
    packed = tuple(_packed(kernel.src.signature, described, launch, target))
    ptx = kernel.asm["ptx"]
    if [_BYTES[one] for one in packed] != list(_ptx_parameters(ptx)):
        raise RuntimeError(
            f"{launch.kernel}: Triton packs its parameters in another way than "
            f"{', '.join(packed)}"
        )
    registers, spilled = resource_usage(kernel.asm["cubin"])
    arch = re.search(r"^\.target\s+(\w+)", ptx, re.MULTILINE)
    assert arch is not None, "PTX names its target"
    return Binary(
        kernel=metadata.name,
        cubin=kernel.asm["cubin"],
        arch=arch[1],
        divisible=divisible,
        warps=metadata.num_warps,
        stages=keywords["num_stages"],
        shared_bytes=metadata.shared,
        registers=registers,
        spill_bytes=spilled,
        packed=packed,
        descriptors=tuple(dict(one) for one in described),
    )


def _packed(
    signature: dict[str, str],
    described: Sequence[Any],
    launch: Launch,
    target: Target,
) -> Iterator[str]:
    """The types of the parameters as a launch passes them."""
    for of in signature.values():
        if of == "constexpr":
            continue
        if of.startswith("*"):
            yield "pointer"
        elif of.startswith("tensordesc"):
            if not described:
                raise UserError(
                    f"{launch.kernel} uses tensor descriptors, which {target.name} "
                    "does not have",
                    remedy="load and store by pointers: leave 'descriptors' off",
                )
            block = re.search(r"\[([^]]*)\]", of)
            assert block is not None
            rank = block[1].count(",") + 1
            yield from ("tensormap", *["i32"] * rank, *["i64"] * rank)
        else:
            yield of
    yield from ("pointer", "pointer")


def _ptx_parameters(ptx: str) -> Iterator[int]:
    """The bytes of each parameter of the kernel in a PTX text."""
    head = re.search(r"\.entry\s+\w+\s*\((.*?)\)", ptx, re.DOTALL)
    assert head is not None, "PTX has the kernel's parameters"
    for line in re.findall(r"\.param[^,]*", head[1]):
        of = re.search(r"\.(b8|u8|u32|b32|f32|u64|b64)\b", line)
        count = re.search(r"\[(\d+)\]", line)
        assert of is not None, f"unknown parameter in PTX: {line.strip()}"
        yield _PTX_BYTES[of[1]] * (int(count[1]) if count else 1)
