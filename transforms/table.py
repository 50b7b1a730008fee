"""Every transform op, in one table that a reader can scan."""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects.transform import (
    AffineMapType,
    AnyOpType,
    AnyParamType,
    AnyValueType,
    FailurePropagationModeAttr,
    NamedSequenceOp,
    OperationType,
    ParamType,
    TypeParamType,
)
from xdsl.ir import Dialect

from tilewright.ir.context import payload_context
from tilewright.ir.dialects.smt import Smt
from tilewright.transforms.annotate import AnnotateOp
from tilewright.transforms.apply_cse import ApplyCseOp
from tilewright.transforms.apply_dce import ApplyDceOp
from tilewright.transforms.apply_licm import ApplyLicmOp
from tilewright.transforms.apply_patterns import GROUP_OPS, ApplyPatternsOp
from tilewright.transforms.constrain import ConstrainParamsOp
from tilewright.transforms.eliminate_empty_tensors import EliminateEmptyTensorsOp
from tilewright.transforms.fuse_into_containing_op import FuseIntoContainingOp
from tilewright.transforms.hoist_loop_invariant_subsets import (
    HoistLoopInvariantSubsetsOp,
)
from tilewright.transforms.loops_to_grid import LoopsToGridOp
from tilewright.transforms.match import MatchOp
from tilewright.transforms.merge_handles import MergeHandlesOp
from tilewright.transforms.one_shot_bufferize import OneShotBufferizeOp
from tilewright.transforms.param_constant import ParamConstantOp
from tilewright.transforms.print_payload import PrintOp
from tilewright.transforms.sequence import IncludeOp, YieldOp
from tilewright.transforms.tile_using_for import TileUsingForOp
from tilewright.transforms.tile_using_forall import TileUsingForallOp
from tilewright.transforms.tune import AlternativesOp, KnobOp
from tilewright.transforms.vectorize import VectorizeOp

Transform = Dialect(
    "transform",
    [
        NamedSequenceOp,
        IncludeOp,
        YieldOp,
        MatchOp,
        MergeHandlesOp,
        ParamConstantOp,
        AnnotateOp,
        PrintOp,
        KnobOp,
        AlternativesOp,
        ConstrainParamsOp,
        TileUsingForallOp,
        TileUsingForOp,
        FuseIntoContainingOp,
        LoopsToGridOp,
        VectorizeOp,
        ApplyPatternsOp,
        *GROUP_OPS.values(),
        ApplyCseOp,
        ApplyDceOp,
        ApplyLicmOp,
        HoistLoopInvariantSubsetsOp,
        EliminateEmptyTensorsOp,
        OneShotBufferizeOp,
    ],
    [
        AffineMapType,
        AnyOpType,
        AnyParamType,
        AnyValueType,
        FailurePropagationModeAttr,
        OperationType,
        ParamType,
        TypeParamType,
    ],
)


def schedule_context() -> Context:
    """A context that reads payload and schedule alike."""
    context = payload_context()
    context.load_dialect(Smt)
    context.load_dialect(Transform)
    return context
