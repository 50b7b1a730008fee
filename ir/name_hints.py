"""Name hints: the names of values and blocks that xDSL can keep."""

from __future__ import annotations

import re

_FITS = re.compile(r"[A-Za-z_$.-][A-Za-z0-9_$.-]*")
_ONLY_NUMBERS = re.compile(r"(?:_[0-9]+)+")


def name_hint(name: str | None) -> str | None:
    """The name hint for a value called `name` in a text; None if xDSL cannot keep it.

    xDSL drops `_0` at the end of a name each time the value is copied, and fails on
    what is left of `%_0` or, two copies later, of `%_1_0`.
    """
    if name is None or _FITS.fullmatch(name) is None or _ONLY_NUMBERS.fullmatch(name):
        return None
    return name
