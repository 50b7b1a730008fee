"""Convolutions of images, read off the maps of structured ops.

    out[n, f, oh, ow] += x[n, c, oh * sh + kh * dh, ow * sw + kw * dw] * w[f, c, kh, kw]

The dimensions of each operand may come in any order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineExpr, AffineMap

from tilewright.ir.dialects.linalg import StructuredOp, WindowOp
from tilewright.ir.indexing.linear import linear_form
from tilewright.ir.structured.loops import Nest, nest_of
from tilewright.ir.structured.maps import is_projection, named_loops


@dataclass(frozen=True)
class OrderedOperand:
    """An operand, and its dimensions in the order NCHW, or FCHW of filters."""

    value: SSAValue
    order: tuple[int, ...]

    def shape(self, extents: Sequence[int]) -> tuple[int, ...]:
        """The operand's extents in that order."""
        return tuple(extents[dim] for dim in self.order)


@dataclass(frozen=True)
class Convolution:
    """A convolution of images [n, c, h, w] with filters [f, c, kh, kw]."""

    image: OrderedOperand
    filter: OrderedOperand
    output: OrderedOperand
    strides: tuple[int, int]
    dilations: tuple[int, int]


def has_windows(nest: Nest) -> bool:
    """Whether an operand is indexed by more than plain loops and constants."""
    return not all(is_projection(map_) for map_ in nest.maps)


def convolution_of(nest: Nest, image: int, filter: int) -> Convolution | None:
    """The convolution that a sum of products of two operands is; None if it is none."""
    parts = [_coefficients(result) for result in nest.maps[image].results]
    filters, outputs = _loops(nest.maps[filter]), _loops(nest.maps[-1])
    plain: dict[int, int] = {}
    """The dimension of the image that each plain loop runs along."""
    sliding: list[_SlidingDim] = []
    for dim, part in enumerate(parts):
        if part is not None and [*part.values()] == [1]:
            plain[next(iter(part))] = dim
        elif part is not None and (found := _sliding(dim, part, outputs, filters)):
            sliding.append(found)
    batch = [loop for loop in plain if loop in outputs]
    channels = [loop for loop in plain if loop in filters]
    made = [loop for loop in outputs if loop in filters]
    if len(parts) != 4 or len(sliding) != 2 or not len(batch) == len(channels) == 1:
        return None
    across = [window.place for window in sliding]
    within = [window.inside for window in sliding]
    if sorted(outputs) != sorted([*batch, *made, *across]) or len(made) != 1:
        return None
    if sorted(filters) != sorted([*made, *channels, *within]):
        return None
    if sorted(nest.parallel) != sorted(outputs) or nest.rank != 7:
        return None
    values = nest.op.operands
    dims = (plain[batch[0]], plain[channels[0]], *(window.dim for window in sliding))
    return Convolution(
        OrderedOperand(values[image], dims),
        _ordered(values[filter], filters, (*made, *channels, *within)),
        _ordered(values[-1], outputs, (*batch, *made, *across)),
        (sliding[0].stride, sliding[1].stride),
        (sliding[0].dilation, sliding[1].dilation),
    )


@dataclass(frozen=True)
class _SlidingDim:
    """A dimension of an image that windows slide along."""

    dim: int
    place: int
    """The loop over windows; each step moves them by `stride`."""
    stride: int
    inside: int
    """The loop within a window, whose elements are `dilation` apart."""
    dilation: int


def _sliding(
    dim: int, part: dict[int, int], outputs: Sequence[int], filters: Sequence[int]
) -> _SlidingDim | None:
    places = [loop for loop in part if loop in outputs and loop not in filters]
    inside = [loop for loop in part if loop in filters and loop not in outputs]
    if len(places) != 1 or len(inside) != 1 or len(part) != 2:
        return None
    if min(part.values()) < 1:
        return None
    return _SlidingDim(dim, places[0], part[places[0]], inside[0], part[inside[0]])


def _ordered(
    value: SSAValue, loops: Sequence[int], wanted: Sequence[int]
) -> OrderedOperand:
    return OrderedOperand(value, tuple(loops.index(loop) for loop in wanted))


def _loops(map_: AffineMap) -> tuple[int, ...]:
    """The loops of a map that names different loops and nothing else."""
    return named_loops(map_) if map_.is_projected_permutation() else ()


def _coefficients(expr: AffineExpr) -> dict[int, int] | None:
    """The factor of each loop in a sum of loops; None for any other form."""
    form = linear_form(expr)
    return None if form is None or form.constant else dict(form.terms)


@dataclass(frozen=True)
class ConvolutionDims:
    """The loops of a convolution by their role, and the steps of its windows."""

    batch: list[int]
    output_image: list[int]
    output_channel: list[int]
    filter_loop: list[int]
    input_channel: list[int]
    depth: list[int]
    strides: list[int]
    dilations: list[int]


def convolution_dims(op: StructuredOp) -> ConvolutionDims | None:
    """The roles of the loops, as upstream infers them; None without a window.

    Looks at maps and iterator types only: the body may compute anything.
    """
    if len(op.inputs) != 2 or len(op.outputs) != 1:
        return None
    image, filter_, output = op.maps[0], op.maps[1], op.maps[-1]
    factors, plain = _sliding_loops(image)
    nest = nest_of(op)
    parallel, reduced = set(nest.parallel), set(nest.reduced)
    taps = set(named_loops(filter_))
    made = set(named_loops(output)) & parallel
    own = taps & parallel
    image_loops = sorted(set(factors) & made)
    filter_loops = sorted(set(factors) & taps & reduced)
    if not image_loops:
        return None
    return ConvolutionDims(
        sorted((plain & made) - own),
        image_loops,
        sorted((own & made) - plain),
        filter_loops,
        sorted(plain & taps & reduced),
        sorted(own & made & plain),
        _steps(op, "strides", [factors[loop] for loop in image_loops]),
        _steps(op, "dilations", [factors[loop] for loop in filter_loops]),
    )


def _sliding_loops(image: AffineMap) -> tuple[dict[int, int], set[int]]:
    """The loops in sums of two, with their factors, and the loops that are alone.

    A loop that occurs in several results is neither.
    """
    counts: dict[int, int] = {}
    for result in image.results:
        for loop in result.used_dims():
            counts[loop] = counts.get(loop, 0) + 1
    factors: dict[int, int] = {}
    plain: set[int] = set()
    for result in image.results:
        parts = _coefficients(result) or {}
        if any(counts[loop] > 1 for loop in parts):
            continue
        if isinstance(result, AffineDimExpr):
            plain.add(result.position)
        elif len(parts) == 2:
            factors |= parts
    return factors, plain


def _steps(op: StructuredOp, name: str, factors: list[int]) -> list[int]:
    """The steps that the op's attribute says, or else its maps."""
    given = op.properties.get(name)
    if isinstance(op, WindowOp) and given is not None:
        return list(op.steps(name))
    return factors
