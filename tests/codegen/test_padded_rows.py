"""Kernels that read padded copies through descriptors, and store by pointers."""

from __future__ import annotations

import pytest

from support.codegen.buffer_level import generated
from tilewright.ir.errors import UserError
from tilewright.numeric_check import check_kernel_ir, check_triton_source, make_case
from tilewright.payloads import Payload, elementwise, relu
from tilewright.pipeline import Built, build
from tilewright.schedules.schedule import Schedule


def schedule(launch: str = 'descriptors = "where_legal"', parts: int = 1) -> str:
    return f"""schedule s(root) {{
  ops = match implementing [LinalgOp] in root
  zero, mm, out = split_handle ops
  mm, copies = pad_rows mm at [0, 1]
  left, right = split_handle copies
  left, first = tile left by [16, 64] onto [block.y, block.x]
  right, second = tile right by [16, 64] onto [block.y, block.x]
  out, grid = tile out by [32, 64] onto [block.y, block.x]
  mm, grid = fuse mm into grid
  zero, grid = fuse zero into grid
  mm, k = tile mm by [0, 0, 32]
  launch grid warps = 4 parts = {parts} {launch}
}}
"""


def payload(m: int, n: int, k: int, *, transposed: bool = False) -> Payload:
    """A product with a bias and a residual, whose rows are ragged too."""
    made = Payload("f")
    a = made.input("a", (m, k), "f16")
    b = (
        made.input("b", (n, k), "f16").T
        if transposed
        else made.input("b", (k, n), "f16")
    )
    bias, rest = made.input("bias", (n,), "f16"), made.input("rest", (m, n), "f16")
    tail = elementwise(lambda x, y, z: relu(x + y) + z, a @ b, bias, rest, dtype="f16")
    made.output(tail)
    return made


def built(made: Payload, text: str, *, by_triton: bool = False) -> Built:
    program = build(made.module, Schedule.from_text(text), {})
    case = make_case(made.module, seed=0)
    found = [check_kernel_ir(program, case)]
    if by_triton:
        found += check_triton_source(program, [case])
    for comparison in found:
        assert comparison.ok, comparison.message
    return program


def test_loads_by_descriptors_stores_by_pointers() -> None:
    program = built(payload(77, 53, 91), schedule(), by_triton=True)
    text = program.program.text
    assert "_descriptor(tmp, (32, 32), (77, 91))" in text
    assert "_descriptor(tmp2, (32, 64), (91, 53))" in text
    assert "out_desc" not in text and "rest_desc" not in text


@pytest.mark.parametrize("parts", [1, 2])
def test_transposed_operands_and_parts(parts: int) -> None:
    built(payload(77, 53, 53, transposed=True), schedule(parts=parts))


def test_the_strict_flag_refuses_the_store() -> None:
    with pytest.raises(UserError, match="cannot go through a tensor descriptor"):
        built(payload(77, 53, 91), schedule("descriptors = 1"))


def test_a_word_that_is_not_known() -> None:
    with pytest.raises(UserError, match='"stores"'):
        built(payload(77, 53, 91), schedule('descriptors = "stores"'))


def test_copies_write_their_spare_columns() -> None:
    """The mask of a store ends at a multiple of 16 bytes, that of its load does not."""
    text = built(payload(77, 53, 91), schedule()).program.text
    copy = text[text.index("def f_pointwise_kernel") : text.index("def f_pointwise2")]
    assert "mask_n2 = offs_n < N_2" in copy and "mask_n2[None, :]" in copy


def test_nothing_to_describe() -> None:
    text = schedule().replace("mm, copies = pad_rows mm at [0, 1]\n", "")
    text = "\n".join(
        line for line in text.splitlines() if "left" not in line and "right" not in line
    )
    with pytest.raises(UserError, match="no tile can go through a descriptor"):
        built(payload(77, 53, 91), text)


WINDOW = """\
func.func @f(%x: memref<8x13xf16>) -> memref<8xf16> {
  %c0 = arith.constant 0 : index
  %c13 = arith.constant 13 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f16
  %wide = memref.alloc() : memref<8x16xf16>
  %rows = memref.subview %wide[0, 0] [8, 13] [1, 1]
      : memref<8x16xf16> to memref<8x13xf16, strided<[16, 1]>>
  scf.forall (%i) in (1) {
    %mask = vector.create_mask %c8, %c13 : vector<8x16xi1>
    %v = vector.transfer_read %x[%c0, %c0], %zero, %mask {in_bounds = [true, true]}
        : memref<8x13xf16>, vector<8x16xf16>
    vector.transfer_write %v, %rows[%c0, %c0], %mask {in_bounds = [true, true]}
        : vector<8x16xf16>, memref<8x13xf16, strided<[16, 1]>>
  } {mapping = [#gpu.block<x>]}
  %out = memref.alloc() : memref<8xf16>
  scf.forall (%i) in (1) {
    %v = vector.transfer_read READ[%c0, %c0], %zero {in_bounds = [true]}
        : TYPE, vector<8xf16>
    vector.transfer_write %v, %out[%c0] {in_bounds = [true]}
        : vector<8xf16>, memref<8xf16>
  } {mapping = [#gpu.block<x>]}
  return %out : memref<8xf16>
}
"""


@pytest.mark.parametrize(
    ("read", "of", "is_masked"),
    [
        ("%rows", "memref<8x13xf16, strided<[16, 1]>>", False),
        ("%wide", "memref<8x16xf16>", True),
    ],
)
def test_spare_columns_are_those_that_nothing_reads(
    read: str, of: str, is_masked: bool
) -> None:
    text = generated(WINDOW.replace("READ", read).replace("TYPE", of)).program.text
    copy = text[text.index("def f_") : text.index("@triton.jit", text.index("def f_"))]
    stored = copy[copy.index("tl.store") :]
    assert ("mask" in stored) is is_masked
