"""The methods of the builder are those of the table of verbs, in the stub too."""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
from pathlib import Path

import pytest

from support.paths import ROOT
from tilewright.schedule_builder import ScheduleBuilder
from tilewright.schedules.builder.expressions import Functions
from tilewright.schedules.builder.signatures import Signature
from tilewright.schedules.builder.stub import STUB, stub_text
from tilewright.schedules.builder.verbs import Verbs, signature_text
from tilewright.schedules.language.syntax import (
    KEYWORDS,
    NUMBER_FUNCTIONS,
    OPTION_FUNCTIONS,
    PAYLOAD_NUMBERS,
)
from tilewright.schedules.language.verbs.vocabulary import BY_NAME, FUNCTIONS, VERBS


def test_the_stub_is_up_to_date() -> None:
    assert STUB.read_text("utf-8") == stub_text(), (
        "run: python -m tilewright.schedules.builder.stub"
    )


def test_every_verb_and_function_is_a_method() -> None:
    for name in (*BY_NAME, *FUNCTIONS):
        assert inspect.getdoc(getattr(ScheduleBuilder, name)), name


def test_every_statement_that_is_no_verb_has_a_method() -> None:
    methods = {word.replace(" ", "_").rstrip("_") for word in dir(ScheduleBuilder)}
    assert {word.replace(" ", "_") for word in KEYWORDS} <= methods


def test_every_function_of_numbers_is_a_method() -> None:
    for table in (NUMBER_FUNCTIONS, PAYLOAD_NUMBERS, OPTION_FUNCTIONS):
        for name, usage in table.items():
            given = [
                each for each in inspect.signature(getattr(Functions, name)).parameters
            ]
            assert len(given) - 1 >= usage.count(",") + 1, name
    own = {name for name in vars(Functions) if not name.startswith("_")}
    assert own == {*NUMBER_FUNCTIONS, *PAYLOAD_NUMBERS, *OPTION_FUNCTIONS}


def test_no_method_hides_a_verb() -> None:
    for name in (*BY_NAME, *FUNCTIONS):
        assert getattr(ScheduleBuilder, name) is getattr(Verbs, name)


def test_the_stub_and_the_methods_take_the_same_parameters() -> None:
    (verbs,) = (
        node for node in ast.parse(stub_text()).body if isinstance(node, ast.ClassDef)
    )
    stated = {
        node.name: [each.arg for each in (*node.args.args[1:], *node.args.kwonlyargs)]
        for node in verbs.body
        if isinstance(node, ast.FunctionDef)
    }
    for verb in VERBS:
        text = signature_text(Signature(verb))
        inside = text.partition("(")[2].removesuffix(")").split(", ")
        names = [word.partition("=")[0] for word in inside if word != "*"]
        assert stated[verb.name] == names


RIGHT = """
import tilewright

s = tilewright.schedule("typed")
mm = s.match("linalg.matmul")
BM = s.knob("BM", [64, 128])
mm, grid = s.tile(mm, [BM, BM // 2], onto=["block.y", "block.x"])
s.launch(grid, warps=s.ite(BM < 128, 4, 8))
s.require((BM * BM <= 4096) | (BM == 128))
print(s.to_tw(), s.apply("payload.mlir", BM=64).steps[1].diff)
"""
WRONG = """
import tilewright

s = tilewright.schedule("typed")
mm = s.match("linalg.matmul")
s.fuse(mm)
s.fuse(mm, 4)
s.launch(mm, wraps=4)
s.tiel(mm, [4])
"""


def _pyright(tmp_path: Path, text: str) -> tuple[int, str]:
    program = Path(sys.executable).with_name("basedpyright")
    if not program.exists():
        pytest.skip("basedpyright is not installed")
    file = tmp_path / "user.py"
    file.write_text(text, "utf-8")
    settings = tmp_path / "pyrightconfig.json"
    settings.write_text(f'{{"extraPaths": ["{ROOT}"], "typeCheckingMode": "standard"}}')
    done = subprocess.run(
        [program, "--project", settings, "--pythonpath", sys.executable],
        capture_output=True,
        text=True,
    )
    return done.returncode, done.stdout


@pytest.mark.slow
def test_a_type_checker_accepts_a_schedule(tmp_path: Path) -> None:
    code, said = _pyright(tmp_path, RIGHT)
    assert code == 0, said


@pytest.mark.slow
def test_a_type_checker_finds_mistakes_in_a_schedule(tmp_path: Path) -> None:
    code, said = _pyright(tmp_path, WRONG)
    assert code == 1
    assert 'Argument missing for parameter "into"' in said
    assert '"Literal[4]" is not assignable to "Handle"' in said
    assert 'No parameter named "wraps"' in said
    assert 'Cannot access attribute "tiel"' in said
