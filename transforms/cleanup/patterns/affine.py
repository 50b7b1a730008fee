"""Patterns on affine.apply, min and max: compose, simplify, normalize."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from xdsl.dialects.builtin import AffineMapAttr, IndexType
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import (
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
    AffineSymExpr,
)

from tilewright.ir.indexing.composition import composed
from tilewright.ir.indexing.constants import constant_int
from tilewright.ir.indexing.index_ops import map_of
from tilewright.ir.indexing.normal_form import flattened, number_of, replaced
from tilewright.transforms.cleanup.build import make
from tilewright.transforms.cleanup.constants import index_constant
from tilewright.transforms.cleanup.driver import fold_on, pattern_on
from tilewright.transforms.core.rewriter import Rewriter

MIN_MAX = ("affine.min", "affine.max")
CHOOSE = {"affine.min": min, "affine.max": max}


def affine_op(name: str, map_: AffineMap, operands: Sequence[SSAValue]) -> Operation:
    """A new affine.apply, min or max."""
    return make(name, operands, [IndexType()], {"map": AffineMapAttr(map_)})


def applied(
    expr: AffineExpr, operands: Sequence[SSAValue | int]
) -> tuple[SSAValue | int, list[Operation]]:
    """`expr` of the operands: a number, an existing value, or a new affine.apply."""
    dims: list[AffineExpr] = []
    values: list[SSAValue] = []
    for operand in operands:
        if isinstance(operand, int):
            dims.append(AffineConstantExpr(operand))
        else:
            dims.append(AffineDimExpr(len(values)))
            values.append(operand)
    map_ = AffineMap(len(values), 0, (replaced(expr, dims, []),))
    map_, values = composed(map_, values)
    result = map_.results[0]
    if (number := number_of(result)) is not None:
        return number, []
    if isinstance(result, AffineDimExpr):
        return values[result.position], []
    if isinstance(result, AffineSymExpr):
        return values[map_.num_dims + result.position], []
    new = affine_op("affine.apply", map_, values)
    return new.results[0], [new]


def _with_constants(op: Operation) -> AffineMap:
    """The map of an op with its constant operands put in."""
    return _put_in(map_of(op), tuple(constant_int(v) for v in op.operands))


@lru_cache(maxsize=1 << 12)
def _put_in(map_: AffineMap, numbers: tuple[int | None, ...]) -> AffineMap:
    """A map with numbers for some of its dims and symbols."""
    exprs: list[AffineExpr] = []
    for position, number in enumerate(numbers):
        if number is not None:
            exprs.append(AffineConstantExpr(number))
        elif position < map_.num_dims:
            exprs.append(AffineDimExpr(position))
        else:
            exprs.append(AffineSymExpr(position - map_.num_dims))
    dims, symbols = exprs[: map_.num_dims], exprs[map_.num_dims :]
    results = tuple(replaced(e, dims, symbols) for e in map_.results)
    return AffineMap(map_.num_dims, map_.num_symbols, results)


@fold_on("affine.apply")
def fold_apply(op: Operation, rewriter: Rewriter) -> None:
    """Replace an `affine.apply` that is an operand or a constant."""
    map_ = _with_constants(op)
    result = map_.results[0]
    if isinstance(result, AffineDimExpr):
        rewriter.replace(op, [op.operands[result.position]])
    elif isinstance(result, AffineSymExpr):
        rewriter.replace(op, [op.operands[map_.num_dims + result.position]])
    elif (number := number_of(result)) is not None:
        rewriter.replace_with(op, index_constant(number))


@fold_on(*MIN_MAX)
def fold_min_max(op: Operation, rewriter: Rewriter) -> None:
    """Compute the minimum or maximum of constants."""
    numbers = [number_of(expr) for expr in _with_constants(op).results]
    known = [number for number in numbers if number is not None]
    if len(known) == len(numbers):
        rewriter.replace_with(op, index_constant(CHOOSE[op.name](known)))


@pattern_on("affine.apply", *MIN_MAX)
def compose_maps(op: Operation, rewriter: Rewriter) -> None:
    """Fold in the ops that compute the operands, and normalize the map."""
    map_, operands = composed(map_of(op), op.operands)
    if map_ != map_of(op) or operands != list(op.operands):
        rewriter.replace_with(op, affine_op(op.name, map_, operands))


@pattern_on(*MIN_MAX)
def single_candidate(op: Operation, rewriter: Rewriter) -> None:
    """Replace the minimum of one expression by that expression."""
    map_ = map_of(op)
    if len(map_.results) == 1:
        rewriter.replace_with(op, affine_op("affine.apply", map_, op.operands))


@pattern_on(*MIN_MAX)
def repeated_candidates(op: Operation, rewriter: Rewriter) -> None:
    """Drop repeated expressions."""
    map_ = map_of(op)
    results = tuple(dict.fromkeys(map_.results))
    if len(results) != len(map_.results):
        new_map = AffineMap(map_.num_dims, map_.num_symbols, results)
        rewriter.replace_with(op, affine_op(op.name, new_map, op.operands))


@pattern_on(*MIN_MAX)
def merge_candidates(op: Operation, rewriter: Rewriter) -> None:
    """Merge nested minima: `min(x, min(y, z))` is `min(x, y, z)`."""
    map_ = map_of(op)
    dims, symbols = list(op.operands[: map_.num_dims]), op.operands[map_.num_dims :]
    symbols = list(symbols)
    kept: list[AffineExpr] = []
    merged: list[Operation] = []
    for expr in map_.results:
        producer = None
        if isinstance(expr, AffineDimExpr):
            producer = dims[expr.position].owner
        elif isinstance(expr, AffineSymExpr):
            producer = symbols[expr.position].owner
        if isinstance(producer, Operation) and producer.name == op.name:
            merged.append(producer)
        else:
            kept.append(expr)
    if not merged:
        return
    for producer in merged:
        inner = map_of(producer)
        new_dims: list[AffineExpr] = [
            AffineDimExpr(len(dims) + i) for i in range(inner.num_dims)
        ]
        new_symbols: list[AffineExpr] = [
            AffineSymExpr(len(symbols) + i) for i in range(inner.num_symbols)
        ]
        kept += [replaced(e, new_dims, new_symbols) for e in inner.results]
        dims += producer.operands[: inner.num_dims]
        symbols += producer.operands[inner.num_dims :]
    new_map = AffineMap(len(dims), len(symbols), tuple(kept))
    rewriter.replace_with(op, affine_op(op.name, new_map, [*dims, *symbols]))


@pattern_on(*MIN_MAX)
def order_candidates(op: Operation, rewriter: Rewriter) -> None:
    """Sort the expressions by their coefficients."""
    map_ = map_of(op)
    new_map = _ordered(map_)
    if new_map is not map_ and new_map != map_:
        rewriter.replace_with(op, affine_op(op.name, new_map, op.operands))


@lru_cache(maxsize=1 << 12)
def _ordered(map_: AffineMap) -> AffineMap:
    keys = [_coefficients(expr, map_) for expr in map_.results]
    known = [key for key in keys if key is not None]
    if len(known) != len(keys):
        return map_
    order = sorted(range(len(known)), key=lambda at: known[at])
    results = tuple(map_.results[at] for at in order)
    return AffineMap(map_.num_dims, map_.num_symbols, results)


def _coefficients(expr: AffineExpr, map_: AffineMap) -> list[int] | None:
    """The factor of every dim and symbol, then the constant; None if not linear."""
    quotients: list[AffineExpr] = []
    flat = flattened(expr, quotients)
    if flat is None or quotients or not expr.is_pure_affine():
        return None
    return [
        *(flat.terms.get(AffineDimExpr(i), 0) for i in range(map_.num_dims)),
        *(flat.terms.get(AffineSymExpr(i), 0) for i in range(map_.num_symbols)),
        flat.constant,
    ]


PATTERNS = (
    fold_apply,
    fold_min_max,
    single_candidate,
    repeated_candidates,
    merge_candidates,
    compose_maps,
    order_candidates,
)
