"""A calibration: what was measured of a device, as the cost models need it.

The numbers of a device are a JSON file in `calibrations/`, beside the measurements that
they were fitted to. `tilewright calibrate` makes them for another device.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, get_type_hints

from tilewright.codegen.targets.matmul_numbers import (
    FewRowNumbers,
    KernelNumbers,
    LibraryNumbers,
    MatmulNumbers,
    RoleNumbers,
    StreamNumbers,
    Tf32x3Numbers,
    VectorMatmulNumbers,
)
from tilewright.codegen.targets.memory_numbers import (
    GatherNumbers,
    MemoryNumbers,
    PartNumbers,
    RowLoopNumbers,
    RowNumbers,
)


@dataclass(frozen=True)
class Calibration:
    """The fitted numbers of one device, by the model that uses them."""

    launch: float
    """Seconds from the end of one kernel to the start of the next, with a full queue:
    the time of a kernel that does nothing."""
    memory: MemoryNumbers
    rows: RowNumbers
    row_loops: RowLoopNumbers
    gathers: GatherNumbers
    parts: PartNumbers
    matmuls: MatmulNumbers
    vector_matmuls: VectorMatmulNumbers
    tf32x3: Tf32x3Numbers
    streams: StreamNumbers
    few_rows: FewRowNumbers
    roles: RoleNumbers
    library: LibraryNumbers
    kernels: KernelNumbers


def from_data(data: Mapping[str, Any]) -> Calibration:
    """A calibration from its plain data; a missing number is an error."""
    kinds = get_type_hints(Calibration)
    parts = {name: data[name] for name in kinds}
    for name, kind in kinds.items():
        if kind is not float:
            parts[name] = kind(**{k: _typed(v) for k, v in data[name].items()})
    return Calibration(**parts)


def to_data(calibration: Calibration) -> dict[str, Any]:
    """A calibration as plain data, in the order of its fields."""
    return asdict(calibration)


def numbers(calibration: Calibration) -> dict[str, float]:
    """Every number by its path, such as `matmuls.fill` or `streams.alone.4`."""
    found: dict[str, float] = {"launch": calibration.launch}
    for part in fields(calibration)[1:]:
        group = getattr(calibration, part.name)
        for field in fields(group):
            value = getattr(group, field.name)
            path = f"{part.name}.{field.name}"
            if isinstance(value, Mapping):
                found |= {f"{path}.{key}": one for key, one in value.items()}
            elif isinstance(value, tuple | list):
                found |= {f"{path}.{r}x{c}": share for r, c, share in value}
            else:
                found[path] = value
    return found


def changed(calibration: Calibration, values: Mapping[str, float]) -> Calibration:
    """A calibration with other values of some numbers, by their paths."""
    data = to_data(calibration)
    for path, value in values.items():
        group, _, rest = path.partition(".")
        if not rest:
            data[group] = value
            continue
        name, _, key = rest.partition(".")
        held = data[group][name]
        if isinstance(held, dict):
            held[int(key)] = value
        elif key:
            data[group][name] = [
                (r, c, value if f"{r}x{c}" == key else share) for r, c, share in held
            ]
        else:
            data[group][name] = value
    return from_data(data)


def read_calibration(path: Path) -> Calibration:
    """The calibration in a file."""
    return from_data(json.loads(path.read_text())["numbers"])


def _typed(value: Any) -> Any:
    """A value of JSON as a field has it: keys are integers, tiles are tuples."""
    if isinstance(value, Mapping):
        return {int(key): one for key, one in value.items()}
    if isinstance(value, list):
        return tuple(tuple(one) for one in value)
    return value
