"""`structured.specialize`: replace a generic op by an equal named op.

Before:
    %r = linalg.generic {
      indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
      iterator_types = ["parallel"]
    } ins(%x : tensor<8xf32>) outs(%o : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = math.exp %in : f32
      linalg.yield %0 : f32
    } -> tensor<8xf32>

After:
    %r = linalg.exp ins(%x : tensor<8xf32>) outs(%o : tensor<8xf32>) -> tensor<8xf32>

A name fits if the op, written out, has this body and these loops; which factor of a
product, or which loop, comes first does not matter.

Requires: a generic op that is a fill, copy, broadcast, transposition, element-wise
function, contraction, convolution or pooling. One that has a name already stays as it
is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import permutations, product

from xdsl.ir import Attribute, Block, BlockArgument, Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineExpr, AffineMap
from xdsl.irdl import irdl_op_definition, result_def
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.dialects.linalg import (
    FUNCTION_OPS,
    BatchMatmulOp,
    BatchMatvecOp,
    BatchReduceMatmulOp,
    BatchVecmatOp,
    BroadcastOp,
    CopyOp,
    DotOp,
    FillOp,
    GenericOp,
    MatmulOp,
    MatvecOp,
    NamedContractionOp,
    NamedOp,
    StructuredOp,
    TransposeOp,
    VecmatOp,
    maps_attribute,
)
from tilewright.ir.dialects.linalg.attributes import TypeFn, TypeFnAttr
from tilewright.ir.dialects.linalg.ops.contractions import MappedContractionOp
from tilewright.ir.structured.bodies import same_body, yielded
from tilewright.ir.structured.loops import is_reduction
from tilewright.ir.structured.maps import named_loops
from tilewright.ir.types import is_buffer, is_tensor
from tilewright.transforms.core.base import TransformOpHandleType
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.core.state import TransformState
from tilewright.transforms.core.target_op import TargetOp
from tilewright.transforms.structured.rewrite.named_windows import window_op_of
from tilewright.transforms.structured.targets import structured_op

CONTRACTIONS: tuple[type[NamedContractionOp], ...] = (
    MatmulOp,
    BatchMatmulOp,
    BatchReduceMatmulOp,
    MatvecOp,
    VecmatOp,
    BatchMatvecOp,
    BatchVecmatOp,
    DotOp,
)
UPSTREAM = frozenset(
    {"math.exp", "arith.addf", "arith.subf", "arith.mulf", "arith.divf"}
)
"""The functions that upstream names; of contractions it names the first two."""

Make = Callable[[], StructuredOp]
"""Builds the named op. It reads payload only once the op is wanted."""


@dataclass(frozen=True)
class Plan:
    """A structured op, and how to build its named form; None if it has a name."""

    op: StructuredOp
    make: Make | None


@irdl_op_definition
class SpecializeOp(TargetOp):
    """Turn generic ops into named ones; consumes the target."""

    name = "transform.structured.specialize"

    transformed = result_def(TransformOpHandleType)

    assembly_format = "$target attr-dict `:` functional-type(operands, results)"

    def plans(self, state: TransformState) -> Sequence[Plan]:
        """One plan for each op; upstream knows fewer names."""
        known = UPSTREAM if state.follows_upstream(self) else None
        return [self.analyze(op, known) for op in state.payload_ops(self.target)]

    def analyze(self, op: Operation, known: frozenset[str] | None = None) -> Plan:
        """Find the named op that `op` is, unless it has a name already."""
        op = structured_op(self, op)
        if not isinstance(op, GenericOp):
            return Plan(op, None)
        make = None
        if len(op.outputs) == 1:
            make = next(_names(op, known), None)
        if make is None:
            raise self.refuse("no named op does what this generic op does", op)
        return Plan(op, make)

    def rewrite(self, plan: Plan, rewriter: Rewriter) -> Operation:
        """Replace the op by the named one."""
        op = plan.op
        if plan.make is None:
            return op
        named = plan.make()
        named.location = op.location
        rewriter.insert_before(op, named)
        rewriter.replace(op, named.results, stands_for=named)
        return named


def _names(op: GenericOp, known: frozenset[str] | None) -> Iterator[Make]:
    """The named ops equal to `op`, the simplest first; functions only of `known`."""
    (value,) = yielded(op)
    if op.maps[-1] == AffineMap.identity(op.get_num_loops()):
        if not isinstance(value, BlockArgument) or value.block is not op.body.block:
            yield from _fill_of(op, value)
            if known is None or _last_of(value) in known:
                yield from _functions(op)
        elif value.index == 0 and len(op.inputs) == 1:
            yield from _moves(op)
    yield from _contractions(op, CONTRACTIONS if known is None else CONTRACTIONS[:2])
    if (window := window_op_of(op)) is not None:
        kind, properties = window
        yield lambda: kind(op.inputs, op.outputs, properties)


def _fill_of(op: GenericOp, value: SSAValue) -> Iterator[Make]:
    owner = value.owner
    inside = owner.parent_op() if isinstance(owner, Block) else owner
    if not op.inputs and (inside is None or not op.is_ancestor(inside)):
        yield lambda: FillOp([value], op.outputs)


def _moves(op: GenericOp) -> Iterator[Make]:
    """Ops that only move elements: fill, copy, broadcast, transpose."""
    source, output = op.inputs[0], op.outputs[0]
    loops = list(named_loops(op.maps[0]))
    rank = op.get_num_loops()
    if not op.maps[0].is_projected_permutation():
        return
    if not is_tensor(source.type) and not is_buffer(source.type):
        yield lambda: FillOp([source], [output])
    elif loops == list(range(rank)):
        yield lambda: CopyOp([source], [output])
    elif len(loops) == rank:
        order = [loops.index(loop) for loop in range(rank)]
        yield lambda: TransposeOp(source, output, order)
    elif loops == sorted(loops):
        added = [loop for loop in range(rank) if loop not in loops]
        yield lambda: BroadcastOp(source, output, added)


def _functions(op: GenericOp) -> Iterator[Make]:
    """Functions of whole operands, element by element."""
    if any(map_ != op.maps[-1] for map_ in op.maps):
        return
    for strict in (True, False):
        for cls in FUNCTION_OPS.values():
            for order in permutations(range(len(op.inputs))):
                if _has_body(op, cls, order, strict=strict):
                    inputs = [op.inputs[position] for position in order]
                    yield lambda cls=cls, inputs=inputs: cls(inputs, op.outputs)


def _last_of(value: SSAValue) -> str:
    return value.owner.name if isinstance(value.owner, Operation) else ""


def _contractions(
    op: GenericOp, classes: Sequence[type[NamedContractionOp]]
) -> Iterator[Make]:
    """Contractions, with loops and factors in any order."""
    if len(op.inputs) != 2:
        return
    rank = op.get_num_loops()
    for cls in classes:
        known = cls.CONTRACTION
        if len(known.loops) != rank:
            continue
        for order, cast in product(permutations(range(2)), _casts(cls)):
            if not _has_body(op, cls, order, strict=False, cast=cast):
                continue
            old = [op.maps[position] for position in (*order, 2)]
            for names in permutations(range(rank)):
                maps = [_renamed(map_, names) for map_ in old]
                if any(m not in of for m, of in zip(maps, known.maps, strict=True)):
                    continue
                if any(
                    is_reduction(op, loop)
                    != (known.loops[names[loop]] in known.reduced)
                    for loop in range(rank)
                ):
                    continue
                inputs = [op.inputs[position] for position in order]
                yield partial(_contraction, cls, inputs, op.outputs, maps, cast)


def _casts(cls: type[NamedContractionOp]) -> tuple[TypeFnAttr | None, ...]:
    """How a contraction may widen its factors: by default with their sign."""
    if not issubclass(cls, MappedContractionOp):
        return (None,)
    return None, TypeFnAttr(TypeFn.CAST_UNSIGNED)


def _contraction(
    cls: type[NamedContractionOp],
    inputs: Sequence[SSAValue],
    outputs: Sequence[SSAValue],
    maps: Sequence[AffineMap],
    cast: TypeFnAttr | None,
) -> StructuredOp:
    if issubclass(cls, MappedContractionOp):
        return cls(inputs, outputs, maps_attribute(maps), cast)
    return cls(inputs, outputs)


def _renamed(map_: AffineMap, names: Sequence[int]) -> AffineMap:
    """The map when loop i is called `names[i]`."""
    results = tuple(
        AffineExpr.dimension(names[e.position]) if isinstance(e, AffineDimExpr) else e
        for e in map_.results
    )
    return AffineMap(map_.num_dims, 0, results)


def _has_body(
    op: GenericOp,
    cls: type[NamedOp],
    order: Sequence[int],
    *,
    strict: bool,
    cast: TypeFnAttr | None = None,
) -> bool:
    """Whether a named op on the inputs in this order has the body of `op`."""
    given: dict[str, Attribute] = {} if cast is None else {"cast": cast}
    try:
        body = cls.hidden_body([op.inputs[i] for i in order], op.outputs, given)
    except VerifyException:
        return False
    return same_body(op.body, body, [*order, len(order)], swap=not strict)
