"""What the editors offer at the cursor: verbs, handles in scope, op names, attributes.

Works on the text before the cursor, which need not parse: it is being typed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from tilewright.explorer.server.language import inner_words, keywords, op_names
from tilewright.explorer.server.texts import Texts
from tilewright.ir.launch_attributes.table import LAUNCH_ATTRIBUTES
from tilewright.schedules.language.verbs.vocabulary import BY_NAME, FUNCTIONS, VERBS

Offer = dict[str, Any]

_WORD = re.compile(r"[A-Za-z_][A-Za-z_0-9.]*$")
_TOKEN = re.compile(
    r"""//[^\n]*|"[^"\n]*"?|(?P<head>\b(?:schedule|sequence)\s+\w+\s*\((?P<names>[^)\n]*)\)?)
    |(?P<targets>[A-Za-z_]\w*(?:\s*,\s*[A-Za-z_]\w*)*)\s*=(?!=)\s*(?P<verb>[A-Za-z_]\w*)?
    |\bfor\s+each\s+(?P<each>\w+(?:\s*,\s*\w+)*)|(?P<open>\{)|(?P<close>\})""",
    re.X,
)
_MOST = 400
"""Offers in one answer."""


def complete(texts: Texts, editor: str, offset: int) -> dict[str, Any]:
    """The offers at an offset of an editor, and where the word begins."""
    text = texts.payload if editor == "payload" else texts.schedule
    before = text[: max(0, offset)]
    line = before[before.rfind("\n") + 1 :]
    word = _WORD.search(line)
    typed = word.group() if word else ""
    in_script = editor == "schedule" and texts.schedule_name.endswith(".tw")
    offers = _schedule(before, line, typed, texts) if in_script else _payload(line)
    return {"from": len(before) - len(typed), "options": list(offers)[:_MOST]}


def _schedule(before: str, line: str, typed: str, texts: Texts) -> Iterator[Offer]:
    if "//" in line:
        return
    if line.count('"') % 2:
        yield from _in_string(line, texts.payload)
        return
    head = line[: len(line) - len(typed)]
    statement = re.split(r"[{};]", head)[-1]
    scope = dict(in_scope(before[: len(before) - len(typed)]))
    if not statement.strip() or re.search(r"(?<![=<>!])=\s*$", statement):
        yield from _statements(after_equals="=" in statement)
        if "=" not in statement:
            return
    if verb := BY_NAME.get(_verb_in(statement)):
        used = set(statement.split())
        for inner in inner_words(verb.form.parts):
            if inner not in used:
                yield _offer(inner, "keyword", verb.form.usage)
    for name, made_by in scope.items():
        kind = "constant" if made_by == "knob" else "variable"
        yield _offer(name, kind, made_by)


def in_scope(before: str) -> Iterator[tuple[str, str]]:
    """The names that a statement may use, with the verb that made each."""
    blocks: list[dict[str, str]] = [{}]
    parameters: dict[str, str] = {}
    for token in _TOKEN.finditer(before):
        if token["head"]:
            names = re.findall(r"[A-Za-z_]\w*(?=\s*[,:)]|\s*$)", token["names"])
            parameters = dict.fromkeys(names, "parameter")
        elif token["targets"] and not _is_setting(before, token):
            made_by = token["verb"] or ""
            blocks[-1] |= dict.fromkeys(re.findall(r"\w+", token["targets"]), made_by)
        elif token["each"]:
            parameters = dict.fromkeys(re.findall(r"\w+", token["each"]), "for each")
        elif token["open"]:
            blocks.append(parameters)
            parameters = {}
        elif token["close"] and len(blocks) > 1:
            blocks.pop()
    for block in blocks:
        yield from block.items()


def _is_setting(before: str, token: re.Match[str]) -> bool:
    """Whether `name =` is an argument of a verb, as in `launch grid warps = 4`.

    A target begins its statement; knobs may stand side by side, each with a list.
    """
    line = before[before.rfind("\n", 0, token.start()) + 1 : token.start()]
    start = re.split(r"[{};]", line)[-1].strip()
    return bool(start) and not start.endswith("]") and token["verb"] != "knob"


def _statements(after_equals: bool) -> Iterator[Offer]:
    """What a statement may begin with, or what may make a handle."""
    for verb in VERBS:
        usage = verb.form.usage.removeprefix(verb.name).strip()
        yield _offer(verb.name, "function", usage, verb.doc)
    if after_equals:
        for name in FUNCTIONS:
            yield _offer(name, "function", f"{name}(HANDLE, ...)", "one handle of many")
    for word in keywords():
        yield _offer(word, "keyword", "")


def _verb_in(statement: str) -> str:
    words = re.findall(r"[A-Za-z_]\w*", statement.rpartition("= ")[2] or statement)
    return next((w for w in words if w in BY_NAME), "") or next(
        (w for w in re.findall(r"[A-Za-z_]\w*", statement) if w in BY_NAME), ""
    )


def _in_string(line: str, payload: str) -> Iterator[Offer]:
    """Attributes after `annotate`, op names elsewhere, those of the payload first."""
    if re.search(r"\bannotate\b", line):
        for row in LAUNCH_ATTRIBUTES:
            yield _offer(row.name, "property", row.values, row.doc)
        return
    known = op_names()
    used = [name for name in _names(payload) if name in set(known)]
    for name in used:
        yield {**_offer(name, "class", "in the payload"), "boost": 10}
    for name in known:
        if name not in used:
            yield _offer(name, "class", "")


def _names(payload: str) -> Iterable[str]:
    return dict.fromkeys(re.findall(r"\b[a-z_]+\.[a-z_][a-z_0-9.]*", payload))


def _payload(line: str) -> Iterator[Offer]:
    """Op names where an op may begin."""
    if re.search(r"(^|=|[{])\s*[A-Za-z_0-9.]*$", line):
        for name in op_names():
            yield _offer(name, "class", "")


def _offer(label: str, kind: str, detail: str, doc: str = "") -> Offer:
    return {"label": label, "type": kind, "detail": detail, "info": doc}
