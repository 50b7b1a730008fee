"""The kernel dialect: what a Triton program is made of, one op a Triton construct.

Scalars are i32 (i64 where a tensor is too large for that), tiles are vectors, tiles of
pointers are vectors of `!kernel.ptr`. Arithmetic is `arith` and `math`, loops are
`scf.for`; both need nothing of their own here. A module at this level holds one
`kernel.func` a kernel and one `func.func`, the launcher, of `memref.alloc` and
`kernel.launch`.

A kernel takes pointers and descriptors, then numbers known only when it is launched:
extents of buffers (`M`), and scalars of the payload. The launcher takes extents from
its arguments by `memref.dim`, computes with them by `affine.apply` and `arith`, and
states what they must be by `kernel.require`.

Sizes that the source shall mention by name (`M`, `BLOCK_M`) are the `constants` of a
`kernel.func`; `kernel.constexpr` reads one, `kernel.arange` and `kernel.full` may name
one as an extent.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    I64,
    ArrayAttr,
    DenseArrayBase,
    DictionaryAttr,
    Float32Type,
    Float64Type,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    StringAttr,
    SymbolNameConstraint,
    SymbolRefAttr,
    UnitAttr,
    VectorType,
    i1,
    i32,
    i64,
)
from xdsl.dialects.utils import DynamicIndexList, split_dynamic_index_list
from xdsl.dialects.vector import CombiningKindAttr
from xdsl.ir import (
    Attribute,
    Dialect,
    Operation,
    ParametrizedAttribute,
    Region,
    SSAValue,
    TypeAttribute,
)
from xdsl.irdl import (
    AnyAttr,
    AttrSizedOperandSegments,
    BaseAttr,
    EqAttrConstraint,
    IRDLOperation,
    VarConstraint,
    irdl_attr_definition,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    param_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import (
    IsolatedFromAbove,
    IsTerminator,
    MemoryReadEffect,
    MemoryWriteEffect,
    Pure,
    SymbolOpInterface,
)
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.dialects.kernel_host import (
    CopyWindowOp,
    EventType,
    LibraryOp,
    RecordOp,
    WaitOp,
)


@irdl_attr_definition
class PointerType(ParametrizedAttribute, TypeAttribute):
    """`!kernel.ptr<f16>`: a pointer into a buffer of that element type."""

    name = "kernel.ptr"

    pointee: Attribute = param_def()


@irdl_attr_definition
class DescriptorType(ParametrizedAttribute, TypeAttribute):
    """`!kernel.descriptor<vector<128x64xf16>>`: a buffer, accessed in blocks."""

    name = "kernel.descriptor"

    block: VectorType[Attribute] = param_def()


def tile_of(element: Attribute, shape: Sequence[int]) -> Attribute:
    """The type of a tile; a tile without dimensions is its element."""
    return VectorType(element, list(shape)) if shape else element


def shape_of(of: Attribute) -> tuple[int, ...]:
    """The shape of a tile; a scalar has none."""
    return of.get_shape() if isinstance(of, VectorType) else ()


def element_of(of: Attribute) -> Attribute:
    """The element type of a tile, or the scalar type itself."""
    return of.element_type if isinstance(of, VectorType) else of  # pyright: ignore


def is_number(of: Attribute) -> bool:
    """Whether a type is one that launches pass by value."""
    return isinstance(of, IntegerType | Float32Type | Float64Type)


@irdl_op_definition
class FuncOp(IRDLOperation):
    """One kernel: what a single program of the launch does."""

    name = "kernel.func"

    sym_name = prop_def(SymbolNameConstraint())
    constants = prop_def(DictionaryAttr)
    """Named sizes, in the order of the kernel's parameters."""
    tiles = prop_def(DenseArrayBase.constr(i64))
    """Extents of the tile grid, outermost first; some may be known at run time only."""
    group = prop_def(IntegerAttr[I64])
    body = region_def("single_block")

    traits = traits_def(SymbolOpInterface(), IsolatedFromAbove())

    def __init__(
        self,
        name: str,
        constants: Mapping[str, int],
        tiles: Sequence[int],
        group: int,
        body: Region,
    ):
        super().__init__(
            properties={
                "sym_name": StringAttr(name),
                "constants": DictionaryAttr(
                    {key: IntegerAttr(value, i64) for key, value in constants.items()}
                ),
                "tiles": DenseArrayBase.from_list(i64, tiles),
                "group": IntegerAttr(group, i64),
            },
            regions=[body],
        )

    @property
    def sizes(self) -> dict[str, int]:
        """The named sizes."""
        return {
            key: value.value.data
            for key, value in self.constants.data.items()
            if isinstance(value, IntegerAttr)
        }

    @property
    def tile_grid(self) -> tuple[int, ...]:
        """Extents of the tile grid, outermost first."""
        return tuple(int(extent) for extent in self.tiles.get_values())

    def verify_(self) -> None:
        """Parameters are pointers and descriptors, then numbers; a return ends it."""
        are_numbers = [
            not isinstance(argument.type, PointerType | DescriptorType)
            for argument in self.body.block.args
        ]
        if are_numbers != sorted(are_numbers):
            raise VerifyException("takes pointers and descriptors, then numbers")
        for argument in self.body.block.args:
            of = argument.type
            if not isinstance(of, PointerType | DescriptorType) and not is_number(of):
                raise VerifyException(f"cannot take an argument of type {of}")
        if not isinstance(self.body.block.last_op, ReturnOp):
            raise VerifyException("must end with kernel.return")
        sizes = self.sizes
        for op in self.body.walk():
            for name, value in named_sizes(op):
                if sizes.get(name) != value:
                    raise VerifyException(
                        f"'{op.name}' reads the constant {name} as {value}, "
                        f"it is {sizes.get(name)}"
                    )

    @classmethod
    def parse(cls, parser: Parser) -> FuncOp:
        """`@name(%a: type, ...) constants {...} tiles [...] group n { ... }`."""
        name = parser.parse_symbol_name()
        arguments = parser.parse_comma_separated_list(
            Parser.Delimiter.PAREN, lambda: parser.parse_argument(expect_type=True)
        )
        parser.parse_keyword("constants")
        constants = parser.parse_optional_attr_dict()
        parser.parse_keyword("tiles")
        tiles = parser.parse_comma_separated_list(
            Parser.Delimiter.SQUARE,
            lambda: (
                DYNAMIC_INDEX
                if parser.parse_optional_punctuation("?")
                else parser.parse_integer()
            ),
        )
        parser.parse_keyword("group")
        group = parser.parse_integer()
        body = parser.parse_region(arguments)
        sizes = {
            key: value.value.data
            for key, value in constants.items()
            if isinstance(value, IntegerAttr)
        }
        return cls(name.data, sizes, tiles, group, body)

    def print(self, printer: Printer) -> None:
        """`@name(%a: type, ...) constants {...} tiles [...] group n { ... }`."""
        printer.print_string(" ")
        printer.print_symbol_name(self.sym_name.data)
        with printer.in_parens():
            printer.print_list(self.body.block.args, printer.print_block_argument)
        printer.print_string(" constants ")
        printer.print_attr_dict(self.constants.data)
        tiles = ["?" if n == DYNAMIC_INDEX else str(n) for n in self.tile_grid]
        printer.print_string(f" tiles [{', '.join(tiles)}]")
        printer.print_string(f" group {self.group.value.data} ")
        printer.print_region(self.body, print_entry_block_args=False)


@irdl_op_definition
class ReturnOp(IRDLOperation):
    """The end of a program."""

    name = "kernel.return"

    traits = traits_def(IsTerminator())

    assembly_format = "attr-dict"


@irdl_op_definition
class LaunchOp(IRDLOperation):
    """Start a kernel on buffers; one taken as a descriptor is wrapped in it.

    The kernel's further parameters are numbers; an index has the width they ask for.
    """

    name = "kernel.launch"

    kernel = prop_def(SymbolRefAttr)
    buffers = var_operand_def(MemRefType)
    scalars = var_operand_def()
    counts = var_operand_def(IndexType)
    grid = prop_def(DenseArrayBase.constr(i64))
    """Programs along Triton's axes 0, 1, 2; `counts` has those that are computed."""
    persistent = opt_prop_def(IntegerAttr[I64])
    """At most so many programs a multiprocessor: they share the grid's work."""
    num_warps = prop_def(IntegerAttr[I64])
    num_stages = prop_def(IntegerAttr[I64])
    stream = opt_prop_def(IntegerAttr[I64])
    """A stream beside the caller's."""

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    custom_directives = (DynamicIndexList,)

    assembly_format = (
        "$kernel `(` $buffers `)` (`scalars` `(` $scalars^ `:` type($scalars) `)`)? "
        "`grid` custom<DynamicIndexList>($counts, $grid) (`persistent` $persistent^)? "
        "`warps` $num_warps `stages` $num_stages (`stream` $stream^)? attr-dict "
        "`:` type($buffers)"
    )

    def __init__(
        self,
        kernel: str,
        buffers: Sequence[SSAValue],
        grid: Sequence[SSAValue | int],
        num_warps: int,
        num_stages: int,
        persistent: int = 0,
        stream: int = 0,
        scalars: Sequence[SSAValue] = (),
    ):
        static, counts = split_dynamic_index_list(grid, DYNAMIC_INDEX)
        super().__init__(
            operands=[buffers, scalars, counts],
            properties={
                "kernel": SymbolRefAttr(kernel),
                "grid": DenseArrayBase.from_list(i64, static),
                "persistent": IntegerAttr(persistent, i64) if persistent else None,
                "num_warps": IntegerAttr(num_warps, i64),
                "num_stages": IntegerAttr(num_stages, i64),
                "stream": IntegerAttr(stream, i64) if stream else None,
            },
        )


@irdl_op_definition
class RequireOp(IRDLOperation):
    """Stop the launcher with a message, unless a condition on sizes holds.

    `{0}` and `{1}` in the message stand for the two numbers compared.
    """

    name = "kernel.require"

    predicate = prop_def(StringAttr)
    """One of le, ge, eq."""
    lhs = operand_def(IndexType)
    rhs = operand_def(IndexType)
    message = prop_def(StringAttr)

    # It has effects, so that nobody takes it away or moves a launch in front of it.
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    assembly_format = "$predicate $lhs `,` $rhs `,` $message attr-dict"

    def __init__(self, predicate: str, lhs: SSAValue, rhs: SSAValue, message: str):
        super().__init__(
            operands=[lhs, rhs],
            properties={
                "predicate": StringAttr(predicate),
                "message": StringAttr(message),
            },
        )

    def verify_(self) -> None:
        """A known predicate."""
        if self.predicate.data not in ("le", "ge", "eq"):
            raise VerifyException(f"unknown predicate '{self.predicate.data}'")


@irdl_op_definition
class ConstexprOp(IRDLOperation):
    """A named size of the kernel."""

    name = "kernel.constexpr"

    constant = prop_def(StringAttr)
    value = prop_def(IntegerAttr[I64])
    result = result_def(IntegerType)

    traits = traits_def(Pure())

    assembly_format = "$constant `=` $value attr-dict `:` type($result)"

    def __init__(self, name: str, value: int, of: IntegerType):
        super().__init__(
            properties={
                "constant": StringAttr(name),
                "value": IntegerAttr(value, i64),
            },
            result_types=[of],
        )


@irdl_op_definition
class ProgramIdOp(IRDLOperation):
    """The program's index along one of the launch grid's axes."""

    name = "kernel.program_id"

    axis = prop_def(IntegerAttr[I64])
    result = result_def(i32)

    traits = traits_def(Pure())

    assembly_format = "$axis attr-dict"

    def __init__(self, axis: int):
        super().__init__(
            properties={"axis": IntegerAttr(axis, i64)}, result_types=[i32]
        )


@irdl_op_definition
class NumProgramsOp(IRDLOperation):
    """How many programs were launched along one of the launch grid's axes."""

    name = "kernel.num_programs"

    axis = prop_def(IntegerAttr[I64])
    result = result_def(i32)

    traits = traits_def(Pure())

    assembly_format = "$axis attr-dict"

    def __init__(self, axis: int):
        super().__init__(
            properties={"axis": IntegerAttr(axis, i64)}, result_types=[i32]
        )


@irdl_op_definition
class GroupedTileOp(IRDLOperation):
    """Row and column of a tile whose linear index counts in groups of rows.

    The programs of a group walk down `group` rows of tiles before they move one column
    on, so that the tiles in flight share operands in the L2 cache.
    """

    name = "kernel.grouped_tile"

    T: ClassVar = VarConstraint("T", EqAttrConstraint(i32) | EqAttrConstraint(i64))
    program = operand_def(T)
    rows = operand_def(T)
    columns = operand_def(T)
    group = operand_def(T)
    row = result_def(T)
    column = result_def(T)

    traits = traits_def(Pure())

    assembly_format = (
        "$program `of` $rows `by` $columns `group` $group attr-dict `:` type($program)"
    )

    def __init__(
        self, program: SSAValue, rows: SSAValue, columns: SSAValue, group: SSAValue
    ):
        super().__init__(
            operands=[program, rows, columns, group],
            result_types=[program.type, program.type],
        )


@irdl_op_definition
class ArangeOp(IRDLOperation):
    """The numbers from 0 up to the tile's length."""

    name = "kernel.arange"

    length_name = opt_prop_def(StringAttr)
    result = result_def(VectorType)

    traits = traits_def(Pure())

    assembly_format = "($length_name^)? attr-dict `:` type($result)"

    def __init__(self, length: int, name: str | None = None):
        super().__init__(
            properties={"length_name": None if name is None else StringAttr(name)},
            result_types=[VectorType(i32, [length])],
        )


@irdl_op_definition
class FullOp(IRDLOperation):
    """A tile filled with one constant: where a loop's accumulator starts."""

    name = "kernel.full"

    value = prop_def(Attribute)
    extents = opt_prop_def(ArrayAttr[StringAttr])
    """Names of the extents; an empty one stands for the number itself."""
    result = result_def()

    traits = traits_def(Pure())

    assembly_format = "$value ($extents^)? attr-dict `:` type($result)"

    def __init__(self, value: Attribute, of: Attribute, extents: Sequence[str]):
        super().__init__(
            properties={
                "value": value,
                "extents": ArrayAttr([StringAttr(name) for name in extents]),
            },
            result_types=[of],
        )


@irdl_op_definition
class ExpandDimsOp(IRDLOperation):
    """Insert a dimension of size one: `x[:, None]`."""

    name = "kernel.expand_dims"

    source = operand_def(VectorType)
    axis = prop_def(IntegerAttr[I64])
    result = result_def(VectorType)

    traits = traits_def(Pure())

    assembly_format = (
        "$source `axis` $axis attr-dict `:` type($source) `to` type($result)"
    )

    def __init__(self, source: SSAValue, axis: int):
        shape = list(shape_of(source.type))
        shape.insert(axis, 1)
        super().__init__(
            operands=[source],
            properties={"axis": IntegerAttr(axis, i64)},
            result_types=[VectorType(element_of(source.type), shape)],
        )


@irdl_op_definition
class ReshapeOp(IRDLOperation):
    """The same elements, row-major, in another shape."""

    name = "kernel.reshape"

    source = operand_def()
    extents = opt_prop_def(ArrayAttr[StringAttr])
    result = result_def()

    traits = traits_def(Pure())

    assembly_format = (
        "$source ($extents^)? attr-dict `:` type($source) `to` type($result)"
    )

    def __init__(self, source: SSAValue, of: Attribute, extents: Sequence[str]):
        super().__init__(
            operands=[source],
            properties={"extents": ArrayAttr([StringAttr(name) for name in extents])},
            result_types=[of],
        )


@irdl_op_definition
class TransOp(IRDLOperation):
    """Permute a tile's dimensions."""

    name = "kernel.trans"

    source = operand_def(VectorType)
    order = prop_def(DenseArrayBase.constr(i64))
    result = result_def(VectorType)

    traits = traits_def(Pure())

    assembly_format = "$source $order attr-dict `:` type($source) `to` type($result)"

    def __init__(self, source: SSAValue, order: Sequence[int]):
        shape = shape_of(source.type)
        super().__init__(
            operands=[source],
            properties={"order": DenseArrayBase.from_list(i64, order)},
            result_types=[
                VectorType(element_of(source.type), [shape[p] for p in order])
            ],
        )


@irdl_op_definition
class HalvesOp(IRDLOperation):
    """The left and the right half of a matrix's columns."""

    name = "kernel.halves"

    source = operand_def(VectorType)
    left = result_def(VectorType)
    right = result_def(VectorType)

    traits = traits_def(Pure())

    assembly_format = (
        "$source attr-dict `:` type($source) `to` type($left) `,` type($right)"
    )

    def __init__(self, source: SSAValue):
        rows, columns = shape_of(source.type)
        half = VectorType(element_of(source.type), [rows, columns // 2])
        super().__init__(operands=[source], result_types=[half, half])

    def verify_(self) -> None:
        """Two halves of an even number of columns."""
        shape = shape_of(self.source.type)
        half = [(*shape[:-1], shape[-1] // 2)] * 2
        if len(shape) != 2 or shape[1] % 2:
            raise VerifyException("needs a matrix with an even number of columns")
        if [shape_of(result.type) for result in self.results] != half:
            raise VerifyException(f"the halves of {shape} are {half[0]}")


@irdl_op_definition
class OffsetOp(IRDLOperation):
    """Pointer plus offsets, counted in elements."""

    name = "kernel.offset"

    pointer = operand_def()
    offset = operand_def()
    result = result_def()

    traits = traits_def(Pure())

    assembly_format = (
        "$pointer `,` $offset attr-dict `:` type($pointer) `,` type($offset) "
        "`to` type($result)"
    )

    def __init__(self, pointer: SSAValue, offset: SSAValue):
        shape = shape_of(offset.type) or shape_of(pointer.type)
        super().__init__(
            operands=[pointer, offset],
            result_types=[tile_of(element_of(pointer.type), shape)],
        )

    def verify_(self) -> None:
        """Two tiles must agree in shape."""
        shapes = {shape_of(operand.type) for operand in self.operands} - {()}
        if len(shapes) > 1:
            raise VerifyException("pointer and offset tiles differ in shape")
        if not isinstance(element_of(self.pointer.type), PointerType):
            raise VerifyException("needs a pointer")


@irdl_op_definition
class LoadOp(IRDLOperation):
    """Load through a tile of pointers; lanes off by the mask read `other`."""

    name = "kernel.load"

    pointer = operand_def()
    mask = opt_operand_def()
    other = opt_prop_def(Attribute)
    eviction = opt_prop_def(StringAttr)
    """`evict_first` or `evict_last`: which lines a cache gives up first, or last."""
    cache = opt_prop_def(StringAttr)
    """A cache operator as PTX names it: ca, cg, cv."""
    result = result_def()

    traits = traits_def(MemoryReadEffect())

    assembly_format = (
        "$pointer (`mask` $mask^ `:` type($mask))? (`other` $other^)? "
        "(`eviction` $eviction^)? (`cache` $cache^)? attr-dict "
        "`:` type($pointer) `to` type($result)"
    )

    def __init__(
        self,
        pointer: SSAValue,
        mask: SSAValue | None = None,
        other: Attribute | None = None,
    ):
        of = element_of(pointer.type)
        assert isinstance(of, PointerType)
        super().__init__(
            operands=[pointer, mask],
            properties={"other": other},
            result_types=[tile_of(of.pointee, shape_of(pointer.type))],
        )

    def verify_(self) -> None:
        """A masked load says what the lanes that are off read."""
        if (self.mask is None) != (self.other is None):
            raise VerifyException("mask and other go together")
        if self.mask is not None and element_of(self.mask.type) != i1:
            raise VerifyException("the mask must be a tile of i1")


@irdl_op_definition
class StoreOp(IRDLOperation):
    """Store through a tile of pointers; lanes off by the mask write nothing."""

    name = "kernel.store"

    pointer = operand_def()
    value = operand_def()
    mask = opt_operand_def()
    eviction = opt_prop_def(StringAttr)
    cache = opt_prop_def(StringAttr)

    traits = traits_def(MemoryWriteEffect())

    assembly_format = (
        "$pointer `,` $value (`mask` $mask^ `:` type($mask))? "
        "(`eviction` $eviction^)? (`cache` $cache^)? attr-dict "
        "`:` type($pointer) `,` type($value)"
    )

    def __init__(
        self, pointer: SSAValue, value: SSAValue, mask: SSAValue | None = None
    ):
        super().__init__(operands=[pointer, value, mask])


@irdl_op_definition
class ArriveOp(IRDLOperation):
    """Say that the program's stores are done, and learn who came before.

    Adds one to a counter in memory and gives its old value. What programs stored before
    they arrived can be read by those that arrive later.
    """

    name = "kernel.arrive"

    counter = operand_def(PointerType)
    result = result_def(i32)

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    assembly_format = "$counter attr-dict `:` type($counter)"

    def __init__(self, counter: SSAValue):
        super().__init__(operands=[counter], result_types=[i32])


@irdl_op_definition
class CountersOp(IRDLOperation):
    """Counters that are zero, and that every launch leaves zero again."""

    name = "kernel.counters"

    buffer = result_def(MemRefType)

    traits = traits_def(MemoryReadEffect())

    assembly_format = "attr-dict `:` type($buffer)"

    def __init__(self, count: int):
        super().__init__(result_types=[MemRefType(i32, [count])])


@irdl_op_definition
class DescriptorLoadOp(IRDLOperation):
    """Load the block at `offsets`; elements outside the buffer read zero."""

    name = "kernel.descriptor_load"

    descriptor = operand_def(DescriptorType)
    offsets = var_operand_def(EqAttrConstraint(i32))
    partial = opt_prop_def(UnitAttr)
    """Set where the block may reach past the buffer's end."""
    result = result_def(VectorType)

    traits = traits_def(MemoryReadEffect())

    assembly_format = (
        "$descriptor `[` $offsets `]` (`partial` $partial^)? attr-dict "
        "`:` type($descriptor) `to` type($result)"
    )

    def __init__(
        self, descriptor: SSAValue, offsets: Sequence[SSAValue], partial: bool
    ):
        of = descriptor.type
        assert isinstance(of, DescriptorType)
        super().__init__(
            operands=[descriptor, offsets],
            properties={"partial": UnitAttr() if partial else None},
            result_types=[of.block],
        )


@irdl_op_definition
class DescriptorStoreOp(IRDLOperation):
    """Store the block at `offsets`; elements outside the buffer are dropped."""

    name = "kernel.descriptor_store"

    descriptor = operand_def(DescriptorType)
    offsets = var_operand_def(EqAttrConstraint(i32))
    value = operand_def(VectorType)
    partial = opt_prop_def(UnitAttr)

    traits = traits_def(MemoryWriteEffect())

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    assembly_format = (
        "$descriptor `[` $offsets `]` `,` $value (`partial` $partial^)? attr-dict "
        "`:` type($descriptor) `,` type($value)"
    )

    def __init__(
        self,
        descriptor: SSAValue,
        offsets: Sequence[SSAValue],
        value: SSAValue,
        partial: bool,
    ):
        super().__init__(
            operands=[descriptor, offsets, value],
            properties={"partial": UnitAttr() if partial else None},
        )


@irdl_op_definition
class DotOp(IRDLOperation):
    """Matrix product of two tiles, or of two batches, added to an accumulator.

    Without an accumulator it is the product alone.
    """

    name = "kernel.dot"

    ACC: ClassVar = VarConstraint("ACC", BaseAttr(VectorType))
    lhs = operand_def(VectorType)
    rhs = operand_def(VectorType)
    acc = opt_operand_def(ACC)
    input_precision = opt_prop_def(StringAttr)
    result = result_def(ACC)

    traits = traits_def(Pure())

    assembly_format = (
        "$lhs `,` $rhs (`,` $acc^)? ($input_precision^)? attr-dict "
        "`:` type($lhs) `,` type($rhs) `to` type($result)"
    )

    def __init__(
        self,
        lhs: SSAValue,
        rhs: SSAValue,
        acc: SSAValue | None,
        result: Attribute,
        input_precision: str | None = None,
    ):
        super().__init__(
            operands=[lhs, rhs, acc],
            properties={
                "input_precision": None
                if input_precision is None
                else StringAttr(input_precision)
            },
            result_types=[result],
        )

    def verify_(self) -> None:
        """M x K times K x N into M x N, or batches of these."""
        lhs, rhs, acc = map(shape_of, (self.lhs.type, self.rhs.type, self.result.type))
        if not (len(lhs) == len(rhs) == len(acc) and len(acc) in (2, 3)):
            raise VerifyException("needs matrices, or batches of them")
        *batch, m, k = lhs
        *other, inner, n = rhs
        if k != inner or batch != other or (*batch, m, n) != acc:
            raise VerifyException(f"shapes {lhs}, {rhs} and {acc} do not fit")


@irdl_op_definition
class ReduceOp(IRDLOperation):
    """Combine a tile's elements along one axis."""

    name = "kernel.reduce"

    source = operand_def(VectorType)
    kind = prop_def(CombiningKindAttr)
    axis = prop_def(IntegerAttr[I64])
    result = result_def()

    traits = traits_def(Pure())

    assembly_format = (
        "$source $kind `axis` $axis attr-dict `:` type($source) `to` type($result)"
    )

    def __init__(self, source: SSAValue, kind: CombiningKindAttr, axis: int):
        shape = list(shape_of(source.type))
        del shape[axis]
        super().__init__(
            operands=[source],
            properties={"kind": kind, "axis": IntegerAttr(axis, i64)},
            result_types=[tile_of(element_of(source.type), shape)],
        )


@irdl_op_definition
class CastOp(IRDLOperation):
    """Convert a scalar or a tile to another element type: `x.to(tl.float16)`."""

    name = "kernel.cast"

    source = operand_def()
    result = result_def()

    traits = traits_def(Pure())

    assembly_format = "$source attr-dict `:` type($source) `to` type($result)"

    def __init__(self, source: SSAValue, element: Attribute):
        super().__init__(
            operands=[source],
            result_types=[tile_of(element, shape_of(source.type))],
        )


@irdl_op_definition
class CompareOp(IRDLOperation):
    """Compare two scalars or tiles; NaN compares as in IEEE 754, unequal to all."""

    name = "kernel.compare"

    T: ClassVar = VarConstraint("T", AnyAttr())
    lhs = operand_def(T)
    rhs = operand_def(T)
    predicate = prop_def(StringAttr)
    """One of lt, le, gt, ge, eq, ne; integers compare signed."""
    result = result_def()

    traits = traits_def(Pure())

    assembly_format = (
        "$predicate $lhs `,` $rhs attr-dict `:` type($lhs) `to` type($result)"
    )

    def __init__(self, predicate: str, lhs: SSAValue, rhs: SSAValue):
        super().__init__(
            operands=[lhs, rhs],
            properties={"predicate": StringAttr(predicate)},
            result_types=[tile_of(i1, shape_of(lhs.type))],
        )

    def verify_(self) -> None:
        """A known predicate."""
        if self.predicate.data not in ("lt", "le", "gt", "ge", "eq", "ne"):
            raise VerifyException(f"unknown predicate '{self.predicate.data}'")


def named_sizes(op: Operation) -> list[tuple[str, int]]:
    """The constants an op reads by name, with the values it takes them to have."""
    if isinstance(op, ConstexprOp):
        return [(op.constant.data, op.value.value.data)]
    if isinstance(op, ArangeOp):
        if op.length_name is None:
            return []
        return [(op.length_name.data, shape_of(op.result.type)[0])]
    if isinstance(op, FullOp | ReshapeOp) and op.extents is not None:
        pairs = zip(op.extents, shape_of(op.results[0].type), strict=True)
        return [(name.data, size) for name, size in pairs if name.data]
    return []


Kernel = Dialect(
    "kernel",
    [
        FuncOp,
        ReturnOp,
        LaunchOp,
        CopyWindowOp,
        LibraryOp,
        RecordOp,
        WaitOp,
        RequireOp,
        ConstexprOp,
        ProgramIdOp,
        NumProgramsOp,
        GroupedTileOp,
        ArangeOp,
        FullOp,
        ExpandDimsOp,
        ReshapeOp,
        TransOp,
        HalvesOp,
        OffsetOp,
        LoadOp,
        StoreOp,
        ArriveOp,
        CountersOp,
        DescriptorLoadOp,
        DescriptorStoreOp,
        DotOp,
        ReduceOp,
        CastOp,
        CompareOp,
    ],
    [PointerType, DescriptorType, EventType],
)
