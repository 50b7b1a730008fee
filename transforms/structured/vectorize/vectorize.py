"""`vectorize`: turn a structured op into reads, vector ops and writes.

Before:
    %r = linalg.generic {...} ins(%x : tensor<30xf32>) outs(%o : tensor<30xf32>) {
      ^bb0(%a: f32, %b: f32):
        %m = arith.maximumf %a, %zero : f32
        linalg.yield %m : f32 } -> tensor<30xf32>

After `vectorize %g vector_sizes [32]`:
    %k = vector.create_mask %c30 : vector<32xi1>
    %v = vector.mask %k { vector.transfer_read %x[%c0], %poison ... }
    %m = arith.maximumf %v, %zeros : vector<32xf32>
    %r = vector.mask %k { vector.transfer_write %m, %o[%c0] ... }

`tensor.extract` in the body becomes `vector.gather`: each lane reads the element of its
own index. A scan, whose result runs along its reduction loop, becomes `vector.scan`.

Requires: element-wise arithmetic, indices, extracts and reductions with a known
combiner in the body; indexing maps that pick distinct loops, or the constant 0; vector
sizes that cover their loops, by a bound known now. Where a size equals its loop there
is no mask.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseArrayBase, UnitAttr, i1, i64
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import (
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    var_operand_def,
)

from tilewright.ir.dialects import affine, arith, math, tensor
from tilewright.ir.dialects.arith import SelectOp
from tilewright.ir.dialects.linalg import IndexOp, RelayoutOp, StructuredOp, YieldOp
from tilewright.ir.dialects.linalg.ops.windows import WindowOp
from tilewright.ir.dialects.vector import CombiningKindFlag
from tilewright.ir.errors import UserError
from tilewright.ir.structured.combiners import NAMES
from tilewright.ir.structured.maps import is_projection_or_zero, named_loops
from tilewright.ir.structured.reductions import reduction_of
from tilewright.ir.structured.scans import is_scan, reads_totals, scan_of
from tilewright.transforms.core.base import TransformOp, TransformOpHandleType
from tilewright.transforms.core.extents import Extent, upper_bound
from tilewright.transforms.core.foreseen import KnownBefore
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.core.sizes import (
    resolve_sizes,
)
from tilewright.transforms.core.state import TransformState
from tilewright.transforms.core.syntax import ScalableSizes
from tilewright.transforms.core.target_op import PlannedOp
from tilewright.transforms.structured.targets import structured_op
from tilewright.transforms.structured.tile.one_tile import known_ranges
from tilewright.transforms.structured.tile.tiling_checks import numbers_of, wrong_sizes
from tilewright.transforms.structured.vectorize import (
    vectorize_contraction,
    vectorize_convolution,
    vectorize_copies,
    vectorize_pad,
    vectorize_relayout,
    vectorize_structured,
)
from tilewright.transforms.structured.vectorize.extract_accesses import check_extracts
from tilewright.transforms.structured.vectorize.vectorize_structured import (
    Plan,
    check_elements,
)

Rewrite = Callable[[Rewriter], None]
"""A plan that is ready to be carried out."""


@irdl_op_definition
class VectorizeOp(PlannedOp):
    """Vectorize structured ops; consumes the target."""

    name = "transform.structured.vectorize"

    target = operand_def(TransformOpHandleType)
    vector_sizes = var_operand_def()
    static_vector_sizes = prop_def(
        DenseArrayBase.constr(i64), default_value=DenseArrayBase.from_list(i64, [])
    )
    scalable_sizes = opt_prop_def(DenseArrayBase.constr(i1))
    vectorize_nd_extract = opt_prop_def(UnitAttr)
    assume_dynamic_dims_match_vec_sizes = opt_prop_def(UnitAttr)
    create_named_contraction = opt_prop_def(UnitAttr)

    irdl_options = (ParsePropInAttrDict(),)
    custom_directives = (ScalableSizes,)
    assembly_format = (
        "$target (`vector_sizes` custom<ScalableSizes>($vector_sizes, "
        "$static_vector_sizes, $scalable_sizes)^)? attr-dict `:` type($target) "
        "(`,` type($vector_sizes)^)?"
    )

    def __init__(self, target: SSAValue, vector_sizes: Sequence[SSAValue | int] = ()):
        static = [s if isinstance(s, int) else DYNAMIC_INDEX for s in vector_sizes]
        super().__init__(
            operands=[target, [s for s in vector_sizes if isinstance(s, SSAValue)]],
            properties={"static_vector_sizes": DenseArrayBase.from_list(i64, static)},
        )

    def consumed_handles(self) -> Sequence[SSAValue]:
        """The target is replaced by vector code."""
        return (self.target,)

    def mistakes(self, known: KnownBefore) -> Iterator[UserError]:
        """Not as many sizes as the target has loops."""
        sizes = numbers_of(self.static_vector_sizes)
        return wrong_sizes(
            self, self.target, sizes, known, verb="vectorize", exact=True
        )

    def plans(self, state: TransformState) -> Sequence[Rewrite]:
        """How to rewrite each op that the target points at."""
        if self.scalable_sizes is not None and any(self.scalable_sizes.get_values()):
            raise self.broken("scalable vector sizes are not supported")
        sizes = resolve_sizes(self, state, self.static_vector_sizes, self.vector_sizes)
        as_upstream = state.follows_upstream(self)
        trust = state.run.warnings if as_upstream else None
        ops = state.payload_ops(self.target)
        for op in ops if as_upstream else ():
            check_extracts(self, op, any_rank=self.vectorize_nd_extract is not None)
        return [self._planned(op, sizes, trust) for op in ops]

    def rewrite(self, plan: Rewrite, rewriter: Rewriter) -> None:
        """Replace one op by vector code."""
        plan(rewriter)

    def _planned(
        self, op: Operation, sizes: Sequence[int], trust: list[UserError] | None
    ) -> Rewrite:
        """Check one op, and return its rewrite."""
        if isinstance(op, tensor.InsertSliceOp):
            move = vectorize_copies.analyze(self, op, sizes, trust)
            return lambda rewriter: vectorize_copies.rewrite(move, rewriter)
        if isinstance(op, WindowOp) and vectorize_convolution.slides(op):
            window = vectorize_convolution.analyze(self, op, sizes, trust)
            return lambda rewriter: vectorize_convolution.rewrite(window, rewriter)
        if isinstance(op, tensor.PadOp):
            pad = vectorize_pad.analyze(self, op, sizes, trust)
            return lambda rewriter: vectorize_pad.rewrite(pad, rewriter)
        if isinstance(op, RelayoutOp):
            tiles = vectorize_relayout.analyze(self, op, sizes, trust)
            return lambda rewriter: vectorize_relayout.rewrite(tiles, rewriter)
        promised = self.assume_dynamic_dims_match_vec_sizes is not None
        plan = analyze(self, op, sizes, promised=promised, trust=trust)
        if self.create_named_contraction is None:
            return lambda rewriter: vectorize_structured.rewrite(plan, rewriter)
        product = vectorize_contraction.analyze(self, plan)
        return lambda rewriter: vectorize_contraction.rewrite(plan, product, rewriter)


def analyze(
    user: TransformOp,
    op: Operation,
    sizes: Sequence[int],
    *,
    promised: bool = False,
    trust: list[UserError] | None = None,
) -> Plan:
    """Check that `op` can be vectorized to `sizes`, and plan it.

    With `trust`, extents without bounds are accepted, and the list gets a warning.
    """
    op = structured_op(user, op)
    body = [value.type for nested in op.body.walk() for value in nested.results]
    check_elements(user, op, [*(value.type for value in op.operands), *body])
    if not all(is_projection_or_zero(map_) for map_ in op.maps):
        raise user.refuse(
            "an indexing map is not a projection of distinct loops",
            op,
            remedy="make each result of the map a loop of its own",
        )
    ranges = known_ranges(op)
    if sizes and len(sizes) != len(ranges):
        raise user.refuse(
            f"{len(sizes)} vector sizes for an op with {len(ranges)} loops",
            op,
            remedy="give one size for each loop",
        )
    covered: list[int] = []
    for loop, extent in enumerate(ranges):
        if sizes and promised and not isinstance(extent, int) and sizes[loop] > 0:
            covered.append(sizes[loop])
        elif sizes:
            size = sizes[loop]
            covered.append(_covering(user, op, loop, extent, size, trust))
        elif isinstance(extent, int):
            covered.append(_covering(user, op, loop, extent, extent))
        else:
            raise user.refuse(
                f"loop {loop} has an extent known only at run time",
                op,
                "give vector_sizes",
            )
    for nested in op.body.walk():
        if not _has_vector_form(nested) and not isinstance(nested, YieldOp):
            raise user.refuse(
                f"'{nested.name}' in the body is not element-wise",
                op,
                remedy="vectorize ops whose body is element-wise",
            )
    reductions = [_combiner(user, op, index) for index in range(len(op.outputs))]
    scan = scan_of(op) if is_scan(op) and reads_totals(op) else None
    if scan is None and is_scan(op) and reads_totals(op):
        raise user.refuse(
            "a result runs along a reduction loop in a way that has no vector form",
            op,
            f"scan along one loop, and use one of {NAMES} to combine",
        )
    return Plan(op, tuple(covered), tuple(reductions), promised, scan)


def _covering(
    user: TransformOp,
    op: Operation,
    loop: int,
    extent: Extent | None,
    size: int,
    trust: list[UserError] | None = None,
) -> int:
    """The vector size of a loop, which must cover the loop's extent."""
    bound = None if extent is None else upper_bound(extent)
    if bound is None:
        doubt = user.refuse(
            f"nothing bounds the extent of loop {loop}, vector size {size} may not "
            f"cover it",
            op,
            f"tile the loop by {size} first",
        )
        if trust is None or size < 1:
            raise doubt
        trust.append(doubt)
        return size
    if size < 1 or bound > size:
        raise user.refuse(
            f"vector size {size} does not cover loop {loop} of extent {bound}",
            op,
            f"tile the loop to at most {size}, or use a larger vector size",
        )
    return size


def _combiner(
    user: TransformOp, op: StructuredOp, index: int
) -> CombiningKindFlag | None:
    """The combiner of result `index`; None if it is not reduced."""
    map_ = op.maps[len(op.inputs) + index]
    if len(named_loops(map_)) == map_.num_dims:
        return None
    if (reduction := reduction_of(op, index)) is not None:
        return reduction.kind
    raise user.refuse(
        f"result {index} is reduced in a way that has no vector form",
        op,
        f"use one of {NAMES} to combine",
    )


def _has_vector_form(op: Operation) -> bool:
    if isinstance(op, SelectOp | IndexOp | affine.ApplyOp | tensor.ExtractOp):
        return True
    dialect = op.name.split(".", 1)[0]
    return dialect in (arith.Arith.name, math.Math.name) and len(op.results) == 1
