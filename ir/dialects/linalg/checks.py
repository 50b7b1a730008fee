"""The verifier that all structured ops share, with upstream's messages.

Shapes are checked wherever two sizes of one loop are known. Upstream checks nothing if
one loop is dynamic.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Attribute
from xdsl.ir.affine import AffineDimExpr, AffineExpr, AffineMap
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.dialects.linalg.loops import loop_ranges, shape_of
from tilewright.ir.types import element_type, is_buffer, is_tensor

if TYPE_CHECKING:
    from tilewright.ir.dialects.linalg.structured import StructuredOp


def check_structured(op: StructuredOp) -> None:
    """Raise at the first rule that an op breaks."""
    types, maps = op.operand_types, op.maps
    _check_operands(op, types)
    _check_results(op)
    _check_maps(maps, types, op.get_num_loops())
    _check_body(op, types)
    shapes = [shape_of(type_) for type_ in types]
    _check_shapes(maps, shapes, loop_ranges(maps, shapes, op.get_num_loops()))


def _check_operands(op: StructuredOp, types: Sequence[Attribute]) -> None:
    for type_ in types[len(op.inputs) :]:
        if not is_tensor(type_) and not is_buffer(type_):
            raise VerifyException(
                f"expected outputs to be tensors or memrefs, got {type_}"
            )
    if any(map(is_tensor, types)) and any(map(is_buffer, types)):
        raise VerifyException("expected to have pure tensor or buffer semantics")


def _check_results(op: StructuredOp) -> None:
    tensors = [type_ for type_ in op.outputs.types if is_tensor(type_)]
    results = op.result_types
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


def _check_maps(
    maps: Sequence[AffineMap], types: Sequence[Attribute], loops: int
) -> None:
    if len(maps) != len(types):
        raise VerifyException(
            f"expected the number of indexing_map ({len(maps)}) to be equal to the "
            f"number of input/output operands ({len(types)})"
        )
    reached: set[int] = set()
    for index, (map_, type_) in enumerate(zip(maps, types, strict=True)):
        if map_.num_dims != loops:
            raise VerifyException(
                f"expected indexing_map #{index} to have {loops} dim(s) to match the "
                "number of loops"
            )
        if map_.num_symbols:
            raise VerifyException(f"unexpected symbols in indexing_map #{index}")
        rank = len(shape_of(type_))
        if len(map_.results) != rank:
            raise VerifyException(
                f"expected operand rank ({rank}) to match the result rank of "
                f"indexing_map #{index} ({len(map_.results)})"
            )
        dims = (expr for expr in map_.results if isinstance(expr, AffineDimExpr))
        reached.update(dim.position for dim in dims)
    missing = [f"d{loop}" for loop in range(loops) if loop not in reached]
    if missing:
        raise VerifyException(
            "invalid indexing maps are non-invertible: no operand has a dimension "
            f"that is indexed by {', '.join(missing)} alone"
        )


def _check_body(op: StructuredOp, types: Sequence[Attribute]) -> None:
    block = op.body.block
    if len(block.args) != len(types):
        raise VerifyException(
            "expected as many non-induction variable region arguments as the number "
            f"of input/output operands ({len(types)}), got {len(block.args)}"
        )
    for index, (arg, type_) in enumerate(zip(block.args, types, strict=True)):
        if arg.type != element_type(type_):
            raise VerifyException(
                f"expected type of bb argument #{index} ({arg.type}) to match element "
                f"or self type of the corresponding operand ({element_type(type_)})"
            )
    if block.last_op is None or block.last_op.name != "linalg.yield":
        raise VerifyException("expected the body to end with 'linalg.yield'")


def _check_shapes(
    maps: Sequence[AffineMap], shapes: Sequence[Sequence[int]], ranges: Sequence[int]
) -> None:
    for index, (map_, shape) in enumerate(zip(maps, shapes, strict=True)):
        for dim, (expr, size) in enumerate(zip(map_.results, shape, strict=True)):
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
    """The values of an expression at the first and last index of its loops."""
    used = expr.used_dims()
    if any(ranges[loop] <= 0 for loop in used):
        return None
    last = [ranges[loop] - 1 if loop in used else 0 for loop in range(map_.num_dims)]
    return expr.eval([0] * map_.num_dims, []), expr.eval(last, [])
