"""Affine maps composed with the `affine.apply` ops that compute their operands.

A composed map is in upstream's normal form, uses every operand once, and takes a value
as a symbol wherever upstream does.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from xdsl.dialects.builtin import IndexType
from xdsl.ir import Block, Operation, OpResult, SSAValue
from xdsl.ir.affine import (
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
    AffineSymExpr,
)
from xdsl.traits import is_side_effect_free

from tilewright.ir.dialects.affine import ApplyOp
from tilewright.ir.indexing.constants import constant_int
from tilewright.ir.indexing.index_ops import map_of
from tilewright.ir.indexing.normal_form import leaves, replaced, simplified_map

MOST_PARTS = 64
"""Parts of an expression into which no further `affine.apply` is folded.

`d0 mod 7 + d0` of itself doubles with every op of a chain; quotients of quotients grow
without end, and writing an expression in normal form takes time quadratic in its parts.
"""

Mapped = tuple[AffineMap, list[SSAValue]]
"""A map and the values of its dims, then of its symbols."""


def is_symbol(value: SSAValue) -> bool:
    """Whether upstream takes a value for a symbol: no loop around it changes it.

    Symbols are the arguments of a function, what it computes outside of all loops, and
    what is computed from such values without effects.
    """
    if not isinstance(value.type, IndexType):
        return False
    owner = value.owner
    block = owner if isinstance(owner, Block) else owner.parent
    parent = None if block is None else block.parent_op()
    if parent is not None and parent.name in ("func.func", "builtin.module"):
        return True
    if not isinstance(owner, Operation) or owner.regions:
        return False
    if owner.name in ("tensor.dim", "memref.dim"):
        return _is_symbolic_dim(owner)
    return is_side_effect_free(owner) and all(map(is_symbol, owner.operands))


def _is_symbolic_dim(op: Operation) -> bool:
    """Whether the tensor or buffer is the function's own."""
    shaped = op.operands[0]
    owner = shaped.owner
    block = owner if isinstance(owner, Block) else owner.parent
    parent = None if block is None else block.parent_op()
    return parent is not None and parent.name == "func.func"


def canonical(map_: AffineMap, operands: Sequence[SSAValue]) -> Mapped:
    """The same function of the operands it uses, each once, symbols after dims."""
    dims, symbols = operands[: map_.num_dims], operands[map_.num_dims :]
    promoted = [value for value in dims if is_symbol(value)]
    used = {leaf for expr in map_.results for leaf in leaves(expr)}
    new_dims: dict[SSAValue, AffineExpr] = {}
    new_symbols: dict[SSAValue, AffineExpr] = {}
    wanted = [AffineSymExpr(i) in used for i in range(map_.num_symbols)]
    wanted += [AffineDimExpr(i) in used for i, v in enumerate(dims) if v in promoted]
    for value, is_used in zip([*symbols, *promoted], wanted, strict=True):
        if not is_used:
            continue
        if (number := constant_int(value)) is not None:
            new_symbols[value] = AffineConstantExpr(number)
        elif value not in new_symbols:
            kept = sum(isinstance(e, AffineSymExpr) for e in new_symbols.values())
            new_symbols[value] = AffineSymExpr(kept)
    zero = AffineConstantExpr(0)
    dim_exprs: list[AffineExpr] = []
    for position, value in enumerate(dims):
        if AffineDimExpr(position) not in used:
            dim_exprs.append(zero)
        elif value in promoted:
            dim_exprs.append(new_symbols[value])
        else:
            dim_exprs.append(new_dims.setdefault(value, AffineDimExpr(len(new_dims))))
    symbol_exprs = [new_symbols.get(value, zero) for value in symbols]
    kept_symbols = [v for v, e in new_symbols.items() if isinstance(e, AffineSymExpr)]
    results = tuple(replaced(e, dim_exprs, symbol_exprs) for e in map_.results)
    new_map = AffineMap(len(new_dims), len(kept_symbols), results)
    return new_map, [*new_dims, *kept_symbols]


def composed(map_: AffineMap, operands: Sequence[SSAValue]) -> Mapped:
    """The same function with `affine.apply` operands folded in, in canonical form."""
    if _is_composed(map_, operands):
        return map_, list(operands)
    dims: list[SSAValue | None] = [*operands[: map_.num_dims]]
    symbols: list[SSAValue | None] = [*operands[map_.num_dims :]]
    results = map_.results
    too_large: set[Operation] = set()
    while (
        found := _applied(dims, too_large) or _applied(symbols, too_large)
    ) is not None:
        values, position, apply = found
        leaf = AffineDimExpr if values is dims else AffineSymExpr
        if _size_with(results, leaf(position), map_of(apply)) > MOST_PARTS:
            too_large.add(apply)
            continue
        inner, inner_operands = canonical(map_of(apply), apply.operands)
        values[position] = None
        new = replaced(
            inner.results[0],
            [AffineDimExpr(len(dims) + i) for i in range(inner.num_dims)],
            [AffineSymExpr(len(symbols) + i) for i in range(inner.num_symbols)],
        )
        dim_exprs: list[AffineExpr] = [AffineDimExpr(i) for i in range(len(dims))]
        symbol_exprs: list[AffineExpr] = [AffineSymExpr(i) for i in range(len(symbols))]
        (dim_exprs if values is dims else symbol_exprs)[position] = new
        results = tuple(replaced(expr, dim_exprs, symbol_exprs) for expr in results)
        dims += inner_operands[: inner.num_dims]
        symbols += inner_operands[inner.num_dims :]
    map_, values = _without_gaps(results, dims, symbols)
    map_, values = canonical(map_, values)
    map_, values = canonical(simplified_map(map_), values)
    return map_, values


def _is_composed(map_: AffineMap, operands: Sequence[SSAValue]) -> bool:
    """Whether a map is composed: in normal form, with no operand to fold or drop."""
    if not _is_normal(map_) or len(set(operands)) != len(operands):
        return False
    for position, value in enumerate(operands):
        if _is_defined_by(value, "affine.apply"):
            if not _is_too_large(map_, position, value):
                return False
        if position < map_.num_dims and is_symbol(value):
            return False
        if constant_int(value) is not None:
            return False
    return True


def _is_too_large(map_: AffineMap, position: int, value: SSAValue) -> bool:
    """Whether folding in the `affine.apply` of an operand makes a map too large."""
    assert isinstance(value.owner, Operation)
    symbol = position - map_.num_dims
    leaf = AffineDimExpr(position) if symbol < 0 else AffineSymExpr(symbol)
    return _size_with(map_.results, leaf, map_of(value.owner)) > MOST_PARTS


@lru_cache(maxsize=1 << 12)
def _is_normal(map_: AffineMap) -> bool:
    """Whether a map needs all its dims and symbols, and is in normal form."""
    used = {leaf for expr in map_.results for leaf in leaves(expr)}
    return len(used) == map_.num_dims + map_.num_symbols and (
        simplified_map(map_) == map_
    )


def composed_over_dims(map_: AffineMap, operands: Sequence[SSAValue]) -> Mapped:
    """The same function with `affine.apply` operands folded in, of dims alone.

    For analyses, to which it does not matter whether a value may be a symbol.
    """
    map_, values = folded(map_, operands)
    return of_dims(map_), values


def folded(map_: AffineMap, operands: Sequence[SSAValue]) -> Mapped:
    """The same function with `affine.apply` operands folded in, in any form."""
    if len(set(operands)) == len(operands):
        for value in operands:
            if _is_defined_by(value, "affine.apply", "arith.constant"):
                break
        else:
            return map_, list(operands)
    return composed(map_, operands)


@lru_cache(maxsize=1 << 12)
def of_dims(map_: AffineMap) -> AffineMap:
    """The same map in normal form, with dims in place of symbols."""
    count = map_.num_dims + map_.num_symbols
    dims: list[AffineExpr] = [AffineDimExpr(i) for i in range(count)]
    results = tuple(
        replaced(expr, dims[: map_.num_dims], dims[map_.num_dims :])
        for expr in map_.results
    )
    return simplified_map(AffineMap(count, 0, results))


def _is_defined_by(value: SSAValue, *names: str) -> bool:
    """Whether an op of one of these names computes a value."""
    # Not isinstance, which goes through abc: this runs for every operand of every map.
    return type(value) is OpResult and value.op.name in names


def _applied(
    values: list[SSAValue | None], too_large: set[Operation]
) -> tuple[list[SSAValue | None], int, Operation] | None:
    """The first value that an `affine.apply` computes and that may be folded in."""
    for position, value in enumerate(values):
        owner = None if value is None else value.owner
        if isinstance(owner, ApplyOp) and owner not in too_large:
            return values, position, owner
    return None


def _size_with(
    results: Sequence[AffineExpr],
    leaf: AffineDimExpr | AffineSymExpr,
    inner: AffineMap,
) -> int:
    """How many parts expressions have with `inner` in the place of one of their leaves.

    Normal form may need fewer parts, but is not worth its time for large expressions.
    """
    own, uses = 0, 0
    for expr in results:
        for part in expr.dfs():
            own += 1
            uses += part == leaf
    return own + uses * sum(1 for _ in inner.results[0].dfs())


def _without_gaps(
    results: Sequence[AffineExpr],
    dims: Sequence[SSAValue | None],
    symbols: Sequence[SSAValue | None],
) -> Mapped:
    kept_dims = [value for value in dims if value is not None]
    kept_symbols = [value for value in symbols if value is not None]
    dim_count, symbol_count = iter(range(len(dims))), iter(range(len(symbols)))
    zero = AffineConstantExpr(0)
    dim_exprs = [zero if v is None else AffineDimExpr(next(dim_count)) for v in dims]
    symbol_exprs = [
        zero if v is None else AffineSymExpr(next(symbol_count)) for v in symbols
    ]
    exprs = tuple(replaced(expr, dim_exprs, symbol_exprs) for expr in results)
    map_ = AffineMap(len(kept_dims), len(kept_symbols), exprs)
    return map_, [*kept_dims, *kept_symbols]
