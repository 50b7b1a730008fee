"""The syntax file of vim and Neovim."""

from __future__ import annotations

from collections.abc import Iterable

from tilewright.editor.highlighting.words import Words

_HEAD = """\
" Vim syntax file of tilewright schedules (*.tw).
" Written by: python -m tilewright.editor.highlighting
if exists("b:current_syntax")
  finish
endif

syntax case match
"""

_MATCHES = r"""
syntax match twName "\<\h\w*\%(\.\h\w*\)*\>"
syntax match twOp "\%(^\s*\|[=;{}]\s*\)\@<=\l[a-z_0-9]*\%(\.[a-z_][a-z_0-9]*\)\+\>"
syntax match twNumber "\<\d\+\%(\.\d\+\%([eE][+-]\?\d\+\)\?\)\?\>"
syntax region twString start=+"+ end=+"+ oneline
syntax region twMlir start=+`+ end=+`+ oneline
syntax match twComment "//.*$" contains=@Spell
"""

_TAIL = """
highlight default link twDefinition Keyword
highlight default link twStatement Statement
highlight default link twConstant Boolean
highlight default link twOperator Operator
highlight default link twVerb Function
highlight default link twOp Function
highlight default link twFormWord Keyword
highlight default link twOption Identifier
highlight default link twFunction Function
highlight default link twRole Constant
highlight default link twNumber Number
highlight default link twString String
highlight default link twMlir Special
highlight default link twComment Comment

let b:current_syntax = "tilewright"
"""


def vim(words: Words) -> str:
    """The syntax file; in vim a later rule wins."""
    first_words = [*words.verbs, *words.ops]
    parts = [
        _HEAD,
        _MATCHES,
        _match(
            "twVerb", first_words, before=r"\%(^\s*\|[=;{}]\s*\)\@<=", after=_UNBOUND
        ),
        _match("twOption", words.options, after=r"\%(\s*=[^=]\)\@="),
        _match("twFormWord", words.form_words),
        _match("twFunction", words.functions, after=r"(\@="),
        _match("twRole", words.roles, before=_after(words.role_verbs)),
        _match("twDefinition", words.definitions),
        _match("twStatement", words.statements),
        _match("twConstant", words.constants),
        _match("twOperator", words.operators),
        _TAIL,
    ]
    return "".join(parts)


_UNBOUND = r"\%(\s*\%(=[^=]\|,\|:\)\)\@!"


def _match(group: str, words: Iterable[str], before: str = "", after: str = "") -> str:
    ordered = sorted(words, key=lambda word: (-len(word), word))
    texts = [word.replace(" ", r"\s\+") for word in ordered]
    choices = r"\|".join(texts)
    pattern = rf"{before}\<\%({choices}\)\>{after}"
    return f'syntax match {group} "{pattern}"\n'


def _after(words: Iterable[str]) -> str:
    """What stands directly before a match: one of the words."""
    choices = r"\|".join(words)
    return rf"\%(\<\%({choices}\)?\=\s\+\)\@<="
