"""`transpose_matmul`: read one factor of a product from a transposed copy.

Before:
    %r = linalg.matmul ins(%a, %b : tensor<4x8xf16>, tensor<8x5xf16>) outs(%c : ...)

After `transpose_matmul %r <rhs>`:
    %e = tensor.empty() : tensor<5x8xf16>
    %t = linalg.transpose ins(%b : tensor<8x5xf16>) outs(%e : tensor<5x8xf16>)
        permutation = [1, 0]
    %r = linalg.matmul indexing_maps = [(m, n, k) -> (m, k), (m, n, k) -> (n, k), ...]
        ins(%a, %t : tensor<4x8xf16>, tensor<5x8xf16>) outs(%c : ...)

Requires: a `linalg.matmul`, `linalg.batch_matmul` or `linalg.contract` on tensors. A
factor that is read transposed already is read straight afterwards. Upstream has no
`linalg.contract` here: the loop that its factor is summed along comes last, behind the
others in their order.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.builtin import AffineMapAttr, ArrayAttr, IntegerAttr, i32
from xdsl.ir import Operation
from xdsl.ir.affine import AffineMap
from xdsl.irdl import irdl_op_definition, prop_def, result_def
from xdsl.parser import Parser
from xdsl.printer import Printer

from tilewright.ir.dialects.linalg import (
    BatchMatmulOp,
    ContractOp,
    MatmulOp,
    TransposeOp,
)
from tilewright.ir.types import element_type, is_tensor
from tilewright.transforms.core.base import TransformOpHandleType
from tilewright.transforms.core.extents import OpList, dim_size
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.core.syntax import parse_signature, print_signature
from tilewright.transforms.core.target_op import TargetOp
from tilewright.transforms.structured.new_ops import empty

SIDES = ("lhs", "rhs")


@irdl_op_definition
class TransposeMatmulOp(TargetOp):
    """Transpose a factor; consumes the target, returns the new product."""

    name = "transform.structured.transpose_matmul"

    side = prop_def(
        IntegerAttr[i32],
        prop_name="inputToTranspose",
        default_value=IntegerAttr(0, i32),
    )
    transformed = result_def(TransformOpHandleType)

    @classmethod
    def parse(cls, parser: Parser) -> TransposeMatmulOp:
        """`%h [<lhs>|<rhs>] : (type) -> type`."""
        target = parser.parse_unresolved_operand()
        side = "lhs"
        if parser.parse_optional_punctuation("<"):
            side = parser.parse_identifier()
            if side not in SIDES:
                parser.raise_error("expected lhs or rhs")
            parser.parse_punctuation(">")
        attributes = parser.parse_optional_attr_dict()
        operands, types = parse_signature(parser, [target])
        op = cls.build(
            operands=operands,
            result_types=types,
            properties={"inputToTranspose": IntegerAttr(SIDES.index(side), i32)},
        )
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """Print the upstream syntax."""
        printer.print_string(" ")
        printer.print_ssa_value(self.target)
        if side := self.side.value.data:
            printer.print_string(f"<{SIDES[side]}>")
        print_signature(printer, self)

    def analyze(self, op: Operation) -> Plan:
        """Check that `op` is a product that can read a factor the other way round."""
        if not isinstance(op, MatmulOp | BatchMatmulOp | ContractOp):
            raise self.refuse(
                f"'{op.name}' is neither linalg.matmul, linalg.batch_matmul nor "
                "linalg.contract",
                op,
            )
        side = self.side.value.data
        if not is_tensor(op.inputs[side].type):
            raise self.refuse(
                "the op works on buffers", op, "transpose, then bufferize"
            )
        if isinstance(op, ContractOp):
            return Plan(op, side, self._sum_last(op, side))
        rank = len(op.maps[side].results)
        order = [*range(rank - 2), rank - 1, rank - 2]
        plan = Plan(op, side, tuple(order))
        if rank < 2 or plan.map not in op.CONTRACTION.maps[side]:
            raise self.refuse(
                f"the {SIDES[side]} is broadcast: it has no two dimensions to exchange",
                op,
            )
        return plan

    def _sum_last(self, op: ContractOp, side: int) -> tuple[int, ...]:
        """The dimensions of a factor with the one that is summed along behind."""
        kept = op.maps[-1].used_dims()
        loops = [result.used_dims() for result in op.maps[side].results]
        summed = [dim for dim, used in enumerate(loops) if not used <= kept]
        if len(summed) != 1 or summed[0] == len(loops) - 1:
            raise self.refuse(
                f"the {SIDES[side]} is not summed along one dimension before its last",
                op,
            )
        return (*(dim for dim in range(len(loops)) if dim not in summed), *summed)

    def rewrite(self, plan: Plan, rewriter: Rewriter) -> Operation:
        """Insert the transposition and let the product read it."""
        op, new = plan.op, OpList()
        factor = op.inputs[plan.side]
        shape = [dim_size(factor, dim, new) for dim in plan.order]
        destination = empty(shape, element_type(factor.type), new)
        transposed = new.add(TransposeOp(factor, destination, plan.order))
        inputs = list(op.inputs)
        inputs[plan.side] = transposed
        maps = [AffineMapAttr(map_) for map_ in op.maps]
        maps[plan.side] = AffineMapAttr(plan.map)
        product = type(op)(inputs, list(op.outputs), ArrayAttr(maps), op.cast)
        product.attributes |= op.attributes
        new.ops.append(product)
        for new_op in new.ops:
            new_op.location = op.location
        rewriter.insert_before(op, *new.ops)
        rewriter.replace(op, product.results, stands_for=product)
        return product


@dataclass(frozen=True)
class Plan:
    """A product, which factor is transposed, and how it is read then."""

    op: MatmulOp | BatchMatmulOp | ContractOp
    side: int
    order: tuple[int, ...]
    """The dimensions of the factor, as its copy has them."""

    @property
    def map(self) -> AffineMap:
        """The map by which the product reads the copy."""
        old = self.op.maps[self.side]
        return AffineMap(old.num_dims, 0, tuple(old.results[d] for d in self.order))
