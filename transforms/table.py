"""Every transform op, in one table that a reader can scan."""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects.transform import (
    AffineMapType,
    AnyOpType,
    AnyParamType,
    AnyValueType,
    NamedSequenceOp,
    OperationType,
    ParamType,
    TypeParamType,
)
from xdsl.ir import Dialect

from tilewright.ir.context import payload_context
from tilewright.ir.dialects.smt import Smt
from tilewright.transforms.bufferization.empty_tensor_to_alloc_tensor import (
    EmptyTensorToAllocTensorOp,
)
from tilewright.transforms.bufferization.one_shot_bufferize import OneShotBufferizeOp
from tilewright.transforms.cleanup.apply_cse import ApplyCseOp
from tilewright.transforms.cleanup.apply_dce import ApplyDceOp
from tilewright.transforms.cleanup.apply_licm import ApplyLicmOp
from tilewright.transforms.cleanup.apply_patterns import GROUP_OPS, ApplyPatternsOp
from tilewright.transforms.control.alternatives import (
    AlternativesOp as TryAlternativesOp,
)
from tilewright.transforms.control.apply_registered_pass import (
    ApplyRegisteredPassOp,
    ParamOperandAttr,
)
from tilewright.transforms.control.constrain import ConstrainParamsOp
from tilewright.transforms.control.foreach import ForeachOp
from tilewright.transforms.control.foreach_match import (
    CollectMatchingOp,
    ForeachMatchOp,
)
from tilewright.transforms.control.print_payload import PrintOp
from tilewright.transforms.control.remarks import (
    EmitParamAsRemarkOp,
    EmitRemarkAtOp,
    VerifyOp,
)
from tilewright.transforms.control.sequence import IncludeOp, SequenceOp, YieldOp
from tilewright.transforms.control.tune import AlternativesOp, KnobOp
from tilewright.transforms.gpu.in_one_block import InOneBlockOp
from tilewright.transforms.gpu.loops_to_grid import LoopsToGridOp
from tilewright.transforms.gpu.map_forall_to_blocks import MapForallToBlocksOp
from tilewright.transforms.gpu.map_nested_forall_to_threads import (
    MapNestedForallToThreadsOp,
)
from tilewright.transforms.handles.annotate import AnnotateOp
from tilewright.transforms.handles.cast import CastOp
from tilewright.transforms.handles.match import MatchOp
from tilewright.transforms.handles.merge_handles import MergeHandlesOp
from tilewright.transforms.handles.navigation import (
    GetConsumersOfResultOp,
    GetDefiningOp,
    GetOperandOp,
    GetParentOp,
    GetProducerOfOperandOp,
    GetResultOp,
)
from tilewright.transforms.handles.num_associations import NumAssociationsOp
from tilewright.transforms.handles.param_constant import ParamConstantOp
from tilewright.transforms.handles.select import SelectOp
from tilewright.transforms.handles.split_handle import SplitHandleOp
from tilewright.transforms.loop.coalesce import LoopCoalesceOp
from tilewright.transforms.loop.forall_to_for import ForallToForOp
from tilewright.transforms.loop.forall_to_parallel import ForallToParallelOp
from tilewright.transforms.loop.fuse_sibling import LoopFuseSiblingOp
from tilewright.transforms.loop.get_parent_for import GetParentForOp
from tilewright.transforms.loop.hoist_loop_invariant_subsets import (
    HoistLoopInvariantSubsetsOp,
)
from tilewright.transforms.loop.outline import LoopOutlineOp
from tilewright.transforms.loop.parallel_for_to_nested_fors import (
    ParallelForToNestedForsOp,
)
from tilewright.transforms.loop.peel import LoopPeelOp
from tilewright.transforms.loop.pipeline import LoopPipelineOp
from tilewright.transforms.loop.promote_if_one_iteration import (
    LoopPromoteIfOneIterationOp,
)
from tilewright.transforms.loop.unroll import LoopUnrollOp
from tilewright.transforms.loop.unroll_and_jam import LoopUnrollAndJamOp
from tilewright.transforms.matchers.operations import (
    MatchOperationEmptyOp,
    MatchOperationNameOp,
    MatchParamCmpIOp,
)
from tilewright.transforms.matchers.structured import MATCHERS
from tilewright.transforms.structured.continuous_tile_sizes import ContinuousTileSizesOp
from tilewright.transforms.structured.convert_to_loops import ConvertToLoopsOp
from tilewright.transforms.structured.decompose import DecomposeOp
from tilewright.transforms.structured.decompose_interface import DecomposeInterfaceOp
from tilewright.transforms.structured.eliminate_empty_tensors import (
    EliminateEmptyTensorsOp,
)
from tilewright.transforms.structured.flatten_elementwise import FlattenElementwiseOp
from tilewright.transforms.structured.fuse import FuseOp
from tilewright.transforms.structured.fuse_into_containing_op import (
    FuseIntoContainingOp,
)
from tilewright.transforms.structured.generalize import GeneralizeOp
from tilewright.transforms.structured.hoist_redundant_vector_transfers import (
    HoistRedundantVectorTransfersOp,
)
from tilewright.transforms.structured.insert_slice_to_copy import InsertSliceToCopyOp
from tilewright.transforms.structured.interchange import InterchangeOp
from tilewright.transforms.structured.multitile_sizes import MultitileSizesOp
from tilewright.transforms.structured.pad import PadOp
from tilewright.transforms.structured.quantize_matmul import QuantizeMatmulOp
from tilewright.transforms.structured.rewrite_in_destination_passing_style import (
    RewriteInDestinationPassingStyleOp,
)
from tilewright.transforms.structured.scalarize import ScalarizeOp
from tilewright.transforms.structured.specialize import SpecializeOp
from tilewright.transforms.structured.split import SplitOp
from tilewright.transforms.structured.split_reduction import SplitReductionOp
from tilewright.transforms.structured.tile_reduction_using_for import (
    TileReductionUsingForOp,
)
from tilewright.transforms.structured.tile_reduction_using_forall import (
    TileReductionUsingForallOp,
)
from tilewright.transforms.structured.tile_using_for import TileUsingForOp
from tilewright.transforms.structured.tile_using_forall import TileUsingForallOp
from tilewright.transforms.structured.transpose_matmul import TransposeMatmulOp
from tilewright.transforms.structured.vectorize import VectorizeOp
from tilewright.transforms.structured.vectorize_children_and_apply_patterns import (
    VectorizeChildrenOp,
)

Transform = Dialect(
    "transform",
    [
        NamedSequenceOp,
        SequenceOp,
        IncludeOp,
        YieldOp,
        ForeachOp,
        ForeachMatchOp,
        CollectMatchingOp,
        MatchOperationNameOp,
        MatchOperationEmptyOp,
        MatchParamCmpIOp,
        *MATCHERS,
        TryAlternativesOp,
        VerifyOp,
        EmitRemarkAtOp,
        EmitParamAsRemarkOp,
        MatchOp,
        MergeHandlesOp,
        SplitHandleOp,
        SelectOp,
        CastOp,
        NumAssociationsOp,
        GetParentOp,
        GetProducerOfOperandOp,
        GetConsumersOfResultOp,
        GetDefiningOp,
        GetOperandOp,
        GetResultOp,
        ParamConstantOp,
        AnnotateOp,
        PrintOp,
        KnobOp,
        AlternativesOp,
        ConstrainParamsOp,
        TileUsingForallOp,
        TileUsingForOp,
        TileReductionUsingForOp,
        TileReductionUsingForallOp,
        FuseOp,
        FuseIntoContainingOp,
        SplitReductionOp,
        PadOp,
        TransposeMatmulOp,
        FlattenElementwiseOp,
        RewriteInDestinationPassingStyleOp,
        DecomposeOp,
        DecomposeInterfaceOp,
        InOneBlockOp,
        LoopsToGridOp,
        MapForallToBlocksOp,
        MapNestedForallToThreadsOp,
        GeneralizeOp,
        InterchangeOp,
        SplitOp,
        VectorizeOp,
        VectorizeChildrenOp,
        QuantizeMatmulOp,
        ContinuousTileSizesOp,
        ConvertToLoopsOp,
        InsertSliceToCopyOp,
        MultitileSizesOp,
        ScalarizeOp,
        SpecializeOp,
        ApplyPatternsOp,
        *GROUP_OPS.values(),
        ApplyCseOp,
        ApplyDceOp,
        ApplyLicmOp,
        ApplyRegisteredPassOp,
        HoistLoopInvariantSubsetsOp,
        LoopPeelOp,
        LoopUnrollOp,
        LoopUnrollAndJamOp,
        LoopCoalesceOp,
        LoopFuseSiblingOp,
        LoopPromoteIfOneIterationOp,
        ForallToForOp,
        ForallToParallelOp,
        ParallelForToNestedForsOp,
        GetParentForOp,
        LoopOutlineOp,
        LoopPipelineOp,
        HoistRedundantVectorTransfersOp,
        EliminateEmptyTensorsOp,
        EmptyTensorToAllocTensorOp,
        OneShotBufferizeOp,
    ],
    [
        AffineMapType,
        AnyOpType,
        AnyParamType,
        AnyValueType,
        OperationType,
        ParamOperandAttr,
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
