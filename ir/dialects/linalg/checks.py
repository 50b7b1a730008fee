"""What every structured op has to keep to, in upstream's words.

Shapes are checked wherever two sizes of one loop are known. Upstream gives up as soon
as one loop is dynamic; a mismatch is one all the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir.affine import AffineDimExpr, AffineExpr, AffineMap
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.dialects.linalg.loops import shape_of
from tilewright.ir.types import element_type, is_buffer, is_tensor

if TYPE_CHECKING:
    from tilewright.ir.dialects.linalg.structured import StructuredOp


def check_structured(op: StructuredOp) -> None:
    """Raise at the first rule that an op breaks."""
    _check_operands(op)
    _check_results(op)
    _check_maps(op)
    _check_body(op)
    _check_shapes(op)


def _check_operands(op: StructuredOp) -> None:
    for output in op.outputs:
        if not is_tensor(output.type) and not is_buffer(output.type):
            raise VerifyException(
                f"expected outputs to be tensors or memrefs, got {output.type}"
            )
    types = [operand.type for operand in op.operands]
    if any(map(is_tensor, types)) and any(map(is_buffer, types)):
        raise VerifyException("expected to have pure tensor or buffer semantics")


def _check_results(op: StructuredOp) -> None:
    tensors = [output.type for output in op.outputs if is_tensor(output.type)]
    results = [result.type for result in op.results]
    if len(results) != len(tensors):
        raise VerifyException(
            f"expected the number of tensor results ({len(results)}) to be equal to "
            f"the number of output tensors ({len(tensors)})"
        )
    for index, (tensor, result) in enumerate(zip(tensors, results, strict=True)):
        if tensor != result:
            raise VerifyException(
                f"expected type of output #{index} ({tensor}) to match type of "
                f"corresponding result ({result})"
            )


def _check_maps(op: StructuredOp) -> None:
    maps = op.maps
    if len(maps) != len(op.operands):
        raise VerifyException(
            f"expected the number of indexing_map ({len(maps)}) to be equal to the "
            f"number of input/output operands ({len(op.operands)})"
        )
    loops = op.get_num_loops()
    for index, (map_, operand) in enumerate(zip(maps, op.operands, strict=True)):
        if map_.num_dims != loops:
            raise VerifyException(
                f"expected indexing_map #{index} to have {loops} dim(s) to match the "
                "number of loops"
            )
        if map_.num_symbols:
            raise VerifyException(f"unexpected symbols in indexing_map #{index}")
        rank = len(shape_of(operand.type))
        if len(map_.results) != rank:
            raise VerifyException(
                f"expected operand rank ({rank}) to match the result rank of "
                f"indexing_map #{index} ({len(map_.results)})"
            )
    reached = {
        expr.position
        for map_ in maps
        for expr in map_.results
        if isinstance(expr, AffineDimExpr)
    }
    missing = [f"d{loop}" for loop in range(loops) if loop not in reached]
    if missing:
        raise VerifyException(
            "invalid indexing maps are non-invertible: no operand has a dimension "
            f"that is indexed by {', '.join(missing)} alone"
        )


def _check_body(op: StructuredOp) -> None:
    block = op.body.block
    if len(block.args) != len(op.operands):
        raise VerifyException(
            "expected as many non-induction variable region arguments as the number "
            f"of input/output operands ({len(op.operands)}), got {len(block.args)}"
        )
    for index, (arg, operand) in enumerate(zip(block.args, op.operands, strict=True)):
        if arg.type != element_type(operand.type):
            raise VerifyException(
                f"expected type of bb argument #{index} ({arg.type}) to match element "
                f"or self type of the corresponding operand "
                f"({element_type(operand.type)})"
            )
    if block.last_op is None or block.last_op.name != "linalg.yield":
        raise VerifyException("expected the body to end with 'linalg.yield'")


def _check_shapes(op: StructuredOp) -> None:
    ranges = op.get_static_loop_ranges()
    for index, (map_, operand) in enumerate(zip(op.maps, op.operands, strict=True)):
        for dim, (expr, size) in enumerate(
            zip(map_.results, shape_of(operand.type), strict=True)
        ):
            if size == DYNAMIC_INDEX:
                continue
            where = f"input/output operand #{index} has shape's dimension #{dim}"
            if isinstance(expr, AffineDimExpr):
                extent = ranges[expr.position]
                if extent != size:
                    raise VerifyException(
                        f"inferred {where} to be {extent}, but found {size}"
                    )
                continue
            bounds = _bounds(map_, expr, ranges)
            if bounds is None or size == 0:
                continue
            if min(bounds) < 0:
                raise VerifyException(
                    f"unexpected result less than 0 at expression #{dim} in {map_}"
                )
            if max(bounds) >= size:
                raise VerifyException(
                    f"inferred {where} to be greater than or equal to "
                    f"{max(bounds) + 1}, but found {size}"
                )


def _bounds(
    map_: AffineMap, expr: AffineExpr, ranges: Sequence[int]
) -> tuple[int, int] | None:
    """What an expression is at the first and at the last index of the loops it uses."""
    used = expr.used_dims()
    if any(ranges[loop] <= 0 for loop in used):
        return None
    last = [ranges[loop] - 1 if loop in used else 0 for loop in range(map_.num_dims)]
    return expr.eval([0] * map_.num_dims, []), expr.eval(last, [])
