"""Calibrations that the user made, kept in the cache folder as JSON.

`TILEWRIGHT_CACHE` moves that folder, or turns it off. The files are data: numbers that
are missing, not numbers or not above 0 make a file unusable, which is said once.
"""

from __future__ import annotations

import functools
import hashlib
import json
import logging
import math
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tilewright.codegen.targets.calibration import (
    Calibration,
    from_data,
    numbers,
    to_data,
)

_log = logging.getLogger("tilewright")


def calibration_path(device: str) -> Path | None:
    """Where the calibration of a device is kept; None if the cache folder is off."""
    setting = os.environ.get("TILEWRIGHT_CACHE", "")
    if setting.lower() in ("off", "0"):
        return None
    import platformdirs

    user = platformdirs.user_cache_path("tilewright", appauthor=False)
    folder = Path(setting).expanduser() if setting else user
    name = re.sub(r"[^a-z0-9]+", "-", device.lower()).strip("-") or "device"
    return folder / "calibrations" / f"{name}.json"


def stored_calibration(device: str) -> tuple[Calibration, str] | None:
    """The user's calibration of a device and a hash of it; None if there is none."""
    path = calibration_path(device)
    if path is None:
        return None
    try:
        text = path.read_text("utf-8")
    except OSError:
        return None
    found = _checked(text)
    if found is None:
        _warn_once(f"{path} is no calibration of this version; calibrate again")
        return None
    return found, hashlib.sha256(text.encode()).hexdigest()[:8]


def store_calibration(
    path: Path, device: str, calibration: Calibration, measured: Mapping[str, Any]
) -> None:
    """Write a calibration, and what it was fitted to, in one step."""
    data = {"device": device, "numbers": to_data(calibration), "measured": measured}
    path.parent.mkdir(parents=True, exist_ok=True)
    written = path.with_suffix(f".{os.getpid()}.tmp")
    written.write_text(json.dumps(data), "utf-8")
    written.replace(path)


def _checked(text: str) -> Calibration | None:
    try:
        found = from_data(json.loads(text)["numbers"])
        values = list(numbers(found).values())
        sound = all(math.isfinite(value) and value > 0 for value in values)
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError):
        return None
    return found if sound else None


@functools.cache
def _warn_once(fact: str) -> None:
    _log.warning("tilewright: %s", fact)
