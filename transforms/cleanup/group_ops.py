"""The marker ops of `apply_patterns`: each names one group of patterns.

Some groups have options, `lower_contraction lowering_strategy = dot`. The patterns
themselves are in `groups.py`, which is imported when a group is applied. A test checks
that both have the same names.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, TypeAlias

from xdsl.dialects.builtin import BoolAttr, IntegerAttr, UnitAttr, i32, i64
from xdsl.ir import Attribute, Operation
from xdsl.irdl import IRDLOperation, irdl_op_definition, opt_prop_def
from xdsl.parser import Parser
from xdsl.printer import Printer

GROUP_PREFIX = "transform.apply_patterns."

GROUP_NAMES = (
    "canonicalization",
    "linalg.decompose_pack_unpack",
    "linalg.decompose_pad",
    "linalg.erase_unnecessary_inputs",
    "linalg.fold_add_into_dest",
    "linalg.fold_pack_unpack_into_empty",
    "linalg.fold_unit_extent_dims_via_reshapes",
    "linalg.fold_unit_extent_dims_via_slices",
    "linalg.pad_vectorization",
    "linalg.tiling_canonicalization",
    "memref.alloc_to_alloca",
    "memref.expand_ops",
    "memref.expand_strided_metadata",
    "memref.extract_address_computations",
    "memref.fold_memref_alias_ops",
    "memref.resolve_ranked_shaped_type_result_dims",
    "scf.for_loop_canonicalization",
    "tensor.bubble_up_extract_slice",
    "tensor.decompose_concat",
    "tensor.drop_redundant_insert_slice_rank_expansion",
    "tensor.fold_into_pack_and_unpack",
    "tensor.fold_tensor_empty",
    "tensor.fold_tensor_subset_ops",
    "tensor.fold_tensor_subset_ops_into_vector_transfers",
    "tensor.merge_consecutive_insert_extract_slice",
    "tensor.reassociative_reshape_folding",
    "tensor.rewrite_as_constant",
    "vector.cast_away_vector_leading_one_dim",
    "vector.drop_inner_most_unit_dims_from_xfer_ops",
    "vector.drop_unit_dims_with_shape_cast",
    "vector.elementwise_to_vector",
    "vector.fold_arith_extension",
    "vector.interleave_to_shuffle",
    "vector.lower_bitcast",
    "vector.lower_broadcast",
    "vector.lower_contraction",
    "vector.lower_create_mask",
    "vector.lower_gather",
    "vector.lower_interleave",
    "vector.lower_masked_transfers",
    "vector.lower_masks",
    "vector.lower_multi_reduction",
    "vector.lower_outerproduct",
    "vector.lower_scan",
    "vector.lower_shape_cast",
    "vector.lower_transfer",
    "vector.lower_transpose",
    "vector.materialize_masks",
    "vector.rank_reducing_subview_patterns",
    "vector.reduction_to_contract",
    "vector.sink_mem_ops",
    "vector.sink_ops",
    "vector.split_transfer_full_partial",
    "vector.transfer_permutation_patterns",
    "vector.transfer_to_scf",
    "vector.unroll_from_elements",
    "vector.unroll_to_elements",
    "tilewright.carried_values",
    "tilewright.empty_loops",
    "tilewright.filled_inputs",
    "tilewright.flat_elements",
    "tilewright.gathered_elements",
    "tilewright.index_arithmetic",
    "tilewright.own_fills",
    "tilewright.readers_order",
    "tilewright.row_reductions",
    "tilewright.short_reductions",
    "tilewright.slices_after_reshapes",
    "tilewright.sums_order",
    "tilewright.unit_loops",
    "tilewright.concats",
    "tilewright.constant_layouts",
    "tilewright.zero_points",
)


Value: TypeAlias = str | int | bool


@dataclass(frozen=True)
class Option:
    """An option of a group: its default, and the words for its values, if any."""

    name: str
    default: Value
    words: tuple[str, ...] = ()
    refused: tuple[Value, str] | None = None
    """A value that is refused here, and why."""
    form: Literal["=", "()", ""] = "="
    """How the value is written: `name = 4`, `name(4)`, or `name` alone."""

    def parse(self, parser: Parser) -> Attribute:
        """The value, behind the name."""
        if self.form == "":
            return UnitAttr()
        if self.form == "()":
            with parser.in_parens():
                return _as_attribute(self, _number(self, parser))
        parser.parse_punctuation("=")
        if not self.words:
            return _as_attribute(self, _number(self, parser))
        pos = parser.pos
        word = parser.parse_optional_str_literal() or parser.parse_identifier()
        if word not in self.words:
            known = ", ".join(self.words)
            parser.raise_error(f"expected one of {known} for {self.name}", pos)
        return _as_attribute(self, word)

    def value(self, attribute: Attribute | None) -> Value:
        """The value that an attribute of the group's op stands for."""
        if attribute is None:
            return self.default
        if isinstance(attribute, UnitAttr):
            return True
        held: Any = attribute
        number = int(held.value.data)
        if self.words:
            return self.words[number]
        return bool(number) if isinstance(self.default, bool) else number

    def text(self, attribute: Attribute) -> str:
        """The option as it is written."""
        value = self.value(attribute)
        if self.form != "=":
            return f"{self.name}({value})" if self.form else self.name
        word = str(value).lower() if isinstance(value, bool) else str(value)
        return f"{self.name} = {_quoted(word) if self.words else word}"


def _quoted(word: str) -> str:
    return word if word.isidentifier() else f'"{word}"'


def _number(option: Option, parser: Parser) -> Value:
    if isinstance(option.default, bool):
        return parser.parse_boolean()
    return parser.parse_integer()


def _as_attribute(option: Option, value: Value) -> Attribute:
    if isinstance(value, str):
        return IntegerAttr(option.words.index(value), i32)
    return (
        BoolAttr.from_bool(value)
        if isinstance(value, bool)
        else IntegerAttr(value, i64)
    )


NO_LIMIT = -1
"""A size that limits nothing."""

_SINGLE_USE = (Option("fold_single_use_only", False),)

OPTIONS: Mapping[str, tuple[Option, ...]] = {
    "linalg.fold_pack_unpack_into_empty": _SINGLE_USE,
    "memref.alloc_to_alloca": (Option("size_limit", NO_LIMIT, form="()"),),
    "tensor.fold_tensor_empty": _SINGLE_USE,
    "tensor.rewrite_as_constant": (Option("aggressive", False, form=""),),
    "vector.lower_contraction": (
        Option(
            "lowering_strategy",
            "outerproduct",
            ("dot", "llvmintr", "outerproduct", "parallelarith"),
        ),
    ),
    "vector.lower_multi_reduction": (
        Option(
            "lowering_strategy", "innerparallel", ("innerparallel", "innerreduction")
        ),
    ),
    "vector.lower_transfer": (Option("max_transfer_rank", 1),),
    "vector.lower_transpose": (
        Option(
            "lowering_strategy",
            "eltwise",
            ("eltwise", "llvmintr", "shuffle_1d", "shuffle_16x16"),
        ),
        Option(
            "avx2_lowering_strategy",
            False,
            refused=(True, "it makes instructions of an x86 processor"),
        ),
    ),
    "vector.split_transfer_full_partial": (
        Option(
            "split_transfer_strategy",
            "linalg-copy",
            ("none", "vector-transfer", "linalg-copy", "force-in-bounds"),
        ),
    ),
    "vector.transfer_to_scf": (
        Option("max_transfer_rank", 1),
        Option("full_unroll", False),
    ),
}
"""The options of the groups that have some."""


class GroupOp(IRDLOperation):
    """Names one group of patterns, with its options."""

    @classmethod
    def options(cls) -> tuple[Option, ...]:
        """The options that the group has."""
        return OPTIONS.get(cls.name.removeprefix(GROUP_PREFIX), ())

    @property
    def values(self) -> tuple[Value, ...]:
        """The values of all options, in their order."""
        return tuple(
            option.value(self.properties.get(option.name)) for option in self.options()
        )

    @property
    def refused_option(self) -> Option | None:
        """The first option with a value that is refused here."""
        for option, value in zip(self.options(), self.values, strict=True):
            if option.refused is not None and value == option.refused[0]:
                return option
        return None

    @classmethod
    def parse(cls, parser: Parser) -> GroupOp:
        """`option = value option = value {attributes}`."""
        known = {option.name: option for option in cls.options()}
        properties: dict[str, Attribute] = {}
        while name := next(filter(parser.parse_optional_keyword, known), None):
            properties[name] = known[name].parse(parser)
        attributes = parser.parse_optional_attr_dict()
        properties |= {n: v for n, v in attributes.items() if n in known}
        op = cls.create(properties=properties)
        op.attributes |= {n: v for n, v in attributes.items() if n not in known}
        return op

    def print(self, printer: Printer) -> None:
        """Only the options that are given."""
        for option in self.options():
            if (attribute := self.properties.get(option.name)) is not None:
                printer.print_string(" " + option.text(attribute))
        printer.print_op_attributes(self.attributes)


@cache
def group_op(group: str) -> type[Operation]:
    """The op that names a group of patterns inside `apply_patterns`."""
    options = OPTIONS.get(group, ())
    fields: dict[str, Any] = {
        "name": GROUP_PREFIX + group,
        "__doc__": GroupOp.__doc__,
        "__module__": __name__,
        **{option.name: opt_prop_def(Attribute) for option in options},
    }
    title = "".join(part.title() for part in group.split("_")) + "Op"
    return irdl_op_definition(type(title, (GroupOp,), fields))
