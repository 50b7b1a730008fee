"""Reads the sequences of the library, which schedules include without defining."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from xdsl.dialects.transform import NamedSequenceOp

from tilewright.schedules.language.lowering.lower import lower
from tilewright.schedules.language.parsing.parser import parse
from tilewright.schedules.language.syntax import LIBRARY, Definition

_FOLDER = Path(__file__).parent


@cache
def definitions() -> Mapping[str, Definition]:
    """The library's sequences as trees, by name."""
    found: dict[str, Definition] = {}
    for path in sorted(_FOLDER.glob("*.tw")):
        file = parse(path.read_text(encoding="utf-8"), f"{LIBRARY}{path.name}")
        found |= {definition.name.text: definition for definition in file.definitions}
    return found


@cache
def sequences() -> Mapping[str, NamedSequenceOp]:
    """The library's sequences as IR, by name; callers must not change them."""
    found: dict[str, NamedSequenceOp] = {}
    for path in sorted(_FOLDER.glob("*.tw")):
        file = parse(path.read_text(encoding="utf-8"), f"{LIBRARY}{path.name}")
        lowered = lower(file, definitions())
        for error in lowered.errors:
            raise AssertionError(f"the library is broken: {error}")
        for op in lowered.module.ops:
            assert isinstance(op, NamedSequenceOp)
            found[op.sym_name.data] = op
        # Only ops without a parent compare equal to ops of another module.
        for op in found.values():
            if op.parent is not None:
                op.detach()
    return found
