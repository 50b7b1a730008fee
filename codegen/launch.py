"""Running a generated program on torch tensors, with the arguments checked first."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tilewright.codegen.compile import load_launcher, source_file, torch_dtype
from tilewright.ir.errors import UserError

if TYPE_CHECKING:
    import torch

    from tilewright.codegen.program import GeneratedProgram, TensorSpec

_ALIGNMENT = 16
"""Bytes; what torch's allocator gives, and what tensor descriptors ask for."""


class LoadedProgram:
    """A generated program that can be called with the tensors it was made for."""

    def __init__(self, program: GeneratedProgram, directory: Path):
        self.program = program
        self.path = source_file(program, directory)
        self._launcher = load_launcher(self.path, program.entry)
        self._dtypes = [torch_dtype(spec.dtype) for spec in program.arguments]
        self._copies_reported: set[str] = set()

    def __call__(self, *tensors: torch.Tensor) -> Any:
        """Check the tensors, launch, return the result tensor or a tuple of them."""
        return self._launcher(*self.prepare(*tensors))

    def prepare(self, *tensors: torch.Tensor) -> list[torch.Tensor]:
        """The tensors as the kernels need them, or an error that says what is wrong.

        Kernels are written for contiguous tensors. Another layout is copied into one,
        on every call, and said once as a warning.
        """
        expected = self.program.arguments
        if len(tensors) != len(expected):
            raise UserError(
                f"{self.program.entry} takes {len(expected)} tensors, got "
                f"{len(tensors)}"
            )
        prepared: list[torch.Tensor] = []
        for tensor, spec, dtype in zip(tensors, expected, self._dtypes, strict=True):
            self._check(tensor, spec, dtype, tensors[0])
            if tensor.is_contiguous() and tensor.data_ptr() % _ALIGNMENT == 0:
                prepared.append(tensor)
            else:
                self._report_copy(spec)
                prepared.append(_contiguous_copy(tensor))
        return prepared

    def _check(
        self, tensor: Any, spec: TensorSpec, dtype: torch.dtype, first: torch.Tensor
    ) -> None:
        import torch

        name = f"{self.program.entry}: argument '{spec.name}'"
        if not isinstance(tensor, torch.Tensor):
            raise UserError(f"{name} is a {type(tensor).__name__}, not a tensor")
        if tuple(tensor.shape) != spec.shape:
            raise UserError(
                f"{name} has shape {list(tensor.shape)}, the program was compiled for "
                f"{list(spec.shape)}",
                remedy="compile the payload for this shape",
            )
        if tensor.dtype != dtype:
            raise UserError(
                f"{name} has dtype {tensor.dtype}, the program was compiled for {dtype}"
            )
        if tensor.device != first.device:
            raise UserError(
                f"{name} is on {tensor.device}, the first argument on {first.device}",
                remedy="move all tensors to one device",
            )
        if tensor.device.type == "cpu" and not _interpreting():
            raise UserError(
                f"{name} is on the CPU, where Triton kernels do not run",
                remedy="move it to a CUDA device; 'tilewright run' checks without one",
            )

    def _report_copy(self, spec: TensorSpec) -> None:
        if spec.name not in self._copies_reported:
            self._copies_reported.add(spec.name)
            warnings.warn(
                f"{self.program.entry}: '{spec.name}' is not contiguous and aligned; "
                "it is copied on every call",
                stacklevel=4,
            )


def load(program: GeneratedProgram, directory: Path) -> LoadedProgram:
    """Write the program's source to a file named by its content, and import it."""
    return LoadedProgram(program, directory)


def _contiguous_copy(tensor: torch.Tensor) -> torch.Tensor:
    import torch

    return tensor.clone(memory_format=torch.contiguous_format)


def _interpreting() -> bool:
    from triton import knobs

    return bool(knobs.runtime.interpret)
