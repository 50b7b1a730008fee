"""The endpoints of the live page: real requests, real workers."""

from __future__ import annotations

from typing import Any

import pytest

from support.explorer.live import PAYLOAD, Running
from tilewright.explorer.server.app import Limits
from tilewright.explorer.server.completion import complete
from tilewright.explorer.server.examples import EXAMPLES, Example
from tilewright.explorer.server.texts import Texts

SCHEDULE = """\
schedule s(root) {
  B = knob [8, 16, 32]
  e = match "linalg.exp" in root
  e, grid = tile e by [B] onto [block.x]
}
"""
TEXTS = {"payload": PAYLOAD, "schedule": SCHEDULE}


def endless(depth: int = 40) -> str:
    """Each sequence includes the one before twice: 2 ** depth statements."""
    parts = ["sequence s0(x) { cse x }"]
    for number in range(1, depth):
        twice = f"include s{number - 1}(x)\n  include s{number - 1}(x)"
        parts.append(f"sequence s{number}(x) {{\n  {twice}\n}}")
    parts.append(
        f'schedule main(root) {{ f = match "func.func" in root\n'
        f"include s{depth - 1}(f) }}"
    )
    return "\n".join(parts)


def look(live: Running, **changed: Any) -> Any:
    answer = live.ask("/api/look", {**TEXTS, **changed})
    assert answer.status == 200, answer.text
    return answer.json


@pytest.mark.slow
def test_looking_gives_the_steps_at_the_point(live: Running) -> None:
    found = look(live, point={"B": 16, "gone": 4})
    assert found["point"] == {"B": 16} and found["diagnostics"] == []
    program = found["program"]
    assert [step["title"] for step in program["steps"]][:2] == ["payload", "tile"]
    assert program["choices"][0]["value"] == 16


def test_choices_without_a_default_get_a_valid_point(live: Running) -> None:
    needs = SCHEDULE.replace("32]\n", "32]\n  require B >= 16\n")
    assert look(live, schedule=needs)["point"] == {"B": 16}


def test_every_mistake_is_at_its_place(live: Running) -> None:
    wrong = SCHEDULE.replace("tile e", "tiel e")
    found = look(live, schedule=wrong)
    assert found["program"] is None
    (one,) = [d for d in found["diagnostics"] if d["severity"] == "error"]
    assert (one["file"], one["line"], one["column"]) == ("schedule", 4, 13)
    assert "tiel" in one["fact"] and "tile" in one["remedy"]
    found = live.ask("/api/check", {**TEXTS, "payload": "func.func @f("}).json
    assert {d["file"] for d in found["diagnostics"]} == {"payload"}


def test_a_failure_of_the_run_has_its_place_and_the_steps_before(live: Running) -> None:
    wrong = SCHEDULE.replace("}\n", "  fuse e into grid\n}\n")
    found = look(live, schedule=wrong)
    (one,) = [d for d in found["diagnostics"] if d["severity"] == "error"]
    assert (one["file"], one["line"]) == ("schedule", 5)


def test_an_estimate_without_the_compiler(live: Running) -> None:
    found = live.ask("/api/estimate", {**TEXTS, "point": {"B": 8}}).json
    assert found["seconds"] > 0 and found["kernels"][0]["registers"] is None
    refused = live.ask("/api/estimate", {**TEXTS, "payload": "x"}).json
    assert refused == {"refused": "the program has errors"}


def test_a_planned_schedule_runs(live: Running) -> None:
    planned = live.ask("/api/plan", TEXTS).json["schedule"]
    assert planned.startswith("// Planned for h200")
    assert look(live, schedule=planned)["program"]["failure"] is None


def test_an_example_is_given(live: Running) -> None:
    names = [one["name"] for one in live.ask("/api/examples").json]
    assert names == [example.name for example in EXAMPLES]
    assert "linalg.matmul" in live.ask(f"/api/examples/{names[0]}").json["payload"]
    assert live.ask("/api/examples/nothing").status == 404


def test_a_schedule_without_an_end_is_ended(
    live: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    look(live)
    monkeypatch.setattr(live.server, "limits", Limits(look=0.5))
    answer = live.ask("/api/look", {"payload": PAYLOAD, "schedule": endless()})
    assert (
        answer.status == 504
        and "not done after 0.5 s; the worker was ended" in answer.text
    )
    monkeypatch.undo()
    assert live.ask("/api/check", TEXTS).json == {"diagnostics": []}


@pytest.mark.slow
def test_registers_and_shared_memory_come_from_the_compiler(live: Running) -> None:
    found = live.ask("/api/estimate", {**TEXTS, "compiled": True}).json
    assert found["kernels"][0]["registers"] > 0


@pytest.mark.slow
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_every_example_runs(live: Running, example: Example) -> None:
    assert look(live, **example.as_json())["program"]["failure"] is None


@pytest.mark.slow
def test_a_run_prints_what_the_command_prints(live: Running) -> None:
    began = live.ask("/api/commands", {**TEXTS, "kind": "run", "point": {"B": 8}})
    assert began.status == 201
    assert live.ask("/api/commands", {**TEXTS, "kind": "run"}).status == 429
    now = began.json
    while now["state"] == "running":
        now = live.ask(f"/api/commands/{now['number']}").json
    assert now["state"] == "done", now["output"]
    assert "estimated" in now["output"] or "correct" in now["output"]


# -- completion ----------------------------------------------------------------------


def offers(before: str, after: str = "", editor: str = "schedule") -> dict[str, str]:
    """Each offer with its detail, with the cursor between two texts."""
    texts = Texts(before + after if editor == "payload" else PAYLOAD, before + after)
    found = complete(texts, editor, len(before))
    return {one["label"]: one["detail"] for one in found["options"]}


def test_verbs_and_keywords_begin_a_statement() -> None:
    found = offers("schedule s(root) {\n  ti")
    assert found["tile"].startswith("HANDLE by [SIZES]") and "knob" in found
    assert "merge" in offers("schedule s(root) {\n  x = ") and "merge" not in found


def test_handles_in_scope_are_arguments() -> None:
    before = (
        'schedule s(root) {\n  B = knob [8]  C = knob [4]\n  e = match "x" in root\n'
        "  choose c {\n    one { inner = cse e }\n    two {\n      tile "
    )
    found = offers(before)
    assert {"root", "B", "C", "e", "by", "onto"} <= found.keys()
    assert "inner" not in found and "tile" not in found
    assert (found["e"], found["B"]) == ("match", "knob")


def test_settings_of_a_verb_are_no_handles() -> None:
    before = "schedule s(root) {\n  g = cse root\n  launch g warps = 4\n  cse "
    found = offers(before)
    assert "g" in found and "warps" not in found
    assert "group" in offers("schedule s(root) {\n  launch g warps = 4 ")


def test_op_names_and_attributes_in_strings() -> None:
    found = offers('schedule s(root) {\n  e = match "linalg.e')
    assert next(iter(found)) == "func.func" and found["linalg.exp"] == "in the payload"
    assert "linalg.matmul" in found
    assert "triton.num_warps" in offers('schedule s(root) {\n  annotate e "tri')


def test_ops_in_the_payload_editor() -> None:
    assert "linalg.exp" in offers("  %r = lina", editor="payload")
