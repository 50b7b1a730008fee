"""`vectorize`: turn a structured op on tensors into reads, vector ops and writes.

Before:
    %r = linalg.generic {...} ins(%x : tensor<30xf32>) outs(%o : tensor<30xf32>) {
      ^bb0(%a: f32, %b: f32):
        %m = arith.maximumf %a, %zero : f32
        linalg.yield %m : f32 } -> tensor<30xf32>

After `vectorize %g vector_sizes [32]`:
    %k = vector.create_mask %c30 : vector<32xi1>
    %v = vector.mask %k { vector.transfer_read %x[%c0], %poison ... }
    %m = arith.maximumf %v, %zeros : vector<32xf32>
    %r = vector.mask %k { vector.transfer_write %m, %o[%c0] ... }

Requires: element-wise arithmetic and reductions with a known combiner in the body;
indexing maps that pick distinct loops, or the constant 0; vector sizes that cover their
loops, by a bound known now. Where a size equals its loop there is no mask.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from xdsl.dialects import arith, math, ub
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    ArrayAttr,
    BoolAttr,
    DenseArrayBase,
    FloatAttr,
    IntegerAttr,
    VectorType,
    i1,
    i64,
)
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineExpr, AffineMap
from xdsl.irdl import irdl_op_definition, operand_def, prop_def, var_operand_def
from xdsl.parser import Parser
from xdsl.printer import Printer

from tilewright.ir.dialects.arith import SelectOp
from tilewright.ir.dialects.linalg import StructuredOp, YieldOp
from tilewright.ir.dialects.vector import (
    BroadcastOp,
    CombiningKindAttr,
    CombiningKindFlag,
    CreateMaskOp,
    ExtractOp,
    MaskOp,
    MultiReductionOp,
    TransferReadOp,
    TransferWriteOp,
)
from tilewright.ir.types import is_tensor, tensor_type
from tilewright.transforms.base import TransformOp, TransformOpHandleType
from tilewright.transforms.cleanup.patterns.constants import splat
from tilewright.transforms.rewriter import Rewriter
from tilewright.transforms.sizes import parse_sizes, print_sizes, resolve_sizes
from tilewright.transforms.state import TransformState
from tilewright.transforms.structured.extents import Extent, OpList, upper_bound
from tilewright.transforms.structured.tiling import (
    is_reduction,
    known_ranges,
    loop_ranges,
    maps_of,
)

COMBINERS: dict[type[Operation], CombiningKindFlag] = {
    arith.AddfOp: CombiningKindFlag.ADD,
    arith.AddiOp: CombiningKindFlag.ADD,
    arith.MulfOp: CombiningKindFlag.MUL,
    arith.MuliOp: CombiningKindFlag.MUL,
    arith.MaximumfOp: CombiningKindFlag.MAXIMUMF,
    arith.MinimumfOp: CombiningKindFlag.MINIMUMF,
    arith.MaxnumfOp: CombiningKindFlag.MAXNUMF,
    arith.MinnumfOp: CombiningKindFlag.MINNUMF,
}
"""Scalar ops that may combine a reduction, and what they are called on vectors."""


@irdl_op_definition
class VectorizeOp(TransformOp):
    """Vectorize structured ops; consumes the target."""

    name = "transform.structured.vectorize"
    VERB: ClassVar[str | None] = "vectorize"

    target = operand_def(TransformOpHandleType)
    vector_sizes = var_operand_def()
    static_vector_sizes = prop_def(
        DenseArrayBase.constr(i64), default_value=DenseArrayBase.from_list(i64, [])
    )

    def __init__(self, target: SSAValue, vector_sizes: Sequence[SSAValue | int] = ()):
        static = [s if isinstance(s, int) else DYNAMIC_INDEX for s in vector_sizes]
        super().__init__(
            operands=[target, [s for s in vector_sizes if isinstance(s, SSAValue)]],
            properties={"static_vector_sizes": DenseArrayBase.from_list(i64, static)},
        )

    def consumed_handles(self) -> Sequence[SSAValue]:
        """The structured op is gone."""
        return (self.target,)

    def apply(self, state: TransformState) -> None:
        """Vectorize each op the target points at."""
        sizes = resolve_sizes(self, state, self.static_vector_sizes, self.vector_sizes)
        plans = [analyze(self, op, sizes) for op in state.payload_ops(self.target)]
        for plan in plans:
            rewrite(plan, state.rewriter)

    @classmethod
    def parse(cls, parser: Parser) -> VectorizeOp:
        """`%h [vector_sizes [..]] : type, types`."""
        pos = parser.pos
        target = parser.parse_unresolved_operand()
        dynamic, static = [], list[int]()
        if parser.parse_optional_keyword("vector_sizes"):
            dynamic, static = parse_sizes(parser)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        types = parser.parse_comma_separated_list(
            Parser.Delimiter.NONE, parser.parse_type
        )
        operands = parser.resolve_operands([target, *dynamic], types, pos)
        op = cls.build(
            operands=[operands[0], operands[1:]],
            properties={"static_vector_sizes": DenseArrayBase.from_list(i64, static)},
        )
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """The upstream form."""
        printer.print_string(" ")
        printer.print_ssa_value(self.target)
        if len(self.static_vector_sizes):
            printer.print_string(" vector_sizes ")
            print_sizes(printer, self.static_vector_sizes, self.vector_sizes)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_list([o.type for o in self.operands], printer.print_attribute)


@dataclass(frozen=True)
class Plan:
    """A structured op, and the vector size that covers each loop."""

    op: StructuredOp
    vector_sizes: tuple[int, ...]
    reductions: tuple[CombiningKindFlag | None, ...]
    """Per result: how it is reduced, or None where it is not."""


def analyze(user: TransformOp, op: Operation, sizes: Sequence[int]) -> Plan:
    """Check that `op` can be vectorized to `sizes`, and plan it."""
    if not isinstance(op, StructuredOp):
        raise user.refuse(
            f"'{op.name}' is not a structured op", op, "match a linalg op"
        )
    if len(op.results) != len(op.outputs):
        raise user.refuse("the op works on buffers", op, "vectorize, then bufferize")
    if not all(_is_projected_permutation(map_) for map_ in maps_of(op)):
        raise user.refuse("an indexing map is not a projection of distinct loops", op)
    ranges = known_ranges(op)
    if sizes and len(sizes) != len(ranges):
        raise user.refuse(
            f"{len(sizes)} vector sizes for an op with {len(ranges)} loops", op
        )
    covered: list[int] = []
    for loop, extent in enumerate(ranges):
        if sizes:
            covered.append(_covering(user, op, loop, extent, sizes[loop]))
        elif isinstance(extent, int):
            covered.append(_covering(user, op, loop, extent, extent))
        else:
            raise user.refuse(
                f"loop {loop} has an extent known only at run time",
                op,
                "give vector_sizes",
            )
    for nested in op.body.walk():
        if not _is_elementwise(nested) and not isinstance(nested, YieldOp):
            raise user.refuse(f"'{nested.name}' in the body is not element-wise", op)
    reductions = [_combiner(user, op, index) for index in range(len(op.outputs))]
    return Plan(op, tuple(covered), tuple(reductions))


def _covering(
    user: TransformOp, op: Operation, loop: int, extent: Extent | None, size: int
) -> int:
    """The vector size of a loop, which must hold every element the loop may have."""
    bound = None if extent is None else upper_bound(extent)
    if bound is None:
        raise user.refuse(
            f"nothing bounds the extent of loop {loop}, vector size {size} may not "
            f"cover it",
            op,
            f"tile the loop by {size} first",
        )
    if size < 1 or bound > size:
        raise user.refuse(
            f"vector size {size} does not cover loop {loop} of extent {bound}",
            op,
            f"tile the loop to at most {size}, or use a larger vector size",
        )
    return size


def rewrite(plan: Plan, rewriter: Rewriter) -> None:
    """Replace the op by vector code."""
    op = plan.op
    maps = maps_of(op)
    code = _Vectorizer(plan)
    for arg, operand, map_ in zip(op.body.block.args, op.operands, maps, strict=True):
        if arg.uses.get_length():
            is_output = arg.index >= len(op.inputs)
            code.vectors[arg] = code.read(operand, map_, is_output)
    for scalar in op.body.block.ops:
        if isinstance(scalar, YieldOp):
            break
        code.convert(scalar)
    results: list[SSAValue] = []
    terminator = op.body.block.last_op
    assert isinstance(terminator, YieldOp)
    for index, value in enumerate(terminator.operands):
        map_ = maps[len(op.inputs) + index]
        vector = code.vector_of(value, code.loops_of_output(map_))
        results.append(code.write(vector, op.outputs[index], map_))
    for new_op in code.new.ops:
        new_op.location = op.location
    rewriter.insert_before(op, *code.new.ops)
    rewriter.replace(op, results)


class _Vectorizer:
    """The vector code of one structured op, while it is being written."""

    def __init__(self, plan: Plan):
        self.plan = plan
        self.new = OpList()
        self.ranges = loop_ranges(plan.op, self.new)
        self.vectors: dict[SSAValue, SSAValue] = {}
        self.zero = self.new.index(0)
        self.masks: dict[tuple[tuple[Extent, int], ...], SSAValue] = {}
        self.all_loops = tuple(range(len(self.ranges)))

    def loops_of_output(self, map_: AffineMap) -> tuple[int, ...]:
        """The loops a result keeps, in loop order."""
        return tuple(sorted(_dims(map_)))

    def shape(self, loops: Sequence[int]) -> list[int]:
        """The vector shape over some loops."""
        return [self.plan.vector_sizes[loop] for loop in loops]

    def mask(self, loops: Sequence[int]) -> SSAValue | None:
        """A mask over loops; None where nothing is partial."""
        extents = [(self.ranges[i], self.plan.vector_sizes[i]) for i in loops]
        if all(extent == size for extent, size in extents):
            return None
        key = tuple(extents)
        if key not in self.masks:
            sizes: list[Operation | SSAValue] = [
                self.new.index(extent) for extent, _ in extents
            ]
            kind = VectorType(i1, [size for _, size in extents])
            self.masks[key] = self.new.add(CreateMaskOp(sizes, kind))
        return self.masks[key]

    def under(self, mask: SSAValue | None, op: Operation) -> SSAValue:
        """Add an op, under a mask where there is one."""
        return self.new.add(op if mask is None else MaskOp(mask, op))

    def read(self, operand: SSAValue, map_: AffineMap, is_output: bool) -> SSAValue:
        """Read an operand as a vector over the loops; scalars are spread."""
        loops = self.loops_of_output(map_) if is_output else self.all_loops
        if not is_tensor(operand.type):
            return self.splat(operand, self.shape(loops))
        element = tensor_type(operand).element_type
        padding = self.new.add(
            ub.PoisonOp.create(
                result_types=[element], properties={"value": ub.PoisonAttr()}
            )
        )
        read = TransferReadOp(
            operand,
            [self.zero] * len(map_.results),
            padding,
            VectorType(element, self.shape(loops)),
            _all_true(len(loops)),
            AffineMapAttr(_permutation(map_, loops)),
        )
        return self.under(self.mask(_dims(map_)), read)

    def write(self, vector: SSAValue, target: SSAValue, map_: AffineMap) -> SSAValue:
        """Write a vector into a result's destination."""
        loops = self.loops_of_output(map_)
        write = TransferWriteOp(
            vector,
            target,
            [self.zero] * len(map_.results),
            _all_true(len(loops)),
            permutation_map=AffineMapAttr(_permutation(map_, loops)),
            result_type=tensor_type(target),
        )
        return self.under(self.mask(_dims(map_)), write)

    def splat(self, scalar: SSAValue, shape: Sequence[int]) -> SSAValue:
        """A scalar in every lane; a constant becomes a dense constant."""
        type_ = VectorType(scalar.type, shape)
        if isinstance(scalar.owner, arith.ConstantOp) and isinstance(
            scalar.owner.value, IntegerAttr | FloatAttr
        ):
            return self.new.add(arith.ConstantOp(splat(scalar.owner.value, type_)))
        return self.new.add(BroadcastOp(scalar, type_))

    def vector_of(self, value: SSAValue, loops: Sequence[int]) -> SSAValue:
        """The vector that stands for a scalar of the body."""
        if value in self.vectors:
            return self.vectors[value]
        return self.splat(value, self.shape(loops))

    def convert(self, scalar: Operation) -> None:
        """Write the vector form of one scalar op of the body."""
        if isinstance(scalar, arith.ConstantOp):
            self.vectors[scalar.result] = self.splat(
                scalar.result, self.shape(self.all_loops)
            )
            return
        reduced = self._reduced_result(scalar)
        if reduced is not None:
            self._reduce(scalar, reduced)
            return
        operands = [self.vector_of(v, self.all_loops) for v in scalar.operands]
        shape = self.shape(self.all_loops)
        kind = type(scalar)
        vector = kind.create(
            operands=operands,
            result_types=[VectorType(r.type, shape) for r in scalar.results],
            properties=scalar.properties.copy(),
            attributes=scalar.attributes.copy(),
        )
        self.vectors[scalar.results[0]] = self.new.add(vector)

    def _reduced_result(self, scalar: Operation) -> int | None:
        terminator = self.plan.op.body.block.last_op
        assert terminator is not None
        for index, kind in enumerate(self.plan.reductions):
            if kind is not None and terminator.operands[index].owner is scalar:
                return index
        return None

    def _reduce(self, scalar: Operation, index: int) -> None:
        op = self.plan.op
        kind = self.plan.reductions[index]
        assert kind is not None
        accumulator = op.body.block.args[len(op.inputs) + index]
        value = next(v for v in scalar.operands if v is not accumulator)
        reduced = [loop for loop in self.all_loops if is_reduction(op, loop)]
        start = self.vectors[accumulator]
        to_scalar = len(reduced) == len(self.all_loops)
        if to_scalar:  # a reduction to nothing is a scalar, memory has vector<f32>
            start = self.new.add(ExtractOp(start, []))
        reduction = MultiReductionOp(
            CombiningKindAttr(kind),
            self.vector_of(value, self.all_loops),
            start,
            reduced,
        )
        total = self.under(self.mask(self.all_loops), reduction)
        if to_scalar:
            total = self.new.add(BroadcastOp(total, VectorType(total.type, [])))
        self.vectors[scalar.results[0]] = total


def _combiner(
    user: TransformOp, op: StructuredOp, index: int
) -> CombiningKindFlag | None:
    """How result `index` is reduced; None where it keeps every loop."""
    map_ = maps_of(op)[len(op.inputs) + index]
    if len(_dims(map_)) == map_.num_dims:
        return None
    terminator = op.body.block.last_op
    assert terminator is not None
    combiner = terminator.operands[index].owner
    accumulator = op.body.block.args[len(op.inputs) + index]
    if (
        isinstance(combiner, Operation)
        and type(combiner) in COMBINERS
        and list(combiner.operands).count(accumulator) == 1
        and accumulator.uses.get_length() == 1
    ):
        return COMBINERS[type(combiner)]
    raise user.refuse(
        f"result {index} is reduced in a way that has no vector form",
        op,
        "use one of addf, mulf, maximumf, minimumf, maxnumf, minnumf to combine",
    )


def _is_elementwise(op: Operation) -> bool:
    if isinstance(op, SelectOp):
        return True
    dialect = op.name.split(".", 1)[0]
    return dialect in (arith.Arith.name, math.Math.name) and len(op.results) == 1


def _dims(map_: AffineMap) -> list[int]:
    """The loops behind the dimensions of an operand; one indexed by 0 has none."""
    return [e.position for e in map_.results if isinstance(e, AffineDimExpr)]


def _is_projected_permutation(map_: AffineMap) -> bool:
    """Whether a map picks distinct loops, besides the constant 0."""
    others = [e for e in map_.results if not isinstance(e, AffineDimExpr)]
    return len(set(_dims(map_))) == len(_dims(map_)) and all(
        isinstance(e, AffineConstantExpr) and e.value == 0 for e in others
    )


def _permutation(map_: AffineMap, loops: Sequence[int]) -> AffineMap:
    """From an operand's dimensions to a vector over `loops`; others broadcast."""
    position = {
        expr.position: AffineExpr.dimension(dim)
        for dim, expr in enumerate(map_.results)
        if isinstance(expr, AffineDimExpr)
    }
    results = tuple(position.get(loop, AffineExpr.constant(0)) for loop in loops)
    return AffineMap(len(map_.results), 0, results)


def _all_true(count: int) -> ArrayAttr[BoolAttr]:
    return ArrayAttr([BoolAttr.from_bool(True)] * count)
