"""Statements with blocks: choose, try, for each, suppress, propagate and matching."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Protocol

from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from tilewright.ir.errors import Place, UserError
from tilewright.ir.phrases import count, did_you_mean
from tilewright.schedules.language.lowering.scope import Home, Scope, Skip
from tilewright.schedules.language.syntax import (
    Body,
    Branch,
    Choose,
    ForEach,
    Guarded,
    Name,
    Node,
    Statement,
    Try,
)
from tilewright.schedules.language.verbs.attribute_text import described
from tilewright.transforms.control.alternatives import AlternativesOp as TryOp
from tilewright.transforms.control.choices.tune_alternatives import AlternativesOp
from tilewright.transforms.control.choices.values import listed_values
from tilewright.transforms.control.failures import failure_mode
from tilewright.transforms.control.foreach import ForeachOp
from tilewright.transforms.control.sequence import SequenceOp
from tilewright.transforms.core.base import AnyOpType
from tilewright.transforms.matchers.structured import (
    MatchStructuredOp,
    MatchStructuredYieldOp,
)

WHOLE = "root"
"""The name of the payload in the branches of a `try` without a handle."""


class Lowering(Protocol):
    """Lowers the statements inside a block."""

    errors: list[UserError]

    def report(self, fact: str, place: Place, remedy: str | None = None) -> None:
        """Record an error and continue."""
        ...

    def body(
        self, body: Sequence[Statement], scope: Scope, end: Place, may_yield: bool
    ) -> tuple[SSAValue, ...]:
        """Lower statements into the scope's block, and give the values they yield."""
        ...


def lower_blocks(
    statement: Choose | Try | ForEach | Guarded, scope: Scope, lowering: Lowering
) -> Sequence[SSAValue]:
    """Add the op of a statement with blocks, and give its results."""
    if isinstance(statement, Choose):
        return _choose(statement, scope, lowering)
    if isinstance(statement, Try):
        return _try(statement, scope, lowering)
    if isinstance(statement, ForEach):
        return _for_each(statement, scope, lowering)
    return _guarded(statement, scope, lowering)


def _choose(choose: Choose, scope: Scope, lowering: Lowering) -> Sequence[SSAValue]:
    labels: dict[str, Branch] = {}
    regions: list[Region] = []
    yields: list[tuple[SSAValue, ...]] = []
    before = len(lowering.errors)
    for branch in choose.branches:
        if labels.setdefault(branch.label.text, branch) is not branch:
            lowering.report(
                f"two branches are called '{branch.label.text}'",
                branch.label.place,
                "rename one",
            )
            continue
        home = Home(
            f"branch '{branch.label.text}' of 'choose {choose.name.text}'",
            "bind it before the 'choose', or yield it from every branch: "
            f"{{name}} = choose {choose.name.text} {{{{ ... yield {{name}} }}}}",
        )
        inner = Scope(Block(), scope, home=home)
        try:
            yields.append(lowering.body(branch.body, inner, branch.end, True))
        except Skip:
            continue
        regions.append(Region(inner.block))
    if len(lowering.errors) > before or len(yields) < len(labels):
        raise Skip
    for branch, values in zip(labels.values(), yields, strict=True):
        title = f"branch '{branch.label.text}'"
        _check_yield(choose, title, branch.label, values, yields[0])
    default = None if choose.default is None else choose.default.text
    if choose.default is not None and default not in labels:
        raise UserError(
            f"the default of choose '{choose.name.text}', '{default}', is not among "
            "its branches",
            choose.default.place,
            did_you_mean(choose.default.text, list(labels))
            or f"choose one of {listed_values(list(labels))}",
        )
    op = AlternativesOp(
        choose.name.text,
        regions,
        [value.type for value in yields[0]],
        labels=list(labels),
        default=default,
    )
    scope.add(op, choose.place, "choose")
    return op.results


def _try(statement: Try, scope: Scope, lowering: Lowering) -> Sequence[SSAValue]:
    """Branches that see only their scope, under the name it has outside."""
    name = statement.scope or Name(WHOLE, place=statement.place)
    handle: SSAValue | None = None
    if statement.scope is not None:
        handle = scope.handle(name, Name("try", place=statement.place))
    of = AnyOpType() if handle is None else handle.type
    regions: list[Region] = []
    yields: list[tuple[SSAValue, ...]] = []
    before = len(lowering.errors)
    for branch in statement.branches:
        home = _home("try", "from every branch")
        inner = Scope(Block(arg_types=[of]), hides=scope, only=name.text, home=home)
        inner.bind(name.text, inner.block.args[0])
        with suppress(Skip):
            yields.append(lowering.body(branch.statements, inner, branch.end, True))
            regions.append(Region(inner.block))
    if len(lowering.errors) > before or len(yields) < len(statement.branches):
        raise Skip
    for branch, values in zip(statement.branches, yields, strict=True):
        _check_yield(statement, "this branch", branch, values, yields[0])
    op = TryOp(handle, regions, [value.type for value in yields[0]])
    scope.add(op, statement.place, "try")
    return op.results


def _for_each(
    statement: ForEach, scope: Scope, lowering: Lowering
) -> Sequence[SSAValue]:
    names, given = statement.names, statement.values
    if len(names) != len(given):
        raise UserError(
            f"for each: {count(len(names), 'name')} for {count(len(given), 'handle')}",
            statement.place,
            "give one name for each handle",
        )
    targets = [scope.value(value) for value in given]
    block = Block(arg_types=[target.type for target in targets])
    inner = Scope(block, scope, home=_home("for each", "at its end"))
    for name, argument in zip(names, inner.block.args, strict=True):
        inner.bind(name.text, argument)
    yielded = _inner(statement, statement.body, inner, lowering)
    op = ForeachOp(
        targets,
        Region(inner.block),
        [value.type for value in yielded],
        zip_shortest=statement.shortest,
    )
    scope.add(op, statement.place, "for each")
    return op.results


def _guarded(
    statement: Guarded, scope: Scope, lowering: Lowering
) -> Sequence[SSAValue]:
    """A sequence whose arguments have the names of the handles it is given."""
    if not statement.names:
        raise UserError(
            f"'{statement.word}' needs a handle",
            statement.place,
            f"write: {statement.word} HANDLE {{ ... }}",
        )
    given = [scope.named(name) for name in statement.names]
    block = Block(arg_types=[value.type for value in given])
    inner = Scope(block, scope, home=_home(statement.word, "at its end"))
    for name, argument in zip(statement.names, inner.block.args, strict=True):
        inner.bind(name.text, argument)
    yielded = _inner(statement, statement.body, inner, lowering)
    types = [value.type for value in yielded]
    if statement.word == "matching":
        op = _matching(statement, given, types, inner.block)
    else:
        op = SequenceOp.build(
            operands=[given[:1], given[1:]],
            result_types=[types],
            properties={
                "failure_propagation_mode": failure_mode(statement.word == "suppress")
            },
            regions=[Region(inner.block)],
        )
    scope.add(op, statement.place, statement.word)
    return op.results


def _matching(
    statement: Guarded,
    given: Sequence[SSAValue],
    types: Sequence[Attribute],
    block: Block,
) -> Operation:
    """Predicates on one structured op, with a terminator of their own."""
    if len(given) != 1:
        raise UserError(
            "matching: it looks at one handle",
            statement.place,
            "write: r = matching op { ... yield rank }",
        )
    last = block.last_op
    assert last is not None
    end = MatchStructuredYieldOp.build(operands=[list(last.operands)])
    end.location = last.location
    block.erase_op(last)
    block.add_op(end)
    return MatchStructuredOp.build(
        operands=[given[0]],
        result_types=[types],
        properties={"failure_propagation_mode": failure_mode(False)},
        regions=[Region(block)],
    )


def _home(word: str, where: str) -> Home:
    """The block of a statement that begins with a word."""
    return Home(
        f"a '{word}'",
        f"bind it before, or yield it {where}: "
        f"{{name}} = {word} ... {{{{ ... yield {{name}} }}}}",
    )


def _inner(
    statement: ForEach | Guarded, body: Body, inner: Scope, lowering: Lowering
) -> tuple[SSAValue, ...]:
    """Lower the one body of a statement; it yields one value for each name."""
    before = len(lowering.errors)
    yielded = lowering.body(body.statements, inner, body.end, True)
    if len(lowering.errors) > before:
        raise Skip
    _check_yield(statement, "the body", body, yielded, yielded)
    return yielded


def _check_yield(
    statement: Choose | Try | ForEach | Guarded,
    title: str,
    at: Node,
    values: Sequence[SSAValue],
    first: Sequence[SSAValue],
) -> None:
    targets = statement.targets
    if len(values) != len(targets):
        raise UserError(
            f"{title} yields {count(len(values), 'value')} for "
            f"{count(len(targets), 'name')}",
            at.place,
            f"end it with 'yield' and {count(len(targets), 'value')}"
            if targets
            else "bind them: NAMES = ...",
        )
    for value, other, target in zip(values, first, targets, strict=True):
        if value.type != other.type:
            raise UserError(
                f"'{target.text}' is {described(other.type)} in one branch and "
                f"{described(value.type)} in another",
                at.place,
                "yield the same kind from every branch",
            )
