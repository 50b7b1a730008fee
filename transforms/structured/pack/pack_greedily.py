"""`structured.pack_greedily`: find a product of matrices in an op, and pack it.

Before:
    %r = linalg.matmul ins(%a, %b : tensor<8x6xf32>, tensor<6x4xf32>)
        outs(%c : tensor<8x4xf32>) -> tensor<8x4xf32>

After `pack_greedily %r matmul_packed_sizes = [4, 2, 3]
matmul_inner_dims_order = [1, 2, 0]`:
    %t = linalg.generic ... over (k, m, n, tile of k, tile of m, tile of n)
        ins(%p, %q : tensor<2x2x3x4xf32>, tensor<2x2x3x2xf32>)
        outs(%s : tensor<2x2x4x2xf32>) -> tensor<2x2x4x2xf32>

The last loops of m, n and k that index operands alone are packed. They become the
innermost loops, in the order given, and so do the dimensions of the tiles. Where a size
is 0, `matmul_padded_sizes_next_multiple_of` makes the whole dimension one tile, rounded
up to a multiple. An op in which no product is found stays as it is.

Requires: for each of m, n and k either a packed size or a multiple.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseArrayBase, i64
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import AffineBinaryOpKind, AffineExpr
from xdsl.irdl import (
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.dialects.linalg import StructuredOp
from tilewright.ir.indexing.semi_affine import binary
from tilewright.ir.structured.contractions import embedded_contraction
from tilewright.transforms.core.base import TransformOpHandleType
from tilewright.transforms.core.extents import Extent, OpList, evaluate
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.core.sizes import parse_sizes, print_sizes, resolve_sizes
from tilewright.transforms.core.state import TransformState
from tilewright.transforms.core.syntax import parse_signature, print_signature
from tilewright.transforms.core.target_op import PlannedOp
from tilewright.transforms.structured.pack.layouts import is_permutation
from tilewright.transforms.structured.pack.packing import (
    Packing,
    changed_by_padding,
    rewrite,
    why_not,
)
from tilewright.transforms.structured.tile.one_tile import loop_ranges

_NONE = DenseArrayBase.from_list(i64, [])
_SIZES = "matmul_packed_sizes"
_MULTIPLES = "matmul_padded_sizes_next_multiple_of"
_ORDER = "matmul_inner_dims_order"


@dataclass(frozen=True)
class Plan:
    """A structured op with the product found in it."""

    op: StructuredOp
    order: tuple[int, ...]
    """All loops, the packed ones last."""
    sizes: tuple[int, int, int]
    """Packed sizes of the last three loops; 0: see `multiples`."""
    multiples: tuple[int, int, int]


@irdl_op_definition
class PackGreedilyOp(PlannedOp):
    """Pack products; consumes the target, returns the packed ops and the others."""

    name = "transform.structured.pack_greedily"

    target = operand_def(TransformOpHandleType)
    matmul_packed_sizes = var_operand_def()
    static_matmul_packed_sizes = prop_def(
        DenseArrayBase.constr(i64), default_value=_NONE
    )
    matmul_padded_sizes_next_multiple_of = prop_def(
        DenseArrayBase.constr(i64), default_value=_NONE
    )
    matmul_inner_dims_order = prop_def(DenseArrayBase.constr(i64), default_value=_NONE)
    packed_op = result_def(TransformOpHandleType)

    irdl_options = (ParsePropInAttrDict(),)

    @classmethod
    def parse(cls, parser: Parser) -> PackGreedilyOp:
        """`%h matmul_packed_sizes = [...] matmul_inner_dims_order = [...] : ...`."""
        target = parser.parse_unresolved_operand()
        properties: dict[str, Attribute] = {}
        dynamic = []
        while True:
            word = parser.parse_optional_keyword
            if word(_SIZES) is not None:
                parser.parse_punctuation("=")
                dynamic, static = parse_sizes(parser)
                properties[f"static_{_SIZES}"] = DenseArrayBase.from_list(i64, static)
            elif word(_MULTIPLES) is not None:
                properties[_MULTIPLES] = _numbers(parser)
            elif word(_ORDER) is not None:
                properties[_ORDER] = _numbers(parser)
            else:
                break
        attributes = parser.parse_optional_attr_dict()
        operands, types = parse_signature(parser, [target, *dynamic])
        op = cls.build(
            operands=[operands[0], operands[1:]],
            result_types=types,
            properties=properties,
        )
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """Print the upstream syntax."""
        printer.print_string(" ")
        printer.print_ssa_value(self.target)
        printer.print_string(f" {_SIZES} = ")
        print_sizes(printer, self.static_matmul_packed_sizes, self.matmul_packed_sizes)
        for word in (_MULTIPLES, _ORDER):
            numbers = cast(Any, self.properties.get(word, _NONE))
            if len(numbers):
                printer.print_string(f" {word} = {list(numbers.get_values())}")
        print_signature(printer, self)

    def consumed_handles(self) -> Sequence[SSAValue]:
        """The result stands for what the target pointed at."""
        return (self.target,)

    def verify_(self) -> None:
        """Three sizes, no or three multiples, and an order of three."""
        order = self.matmul_inner_dims_order.get_values()
        sizes = self.static_matmul_packed_sizes.get_values()
        multiples = self.matmul_padded_sizes_next_multiple_of.get_values()
        for word, numbers in ((_SIZES, sizes), (_ORDER, order)):
            if len(numbers) != 3:
                raise VerifyException(f"expected 3 numbers in {word}")
        if len(multiples) not in (0, 3):
            raise VerifyException(f"expected 0 or 3 numbers in {_MULTIPLES}")
        if not is_permutation(order, 3):
            raise VerifyException(f"{_ORDER} is not a valid permutation")
        if any(a and b for a, b in zip(sizes, multiples, strict=False)):
            raise VerifyException(
                "at most one of the packed_size and the padded_sizes_next_multiple_of "
                "can be nonzero for the matmul strategy"
            )

    def plans(self, state: TransformState) -> Sequence[Plan | Operation]:
        """A plan for each structured op; one without a product is returned as it is."""
        sizes = resolve_sizes(
            self, state, self.static_matmul_packed_sizes, self.matmul_packed_sizes
        )
        multiples = self.matmul_padded_sizes_next_multiple_of.get_values() or (0, 0, 0)
        order = self.matmul_inner_dims_order.get_values()
        return [
            _plan(op, sizes, tuple(multiples), tuple(order)) or op
            for op in state.payload_ops(self.target)
            if isinstance(op, StructuredOp)
        ]

    def rewrite(self, plan: Plan | Operation, rewriter: Rewriter) -> Operation:
        """Pack one op."""
        if isinstance(plan, Operation):
            return plan
        new = OpList()
        packing = Packing(plan.op, plan.order, _tiles(plan, new))
        return rewrite(packing, new, rewriter).op


def _numbers(parser: Parser) -> DenseArrayBase:
    parser.parse_punctuation("=")
    numbers = parser.parse_comma_separated_list(
        Parser.Delimiter.SQUARE, parser.parse_integer
    )
    return DenseArrayBase.from_list(i64, numbers)


def _plan(
    op: StructuredOp,
    sizes: Sequence[int],
    multiples: Sequence[int],
    inner_order: Sequence[int],
) -> Plan | None:
    """Find m, n and k in an op; None where they are not there, or cannot be packed."""
    dims = embedded_contraction(op)
    if op.get_num_loops() <= 2 or dims is None or not dims.m or not dims.n:
        return None
    product = (dims.m[-1], dims.n[-1], dims.k[-1])
    last = [0, 0, 0]
    of_last, multiple_of_last = [0, 0, 0], [0, 0, 0]
    for number, position in enumerate(inner_order):
        last[position] = product[number]
        of_last[position] = sizes[number]
        multiple_of_last[position] = multiples[number]
    others = [loop for loop in range(op.get_num_loops()) if loop not in product]
    plan = Plan(
        op,
        (*others, *last),
        (of_last[0], of_last[1], of_last[2]),
        (multiple_of_last[0], multiple_of_last[1], multiple_of_last[2]),
    )
    ranges = op.get_static_loop_ranges()
    known: list[Extent] = [0] * len(others)
    for loop, size, multiple in zip(last, plan.sizes, plan.multiples, strict=True):
        known.append(size or multiple and _rounded(ranges[loop], multiple))
    packing = Packing(op, plan.order, tuple(known))
    if why_not(op, packing.order, packing.cut) is not None:
        return None
    return plan if changed_by_padding(packing) is None else None


def _rounded(extent: int, multiple: int) -> int:
    """A size for the analysis: what divides nothing, where the extent is not known."""
    return 1 << 62 if extent == DYNAMIC_INDEX else -(-extent // multiple) * multiple


def _tiles(plan: Plan, new: OpList) -> tuple[Extent, ...]:
    """The size of a tile for each loop."""
    ranges = loop_ranges(plan.op, new)
    tiles: list[Extent] = [0] * (len(plan.order) - 3)
    whole = AffineExpr.dimension(0)
    for loop, size, multiple in zip(
        plan.order[-3:], plan.sizes, plan.multiples, strict=True
    ):
        if not multiple:
            tiles.append(size)
            continue
        by = AffineExpr.constant(multiple)
        rounded = binary(AffineBinaryOpKind.CeilDiv, whole, by) * by
        tiles.append(evaluate(rounded, [ranges[loop]], new))
    return tuple(tiles)
