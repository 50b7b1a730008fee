"""The named convolution or pooling that a generic op is."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, TensorType, i64
from xdsl.ir import Attribute
from xdsl.ir.affine import AffineDimExpr, AffineMap
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.dialects.linalg import WINDOW_OPS, GenericOp, WindowOp
from tilewright.ir.indexing.linear import linear_form
from tilewright.ir.structured.bodies import same_body
from tilewright.ir.structured.maps import named_loops


def window_op_of(
    op: GenericOp,
) -> tuple[type[WindowOp], dict[str, Attribute]] | None:
    """The named op with the maps, loops and body of `op`, and its properties."""
    for kind in WINDOW_OPS.values():
        steps = _steps(op, kind)
        if steps is None or not _has_body(op, kind):
            continue
        if "n" in kind.WINDOW.image:
            of = TensorType(i64, [len(kind.WINDOW.places)])
            strides, dilations = (
                DenseIntOrFPElementsAttr.from_list(of, each) for each in steps
            )
            return kind, {"dilations": dilations, "strides": strides}
        # Ops without a batch have no attributes.
        if {step for each in steps for step in each} == {1}:
            return kind, {}
    return None


def _steps(
    op: GenericOp, kind: type[WindowOp]
) -> tuple[Sequence[int], Sequence[int]] | None:
    """The strides and dilations with which a named op has the maps of `op`."""
    layouts = kind.WINDOW
    if len(op.inputs) != 2 + kind.SCALARS or op.get_num_loops() != len(layouts.loops):
        return None
    image, window, *scalars, output = op.maps
    if any(scalar.results for scalar in scalars):
        return None
    names = _names(kind, window, output)
    if names is None or len(image.results) != len(layouts.image):
        return None
    reduced = [each.data.value for each in op.get_iterator_types()]
    own = [each.data.value for each in layouts.iterator_types]
    if any(reduced[loop] != own[layouts.loops.index(x)] for loop, x in names.items()):
        return None
    strides: dict[str, int] = {}
    dilations: dict[str, int] = {}
    for letter, result in zip(layouts.image, image.results, strict=True):
        form = linear_form(result)
        if form is None or form.constant:
            return None
        parts = {names[loop]: factor for loop, factor in form.terms.items()}
        if letter not in layouts.places:
            if parts != {letter: 1} or not isinstance(result, AffineDimExpr):
                return None
        elif set(parts) != {letter, letter.upper()} or min(parts.values()) < 1:
            return None
        else:
            strides[letter], dilations[letter] = parts[letter], parts[letter.upper()]
    return (
        [strides[place] for place in layouts.places],
        [dilations[place] for place in layouts.places],
    )


def _names(
    kind: type[WindowOp], window: AffineMap, output: AffineMap
) -> dict[int, str] | None:
    """The letter of each loop, by the dimensions of window and output."""
    layouts = kind.WINDOW
    inside = [x.upper() if x in layouts.places else x for x in layouts.window]
    names: dict[int, str] = {}
    for letters, map_ in ((layouts.output, output), (inside, window)):
        loops = named_loops(map_)
        if len(loops) != len(map_.results) or len(loops) != len(letters):
            return None
        for letter, loop in zip(letters, loops, strict=True):
            if names.setdefault(loop, letter) != letter:
                return None
    return names if len(set(names.values())) == len(layouts.loops) else None


def _has_body(op: GenericOp, kind: type[WindowOp]) -> bool:
    try:
        body = kind.hidden_body(op.inputs, op.outputs, {})
    except VerifyException:
        return False
    return same_body(op.body, body, range(len(op.operands)), swap=True)
