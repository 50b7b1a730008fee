"""Launching compiled kernels without asking Triton for them each time.

`kernel[grid](...)` looks up, on every launch, which compilation of the kernel fits the
arguments: 10 to 20 us of Python, several times what the launch itself takes. A program
that is called through the package keeps what Triton answered, and asks again where
something is new that the answer depends on: the device, a type, whether a number is 1
or divisible by 16, whether an address is.

No tensor is kept, and none is known by its identity: its address is read at each
launch, so memory that was freed and is used again is never taken for what it was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import FunctionType
from typing import TYPE_CHECKING, Any

from tilewright.codegen.runtime.descriptor_cache import DescriptorCache

if TYPE_CHECKING:
    from triton.runtime.jit import JITFunction

_VERSIONS = ("3.6.", "3.7.")
"""Of Triton, whose compiled kernels are known to be launched as here; others launch
themselves. AMD's cards choose code by the size of tensors too, and are left alone."""

_DIVISOR = 16
"""Triton makes other code for addresses and numbers that this divides."""

_MAKES_DESCRIPTORS = "_descriptor"
"""The function of a generated file, as `host_helpers.py` names it."""

_MOST_GRIDS = 1024
"""Grids that are kept; sizes known only at run time make many."""


def with_direct_launches(
    launcher: Callable[..., Any], kernels: Iterable[str], *, checked: bool
) -> Callable[..., Any]:
    """A launcher whose kernels are started directly; its file stays as it is.

    `checked` says that the tensors it gets have the right types and are on the current
    device.
    """
    import triton
    from triton.runtime.jit import JITFunction

    assert isinstance(launcher, FunctionType)
    scope = launcher.__globals__
    if not triton.__version__.startswith(_VERSIONS):
        return launcher
    direct: dict[str, Any] = {
        name: DirectKernel(scope[name], checked=checked)
        for name in kernels
        # Triton's interpreter has kernels of another kind.
        if isinstance(scope[name], JITFunction)
    }
    if not direct:
        return launcher
    if _MAKES_DESCRIPTORS in scope:
        direct[_MAKES_DESCRIPTORS] = DescriptorCache(scope[_MAKES_DESCRIPTORS])
    return FunctionType(launcher.__code__, {**scope, **direct}, launcher.__name__)


@dataclass(frozen=True)
class _Compiled:
    """What a launch needs of a compiled kernel."""

    options: dict[str, Any]
    """The keywords it was compiled for."""
    run: Callable[..., None]
    head: tuple[Any, ...]
    """Function and metadata, and no hooks."""
    constants: tuple[Any, ...]
    """The last parameters, which the launch counts but does not pass on."""


class DirectKernel(dict[tuple[int, ...], Callable[..., None]]):
    """Stands for a kernel in a launcher, in `kernel[grid](...)`.

    A dictionary, since nothing is quicker at finding what belongs to a grid.
    """

    def __init__(self, kernel: JITFunction[Any], *, checked: bool):
        super().__init__()
        self.kernel = kernel
        self._checked = checked
        self._known: dict[tuple[Any, ...], _Compiled] = {}

    def __missing__(self, grid: tuple[int, ...]) -> Callable[..., None]:
        """The kernel on a grid, to be called with its arguments."""
        if len(self) >= _MOST_GRIDS:
            self.clear()
        made = self[grid] = self._on((*grid, 1, 1)[:3])
        return made

    def _on(self, grid: tuple[int, ...]) -> Callable[..., None]:
        """A launch on a grid. A kernel waits for all that is done in it."""
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

        def launch(*arguments: Any, **options: Any) -> None:
            device = device_here()
            key: list[Any] = [device]
            values: list[Any] = []
            addresses = 0
            for argument in arguments:
                kind = type(argument)
                if kind is tensor or kind is parameter:
                    address = argument.data_ptr()
                    addresses |= address
                    if checked:
                        # Of an address, the launch need not ask where it is.
                        argument = address
                    else:
                        key.append(argument.dtype)
                elif kind is TensorDescriptor:
                    # Its address is aligned, or it could not have been made.
                    key.append(argument.base.dtype)
                    key += argument.block_shape
                elif kind is int:
                    key.append(_class_of(argument))
                elif kind is not float:
                    return self._by_triton(grid, arguments, options, None)
                values.append(argument)
            if addresses % _DIVISOR or own_hooks or _is_watched(settings):
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
        """Let Triton launch; keep under a key what it chose, unless it compiles yet."""
        from triton.compiler import CompiledKernel

        compiled = self.kernel[grid](*arguments, **options)
        if key is None or not isinstance(compiled, CompiledKernel):
            return
        names = self.kernel.arg_names[len(arguments) :]
        constants = tuple(options[name] for name in names)
        head = (compiled.function, compiled.packed_metadata, None, None, None)
        run: Any = compiled.run
        self._known[key] = _Compiled(options, run, head, constants)


def _is_watched(settings: Any) -> bool:
    """Whether Triton is to do more than launch, for a profiler or a debugger."""
    try:
        return bool(
            settings.debug
            or settings.launch_enter_hook.calls
            or settings.launch_exit_hook.calls
            or settings.add_stages_inspection_hook
        )
    except AttributeError:
        # A hook of another kind: Triton knows what to do with it.
        return True


def _class_of(number: int) -> tuple[bool, bool, bool, bool]:
    """Triton makes the same code for the integers of a class."""
    return (
        number == 1,
        number % _DIVISOR == 0,
        -(2**31) <= number < 2**31,
        number < 2**63,
    )


def current_device(ask: Callable[[], int]) -> Callable[[], int]:
    """A quicker way to ask torch for the device, to be taken where CUDA is set up."""
    import torch

    if ask is torch.cuda.current_device:
        return getattr(torch._C, "_cuda_getDevice", ask)
    return ask
