"""The width of offsets into buffers of a size known only at run time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, f32

from support.codegen.buffer_level import in_a_grid
from support.codegen.buffer_level import parse as parse_buffers
from support.codegen.open_sizes import ADD, WIDE, built, tiled
from tilewright.codegen.kernel.accesses import is_wide
from tilewright.ir.dialects import arith
from tilewright.ir.dialects.kernel import FuncOp, LoadOp, OffsetOp, element_of
from tilewright.ir.errors import SilenceableFailure, UserError
from tilewright.ir.interpreter import run as interpret_ir
from tilewright.pipeline import Built, build, parse_payload
from tilewright.schedules.schedule import Schedule


def kernel_of(made: Built) -> FuncOp:
    return next(op for op in made.kernel.ops if isinstance(op, FuncOp))


def widths(kernel: FuncOp) -> set[str]:
    """The types of all offsets that are added to pointers."""
    return {
        str(element_of(op.offset.type))
        for op in kernel.body.walk()
        if isinstance(op, OffsetOp)
    }


EXPONENTIAL = """
func.func @f(%x: tensor<{shape}xf32>) -> tensor<{shape}xf32> {{
  %c0 = arith.constant 0 : index
  {size}
  %o = tensor.empty({m}) : tensor<{shape}xf32>
  %r = linalg.exp ins(%x : tensor<{shape}xf32>) outs(%o : tensor<{shape}xf32>) -> tensor<{shape}xf32>
  return %r : tensor<{shape}xf32>
}}
"""  # noqa: E501


def exponential(shape: str) -> Built:
    is_open = "?" in shape
    size = f"%m = tensor.dim %x, %c0 : tensor<{shape}xf32>" if is_open else ""
    m = "%m" if is_open else ""
    return build(parse_payload(EXPONENTIAL.format(shape=shape, size=size, m=m)), None)


@pytest.mark.parametrize(
    ("shape", "width"),
    [
        ("1024x1024", "i32"),
        ("65536x32768", "i32"),
        ("65536x32769", "i64"),
        ("?x1024", "i32"),
        ("?x65536x40000", "i64"),
    ],
)
def test_width_of_offsets(shape: str, width: str) -> None:
    assert widths(kernel_of(exponential(shape))) == {width}


def test_wide_offsets_where_asked() -> None:
    made = built("add", WIDE)
    assert widths(kernel_of(made)) == {"i64"}
    assert "tl.int64" in made.program.text


def test_wide_offsets_that_change_nothing() -> None:
    payload = parse_payload(EXPONENTIAL.format(shape="64", size="", m=""))
    text = ADD.replace("linalg.add", "linalg.exp").replace(
        "vectorize", 'annotate grid "triton.wide_offsets"\n  vectorize'
    )
    with pytest.raises(SilenceableFailure, match="changes nothing here"):
        build(payload, Schedule.from_text(text))


def addresses(kernel: FuncOp, values: Mapping[str, int]) -> NDArray[np.int64]:
    """Offsets of the lanes of the first load, as 32 and 64 bits wide as they are."""
    load = next(op for op in kernel.body.walk() if isinstance(op, LoadOp))
    total = np.zeros((), np.int64)
    pointer = load.pointer
    while isinstance(pointer.owner, OffsetOp):
        total = total + np.asarray(_value(pointer.owner.offset, values), np.int64)
        pointer = pointer.owner.pointer
    return np.asarray(total)


def _value(value: Any, values: Mapping[str, int]) -> Any:
    """What an index of a kernel comes to, wrapping around as its type does."""
    op = value.owner
    dtype = np.int64 if str(element_of(value.type)) == "i64" else np.int32
    if not hasattr(op, "name") or value.name_hint in values:
        return dtype(values[value.name_hint])
    operands = [_value(operand, values) for operand in op.operands]
    match op.name:
        case "kernel.program_id":
            return dtype(values[f"program{op.axis.value.data}"])
        case "kernel.constexpr" | "arith.constant":
            return dtype(op.value.value.data)
        case "kernel.arange":
            return np.arange(op.result.type.get_shape()[0], dtype=dtype)
        case "kernel.expand_dims":
            return np.expand_dims(operands[0], op.axis.value.data)
        case "vector.broadcast":
            return operands[0]
        case "kernel.cast":
            return operands[0].astype(dtype)
        case _:
            compute = {
                arith.AddiOp: np.add,
                arith.MuliOp: np.multiply,
                arith.FloorDivSIOp: np.floor_divide,
                arith.RemSIOp: np.remainder,
            }[type(op)]
            with np.errstate(over="ignore"):
                return compute(*operands).astype(dtype)


def test_addresses_past_two_billion_elements() -> None:
    made = exponential("65536x40000")
    kernel = kernel_of(made)
    rows, columns = made.program.kernels[0].accesses[0].tile
    last = {"program0": 40000 // columns - 1, "program1": 65536 // rows - 1}
    found = addresses(kernel, last)
    assert found.shape == (rows, columns)
    first = (65536 - rows) * 40000 + 40000 // columns * columns - columns
    assert found[0, 0] == first > 2**31
    steps = np.arange(rows)[:, None] * 40000 + np.arange(columns)
    np.testing.assert_array_equal(found, first + steps)


def test_a_tensor_past_the_width_of_offsets_is_refused() -> None:
    made = tiled("matmul_relu")
    huge = np.broadcast_to(np.float16(0), (2**22, 512))
    small = np.zeros((512, 256), np.float16)
    with pytest.raises(UserError, match="one of a, o has more than 2146435072"):
        interpret_ir(made.kernel, [huge, small])


def test_is_wide_counts_what_is_known() -> None:
    function = parse_buffers(in_a_grid("")).body.block.first_op
    assert function is not None
    open_ = MemRefType(f32, [DYNAMIC_INDEX, 2**20])
    assert not is_wide(open_, function, asked=False)
    assert is_wide(open_, function, asked=True)
    assert is_wide(MemRefType(f32, [DYNAMIC_INDEX, 2**31]), function, asked=False)
