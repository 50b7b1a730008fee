"""Every transform op, in one table that a reader can scan.

The file of an op is imported when the op is first named: a schedule of ten lines does
not wait for a hundred transformations.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from importlib import import_module

from xdsl.dialects.transform import (
    AnyOpType,
    AnyParamType,
    AnyValueType,
    OperationType,
    ParamType,
    TypeParamType,
)
from xdsl.ir import Dialect, Operation

from tilewright.ir.context import LazyContext, payload_context
from tilewright.transforms.cleanup.group_ops import GROUP_NAMES, GROUP_PREFIX, group_op
from tilewright.transforms.control.param_operand import ParamOperandAttr
from tilewright.transforms.core.base import AffineMapType

PREFIX = "transform."
"""The dialect's name, which an op's name begins with."""

HOMES: Mapping[str, str] = {
    # control
    "named_sequence": "control.declared_sequence.DeclaredSequenceOp",
    "sequence": "control.sequence.SequenceOp",
    "include": "control.sequence.IncludeOp",
    "yield": "control.sequence.YieldOp",
    "foreach": "control.foreach.ForeachOp",
    "foreach_match": "control.foreach_match.ForeachMatchOp",
    "collect_matching": "control.foreach_match.CollectMatchingOp",
    "alternatives": "control.alternatives.AlternativesOp",
    "verify": "control.remarks.VerifyOp",
    "debug.emit_remark_at": "control.remarks.EmitRemarkAtOp",
    "debug.emit_param_as_remark": "control.remarks.EmitParamAsRemarkOp",
    "print": "control.print_payload.PrintOp",
    "tune.knob": "control.choices.tune_knob.KnobOp",
    "tune.alternatives": "control.choices.tune_alternatives.AlternativesOp",
    "smt.constrain_params": "control.choices.constrain.ConstrainParamsOp",
    "tilewright.selected_region": "control.choices.selected_region.SelectedRegionOp",
    "apply_registered_pass": "control.apply_registered_pass.ApplyRegisteredPassOp",
    # handles
    "structured.match": "handles.match.MatchOp",
    "merge_handles": "handles.merge_handles.MergeHandlesOp",
    "split_handle": "handles.split_handle.SplitHandleOp",
    "select": "handles.select.SelectOp",
    "tilewright.pick": "handles.pick.PickOp",
    "cast": "handles.cast.CastOp",
    "num_associations": "handles.num_associations.NumAssociationsOp",
    "get_parent_op": "handles.navigation.GetParentOp",
    "get_producer_of_operand": "handles.navigation.GetProducerOfOperandOp",
    "get_consumers_of_result": "handles.navigation.GetConsumersOfResultOp",
    "get_defining_op": "handles.navigation.GetDefiningOp",
    "get_operand": "handles.navigation.GetOperandOp",
    "get_result": "handles.navigation.GetResultOp",
    "param.constant": "handles.param_constant.ParamConstantOp",
    "annotate": "handles.annotate.AnnotateOp",
    # predicates
    "match.operation_name": "matchers.operations.MatchOperationNameOp",
    "match.operation_empty": "matchers.operations.MatchOperationEmptyOp",
    "match.param.cmpi": "matchers.operations.MatchParamCmpIOp",
    "match.structured": "matchers.structured.MatchStructuredOp",
    "match.structured.yield": "matchers.structured.MatchStructuredYieldOp",
    "match.structured.rank": "matchers.structured_numbers.MatchStructuredRankOp",
    "match.structured.num_inputs": (
        "matchers.structured_numbers.MatchStructuredNumInputsOp"
    ),
    "match.structured.num_inits": (
        "matchers.structured_numbers.MatchStructuredNumInitsOp"
    ),
    "match.structured.elemental_bitwidth": (
        "matchers.structured_numbers.MatchStructuredElementalBitwidthOp"
    ),
    "match.structured.body": "matchers.structured_body.MatchStructuredBodyOp",
    "match.structured.dim": "matchers.structured_positions.MatchStructuredDimOp",
    "match.structured.input": "matchers.structured_positions.MatchStructuredInputOp",
    "match.structured.init": "matchers.structured_positions.MatchStructuredInitOp",
    "match.structured.result": "matchers.structured_result.MatchStructuredResultOp",
    "match.structured.classify_contraction_dims": (
        "matchers.structured_body.MatchStructuredClassifyContractionDimsOp"
    ),
    # structured ops
    "structured.tile_using_forall": (
        "structured.tile.tile_using_forall.TileUsingForallOp"
    ),
    "structured.tile_using_for": "structured.tile.tile_using_for.TileUsingForOp",
    "structured.tile_reduction_using_for": (
        "structured.tile.tile_reduction_using_for.TileReductionUsingForOp"
    ),
    "structured.tile_reduction_using_forall": (
        "structured.tile.tile_reduction_using_forall.TileReductionUsingForallOp"
    ),
    "structured.fuse": "structured.fuse.fuse.FuseOp",
    "structured.fuse_into_containing_op": (
        "structured.fuse.fuse_into_containing_op.FuseIntoContainingOp"
    ),
    "tilewright.fuse_all": "structured.fuse.fuse_all.FuseAllOp",
    "tilewright.recompute": "structured.fuse.recompute.RecomputeOp",
    "tilewright.stream": "structured.stream.stream.StreamOp",
    "tilewright.split_stream": "structured.stream.split_stream.SplitStreamOp",
    "tilewright.inline_producer": "structured.fuse.inline_producer.InlineProducerOp",
    "structured.split_reduction": "structured.tile.split_reduction.SplitReductionOp",
    "structured.pad": "structured.pad.pad.PadOp",
    "structured.transpose_matmul": (
        "structured.rewrite.transpose_matmul.TransposeMatmulOp"
    ),
    "structured.flatten_elementwise": (
        "structured.rewrite.flatten_elementwise.FlattenElementwiseOp"
    ),
    "tilewright.collapse_loops": "structured.rewrite.collapse_loops.CollapseLoopsOp",
    "tilewright.use_exp2": "structured.rewrite.use_exp2.UseExp2Op",
    "tilewright.pad_rows": "structured.rewrite.pad_rows.PadRowsOp",
    "tilewright.gather_operands": (
        "structured.rewrite.gather_operands.GatherOperandsOp"
    ),
    "structured.rewrite_in_destination_passing_style": (
        "structured.destinations.destination_passing_style."
        "RewriteInDestinationPassingStyleOp"
    ),
    "structured.decompose": "structured.rewrite.decompose.DecomposeOp",
    "structured.decompose_interface": (
        "structured.rewrite.decompose_interface.DecomposeInterfaceOp"
    ),
    "structured.generalize": "structured.rewrite.generalize.GeneralizeOp",
    "structured.interchange": "structured.rewrite.interchange.InterchangeOp",
    "structured.split": "structured.tile.split.SplitOp",
    "structured.vectorize": "structured.vectorize.vectorize.VectorizeOp",
    "structured.vectorize_children_and_apply_patterns": (
        "structured.vectorize.vectorize_children_and_apply_patterns.VectorizeChildrenOp"
    ),
    "tilewright.quantize_matmul": (
        "structured.quantize.quantize_matmul.QuantizeMatmulOp"
    ),
    "structured.continuous_tile_sizes": (
        "structured.tile.continuous_tile_sizes.ContinuousTileSizesOp"
    ),
    "structured.convert_to_loops": (
        "structured.rewrite.convert_to_loops.ConvertToLoopsOp"
    ),
    "structured.insert_slice_to_copy": (
        "structured.destinations.insert_slice_to_copy.InsertSliceToCopyOp"
    ),
    "structured.multitile_sizes": "structured.tile.multitile_sizes.MultitileSizesOp",
    "structured.scalarize": "structured.tile.scalarize.ScalarizeOp",
    "structured.specialize": "structured.rewrite.specialize.SpecializeOp",
    "structured.hoist_redundant_vector_transfers": (
        "structured.vectorize.hoist_redundant_vector_transfers.HoistRedundantVectorTransfersOp"
    ),
    "bufferization.eliminate_empty_tensors": (
        "structured.destinations.eliminate_empty_tensors."
        "BufferizationEliminateEmptyTensorsOp"
    ),
    "structured.eliminate_empty_tensors": (
        "structured.destinations.eliminate_empty_tensors.EliminateEmptyTensorsOp"
    ),
    # loops
    "loop.hoist_loop_invariant_subsets": (
        "loop.hoist_loop_invariant_subsets.HoistLoopInvariantSubsetsOp"
    ),
    "loop.peel": "loop.peel.LoopPeelOp",
    "tilewright.trim_loop": "loop.masks.trim_loop.TrimLoopOp",
    "tilewright.split_by_mask": "loop.masks.split_by_mask.SplitByMaskOp",
    "loop.unroll": "loop.unroll.LoopUnrollOp",
    "loop.unroll_and_jam": "loop.unroll_and_jam.LoopUnrollAndJamOp",
    "loop.coalesce": "loop.coalesce.LoopCoalesceOp",
    "loop.fuse_sibling": "loop.fuse_sibling.LoopFuseSiblingOp",
    "loop.promote_if_one_iteration": (
        "loop.promote_if_one_iteration.LoopPromoteIfOneIterationOp"
    ),
    "loop.forall_to_for": "loop.forall_to_for.ForallToForOp",
    "loop.forall_to_parallel": "loop.forall_to_parallel.ForallToParallelOp",
    "loop.parallel_for_to_nested_fors": (
        "loop.parallel_for_to_nested_fors.ParallelForToNestedForsOp"
    ),
    "loop.get_parent_for": "loop.get_parent_for.GetParentForOp",
    "loop.outline": "loop.outline.LoopOutlineOp",
    "tilewright.outline_equal": "loop.outline_equal.OutlineEqualOp",
    "tilewright.inline_calls": "loop.inline_calls.InlineCallsOp",
    "loop.pipeline": "loop.pipeline.LoopPipelineOp",
    # grids
    "tilewright.in_one_block": "gpu.in_one_block.InOneBlockOp",
    "tilewright.loops_to_grid": "gpu.loops_to_grid.LoopsToGridOp",
    "gpu.map_forall_to_blocks": "gpu.map_forall_to_blocks.MapForallToBlocksOp",
    "gpu.map_nested_forall_to_threads": (
        "gpu.map_nested_forall_to_threads.MapNestedForallToThreadsOp"
    ),
    # clean-up
    "apply_patterns": "cleanup.apply_patterns.ApplyPatternsOp",
    "apply_cse": "cleanup.apply_cse.ApplyCseOp",
    "apply_dce": "cleanup.apply_dce.ApplyDceOp",
    "apply_licm": "cleanup.apply_licm.ApplyLicmOp",
    # buffers
    "bufferization.empty_tensor_to_alloc_tensor": (
        "bufferization.empty_tensor_to_alloc_tensor.EmptyTensorToAllocTensorOp"
    ),
    "bufferization.one_shot_bufferize": (
        "bufferization.one_shot_bufferize.OneShotBufferizeOp"
    ),
}
"""Where each op is defined: its name without the dialect, its file and its class."""

_TYPES = Dialect(
    "transform",
    [],
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


@cache
def transform_op(name: str) -> type[Operation] | None:
    """The op of this name (`transform.structured.match`), or None if there is none."""
    if name.startswith(GROUP_PREFIX) and name.removeprefix(GROUP_PREFIX) in GROUP_NAMES:
        return group_op(name.removeprefix(GROUP_PREFIX))
    home = HOMES.get(name.removeprefix(PREFIX)) if name.startswith(PREFIX) else None
    if home is None:
        return None
    file, _, class_name = home.rpartition(".")
    return getattr(import_module(f"tilewright.transforms.{file}"), class_name)


def transform_names() -> Iterable[str]:
    """The name of every transform op."""
    yield from (PREFIX + name for name in HOMES)
    yield from (GROUP_PREFIX + name for name in GROUP_NAMES)


def schedule_context() -> LazyContext:
    """A context that reads payload and schedule alike."""
    context = payload_context()
    context.register_dialect("smt", _smt)
    context.load_dialect(_TYPES)
    context.add_ops(transform_op, transform_names)
    return context


def _smt() -> Dialect:
    from tilewright.ir.dialects.smt import Smt

    return Smt
