"""Drop inputs of `linalg.generic` that are not read, or that are repeated.

`linalg.erase_unnecessary_inputs`.
"""

from __future__ import annotations

from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap

from tilewright.ir.dialects.linalg import GenericOp, maps_attribute
from tilewright.transforms.cleanup.driver import pattern
from tilewright.transforms.core.rewriter import Rewriter


@pattern(GenericOp)
def drop_inputs(op: GenericOp, rewriter: Rewriter) -> None:
    """Keep each input once, if the body reads it or a loop's extent needs it."""
    block = op.body.block
    known: dict[tuple[SSAValue, AffineMap], int] = {}
    keep: list[int] = []
    dropped: set[int] = set()
    for position, (operand, map_) in enumerate(
        zip(op.inputs, op.maps[: len(op.inputs)], strict=True)
    ):
        arg = block.args[position]
        twin = known.get((operand, map_))
        if twin is not None:
            rewriter.replace_uses(arg, block.args[twin])
        elif arg.first_use is None and _is_enough(op, dropped | {position}):
            dropped.add(position)
        else:
            known[operand, map_] = position
            keep.append(position)
    if len(keep) == len(op.inputs):
        return
    count = len(op.inputs)
    outputs = range(count, len(op.operands))
    kept = [*keep, *outputs]
    maps = [op.maps[position] for position in kept]
    inputs = [op.operands[position] for position in keep]
    results, destinations = list(op.results), list(op.outputs)
    for position in reversed(range(count)):
        if position not in keep:
            block.erase_arg(block.args[position])
    new = GenericOp.build(
        operands=[inputs, destinations],
        result_types=[[result.type for result in results]],
        properties={
            "indexing_maps": maps_attribute(maps),
            "iterator_types": op.properties["iterator_types"],
        },
        attributes=op.attributes.copy(),
        regions=[op.detach_region(0)],
    )
    rewriter.replace_with(op, new)


def _is_enough(op: GenericOp, without: set[int]) -> bool:
    """Whether the other operands still determine the extent of every loop."""
    reached = {
        expr.position
        for at, map_ in enumerate(op.maps)
        if at not in without
        for expr in map_.results
        if isinstance(expr, AffineDimExpr)
    }
    return len(reached) == op.get_num_loops()


PATTERNS = (drop_inputs,)
