"""Arguments of a call: torch's tensors, and arrays of other libraries on the GPU.

An argument is one of torch's tensors, or an object with `__cuda_array_interface__` or
`__dlpack__`. Nothing is copied and nothing is kept after the call.
"""

from __future__ import annotations

import ctypes
import sys
from ctypes import POINTER, Structure, c_int32, c_int64, c_uint8, c_uint16, c_uint64
from math import prod
from typing import Any, NamedTuple

from .driver import driver
from .files import printable

TYPES: dict[str, tuple[str, tuple[str, ...], tuple[int, int]]] = {
    "f64": ("torch.float64", ("<f8",), (2, 64)),
    "f32": ("torch.float32", ("<f4",), (2, 32)),
    "f16": ("torch.float16", ("<f2",), (2, 16)),
    "bf16": ("torch.bfloat16", ("<V2", "|V2", "<u2", "<i2"), (4, 16)),
    "f8E4M3FN": ("torch.float8_e4m3fn", ("|V1", "|u1", "|i1"), (10, 8)),
    "f8E5M2": ("torch.float8_e5m2", ("|V1", "|u1", "|i1"), (12, 8)),
    "i1": ("torch.bool", ("|b1",), (6, 8)),
    "i8": ("torch.int8", ("|i1",), (0, 8)),
    "i16": ("torch.int16", ("<i2",), (0, 16)),
    "i32": ("torch.int32", ("<i4",), (0, 32)),
    "i64": ("torch.int64", ("<i8",), (0, 64)),
    "index": ("torch.int64", ("<i8",), (0, 64)),
}
"""Torch's name of each element type, the type strings of `__cuda_array_interface__`
that hold it, and DLPack's code and bits. Array interfaces have no names for bf16
and fp8."""


class ArgumentError(ValueError):
    """An argument does not fit the program."""

    def __init__(self, message: str):
        super().__init__(printable(message))


class Given(NamedTuple):
    """An argument of a call."""

    address: int
    shape: tuple[int, ...]
    dtype: Any
    """Torch's dtype, a type string, or DLPack's code and bits."""
    device: int
    """The GPU's number; -1 is the CPU."""
    is_contiguous: bool
    keeps: Any = None
    """What must live until the launch: a DLPack capsule."""

    def holds(self, dtype: str) -> bool:
        """Whether its elements are of a program's element type."""
        torch_name, typestrs, pack = TYPES[dtype]
        if isinstance(self.dtype, str):
            return self.dtype in typestrs
        return self.dtype == pack or str(self.dtype) == torch_name


def is_tensor(value: Any) -> bool:
    """Whether a value is one of torch's tensors."""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(value, torch.Tensor)


def given(value: Any, name: str, stream: int) -> Given:
    """The argument of a call."""
    if is_tensor(value):
        is_plain = value.is_contiguous() and not value.is_neg()
        device = value.get_device() if value.is_cuda else -1
        address = value.data_ptr()
        return Given(address, tuple(value.shape), value.dtype, device, is_plain)
    interface = getattr(value, "__cuda_array_interface__", None)
    if interface is not None:
        shape = tuple(interface["shape"])
        dtype, address = interface["typestr"], interface["data"][0]
        size = int(dtype[2:])
        strides = interface.get("strides")
        is_plain = strides is None or _is_row_major(shape, strides, size)
        device = driver().device_of(address) if address else 0
        return Given(address, shape, dtype, device, is_plain)
    if hasattr(value, "__dlpack__"):
        return _from_dlpack(value, name, stream)
    raise ArgumentError(
        f"argument '{name}' is a {type(value).__name__}; pass a torch tensor, or an "
        "array with __cuda_array_interface__ or __dlpack__"
    )


class _DlTensor(Structure):
    _fields_ = [
        *[("data", c_uint64), ("device_type", c_int32), ("device_id", c_int32)],
        *[("ndim", c_int32), ("code", c_uint8), ("bits", c_uint8), ("lanes", c_uint16)],
        *[("shape", POINTER(c_int64)), ("strides", POINTER(c_int64))],
        ("byte_offset", c_uint64),
    ]


def _from_dlpack(value: Any, name: str, stream: int) -> Given:
    kind, ordinal = value.__dlpack_device__()
    on_gpu = int(kind) == 2
    # 1 is the default stream in this protocol.
    capsule = value.__dlpack__(stream=stream or 1) if on_gpu else value.__dlpack__()
    read = ctypes.pythonapi.PyCapsule_GetPointer
    read.restype, read.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    address = read(capsule, b"dltensor")
    tensor = _DlTensor.from_address(address)
    shape = tuple(tensor.shape[: tensor.ndim])
    strides = tuple(tensor.strides[: tensor.ndim]) if tensor.strides else None
    return Given(
        (tensor.data or 0) + tensor.byte_offset,
        shape,
        (tensor.code, tensor.bits),
        int(ordinal) if on_gpu else -1,
        strides is None or _is_row_major(shape, strides, 1),
        capsule,
    )


def _is_row_major(shape: tuple[int, ...], strides: Any, size: int) -> bool:
    if 0 in shape:
        return True
    step = size
    for extent, stride in zip(reversed(shape), reversed(tuple(strides)), strict=True):
        if extent != 1 and stride != step:
            return False
        step *= extent
    return True


def element_bytes(dtype: str) -> int:
    """Bytes of an element."""
    return TYPES[dtype][2][1] // 8


class DeviceArray:
    """A result where the arguments are not torch's: memory in the order of a stream.

    Other libraries read it by `__cuda_array_interface__`.
    """

    def __init__(
        self,
        shape: tuple[int, ...],
        dtype: str,
        stream: int,
        base: DeviceArray | None = None,
    ):
        self.shape, self.dtype, self._stream = shape, dtype, stream
        self.nbytes = prod(shape) * element_bytes(dtype)
        self._base = base
        self._free = driver().free
        if base is None:
            self.address = driver().allocate(self.nbytes, stream)
        else:
            self.address = base.address

    def viewed(self, shape: tuple[int, ...], dtype: str) -> DeviceArray:
        """The same memory in another shape."""
        return DeviceArray(shape, dtype, self._stream, self)

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        """Address, shape and type; `<V2` and `|V1` are bf16 and fp8."""
        return {
            "shape": self.shape,
            "typestr": TYPES[self.dtype][1][0],
            "data": (self.address, False),
            "version": 3,
            "stream": self._stream or 1,
        }

    def to_bytes(self) -> bytes:
        """A copy in the host's memory, row by row."""
        return driver().read(self.address, self.nbytes, self._stream)

    def __del__(self) -> None:
        """Free the memory after all that its stream has to do."""
        if self._base is None and hasattr(self, "address"):
            self._free(self.address, self._stream)
