"""Launching a generated program on torch tensors, after a check of the arguments.

A call like an earlier one is known in a few tenths of a microsecond per argument. Only
new ones are checked: the slow path copies tensors or reports a mistake. After that, a
lean launcher starts the kernels (`lean/launch.py`).
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tilewright.codegen.program import DYNAMIC
from tilewright.codegen.runtime.call_arguments import (
    ALIGNMENT,
    CallArguments,
    number_kind,
)
from tilewright.codegen.runtime.compile import load_launcher, source_file
from tilewright.codegen.runtime.launch_ranges import ranged_if_active
from tilewright.codegen.runtime.lean.launch import lean_launcher
from tilewright.ir.errors import UserError

if TYPE_CHECKING:
    from tilewright.codegen.program import GeneratedProgram
    from tilewright.codegen.runtime.graphs import CapturedProgram

_SURELY_FITS = 2**31
"""Integers below this fit every type that programs take."""

_CPU = -1
"""Torch's device number of a CPU tensor."""

_MOST_CALLS = 1024
"""Signatures of valid calls that are kept; open sizes give many."""


class LoadedProgram:
    """A generated program as a callable on torch tensors."""

    def __init__(self, program: GeneratedProgram, directory: Path):
        import torch

        self.program = program
        self.path = source_file(program, directory)
        loaded = ranged_if_active(load_launcher(self.path, program.entry), program)
        self.plain_launcher = loaded
        """The launcher as it is in the file; Triton launches its kernels."""
        self.launcher_on = _Launchers(program, loaded)
        """The launcher on each device, by its number. Takes contiguous tensors on it
        while it is the current one, and checks nothing."""
        self._arguments = CallArguments(program)
        self._dtypes = self._arguments.dtypes
        self._tensors = [
            position for position, dtype in enumerate(self._dtypes) if dtype is not None
        ]
        self._likeness = _likeness_of(self._tensors, len(self._dtypes))
        self._fitting: dict[tuple[Any, ...], int] = {}
        """The device of each valid call, by the properties of its tensors."""
        self._is_open = any(DYNAMIC in spec.shape for spec in program.arguments)
        self._is_in_a_mode = _is_in_a_mode_of(
            self._tensors if program.calls else (), len(self._dtypes)
        )
        self._first = next(iter(self._tensors), None)
        self._count = len(program.arguments)
        self._numbers = [
            (position, number_kind(spec))
            for position, spec in enumerate(program.arguments)
            if spec.is_scalar
        ]
        # Quicker than torch's own function, and needs CUDA set up.
        quick = getattr(torch._C, "_cuda_getDevice", torch.cuda.current_device)
        self.current_device: Callable[[], int] = quick

    def __call__(self, *arguments: Any) -> Any:
        """Check the arguments and launch; returns the result tensor or a tuple.

        Uses the current stream of the tensors' device.
        """
        device = self._device_if_fit(arguments)
        if device is None:
            return self._call_with_copies(arguments)
        if device == self.current_device():
            if not self._is_open and not self._is_in_a_mode(*arguments):
                return self.launcher_on[device](*arguments)
            return self._launch(arguments)
        import torch

        with torch.cuda.device(device):
            return self._launch(arguments)

    def _call_with_copies(self, arguments: tuple[Any, ...]) -> Any:
        """Launch with arguments that are new, or have to be copied or refused."""
        import torch

        prepared = tuple(self.prepare(*arguments))
        device, likeness = self._device(prepared), self._likeness_of(arguments)
        if likeness and device != _CPU and all(map(operator.is_, arguments, prepared)):
            if len(self._fitting) >= _MOST_CALLS:
                self._fitting.clear()
            self._fitting[likeness] = device
        on_device = torch.cuda.device(device) if device != _CPU else nullcontext()
        with on_device:
            results = self._launch(prepared)
            self._arguments.copy_back(arguments, prepared)
        return results

    def _launch(self, arguments: tuple[Any, ...]) -> Any:
        if self._is_in_a_mode(*arguments):
            import torch

            # Kernels know neither autograd nor autocast, and so torch does not here.
            here = "cpu" if self._device(arguments) == _CPU else "cuda"
            with torch.no_grad(), torch.autocast(here, enabled=False):
                return self._launch_plain(arguments)
        return self._launch_plain(arguments)

    def _launch_plain(self, arguments: tuple[Any, ...]) -> Any:
        if not self._is_open:
            return self._launch_unchecked(*arguments)
        try:
            return self._launch_unchecked(*arguments)
        except ValueError as error:
            # The launcher's message says which sizes it takes.
            raise UserError(f"{self.program.entry}: {error}") from error

    def _launch_unchecked(self, *arguments: Any) -> Any:
        if self._first is None:
            return self.plain_launcher(*arguments)
        return self.launcher_on[self._device(arguments)](*arguments)

    def graph(self, *arguments: Any) -> CapturedProgram:
        """Capture a call on these tensors as a CUDA graph."""
        from tilewright.codegen.runtime.graphs import CapturedProgram

        return CapturedProgram(
            self.program.entry,
            self._launch_unchecked,
            arguments,
            self.prepare(*arguments),
            self.current_device,
        )

    def prepare(self, *arguments: Any) -> list[Any]:
        """Check the arguments, and copy tensors that are not contiguous and aligned."""
        return self._arguments.prepare(arguments)

    def _device_if_fit(self, arguments: tuple[Any, ...]) -> int | None:
        """The device of arguments that need no copy and no error message, else None.

        Small kernels wait for every microsecond spent here.
        """
        likeness = self._likeness_of(arguments)
        device = self._fitting.get(likeness)
        if device is not None and self._arguments.writes:
            self._arguments.check_apart(arguments)
        return device

    def _likeness_of(self, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
        """The properties of arguments that decide whether they fit; else nothing."""
        if len(arguments) != self._count:
            return ()
        for position, kind in self._numbers:
            value = arguments[position]
            if type(value) is not kind or (kind is int and abs(value) >= _SURELY_FITS):
                return ()
        try:
            return self._likeness(*arguments)
        except (AttributeError, RuntimeError):
            # Not a tensor, or one without memory: the slow path reports it.
            return ()

    def _device(self, arguments: tuple[Any, ...]) -> int:
        if self._first is None:
            return _CPU
        return arguments[self._first].get_device()


class _Launchers(dict[int, Callable[..., Any]]):
    """The lean launcher of a program on each device, made when it is first used."""

    def __init__(self, program: GeneratedProgram, launcher: Callable[..., Any]):
        super().__init__()
        self._program = program
        self._launcher = launcher

    def __missing__(self, number: int) -> Callable[..., Any]:
        import torch

        device = torch.device("cpu" if number < 0 else f"cuda:{number}")
        plain = self._launcher
        self[number] = made = lean_launcher(self._program, plain, device, plain)
        return made


def _likeness_of(tensors: Sequence[int], count: int) -> Callable[..., tuple[Any, ...]]:
    """A function of a call's arguments that gives the properties of its tensors.

    Its text is written for this number of arguments: a loop would take longer than
    the rest of the check.
    """
    properties = (
        "{0}.shape, {0}.dtype, {0}.get_device(), {0}.is_contiguous(), "
        "{0}.data_ptr() % ALIGNMENT, {0}.is_neg()"
    )
    names = ", ".join(f"x{place}" for place in range(count))
    entries = "".join(f"{properties.format(f'x{place}')}, " for place in tensors)
    return eval(f"lambda {names}: ({entries})", {"ALIGNMENT": ALIGNMENT})


def _is_in_a_mode_of(tensors: Sequence[int], count: int) -> Callable[..., bool]:
    """A function of a call's arguments: whether a mode of torch changes library calls.

    Autograd records them, and autocast converts their operands and results.
    """
    import torch

    if not tensors:
        return lambda *arguments: False
    names = ", ".join(f"x{place}" for place in range(count))
    entries = [f"x{place}.requires_grad" for place in tensors]
    here = "cuda" if torch.cuda.is_available() else "cpu"
    entries.append(f"is_autocast_enabled('{here}')")
    scope = {"is_autocast_enabled": torch.is_autocast_enabled}
    return eval(f"lambda {names}: {' or '.join(entries)}", scope)


def load(program: GeneratedProgram, directory: Path) -> LoadedProgram:
    """Write the program's source to a file named by its content, and import it."""
    return LoadedProgram(program, directory)
