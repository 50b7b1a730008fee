"""The names in a printed schedule.

A name of the source is kept unless it would hide a handle that is still needed.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence

from xdsl.ir import Operation, SSAValue

from tilewright.schedules.language.syntax import RESERVED, WORDS_OF_STATEMENTS
from tilewright.schedules.language.verbs.attribute_text import kind_text
from tilewright.transforms.core.base import AnyOpType, TransformOpHandleType

_RESERVED = {*RESERVED, *WORDS_OF_STATEMENTS}

NAME = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*", re.ASCII)
"""A name, as the grammar has it."""


def unique_name(text: str, taken: Collection[str]) -> str:
    """A name that the language allows; one in MLIR may have any character."""
    word = text
    if not NAME.fullmatch(text):
        word = re.sub(r"\W", "_", text, flags=re.ASCII)
        word = f"_{word}" if word[:1].isdigit() or not word else word
    word = f"{word}_" if word in _RESERVED else word
    found, number = word, 1
    while found in taken:
        number += 1
        found = f"{word}{number}"
    return found


def result_names(op: Operation, bound: Mapping[str, SSAValue]) -> list[str]:
    """Names for the results of an op that hide nothing needed after it."""
    words: list[str] = []
    for result in op.results:
        base, number = _base(result), 1
        word = base
        while word in words or _is_needed(bound.get(word), op):
            number += 1
            word = f"{base}{number}"
        words.append(word)
    return words


def argument_name(
    value: SSAValue, bound: Mapping[str, SSAValue], needed: Collection[SSAValue]
) -> str:
    """A name for an argument that hides none of the `needed` values."""
    base, number = _base(value), 1
    word = base
    while word in bound and bound[word] in needed:
        number += 1
        word = f"{base}{number}"
    return word


def targets(words: Sequence[str], results: Sequence[SSAValue]) -> Iterator[str]:
    """The names before the `=`, plain and then with their kinds."""
    yield ", ".join(words)
    kinds = [kind_text(result.type) for result in results]
    if words and None not in kinds:
        pairs = zip(words, kinds, strict=True)
        yield ", ".join(f"{word}: {kind}" for word, kind in pairs)


def kind_suffix(argument: SSAValue) -> str:
    """`: kind` for a parameter; nothing for a plain handle."""
    kind = kind_text(argument.type)
    return "" if kind is None or isinstance(argument.type, AnyOpType) else f": {kind}"


def _is_needed(value: SSAValue | None, op: Operation) -> bool:
    """Whether `value` is used after `op` in the block of `op`."""
    if value is None or op.parent is None:
        return False
    for use in value.uses:
        user = op.parent.find_ancestor_op_in_block(use.operation)
        if user is not None and user is not op and op.is_before_in_block(user):
            return True
    return False


def _base(value: SSAValue) -> str:
    """The name that a value has in the IR, or a short one if it has none."""
    hint = re.sub(r"_\d+$", "", value.name_hint or "")
    if not hint.isidentifier() or not hint.isascii():
        hint = "h" if isinstance(value.type, TransformOpHandleType) else "p"
    return f"{hint}_" if hint in _RESERVED else hint
