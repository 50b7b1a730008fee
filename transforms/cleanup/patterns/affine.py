"""affine.apply, min and max: composed, in normal form, without what is not needed."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from xdsl.dialects.builtin import AffineMapAttr, IndexType
from xdsl.ir import Block, Operation, SSAValue
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
from tilewright.ir.indexing.normal_form import (
    flattened,
    leaves,
    number_of,
    replaced,
    simplified_map,
)
from tilewright.transforms.cleanup.build import make, owner_named
from tilewright.transforms.cleanup.constants import index_constant
from tilewright.transforms.cleanup.driver import fold_on, pattern_on
from tilewright.transforms.core.rewriter import Rewriter

MIN_MAX = ("affine.min", "affine.max")
CHOOSE = {"affine.min": min, "affine.max": max}

MOST_PARTS = 64
"""Parts of an expression into which no further `affine.apply` is folded.

`d0 mod 7 + d0` of itself doubles with every op of a chain; quotients of quotients grow
without end, and writing an expression in normal form takes time quadratic in its parts.
"""

Mapped = tuple[AffineMap, list[SSAValue]]
"""A map and the values of its dims, then of its symbols."""


def map_of(op: Operation) -> AffineMap:
    """The map of an affine op."""
    attr = op.properties["map"]
    assert isinstance(attr, AffineMapAttr)
    return attr.data


def is_symbol(value: SSAValue) -> bool:
    """Whether a value may stand for a symbol: nothing around it changes it.

    What a function takes or computes outside of all loops, and what is computed from
    such values without effects.
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
    """The same function of the values it needs, each once; symbols are symbols."""
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
    """The same function with what `affine.apply` feeds it folded in."""
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
    """Whether there is nothing to fold in, to drop or to write in another way."""
    if not _is_normal(map_) or len(set(operands)) != len(operands):
        return False
    for position, value in enumerate(operands):
        if owner_named(value, "affine.apply") is not None and not (
            _is_too_large(map_, position, value)
        ):
            return False
        if position < map_.num_dims and is_symbol(value):
            return False
        if constant_int(value) is not None:
            return False
    return True


def _is_too_large(map_: AffineMap, position: int, value: SSAValue) -> bool:
    """Whether what computes an operand is not folded into a map for its size."""
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


def compose(map_: AffineMap, operands: Sequence[SSAValue]) -> Mapped:
    """The same function with what feeds it folded in, of dims alone.

    For analyses, which do not care whether a value may be a symbol.
    """
    map_, values = fed(map_, operands)
    return of_dims(map_), values


def fed(map_: AffineMap, operands: Sequence[SSAValue]) -> Mapped:
    """The same function with what feeds it folded in, in no particular form."""
    if len(set(operands)) == len(operands):
        for value in operands:
            if owner_named(value, "affine.apply", "arith.constant") is not None:
                break
        else:
            return map_, list(operands)
    return composed(map_, operands)


@lru_cache(maxsize=1 << 12)
def of_dims(map_: AffineMap) -> AffineMap:
    """The same map with dims for symbols, simplified."""
    count = map_.num_dims + map_.num_symbols
    dims: list[AffineExpr] = [AffineDimExpr(i) for i in range(count)]
    results = tuple(
        replaced(expr, dims[: map_.num_dims], dims[map_.num_dims :])
        for expr in map_.results
    )
    return simplified_map(AffineMap(count, 0, results))


def _applied(
    values: list[SSAValue | None], too_large: set[Operation]
) -> tuple[list[SSAValue | None], int, Operation] | None:
    """The first of the values that an `affine.apply` computes, and may be folded in."""
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
    """How many parts expressions have once `inner` stands for one of their leaves.

    What they have before normal form, which may be less: only small ones get there.
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


def affine_op(name: str, map_: AffineMap, operands: Sequence[SSAValue]) -> Operation:
    """A new affine.apply, min or max."""
    return make(name, operands, [IndexType()], {"map": AffineMapAttr(map_)})


def applied(
    expr: AffineExpr, operands: Sequence[SSAValue | int]
) -> tuple[SSAValue | int, list[Operation]]:
    """`expr` of d0, d1, ...: a number, a value that is there, or a new affine.apply."""
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
    """An operand handed through, or a constant."""
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
    """The least or the greatest of constants."""
    numbers = [number_of(expr) for expr in _with_constants(op).results]
    known = [number for number in numbers if number is not None]
    if len(known) == len(numbers):
        rewriter.replace_with(op, index_constant(CHOOSE[op.name](known)))


@pattern_on("affine.apply", *MIN_MAX)
def compose_maps(op: Operation, rewriter: Rewriter) -> None:
    """Take in what feeds it, and write it in normal form."""
    map_, operands = composed(map_of(op), op.operands)
    if map_ != map_of(op) or operands != list(op.operands):
        rewriter.replace_with(op, affine_op(op.name, map_, operands))


@pattern_on(*MIN_MAX)
def single_candidate(op: Operation, rewriter: Rewriter) -> None:
    """The least of one is that one."""
    map_ = map_of(op)
    if len(map_.results) == 1:
        rewriter.replace_with(op, affine_op("affine.apply", map_, op.operands))


@pattern_on(*MIN_MAX)
def repeated_candidates(op: Operation, rewriter: Rewriter) -> None:
    """Each candidate once."""
    map_ = map_of(op)
    results = tuple(dict.fromkeys(map_.results))
    if len(results) != len(map_.results):
        new_map = AffineMap(map_.num_dims, map_.num_symbols, results)
        rewriter.replace_with(op, affine_op(op.name, new_map, op.operands))


@pattern_on(*MIN_MAX)
def merge_candidates(op: Operation, rewriter: Rewriter) -> None:
    """The least of `x` and a least of others is the least of them all."""
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
    """Candidates in the order of their coefficients."""
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
    """Of every dim and symbol, then the constant; None with quotients or products."""
    quotients: list[AffineExpr] = []
    flat = flattened(expr, quotients)
    if flat is None or quotients or not expr.is_pure_affine():
        return None
    terms, number = flat
    return [
        *(terms.get(AffineDimExpr(i), 0) for i in range(map_.num_dims)),
        *(terms.get(AffineSymExpr(i), 0) for i in range(map_.num_symbols)),
        number,
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
