"""Sums of products: `linalg.matmul` and its relatives, and `linalg.contract`.

Operands are converted to the accumulator's type first; the sum is `acc + a * b`.
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from xdsl.dialects.builtin import AffineMapAttr, AnyFloat, ArrayAttr, i1
from xdsl.ir import Attribute, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineExpr, AffineMap
from xdsl.irdl import irdl_op_definition, opt_prop_def, prop_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.dialects.linalg.attributes import IteratorTypeAttr, TypeFnAttr
from tilewright.ir.dialects.linalg.loops import iterators, maps_attribute
from tilewright.ir.dialects.linalg.named import NamedOp, Properties
from tilewright.ir.dialects.linalg.ops.elementwise import is_unsigned
from tilewright.ir.dialects.linalg.scalars import Body
from tilewright.ir.dialects.linalg.syntax import parse_maps


class ContractionOp(NamedOp, ABC):
    """`acc + a * b` over two inputs and an output."""

    @classmethod
    def arity(cls, properties: Properties) -> int:
        """Two factors."""
        return 2

    @classmethod
    def scalar(cls, body: Body, properties: Properties) -> SSAValue:
        """The sum of the accumulator and the product of the converted factors."""
        return sum_of_products(body, properties)


def sum_of_products(body: Body, properties: Properties) -> SSAValue:
    """The accumulator plus the product of the two converted inputs of a body.

    Two inputs more are the zero points that are taken from the factors.
    """
    *inputs, accumulator = body.args
    unsigned = is_unsigned(properties)

    def converted(arg: SSAValue) -> SSAValue:
        return body.convert(arg, accumulator.type, unsigned=unsigned)

    factors: list[SSAValue] = []
    for position in range(2):
        factor = converted(inputs[position])
        if len(inputs) == 4:
            is_float = isinstance(accumulator.type, AnyFloat)
            zero_point = converted(inputs[2 + position])
            name = "arith.subf" if is_float else "arith.subi"
            factor = body.add(name, factor, zero_point)
        factors.append(factor)
    add, multiply = _ops_on(accumulator.type)
    return body.add(add, accumulator, body.add(multiply, *factors))


def _ops_on(element: Attribute) -> tuple[str, str]:
    """The sum and the product of an element type."""
    if isinstance(element, AnyFloat):
        return "arith.addf", "arith.mulf"
    if element == i1:
        return "arith.ori", "arith.andi"
    return "arith.addi", "arith.muli"


@dataclass(frozen=True)
class Contraction:
    """The loops of a contraction as letters, and its maps as words of them."""

    loops: str
    reduced: str
    operands: tuple[str, str, str]
    """For each operand the maps that it may have, as words; the usual one first."""

    @cached_property
    def maps(self) -> tuple[tuple[AffineMap, ...], ...]:
        """The maps that each operand may have."""
        return tuple(tuple(map(self._map, words.split(","))) for words in self.operands)

    @cached_property
    def usual_maps(self) -> ArrayAttr[AffineMapAttr]:
        """The maps where nothing is transposed or broadcast."""
        return maps_attribute([maps[0] for maps in self.maps])

    @cached_property
    def iterator_types(self) -> ArrayAttr[IteratorTypeAttr]:
        """Which loops are summed over."""
        reduced = tuple(self.loops.index(loop) for loop in self.reduced)
        return iterators(len(self.loops), reduced)

    def _map(self, word: str) -> AffineMap:
        results = tuple(AffineExpr.dimension(self.loops.index(loop)) for loop in word)
        return AffineMap(len(self.loops), 0, results)


class NamedContractionOp(ContractionOp, ABC):
    """A contraction with a name, which fixes its loops and usual maps."""

    CONTRACTION: ClassVar[Contraction]

    def get_indexing_maps(self) -> ArrayAttr[AffineMapAttr]:
        """The maps of A, B and C."""
        return self.CONTRACTION.usual_maps

    def get_iterator_types(self) -> ArrayAttr[IteratorTypeAttr]:
        """The iterator types of the contraction."""
        return self.CONTRACTION.iterator_types


class QuantizedContractionOp(NamedContractionOp, ABC):
    """A named contraction with two scalars more: the zero points of its factors."""

    @classmethod
    def arity(cls, properties: Properties) -> int:
        """Two factors and their zero points."""
        return 4

    def get_indexing_maps(self) -> ArrayAttr[AffineMapAttr]:
        """The maps of A, B and C; scalars have the empty map."""
        *factors, output = (maps[0] for maps in self.CONTRACTION.maps)
        scalar = AffineMap(output.num_dims, 0, ())
        return maps_attribute([*factors, scalar, scalar, output])


class MappedContractionOp(NamedContractionOp, ABC):
    """A named contraction with maps: operands may be transposed or broadcast."""

    cast = opt_prop_def(TypeFnAttr)
    indexing_maps = opt_prop_def(ArrayAttr[AffineMapAttr])

    def __init__(
        self,
        inputs: Sequence[SSAValue],
        outputs: Sequence[SSAValue],
        indexing_maps: ArrayAttr[AffineMapAttr] | None = None,
        cast: TypeFnAttr | None = None,
    ):
        maps = indexing_maps or self.CONTRACTION.usual_maps
        super().__init__(inputs, outputs, _with_cast(maps, cast))

    def get_indexing_maps(self) -> ArrayAttr[AffineMapAttr]:
        """The maps of the op's attribute."""
        return self.indexing_maps or self.CONTRACTION.usual_maps

    def verify_(self) -> None:
        """Each map is one that upstream knows to be a transposition or a broadcast."""
        super().verify_()
        for index, (map_, allowed) in enumerate(
            zip(self.maps, self.CONTRACTION.maps, strict=True)
        ):
            if map_ not in allowed:
                known = "; ".join(str(entry) for entry in allowed)
                raise VerifyException(
                    f"indexing_map #{index} is {map_}; expected one of {known}"
                )

    @classmethod
    def parse_leading(cls, parser: Parser) -> dict[str, Attribute]:
        """`[indexing_maps = [...]]`."""
        maps = parse_maps(parser) or cls.CONTRACTION.usual_maps
        return {"indexing_maps": maps}

    def print_leading(self, printer: Printer) -> Sequence[str]:
        """The maps, where they are not the usual ones."""
        maps = self.get_indexing_maps()
        if maps != self.CONTRACTION.usual_maps:
            printer.print_string(" indexing_maps = ")
            printer.print_attribute(maps)
        return ("indexing_maps",)


@irdl_op_definition
class MatmulOp(MappedContractionOp):
    """C[m, n] += A[m, k] * B[k, n]."""

    name = "linalg.matmul"
    CONTRACTION: ClassVar[Contraction] = Contraction(
        "mnk", "k", ("mk,km,k", "kn,nk,k", "mn,nm")
    )


@irdl_op_definition
class BatchMatmulOp(MappedContractionOp):
    """C[b, m, n] += A[b, m, k] * B[b, k, n]."""

    name = "linalg.batch_matmul"
    CONTRACTION: ClassVar[Contraction] = Contraction(
        "bmnk", "k", ("bmk,bkm,mk,bk,k", "bkn,bnk,kn,bk,k", "bmn")
    )


@irdl_op_definition
class BatchReduceMatmulOp(MappedContractionOp):
    """C[m, n] += A[b, m, k] * B[b, k, n]: the batch is summed over too."""

    name = "linalg.batch_reduce_matmul"
    CONTRACTION: ClassVar[Contraction] = Contraction(
        "bmnk", "bk", ("bmk,bkm,mk,bk,k", "bkn,bnk,kn,bk,k", "mn")
    )


@irdl_op_definition
class MatvecOp(NamedContractionOp):
    """y[m] += A[m, k] * x[k]."""

    name = "linalg.matvec"
    CONTRACTION: ClassVar[Contraction] = Contraction("mk", "k", ("mk", "k", "m"))


@irdl_op_definition
class VecmatOp(NamedContractionOp):
    """y[n] += x[k] * A[k, n]."""

    name = "linalg.vecmat"
    CONTRACTION: ClassVar[Contraction] = Contraction("nk", "k", ("k", "kn", "n"))


@irdl_op_definition
class BatchMatvecOp(NamedContractionOp):
    """y[b, m] += A[b, m, k] * x[b, k]."""

    name = "linalg.batch_matvec"
    CONTRACTION: ClassVar[Contraction] = Contraction("bmk", "k", ("bmk", "bk", "bm"))


@irdl_op_definition
class BatchVecmatOp(NamedContractionOp):
    """y[b, n] += x[b, k] * A[b, k, n]."""

    name = "linalg.batch_vecmat"
    CONTRACTION: ClassVar[Contraction] = Contraction("bnk", "k", ("bk", "bkn", "bn"))


@irdl_op_definition
class Mmt4dOp(NamedContractionOp):
    """C[m, n, i, j] += A[m, k, i, l] * B[n, k, j, l]: a product of packed factors."""

    name = "linalg.mmt4d"
    CONTRACTION: ClassVar[Contraction] = Contraction(
        "mnkijl", "kl", ("mkil", "nkjl", "mnij")
    )


@irdl_op_definition
class BatchMmt4dOp(NamedContractionOp):
    """The product of packed factors, for each b."""

    name = "linalg.batch_mmt4d"
    CONTRACTION: ClassVar[Contraction] = Contraction(
        "bmnkijl", "kl", ("bmkil", "bnkjl", "bmnij")
    )


@irdl_op_definition
class DotOp(NamedContractionOp):
    """s += x[k] * y[k]."""

    name = "linalg.dot"
    CONTRACTION: ClassVar[Contraction] = Contraction("k", "k", ("k", "k", ""))


@irdl_op_definition
class QuantizedMatmulOp(QuantizedContractionOp):
    """C[m, n] += (A[m, k] - a) * (B[k, n] - b)."""

    name = "linalg.quantized_matmul"
    CONTRACTION: ClassVar[Contraction] = Contraction("mnk", "k", ("mk", "kn", "mn"))


@irdl_op_definition
class QuantizedBatchMatmulOp(QuantizedContractionOp):
    """C[b, m, n] += (A[b, m, k] - a) * (B[b, k, n] - b)."""

    name = "linalg.quantized_batch_matmul"
    CONTRACTION: ClassVar[Contraction] = Contraction("bmnk", "k", ("bmk", "bkn", "bmn"))


@irdl_op_definition
class ContractOp(ContractionOp):
    """Any contraction of two operands, described by its maps."""

    name = "linalg.contract"

    cast = opt_prop_def(TypeFnAttr)
    indexing_maps = prop_def(ArrayAttr[AffineMapAttr])

    def __init__(
        self,
        inputs: Sequence[SSAValue],
        outputs: Sequence[SSAValue],
        indexing_maps: ArrayAttr[AffineMapAttr],
        cast: TypeFnAttr | None = None,
    ):
        super().__init__(inputs, outputs, _with_cast(indexing_maps, cast))

    def get_indexing_maps(self) -> ArrayAttr[AffineMapAttr]:
        """The maps of the op's attribute."""
        return self.indexing_maps

    def get_iterator_types(self) -> ArrayAttr[IteratorTypeAttr]:
        """A loop that does not index the output is a reduction."""
        output = self.maps[-1]
        kept = output.used_dims()
        reduced = tuple(loop for loop in range(output.num_dims) if loop not in kept)
        return iterators(output.num_dims, reduced)

    def verify_(self) -> None:
        """Both inputs have every reduction loop, and there is at least one."""
        self._verify_maps()
        super().verify_()

    def _verify_maps(self) -> None:
        maps = self.maps
        if len(maps) != 3:
            raise VerifyException(f"expected 3 indexing maps, got {len(maps)}")
        if len({map_.num_dims for map_ in maps}) != 1:
            raise VerifyException("iteration spaces of provided affine_maps differ")
        if not all(map(_is_projected_permutation, maps)):
            raise VerifyException("provided affine_map is not a projected permutation")
        lhs, rhs, output = (map_.used_dims() for map_ in maps)
        for loop in range(maps[0].num_dims):
            users = (loop in lhs) + (loop in rhs)
            if not users and loop not in output:
                raise VerifyException(
                    f"iteration space dim at index {loop} not used to access any "
                    "operand"
                )
            if users == 1 and loop not in output:
                raise VerifyException(
                    f"iteration space dim at index {loop} is neither a contracting dim "
                    "nor of parallel iteration type"
                )
        if not (lhs & rhs) - output:
            raise VerifyException(
                "'indexing_maps' do not specify a contracting dimension"
            )

    @classmethod
    def parse_leading(cls, parser: Parser) -> dict[str, Attribute]:
        """`indexing_maps = [...]`."""
        maps = parse_maps(parser)
        if maps is None:
            parser.raise_error("expected 'indexing_maps' attribute")
        return {"indexing_maps": maps}

    def print_leading(self, printer: Printer) -> Sequence[str]:
        """The maps."""
        printer.print_string(" indexing_maps = ")
        printer.print_attribute(self.indexing_maps)
        return ("indexing_maps",)


def _with_cast(
    maps: ArrayAttr[AffineMapAttr], cast: TypeFnAttr | None
) -> dict[str, Attribute]:
    given: dict[str, Attribute] = {"indexing_maps": maps}
    return given if cast is None else given | {"cast": cast}


def _is_projected_permutation(map_: AffineMap) -> bool:
    dims = [expr for expr in map_.results if isinstance(expr, AffineDimExpr)]
    return len(set(dims)) == len(dims) == len(map_.results)
