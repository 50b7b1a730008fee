"""The calibration that ships, its measurements, and what the fit makes of them.

The numbers in use are where the fit begins. They are older than the measurements, and
were fitted by hand to fewer ones. After a change of a cost model, fit again:

    python -m tilewright.tuning.calibrating.shipped
"""

from __future__ import annotations

import json
import lzma
import sys
from pathlib import Path

from tilewright.codegen import targets
from tilewright.codegen.targets import TARGETS
from tilewright.codegen.targets.calibration import Calibration, from_data, to_data
from tilewright.tuning.calibrating.fitting import fitted
from tilewright.tuning.calibrating.points import Measurements

FOLDER = Path(targets.__file__).parent / "calibrations"


def shipped_measurements(name: str) -> Measurements:
    """The times that the calibration of a device was fitted to."""
    packed = (FOLDER / f"{name}.measured.json.xz").read_bytes()
    return Measurements.from_data(json.loads(lzma.decompress(packed)))


def shipped_fit(name: str) -> Calibration:
    """The numbers that were fitted to these times, from the numbers in use."""
    return from_data(json.loads((FOLDER / f"{name}.json").read_text())["fitted"])


def replayed(name: str) -> Calibration:
    """The same, fitted again."""
    target = TARGETS[name]
    return fitted(shipped_measurements(name), target, target.calibration)


def main() -> None:
    """Fit again to the measurements of an H200, and write the result."""
    path = FOLDER / "h200.json"
    data = json.loads(path.read_text())
    data["fitted"] = to_data(replayed("h200"))
    path.write_text(json.dumps(data, indent=1) + "\n")
    sys.stdout.write(f"{path}\n")


if __name__ == "__main__":
    main()
