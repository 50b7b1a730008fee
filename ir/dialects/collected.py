"""A dialect of all ops and attributes that a package has: no second list of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from xdsl.ir import Attribute, Dialect, Operation


def collected(dialect: str, namespace: Mapping[str, Any]) -> Dialect:
    """The dialect of the classes in a namespace whose names begin with its name."""
    found = [value for value in namespace.values() if isinstance(value, type)]
    classes = [
        each
        for each in dict.fromkeys(found)
        if str(getattr(each, "name", "")).startswith(f"{dialect}.")
    ]
    return Dialect(
        dialect,
        [each for each in classes if issubclass(each, Operation)],
        [each for each in classes if issubclass(each, Attribute)],
    )
