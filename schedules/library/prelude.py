"""Reads the sequences of the library, which schedules include without defining."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from xdsl.dialects.transform import NamedSequenceOp

from tilewright.schedules.language.lowering.lower import lower
from tilewright.schedules.language.parsing.parser import parse
from tilewright.schedules.language.syntax import LIBRARY, Definition, File, Import
from tilewright.schedules.library.imports import (
    FOLDER,
    PRELUDE,
    module_names,
    with_imports,
)


@cache
def definitions() -> Mapping[str, Definition]:
    """The sequences that need no import, as trees, by name."""
    text = (FOLDER / f"{PRELUDE}.tw").read_text(encoding="utf-8")
    file = parse(text, f"{LIBRARY}{PRELUDE}.tw")
    return {definition.name.text: definition for definition in file.definitions}


@cache
def sequences() -> Mapping[str, NamedSequenceOp]:
    """The sequences that need no import, as IR; callers must not change them."""
    return _lowered(definitions())


@cache
def sequences_of(module: str) -> Mapping[str, NamedSequenceOp]:
    """The sequences of a file of the library, as IR, by full name.

    It is empty if the library has no such file. Callers must not change them.
    """
    if module not in module_names():
        return {}
    imported = with_imports(File((), (), (Import(module, False),)), "library.tw")
    for error in imported.errors:
        raise AssertionError(f"the library is broken: {error}")
    return _lowered(imported.definitions)


def _lowered(found: Mapping[str, Definition]) -> Mapping[str, NamedSequenceOp]:
    lowered = lower(File(tuple(found.values())), {**definitions(), **found})
    for error in lowered.errors:
        raise AssertionError(f"the library is broken: {error}")
    ops: dict[str, NamedSequenceOp] = {}
    for op in list(lowered.module.ops):
        assert isinstance(op, NamedSequenceOp)
        # Only ops without a parent compare equal to ops of another module.
        op.detach()
        ops[op.sym_name.data] = op
    return ops
