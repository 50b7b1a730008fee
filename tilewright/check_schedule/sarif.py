"""The findings of a check as SARIF 2.1.0, which code hosts and editors read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

from tilewright.check_schedule.findings import Finding, Severity
from tilewright.ir.errors import Note, Place
from tilewright.ir.printable import printable
from tilewright.schedules.language.syntax import LIBRARY
from tilewright.schedules.language.verbs.vocabulary import BY_NAME
from tilewright.schedules.library.imports import FOLDER
from tilewright.version import __version__

SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/"
    "sarif-schema-2.1.0.json"
)
_LEVELS = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.REMARK: "note",
}
_VERB = re.compile(r"([a-z][\w.]*): ")
_AT_A_PLACE = re.compile(r'"[^"]*"?|[\w.]+|\S')
_OTHER = "schedule"
"""The rule of findings that are about no verb."""


def sarif_log(findings: Sequence[Finding], exit_code: int) -> dict[str, Any]:
    """A SARIF log with one run; each verb that a finding is about is a rule."""
    rules = sorted({rule_of(finding) for finding in findings})
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "tilewright check",
                        "version": __version__,
                        "rules": [_rule(rule) for rule in rules],
                    }
                },
                "columnKind": "unicodeCodePoints",
                "invocations": [{"executionSuccessful": True, "exitCode": exit_code}],
                "results": [_result(finding, rules) for finding in findings],
            }
        ],
    }


def rule_of(finding: Finding) -> str:
    """The verb that a finding is about, or `schedule`."""
    found = _VERB.match(finding.error.fact)
    return found.group(1) if found else _OTHER


def _rule(name: str) -> dict[str, Any]:
    verb = BY_NAME.get(name)
    told = f"{name}: {verb.doc}" if verb is not None else f"mistakes in: {name}"
    return {"id": name, "shortDescription": {"text": told}}


def _result(finding: Finding, rules: Sequence[str]) -> dict[str, Any]:
    error, rule = finding.error, rule_of(finding)
    text = f"{error.fact}; {error.remedy}" if error.remedy else error.fact
    result: dict[str, Any] = {
        "ruleId": rule,
        "ruleIndex": rules.index(rule),
        "level": _LEVELS[finding.severity],
        "message": {"text": printable(text, keep="\n\t")},
    }
    if error.place is not None:
        result["locations"] = [_location(error.place)]
    if error.notes:
        result["relatedLocations"] = [
            _related(note, number) for number, note in enumerate(error.notes)
        ]
    if finding.points:
        result["properties"] = {"points": [dict(point) for point in finding.points]}
    return result


def _related(note: Note, number: int) -> dict[str, Any]:
    location = {} if note.place is None else _location(note.place)
    return {"id": number, **location, "message": {"text": printable(note.fact)}}


def _location(place: Place) -> dict[str, Any]:
    region: dict[str, Any] = {"startLine": place.line, "startColumn": place.column}
    if place.text is not None:
        region["endColumn"] = place.column + len(_word(place.text[place.column - 1 :]))
        region["snippet"] = {"text": printable(place.text, keep="\t")}
    return {
        "physicalLocation": {
            "artifactLocation": {"uri": _uri(place.file)},
            "region": region,
        }
    }


def _word(text: str) -> str:
    """The word, string or sign at the beginning of a text."""
    found = _AT_A_PLACE.match(text)
    return found.group() if found else ""


def _uri(file: str) -> str:
    """A file as a URI: relative to the current folder unless its path is absolute.

    A file of the library has a short name in messages, and its real path here.
    """
    path = PurePath(file)
    if file.startswith(LIBRARY):
        path = FOLDER.resolve() / file.removeprefix(LIBRARY)
    return path.as_uri() if path.is_absolute() else quote(path.as_posix())
