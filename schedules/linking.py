"""Libraries of named sequences: `--library FILE`, as upstream preloads them.

    transform.named_sequence private @tile_it(!transform.any_op {transform.consumed})

A schedule declares what it uses, and a library defines it. Linking puts every sequence
of the libraries into the schedule. A definition takes the place of a declaration with
the same signature. Where two sequences have one name, a private one gets a new name.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

from xdsl.dialects.builtin import ArrayAttr, ModuleOp, StringAttr, SymbolRefAttr
from xdsl.dialects.transform import NamedSequenceOp
from xdsl.ir import Attribute, Operation
from xdsl.utils.hints import isa

from tilewright.ir.errors import Note, UserError
from tilewright.ir.text import parse_module, place_of, read_text, source_name
from tilewright.schedules.schedule import Schedule
from tilewright.transforms.control.declared_sequence import DeclaredSequenceOp
from tilewright.transforms.dialect import schedule_context

AnySequence: TypeAlias = NamedSequenceOp | DeclaredSequenceOp


def read_libraries(paths: Iterable[Path]) -> list[Schedule]:
    """The libraries at some paths; a folder stands for the `.mlir` files in it."""
    files = [
        file
        for path in paths
        for file in (sorted(path.glob("*.mlir")) if path.is_dir() else [path])
    ]
    return [_read(file) for file in files]


def _read(path: Path) -> Schedule:
    module = parse_module(read_text(path), source_name(path), schedule_context())
    _, library = Schedule.split(module)
    if library is None:
        raise UserError(
            f"{path} holds no named sequence",
            remedy="a library is a module with transform.with_named_sequence",
        )
    return library


def linked(schedule: Schedule | None, libraries: Iterable[Schedule]) -> Schedule | None:
    """A schedule with the sequences of libraries; without one, the libraries alone."""
    for library in libraries:
        if schedule is None:
            schedule = library
        else:
            module = schedule.module.clone()
            _merge(module, library.module.clone())
            schedule = replace(schedule, module=module)
    return schedule


def _merge(module: ModuleOp, library: ModuleOp) -> None:
    """Move the sequences of a library into a module."""
    for other in list(_sequences(library)):
        mine = {op.sym_name.data: op for op in _sequences(module)}
        known = mine.get(other.sym_name.data)
        if known is not None and not _resolve(known, other, module, library):
            continue
        other.detach()
        module.body.block.add_op(other)


def _resolve(
    known: AnySequence, other: AnySequence, module: ModuleOp, library: ModuleOp
) -> bool:
    """Settle two sequences of one name; whether the second is still needed."""
    name = other.sym_name.data
    if isinstance(known, DeclaredSequenceOp) or isinstance(other, DeclaredSequenceOp):
        if known.function_type != other.function_type:
            raise UserError(
                f"@{name} is {other.function_type} here, and {known.function_type} "
                "where it is declared",
                place_of(other),
                "give both the same signature",
                [Note("the other is here", place_of(known))],
            )
        if isinstance(other, DeclaredSequenceOp):
            return False
        known.detach()
        return True
    taken = {op.sym_name.data for m in (module, library) for op in _sequences(m)}
    for op, home in ((other, library), (known, module)):
        if op.sym_visibility is not None and op.sym_visibility.data == "private":
            _rename(op, _free_name(name, taken), home)
            return True
    raise UserError(
        f"@{name} is defined twice",
        place_of(other),
        "rename one, or make it private",
        [Note("the other definition is here", place_of(known))],
    )


def _sequences(module: ModuleOp) -> Iterable[AnySequence]:
    return [
        op for op in module.ops if isinstance(op, NamedSequenceOp | DeclaredSequenceOp)
    ]


def _free_name(name: str, taken: set[str]) -> str:
    number = 0
    while f"{name}_{number}" in taken:
        number += 1
    return f"{name}_{number}"


def _rename(sequence: AnySequence, to: str, module: ModuleOp) -> None:
    """Rename a sequence, and what refers to it in its module."""
    old = SymbolRefAttr(sequence.sym_name)
    sequence.properties["sym_name"] = StringAttr(to)
    for op in module.walk():
        _rename_uses(op, old, SymbolRefAttr(to))


def _rename_uses(op: Operation, old: Attribute, new: Attribute) -> None:
    for key, value in op.properties.items():
        if value == old:
            op.properties[key] = new
        elif isa(value, ArrayAttr[Attribute]) and old in value.data:
            op.properties[key] = ArrayAttr(
                [new if entry == old else entry for entry in value.data]
            )
