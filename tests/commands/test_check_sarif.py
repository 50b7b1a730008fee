"""`tilewright check --sarif`: the findings in SARIF 2.1.0.

`SCHEMA` is the part of the SARIF schema that the log uses, and allows nothing else. Set
TILEWRIGHT_SARIF_SCHEMA to a copy of the whole schema to validate against that, too.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator

from support.command_line import Cli, cli_in
from support.paths import DATA
from tilewright.check_schedule.findings import Finding, Severity
from tilewright.check_schedule.sarif import sarif_log
from tilewright.ir.errors import Note, Place, UserError

PAYLOAD = """\
func.func @f(%a: tensor<16xf32>, %e: tensor<16xf32>) -> tensor<16xf32> {
  %r = linalg.exp ins(%a : tensor<16xf32>) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  return %r : tensor<16xf32>
}
"""


def strict(required: dict[str, Any], optional: dict[str, Any] | None = None) -> Any:
    """The schema of an object that has these properties and no others."""
    return {
        "type": "object",
        "properties": {**required, **(optional or {})},
        "required": list(required),
        "additionalProperties": False,
    }


TEXT = {"type": "string", "minLength": 1}
COUNT = {"type": "integer", "minimum": 0}
POSITION = {"type": "integer", "minimum": 1}
MESSAGE = strict({"text": TEXT})
LOCATION: dict[str, Any] = {
    "physicalLocation": strict(
        {
            "artifactLocation": strict({"uri": {**TEXT, "pattern": r"^[^\s<>\\\\]+$"}}),
            "region": strict(
                {"startLine": POSITION, "startColumn": POSITION},
                {
                    "snippet": strict({"text": {"type": "string"}}),
                    "endColumn": POSITION,
                },
            ),
        }
    )
}
RESULT = strict(
    {
        "ruleId": TEXT,
        "ruleIndex": COUNT,
        "level": {"enum": ["none", "note", "warning", "error"]},
        "message": MESSAGE,
    },
    {
        "locations": {"type": "array", "items": strict(LOCATION)},
        "relatedLocations": {
            "type": "array",
            "items": strict({"id": COUNT, "message": MESSAGE}, LOCATION),
            "uniqueItems": True,
        },
        "properties": {"type": "object"},
    },
)
RULE = strict({"id": TEXT, "shortDescription": MESSAGE})
DRIVER = strict(
    {"name": TEXT, "version": TEXT},
    {"rules": {"type": "array", "items": RULE, "uniqueItems": True}},
)
RUN = strict(
    {
        "tool": strict({"driver": DRIVER}),
        "results": {"type": "array", "items": RESULT},
    },
    {
        "columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
        "invocations": {
            "type": "array",
            "items": strict(
                {"executionSuccessful": {"type": "boolean"}},
                {"exitCode": {"type": "integer"}},
            ),
        },
    },
)
SCHEMA = strict(
    {
        "version": {"enum": ["2.1.0"]},
        "runs": {"type": "array", "items": RUN},
        "$schema": {"type": "string", "format": "uri"},
    }
)


def validate(log: Any) -> None:
    Draft7Validator(SCHEMA).validate(log)
    if (path := os.environ.get("TILEWRIGHT_SARIF_SCHEMA")) is not None:
        Draft7Validator(json.loads(Path(path).read_text())).validate(log)
    for run in log["runs"]:
        rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
        for result in run["results"]:
            assert rules[result["ruleIndex"]] == result["ruleId"]


@pytest.fixture
def cli(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Cli:
    (tmp_path / "p.mlir").write_text(PAYLOAD)
    return cli_in(tmp_path, monkeypatch, capsys)


def log_of(cli: Cli, *words: str, code: int = 0) -> Any:
    done = cli("check", *words, "--sarif", code=code)
    assert done.err == ""
    log = json.loads(done.out)
    validate(log)
    return log


def test_a_consumed_handle(cli: Cli) -> None:
    Path("a b.tw").write_text(
        'schedule s(root) {\n  e = match "linalg.exp" in root\n'
        "  tile e by [4]\n  tile e by [4]\n}\n"
    )
    log = log_of(cli, "a b.tw", code=1)
    (result,) = log["runs"][0]["results"]
    assert result["ruleId"] == "tile" and result["level"] == "error"
    assert result["message"]["text"] == (
        "tile: 'e' was consumed by 'tile'; use the handle it returned, or match again"
    )
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "a%20b.tw"
    assert place["region"] == {
        "startLine": 4,
        "startColumn": 3,
        "endColumn": 7,
        "snippet": {"text": "  tile e by [4]"},
    }
    notes = [note["message"]["text"] for note in result["relatedLocations"]]
    assert notes == [
        "'e' was consumed here by 'tile'",
        "'e' was made here by 'match'",
    ]
    assert log["runs"][0]["invocations"][0]["exitCode"] == 1


def test_points_and_warnings(cli: Cli) -> None:
    Path("s.tw").write_text(
        'schedule s(root) {\n  e = match "linalg.exp" in root\n'
        "  B = knob [8, 5]\n  U = knob [1, 2]\n  vectorize e to [B]\n}\n"
    )
    log = log_of(cli, "s.tw", "p.mlir", code=1)
    results = log["runs"][0]["results"]
    assert {result["level"] for result in results} == {"error", "warning"}
    assert any("points" in result.get("properties", {}) for result in results)


def test_a_remark_is_a_note() -> None:
    remark = Finding(Severity.REMARK, UserError("skipped", notes=[Note("why")]))
    log = sarif_log([remark], 0)
    validate(log)
    (result,) = log["runs"][0]["results"]
    assert result["level"] == "note"
    assert result["relatedLocations"] == [{"id": 0, "message": {"text": "why"}}]


def test_nothing_wrong(cli: Cli) -> None:
    Path("s.tw").write_text("schedule s(root) { cse root }")
    log = log_of(cli, "s.tw")
    assert log["runs"][0]["results"] == []
    log = log_of(cli, str(Path("s.tw").resolve()))


def test_a_file_that_is_missing_has_no_location(cli: Cli) -> None:
    (result,) = log_of(cli, "nowhere.tw", code=1)["runs"][0]["results"]
    assert "locations" not in result and result["ruleId"] == "schedule"


def test_the_same_findings_as_json(cli: Cli) -> None:
    """Of every bad schedule of `data/schedule_errors.txt`."""
    cases = (DATA / "schedule_errors.txt").read_text().split("=====\n")
    for case in cases[::8]:
        Path("s.tw").write_text(case.split("-----\n")[0])
        found = json.loads(cli("check", "s.tw", "--json", code=1).out)["findings"]
        results = log_of(cli, "s.tw", code=1)["runs"][0]["results"]
        assert [result["level"] for result in results] == [
            finding["severity"] for finding in found
        ]
        for result, finding in zip(results, found, strict=True):
            assert result["message"]["text"].startswith(finding["fact"])


def test_a_log_that_is_wrong_is_noticed() -> None:
    log = {"version": "2.1.0", "runs": [], "$schema": "x", "other": 1}
    assert not Draft7Validator(SCHEMA).is_valid(log)


def test_regions_end_after_the_word() -> None:
    for column, end in ((3, 7), (8, 10), (11, 12), (12, 12)):
        error = UserError(
            "tile: wrong", Place("s.tw", 1, column, "  tile mm ="), "mend"
        )
        (location,) = sarif_log([Finding(Severity.ERROR, error)], 1)["runs"][0][
            "results"
        ][0]["locations"]
        assert location["physicalLocation"]["region"]["endColumn"] == end


def test_a_file_of_the_library_is_where_it_is() -> None:
    error = UserError("tile: wrong", Place("library/gemm.tw", 1, 1, "import"), "mend")
    log = sarif_log([Finding(Severity.ERROR, error)], 1)
    (location,) = log["runs"][0]["results"][0]["locations"]
    uri = location["physicalLocation"]["artifactLocation"]["uri"]
    assert uri.startswith("file:///") and Path(uri.removeprefix("file://")).is_file()
