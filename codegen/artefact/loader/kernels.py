"""Compiled kernels: loaded once for each device, launched with packed parameters.

A launch passes an array of pointers, one to each parameter. A tensor descriptor is a
CUtensorMap of 128 bytes, which the driver encodes from an address, a shape and a block.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from ctypes import c_float, c_int32, c_int64, c_uint32, c_uint64, c_void_p
from math import prod
from pathlib import Path
from typing import Any

from .driver import Device, DeviceError, driver
from .files import read_file

_NUMBERS: dict[str, Any] = {"i32": c_int32, "i64": c_int64, "fp32": c_float}

_TENSOR_TYPES = {8: 10, 9: 8, 10: 9}
"""Triton's numbers of element types that CUDA numbers otherwise."""

_MAP_BYTES, _MAP_ALIGNMENT = 128, 64
_L2_PROMOTION = 2
"""128 bytes at once."""
_MENDED_DRIVER = 13010
_SMALL = 128 * 1024
_MOST_MAPS = 1024


class Kernel:
    """One binary of the artefact."""

    def __init__(self, folder: Path, entry: dict[str, Any]):
        self.name: str = entry["name"]
        self.entry = entry
        self._folder = folder
        self._functions: dict[int, int] = {}

    def divisible(self) -> list[int]:
        """The numbers of a launch, by position, that 16 must divide."""
        return self.entry["divisible_by_16"]

    def function(self, device: Device, ordinal: int) -> int:
        """The kernel on a device."""
        found = self._functions.get(ordinal)
        if found is None:
            cubin = self.cubin()
            shared = self.entry["shared_bytes"]
            if shared > device.shared_bytes:
                raise DeviceError(
                    f"{self.name} needs {shared} bytes of shared memory, and "
                    f"{device.name} gives a block {device.shared_bytes}"
                )
            found = driver().function(device, cubin, self.name, shared)
            self._functions[ordinal] = found
        return found

    def cubin(self) -> bytes:
        """The machine code; refuses a file that is not the one that was built."""
        return read_file(self._folder, self.entry["file"], self.entry["sha256"])


class Parameters:
    """The packed parameters of one launch, for one list of shapes.

    `kinds` are the types in order: pointer, tensormap, i32, i64, fp32.
    """

    def __init__(self, kinds: Sequence[str]):
        self.storage: list[Any] = []
        for kind in kinds:
            if kind == "tensormap":
                self.storage.append(None)
            elif kind == "pointer":
                self.storage.append(c_uint64(0))
            else:
                self.storage.append(_NUMBERS[kind](0))
        self.array = (c_void_p * len(kinds))()
        for place, value in enumerate(self.storage):
            if value is not None:
                self.array[place] = ctypes.addressof(value)


def tensor_map_of(
    described: dict[str, Any], shape: Sequence[int], strides: Sequence[int]
) -> Callable[[int], Any]:
    """A function from an address to the encoded descriptor, which it remembers."""
    rank = len(shape)
    width = described["elem_size"]
    extents = list(shape)
    if described.get("fp4_padded"):
        extents[-1] *= 2
    # The driver counts dimensions from the innermost.
    sizes = (c_uint64 * 5)(*reversed(extents))
    pitches = [width * stride for stride in strides[:-1]]
    steps = (c_uint64 * 5)(*reversed(pitches))
    box = (c_uint32 * 5)(*reversed(described["block_size"]))
    ones = (c_uint32 * 5)(1, 1, 1, 1, 1)
    kind = described["elem_type"]
    kind = _TENSOR_TYPES.get(kind, kind)
    last = sum((n - 1) * p for n, p in zip(extents, [*pitches, width], strict=True))
    known: dict[int, Any] = {}

    def encode(address: int) -> Any:
        found = known.get(address)
        if found is not None:
            return found
        memory = (ctypes.c_ubyte * (_MAP_BYTES + _MAP_ALIGNMENT))()
        start = -ctypes.addressof(memory) % _MAP_ALIGNMENT
        place = ctypes.addressof(memory) + start
        driver().call(
            "cuTensorMapEncodeTiled",
            *(place, kind, rank, address, sizes, steps, box, ones),
            *(0, described["swizzle"], _L2_PROMOTION, 0),
        )
        if driver().version <= _MENDED_DRIVER and last + 1 < _SMALL:
            # Older drivers set a bit that small tensors must not have; Triton and
            # CUTLASS clear it too.
            words = (c_uint64 * 16).from_address(place)
            words[1] &= ~(1 << 21)
        if len(known) >= _MOST_MAPS:
            known.clear()
        known[address] = place, memory
        return known[address]

    return encode


def launch(
    function: int,
    grid: Sequence[int],
    threads: int,
    shared: int,
    stream: int,
    parameters: Parameters,
) -> None:
    """Launch a kernel; nothing is launched where the grid is empty."""
    if not prod(grid):
        return
    code = driver().launch_kernel(
        function, *grid, threads, 1, 1, shared, stream, parameters.array, None
    )
    if code:
        raise DeviceError(f"the launch failed: {driver().reason(code)}")
