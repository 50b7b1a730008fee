"""inline_producer and tilewright.concats: which part has an element, by its index."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from support.transforms.schedules import (
    assert_same_numbers,
    evaluate,
    inputs_of,
    patterns,
    schedule_of,
    transform,
)
from tilewright.codegen.targets import target_named
from tilewright.ir.errors import SilenceableFailure
from tilewright.ir.text import to_text
from tilewright.payloads import (
    Payload,
    Tensor,
    concatenate,
    cos,
    linear,
    reduce,
    relu,
    sin,
    tanh,
)
from tilewright.pipeline import apply_schedule, parse_payload
from tilewright.planning.plan import plan
from tilewright.schedules.schedule import Schedule

PAD = """
  %zero = arith.constant 1.5 : f32
  %made = tensor.pad %x low[1, 2] high[2, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<8x5xf32> to tensor<11x7xf32>"""
CONCAT = """
  %made = tensor.concat dim(1) %x, %y, %x
    : (tensor<8x5xf32>, tensor<8x2xf32>, tensor<8x5xf32>) -> tensor<8x12xf32>"""
FILLED = """
  %empty = tensor.empty() : tensor<8x7xf32>
  %right = tensor.insert_slice %x into %empty[0, 2] [8, 5] [1, 1]
    : tensor<8x5xf32> into tensor<8x7xf32>
  %made = tensor.insert_slice %y into %right[0, 0] [8, 2] [1, 1]
    : tensor<8x2xf32> into tensor<8x7xf32>"""
INSERTED = """
  %row = tensor.extract_slice %x[3, 1] [1, 2] [1, 1]
    : tensor<8x5xf32> to tensor<2xf32>
  %made = tensor.insert_slice %row into %y[4, 0] [1, 2] [1, 1]
    : tensor<2xf32> into tensor<8x2xf32>"""
SHAPES = {PAD: (11, 7), CONCAT: (8, 12), FILLED: (8, 7), INSERTED: (8, 2)}
WHOLE = "affine_map<(i, j) -> (i, j)>"


def payload(made: str, cut: tuple[int, int, int, int] | None = None) -> str:
    """Twice the elements of what is laid out, or of rows and columns of it."""
    rows, columns = SHAPES[made]
    whole = f"tensor<{rows}x{columns}xf32>"
    kind, read = whole, "%made"
    if cut is not None:
        row, column, rows, columns = cut
        kind, read = f"tensor<{rows}x{columns}xf32>", "%part"
        made += f"""
  %part = tensor.extract_slice %made[{row}, {column}] [{rows}, {columns}] [1, 1]
    : {whole} to {kind}"""
    return f"""func.func @f(%x: tensor<8x5xf32>, %y: tensor<8x2xf32>) -> {kind} {{{made}
  %out = tensor.empty() : {kind}
  %twice = linalg.generic {{
      indexing_maps = [{WHOLE}, {WHOLE}],
      iterator_types = ["parallel", "parallel"]}}
      ins({read} : {kind}) outs(%out : {kind}) {{
  ^bb0(%e: f32, %o: f32):
    %sum = arith.addf %e, %e : f32
    linalg.yield %sum : f32
  }} -> {kind}
  return %twice : {kind}
}}"""


def inlined(text: str, op: str) -> str:
    """A payload whose reader computes a pad or a concat; it has the same numbers."""
    schedule = f"""schedule s(root) {{
  made = match "tensor.{op}" in root
  reader = match "linalg.generic" in root
  reader = inline made into reader
}}"""
    before = parse_payload(text)
    after = apply_schedule(before, Schedule.from_text(schedule), complete=False).payload
    inputs = inputs_of(before)
    (want,), (got,) = evaluate(before, inputs), evaluate(after, inputs)
    assert (want == got).all()
    return to_text(after)


@pytest.mark.parametrize(
    ("made", "op"), [(PAD, "pad"), (CONCAT, "concat"), (INSERTED, "insert_slice")]
)
def test_a_reader_selects_the_part_that_has_an_element(made: str, op: str) -> None:
    text = inlined(payload(made), op)
    assert f"tensor.{op}" not in text
    assert "arith.select" in text


@pytest.mark.parametrize(
    ("made", "op", "cut"),
    [
        (PAD, "pad", (2, 3, 4, 3)),
        (CONCAT, "concat", (1, 5, 6, 2)),
        (CONCAT, "concat", (0, 8, 8, 3)),
    ],
)
def test_a_slice_of_one_part_needs_no_select(
    made: str, op: str, cut: tuple[int, int, int, int]
) -> None:
    text = inlined(payload(made, cut), op)
    assert "arith.select" not in text and "tensor.extract %" not in text


def test_a_pad_by_a_computed_number_is_refused() -> None:
    text = payload(PAD).replace("%zero = arith.constant 1.5 : f32", "")
    text = text.replace("yield %zero", "yield %z").replace("(%x:", "(%z: f32, %x:")
    with pytest.raises(SilenceableFailure, match="pad value are not known"):
        inlined(text, "pad")


@pytest.mark.parametrize("made", [PAD, INSERTED])
def test_a_pad_or_a_replaced_slice_is_an_element_wise_op(made: str) -> None:
    ran = transform(payload(made), schedule_of(patterns("tilewright.concats")))
    assert_same_numbers(ran)
    assert ran.text.count("linalg.generic") == 2
    assert "tensor.insert_slice" not in ran.text and "tensor.pad" not in ran.text


@pytest.mark.parametrize(("made", "parts"), [(CONCAT, 3), (FILLED, 2)])
def test_an_element_wise_op_is_computed_for_each_part(made: str, parts: int) -> None:
    ran = transform(payload(made), schedule_of(patterns("tilewright.concats")))
    assert_same_numbers(ran)
    assert ran.text.count("linalg.generic") == ran.text.count("insert_slice") == parts
    assert "arith.select" not in ran.text and "tensor.concat" not in ran.text


@pytest.mark.parametrize(
    ("made", "cut", "source"),
    [
        (PAD, (2, 3, 4, 3), "%x[1, 1] [4, 3]"),
        (CONCAT, (1, 5, 6, 2), "%y[1, 0] [6, 2]"),
        (FILLED, (0, 4, 8, 3), "%x[0, 2] [8, 3]"),
    ],
)
def test_a_slice_of_one_part_is_a_slice_of_its_tensor(
    made: str, cut: tuple[int, int, int, int], source: str
) -> None:
    schedule = schedule_of(patterns("tilewright.concats"))
    ran = transform(payload(made, cut), schedule)
    assert_same_numbers(ran)
    assert f"tensor.extract_slice {source}" in ran.text
    assert ran.text.count("linalg.generic") == 1


def sliced(read: Callable[[Tensor], Tensor]) -> str:
    """Some parts of an element-wise result."""
    p = Payload("f")
    x = p.input("x", (6, 8), "f32")
    p.output(read(relu(x) + p.input("row", (8,), "f32")))
    return p.text()


@pytest.mark.parametrize(
    "read",
    [
        lambda s: tanh(s[:, :4]) * s[:, 4:],
        lambda s: tanh(s[:, ::2]) * s[:, 1::2],
        lambda s: tanh(s[:3, 4:]) * s[3:, :4],
    ],
)
def test_slices_that_element_wise_ops_read_are_computed_apart(
    read: Callable[[Tensor], Tensor],
) -> None:
    ran = transform(sliced(read), schedule_of(patterns("tilewright.concats")))
    assert_same_numbers(ran)
    assert "linalg.generic" in ran.text
    assert "-> tensor<6x8xf32>" not in ran.text


@pytest.mark.parametrize(
    "read",
    [
        # All of it is needed too.
        lambda s: tanh(s[:, :4]) * s[:, 4:] + reduce("sum", s, axis=1)[:, None],
        # Parts overlap, by columns and in steps.
        lambda s: tanh(s[:, :5]) * s[:, 3:],
        lambda s: tanh(s[:, :6:2]) * s[:, 2::2],
        # A matmul reads a part.
        lambda s: linear(s[:4, :4], tanh(s[:4, 4:])),
    ],
)
def test_other_slices_stay(read: Callable[[Tensor], Tensor]) -> None:
    ran = transform(sliced(read), schedule_of(patterns("tilewright.concats")))
    assert_same_numbers(ran)
    assert ran.text.count("-> tensor<6x8xf32>") == sliced(read).count(
        "-> tensor<6x8xf32>"
    )


@pytest.mark.parametrize(
    ("made", "kernels"), [(PAD, 1), (CONCAT, 2), (FILLED, 2), (INSERTED, 1)]
)
def test_a_plan_copies_no_pads_and_concats(made: str, kernels: int) -> None:
    planned = plan(parse_payload(payload(made)), target_named("h200"))
    assert len(planned.kernels) == kernels
    assert "tilewright.concats" in planned.text


def test_a_rotary_embedding_of_computed_angles_is_one_kernel() -> None:
    p = Payload("f")
    x, angles = p.input("x", (4, 64, 32), "f32"), p.input("a", (64, 32), "f32")
    low, high = x[:, :, :16], x[:, :, 16:]
    p.output(x * cos(angles) + concatenate([-high, low], 2) * sin(angles))
    assert len(plan(parse_payload(p.text()), target_named("h200")).kernels) == 1
