"""Checking the arguments of a call against the program's signature.

An argument that does not fit is a `UserError` with its name and a remedy. Kernels need
contiguous tensors: a tensor with another layout is copied, and copied back where the
program writes it.
"""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tilewright.codegen.runtime.compile import torch_dtype
from tilewright.ir.errors import UserError

if TYPE_CHECKING:
    import torch

    from tilewright.codegen.program import GeneratedProgram, TensorSpec

ALIGNMENT = 16
"""Bytes; torch's allocator guarantees it, and tensor descriptors need it."""

_BITS = {"i8": 7, "i16": 15, "i32": 31, "index": 31, "i64": 63}
"""Bits of integers without the sign; an index has 32 bits in kernels."""


class CallArguments:
    """Checks the arguments of a program's calls; with `on_cpu` it runs on the CPU."""

    def __init__(self, program: GeneratedProgram, *, on_cpu: bool = False):
        self.program = program
        self.dtypes = [
            None if spec.is_scalar else torch_dtype(spec.dtype)
            for spec in program.arguments
        ]
        """The dtype of each argument; None for a number."""
        self._on_cpu = on_cpu
        self._shared = shared_extents(program)
        self._copies_reported: set[str] = set()
        self.writes = any(spec.is_written for spec in program.arguments)
        """Whether calls write any argument."""

    def prepare(self, arguments: Sequence[Any]) -> list[Any]:
        """Check the arguments, and copy tensors that are not contiguous and aligned."""
        expected = self.program.arguments
        if len(arguments) != len(expected):
            kind = "arguments" if None in self.dtypes else "tensors"
            raise UserError(
                f"{self.program.entry} takes {len(expected)} {kind}, got "
                f"{len(arguments)}",
                remedy=f"pass {', '.join(map(_described, expected)) or 'nothing'}",
            )
        prepared: list[Any] = []
        first: torch.Tensor | None = None
        for value, spec, dtype in zip(arguments, expected, self.dtypes, strict=True):
            if dtype is None:
                self._check_number(value, spec)
                prepared.append(value)
                continue
            self._check(value, spec, dtype, first)
            first = value if first is None else first
            if is_plain(value):
                prepared.append(value)
            else:
                self._report_copy(spec)
                prepared.append(_contiguous_copy(value))
        self._check_shared(arguments)
        self.check_apart(prepared)
        return prepared

    def copy_back(self, arguments: Sequence[Any], prepared: Sequence[Any]) -> None:
        """Copy the results that a program wrote into copies back to the arguments."""
        import torch

        for value, used, spec in zip(
            arguments, prepared, self.program.arguments, strict=True
        ):
            if spec.is_written and used is not value:
                # A kernel writes without autograd, and so does this copy.
                with torch.inference_mode():
                    value.copy_(used)

    def check_apart(self, arguments: Sequence[Any]) -> None:
        """Refuse a written argument that shares memory with another argument.

        One program of a grid could overwrite what another still has to read. The
        arguments are those that `prepare` returns, so all are contiguous.
        """
        if not self.writes:
            return
        spans = [
            None if dtype is None else _span(value)
            for value, dtype in zip(arguments, self.dtypes, strict=True)
        ]
        specs = self.program.arguments
        for one, other in itertools.combinations(range(len(specs)), 2):
            if not (specs[one].is_written or specs[other].is_written):
                continue
            first, second = spans[one], spans[other]
            if first is None or second is None or first[0] != second[0]:
                continue
            if max(first[1], second[1]) < min(first[2], second[2]):
                written = one if specs[one].is_written else other
                read = one + other - written
                raise UserError(
                    f"{self.program.entry}: argument '{specs[written].name}', which "
                    f"the program writes, shares memory with '{specs[read].name}'",
                    remedy=f"pass a copy: {specs[read].name}.clone()",
                )

    def _check_number(self, value: Any, spec: TensorSpec) -> None:
        kind = number_kind(spec)
        kinds = (int, float) if kind is float else (kind,)
        name = f"{self.program.entry}: argument '{spec.name}'"
        if isinstance(value, bool) != (spec.dtype == "i1") or not isinstance(
            value, kinds
        ):
            raise UserError(
                f"{name} is a {type(value).__name__}, not a number of type "
                f"{spec.dtype}",
                remedy=f"pass a Python {kind.__name__}",
            )
        if kind is float and not _is_float(value):
            raise UserError(
                f"{name} is larger than any number of type {spec.dtype}",
                remedy="pass a Python float",
            )
        bits = _BITS.get(spec.dtype)
        if bits is not None and not -(2**bits) <= value < 2**bits:
            raise UserError(
                f"{name} is {value}, which no {spec.dtype} holds",
                remedy=f"pass a number from {-(2**bits)} to {2**bits - 1}",
            )

    def _check(
        self,
        tensor: Any,
        spec: TensorSpec,
        dtype: torch.dtype,
        first: torch.Tensor | None,
    ) -> None:
        import torch

        name = f"{self.program.entry}: argument '{spec.name}'"
        if not isinstance(tensor, torch.Tensor):
            raise UserError(
                f"{name} is a {type(tensor).__name__}, not a tensor",
                remedy=f"pass a torch tensor: torch.as_tensor({spec.name})",
            )
        if not _has_memory(tensor):
            raise UserError(
                f"{name} is a tensor without memory of its own (nested, fake, or of "
                "torch.vmap or torch.func)",
                remedy="pass a plain tensor",
            )
        if not spec.fits(tensor.shape):
            raise UserError(
                f"{name} has shape {list(tensor.shape)}, the program was compiled for "
                f"{spec.text()}",
                remedy=f"pass one of shape {spec.text()}, or compile the payload for "
                "this shape",
            )
        if tensor.dtype != dtype:
            raise UserError(
                f"{name} has dtype {tensor.dtype}, the program was compiled for "
                f"{dtype}",
                remedy=f"convert it: {spec.name}.to({dtype})",
            )
        if tensor.layout is not torch.strided:
            raise UserError(
                f"{name} has layout {tensor.layout}, kernels read strided tensors",
                remedy=f"convert it: {spec.name}.to_dense()",
            )
        if first is not None and tensor.device != first.device:
            raise UserError(
                f"{name} is on {tensor.device}, the first argument on {first.device}",
                remedy="move all tensors to one device",
            )
        self._check_device(name, tensor, spec)
        if spec.is_written and 0 in _strides(tensor):
            raise UserError(
                f"{name} is written, and several of its elements are one in memory",
                remedy=f"pass {spec.name}.contiguous()",
            )

    def _check_device(self, name: str, tensor: torch.Tensor, spec: TensorSpec) -> None:
        import torch

        if self._on_cpu and tensor.device.type != "cpu":
            raise UserError(
                f"{name} is on {tensor.device}, and programs run on the CPU here",
                remedy=f"pass {spec.name}.cpu()",
            )
        if self._on_cpu or tensor.device.type != "cpu" or interpreting():
            return
        raise UserError(
            f"{name} is on the CPU, where Triton kernels do not run",
            remedy=f"move it to the GPU: {spec.name}.cuda()"
            if torch.cuda.is_available()
            else "call what tilewright.compile gives: it runs in an interpreter here",
        )

    def _check_shared(self, arguments: Sequence[Any]) -> None:
        """Check that equal extents of several arguments have the same size."""
        specs = self.program.arguments
        for name, places in self._shared.items():
            (first, first_dim), *others = places
            size = arguments[first].shape[first_dim]
            for position, dim in others:
                if arguments[position].shape[dim] != size:
                    raise UserError(
                        f"{self.program.entry}: {name} is {size} in argument "
                        f"'{specs[first].name}' (dimension {first_dim}) and "
                        f"{arguments[position].shape[dim]} in '{specs[position].name}' "
                        f"(dimension {dim})",
                        remedy="pass tensors whose shapes agree",
                    )

    def _report_copy(self, spec: TensorSpec) -> None:
        if spec.name not in self._copies_reported:
            self._copies_reported.add(spec.name)
            warnings.warn(
                f"{self.program.entry}: '{spec.name}' is not contiguous and aligned; "
                "it is copied on every call",
                stacklevel=5,
            )


def shared_extents(program: GeneratedProgram) -> dict[str, list[tuple[int, int]]]:
    """The places of each extent that several arguments share: argument, dimension."""
    places: dict[str, list[tuple[int, int]]] = {}
    for position, spec in enumerate(program.arguments):
        for dim, name in enumerate(spec.extents):
            if name:
                places.setdefault(name, []).append((position, dim))
    return {name: found for name, found in places.items() if len(found) > 1}


def number_kind(spec: TensorSpec) -> type:
    """The Python type of a number that is passed by value."""
    if spec.dtype == "i1":
        return bool
    return float if spec.dtype.startswith(("f", "bf")) else int


def interpreting() -> bool:
    """Whether Triton interprets kernels in this process."""
    from triton import knobs

    return bool(knobs.runtime.interpret)


def _described(spec: TensorSpec) -> str:
    """`a (f16 [64, 16])`."""
    of = spec.dtype if spec.is_scalar else f"{spec.dtype} {spec.text()}"
    return f"{spec.name} ({of})"


def is_plain(tensor: torch.Tensor) -> bool:
    """Whether kernels can read a tensor's memory: contiguous, aligned, not lazy.

    Torch may mark a tensor as negated, or as zeros, without changing its memory.
    """
    return (
        tensor.is_contiguous()
        and tensor.data_ptr() % ALIGNMENT == 0
        and not tensor.is_neg()
        and not tensor._is_zerotensor()
    )


def _has_memory(tensor: torch.Tensor) -> bool:
    import torch
    from torch._subclasses import FakeTensor

    if tensor.is_nested or isinstance(tensor, FakeTensor):
        return False
    if tensor.layout is not torch.strided or tensor.device.type == "meta":
        return True  # refused elsewhere, with a remedy of its own
    try:
        tensor.data_ptr()
    except RuntimeError:
        return False
    return True


def _strides(tensor: torch.Tensor) -> list[int]:
    """The strides of dimensions with several elements; none of an empty tensor."""
    if not tensor.numel():
        return []
    pairs = zip(tensor.shape, tensor.stride(), strict=True)
    return [stride for size, stride in pairs if size > 1]


def _span(tensor: torch.Tensor) -> tuple[Any, int, int] | None:
    """The device of a contiguous tensor, and the range of its addresses."""
    if not tensor.numel():
        return None
    start = tensor.data_ptr()
    return tensor.device, start, start + tensor.numel() * tensor.element_size()


def _is_float(value: float) -> bool:
    try:
        float(value)
    except OverflowError:
        return False
    return True


def _contiguous_copy(tensor: torch.Tensor) -> torch.Tensor:
    import torch

    return tensor.clone(memory_format=torch.contiguous_format)
