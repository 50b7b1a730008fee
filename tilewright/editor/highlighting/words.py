"""The words of the language by what they are, for grammars."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from tilewright.editor.reading.roles import options_of, slots_of, words_of
from tilewright.editor.reading.scanner import keywords
from tilewright.ir.structured.roles import Role
from tilewright.schedules.language.syntax import (
    CONSTANTS,
    KEYWORDS,
    NUMBER_FUNCTIONS,
    OPERATORS,
    OPTION_FUNCTIONS,
    PAYLOAD_NUMBERS,
)
from tilewright.schedules.language.verbs.forms import Kind
from tilewright.schedules.language.verbs.vocabulary import FUNCTIONS, VERBS
from tilewright.transforms.op_sources import op_sources


@dataclass(frozen=True)
class Words:
    """All words, each group in alphabetical order."""

    definitions: tuple[str, ...]
    """Words that stand outside of definitions."""
    statements: tuple[str, ...]
    """Keywords that begin a statement, or stand in one."""
    constants: tuple[str, ...]
    operators: tuple[str, ...]
    verbs: tuple[str, ...]
    ops: tuple[str, ...]
    """Ops without a verb and without a dot; dotted ones need no list."""
    form_words: tuple[str, ...]
    """Words in the forms of verbs: `by`, `onto`, `into`."""
    options: tuple[str, ...]
    functions: tuple[str, ...]
    roles: tuple[str, ...]
    role_verbs: tuple[str, ...]
    """Verbs that a role may follow; elsewhere the word is a name."""


@cache
def all_words() -> Words:
    """The words, from the tables of the language."""
    verbs = {verb.name for verb in VERBS}
    inside = {*KEYWORDS, *CONSTANTS, *OPERATORS, "default", "else"}
    form_words = {word for verb in VERBS for word in words_of(verb.form.parts)}
    outside = set(keywords()) - inside - form_words - {"shortest"}
    return Words(
        definitions=_sorted(outside),
        statements=_sorted({*keywords()} - outside - {*CONSTANTS} - {*OPERATORS}),
        constants=CONSTANTS,
        operators=OPERATORS,
        verbs=_sorted(verbs),
        ops=_sorted(
            name
            for name in op_sources()
            if "." not in name and name not in {*verbs, *keywords()}
        ),
        form_words=_sorted(form_words - {*keywords()}),
        options=_sorted(
            option.key for verb in VERBS for option in options_of(verb.form.parts)
        ),
        functions=_sorted(
            {*FUNCTIONS, *NUMBER_FUNCTIONS, *PAYLOAD_NUMBERS, *OPTION_FUNCTIONS}
        ),
        roles=_sorted(Role),
        role_verbs=_sorted(
            verb.name
            for verb in VERBS
            if any(slot.kind is Kind.ROLE for slot in slots_of(verb.form.parts))
        ),
    )


def _sorted(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted({str(word) for word in words}))
