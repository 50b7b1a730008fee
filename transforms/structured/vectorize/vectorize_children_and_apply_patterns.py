"""`vectorize_children_and_apply_patterns`: vectorize all ops inside a function.

Before:
    func.func @f(...) {
      %r = linalg.matmul ins(%x, %y : tensor<8x16xf32>, tensor<16x8xf32>)
          outs(%o : tensor<8x8xf32>) -> tensor<8x8xf32> }

After:
    func.func @f(...) {
      %vx = vector.transfer_read %x[%c0, %c0], ... : tensor<8x16xf32>, vector<8x16xf32>
      %vy = vector.transfer_read %y[%c0, %c0], ...
      %vo = vector.transfer_read %o[%c0, %c0], ...
      %v = vector.contract {...} %vx, %vy, %vo : ...
      %r = vector.transfer_write %v, %o[%c0, %c0] ... }

What cannot be vectorized, because of a size known only at run time or for another
reason, is left as it is.

Requires: ops that nothing from outside reaches into: functions, modules.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from xdsl.dialects.builtin import UnitAttr
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import (
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    result_def,
)
from xdsl.traits import IsolatedFromAbove

from tilewright.ir.dense_constants import dense_of
from tilewright.ir.dialects import arith, memref, tensor
from tilewright.ir.dialects.linalg import StructuredOp
from tilewright.ir.dialects.linalg.ops.windows import WindowOp
from tilewright.ir.dialects.vector import StepOp
from tilewright.ir.errors import Note, SilenceableFailure
from tilewright.ir.text import place_of
from tilewright.ir.types import vector_type
from tilewright.transforms.cleanup.driver import (
    Pattern,
    PatternSet,
    apply_greedily,
    pattern,
)
from tilewright.transforms.cleanup.groups import FOLDS
from tilewright.transforms.cleanup.patterns.linalg import padded_tensors
from tilewright.transforms.cleanup.patterns.tensor import subset_ops
from tilewright.transforms.cleanup.patterns.vector import (
    contract,
    sinking,
    transfers,
)
from tilewright.transforms.cleanup.patterns.vector import (
    transfer_permutations as permutations,
)
from tilewright.transforms.core.base import TransformOp, TransformOpHandleType
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.core.state import TransformState
from tilewright.transforms.structured.destinations.destination_passing_style import (
    give_destination,
)
from tilewright.transforms.structured.vectorize import (
    vectorize,
    vectorize_convolution,
    vectorize_copies,
    vectorize_structured,
)
from tilewright.transforms.structured.vectorize.extract_accesses import check_extracts


@irdl_op_definition
class VectorizeChildrenOp(TransformOp):
    """Vectorize the ops inside the target; consumes and returns it."""

    name = "transform.structured.vectorize_children_and_apply_patterns"

    target = operand_def(TransformOpHandleType)
    fold_type_extensions_into_contract = opt_prop_def(UnitAttr)
    vectorize_padding = opt_prop_def(UnitAttr)
    vectorize_nd_extract = opt_prop_def(UnitAttr)
    flatten_1d_depthwise_conv = opt_prop_def(UnitAttr)
    disable_multi_reduction_to_contract_patterns = opt_prop_def(UnitAttr)
    disable_transfer_permutation_map_lowering_patterns = opt_prop_def(UnitAttr)
    transformed = result_def(TransformOpHandleType)

    irdl_options = (ParsePropInAttrDict(),)

    assembly_format = "$target attr-dict `:` functional-type(operands, results)"

    def consumed_handles(self) -> Sequence[SSAValue]:
        """The ops inside the target are replaced."""
        return (self.target,)

    def apply(self, state: TransformState) -> None:
        """Vectorize inside each target."""
        targets = state.payload_ops(self.target)
        for target in targets:
            if not target.has_trait(IsolatedFromAbove):
                raise self.broken(
                    f"'{target.name}' is not isolated from what is around it",
                    target,
                    "give a function or a module",
                )
        for target in targets:
            left = self._vectorize(target, state.rewriter)
            state.run.remarks.extend(left)
        state.set_ops(self.transformed, targets)

    def _vectorize(self, target: Operation, rewriter: Rewriter) -> list[Note]:
        """Vectorize and clean up until nothing changes; returns why some ops stay."""
        patterns = _patterns(
            self.disable_transfer_permutation_map_lowering_patterns is None,
            self.disable_multi_reduction_to_contract_patterns is None,
            self.fold_type_extensions_into_contract is not None,
            self.vectorize_padding is not None,
        )
        while True:
            left = list(self._vectorize_ops(target, rewriter))
            apply_greedily(target, patterns, rewriter)
            if self.vectorize_padding is None:
                return left
            pads = [op for op in target.walk() if isinstance(op, tensor.PadOp)]
            for pad in pads:
                give_destination(pad, rewriter)
            if not pads:
                return left

    def _vectorize_ops(self, target: Operation, rewriter: Rewriter) -> Iterator[Note]:
        # Last ops first: an insertion must see the fill that it writes into.
        for op in reversed(list(target.walk())):
            try:
                if isinstance(op, WindowOp) and vectorize_convolution.slides(op):
                    flatten = self.flatten_1d_depthwise_conv is not None
                    window = vectorize_convolution.analyze(
                        self, op, (), flatten=flatten
                    )
                    vectorize_convolution.rewrite(window, rewriter)
                elif isinstance(op, StructuredOp):
                    plan = vectorize.analyze(self, op, ())
                    any_rank = self.vectorize_nd_extract is not None
                    check_extracts(self, op, any_rank=any_rank)
                    vectorize_structured.rewrite(plan, rewriter)
                elif isinstance(op, tensor.InsertSliceOp):
                    move = vectorize_copies.analyze(self, op)
                    vectorize_copies.rewrite(move, rewriter)
                elif isinstance(op, memref.CopyOp):
                    vectorize_copies.analyze_copy(self, op)
                    vectorize_copies.rewrite_copy(op, rewriter)
            except SilenceableFailure as failure:
                yield Note(failure.fact, place_of(op))


@pattern(StepOp)
def tabulate(op: StepOp, rewriter: Rewriter) -> None:
    """Write the numbers of the lanes as a constant, so that they fold."""
    kind = op.result.type
    numbers = range(vector_type(op.result).get_shape()[0])
    rewriter.replace_with(op, arith.ConstantOp(dense_of(kind, list(numbers))))


@cache
def _patterns(
    permute: bool, contractions: bool, extensions: bool, padding: bool
) -> PatternSet:
    """The requested patterns, and those that always act."""
    asked: list[Pattern] = [
        *FOLDS,
        *sinking.PATTERNS,
        *transfers.PATTERNS,
        *subset_ops.PATTERNS,
        tabulate,
    ]
    if permute:
        asked += permutations.PATTERNS
    if contractions:
        asked += contract.REDUCTION
    if extensions:
        asked += contract.EXTENSION
    if padding:
        asked += padded_tensors.PATTERNS
    return PatternSet(asked)
