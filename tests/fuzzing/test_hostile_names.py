"""The fuzzer of names, bounded: `python tests/fuzz/run_names.py` runs it for longer."""

from __future__ import annotations

import os

import pytest

from fuzz.names.checks import complaints, skeleton
from fuzz.names.fuzzer import NameFuzzer
from fuzz.names.hostile_text import CODE
from support.sampling import mostly_slow
from tilewright.codegen.source import escape

CASES = 60 if os.environ.get("CI") == "true" else 24
LONG = 900.0
"""Seconds; the number of cases ends a run, so that every machine tries the same."""


@pytest.mark.slow
def test_hostile_names_stay_names() -> None:
    fuzzer = NameFuzzer(2026, LONG, CASES, run_at_once=CASES)
    fuzzer.run()
    done = fuzzer.statistics
    assert not done.findings, "\n".join(map(str, done.findings))
    assert done.run == done.emitted > done.refused


# -- the fuzzer itself: it must see what is wrong --------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    "rule", mostly_slow(["comment", "docstring", "identifier"], ["comment"])
)
def test_a_rule_that_is_missing_is_found(
    monkeypatch: pytest.MonkeyPatch, rule: str
) -> None:
    from tilewright.codegen.lower import function as lower
    from tilewright.codegen.source import names

    places = [escape, lower, names] if rule == "identifier" else [escape]
    for place in places:
        monkeypatch.setattr(place, rule, lambda text: text)
    monkeypatch.setattr(NameFuzzer, "_run_waiting", lambda *_: None)
    fuzzer = NameFuzzer(2026, 60.0, 8)
    fuzzer.run()
    assert fuzzer.statistics.findings


HARMLESS = (
    '"""A file."""\n\nimport torch\n\n\ndef f(a):\n    # Why.\n    return a.abs()\n'
)


@pytest.mark.parametrize(
    ("before", "after", "complaint"),
    [
        ("# Why.", f"{CODE}", "unknown name: open"),
        ("\n\n\ndef", f"\n\n{CODE}\n\ndef", "a statement of the file"),
        ("# Why.", "# \x1b[2J", "control characters"),
        ("(a)", "(min)", "a builtin is hidden: min"),
        ("(a)", "(a, tl)", "a name that is taken: tl"),
        ("import torch", "import os", "a statement of the file: import os"),
        ("a.abs()", "a.__class__", "an attribute: __class__"),
        ("a.abs()", "(lambda: 1)()", "a call"),
        ("def f", "@torch.x\ndef f", "a decorator"),
        ("def f", "def def", "does not parse"),
    ],
)
def test_what_no_emitted_file_has_is_seen(
    before: str, after: str, complaint: str
) -> None:
    assert not complaints(HARMLESS)
    found = complaints(HARMLESS.replace(before, after, 1))
    assert any(complaint in one for one in found), found


def test_a_skeleton_has_no_names() -> None:
    other = HARMLESS.replace("A file", "Another").replace("def f(a)", "def g(a)")
    assert skeleton(other) == skeleton(HARMLESS)
    assert skeleton(HARMLESS.replace("a.abs()", "a")) != skeleton(HARMLESS)
