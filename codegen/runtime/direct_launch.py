"""Launching compiled kernels without Triton's lookup on every launch.

On every launch, `kernel[grid](...)` looks up which compilation of the kernel fits the
arguments. That takes 10 to 20 us of Python, several times the launch itself. A program
that is called through the package caches the result. Its key has everything that the
lookup depends on: the device, the types, whether a number is 1 or divisible by 16, and
whether an address is divisible by 16.

No tensor is kept or recognized by its identity. Its address is read at each launch, so
that reused memory is never mistaken for an earlier tensor.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import FunctionType
from typing import TYPE_CHECKING, Any

from tilewright.codegen.runtime.descriptor_cache import DescriptorCache

if TYPE_CHECKING:
    from triton.runtime.jit import JITFunction

VERSIONS = ("3.6.", "3.7.")
"""Versions of Triton whose compiled kernels can be launched like this; other versions
use Triton's own launch. So do AMD's cards, which specialize on the size of tensors
too."""

_DIVISOR = 16
"""Triton specializes on addresses and numbers that this divides."""

_MAKES_DESCRIPTORS = "_descriptor"
"""The name of the function that makes descriptors in a generated file;
`host_helpers.py` sets it."""

_MOST_GRIDS = 1024
"""Grids that are cached; open sizes give many."""


def with_direct_launches(
    launcher: Callable[..., Any], kernels: Iterable[str], *, checked: bool
) -> Callable[..., Any]:
    """A launcher that launches its kernels directly; its file is not changed.

    With `checked`, its tensors have the right types and are on the current device.
    """
    import triton
    from triton.runtime.jit import JITFunction

    assert isinstance(launcher, FunctionType)
    scope = launcher.__globals__
    if not triton.__version__.startswith(VERSIONS):
        return launcher
    names = list(kernels)
    direct: dict[str, Any] = {
        name: DirectKernel(
            scope[name], checked=checked, is_single=names.count(name) == 1
        )
        for name in names
        # In Triton's interpreter, kernels have another class.
        if isinstance(scope[name], JITFunction)
    }
    if not direct:
        return launcher
    if _MAKES_DESCRIPTORS in scope:
        direct[_MAKES_DESCRIPTORS] = DescriptorCache(scope[_MAKES_DESCRIPTORS])
    return FunctionType(launcher.__code__, {**scope, **direct}, launcher.__name__)


@dataclass(frozen=True)
class _Compiled:
    """The parts of a compiled kernel that a launch needs."""

    options: dict[str, Any]
    """The keyword arguments it was compiled for."""
    run: Callable[..., None]
    head: tuple[Any, ...]
    """The function, its metadata, and None for each hook."""
    constants: tuple[Any, ...]
    """The constexpr parameters, which are last; the launch does not pass them on."""


class DirectKernel(dict[tuple[int, ...], Callable[..., None]]):
    """Replaces a kernel in a launcher: `kernel[grid](...)`.

    It is a dictionary, which is the quickest way to find the launch of a grid.
    """

    def __init__(
        self, kernel: JITFunction[Any], *, checked: bool, is_single: bool = False
    ):
        super().__init__()
        self.kernel = kernel
        self._checked = checked
        self._is_single = is_single
        """Whether the launcher launches it in one place, always with equal keywords."""
        self._known: dict[tuple[Any, ...], _Compiled] = {}

    def __missing__(self, grid: tuple[int, ...]) -> Callable[..., None]:
        """Make the launch of a new grid."""
        if len(self) >= _MOST_GRIDS:
            self.clear()
        made = self[grid] = self._on((*grid, 1, 1)[:3])
        return made

    def _on(self, grid: tuple[int, ...]) -> Callable[..., None]:
        """The launch function of a grid; small kernels wait for every line in it."""
        import torch
        from triton import knobs
        from triton.runtime import driver
        from triton.tools.tensor_descriptor import TensorDescriptor

        checked, known_to_fit = self._checked, self._known
        tensor, parameter = torch.Tensor, torch.nn.Parameter
        settings, own_hooks = knobs.runtime, self.kernel.pre_run_hooks
        active: Any = driver.active
        if active.get_current_target().backend != "cuda":
            return self.kernel[grid]
        device_here = current_device(active.get_current_device)
        stream_on = active.get_current_stream

        # Checked tensors alone: their types are known, their addresses are aligned.
        is_quick, plain = checked and self._is_single, {tensor, parameter}
        is_watched = watcher(settings)

        def launch(*arguments: Any, **options: Any) -> None:
            nonlocal is_quick
            device = device_here()
            if is_quick and plain.issuperset(map(type, arguments)):
                known = known_to_fit.get((device,))
                if known is not None and not own_hooks and not is_watched():
                    stream = stream_on(device)
                    passed = [argument.data_ptr() for argument in arguments]
                    known.run(*grid, stream, *known.head, *passed, *known.constants)
                    return None
            key: list[Any] = [device]
            values: list[Any] = []
            addresses = 0
            for argument in arguments:
                kind = type(argument)
                if kind is tensor or kind is parameter:
                    address = argument.data_ptr()
                    addresses |= address
                    if checked:
                        # Given an address, the launch does not check the device.
                        argument = address
                    else:
                        key.append(argument.dtype)
                elif kind is TensorDescriptor:
                    is_quick = False
                    # A descriptor's address is always aligned.
                    key.append(argument.base.dtype)
                    key += argument.block_shape
                elif kind is int:
                    is_quick = False
                    key.append(_class_of(argument))
                elif kind is not float:
                    return self._by_triton(grid, arguments, options, None)
                values.append(argument)
            if addresses % _DIVISOR or own_hooks or is_watched():
                return self._by_triton(grid, arguments, options, None)
            known = known_to_fit.get(tuple(key))
            if known is None or known.options != options:
                return self._by_triton(grid, arguments, options, tuple(key))
            stream = stream_on(device)
            known.run(*grid, stream, *known.head, *values, *known.constants)

        return launch

    def _by_triton(
        self,
        grid: tuple[int, ...],
        arguments: tuple[Any, ...],
        options: dict[str, Any],
        key: tuple[Any, ...] | None,
    ) -> None:
        """Let Triton launch, and cache the kernel it chose unless it still compiles."""
        from triton.compiler import CompiledKernel

        compiled = self.kernel[grid](*arguments, **options)
        if key is None or not isinstance(compiled, CompiledKernel):
            return
        names = self.kernel.arg_names[len(arguments) :]
        constants = tuple(options[name] for name in names)
        head = (compiled.function, compiled.packed_metadata, None, None, None)
        run: Any = compiled.run
        self._known[key] = _Compiled(options, run, head, constants)


def watcher(settings: Any) -> Callable[[], bool]:
    """Tells whether a profiler or a debugger has hooks in Triton's launch.

    Reading a setting that the environment may have takes Triton longer than all of
    this; the environment is read once.
    """
    from_environment = bool(settings.debug)
    changed = vars(settings)

    def is_watched() -> bool:
        try:
            return bool(
                changed.get("debug", from_environment)
                or settings.launch_enter_hook.calls
                or settings.launch_exit_hook.calls
                or settings.add_stages_inspection_hook
            )
        except AttributeError:
            # An unknown kind of hook: leave it to Triton.
            return True

    return is_watched


def _class_of(number: int) -> tuple[bool, bool, bool, bool]:
    """The properties of an integer that Triton specializes on."""
    return (
        number == 1,
        number % _DIVISOR == 0,
        -(2**31) <= number < 2**31,
        number < 2**63,
    )


def current_device(ask: Callable[[], int]) -> Callable[[], int]:
    """A quicker function than torch's for the current device; needs CUDA set up."""
    import torch

    if ask is torch.cuda.current_device:
        return getattr(torch._C, "_cuda_getDevice", ask)
    return ask
