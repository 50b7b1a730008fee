"""`triton.held_operands`: left operands that no loop changes are in registers."""

from __future__ import annotations

import pytest

from support.codegen.programs import assert_right, built
from support.paths import EXAMPLES
from tilewright.ir.context import payload_context
from tilewright.ir.errors import UserError
from tilewright.ir.text import parse_module, to_text
from tilewright.numeric_check import check_kernel_ir, make_case
from tilewright.payloads import Payload, attention
from tilewright.pipeline import parse_payload
from tilewright.schedules.schedule import Schedule

WHERE_LEGAL = 'held = "where_legal"'


def attended(*, causal: bool = False, dtype: str = "f16") -> str:
    p = Payload("attention")
    q, k, v = (p.input(name, (1, 2, 64, 16), dtype) for name in "qkv")
    p.output(attention(q, k, v, causal=causal))
    return p.text()


def schedule(name: str, rows: int, step: int, held: int = 1) -> str:
    """An example with its sizes closed."""
    read = Schedule.from_path(EXAMPLES / "attention" / name)
    return read.with_point({"BM": rows, "BN": step, "held": held}).to_tw()


def test_numbers() -> None:
    made = built(attended(), schedule("attention.tw", 16, 32))
    compared = check_kernel_ir(made, make_case(parse_payload(attended()), 0))
    assert compared.ok, compared.message
    assert "q_held = tl.reshape(q, (BLOCK_M, BLOCK_K)) + 0.0" in made.program.text
    assert "tl.dot(q_held, " in made.program.text


@pytest.mark.slow
def test_numbers_of_the_source() -> None:
    assert_right(attended(causal=True), schedule("causal.tw", 16, 16))


def test_it_is_off_unless_asked_for() -> None:
    text = built(attended(), schedule("attention.tw", 16, 32, held=0)).program.text
    assert "held" not in text


def test_the_kernel_says_what_is_asked_of_it() -> None:
    context = payload_context()
    made = built(attended(), schedule("attention.tw", 16, 32, held=0)).kernel
    text = to_text(made).replace("group 1 {", 'group 1 held_operands "all" {')
    assert "held_operands" in text
    assert to_text(parse_module(text, "kernel.mlir", context)) == text


def refusal(payload: str, text: str) -> str:
    with pytest.raises(UserError) as caught:
        built(payload, text)
    return str(caught.value)


def test_two_operands_of_one_shape_are_refused() -> None:
    """ptxas gives the second the registers of the first (wrong numbers on a card)."""
    found = refusal(attended(), schedule("attention.tw", 16, 16))
    assert "the loop has another left operand of 16x16" in found
    assert "ptxas would give both the same registers" in found


@pytest.mark.slow
def test_where_legal_leaves_such_operands_in_shared_memory() -> None:
    for step, held in ((16, 0), (32, 1)):
        text = schedule("attention.tw", 16, step).replace("held = held", WHERE_LEGAL)
        assert built(attended(), text).program.text.count("_held = ") == held


def test_an_operand_that_is_read_later_is_kept() -> None:
    """The loop over whole tiles, then one iteration along the diagonal."""
    made = built(attended(causal=True), schedule("causal.tw", 16, 16))
    assert made.program.text.count("tl.dot(q_held, ") == 2


@pytest.mark.slow
def test_a_last_loop_of_several_iterations_is_refused() -> None:
    found = refusal(attended(causal=True), schedule("causal.tw", 32, 16))
    assert "the loop has another left operand of 32x16" in found


def test_other_types_are_left_in_shared_memory() -> None:
    found = refusal(attended(dtype="f32"), schedule("attention.tw", 16, 32))
    assert "'triton.held_operands' changes nothing here" in found
