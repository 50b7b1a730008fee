"""Matches by role, position and name; producers, consumers; verbs for launch hints."""

from __future__ import annotations

import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from support.paths import EXAMPLES
from tilewright.ir.errors import UserError
from tilewright.ir.structured.roles import Role, role_of
from tilewright.ir.text import parse_module, read_text
from tilewright.schedules.schedule import Schedule, check_text
from tilewright.transforms.dialect import schedule_context
from tilewright.transforms.interpreter import run_schedule

PAYLOADS = EXAMPLES / "payloads"


def payload(name: str) -> ModuleOp:
    path = PAYLOADS / f"{name}.mlir"
    return parse_module(read_text(path), str(path), schedule_context())


def roles(name: str) -> list[str]:
    found = (role_of(op) for op in payload(name).walk())
    return [role.value for role in found if role is not None]


def marked(name: str, line: str) -> list[Operation]:
    """The ops of a payload that a statement binds to `h`."""
    module = payload(name)
    text = f'schedule s(root) {{\n{line}\nannotate h "mark"\n}}'
    run_schedule(Schedule.from_text(text, "s.tw").module, module)
    return [op for op in module.walk() if "mark" in op.attributes]


@pytest.mark.parametrize(
    "name, expected",
    [
        ("linear_gelu_residual", ["fill", "contraction", "elementwise"]),
        ("batch_matmul", ["fill", "contraction", "elementwise"]),
        ("rmsnorm", ["fill", "reduction", "elementwise", "elementwise"]),
        ("vector_add", ["elementwise"]),
        (
            "softmax",
            ["fill", "reduction", "elementwise", "fill", "reduction", "elementwise"],
        ),
    ],
)
def test_roles_of_payloads(name: str, expected: list[str]) -> None:
    assert sorted(roles(name)) == sorted(expected)


@pytest.mark.parametrize("name", ["softmax", "linear_gelu_residual", "batch_matmul"])
@pytest.mark.parametrize("role", list(Role))
def test_a_match_finds_every_op_of_its_role(name: str, role: Role) -> None:
    expected = [op for op in payload(name).walk() if role_of(op) == role]
    assert len(marked(name, f"h = match {role.value} in root")) == len(expected)


def test_a_generic_contraction_is_found_too() -> None:
    line = "g = match contraction in root\n g = generalize g\n"
    (found,) = marked("linear_gelu_residual", line + "h = match contraction in root")
    assert found.name == "linalg.generic"


def test_by_position_and_kind() -> None:
    line = 'h = match elementwise "linalg.generic" in root at [-1]'
    (found,) = marked("softmax", line)
    every = [op for op in payload("softmax").walk() if op.name == "linalg.generic"]
    assert len(every) > 1
    assert isinstance(found.next_op, Operation) and found.next_op.name == "func.return"
    assert len(marked("softmax", 'h = match "linalg.fill" in root at [0, 1]')) == 2


def test_by_the_name_in_the_payload() -> None:
    text = read_text(PAYLOADS / "softmax.mlir")
    hints = [
        op.results[0].name_hint
        for op in payload("softmax").walk()
        if role_of(op) is Role.REDUCTION
    ]
    assert hints and f"%{hints[0]} =" in text
    (found,) = marked("softmax", f'h = match named "{hints[0]}" in root')
    assert role_of(found) is Role.REDUCTION
    (function,) = marked("softmax", 'h = match "func.func" named "softmax" in root')
    assert function.name == "func.func"


def test_producers_and_consumers() -> None:
    mm = "mm = match contraction in root\n"
    (fill,) = marked("linear_gelu_residual", f"{mm}h = producer of mm at 2")
    assert fill.name == "linalg.fill"
    (tail,) = marked("linear_gelu_residual", f"{mm}h = consumers of mm")
    assert role_of(tail) is Role.ELEMENTWISE
    old = Schedule.from_text(
        f"schedule s(r) {{ {mm[:-8]}in r\n"
        "a = producer mm operand = 2; b = consumers mm result = 0 }"
    )
    new = Schedule.from_text(
        f"schedule s(r) {{ {mm[:-8]}in r\n"
        "a = producer of mm at 2; b = consumers of mm }"
    )
    assert old.module.is_structurally_equivalent(new.module)


HINTS = """
  mm = match contraction in root
  mm, grid = tile mm by [32, 32] onto [block.y, block.x]
  precision grid "tf32"
  swizzle grid by 8
  evict grid [x = "first", w = "last"]
  cache grid [x = "cg"]
"""


def test_hints_are_launch_attributes() -> None:
    read = Schedule.from_text(f"schedule s(root) {{{HINTS}}}")
    for words in (
        '"triton.dot_precision"',
        '"triton.group"',
        '{x = "evict_first", w = "evict_last"}',
        '"triton.cache"',
    ):
        assert words in read.to_mlir()
    text = read.to_tw()
    assert 'evict grid [x = "first", w = "last"]' in text and "annotate" not in text
    assert Schedule.from_text(text).module.is_structurally_equivalent(read.module)


@pytest.mark.parametrize(
    "line, expected",
    [
        (
            "h = match contration in root",
            "match: expected 'in', found 'contration'; did you mean 'contraction'?",
        ),
        (
            "h = match reduction in root at [BM]",
            "match: expected a position; such as 0, or -1",
        ),
        (
            "h = match fill in root\nc = producer of h",
            "producer: 'operand_number' is missing; write: producer [of] HANDLE "
            "[at VALUE] [operand = VALUE]",
        ),
        (
            "h = match fill in root\nc = producer of h at 0 operand = 1",
            "producer: this is given twice; write: producer [of] HANDLE [at VALUE] "
            "[operand = VALUE]",
        ),
    ],
)
def test_mistakes(line: str, expected: str) -> None:
    errors = check_text(f"schedule s(root) {{\n{line}\n}}", "s.tw")
    assert str(errors[0]).splitlines()[0].split("error: ")[1] == expected


def test_a_role_that_the_payload_lacks_is_warned_of() -> None:
    module = payload("vector_add")
    text = "schedule s(root) { h = match contraction in root; t, l = tile h by [1] }"
    run = run_schedule(Schedule.from_text(text).module, module)
    (warning,) = run.warnings
    assert isinstance(warning, UserError)
    assert "the payload has no 'contraction'" in warning.fact
