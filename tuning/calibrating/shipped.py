"""The calibration that ships: what the fit makes of its measurements.

The fit begins at the numbers of `start`, which were fitted by hand to fewer, earlier
times, and a number that few times depend on stays near them. `kept` says which numbers
are those of the start, and why. After a change of a cost model, fit again:

    python -m tilewright.tuning.calibrating.shipped
"""

from __future__ import annotations

import json
import lzma
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from tilewright.codegen import targets
from tilewright.codegen.targets import TARGETS, Target
from tilewright.codegen.targets.calibration import Calibration, from_data, to_data
from tilewright.tuning.calibrating.fitting import fitted
from tilewright.tuning.calibrating.points import Measurements

FOLDER = Path(targets.__file__).parent / "calibrations"


def shipped_measurements(name: str) -> Measurements:
    """The times that the calibration of a device was fitted to."""
    packed = (FOLDER / f"{name}.measured.json.xz").read_bytes()
    return Measurements.from_data(json.loads(lzma.decompress(packed)))


def at_start(name: str) -> Target:
    """A device with the numbers that its fit begins at."""
    return replace(TARGETS[name], calibration=from_data(_data(name)["start"]))


def kept_numbers(name: str) -> tuple[str, ...]:
    """The beginnings of the paths of numbers that the fit leaves at their start."""
    return tuple(_data(name)["kept"])


def replayed(name: str) -> Calibration:
    """The numbers of a device, fitted again."""
    target = at_start(name)
    measured, kept = shipped_measurements(name), kept_numbers(name)
    return fitted(measured, target, target.calibration, kept=kept)


def _data(name: str) -> dict[str, Any]:
    return json.loads((FOLDER / f"{name}.json").read_text())


def main() -> None:
    """Fit again to the measurements of an H200, and write the result."""
    path = FOLDER / "h200.json"
    data = _data("h200")
    data["numbers"] = to_data(replayed("h200"))
    path.write_text(json.dumps(data, indent=1) + "\n")
    sys.stdout.write(f"{path}\n")


if __name__ == "__main__":
    main()
