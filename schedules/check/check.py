"""The static check: finds errors in a schedule before it runs on any payload.

It works on transform IR, so `.tw` and `.mlir` are checked alike, and in every branch,
taken or not. It reports only what is certain.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.transform import NamedSequenceOp
from xdsl.ir import Operation

from tilewright.ir.errors import Note, UserError
from tilewright.ir.phrases import did_you_mean
from tilewright.ir.text import place_of
from tilewright.schedules.check.facts import check_facts
from tilewright.schedules.check.handles import check_handles
from tilewright.schedules.check.levels import check_levels
from tilewright.schedules.check.matches import unknown_names
from tilewright.schedules.check.signatures import (
    check_signatures,
    names_of_matchers,
    names_run,
    sequences_of,
    unmarked_arguments,
)
from tilewright.schedules.check.types import check_types, unneeded_declarations
from tilewright.schedules.check.unused import unused
from tilewright.schedules.language.verbs.vocabulary import verb_of
from tilewright.transforms.control.choices.defaults import check_defaults
from tilewright.transforms.control.choices.open_choices import choices, options_of
from tilewright.transforms.control.choices.selected_region import SelectedRegionOp
from tilewright.transforms.control.choices.tune_alternatives import AlternativesOp
from tilewright.transforms.control.choices.tune_knob import KnobOp
from tilewright.transforms.control.foreach_match import check_matcher
from tilewright.transforms.control.sequence import IncludeOp
from tilewright.transforms.core.base import TransformOp
from tilewright.transforms.interpreter import ENTRY


def check_module(module: ModuleOp, entry: str = ENTRY) -> list[UserError]:
    """The errors of a schedule, in the order of its text."""
    sequences = {
        op.sym_name.data: op for op in module.ops if isinstance(op, NamedSequenceOp)
    }
    includes = list(_check_includes(module, sequences))
    errors = [*includes, *_check_names(module), *_check_selected(module)]
    errors += check_signatures(module, entry)
    errors += unmarked_arguments(module)
    if includes or not _are_there(module, sequences):
        # The checks below follow includes, which must exist and must not recurse.
        return in_order(errors)
    errors += _check_matchers(module, sequences)
    errors += check_types(module, sequences)
    errors += _check_runs(sequences)
    if entry in sequences:
        errors += check_levels(sequences[entry], sequences)[0]
        if not errors:
            errors += check_defaults(module, entry)
    return in_order(errors)


def check_partial(module: ModuleOp) -> list[UserError]:
    """The errors of a schedule whose wrong statements were left out."""
    sequences = {
        op.sym_name.data: op for op in module.ops if isinstance(op, NamedSequenceOp)
    }
    if any(_check_includes(module, sequences)):
        return []
    return in_order(_check_runs(sequences))


def _check_runs(sequences: dict[str, NamedSequenceOp]) -> list[UserError]:
    """Errors along a run of each sequence: consumed handles, contradictions."""
    errors: list[UserError] = []
    for sequence in sequences.values():
        errors += check_handles(sequence, sequences)
        errors += check_facts(sequence)
    return errors


def check_warnings(module: ModuleOp, entry: str = ENTRY) -> list[UserError]:
    """Warnings: what is legal and probably not intended."""
    sequences = {
        op.sym_name.data: op for op in module.ops if isinstance(op, NamedSequenceOp)
    }
    levels: list[UserError] = []
    if entry in sequences:
        _, levels = check_levels(sequences[entry], sequences)
    return in_order(
        [
            *unneeded_declarations(sequences),
            *unused(module),
            *unknown_names(module),
            *levels,
        ]
    )


def _check_includes(
    module: ModuleOp, sequences: dict[str, NamedSequenceOp]
) -> Iterator[UserError]:
    declared = sequences_of(module)
    for op in module.walk():
        for name in names_run(op):
            title = op.name.removeprefix("transform.")
            if name not in declared:
                yield UserError(
                    f"{title}: no sequence '{name}'",
                    place_of(op),
                    did_you_mean(name, list(sequences)) or _definition(op, name),
                )
    for name, sequence in sequences.items():
        if name in _reached(sequence, sequences, set()):
            yield UserError(
                f"'{name}' includes itself",
                place_of(sequence),
                "take the include out; 'for each' repeats steps for every op",
            )


def _are_there(module: ModuleOp, sequences: dict[str, NamedSequenceOp]) -> bool:
    """Whether all sequences that some op runs have a body."""
    return all(name in sequences for op in module.walk() for name in names_run(op))


def _definition(op: Operation, name: str) -> str:
    """How to define a sequence in the language of a line."""
    mlir = f"define 'transform.named_sequence @{name}' in this file"
    tw = f"define it in this file: sequence {name}(HANDLE) {{ ... }}"
    return op.worded(mlir=mlir, tw=tw) if isinstance(op, TransformOp) else mlir


def _check_matchers(
    module: ModuleOp, sequences: dict[str, NamedSequenceOp]
) -> Iterator[UserError]:
    """Errors of matchers that change payload."""
    names = {name for op in module.walk() for name in names_of_matchers(op)}
    for name, sequence in sequences.items():
        if name not in names:
            continue
        try:
            check_matcher(sequence)
        except UserError as error:
            yield error


def _reached(
    sequence: NamedSequenceOp, sequences: dict[str, NamedSequenceOp], seen: set[str]
) -> set[str]:
    for op in sequence.walk():
        if isinstance(op, IncludeOp):
            name = op.target.string_value()
            if name not in seen and name in sequences:
                seen.add(name)
                _reached(sequences[name], sequences, seen)
    return seen


def _check_names(module: ModuleOp) -> Iterator[UserError]:
    """Errors of names that stand for two different choices."""
    first: dict[str, KnobOp | AlternativesOp] = {}
    for op in choices(module):
        name = op.choice_name
        other = first.setdefault(name, op)
        if type(other) is not type(op) or options_of(other) != options_of(op):
            yield UserError(
                f"'{name}' names two different choices",
                place_of(op),
                "rename one, or give both the same options",
                [Note("the first is here", place_of(other))],
            )


def _check_selected(module: ModuleOp) -> Iterator[UserError]:
    """Errors of constraints on branches that their choice does not have."""
    labels = {
        op.choice_name: op.labels
        for op in choices(module)
        if isinstance(op, AlternativesOp)
    }
    for op in module.walk():
        if not isinstance(op, SelectedRegionOp):
            continue
        name = op.alternatives_name.data
        if labels.get(name) != tuple(label.data for label in op.labels):
            yield UserError(
                f"{verb_of(op)}: there are no alternatives '{name}' with these regions",
                place_of(op),
                did_you_mean(name, [n for n in labels if n != name])
                or "give the labels that the alternatives have, in their order",
            )


def in_order(errors: list[UserError]) -> list[UserError]:
    """Errors by place, without duplicates: a sequence may be included twice."""
    unique: dict[str, UserError] = {}
    for error in errors:
        unique.setdefault(str(error), error)
    return sorted(unique.values(), key=_position)


def _position(error: UserError) -> tuple[int, int]:
    return (error.place.line, error.place.column) if error.place else (0, 0)
