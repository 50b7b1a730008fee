"""What predicates ask about a structured op: its body, its maps, its loops."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import AnyFloat, IndexType, IntegerType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineMap
from xdsl.utils.hints import isa

from tilewright.ir.dialects import affine, tensor
from tilewright.ir.dialects.linalg import IndexOp, StructuredOp, YieldOp
from tilewright.transforms.structured.tile.one_tile import is_reduction, maps_of


def bitwidth(of: Attribute) -> int | None:
    """The width of a scalar type, in bits."""
    if isa(of, IntegerType):
        return of.width.data
    return of.bitwidth if isinstance(of, AnyFloat) else None


def is_permutation(map_: AffineMap) -> bool:
    """Whether a map names every loop once."""
    return is_projected_permutation(map_) and len(map_.results) == map_.num_dims


def is_projected_permutation(map_: AffineMap) -> bool:
    """Whether a map names loops, none of them twice."""
    dims = [e.position for e in map_.results if isinstance(e, AffineDimExpr)]
    return len(dims) == len(map_.results) == len(set(dims))


def _yielded(op: StructuredOp) -> Sequence[SSAValue]:
    last = op.body.block.last_op
    assert isinstance(last, YieldOp)
    return last.operands


def passes_through(op: StructuredOp) -> bool:
    """Whether the body yields the inputs' elements, in order, and nothing else."""
    arguments = op.body.block.args[: len(op.inputs)]
    return list(_yielded(op)) == list(arguments)


def is_elementwise(op: StructuredOp) -> bool:
    """Whether each element of the outputs is computed by scalar ops of its own.

    As upstream has it, the body may use indices and read elements of other tensors.
    """
    loops = range(op.get_num_loops())
    if any(is_reduction(op, loop) for loop in loops):
        return False
    maps = maps_of(op)
    if not all(_names_each_loop_once(map_) for map_ in maps):
        return False
    if not all(is_permutation(map_) for map_ in maps[len(op.inputs) :]):
        return False
    return all(_is_scalar(nested) for nested in op.body.block.ops)


def _names_each_loop_once(map_: AffineMap) -> bool:
    """Whether a map is a projected permutation with zeros here and there."""
    zero = AffineConstantExpr(0)
    named = tuple(e for e in map_.results if e != zero)
    return is_projected_permutation(AffineMap(map_.num_dims, map_.num_symbols, named))


def _is_scalar(op: Operation) -> bool:
    """Whether an op may stand in the body of an op that is elementwise upstream."""
    if not all(isa(t, AnyFloat | IntegerType | IndexType) for t in op.result_types):
        return False
    if isinstance(op, IndexOp | YieldOp | tensor.ExtractOp | affine.ApplyOp):
        return True
    return op.name.startswith(("arith.", "math."))


def is_reduction_of(op: StructuredOp, position: int) -> bool:
    """Whether an output is `combine(output, something)` by one op."""
    if not 0 <= position < len(op.outputs):
        return False
    accumulator = op.body.block.args[len(op.inputs) + position]
    combiner = _yielded(op)[position].owner
    return (
        isinstance(combiner, Operation)
        and len(combiner.operands) == 2
        and list(combiner.operands).count(accumulator) == 1
        and accumulator.uses.get_length() == 1
    )


def is_contraction(op: StructuredOp, names: Sequence[str]) -> bool:
    """Whether the body is `add(output, mul(a, b))` by the ops of these names."""
    if len(names) != 2 or len(op.outputs) != 1 or len(op.inputs) != 2:
        return False
    add = _yielded(op)[0].owner
    if not isinstance(add, Operation) or add.name != names[1]:
        return False
    accumulator = op.body.block.args[-1]
    others = [operand for operand in add.operands if operand is not accumulator]
    if len(others) != 1:
        return False
    product = others[0].owner
    if not isinstance(product, Operation) or product.name != names[0]:
        return False
    sources = [_through_casts(operand) for operand in product.operands]
    return sorted(map(op.body.block.args.index, sources)) == [0, 1]


def _through_casts(value: SSAValue) -> SSAValue:
    """The block argument a value is cast from."""
    while isinstance(value.owner, Operation) and len(value.owner.operands) == 1:
        value = value.owner.operands[0]
    return value


def contraction_dims(
    op: StructuredOp,
) -> tuple[list[int], list[int], list[int], list[int]] | None:
    """The batch, m, n and k loops of a contraction of two inputs."""
    maps = maps_of(op)
    if len(op.inputs) != 2 or len(op.outputs) != 1:
        return None
    if not all(is_projected_permutation(map_) for map_ in maps):
        return None
    lhs, rhs, out = (
        {e.position for e in map_.results if isinstance(e, AffineDimExpr)}
        for map_ in maps
    )
    loops = range(op.get_num_loops())
    parallel = {loop for loop in loops if not is_reduction(op, loop)}
    batch = lhs & rhs & out & parallel
    m = (lhs & out & parallel) - rhs
    n = (rhs & out & parallel) - lhs
    k = (lhs & rhs) - out - parallel
    if not k:
        return None
    return sorted(batch), sorted(m), sorted(n), sorted(k)
