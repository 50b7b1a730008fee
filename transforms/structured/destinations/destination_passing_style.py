"""`rewrite_in_destination_passing_style`: give an op a tensor to write into.

Before:
    %r = tensor.pad %x low[2, 1] high[0, 4] { ... yield %c } : ... to tensor<9x12xf32>

After:
    %e = tensor.empty() : tensor<9x12xf32>
    %f = linalg.fill ins(%c : f32) outs(%e : tensor<9x12xf32>) -> tensor<9x12xf32>
    %r = tensor.insert_slice %x into %f[2, 1] [7, 7] [1, 1] : ...

`tensor.from_elements` becomes insertions one after the other, `tensor.generate` a
`linalg.generic` over its indices. The empty tensor can then be one that is there
already, by eliminate_empty_tensors.

Requires: a `tensor.from_elements`, `tensor.generate` or `tensor.pad`.
"""

from __future__ import annotations

from itertools import product

from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineExpr
from xdsl.irdl import irdl_op_definition, result_def

from tilewright.ir.dialects import arith, tensor
from tilewright.ir.dialects.bufferization import AllocTensorOp
from tilewright.ir.dialects.linalg import (
    CopyOp,
    FillOp,
    GenericOp,
    IndexOp,
    YieldOp,
    iterators,
    maps_attribute,
)
from tilewright.ir.dialects.scf import mixed
from tilewright.ir.types import is_buffer, is_tensor, tensor_type
from tilewright.transforms.core.base import TransformOpHandleType
from tilewright.transforms.core.extents import Extent, OpList, dim_size, evaluate
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.core.target_op import TargetOp
from tilewright.transforms.structured.new_ops import map_without

Rewritable = tensor.FromElementsOp | tensor.GenerateOp | tensor.PadOp


@irdl_op_definition
class RewriteInDestinationPassingStyleOp(TargetOp):
    """Rewrite ops that make tensors; consumes the target."""

    name = "transform.structured.rewrite_in_destination_passing_style"

    transformed = result_def(TransformOpHandleType)

    assembly_format = "$target attr-dict `:` functional-type(operands, results)"

    def analyze(self, op: Operation) -> Rewritable:
        """Check that `op` makes a tensor without a destination."""
        if not isinstance(op, Rewritable):
            raise self.refuse(
                f"'{op.name}' is not one of tensor.from_elements, tensor.generate, "
                "tensor.pad",
                op,
            )
        return op

    def rewrite(self, op: Rewritable, rewriter: Rewriter) -> Operation:
        """Replace the op; the last of the ops that do the same."""
        return give_destination(op, rewriter)


def give_destination(op: Rewritable, rewriter: Rewriter) -> Operation:
    """Replace the op; the last of the ops that do the same."""
    new = OpList()
    match op:
        case tensor.FromElementsOp():
            _insert_elements(op, new)
        case tensor.GenerateOp():
            _generate(op, new)
        case tensor.PadOp():
            _pad(op, new)
    for new_op in new.ops:
        new_op.location = op.location
    last = new.ops[-1]
    rewriter.insert_before(op, *new.ops)
    rewriter.replace(op, last.results, stands_for=last)
    return last


def _insert_elements(op: tensor.FromElementsOp, new: OpList) -> None:
    kind = tensor_type(op.result)
    shape = kind.get_shape()
    result = new.add(tensor.EmptyOp([], kind))
    if not op.elements:
        return
    indices = [new.index(index) for index in range(max(shape, default=0))]
    places = product(*(indices[:size] for size in shape))
    for element, place in zip(op.elements, places, strict=True):
        result = new.add(tensor.InsertOp(element, result, place))


def _generate(op: tensor.GenerateOp, new: OpList) -> None:
    kind = tensor_type(op.result)
    destination = new.add(tensor.EmptyOp(op.dynamic_extents, kind))
    new.add(_computed(op.body, destination))


def _computed(region: Region, destination: SSAValue) -> GenericOp:
    """The elements that a region computes from their indices, as a generic op."""
    kind = destination.type
    assert is_tensor(kind) or is_buffer(kind)
    rank = len(kind.get_shape())
    block = Block(arg_types=[kind.element_type])
    indices = [IndexOp(dim) for dim in range(rank)]
    block.add_ops(indices)
    made: dict[SSAValue, SSAValue] = {}
    made.update(
        zip(region.block.args, (index.result for index in indices), strict=True)
    )
    for op in region.block.ops:
        if isinstance(op, tensor.YieldOp):
            block.add_op(YieldOp(*(made.get(value, value) for value in op.operands)))
        else:
            block.add_op(op.clone(made))
    return GenericOp(
        [],
        [destination],
        Region(block),
        maps_attribute([map_without(rank)]),
        iterators(rank),
        [kind] if is_tensor(kind) else [],
    )


def _pad(op: tensor.PadOp, new: OpList) -> None:
    low, high = mixed(op.static_low, op.low), mixed(op.static_high, op.high)
    kind = tensor_type(op.result)
    sizes = [dim_size(op.source, dim, new) for dim in range(len(low))]
    dynamic = padded_sizes(op, new)
    if op.nofold is not None and all(size == 0 for size in (*low, *high)):
        # Nothing is added, but a copy is asked for.
        alloc = AllocTensorOp.build(operands=[dynamic, None, None], result_types=[kind])
        new.add(CopyOp([op.source], [new.add(alloc)]))
        return
    destination = new.add(tensor.EmptyOp(dynamic, kind))
    filled = fill_padding(op, destination, new).results[0]
    ones: list[Extent] = [1] * len(sizes)
    part = sizes_in_type(op.source, new)
    new.add(tensor.InsertSliceOp(op.source, filled, low, part, ones))


def sizes_in_type(source: SSAValue, new: OpList) -> list[Extent]:
    """The sizes in a tensor's type, and values for those that it does not have."""
    return [
        size if size >= 0 else new.index(dim_size(source, dim, new))
        for dim, size in enumerate(tensor_type(source).get_shape())
    ]


def padded_sizes(op: tensor.PadOp, new: OpList) -> list[SSAValue]:
    """The sizes of a padded tensor that its type does not have."""
    low, high = mixed(op.static_low, op.low), mixed(op.static_high, op.high)
    sizes = [dim_size(op.source, dim, new) for dim in range(len(low))]
    total = sum((AffineExpr.dimension(d) for d in (1, 2)), AffineExpr.dimension(0))
    return [
        new.index(evaluate(total, [size, before, after], new))
        for static, size, before, after in zip(
            tensor_type(op.result).get_shape(), sizes, low, high, strict=True
        )
        if static < 0
    ]


def fill_padding(op: tensor.PadOp, destination: SSAValue, new: OpList) -> Operation:
    """Write the padding everywhere: a fill, where it is the same everywhere."""
    made = _filling(op, destination, new)
    new.ops.append(made)
    return made


def _filling(op: tensor.PadOp, destination: SSAValue, new: OpList) -> Operation:
    last = op.region.block.last_op
    assert isinstance(last, tensor.YieldOp)
    value = last.operands[0]
    owner = value.owner
    if isinstance(owner, arith.ConstantOp):
        value = new.add(arith.ConstantOp(owner.value))
        return FillOp([value], [destination])
    inside = owner.parent_op() if isinstance(owner, Block) else owner
    if inside is not None and not op.is_ancestor(inside):
        return FillOp([value], [destination])
    return _computed(op.region, destination)
