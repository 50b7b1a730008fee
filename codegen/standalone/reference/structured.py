"""Structured ops in a reference, read through their common interface.

A matmul and a generic that multiplies matrices look the same: sums of products become
`torch.einsum`, other reductions `sum`, `amax`, `amin` and `prod`, scatters `index_add`
and the rest is elementwise with torch's broadcasting.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from xdsl.dialects.vector import CombiningKindFlag
from xdsl.ir import SSAValue

from tilewright.codegen.source.python_text import (
    Call,
    Expression,
    Literal,
    Suffix,
    Unary,
)
from tilewright.codegen.source.torch_types import TORCH_TYPES
from tilewright.codegen.standalone.reference.body import (
    BodyWriter,
    NoReference,
    ReferenceFunction,
)
from tilewright.codegen.standalone.reference.scalar_ops import LARGEST_NUMBER, write_op
from tilewright.ir.dialects import arith
from tilewright.ir.dialects.linalg import StructuredOp
from tilewright.ir.dtypes import element
from tilewright.ir.structured.bodies import yielded
from tilewright.ir.structured.combiners import neutral_of
from tilewright.ir.structured.loops import Nest, writes_each_once
from tilewright.ir.structured.maps import named_loops
from tilewright.ir.structured.reductions import Reduction, reductions_of
from tilewright.ir.structured.scans import Scan, scan_of
from tilewright.ir.structured.scatters import Scatter, scatter_of

_METHODS = {
    CombiningKindFlag.ADD: "sum",
    CombiningKindFlag.MUL: "prod",
    CombiningKindFlag.MAXIMUMF: "amax",
    CombiningKindFlag.MAXSI: "amax",
    CombiningKindFlag.MINIMUMF: "amin",
    CombiningKindFlag.MINSI: "amin",
}


def write_structured(
    function: ReferenceFunction,
    op: StructuredOp,
    nest: Nest,
    extents: Sequence[Expression],
    fills: Mapping[SSAValue, float],
) -> Iterator[Expression]:
    """The expressions of an op's results, one after another.

    `extents` are the trip counts of its loops, and `fills` the tensors that are filled
    with one number. The caller names a result before it asks for the next.
    """
    if not all(writes_each_once(nest, map) for map in nest.output_maps):
        raise NoReference(op, "it writes elements more than once, or not all")
    writer = BodyWriter(function, nest, extents)
    terminator = nest.body.last_op
    assert terminator is not None
    if not nest.reduced:
        for position, value in enumerate(terminator.operands):
            yield _in_output_order(nest, position, writer.over_all(value))
        return
    if (scatter := scatter_of(op)) is not None:
        yield _scattered(function, op, scatter)
        return
    if (scan := scan_of(op)) is not None:
        yield from _scanned(function, writer, nest, scan, fills)
        return
    reductions = reductions_of(op)
    if reductions is None:
        raise NoReference(op, "a reduction by more than one op")
    if any(str(extents[loop]) == "0" for loop in nest.reduced):
        for position, init in enumerate(op.outputs):
            # The result is the initial value; torch has no maximum of no elements.
            value = _in_loop_order(nest, position, function.tensor(init))
            yield _in_output_order(nest, position, value)
        return
    for position, reduction in enumerate(reductions):
        total = _total(writer, nest, reduction)
        init = op.outputs[position]
        start, neutral = fills.get(init), neutral_of(reduction.op)
        if start is None or neutral is None or start != neutral.value.data:
            before = _in_loop_order(nest, position, function.tensor(init))
            combined = write_op(reduction.op, (before, total))
            assert combined is not None
            total = combined
        yield _in_output_order(nest, position, total)


_RUNNING = {
    CombiningKindFlag.ADD: "cumsum({})",
    CombiningKindFlag.MUL: "cumprod({})",
    CombiningKindFlag.MAXIMUMF: "cummax({}).values",
    CombiningKindFlag.MAXSI: "cummax({}).values",
    CombiningKindFlag.MINIMUMF: "cummin({}).values",
    CombiningKindFlag.MINSI: "cummin({}).values",
}
"""The methods of torch that scan."""


def _scanned(
    function: ReferenceFunction,
    writer: BodyWriter,
    nest: Nest,
    scan: Scan,
    fills: Mapping[SSAValue, float],
) -> Iterator[Expression]:
    """The results of a scan: totals over all loops, and the last of them."""
    op, values = nest.op, yielded(nest.op)
    order = list(nest.body.ops)
    carried = scan.carried.items()
    for output, each in sorted(carried, key=lambda item: order.index(item[1].op)):
        method = _RUNNING.get(each.kind)
        if method is None:
            raise NoReference(each.op, "it has no torch form as a scan")
        along = str(scan.loop)
        if not element(each.operand.type).is_float:
            kind = TORCH_TYPES[element(each.operand.type).name]
            wide = each.kind in (CombiningKindFlag.ADD, CombiningKindFlag.MUL)
            along += f", dtype={kind}" if wide else ""
        totals: Expression = Suffix(
            writer.over_all(each.operand), f".{method.format(along)}"
        )
        start, neutral = fills.get(op.outputs[output]), neutral_of(each.op)
        if start is None or neutral is None or start != neutral.value.data:
            before = _in_loop_order(nest, output, function.tensor(op.outputs[output]))
            before = Suffix(before, f".unsqueeze({scan.loop})")
            combined = write_op(each.op, (before, totals))
            assert combined is not None
            totals = combined
        writer.bind(values[output], function.statement("totals", totals))
    for output, map_ in enumerate(nest.output_maps):
        value = writer.over_all(values[output])
        if output in scan.carried:
            last = Suffix(value, f".select({scan.loop}, -1)")
            yield _in_output_order(nest, output, last)
        else:
            yield _permuted(value, named_loops(map_))


def _scattered(
    function: ReferenceFunction, op: StructuredOp, scatter: Scatter
) -> Expression:
    """The values written to their places; those outside are left out."""
    places, values = (
        function.statement(name, Suffix(function.tensor(one), ".flatten()"))
        for name, one in (("places", scatter.places), ("values", scatter.values))
    )
    before = function.tensor(op.outputs[0])
    kept = f"({places} >= 0) & ({places} < {before}.numel())"
    inside = function.statement("inside", Literal(kept))
    method = "index_add" if scatter.adds else "index_copy"
    return Suffix(before, f".{method}(0, {places}[{inside}], {values}[{inside}])")


def _total(writer: BodyWriter, nest: Nest, of: Reduction) -> Expression:
    """The reduction of one output over the parallel loops, without initial value."""
    if of.factors is not None and (product := writer.contracted(of.factors)):
        if not element(of.operand.type).is_float:
            # Not every device multiplies integer matrices; float64 is exact for them.
            kind = TORCH_TYPES[element(of.operand.type).name]
            return Suffix(product, f".round().to({kind})")
        return product
    if isinstance(of.op, arith.MaxnumfOp | arith.MinnumfOp):
        return _largest_number(writer, nest, of)
    method = _METHODS.get(of.kind)
    if method is None:
        raise NoReference(of.op, "it has no torch form as a reduction")
    value = writer.over_all(of.operand)
    if method == "prod":
        for loop in reversed(nest.reduced):
            value = Suffix(value, f".prod({loop})")
        return value
    dims = ", ".join(map(str, nest.reduced))
    dims = f"({dims})" if len(nest.reduced) > 1 else dims
    kind = element(of.operand.type)
    if method == "sum" and not kind.is_float:
        dims = f"{dims}, dtype={TORCH_TYPES[kind.name]}"
    return Suffix(value, f".{method}({dims})")


def _largest_number(writer: BodyWriter, nest: Nest, of: Reduction) -> Expression:
    """A reduction by maxnumf or minnumf; torch's own reductions keep NaN."""
    dims = Literal(f"({', '.join(map(str, nest.reduced))},)")
    value = writer.over_all(of.operand)
    if isinstance(of.op, arith.MaxnumfOp):
        return Call(LARGEST_NUMBER, (value, dims))
    return Unary("-", Call(LARGEST_NUMBER, (Unary("-", value), dims)))


def _in_loop_order(nest: Nest, output: int, value: Expression) -> Expression:
    order = _parallel_order(nest, output)
    inverse = sorted(range(len(order)), key=order.__getitem__)
    return _permuted(value, inverse)


def _in_output_order(nest: Nest, output: int, value: Expression) -> Expression:
    """A value over the parallel loops, with its dimensions in the output's order."""
    return _permuted(value, _parallel_order(nest, output))


def _parallel_order(nest: Nest, output: int) -> list[int]:
    """For each dimension of an output, its position among the parallel loops."""
    dims = [expr.position for expr in nest.output_maps[output].results]  # pyright: ignore
    return [nest.parallel.index(dim) for dim in dims]


def _permuted(value: Expression, order: Sequence[int]) -> Expression:
    if list(order) == sorted(order):
        return value
    return Suffix(value, f".permute({', '.join(map(str, order))})")
