"""The present CUDA device, asked of the driver's own library.

Torch answers the same questions, but importing it takes seconds. Only a process that
runs kernels needs it.
"""

from __future__ import annotations

import ctypes
import functools
import importlib.util
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_ATTRIBUTES = {
    "multi_processor_count": 16,
    "major": 75,
    "minor": 76,
    "shared_memory_per_block_optin": 97,
    "shared_memory_per_multiprocessor": 81,
    "regs_per_multiprocessor": 82,
    "max_threads_per_multi_processor": 39,
    "L2_cache_size": 38,
}
"""The driver's numbers of the properties, by the names that torch gives them."""


@dataclass(frozen=True)
class DeviceProperties:
    """Properties of a device, with torch's names."""

    name: str
    major: int
    minor: int
    multi_processor_count: int
    shared_memory_per_block_optin: int
    shared_memory_per_multiprocessor: int
    regs_per_multiprocessor: int
    max_threads_per_multi_processor: int
    L2_cache_size: int


def present_device() -> DeviceProperties | None:
    """The first visible device; None where torch could not use one."""
    return next(iter(present_devices()), None)


@functools.cache
def present_devices() -> tuple[DeviceProperties, ...]:
    """The visible devices, by their numbers; none where torch could not use one."""
    driver = _driver()
    if driver is None or not _torch_has_cuda():
        return ()
    count = ctypes.c_int()
    if driver.cuInit(0) or driver.cuDeviceGetCount(ctypes.byref(count)):
        return ()
    found: list[DeviceProperties] = []
    for number in range(count.value):
        # A device that does not answer ends the list, so that positions are numbers.
        if (one := _properties(driver, number)) is None:
            break
        found.append(one)
    return tuple(found)


def _properties(driver: Any, number: int) -> DeviceProperties | None:
    device = ctypes.c_int()
    if driver.cuDeviceGet(ctypes.byref(device), number):
        return None
    name = ctypes.create_string_buffer(256)
    if driver.cuDeviceGetName(name, len(name), device):
        return None
    found: dict[str, int] = {}
    for attribute, number in _ATTRIBUTES.items():
        value = ctypes.c_int()
        if driver.cuDeviceGetAttribute(ctypes.byref(value), number, device):
            return None
        found[attribute] = value.value
    return DeviceProperties(name.value.decode(errors="replace"), **found)


def present_device_id() -> str:
    """A number that only the first visible device has; empty where there is none."""
    driver = _driver()
    device, number = ctypes.c_int(), (ctypes.c_ubyte * 16)()
    if (
        driver is None
        or driver.cuInit(0)
        or driver.cuDeviceGet(ctypes.byref(device), 0)
    ):
        return ""
    ask = getattr(driver, "cuDeviceGetUuid", None)
    if ask is None or ask(number, device):
        return ""
    return bytes(number).hex()


def has_driver() -> bool:
    """Whether the driver's library is here, with or without a device."""
    return _driver() is not None


@functools.cache
def _driver() -> Any:
    if sys.platform != "linux":
        return None
    try:
        return ctypes.CDLL("libcuda.so.1")
    except OSError:
        return None


def _torch_has_cuda() -> bool:
    """Whether the installed torch was built for CUDA, without importing it."""
    found = importlib.util.find_spec("torch")
    if found is None or found.origin is None:
        return False
    try:
        text = (Path(found.origin).parent / "version.py").read_text()
    except OSError:
        return True
    return re.search(r"^cuda\b[^=]*=\s*None", text, re.MULTILINE) is None
