"""Verbs that are one op each, in words: `unroll l by 4` for `loop.unroll l factor = 4`.

An entry has the form of the statement, its slots named after the op's fields. Reading
and writing go through the generic form (`generic.py`). A new verb of this sort is a new
line of the table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from xdsl.ir import Operation, SSAValue

from tilewright.schedules.language.lowering import any_op as generic
from tilewright.schedules.language.lowering.scope import Scope
from tilewright.schedules.language.syntax import Action, Argument, Setting
from tilewright.schedules.language.verbs.forms import Form
from tilewright.schedules.language.verbs.op_schema import op_named, schema_of
from tilewright.transforms.table import PREFIX


@dataclass(frozen=True)
class Alias:
    """One entry of the table."""

    form: Form
    op: str
    """The op's name without the dialect."""
    doc: str

    def build(self, action: Action, scope: Scope) -> Operation:
        """The op of a statement, with what it needs before it."""
        fields = self.form.match(action.verb, action.arguments)
        required = schema_of(op_named(self.op)).required
        given: list[Argument] = [fields[name] for name in required if name in fields]
        for name, value in fields.items():
            if name not in required:
                assert not isinstance(value, Setting)
                given.append(Setting(name, value, place=value.place))
        action = replace(action, arguments=tuple(given))
        return generic.build(action, scope, self.op, f"write: {self.form.usage}")


def _alias(op: str, form: str, doc: str) -> Alias:
    return Alias(Form(form), op, doc)


ALIASES: tuple[Alias, ...] = (
    _alias(
        "get_parent_op",
        "parent <target:handle> [<op_name:string>] [nth = <nth_parent:any>] "
        "[deduplicate = <deduplicate:any>]",
        "the op around, of a name if one is given",
    ),
    _alias(
        "get_producer_of_operand",
        "producer <target:handle> operand = <operand_number:any>",
        "the op that makes an operand",
    ),
    _alias(
        "get_consumers_of_result",
        "consumers <target:handle> result = <result_number:any>",
        "the ops that use a result",
    ),
    _alias(
        "structured.tile_using_forall",
        "tile_parallel <target:handle> by <tile_sizes:sizes>",
        "cut into tiles that run in parallel, mapped to nothing yet",
    ),
    _alias(
        "structured.fuse",
        "tile_and_fuse <target:handle> by <tile_sizes:sizes> "
        "[interchange <tile_interchange:sizes>]",
        "tile, and compute every producer's tile in the loops",
    ),
    _alias(
        "structured.generalize", "generalize <target:handle>", "a named op as a generic"
    ),
    _alias(
        "structured.interchange",
        "interchange <target:handle> to <iterator_interchange:numbers>",
        "loops of an op in another order",
    ),
    _alias(
        "structured.split",
        "split <target:handle> after <chunk_sizes:param> along <dimension:param>",
        "an op as two, cut along a loop",
    ),
    _alias(
        "structured.pad",
        "pad <target:handle> along <padding_dimensions:any> "
        "[to <pad_to_multiple_of:sizes>] [values = <padding_values:any>] "
        "[nofold = <nofold_flags:any>] [copy_back = <copy_back_op:any>]",
        "operands larger, up to a size or a multiple",
    ),
    _alias(
        "structured.decompose_interface",
        "decompose <target:handle>",
        "an op as the simpler ops it is made of",
    ),
    _alias(
        "structured.split_reduction",
        "split_reduction <target:handle> by <split_factor:any> "
        "[at <insert_split_dimension:any>]",
        "part of a reduction as a parallel loop",
    ),
    _alias(
        "tilewright.quantize_matmul",
        "quantize <target:handle> to <format:any> [per_channel = <per_channel:any>] "
        "[lhs_scale = <lhs_scale:any>] [rhs_scale = <rhs_scale:any>]",
        "a product of floats as one of fp8 or int8, with scales",
    ),
    _alias(
        "structured.tile_reduction_using_for",
        "tile_reduction <target:handle> by <tile_sizes:numbers>",
        "a reduction in parts, then the parts together",
    ),
    _alias(
        "apply_registered_pass",
        "run_pass <pass_name:string> on <target:handle> [options = <options:any>]",
        "a pass of upstream's name",
    ),
    _alias(
        "get_operand",
        "operand <target:handle> at <raw_position_list:numbers>",
        "values that an op is given",
    ),
    _alias(
        "get_result",
        "result <target:handle> at <raw_position_list:numbers>",
        "values that an op makes",
    ),
    _alias(
        "select",
        "select <op_name:string> in <target:handle>",
        "those ops of a handle that have a name",
    ),
    _alias(
        "loop.peel",
        "peel <target:handle> [front = <peel_front:any>]",
        "the partial iteration of a loop apart",
    ),
    _alias(
        "loop.unroll", "unroll <target:handle> by <factor:param>", "several iterations"
    ),
    _alias(
        "loop.unroll_and_jam",
        "unroll_and_jam <target:handle> by <factor:param>",
        "several iterations of an outer loop, the inner loops fused",
    ),
    _alias("loop.coalesce", "coalesce <target:handle>", "a nest of loops as one"),
    _alias(
        "loop.fuse_sibling",
        "fuse_sibling <target:handle> into <source:handle>",
        "two loops side by side as one",
    ),
    _alias(
        "loop.promote_if_one_iteration",
        "promote <target:handle>",
        "a loop that runs once, without the loop",
    ),
    _alias(
        "loop.outline",
        "outline <target:handle> as <func_name:string>",
        "a loop as a function of its own",
    ),
    _alias(
        "debug.emit_remark_at",
        "remark <at:handle> <message:string>",
        "say something about payload ops",
    ),
)

ALIAS_OF: Mapping[str, Alias] = {alias.form.verb: alias for alias in ALIASES}


def statements_for(op: Operation, name_of: Callable[[SSAValue], str]) -> Iterator[str]:
    """The statements of aliases that may make this op."""
    for alias in ALIASES:
        if PREFIX + alias.op == op.name:
            words = generic.fields_of(op, name_of)
            if words is not None and set(alias.form.needs) <= words.keys():
                yield alias.form.write(words)
