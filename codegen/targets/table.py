"""The known devices, read from `devices/`, and the device that is present."""

from __future__ import annotations

import difflib
import functools
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from tilewright.codegen.cuda_driver import DeviceProperties, present_device
from tilewright.codegen.targets.calibration import Calibration, read_calibration
from tilewright.codegen.targets.stored import stored_calibration
from tilewright.codegen.targets.target import Target
from tilewright.ir.errors import UserError

_DEVICES = Path(__file__).parent / "devices"
_CALIBRATIONS = Path(__file__).parent / "calibrations"


class _Table(Mapping[str, Target]):
    """The devices by name; a file is read when its device is asked for."""

    def __getitem__(self, name: str) -> Target:
        if name not in _names():
            raise KeyError(name)
        return _read(name)

    def __iter__(self) -> Iterator[str]:
        return iter(_names())

    def __len__(self) -> int:
        return len(_names())


TARGETS: Mapping[str, Target] = _Table()


@functools.cache
def _names() -> tuple[str, ...]:
    return tuple(sorted(path.stem for path in _DEVICES.glob("*.toml")))


@functools.cache
def _read(name: str) -> Target:
    """A device from its file; `like` names the device that has what is left out."""
    with (_DEVICES / f"{name}.toml").open("rb") as file:
        fields = tomllib.load(file)
    if "capability" in fields:
        fields["capability"] = tuple(fields["capability"])
    if "calibration" in fields:
        fields["calibration"] = _calibration(fields["calibration"])
    if like := fields.pop("like", None):
        return replace(_read(like), name=name, **fields)
    return Target(name=name, **fields)


@functools.cache
def _calibration(name: str) -> Calibration:
    return read_calibration(_CALIBRATIONS / f"{name}.json")


def target_named(name: str) -> Target:
    """The target of this name; a wrong name is answered with the known ones."""
    found = TARGETS.get(name.lower())
    if found is not None:
        return found
    near = difflib.get_close_matches(name.lower(), TARGETS, n=1)
    guess = f"did you mean '{near[0]}'? " if near else ""
    known = ", ".join(TARGETS)
    raise UserError(f"unknown target '{name}'", remedy=f"{guess}known targets: {known}")


def detect() -> Target | None:
    """The present CUDA device as a target, or None where there is none.

    It has the user's own calibration, if there is one.
    """
    found = present_device()
    return None if found is None else target_of(found)


def target_of(found: DeviceProperties) -> Target:
    """A present CUDA device as a target, with the user's own calibration."""
    target = from_properties(found)
    own = stored_calibration(found.name)
    if own is None:
        return target
    return replace(target, calibration=own[0], calibrated=own[1])


def device_name() -> str | None:
    """The name of the present CUDA device, as the vendor spells it."""
    found = present_device()
    return None if found is None else found.name


def _nearest(capability: tuple[int, int]) -> Target:
    """The newest known CUDA device that is not newer than a compute capability."""
    known = [t for t in TARGETS.values() if t.backend == "cuda"]
    oldest = min(known, key=lambda t: t.capability)
    older = [t for t in known if t.capability <= capability] or [oldest]
    found = max(older, key=lambda t: (t.capability, t.name == "h100"))
    if capability[0] > 11:  # Blackwell for workstations has no tensor memory
        found = replace(found, matrix_instructions="mma")
    return found


def from_properties(properties: Any) -> Target:
    """A target from a device's properties, torch's or the driver's.

    A known device keeps its data sheet. An unknown one takes the rates of the nearest
    known device, scaled by its number of SMs, with its own limits: estimates are then
    rough, but what fits and what does not stays right.
    """
    words = properties.name.lower().replace("-", " ").split()
    for name, target in TARGETS.items():
        if name in words:
            return target
    near = _nearest((properties.major, properties.minor))
    scale = properties.multi_processor_count / near.sms
    return replace(
        near,
        name=properties.name,
        capability=(properties.major, properties.minor),
        sms=properties.multi_processor_count,
        shared_per_block=getattr(
            properties, "shared_memory_per_block_optin", near.shared_per_block
        ),
        shared_per_sm=getattr(
            properties, "shared_memory_per_multiprocessor", near.shared_per_sm
        ),
        registers_per_sm=getattr(
            properties, "regs_per_multiprocessor", near.registers_per_sm
        ),
        max_threads_per_sm=getattr(
            properties, "max_threads_per_multi_processor", near.max_threads_per_sm
        ),
        tensor_flops={k: v * scale for k, v in near.tensor_flops.items()},
        vector_flops=near.vector_flops * scale,
        l2_bytes=getattr(properties, "L2_cache_size", near.l2_bytes),
    )
