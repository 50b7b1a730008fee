"""Lower contractions: to outer products, dot products, or arithmetic on vectors.

Before:
    %d = vector.contract {...} %a, %b, %c
        : vector<2x4xf32>, vector<4x3xf32> into vector<2x3xf32>

After `lowering_strategy = outerproduct`, one step for each of the four sums:
    %at = vector.transpose %a, [1, 0] : vector<2x4xf32> to vector<4x2xf32>
    %a0 = vector.extract %at[0] : vector<2xf32> from vector<4x2xf32>
    %b0 = vector.extract %b[0] : vector<3xf32> from vector<4x3xf32>
    %c0 = vector.outerproduct %a0, %b0, %c : vector<2xf32>, vector<3xf32>

A contraction that a strategy does not cover is unrolled along its first parallel loop,
and one without parallel loops along its first reduction.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects.builtin import (
    AnyFloat,
)
from xdsl.ir import Attribute, SSAValue

from tilewright.ir.dialects import arith
from tilewright.ir.dialects.vector import (
    ContractOp,
    OuterProductOp,
    ReductionOp,
)
from tilewright.ir.structured.combiners import combining_op
from tilewright.ir.types import (
    element_type,
    lanes,
    vector_type,
    vector_with,
)
from tilewright.transforms.cleanup.build import make
from tilewright.transforms.cleanup.driver import Pattern, pattern
from tilewright.transforms.cleanup.patterns.vector_lowering.contraction_loops import (
    ADD,
    Loops,
    Lowered,
    unroll_one_loop,
)
from tilewright.transforms.cleanup.patterns.vector_lowering.products import multiply_add
from tilewright.transforms.cleanup.patterns.vector_lowering.steps import Steps, root_of
from tilewright.transforms.core.rewriter import Rewriter

# -- outer products --------------------------------------------------------------------


def _factors(
    op: ContractOp, loops: Loops, steps: Steps, *, sum_first: bool
) -> tuple[SSAValue, SSAValue] | None:
    """The factors of a product of matrices, or of a matrix and a vector.

    The rows of the result come from the first. The summed loop is their first
    dimension, or their last. None for other contractions.
    """
    left, right, result = loops.layout
    sum_loop = loops.kinds.index("r")
    if {*left} & {*right} != {sum_loop} or len(left) + len(right) != 2 + len(result):
        return None
    values = [(op.lhs, left), (op.rhs, right)]
    if result[0] not in left:
        values.reverse()
    at = 0 if sum_first else -1
    first, second = (
        value if dims[at] == sum_loop else steps.transpose(value, (1, 0))
        for value, dims in values
    )
    return first, second


def to_outer_products(op: ContractOp, mask: SSAValue | None, steps: Steps) -> Lowered:
    """Unroll the one reduction of a product of matrices, or of matrix and vector."""
    loops = Loops.of(op)
    if loops.kinds not in ("ppr", "pr", "rp"):
        return None
    factors = _factors(op, loops, steps, sum_first=True)
    if factors is None:
        return None
    if mask is not None and loops.kinds != "rp":
        order = (2, 0, 1) if loops.kinds == "ppr" else (1, 0)
        mask = steps.transpose(mask, order)
    total = op.acc
    for k in range(vector_type(factors[0]).get_shape()[0]):
        parts = [
            _promoted(steps, steps.extract(factor, k), element_type(total.type))
            for factor in factors
        ]
        product = OuterProductOp.build(
            operands=[*parts, [total]],
            result_types=[total.type],
            properties={"kind": op.kind},
        )
        row = None if mask is None else steps.extract(mask, k)
        total = steps.masked(product, row)
    return total


def _promoted(steps: Steps, value: SSAValue, of: Attribute) -> SSAValue:
    if element_type(value.type) == of:
        return value
    shape = lanes(value.type)
    kind = of if shape is None else vector_with(of, shape)
    name = "arith.extf" if isinstance(of, AnyFloat) else "arith.extsi"
    return steps.add(make(name, [value], [kind]))


# -- dot products ----------------------------------------------------------------------


def to_dot_products(op: ContractOp, mask: SSAValue | None, steps: Steps) -> Lowered:
    """Reduce rows: one `vector.reduction` for each element of the result."""
    loops = Loops.of(op)
    if mask is not None or loops.kinds not in ("ppr", "pr"):
        return None
    factors = _factors(op, loops, steps, sum_first=False)
    return None if factors is None else _dots(op, *factors, steps)


def _dots(op: ContractOp, first: SSAValue, second: SSAValue, steps: Steps) -> SSAValue:
    of = vector_type(op.result)
    is_matrix = of.get_num_dims() == 2
    is_float = isinstance(of.element_type, AnyFloat)
    total = steps.constant(0, of)
    columns: list[SSAValue] = []
    for r in range(of.get_shape()[0]):
        row = steps.extract(first, r)
        for c in range(of.get_shape()[1] if is_matrix else 1):
            if r == 0:
                columns.append(steps.extract(second, c) if is_matrix else second)
            times = arith.MulfOp if is_float else arith.MuliOp
            product = steps.binary(times, row, columns[c])
            dot = steps.add(ReductionOp(ADD, product))
            position = (r, c) if is_matrix else (r,)
            total = steps.insert(dot, total, *position)
    return steps.binary(arith.AddfOp if is_float else arith.AddiOp, total, op.acc)


# -- arithmetic on vectors -------------------------------------------------------------


def to_arithmetic(op: ContractOp, mask: SSAValue | None, steps: Steps) -> Lowered:
    """Multiply lane by lane, where all reductions are of one element."""
    loops = Loops.of(op)
    result = lanes(op.acc.type)
    if mask is not None or result is None:
        return None
    sums = {loop for loop, kind in enumerate(loops.kinds) if kind == "r"}
    for value, dims in zip((op.lhs, op.rhs), loops.layout, strict=False):
        shape = vector_type(value).get_shape()
        if any(size != 1 for size, dim in zip(shape, dims, strict=True) if dim in sums):
            return None
    if combining_op(op.kind.data, element_type(op.lhs.type)) is None:
        return None
    lhs, rhs = (
        _over_parallel_loops(value, dims, loops.layout[2], result, sums, steps)
        for value, dims in ((op.lhs, loops.layout[0]), (op.rhs, loops.layout[1]))
    )
    return multiply_add(steps, op.kind.data, lhs, rhs, op.acc)


def _over_parallel_loops(
    value: SSAValue,
    dims: Sequence[int],
    result_dims: Sequence[int],
    result: Sequence[int],
    sums: set[int],
    steps: Steps,
) -> SSAValue:
    """A factor over the loops of the result, without its reductions of extent 1."""
    missing = [dim for dim in result_dims if dim not in dims]
    shape = vector_type(value).get_shape()
    reduced = [at for at, dim in enumerate(dims) if dim in sums]
    if missing:
        extents = [result[result_dims.index(dim)] for dim in missing]
        value = steps.broadcast(value, [*extents, *shape])
    order = [len(missing) + at for at in reduced]
    order += [
        len(missing) + dims.index(dim) if dim in dims else missing.index(dim)
        for dim in result_dims
    ]
    value = steps.transpose(value, order)
    return steps.extract(value, *[0] * len(reduced))


# -- the groups ------------------------------------------------------------------------

Lowering = Callable[[ContractOp, SSAValue | None, Steps], Lowered]
STRATEGIES: dict[str, tuple[Lowering, ...]] = {
    "dot": (to_dot_products,),
    "llvmintr": (),
    "outerproduct": (to_outer_products,),
    "parallelarith": (to_arithmetic,),
}


def lower_contraction(strategy: str) -> tuple[Pattern, ...]:
    """The patterns of one lowering strategy."""

    @pattern(ContractOp)
    def lower(op: ContractOp, rewriter: Rewriter) -> None:
        """Lower a contraction by the strategy, or unroll one of its loops."""
        root, mask = root_of(op)
        for lowering in (*STRATEGIES[strategy], unroll_one_loop):
            plain = lowering is to_outer_products or _is_plain_sum(op)
            steps = Steps()
            result = lowering(op, mask, steps) if plain else None
            if result is not None:
                steps.replace(root, rewriter, result)
                return
            steps.drop()

    return (lower,)


def _is_plain_sum(op: ContractOp) -> bool:
    """Whether products are summed, and all element types are equal."""
    kinds = {element_type(value.type) for value in op.operands}
    return op.kind == ADD and len(kinds) == 1
