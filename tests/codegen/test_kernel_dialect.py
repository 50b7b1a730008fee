"""The kernel dialect: complete, free of one emitter's words, and tidied."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from support.codegen.buffer_level import CASES, generated, matmul_relu, text_of
from support.paths import DOCS
from tilewright.codegen.emit.expressions.table import WRITERS
from tilewright.codegen.lower.ops import arith as lower_arith
from tilewright.codegen.lower.ops import table as lower_ops
from tilewright.codegen.passes.simplify import simplify
from tilewright.ir.context import payload_context
from tilewright.ir.dialects import kernel
from tilewright.ir.dialects.kernel import (
    EachTileOp,
    FuncOp,
    Kernel,
    LastArriverOp,
)
from tilewright.ir.errors import SilenceableFailure, UserError
from tilewright.ir.interpreter.dialects.kernel.kernel_table import TABLE
from tilewright.ir.text import parse_module, to_text
from tilewright.pipeline import build, parse_payload
from tilewright.schedules.schedule import Schedule

CODEGEN = Path(kernel.__file__).parents[3] / "codegen"
OPS = list(Kernel.operations)


@pytest.mark.parametrize("op", OPS, ids=lambda op: op.name)
def test_every_op_is_interpreted_and_emitted(op: type) -> None:
    """A func is run by the launch of it, and written as a whole; passes expand two."""
    assert op in TABLE or op is FuncOp
    statements = "".join(
        (CODEGEN / "emit" / f"{name}.py").read_text()
        for name in ("kernel", "launch_plan")
    )
    is_written = re.search(rf"\b{op.__name__}\(\)", statements) is not None
    is_expanded = op in (EachTileOp, LastArriverOp)
    assert op in WRITERS or is_written or is_expanded or op is FuncOp


@pytest.mark.sampled(6)
@pytest.mark.parametrize("case", CASES)
def test_printed_kernels_are_read_back(case: str) -> None:
    text = to_text(generated(text_of(case)).kernel_module)
    assert to_text(parse_module(text, "kernel.mlir", payload_context())) == text


def test_no_op_attribute_or_type_has_a_word_of_triton() -> None:
    words = re.compile(r"triton|\btl\b|\bmma\b|wgmma|tma\b", re.IGNORECASE)
    for op in OPS:
        fields = [name for name, _ in op.get_irdl_definition().properties.items()]
        assert not words.search(" ".join([op.name, *fields])), op.name
    for attribute in Kernel.attributes:
        assert not words.search(attribute.name)


WRONG = {
    "dot of shapes that do not fit": (
        'kernel.dot"(%a, %a) : (vector<16x32xf16>, vector<16x32xf16>) -> '
        "vector<16x16xf32>",
        "do not fit",
    ),
    "halves of a vector": (
        'kernel.halves"(%r) : (vector<16xf16>) -> (vector<8xf16>, vector<8xf16>)',
        "needs a matrix",
    ),
    "halves of another width": (
        'kernel.halves"(%a) : (vector<16x32xf16>) -> (vector<16x8xf16>, '
        "vector<16x8xf16>)",
        "the halves of",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_cannot_be_is_not_verified(case: str) -> None:
    text, words = WRONG[case]
    outputs = "%x, %y" if "halves" in case else "%x"
    module = (
        "func.func @f(%a: vector<16x32xf16>, %r: vector<16xf16>) {\n"
        f'  {outputs} = "{text}\n  return\n}}'
    )
    with pytest.raises(UserError, match=words):
        parse_module(module, "wrong.mlir", payload_context())


# What is computed once, outside, or not at all.


def test_what_every_lane_passes_is_not_masked() -> None:
    text = generated(matmul_relu(256, 256, 256)).program.text
    assert "mask" not in text and "other" not in text


def test_offsets_of_tiles_that_lie_alike_are_computed_once() -> None:
    text = generated(text_of("gelu")).program.text
    assert text.count("offs_m[:, None] * N + offs_n[None, :]") == 1
    assert "res_ptr + offs)" in text and "out_ptr + offs," in text


def test_masks_that_no_iteration_changes_stand_before_the_loop() -> None:
    text = generated(matmul_relu(100, 100, 100)).program.text
    before, _, loop = text.partition("    for k in")
    assert "mask_m = offs_m < M\n" in before and "mask_n = offs_n < N\n" in before
    assert loop.count("offs_k < K - k") == 1


def test_a_product_that_starts_at_zero_has_no_accumulator() -> None:
    text = generated(matmul_relu(64, 64, 32, (32, 32, 32))).program.text
    assert re.search(r"tl\.dot\(a, b(, acc)?\)", text)
    assert "tl.full(" not in text


def test_what_one_branch_reads_is_computed_in_it() -> None:
    text = generated(text_of("split_k")).program.text
    _, _, branch = text.partition("    if arrived == PARTS - 1:\n")
    assert "        part_tile = part_ptr + offs\n" in branch


CAST_OF_A_ROW = """
kernel.func @f(%p: !kernel.ptr<f16>, %q: !kernel.ptr<f32>) constants {} tiles [1] group 1 {
  %lanes = kernel.arange : vector<16xi32>
  %at = kernel.offset %p, %lanes : !kernel.ptr<f16>, vector<16xi32> to vector<16x!kernel.ptr<f16>>
  %row = kernel.load %at : vector<16x!kernel.ptr<f16>> to vector<16xf16>
  %wide = vector.broadcast %row : vector<16xf16> to vector<4x16xf16>
  %cast = kernel.cast %wide : vector<4x16xf16> to vector<4x16xf32>
  %total = kernel.reduce %cast <add> axis 0 : vector<4x16xf32> to vector<16xf32>
  %to = kernel.offset %q, %lanes : !kernel.ptr<f32>, vector<16xi32> to vector<16x!kernel.ptr<f32>>
  kernel.store %to, %total : vector<16x!kernel.ptr<f32>>, vector<16xf32>
  kernel.return
}"""  # noqa: E501


def test_a_row_is_converted_before_it_is_repeated() -> None:
    module = parse_module(CAST_OF_A_ROW, "cast.mlir", payload_context())
    (func,) = module.ops
    assert isinstance(func, FuncOp)
    simplify(module)
    module.verify()
    names = [op.name for op in func.body.block.ops]
    load = names.index("kernel.load")
    assert names[load + 1 : load + 3] == ["kernel.cast", "vector.broadcast"]
    assert "vector<16xf16> to vector<16xf32>" in to_text(module)


# What is refused, and the table of what is accepted.

ODD_ROWS = """
func.func @f(%a: tensor<64x33xf16>) -> tensor<64x33xf16> {
  %e = tensor.empty() : tensor<64x33xf16>
  %r = linalg.add ins(%a, %a : tensor<64x33xf16>, tensor<64x33xf16>) outs(%e : tensor<64x33xf16>) -> tensor<64x33xf16>
  return %r : tensor<64x33xf16>
}"""  # noqa: E501

BY_DESCRIPTORS = """
schedule f(root) {
  op = match "linalg.add" in root
  op, grid = tile op by [32, 32] onto [block.y, block.x]
  descriptors grid
  vectorize op to [32, 32]
}"""


def test_a_refusal_names_the_buffer_and_the_line_of_the_schedule() -> None:
    with pytest.raises(SilenceableFailure, match="'a' cannot go through") as refused:
        build(parse_payload(ODD_ROWS), Schedule.from_text(BY_DESCRIPTORS))
    (note,) = refused.value.notes
    assert note.place is not None and "tile op by" in (note.place.text or "")


def test_the_table_of_accepted_ops_is_the_code() -> None:
    page = (DOCS / "codegen.md").read_text()
    _, _, table = page.partition("## What becomes what")
    table, _, _ = table.partition("Beside the grids")
    told = set(re.findall(r"[a-z_0-9]+", table))
    handled = [*lower_ops.HANDLERS, *lower_arith.SAME, *lower_arith.CASTS]
    refused = {"memref.alloc", "memref.alloca", "scf.forall", "vector.mask"}
    for op in handled:
        name = op.name
        if name not in refused:
            assert name.partition(".")[2] in told, f"{name} is not in the table"
