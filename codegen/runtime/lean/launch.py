"""Launchers with little Python, for callers that know their tensors.

A backend of torch.compile has guards on types, sizes and layouts; checking them again
takes longer than a small kernel runs. So another launcher is written from the launch
plan (`source.py`): memory comes from torch's quickest allocation and is dropped after
its last use, and compiled kernels are launched by Triton's C function with addresses.
Triton encodes the tensor descriptors of a launch each time; here they are encoded once
for an address.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import FunctionType
from typing import TYPE_CHECKING, Any

from tilewright.codegen.runtime.launch_ranges import around_of, has_ranges
from tilewright.codegen.runtime.lean.orders import Orders, ordered
from tilewright.codegen.runtime.lean.source import LeanText

if TYPE_CHECKING:
    import torch

    from tilewright.codegen.program import GeneratedProgram

VERSIONS = ("3.6.", "3.7.")
"""Versions of Triton whose compiled kernels can be launched like this; other versions
use Triton's own launch. So do AMD's GPUs, which specialize on the size of tensors
too."""

_Known = tuple[Callable[..., None], tuple[Any, ...]]
"""The launch function of a compiled kernel, and its arguments after the stream."""

_MOST_KNOWN = 64
"""Compilations of a launch that are kept: one for each class of its sizes."""

_COUNTERS = "_counters"
"""The function of a generated file that keeps zeros for a stream."""

_MOST_DESCRIBED = 256
"""Arguments of a launch with descriptors that are kept: one for each set of
addresses. torch's allocator gives a model the same ones again."""


def lean_launcher(
    program: GeneratedProgram,
    launcher: Callable[..., Any],
    device: torch.device,
    otherwise: Callable[..., Any],
    orders: Orders | None = None,
) -> Callable[..., Any]:
    """The launcher for contiguous tensors on a device, which is the current one.

    `launcher` is that of the file. With `orders`, the dimensions of the caller's
    tensors lie in these, and their sizes are known. No mode of torch, such as autocast,
    may be on. Calls with unaligned tensors, or under a profiler of Triton, are calls of
    `otherwise`, and so are all where compiled kernels cannot be launched like this.
    """
    import triton
    from triton import knobs
    from triton.runtime.jit import JITFunction

    assert isinstance(launcher, FunctionType)
    scope, plan = launcher.__globals__, program.launch_plan
    orders = orders or Orders()
    otherwise = ordered(otherwise, orders)
    if plan is None:
        return otherwise
    kernels = [scope[launch.kernel] for launch in plan.launches]
    # In Triton's interpreter, kernels have another class.
    is_compiled = all(isinstance(kernel, JITFunction) for kernel in kernels)
    if kernels and not (is_compiled and _launches_directly()):
        return otherwise
    packs = not triton.__version__.startswith("3.6.")
    around = around_of(program) if has_ranges(launcher) else None
    index = device.index or 0
    source = LeanText(plan, index, packs_arguments=packs, around=around, orders=orders)
    text = source.text()
    scope = {
        **scope,
        "_empty": _allocation(device),
        "_view": _reinterpretation(),
        "_stream_here": _raw_stream(device),
        "_is_watched": watcher(knobs.runtime),
        "_checked": otherwise,
    }
    if _COUNTERS in scope:
        scope[_COUNTERS] = _counters(scope[_COUNTERS], device)
    for site, kernel in source.sites.items():
        scope[site] = _Site(scope[kernel], packs)
    exec(compile(text, f"<lean {program.entry}>", "exec", dont_inherit=True), scope)
    return scope[program.entry]


def _launches_directly() -> bool:
    """Whether compiled kernels can be launched like this."""
    import triton
    from triton.runtime import driver

    active: Any = driver.active
    is_known = triton.__version__.startswith(VERSIONS)
    return is_known and active.get_current_target().backend == "cuda"


class _Site(dict[tuple[Any, ...], _Known]):
    """The compilations of one launch, by the classes of its sizes.

    A launch with descriptors has all of its arguments, by its addresses and sizes.
    """

    def __init__(self, kernel: Any, packs: bool):
        super().__init__()
        self._kernel = kernel
        self._packs = packs
        self._described: dict[tuple[bool, ...], Described] = {}

    def launch(
        self,
        key: tuple[bool, ...],
        grid: tuple[int, ...],
        arguments: tuple[Any, ...],
        options: dict[str, Any],
    ) -> None:
        """Let Triton launch, and keep the kernel it chose unless it still compiles."""
        from triton.compiler import CompiledKernel

        made = self._kernel[grid](*arguments, **options)
        if isinstance(made, CompiledKernel) and len(self) < _MOST_KNOWN:
            self[key] = self._known(made)

    def describe(
        self,
        key: tuple[Any, ...],
        classes: tuple[bool, ...],
        grid: tuple[int, ...],
        arguments: tuple[Any, ...],
        options: dict[str, Any],
        stream: int,
    ) -> None:
        """Launch with descriptors, and keep the arguments with the encoded ones."""
        from triton.compiler import CompiledKernel

        kernel = self._described.get(classes)
        if kernel is None:
            made = self._kernel[grid](*arguments, **options)
            if isinstance(made, CompiledKernel) and len(self._described) < _MOST_KNOWN:
                names = self._kernel.arg_names[len(arguments) :]
                constants = tuple(options[name] for name in names)
                known = self._known(made)
                self._described[classes] = Described(known, constants, self._packs)
            return
        if len(self) >= _MOST_DESCRIBED:
            self.clear()
        run, given = self[key] = kernel.arguments(arguments)
        run(*(*grid, 1, 1)[:3], stream, *given)

    def _known(self, kernel: Any) -> _Known:
        run, packed = kernel.run, kernel.packed_metadata
        sizes = ("global_scratch_size", "profile_scratch_size")
        if not hasattr(run, "launch") or any(getattr(run, size, 1) for size in sizes):
            # Memory for the launch: leave it to Triton's own function.
            head = (kernel.function, packed, None, None, None)
            return (_unpacking(run) if self._packs else run), head
        flags = (kernel.function, run.launch_cooperative_grid, run.launch_pdl)
        hooks = scratch = (None, None)
        if self._packs:
            kinds = (run.arg_annotations, run.kernel_signature)
            return run.launch, (*flags, packed, None, *hooks, *scratch, *kinds)
        return run.launch, (*flags, *scratch, packed, None, *hooks)


@dataclass(frozen=True)
class _Memory:
    """The tensor of a descriptor that is kept: all that a launch reads of it."""

    address: int
    dtype: torch.dtype

    def data_ptr(self) -> int:
        """The address of the tensor."""
        return self.address


class Described:
    """A compiled kernel with descriptors among its arguments.

    Triton's launch function encodes them, and calls the one that takes them encoded.
    """

    def __init__(self, known: _Known, constants: tuple[Any, ...], packs: bool):
        encoding, self._head = known
        self._constants = constants
        self._packs = packs
        is_function = isinstance(encoding, FunctionType)
        inner = inspect.getclosurevars(encoding).nonlocals if is_function else {}
        self._run = inner.get("launcher", encoding)
        places: Sequence[int] = sorted(inner.get("tensordesc_indices", ()))
        layouts: Sequence[Any] = inner.get("tensordesc_meta", ())
        self._layouts = dict(zip(places, layouts, strict=True))
        self._encoded: dict[tuple[int, ...], list[Any]] = {}

    def arguments(self, given: tuple[Any, ...]) -> _Known:
        """The function to call, and what it takes after the stream."""
        passed: list[Any] = []
        for place, one in enumerate((*given, *self._constants)):
            if hasattr(one, "base"):
                one.base = _Memory(one.base.data_ptr(), one.base.dtype)
            if place in self._layouts:
                passed += self._encoded_once(place, one)
            else:
                # A tensor is known by its address: nothing here keeps it alive.
                passed.append(one.data_ptr() if hasattr(one, "data_ptr") else one)
        return self._run, (*self._head, tuple(passed)) if self._packs else (
            *self._head,
            *passed,
        )

    def _encoded_once(self, place: int, descriptor: Any) -> list[Any]:
        """What a descriptor becomes; weights stay where they are, and so do these."""
        from triton.backends.nvidia.driver import make_tensordesc_arg

        key = (place, descriptor.base.data_ptr(), *descriptor.shape)
        found = self._encoded.get(key)
        if found is None:
            if len(self._encoded) >= _MOST_DESCRIBED:
                self._encoded.clear()
            found = make_tensordesc_arg(descriptor, self._layouts[place])
            self._encoded[key] = found
        return found


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


def _reinterpretation() -> Callable[..., torch.Tensor]:
    """A function of a tensor, sizes, strides and a further offset."""
    import torch
    from torch._C._dynamo import guards

    def view(
        tensor: torch.Tensor,
        sizes: tuple[int, ...],
        strides: tuple[int, ...],
        offset: int,
    ) -> torch.Tensor:
        return torch.as_strided(
            tensor, sizes, strides, tensor.storage_offset() + offset
        )

    return getattr(guards, "_reinterpret_tensor", view)


def _unpacking(run: Callable[..., None]) -> Callable[..., None]:
    return lambda *given: run(*given[:-1], *given[-1])


def _allocation(device: torch.device) -> Callable[..., torch.Tensor]:
    """A function of sizes, strides and type; that of torch's own compiler if any."""
    import torch
    from torch._C._dynamo import guards

    quick = getattr(guards, f"_empty_strided_{device.type}", None)
    if quick is not None:
        return quick

    def empty(
        sizes: tuple[int, ...], strides: tuple[int, ...], dtype: torch.dtype
    ) -> torch.Tensor:
        return torch.empty_strided(sizes, strides, dtype=dtype, device=device)

    return empty


def _counters(make: Callable[..., Any], device: torch.device) -> Callable[..., Any]:
    """The function with the stream's number as its key; torch's stream takes 10 us."""
    known: dict[tuple[int, int], Any] = {}
    stream_here, index = _raw_stream(device), device.index or 0

    def counters(count: int, here: torch.device) -> Any:
        key = count, stream_here(index)
        found = known.get(key)
        if found is None:
            found = known[key] = make(count, here)
        return found

    return counters


def _raw_stream(device: torch.device) -> Callable[[int], int]:
    """The number of a device's current stream; 0 where there is none."""
    import torch

    if device.type != "cuda":
        return lambda index: 0
    return torch._C._cuda_getCurrentRawStream
