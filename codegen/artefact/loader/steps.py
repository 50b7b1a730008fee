"""The steps of a program, made ready for calls of one kind: one device, fixed shapes.

A step is a function of the call's frame. What depends on shapes alone (grids, sizes,
which variant of a kernel) is computed when the step is made.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from math import prod
from pathlib import Path
from typing import Any

from .arrays import TYPES, ArgumentError, DeviceArray, element_bytes
from .driver import Device, driver
from .expressions import compiled
from .files import damaged, read_file
from .kernels import Kernel, Parameters, launch, tensor_map_of

_DIVISOR = 16
_I32 = 2**31
_STREAMS = 16
"""Streams for which counters are made at once."""


class Frame:
    """The values of one call."""

    def __init__(self, count: int, stream: int):
        self.at = [0] * count
        """The address of each buffer."""
        self.owners: list[Any] = [None] * count
        """The tensor or array of each buffer that has one."""
        self.numbers: dict[str, Any] = {}
        """The numbers among the arguments."""
        self.stream = stream


Step = Callable[[Frame], None]


class StepMaker:
    """Makes the steps of a program for one kind of call."""

    def __init__(
        self,
        program: dict[str, Any],
        kernels: Sequence[Kernel],
        folder: Path,
        ordinal: int,
        sizes: dict[str, int],
        torch: Any,
    ):
        self._program = program
        self._kernels = kernels
        self._folder = folder
        self._ordinal = ordinal
        self._device: Device = driver().device(ordinal)
        self._sizes = sizes
        self._torch = torch
        """The module, where buffers are torch's tensors; else None."""
        self._slots = {name: n for n, name in enumerate(program["buffers"])}
        self._events: dict[str, int] = {}
        self._libraries: Any = None
        self._owned = _owned_views(program)

    def steps(self) -> list[Step]:
        """All steps, in order."""
        return [getattr(self, f"_{s['step']}")(s) for s in self._program["steps"]]

    def shape(self, buffer: str) -> tuple[int, ...]:
        """The shape of a buffer in this kind of call."""
        extents = self._program["buffers"][buffer]["shape"]
        return tuple(compiled(extent)(self._sizes) for extent in extents)

    def _dtype(self, buffer: str) -> str:
        return self._program["buffers"][buffer]["dtype"]

    def _bytes(self, buffer: str) -> int:
        return prod(self.shape(buffer)) * element_bytes(self._dtype(buffer))

    def torch_dtype(self, dtype: str) -> Any:
        """Torch's dtype of an element type."""
        return getattr(self._torch, TYPES[dtype][0].removeprefix("torch."))

    def _allocate(self, step: dict[str, Any]) -> Step:
        slot, shape = self._slots[step["buffer"]], self.shape(step["buffer"])
        dtype = self._dtype(step["buffer"])
        if self._torch is None:

            def allocate(frame: Frame) -> None:
                made = DeviceArray(shape, dtype, frame.stream)
                frame.owners[slot], frame.at[slot] = made, made.address

            return allocate
        empty, kind = self._torch.empty, self.torch_dtype(dtype)
        device = self._torch.device("cuda", self._ordinal)

        def allocate_tensor(frame: Frame) -> None:
            made = empty(shape, dtype=kind, device=device)
            frame.owners[slot], frame.at[slot] = made, made.data_ptr()

        return allocate_tensor

    def _constant(self, step: dict[str, Any]) -> Step:
        data = read_file(self._folder, step["file"], step.get("sha256"))
        if len(data) != self._bytes(step["buffer"]):
            raise damaged(self._folder / step["file"], "it has another size")
        return self._kept(step["buffer"], driver().keep(data))

    def _counters(self, step: dict[str, Any]) -> Step:
        """Zeros that each launch leaves zero; of their own for each stream.

        Those of several streams are made at once: nothing can be allocated while a
        CUDA graph is captured.
        """
        slot, size = self._slots[step["buffer"]], self._bytes(step["buffer"])
        size += -size % _DIVISOR
        known: dict[int, int] = {}
        free: list[int] = []

        def make() -> None:
            first = driver().keep(_STREAMS * size)
            free.extend(first + number * size for number in range(_STREAMS))

        def counters(frame: Frame) -> None:
            found = known.get(frame.stream)
            if found is None:
                if not free:
                    make()
                found = known[frame.stream] = free.pop()
            frame.at[slot] = found

        make()

        return counters

    def _kept(self, buffer: str, address: int) -> Step:
        slot, owner = self._slots[buffer], None
        if self._torch is not None and self._program["libraries"]:
            owner = self._torch.as_tensor(
                _Memory(address, self.shape(buffer), self._dtype(buffer)),
                device=f"cuda:{self._ordinal}",
            )
            owner = owner.view(self.torch_dtype(self._dtype(buffer)))

        def keep(frame: Frame) -> None:
            frame.at[slot], frame.owners[slot] = address, owner

        return keep

    def _view(self, step: dict[str, Any]) -> Step:
        slot, of = self._slots[step["buffer"]], self._slots[step["of"]]
        shape, dtype = self.shape(step["buffer"]), self._dtype(step["buffer"])
        size = self._bytes(step["buffer"])
        torch = self._torch
        kind = None if torch is None else self.torch_dtype(dtype)
        if step["buffer"] not in self._owned:

            def same(frame: Frame) -> None:
                frame.at[slot] = frame.at[of]

            return same

        def view(frame: Frame) -> None:
            frame.at[slot] = frame.at[of]
            owner = frame.owners[of]
            if isinstance(owner, DeviceArray):
                frame.owners[slot] = owner.viewed(shape, dtype)
            elif torch is not None and isinstance(owner, torch.Tensor):
                flat = owner.view(-1).view(torch.uint8)[:size]
                frame.owners[slot] = flat.view(kind).view(shape)

        return view

    def _copy(self, step: dict[str, Any]) -> Step:
        source, target = self._slots[step["from"]], self._slots[step["to"]]
        size, copy = self._bytes(step["to"]), driver().copy

        def run(frame: Frame) -> None:
            if size:
                copy(frame.at[target], frame.at[source], size, frame.stream)

        return run

    def _copy_window(self, step: dict[str, Any]) -> Step:
        source, target = self._slots[step["from"]], self._slots[step["to"]]
        width = element_bytes(self._dtype(step["to"]))
        read = _rows(self.shape(step["from"]), step["from_window"], width)
        written = _rows(self.shape(step["to"]), step["to_window"], width)
        extents = [stop - start for start, stop in step["to_window"]]
        columns, rows = extents[-1] * width, extents[-2] if len(extents) > 1 else 1
        copy = driver().copy_rows

        def run(frame: Frame) -> None:
            for to, where in zip(written[0], read[0], strict=True):
                copy(
                    (frame.at[target] + to, written[1]),
                    (frame.at[source] + where, read[1]),
                    columns,
                    rows,
                    frame.stream,
                )

        return run

    def _record(self, step: dict[str, Any]) -> Step:
        event = self._events.setdefault(step["event"], driver().event())
        stream = self._stream(step["stream"])
        call = driver().call
        return lambda frame: call("cuEventRecord", event, stream(frame))

    def _wait(self, step: dict[str, Any]) -> Step:
        event, stream = self._events[step["event"]], self._stream(step["stream"])
        call = driver().call
        return lambda frame: call("cuStreamWaitEvent", stream(frame), event, 0)

    def _stream(self, number: int) -> Callable[[Frame], int]:
        if not number:
            return lambda frame: frame.stream
        beside = driver().side_stream(self._device, number)
        return lambda frame: beside

    def _call(self, step: dict[str, Any]) -> Step:
        function = getattr(self._module(), step["function"], None)
        if function is None:
            path = self._folder / self._program["libraries"]
            raise damaged(path, f"it has no function {step['function']!r}")
        slots = [self._slots[name] for name in step["buffers"]]
        torch = self._torch

        def run(frame: Frame) -> None:
            with torch.inference_mode(), torch.autocast("cuda", enabled=False):
                function(*(frame.owners[slot] for slot in slots))

        return run

    def _module(self) -> Any:
        """The functions of `libraries.py`."""
        if self._libraries is None:
            name = self._program["libraries"]
            path, digest = self._folder / name, self._program.get("libraries_sha256")
            text = read_file(self._folder, name, digest)
            scope: dict[str, Any] = {"__name__": "libraries"}
            try:
                exec(compile(text, path, "exec"), scope)
            except Exception as error:
                raise damaged(path, f"{type(error).__name__}: {error}") from error
            self._libraries = _Scope(scope)
        return self._libraries

    def _launch(self, step: dict[str, Any]) -> Step:
        numbers = [one for one in step["parameters"] if one["kind"] == "number"]
        values = [
            None if "argument" in one else compiled(one["value"])(self._sizes)
            for one in numbers
        ]
        kernel = self._fitting(step["binaries"], values)
        grid = [compiled(count)(self._sizes) for count in step["grid"]]
        if (each := step["programs_per_multiprocessor"]) and grid:
            grid = [min(grid[0], each * self._device.multiprocessors)]
        grid = (grid + [1, 1])[:3]
        function = kernel.function(self._device, self._ordinal)
        threads, shared = 32 * kernel.entry["warps"], kernel.entry["shared_bytes"]
        if not prod(grid):
            return lambda frame: None
        packed = Parameters(kernel.entry["packed"])
        pointers: list[tuple[Any, int]] = []
        maps: list[tuple[int, int, Callable[[int], Any]]] = []
        late: list[tuple[Any, str]] = []
        described = iter(kernel.entry["descriptors"])
        place, number = 0, iter(values)
        for one in step["parameters"]:
            if one["kind"] == "pointer":
                pointers.append((packed.storage[place], self._slots[one["buffer"]]))
                place += 1
            elif one["kind"] == "descriptor":
                whole = self.shape(one["buffer"])
                shape = tuple(one["extents"] or whole)
                strides = _row_major(whole)
                encode = tensor_map_of(next(described), shape, strides)
                maps.append((place, self._slots[one["buffer"]], encode))
                for offset, value in enumerate((*shape, *strides)):
                    packed.storage[place + 1 + offset].value = value
                place += 1 + 2 * len(shape)
            else:
                if (value := next(number)) is None:
                    late.append((packed.storage[place], one["argument"]))
                else:
                    packed.storage[place].value = value
                place += 1
        stream, array = self._stream(step["stream"]), packed.array

        def run(frame: Frame) -> None:
            for storage, slot in pointers:
                storage.value = frame.at[slot]
            for index, slot, encode in maps:
                array[index] = encode(frame.at[slot])[0]
            for storage, name in late:
                storage.value = frame.numbers[name]
            launch(function, grid, threads, shared, stream(frame), packed)

        return run

    def _fitting(self, binaries: Sequence[int], values: Sequence[Any]) -> Kernel:
        """The first variant whose assumptions the sizes of this call meet."""
        for value in values:
            if value is not None and not -_I32 <= value < _I32:
                raise ArgumentError(f"a size is {value}, and kernels count in 32 bits")
        for index in binaries:
            kernel = self._kernels[index]
            if all(values[n] % _DIVISOR == 0 for n in kernel.divisible()):
                return kernel
        raise AssertionError("the last variant fits all sizes")


def _owned_views(program: dict[str, Any]) -> set[str]:
    """The views that a caller or a library sees; of others the address is enough."""
    views = [step for step in program["steps"] if step["step"] == "view"]
    if program["libraries"]:
        return {step["buffer"] for step in views}
    owned = set(program["results"])
    for step in reversed(views):
        if step["buffer"] in owned:
            owned.add(step["of"])
    return owned


class _Scope:
    """A module's names as attributes."""

    def __init__(self, scope: dict[str, Any]):
        self.__dict__ = scope


class _Memory:
    """Memory that another library reads; as bytes of the element's width."""

    def __init__(self, address: int, shape: tuple[int, ...], dtype: str):
        width = element_bytes(dtype)
        self.__cuda_array_interface__ = {
            "shape": shape,
            "typestr": "|u1" if width == 1 else f"<i{width}",
            "data": (address, False),
            "version": 3,
        }


def _row_major(shape: Sequence[int]) -> tuple[int, ...]:
    return tuple(prod(shape[dim + 1 :]) for dim in range(len(shape)))


def _rows(
    shape: Sequence[int], window: Sequence[Sequence[int]], width: int
) -> tuple[list[int], int]:
    """The byte offsets of a window's planes of rows, and the bytes from row to row."""
    strides = [stride * width for stride in _row_major(shape)]
    starts = [start for start, _ in window]
    outer = [range(start, stop) for start, stop in window[:-2]]
    inner = sum(
        start * stride for start, stride in zip(starts[-2:], strides[-2:], strict=True)
    )
    offsets = [
        inner
        + sum(index * stride for index, stride in zip(indices, strides, strict=False))
        for indices in itertools.product(*outer)
    ]
    pitch = strides[-2] if len(shape) > 1 else shape[-1] * width
    return offsets, pitch
