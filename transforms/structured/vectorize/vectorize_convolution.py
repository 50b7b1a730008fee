"""Vectorize convolutions and poolings along one dimension, as upstream does.

Before:
    %r = linalg.conv_1d_nwc_wcf ins(%x, %k : tensor<4x6x3xf32>, tensor<2x3x8xf32>)
        outs(%o : tensor<4x5x8xf32>) -> tensor<4x5x8xf32>

After, a contraction for each place of the window:
    %x0 = vector.extract_strided_slice %x {offsets = [0, 0, 0], sizes = [4, 5, 3], ...}
    %k0 = vector.extract %k[0] : vector<3x8xf32> from vector<2x3x8xf32>
    %o0 = vector.contract {...} %x0, %k0, %o : ...

With a stride, each place of the output is computed by itself. Images with the width
last are transposed. A pooling combines slices. A depthwise convolution multiplies and
adds them lane by lane. One without channels is an outer product with a scalar.

The number of channels of a depthwise convolution may be known only at run time. Vector
sizes then say how many lanes there are, and masks turn off those past the last channel.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import (
    AffineMapAttr,
    AnyFloat,
    ArrayAttr,
    BoolAttr,
    IndexType,
    VectorType,
    i1,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap

from tilewright.ir.dialects import arith
from tilewright.ir.dialects.linalg.loops import shape_of
from tilewright.ir.dialects.linalg.ops.windows import PoolingOp, WindowOp
from tilewright.ir.dialects.vector import (
    CombiningKindAttr,
    CombiningKindFlag,
    ContractOp,
    CreateMaskOp,
    FMAOp,
    IteratorType,
    IteratorTypeAttr,
    MaskOp,
    OuterProductOp,
    ShuffleOp,
    TransferReadOp,
    TransferWriteOp,
)
from tilewright.ir.errors import UserError
from tilewright.ir.structured.combiners import neutral_element
from tilewright.ir.types import element_type, is_tensor, lanes, vector_type, vector_with
from tilewright.transforms.cleanup.build import make
from tilewright.transforms.cleanup.patterns.vector_lowering.steps import Steps
from tilewright.transforms.core.base import TransformOp
from tilewright.transforms.core.extents import known_size, upper_bound
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.structured.vectorize.vectorize_structured import (
    check_elements,
)

WIDTH = "w"


@dataclass(frozen=True)
class ConvolutionPlan:
    """A convolution along one dimension."""

    op: WindowOp
    width: int
    """The extent of the output along the dimension."""
    window: int
    """The extent of the window."""
    flatten: bool
    """Whether a depthwise convolution treats width and channels as one dimension."""
    channels: int | None = None
    """The number of lanes for the channels, if their number is not known."""

    @property
    def stride(self) -> int:
        """The step of the image from one place of the output to the next."""
        return self.op.steps("strides")[0]

    @property
    def dilation(self) -> int:
        """The step of the image from one place of the window to the next."""
        return self.op.steps("dilations")[0]

    @property
    def at_once(self) -> int:
        """The number of neighbouring places of the output that are computed at once."""
        return self.width if self.stride == 1 else 1


def slides(op: Operation) -> bool:
    """Whether an op slides a window along one dimension."""
    return isinstance(op, WindowOp) and op.WINDOW.places == WIDTH


def analyze(
    user: TransformOp,
    op: WindowOp,
    sizes: Sequence[int],
    trust: list[UserError] | None = None,
    *,
    flatten: bool = False,
) -> ConvolutionPlan:
    """Check that a convolution has static extents, and plan it."""
    check_elements(user, op, [value.type for value in op.operands])
    layout = op.WINDOW
    if layout.window not in ("w", "wc", "wcf", "fcw"):
        raise user.refuse(f"a filter '{layout.window}' has no vector form", op)
    width = shape_of(op.outputs[0].type)[layout.output.index(WIDTH)]
    window = shape_of(op.inputs[1].type)[layout.window.index(WIDTH)]
    open_letters = {
        letter
        for value, letters in zip(
            op.operands, (layout.image, layout.window, layout.output), strict=True
        )
        for letter, size in zip(letters, shape_of(value.type), strict=True)
        if size < 1
    }
    if not open_letters:
        return ConvolutionPlan(op, width, window, flatten)
    if open_letters != {"c"} or layout.window != "wc" or flatten or not sizes:
        raise user.refuse("the extents of a convolution are not all known", op)
    return ConvolutionPlan(
        op, width, window, flatten, _channels(user, op, sizes, trust)
    )


def _channels(
    user: TransformOp,
    op: WindowOp,
    sizes: Sequence[int],
    trust: list[UserError] | None,
) -> int:
    """The lanes for the channels of a depthwise convolution."""
    loops = op.get_num_loops()
    if len(sizes) != loops:
        raise user.refuse(f"{len(sizes)} vector sizes for {loops} loops", op)
    place = op.WINDOW.output.index("c")
    known = known_size(op.outputs[0], place)
    bound = None if known is None else upper_bound(known)
    if bound is None or bound > sizes[place]:
        doubt = user.refuse(
            f"vector size {sizes[place]} may not cover all channels",
            op,
            "use a larger vector size, or tile the channels",
        )
        if bound is not None or trust is None:
            raise doubt
        trust.append(doubt)
    return sizes[place]


def rewrite(plan: ConvolutionPlan, rewriter: Rewriter) -> None:
    """Replace the convolution by reads, vector code and a write."""
    op, steps = plan.op, Steps()
    layout = op.WINDOW
    image, window = _read_image(plan, steps), _read_window(plan, steps)
    output = _read(plan, op.outputs[0], steps)
    ordered = "".join(sorted(layout.output, key="nwcf".index))
    back = [ordered.index(letter) for letter in layout.output]
    is_turned = ordered != layout.output
    if is_turned:
        channels_last = "".join(sorted(layout.image, key="nwcf".index))
        order = [layout.image.index(letter) for letter in channels_last]
        image = steps.transpose(image, order)
        order = [layout.output.index(letter) for letter in ordered]
        output = steps.transpose(output, order)
    output = _computed(plan, image, window, output, steps)
    if is_turned:
        output = steps.transpose(output, back)
    rank = len(layout.output)
    write = TransferWriteOp(
        output,
        op.outputs[0],
        [steps.index(0)] * rank,
        _inside(rank),
        permutation_map=AffineMapAttr(AffineMap.identity(rank)),
        result_type=op.outputs[0].type if is_tensor(op.outputs[0].type) else None,
    )
    results = _masked(plan, write, write.source, steps)
    steps.replace(op, rewriter, *results)


def _read_image(plan: ConvolutionPlan, steps: Steps) -> SSAValue:
    """The part of the image that the window slides over."""
    image, layout = plan.op.inputs[0], plan.op.WINDOW.image
    shape = list(shape_of(image.type))
    reach = (plan.width - 1) * plan.stride + (plan.window - 1) * plan.dilation + 1
    shape[layout.index(WIDTH)] = reach
    return _read(plan, image, steps, shape)


def _read(
    plan: ConvolutionPlan,
    source: SSAValue,
    steps: Steps,
    shape: Sequence[int] | None = None,
) -> SSAValue:
    of = element_type(source.type)
    zero = neutral_element(CombiningKindFlag.ADD, of)
    assert zero is not None, "vectors hold integers or floats"
    shape = shape_of(source.type) if shape is None else shape
    if plan.channels is not None:
        shape = [size if size >= 0 else plan.channels for size in shape]
    rank = len(shape)
    read = TransferReadOp(
        source,
        [steps.index(0)] * rank,
        steps.add(arith.ConstantOp(zero)),
        vector_with(of, shape),
        _inside(rank),
        AffineMapAttr(AffineMap.identity(rank)),
    )
    return _masked(plan, read, source, steps)[0]


def _masked(
    plan: ConvolutionPlan,
    op: TransferReadOp | TransferWriteOp,
    source: SSAValue,
    steps: Steps,
) -> Sequence[SSAValue]:
    """A transfer under a mask of the channels that there are, if one is needed."""
    if plan.channels is None:
        steps.ops.append(op)
        return op.results
    vector = op.vector if isinstance(op, TransferWriteOp) else op.result
    shape = vector_type(vector).get_shape()
    bounds: list[Operation | SSAValue] = []
    for dim, size in enumerate(shape_of(source.type)):
        if size >= 0:
            bounds.append(steps.index(size))
        else:
            name = "tensor.dim" if is_tensor(source.type) else "memref.dim"
            bounds.append(
                steps.add(make(name, [source, steps.index(dim)], [IndexType()]))
            )
    mask = steps.add(CreateMaskOp(bounds, VectorType(i1, shape)))
    steps.ops.append(under := MaskOp(mask, op))
    return under.results


def _inside(rank: int) -> ArrayAttr[BoolAttr]:
    return ArrayAttr([BoolAttr.from_bool(True)] * rank)


def _read_window(plan: ConvolutionPlan, steps: Steps) -> SSAValue | None:
    """The filter, its width first; None for a pooling, which needs only its size."""
    op = plan.op
    if isinstance(op, PoolingOp):
        return None
    window = _read(plan, op.inputs[1], steps)
    return steps.transpose(window, (2, 1, 0)) if op.WINDOW.window == "fcw" else window


def _computed(
    plan: ConvolutionPlan,
    image: SSAValue,
    window: SSAValue | None,
    output: SSAValue,
    steps: Steps,
) -> SSAValue:
    """The output, computed in parts for each place of the window."""
    starts, places = range(0, plan.width, plan.at_once), range(plan.window)
    images = {
        (place, start): _slice(
            image, start * plan.stride + place * plan.dilation, plan.at_once, steps
        )
        for place in places
        for start in starts
    }
    factors = [None if window is None else steps.extract(window, at) for at in places]
    parts = {start: _slice(output, start, plan.at_once, steps) for start in starts}
    for (place, start), part in images.items():
        parts[start] = _one_place(plan, part, factors[place], parts[start], steps)
    for start, part in parts.items():
        output = _insert(part, output, start, steps)
    return output


def _offsets(rank: int, start: int) -> list[int]:
    return [start if at == rank // 2 else 0 for at in range(rank)]


def _slice(value: SSAValue, start: int, count: int, steps: Steps) -> SSAValue:
    """Neighbouring places along the width, which is the second of three dimensions."""
    shape = vector_type(value).get_shape()
    rank = len(shape)
    sizes = [count if at == rank // 2 else size for at, size in enumerate(shape)]
    if tuple(sizes) == shape:
        return value
    return steps.extract_box(value, _offsets(rank, start), sizes)


def _insert(part: SSAValue, output: SSAValue, start: int, steps: Steps) -> SSAValue:
    if part.type == output.type:
        return part
    return steps.insert_box(
        part, output, _offsets(len(lanes(output.type) or ()), start)
    )


def _one_place(
    plan: ConvolutionPlan,
    part: SSAValue,
    factor: SSAValue | None,
    total: SSAValue,
    steps: Steps,
) -> SSAValue:
    """A part of the image combined with one place of the window, and the total."""
    if factor is not None and plan.op.WINDOW.window == "wc":
        return _multiply_add(plan, part, factor, total, steps)
    of = element_type(total.type)
    part = _promoted(steps, part, of)
    if factor is None:
        terminator = plan.op.body.block.last_op
        assert terminator is not None
        combine = terminator.operands[0].owner
        assert isinstance(combine, Operation)
        return steps.binary(type(combine), part, total)
    factor = _promoted(steps, factor, of)
    if "f" in plan.op.WINDOW.window:
        return steps.add(_contraction(part, factor, total))
    product = OuterProductOp.build(
        operands=[part, factor, [total]],
        result_types=[total.type],
        properties={"kind": CombiningKindAttr(CombiningKindFlag.ADD)},
    )
    return steps.add(product)


def _promoted(steps: Steps, value: SSAValue, of: Attribute) -> SSAValue:
    if element_type(value.type) == of:
        return value
    shape = lanes(value.type)
    kind = of if shape is None else vector_with(of, shape)
    is_float = isinstance(element_type(value.type), AnyFloat)
    if not isinstance(of, AnyFloat):
        name = "arith.extsi"
    else:
        name = "arith.extf" if is_float else "arith.sitofp"
    return steps.add(make(name, [value], [kind]))


def _contraction(part: SSAValue, factor: SSAValue, total: SSAValue) -> ContractOp:
    """`total[n, w, f] += part[n, w, c] * factor[c, f]`."""
    loops = [(0, 1, 3), (3, 2), (0, 1, 2)]
    maps = [AffineMap(4, 0, tuple(AffineDimExpr(at) for at in dims)) for dims in loops]
    kinds = [IteratorType.PARALLEL] * 3 + [IteratorType.REDUCTION]
    return ContractOp(
        part,
        factor,
        total,
        ArrayAttr([AffineMapAttr(map_) for map_ in maps]),
        ArrayAttr([IteratorTypeAttr(kind) for kind in kinds]),
    )


def _multiply_add(
    plan: ConvolutionPlan,
    part: SSAValue,
    factor: SSAValue,
    total: SSAValue,
    steps: Steps,
) -> SSAValue:
    """`total[n, w, c] += part[n, w, c] * factor[c]`, lane by lane."""
    shape = vector_type(total).get_shape()
    if plan.flatten:
        flat = (shape[0], shape[1] * shape[2])
        part, total = steps.cast(part, flat), steps.cast(total, flat)
        picks = [lane % shape[2] for lane in range(flat[1])]
        factor = steps.add(ShuffleOp(factor, factor, picks))
    of = element_type(total.type)
    part, factor = _promoted(steps, part, of), _promoted(steps, factor, of)
    factor = steps.broadcast(factor, vector_type(total).get_shape())
    if isinstance(element_type(total.type), AnyFloat):
        fma = FMAOp.create(operands=[part, factor, total], result_types=[total.type])
        result = steps.add(fma)
    else:
        product = steps.binary(arith.MuliOp, part, factor)
        result = steps.binary(arith.AddiOp, product, total)
    return steps.cast(result, shape) if plan.flatten else result
