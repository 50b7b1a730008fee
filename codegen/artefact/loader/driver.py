"""CUDA's driver by ctypes: devices, memory, modules and launches."""

from __future__ import annotations

import ctypes
import functools
from ctypes import (
    POINTER,
    Structure,
    byref,
    c_int,
    c_size_t,
    c_uint,
    c_uint32,
    c_uint64,
    c_void_p,
)
from typing import Any

from .files import printable

_NO_DRIVER = (
    "no NVIDIA driver is installed here (libcuda.so.1 cannot be loaded: {}); run it on "
    "a machine with the GPU that it was built for"
)
_SIGNATURES: dict[str, list[Any]] = {
    "cuCtxGetCurrent": [POINTER(c_void_p)],
    "cuCtxSetCurrent": [c_void_p],
    "cuDeviceGet": [POINTER(c_int), c_int],
    "cuDeviceGetAttribute": [POINTER(c_int), c_int, c_int],
    "cuDeviceGetCount": [POINTER(c_int)],
    "cuDeviceGetName": [c_void_p, c_int, c_int],
    "cuDevicePrimaryCtxRetain": [POINTER(c_void_p), c_int],
    "cuDriverGetVersion": [POINTER(c_int)],
    "cuEventCreate": [POINTER(c_void_p), c_uint],
    "cuEventRecord": [c_void_p, c_void_p],
    "cuFuncGetAttribute": [POINTER(c_int), c_int, c_void_p],
    "cuFuncSetAttribute": [c_void_p, c_int, c_int],
    "cuFuncSetCacheConfig": [c_void_p, c_int],
    "cuGetErrorString": [c_int, POINTER(ctypes.c_char_p)],
    "cuInit": [c_uint],
    "cuLaunchKernel": [c_void_p, *[c_uint] * 7, c_void_p, c_void_p, c_void_p],
    "cuMemAlloc_v2": [POINTER(c_uint64), c_size_t],
    "cuMemAllocAsync": [POINTER(c_uint64), c_size_t, c_void_p],
    "cuMemFreeAsync": [c_uint64, c_void_p],
    "cuMemcpy2DAsync_v2": [c_void_p, c_void_p],
    "cuMemcpyDtoDAsync_v2": [c_uint64, c_uint64, c_size_t, c_void_p],
    "cuMemcpyDtoH_v2": [c_void_p, c_uint64, c_size_t],
    "cuMemcpyHtoD_v2": [c_uint64, c_void_p, c_size_t],
    "cuMemsetD8_v2": [c_uint64, ctypes.c_ubyte, c_size_t],
    "cuModuleGetFunction": [POINTER(c_void_p), c_void_p, ctypes.c_char_p],
    "cuModuleLoadData": [POINTER(c_void_p), c_void_p],
    "cuPointerGetAttribute": [c_void_p, c_int, c_uint64],
    "cuStreamCreate": [POINTER(c_void_p), c_uint],
    "cuStreamSynchronize": [c_void_p],
    "cuStreamWaitEvent": [c_void_p, c_void_p, c_uint],
    "cuTensorMapEncodeTiled": [
        *[c_void_p, c_int, c_uint32, c_uint64, c_void_p, c_void_p, c_void_p, c_void_p],
        *[c_int, c_int, c_int, c_int],
    ],
}
_MULTIPROCESSORS, _MAJOR, _MINOR, _SHARED = 16, 75, 76, 97
_STATIC_SHARED, _DYNAMIC_SHARED, _PREFER_SHARED = 1, 8, 1
_POINTER_DEVICE = 9
_USUAL_SHARED = 49152
"""Bytes of shared memory that a kernel may use without asking."""


class DeviceError(RuntimeError):
    """There is no device, or it cannot run this program."""

    def __init__(self, message: str):
        super().__init__(printable(message))


class _Copy2D(Structure):
    """CUDA_MEMCPY2D."""

    _fields_ = [
        *[("src_x", c_size_t), ("src_y", c_size_t), ("src_type", c_uint)],
        *[("src_host", c_void_p), ("src_device", c_uint64), ("src_array", c_void_p)],
        *[("src_pitch", c_size_t), ("dst_x", c_size_t), ("dst_y", c_size_t)],
        *[("dst_type", c_uint), ("dst_host", c_void_p), ("dst_device", c_uint64)],
        *[("dst_array", c_void_p), ("dst_pitch", c_size_t)],
        *[("width", c_size_t), ("height", c_size_t)],
    ]


class Device:
    """One card: its properties and its primary context, which torch uses too."""

    def __init__(self, driver: Driver, ordinal: int):
        device, context = c_int(), c_void_p()
        driver.call("cuDeviceGet", byref(device), ordinal)
        name = ctypes.create_string_buffer(256)
        driver.call("cuDeviceGetName", name, len(name), device)
        self.name = name.value.decode(errors="replace")
        attributes = [_MAJOR, _MINOR, _MULTIPROCESSORS, _SHARED]
        found: list[int] = []
        for attribute in attributes:
            value = c_int()
            driver.call("cuDeviceGetAttribute", byref(value), attribute, device)
            found.append(value.value)
        self.capability = (found[0], found[1])
        self.multiprocessors = found[2]
        self.shared_bytes = found[3]
        driver.call("cuDevicePrimaryCtxRetain", byref(context), device)
        self.context = context.value


class Driver:
    """The library; a failed call raises `DeviceError` with CUDA's own sentence."""

    def __init__(self) -> None:
        try:
            library: Any = ctypes.CDLL("libcuda.so.1")
        except OSError as error:
            raise DeviceError(_NO_DRIVER.format(error)) from error
        for name, arguments in _SIGNATURES.items():
            function = getattr(library, name, None)
            if function is not None:
                function.argtypes = arguments
        self.library = library
        self.launch_kernel: Any = library.cuLaunchKernel
        self._devices: dict[int, Device] = {}
        code = library.cuInit(0)
        if code:
            raise DeviceError(f"CUDA does not start: {self.reason(code)}")
        version = c_int()
        self.call("cuDriverGetVersion", byref(version))
        self.version = version.value

    def call(self, name: str, *arguments: Any) -> None:
        """Call a function; an error code is an exception."""
        function = getattr(self.library, name, None)
        if function is None:
            raise DeviceError(f"this driver is too old: it has no {name}")
        code = function(*arguments)
        if code:
            raise DeviceError(f"{name}: {self.reason(code)}")

    def reason(self, code: int) -> str:
        """CUDA's sentence for an error code."""
        text = ctypes.c_char_p()
        self.library.cuGetErrorString(code, byref(text))
        return f"{(text.value or b'unknown error').decode()} (CUDA error {code})"

    def device(self, ordinal: int) -> Device:
        """A device by its number."""
        found = self._devices.get(ordinal)
        if found is None:
            count = c_int()
            self.call("cuDeviceGetCount", byref(count))
            if ordinal >= count.value:
                raise DeviceError(
                    f"there is no GPU {ordinal} here; {count.value} are visible"
                )
            found = self._devices[ordinal] = Device(self, ordinal)
        return found

    def enter(self, device: Device) -> int | None:
        """Make a device's context current; returns the one to restore, if another."""
        current = c_void_p()
        self.library.cuCtxGetCurrent(byref(current))
        if current.value == device.context:
            return None
        self.call("cuCtxSetCurrent", device.context)
        return current.value

    def leave(self, before: int | None) -> None:
        """Restore the context that `enter` returned."""
        if before is not None:
            self.library.cuCtxSetCurrent(before)

    def function(self, device: Device, cubin: bytes, name: str, shared: int) -> int:
        """Load a binary, and return its kernel with its shared memory allowed."""
        module, function = c_void_p(), c_void_p()
        self.call("cuModuleLoadData", byref(module), cubin)
        self.call("cuModuleGetFunction", byref(function), module, name.encode())
        if shared > _USUAL_SHARED:
            static = c_int()
            self.call("cuFuncSetCacheConfig", function, _PREFER_SHARED)
            self.call("cuFuncGetAttribute", byref(static), _STATIC_SHARED, function)
            most = device.shared_bytes - static.value
            self.call("cuFuncSetAttribute", function, _DYNAMIC_SHARED, most)
        assert function.value is not None
        return function.value

    def device_of(self, address: int) -> int:
        """The number of the device that an address belongs to."""
        ordinal = c_int()
        self.call("cuPointerGetAttribute", byref(ordinal), _POINTER_DEVICE, address)
        return ordinal.value

    def allocate(self, size: int, stream: int) -> int:
        """Memory in the order of a stream."""
        address = c_uint64()
        self.call("cuMemAllocAsync", byref(address), max(size, 1), stream)
        return address.value

    def free(self, address: int, stream: int) -> None:
        """Free memory in the order of a stream; errors at the end do not matter."""
        self.library.cuMemFreeAsync(address, stream)

    def keep(self, data: bytes | int) -> int:
        """Memory that stays: with these bytes, or with so many zeros."""
        address = c_uint64()
        size = data if isinstance(data, int) else len(data)
        self.call("cuMemAlloc_v2", byref(address), max(size, 1))
        if isinstance(data, int):
            self.call("cuMemsetD8_v2", address, 0, size)
        else:
            self.call("cuMemcpyHtoD_v2", address, data, size)
        # Streams of others do not wait for the default one.
        self.call("cuStreamSynchronize", None)
        return address.value

    def read(self, address: int, size: int, stream: int) -> bytes:
        """Bytes of the device, after all that a stream has to do."""
        self.call("cuStreamSynchronize", stream)
        data = ctypes.create_string_buffer(size)
        self.call("cuMemcpyDtoH_v2", data, address, size)
        return data.raw

    def copy(self, target: int, source: int, size: int, stream: int) -> None:
        """Copy bytes on the device."""
        self.call("cuMemcpyDtoDAsync_v2", target, source, size, stream)

    def copy_rows(
        self,
        target: tuple[int, int],
        source: tuple[int, int],
        width: int,
        height: int,
        stream: int,
    ) -> None:
        """Copy rows of `width` bytes; target and source are address and pitch."""
        copy = _Copy2D(width=width, height=height, src_type=2, dst_type=2)
        copy.dst_device, copy.dst_pitch = target
        copy.src_device, copy.src_pitch = source
        self.call("cuMemcpy2DAsync_v2", byref(copy), stream)

    @functools.cache  # noqa: B019 - one driver lives as long as the process
    def side_stream(self, device: Device, number: int) -> int:
        """A stream beside the caller's."""
        stream = c_void_p()
        self.call("cuStreamCreate", byref(stream), 1)
        assert stream.value is not None
        return stream.value

    def event(self) -> int:
        """An event without a time."""
        event = c_void_p()
        self.call("cuEventCreate", byref(event), 2)
        assert event.value is not None
        return event.value


@functools.cache
def driver() -> Driver:
    """The driver of this process."""
    return Driver()
