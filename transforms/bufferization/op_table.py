"""The table of ops that bufferize: a new op is one line here."""

from __future__ import annotations

from xdsl.ir import Operation

from tilewright.ir.dialects import arith, func, scf, tensor, vector
from tilewright.ir.dialects.bufferization import (
    AllocTensorOp,
    MaterializeInDestinationOp,
    ToBufferOp,
    ToTensorOp,
)
from tilewright.ir.dialects.linalg import SoftmaxOp, StructuredOp
from tilewright.ir.dialects.scf import ForallOp
from tilewright.ir.dialects.tensor import ParallelInsertSliceOp
from tilewright.transforms.bufferization.expand_ops import EXPANDED
from tilewright.transforms.bufferization.op_model import Model
from tilewright.transforms.bufferization.ops.branches import (
    ExecuteRegion,
    If,
    IndexSwitch,
    Masked,
    Select,
    Yield,
)
from tilewright.transforms.bufferization.ops.conversions import (
    Materialize,
    ToBuffer,
    ToTensor,
)
from tilewright.transforms.bufferization.ops.elements import Extract, Insert, Size
from tilewright.transforms.bufferization.ops.functions import Call, Function, Return
from tilewright.transforms.bufferization.ops.kept import (
    KeptFunction,
    KeptOp,
    KeptReturn,
)
from tilewright.transforms.bufferization.ops.loops import For, Forall, InParallel
from tilewright.transforms.bufferization.ops.new_tensors import (
    AllocTensor,
    Constant,
    Empty,
    Expanded,
)
from tilewright.transforms.bufferization.ops.slices import (
    ExtractSlice,
    InsertSlice,
    ParallelInsertSlice,
)
from tilewright.transforms.bufferization.ops.structured import (
    Reader,
    Softmax,
    Structured,
    TransferWrite,
)
from tilewright.transforms.bufferization.ops.views import (
    Cast,
    CollapseShape,
    ExpandShape,
    Reshape,
)
from tilewright.transforms.bufferization.tensor_facts import ModelOf

MODELS: dict[type[Operation], Model] = {
    arith.ConstantOp: Constant(),
    arith.SelectOp: Select(),
    AllocTensorOp: AllocTensor(),
    MaterializeInDestinationOp: Materialize(),
    ToBufferOp: ToBuffer(),
    ToTensorOp: ToTensor(),
    func.CallOp: Call(),
    func.FuncOp: Function(),
    func.ReturnOp: Return(),
    SoftmaxOp: Softmax(),
    ForallOp: Forall(),
    scf.ExecuteRegionOp: ExecuteRegion(),
    scf.ForOp: For(),
    scf.IfOp: If(),
    scf.InParallelOp: InParallel(),
    scf.IndexSwitchOp: IndexSwitch(),
    scf.YieldOp: Yield(),
    ParallelInsertSliceOp: ParallelInsertSlice(),
    tensor.CastOp: Cast(),
    tensor.CollapseShapeOp: CollapseShape(),
    tensor.DimOp: Size(),
    tensor.EmptyOp: Empty(),
    tensor.ExpandShapeOp: ExpandShape(),
    tensor.ExtractOp: Extract(),
    tensor.ExtractSliceOp: ExtractSlice(),
    tensor.InsertOp: Insert(),
    tensor.InsertSliceOp: InsertSlice(),
    tensor.RankOp: Size(),
    tensor.ReshapeOp: Reshape(),
    vector.GatherOp: Reader(),
    vector.MaskOp: Masked(),
    vector.TransferReadOp: Reader(),
    vector.TransferWriteOp: TransferWrite(),
    vector.YieldOp: Yield(),
    **dict.fromkeys(EXPANDED, Expanded()),
}

STRUCTURED = Structured()


KEPT = KeptOp()
KEPT_FUNCTIONS: dict[type[Operation], Model] = {
    func.CallOp: KEPT,
    func.FuncOp: KeptFunction(),
    func.ReturnOp: KeptReturn(),
}
"""The models of functions whose arguments and results stay tensors."""


def model_of(op: Operation) -> Model | None:
    """The model of an op; None if the op does not bufferize."""
    if (model := MODELS.get(type(op))) is not None:
        return model
    return STRUCTURED if isinstance(op, StructuredOp) else None


WRITING_FUNCTIONS: dict[type[Operation], Model] = {
    func.FuncOp: Function(writes_by_default=True)
}


def models(
    *, keep_functions: bool, keep_unknown: bool, write_arguments: bool
) -> ModelOf:
    """The models, with those that options ask for: see `bufferizer.Options`."""
    instead = dict[type[Operation], Model]()
    if keep_functions:
        instead = KEPT_FUNCTIONS
    elif write_arguments:
        instead = WRITING_FUNCTIONS

    def found(op: Operation) -> Model | None:
        model = instead.get(type(op)) or model_of(op)
        return KEPT if model is None and keep_unknown else model

    return found if instead or keep_unknown else model_of
