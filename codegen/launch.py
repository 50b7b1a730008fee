"""Running a generated program on torch tensors, with the arguments checked first.

The check is made for the common case in a few tenths of a microsecond an argument; only
where something does not fit is the slow way taken, which copies or says what is wrong.
What was checked needs no search for the compiled kernel: see `direct.py`.
"""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tilewright.codegen.compile import load_launcher, source_file, torch_dtype
from tilewright.codegen.direct import current_device, with_direct_launches
from tilewright.codegen.program import DYNAMIC
from tilewright.ir.errors import UserError

if TYPE_CHECKING:
    import torch

    from tilewright.codegen.graphs import CapturedProgram
    from tilewright.codegen.program import GeneratedProgram, TensorSpec

_ALIGNMENT = 16
"""Bytes; what torch's allocator gives, and what tensor descriptors ask for."""

_SURELY_FITS = 2**31
"""Integers below this are numbers of every type that programs take."""

_BITS = {"i8": 7, "i16": 15, "i32": 31, "index": 31, "i64": 63}
"""Of integers, without the sign; indices are 32 bits wide in kernels."""

_CPU = -1
"""The device of a tensor that is on no GPU, as torch numbers it."""

_MOST_CALLS = 1024
"""Kinds of calls that are kept as good; sizes known only at run time make many."""


class LoadedProgram:
    """A generated program that can be called with the tensors it was made for."""

    def __init__(self, program: GeneratedProgram, directory: Path):
        import torch

        self.program = program
        self.path = source_file(program, directory)
        loaded = load_launcher(self.path, program.entry)
        kernels = [kernel.name for kernel in program.kernels]
        self.launcher = with_direct_launches(loaded, kernels, checked=False)
        """For contiguous tensors on the current device; it checks nothing."""
        self._launcher = with_direct_launches(loaded, kernels, checked=True)
        self._dtypes = [
            None if spec.is_scalar else torch_dtype(spec.dtype)
            for spec in program.arguments
        ]
        self._tensors = [
            position for position, dtype in enumerate(self._dtypes) if dtype is not None
        ]
        self._fitting: dict[tuple[Any, ...], int] = {}
        """What tensors of good calls were like, and the device they were on."""
        self._is_open = any(DYNAMIC in spec.shape for spec in program.arguments)
        self._shared = _shared_extents(program)
        self._first = next(iter(self._tensors), None)
        self._count = len(program.arguments)
        self._numbers = [
            (position, _kind(spec))
            for position, spec in enumerate(program.arguments)
            if spec.is_scalar
        ]
        self.current_device = current_device(torch.cuda.current_device)
        self._copies_reported: set[str] = set()

    def __call__(self, *arguments: Any) -> Any:
        """Check the arguments, launch, return the result tensor or a tuple of them.

        The launch goes to the current stream of the device the tensors are on.
        """
        device = self._device_if_fit(arguments)
        if device is None:
            arguments = tuple(self.prepare(*arguments))
            device = self._device(arguments)
        if device == _CPU or device == self.current_device():
            return self._launch(arguments)
        import torch

        with torch.cuda.device(device):
            return self._launch(arguments)

    def _launch(self, arguments: tuple[Any, ...]) -> Any:
        if not self._is_open:
            return self._launcher(*arguments)
        try:
            return self._launcher(*arguments)
        except ValueError as error:
            # The launcher says what sizes must be.
            raise UserError(f"{self.program.entry}: {error}") from error

    def graph(self, *arguments: Any) -> CapturedProgram:
        """Capture a call on these very tensors as a CUDA graph, to be replayed."""
        from tilewright.codegen.graphs import CapturedProgram

        return CapturedProgram(self, arguments)

    def prepare(self, *arguments: Any) -> list[Any]:
        """The arguments as the kernels need them, or an error that says what is wrong.

        Kernels are written for contiguous tensors. Another layout is copied into one,
        on every call, and said once as a warning.
        """
        expected = self.program.arguments
        if len(arguments) != len(expected):
            kind = "arguments" if self._numbers else "tensors"
            raise UserError(
                f"{self.program.entry} takes {len(expected)} {kind}, got "
                f"{len(arguments)}"
            )
        prepared: list[Any] = []
        for value, spec, dtype in zip(arguments, expected, self._dtypes, strict=True):
            if dtype is None:
                self._check_number(value, spec)
                prepared.append(value)
                continue
            self._check(value, spec, dtype, arguments)
            if value.is_contiguous() and value.data_ptr() % _ALIGNMENT == 0:
                prepared.append(value)
            else:
                self._report_copy(spec)
                prepared.append(_contiguous_copy(value))
        self._check_shared(arguments)
        return prepared

    def _device_if_fit(self, arguments: tuple[Any, ...]) -> int | None:
        """The device of arguments that are all as they should be, else None.

        Every microsecond here is one that small kernels wait.
        """
        if len(arguments) != self._count:
            return None
        for position, kind in self._numbers:
            value = arguments[position]
            if type(value) is not kind or (kind is int and abs(value) >= _SURELY_FITS):
                return None
        tensors = arguments
        if self._numbers:
            tensors = [arguments[position] for position in self._tensors]
        try:
            likeness = tuple(
                [
                    (
                        tensor.shape,
                        tensor.dtype,
                        tensor.get_device(),
                        tensor.is_contiguous(),
                        tensor.data_ptr() % _ALIGNMENT,
                    )
                    for tensor in tensors
                ]
            )
        except AttributeError:
            # Not a tensor: the slow way says so.
            return None
        device = self._fitting.get(likeness)
        return self._device_if_new(likeness) if device is None else device

    def _device_if_new(self, likeness: tuple[Any, ...]) -> int | None:
        """The same of arguments that are unlike all before."""
        if not likeness:
            return None
        device = likeness[0][2]
        for place, of_tensor in zip(self._tensors, likeness, strict=True):
            shape, dtype, here, is_contiguous, misalignment = of_tensor
            if (
                not self.program.arguments[place].fits(shape)
                or dtype != self._dtypes[place]
                or here != device
                or not is_contiguous
                or misalignment
            ):
                return None
        sizes = dict(zip(self._tensors, (shape for shape, *_ in likeness), strict=True))
        for places in self._shared.values():
            if len({sizes[place][dim] for place, dim in places}) > 1:
                return None
        if device == _CPU:
            return None
        if len(self._fitting) >= _MOST_CALLS:
            self._fitting.clear()
        self._fitting[likeness] = device
        return device

    def _check_shared(self, arguments: tuple[Any, ...]) -> None:
        """The same extent of two arguments is the same number."""
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

    def _device(self, arguments: tuple[Any, ...]) -> int:
        if self._first is None:
            return _CPU
        return arguments[self._first].get_device()

    def _check_number(self, value: Any, spec: TensorSpec) -> None:
        kinds = (int, float) if _kind(spec) is float else (_kind(spec),)
        name = f"{self.program.entry}: argument '{spec.name}'"
        if isinstance(value, bool) != (spec.dtype == "i1") or not isinstance(
            value, kinds
        ):
            raise UserError(
                f"{name} is a {type(value).__name__}, not a number of type {spec.dtype}"
            )
        bits = _BITS.get(spec.dtype)
        if bits is not None and not -(2**bits) <= value < 2**bits:
            raise UserError(f"{name} is {value}, which no {spec.dtype} holds")

    def _check(
        self,
        tensor: Any,
        spec: TensorSpec,
        dtype: torch.dtype,
        arguments: tuple[Any, ...],
    ) -> None:
        import torch

        name = f"{self.program.entry}: argument '{spec.name}'"
        if not isinstance(tensor, torch.Tensor):
            raise UserError(f"{name} is a {type(tensor).__name__}, not a tensor")
        if not spec.fits(tensor.shape):
            raise UserError(
                f"{name} has shape {list(tensor.shape)}, the program was compiled for "
                f"{spec.text()}",
                remedy="compile the payload for this shape",
            )
        if tensor.dtype != dtype:
            raise UserError(
                f"{name} has dtype {tensor.dtype}, the program was compiled for {dtype}"
            )
        assert self._first is not None
        first = arguments[self._first]
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


def _shared_extents(program: GeneratedProgram) -> dict[str, list[tuple[int, int]]]:
    """Where each extent is that several arguments have: argument and dimension."""
    places: dict[str, list[tuple[int, int]]] = {}
    for position, spec in enumerate(program.arguments):
        for dim, name in enumerate(spec.extents):
            if name:
                places.setdefault(name, []).append((position, dim))
    return {name: found for name, found in places.items() if len(found) > 1}


def _kind(spec: TensorSpec) -> type:
    """The Python type of a number that is passed by value."""
    if spec.dtype == "i1":
        return bool
    return float if spec.dtype.startswith(("f", "bf")) else int


def load(program: GeneratedProgram, directory: Path) -> LoadedProgram:
    """Write the program's source to a file named by its content, and import it."""
    return LoadedProgram(program, directory)


def _contiguous_copy(tensor: torch.Tensor) -> torch.Tensor:
    import torch

    return tensor.clone(memory_format=torch.contiguous_format)


def _interpreting() -> bool:
    from triton import knobs

    return bool(knobs.runtime.interpret)
