"""Errors of a `.tw` file have its verbs: the word of the line, and in remedies."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import pytest

from support.paths import ROOT
from support.transforms.payloads import linear
from support.transforms.schedules import forall, fuse, match, schedule_of
from tilewright.ir.errors import UserError
from tilewright.pipeline import apply_schedule, parse_payload
from tilewright.schedules.language.syntax import RESERVED
from tilewright.schedules.language.verbs.vocabulary import BY_NAME
from tilewright.schedules.schedule import Schedule, check_text
from tilewright.transforms.op_sources import op_sources

HEAD = """\
schedule s(root) {
  W = knob [3, 16]
  mm = match "linalg.matmul" in root
  tail = match "linalg.generic" in root
  mm, grid = tile mm by [16, 16] onto [block.y, block.x]
"""


def refusal(schedule: Schedule) -> str:
    with pytest.raises(UserError) as caught:
        apply_schedule(parse_payload(linear(64, 64, 64)), schedule)
    return caught.value.fact


@pytest.mark.parametrize(
    "line, fact",
    [
        ("tail, grid = fuse tail into grid", "fuse: 'linalg.generic' reads what"),
        ("tail, i, j, k, l = tile tail by [8, 8, W, 8]", "tile: 4 tile sizes"),
        ("launch grid warps = W", "launch: 'warps' is 3"),
        ("unroll grid by 4", "unroll: "),
        ("p = parent tail nth = 7", "parent: "),
    ],
)
def test_a_line_of_the_language(line: str, fact: str) -> None:
    schedule = Schedule.from_text(f"{HEAD}  {line}\n}}\n", "s.tw")
    # A schedule is copied when its knobs are closed.
    assert refusal(schedule.with_point({"W": 3})).startswith(fact)


def test_an_op_of_a_script() -> None:
    text = schedule_of(
        match("%mm", "linalg.matmul"),
        match("%tail", "linalg.generic"),
        forall("%t, %grid", "%mm", "16, 16"),
        fuse("%f, %g", "%tail", "%grid"),
    )
    schedule = Schedule.from_text(text, "s.mlir")
    title = "fuse_into_containing_op: 'linalg.generic' reads what"
    assert refusal(schedule).startswith(title)


def test_a_handle_to_several_ops_is_noted() -> None:
    text = """
schedule s(root) {
  both = match ["linalg.fill", "linalg.matmul"] in root
  both, grid = tile both by [8, 8, 8] onto [block.z, block.y, block.x]
}
"""
    with pytest.raises(UserError) as caught:
        apply_schedule(
            parse_payload(linear(64, 64, 64)), Schedule.from_text(text, "s.tw")
        )
    assert caught.value.notes[-1].fact == (
        "'both' points at 2 ops; 'pick' tells them apart"
    )


@pytest.mark.parametrize(
    "word, meant",
    [
        ("tille", "'tile'?"),
        ("apply_csee", "'cse'?"),
        ("get_parent_ops", "'parent'?"),
        ("loop.unrol", "'loop.unroll'? its verb is 'unroll'"),
        ("structured.scalarise", "'structured.scalarize'?"),
    ],
)
def test_an_unknown_word(word: str, meant: str) -> None:
    (error,) = check_text(f"schedule s(root) {{\n  {word} root\n}}\n", "s.tw")
    assert error.remedy == f"did you mean {meant}"


# -- remedies in the text of the compiler ------------------------------------------

REFUSALS = {"refuse", "broken", "UserError", "SilenceableFailure", "DefiniteFailure"}
VERBS = {*BY_NAME, *RESERVED}
OPS = {
    name for home in op_sources() for name in (home, home.rpartition(".")[2])
} - VERBS
OPS |= {f"transform.{name}" for name in op_sources()}
# Words of English, and the keys of tables.
OPS -= {"yield", "sequence", "include", "foreach", "verify", "cast", "body", "rank"}
OPS -= {"dim", "input", "init", "structured", "alternatives", "knob", "constant"}
# Ops without a verb, which refuse only what they are given themselves.
MLIR_ONLY = {"transforms/interpreter.py", "schedules/schedule.py", "schedules/entry.py"}


def messages(tree: ast.AST) -> Iterator[ast.Constant]:
    """The texts in calls that make errors, without those for MLIR alone."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _called(node) in REFUSALS:
            yield from _texts(node)


def _texts(node: ast.AST) -> Iterator[ast.Constant]:
    if isinstance(node, ast.keyword) and node.arg == "mlir":
        return
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node
    for inner in ast.iter_child_nodes(node):
        yield from _texts(inner)


def _called(call: ast.Call) -> str:
    function = call.func
    return (
        function.attr if isinstance(function, ast.Attribute) else ast.unparse(function)
    )


@pytest.mark.sampled(8)
@pytest.mark.parametrize("folder", ["transforms", "schedules", "codegen"])
def test_remedies_name_verbs(folder: str) -> None:
    wrong: list[str] = []
    for path in sorted((ROOT / folder).rglob("*.py")):
        name = str(path.relative_to(ROOT))
        if name in MLIR_ONLY:
            continue
        for text in messages(ast.parse(path.read_text())):
            words = re.findall(r"[a-z_0-9]+(?:\.[a-z_0-9]+)*", str(text.value))
            wrong += [f"{name}:{text.lineno}: {word}" for word in words if word in OPS]
    assert not wrong
