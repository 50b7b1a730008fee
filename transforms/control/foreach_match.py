"""`foreach_match`, `collect_matching`: matchers on every op, actions on what matches.

    %root1 = transform.foreach_match in %root
        @is_matmul -> @tile_it,
        @is_elementwise -> @vectorize_it : (!transform.any_op) -> !transform.any_op
    %found = transform.collect_matching @is_matmul in %root : (...) -> ...

A matcher is a named sequence of predicates; one that does not hold means "no match".
The first matcher that an op satisfies decides the action, which gets what the matcher
yields. Ops are visited in post-order; an op that an action erased is not visited.

Requires: matchers and actions that exist, and fit together; a matcher only looks.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import ArrayAttr, SymbolRefAttr, UnitAttr
from xdsl.dialects.transform import NamedSequenceOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.errors import SilenceableFailure
from tilewright.transforms.core.base import (
    TransformHandleType,
    TransformOp,
    TransformOpHandleType,
)
from tilewright.transforms.core.state import TransformState
from tilewright.transforms.core.syntax import parse_signature, print_signature
from tilewright.transforms.handles.match import post_order

Item = Operation | SSAValue | Attribute

_WORDS = frozenset({"restrict_root", "flatten_results"})
"""The options of `foreach_match`, in any order."""


_KEEPING = frozenset(
    f"transform.{name}"
    for name in """
        collect_matching debug.emit_param_as_remark debug.emit_remark_at foreach include
        print sequence verify
    """.split()
)
"""Ops that a matcher may use besides those that only look and `transform.match.*`."""


def changing_step(matcher: NamedSequenceOp) -> TransformOp | None:
    """The first op of a matcher that may change payload."""
    for op in matcher.walk():
        keeps = op.name in _KEEPING or op.name.startswith("transform.match.")
        if isinstance(op, TransformOp) and not (op.ONLY_LOOKS or keeps):
            return op
    return None


def check_matcher(matcher: NamedSequenceOp) -> None:
    """Refuse a matcher that may change payload: it runs on every op."""
    if (op := changing_step(matcher)) is not None:
        raise op.broken(
            f"@{matcher.sym_name.data} is a matcher, and a matcher only looks",
            remedy="do this in the action, or to what the matcher yields",
        )


def run_matcher(
    user: TransformOp, matcher: NamedSequenceOp, op: Operation, state: TransformState
) -> list[list[Item]] | None:
    """What a matcher yields for an op; None where a predicate does not hold."""
    arguments = matcher.body.block.args
    if len(arguments) < 1:
        raise user.broken(f"@{matcher.sym_name.data} must take the op to look at")
    state.set_ops(arguments[0], [op])
    state.check_types(user, arguments[:1])
    try:
        yielded = state.run.run_block(matcher.body.block)
    except SilenceableFailure:
        return None
    return [state.items(value) for value in yielded]


@irdl_op_definition
class CollectMatchingOp(TransformOp):
    """Handles to everything that a matcher yields, op by op."""

    name = "transform.collect_matching"

    root = operand_def(TransformOpHandleType)
    matcher = prop_def(SymbolRefAttr)
    res = var_result_def(TransformHandleType)

    assembly_format = "$matcher `in` $root attr-dict `:` functional-type($root, $res)"

    IS_STEP: ClassVar[bool] = False

    def apply(self, state: TransformState) -> None:
        """Run the matcher on every op inside the roots."""
        matcher = state.run.sequence(self, self.matcher.string_value())
        check_matcher(matcher)
        found: list[list[Item]] = [[] for _ in self.res]
        for root in state.payload_ops(self.root):
            for op in post_order(root):
                yielded = run_matcher(self, matcher, op, state)
                if yielded is None:
                    continue
                if len(yielded) != len(found):
                    raise self.broken(
                        f"@{matcher.sym_name.data} yields {len(yielded)} values for "
                        f"{len(found)} results"
                    )
                for position, (items, more) in enumerate(
                    zip(found, yielded, strict=True)
                ):
                    if len(more) != 1:
                        raise self.broken(
                            f"@{matcher.sym_name.data} yields {len(more)} items for "
                            f"result {position} where one is expected",
                            op,
                        )
                    items += more
        for result, items in zip(self.res, found, strict=True):
            state.set_items(result, items)


@irdl_op_definition
class ForeachMatchOp(TransformOp):
    """Run actions on ops that match; consumes the root."""

    name = "transform.foreach_match"

    root = operand_def(TransformOpHandleType)
    forwarded_inputs = var_operand_def(TransformHandleType)
    restrict_root = opt_prop_def(UnitAttr)
    flatten_results = opt_prop_def(UnitAttr)
    matchers = prop_def(ArrayAttr[SymbolRefAttr])
    actions = prop_def(ArrayAttr[SymbolRefAttr])
    updated_root = result_def(TransformOpHandleType)
    forwarded_outputs = var_result_def(TransformHandleType)

    IS_STEP: ClassVar[bool] = False
    TAKES_TWICE: ClassVar[bool] = True

    def consumed_handles(self) -> Sequence[SSAValue]:
        """Actions may change anything inside the root, perhaps the root itself."""
        return () if self.restrict_root is not None else (self.root,)

    def verify_(self) -> None:
        """Check that there are as many matchers as actions, at least one."""
        if not self.matchers or len(self.matchers) != len(self.actions):
            raise VerifyException("expected a matcher for each action")

    @classmethod
    def parse(cls, parser: Parser) -> ForeachMatchOp:
        """`[restrict_root] [flatten_results] in %root @m -> @a, ... : type`."""
        words: set[str] = set()
        while word := parser.parse_optional_keyword_in(_WORDS - words):
            words.add(word)
        parser.parse_keyword("in")
        operands = [parser.parse_unresolved_operand()]
        while parser.parse_optional_punctuation(","):
            operands.append(parser.parse_unresolved_operand())
        matchers: list[SymbolRefAttr] = []
        actions: list[SymbolRefAttr] = []
        while True:
            matchers.append(SymbolRefAttr(parser.parse_symbol_name()))
            parser.parse_punctuation("->")
            actions.append(SymbolRefAttr(parser.parse_symbol_name()))
            if not parser.parse_optional_punctuation(","):
                break
        attributes = parser.parse_optional_attr_dict()
        resolved, types = parse_signature(parser, operands)
        op = cls.build(
            operands=[resolved[0], resolved[1:]],
            result_types=[types[0], types[1:]],
            properties={
                **{word: UnitAttr() if word in words else None for word in _WORDS},
                "matchers": ArrayAttr(matchers),
                "actions": ArrayAttr(actions),
            },
        )
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """`[restrict_root] [flatten_results] in %root @m -> @a, ... : type`."""
        if self.restrict_root is not None:
            printer.print_string(" restrict_root")
        if self.flatten_results is not None:
            printer.print_string(" flatten_results")
        printer.print_string(" in ")
        printer.print_list(self.operands, printer.print_ssa_value)
        pairs = zip(self.matchers, self.actions, strict=True)
        printer.print_string(" ")
        printer.print_list(
            list(pairs),
            lambda pair: printer.print_string(
                f"@{pair[0].string_value()} -> @{pair[1].string_value()}"
            ),
        )
        print_signature(printer, self)

    def apply(self, state: TransformState) -> None:
        """Visit every op, and run the action of the first matcher that it satisfies."""
        pairs = [
            (
                state.run.sequence(self, matcher.string_value()),
                state.run.sequence(self, action.string_value()),
            )
            for matcher, action in zip(self.matchers, self.actions, strict=True)
        ]
        for matcher, _ in pairs:
            check_matcher(matcher)
        forwarded = [state.items(value) for value in self.forwarded_inputs]
        outputs: list[list[Item]] = [[] for _ in self.forwarded_outputs]
        roots = list(state.payload_ops(self.root))
        for root in roots:
            ops = post_order(root)
            if self.restrict_root is None:
                # Actions may then consume the ops around what they match.
                ops = [op for op in ops if op is not root]
            for op in ops:
                if op is not root and not _is_inside(op, root):
                    continue
                for values, made in zip(
                    outputs, self._visit(op, pairs, forwarded, state), strict=False
                ):
                    values += made
        state.set_ops(self.updated_root, roots)
        for result, values in zip(self.forwarded_outputs, outputs, strict=True):
            state.set_items(result, values)

    def _visit(
        self,
        op: Operation,
        pairs: Sequence[tuple[NamedSequenceOp, NamedSequenceOp]],
        forwarded: Sequence[Sequence[Item]],
        state: TransformState,
    ) -> list[list[Item]]:
        for matcher, action in pairs:
            extra = matcher.body.block.args[1:]
            for argument, items in zip(extra, forwarded, strict=False):
                state.set_items(argument, items)
            state.check_types(self, extra)
            yielded = run_matcher(self, matcher, op, state)
            if yielded is None:
                continue
            arguments = action.body.block.args
            if len(arguments) != len(yielded):
                raise self.broken(
                    f"@{action.sym_name.data} takes {len(arguments)} arguments, "
                    f"@{matcher.sym_name.data} yields {len(yielded)}"
                )
            for argument, items in zip(arguments, yielded, strict=True):
                state.set_items(argument, items)
            state.check_types(self, arguments)
            made = state.run.run_block(action.body.block)
            return self._results_of(action, [state.items(value) for value in made])
        return []

    def _results_of(
        self, action: NamedSequenceOp, made: list[list[Item]]
    ) -> list[list[Item]]:
        """What an action adds to the results; one item to each unless flattened."""
        name = action.sym_name.data
        if len(made) != len(self.forwarded_outputs):
            raise self.broken(
                f"@{name} yields {len(made)} values for "
                f"{len(self.forwarded_outputs)} results"
            )
        if self.flatten_results is None and any(len(items) != 1 for items in made):
            counts = ", ".join(str(len(items)) for items in made)
            raise self.broken(
                f"@{name} yields {counts} items where one is expected",
                remedy="ask for 'flatten_results'",
            )
        return made


def _is_inside(op: Operation, root: Operation) -> bool:
    """Whether an op is still there: an action may have erased it."""
    parent = op.parent_op()
    return parent is not None and root.is_ancestor(parent)
