"""The statements of a schedule under construction, block by block.

Each statement is lowered by itself as soon as it is made, in a sequence that takes what
it uses: so a wrong statement is refused at its own line of Python, and the number and
the kinds of its results are known. The schedule is lowered as a whole when it is
finished.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar, cast

from xdsl.dialects.transform import NamedSequenceOp
from xdsl.ir import Attribute

from tilewright.ir.errors import Note, Place, UserError
from tilewright.schedules.builder.call_site import CallSite, variables
from tilewright.schedules.builder.references import (
    AnyNode,
    bindings,
    placed,
    references,
    renamed,
    resolved,
)
from tilewright.schedules.builder.values import (
    Bound,
    Handle,
    Number,
    Reference,
    Values,
)
from tilewright.schedules.language.syntax import (
    RESERVED,
    Action,
    Constant,
    Decide,
    Definition,
    File,
    Import,
    Kind,
    Knob,
    Literal,
    Name,
    Order,
    Parameter,
    SizeName,
    SizeRule,
    Statement,
    Target,
    Yield,
)
from tilewright.schedules.language.verbs.attribute_text import kind_text
from tilewright.schedules.schedule import lowered_tree
from tilewright.transforms.core.base import (
    AnyOpType,
    TransformOpHandleType,
    TransformValueHandleType,
)

AnyBound = TypeVar("AnyBound", bound=Bound)
_PROBE = "this statement"
"""The name of the sequence that a statement is lowered in by itself."""


@dataclass(eq=False)
class Block:
    """Statements between braces."""

    title: str
    """How errors call it: `branch 'wide' of choose 'tiles'`."""
    remedy: str = ""
    """How to use a name of the block after it."""
    statements: list[Statement] = field(default_factory=list[Statement])
    owner: object = None
    """The statement that the block is a part of."""
    around: Block | None = None
    """The block that its statement is in."""
    variables: dict[str, Bound] = field(default_factory=dict[str, "Bound"])
    """What each variable of Python stood for when the block began."""


class Recording:
    """The open blocks, the innermost last, and the sequences that are defined."""

    def __init__(self, name: str, place: Place):
        self.name = name
        self.place = place
        self.main = Block(f"schedule '{name}'")
        self.root = Handle("root", self.main)
        self.open: list[Block] = [self.main]
        self.sequences: list[Definition] = []
        self.imports: list[Import] = []
        self.sizes: list[SizeName] = []
        self.rules: list[SizeRule] = []
        """The decision table."""
        self._orders: dict[Bound, Order] = {}
        """The orders of loops that are left open."""
        self._made: dict[Bound, Statement] = {}
        """The statements that make numbers."""
        self._variables: dict[str, Bound] = {}
        """What each variable of Python stands for."""

    @property
    def block(self) -> Block:
        """The block that statements are added to."""
        return self.open[-1]

    def file(self, definition: Definition) -> File:
        """A definition, with the sequences and the imports that it may use."""
        return File((*self.sequences, definition), (), tuple(self.imports))

    def decisions(self, place: Place) -> tuple[Decide, ...]:
        """The decision table, if there is one."""
        if not self.rules:
            return ()
        if not self.sizes:
            remedy = 'name one before the first rule: M = s.size("M", "x", 0)'
            raise UserError("the table has no size", self.rules[0].place, remedy)
        return (Decide(tuple(self.sizes), tuple(self.rules), place=place),)

    def variables(self) -> dict[str, Bound]:
        """What each variable of the user's function stands for.

        Those of other functions stand for what was assigned to them last.
        """
        here = {n: of for n, of in variables().items() if isinstance(of, Bound)}
        return {**self._variables, **here}

    def enter(self, block: Block, before: Mapping[str, Bound] | None = None) -> None:
        """Add the following statements to a block.

        `before` has what the variables stood for before the block's statement.
        """
        block.around = self.block
        block.variables = dict(self._variables if before is None else before)
        self.open.append(block)

    def leave(self, block: Block) -> dict[str, Bound]:
        """End a block: variables stand for what they stood for before it.

        Gives the variables that were assigned in the block.
        """
        while self.open.pop() is not block:
            pass
        now, self._variables = self._variables, block.variables
        return {n: of for n, of in now.items() if block.variables.get(n) is not of}

    # -- statements --------------------------------------------------------------

    def add(self, statement: Statement, site: CallSite) -> None:
        """Add a statement at the user's line."""
        self._check_open(site.place)
        statement = placed(statement, site.place)
        self.block.statements.append(statement)
        if isinstance(statement, Order):
            self._orders |= {name.of: statement for name in bindings(statement)}
        if isinstance(statement, Knob | Constant):
            self._made |= {name.of: statement for name in bindings(statement)}

    def _check_open(self, place: Place) -> None:
        last = self.block.statements[-1:]
        if last and isinstance(last[0], Yield):
            raise UserError(
                "the block has ended with 'yield_'",
                place,
                "call yield_ last",
                [Note("it is called here", last[0].place)],
            )

    def known(self, statement: AnyNode, place: Place) -> AnyNode:
        """A statement at the user's line, whose names stand for what they do here."""
        return placed(resolved(statement, lambda of: self.current(of, place)), place)

    def current(
        self, bound: AnyBound, place: Place, variable: str | None = None
    ) -> AnyBound:
        """A handle as it may be used here; refuses one of a block that has ended.

        A branch begins with the variables as they were before the first branch, as in
        the language. So a handle that another branch has assigned to a variable stands
        for what the variable stood for before. `variable` is its name, where known.
        """
        if bound.block in self.open:
            return bound
        for block in self.open:
            if _is_branch_beside(bound.block, block):
                for name in [variable or "", *_names_of(bound)]:
                    before = block.variables.get(name)
                    if isinstance(before, type(bound)) and before is not bound:
                        return self.current(before, place, name)
        raise UserError(
            f"'{bound.wanted}' is local to {bound.block.title}",
            place,
            bound.block.remedy.format(name=bound.wanted)
            or "use a handle of this schedule",
        )

    def results(
        self, statement: Statement, targets: Sequence[Target] = ()
    ) -> list[Attribute]:
        """The types of a statement's results, or the error of the statement.

        `targets` are needed where an op has as many results as there are names, and
        where a name has a kind.
        """
        alone = self._alone(statement, targets)
        lowered = lowered_tree(self.file(alone), self.place.file)
        for error in lowered.errors:
            raise error
        for op in lowered.module.ops:
            if isinstance(op, NamedSequenceOp) and op.sym_name.data == _PROBE:
                end = op.body.block.last_op
                assert end is not None
                if end.operands:
                    return [value.type for value in end.operands]
                return [] if end.prev_op is None else list(end.prev_op.result_types)
        raise AssertionError("the statement was not lowered")

    def _alone(self, statement: Statement, targets: Sequence[Target]) -> Definition:
        """A sequence with one statement, whose parameters are the names that it uses.

        They are called as the user calls them, unless two would be called the same.
        """
        statement = resolved_orders(statement, self._orders)
        # The options of a knob are known from those of the knobs that they depend on.
        before = self._numbers(statement) if isinstance(statement, Knob) else []
        trees = [*before, statement]
        made = [name.of for tree in trees for name in bindings(tree)]
        uses = [name.of for tree in trees for name in references(tree)]
        used = [of for of in dict.fromkeys(uses) if of not in set(made)]
        names: dict[Bound, str] = {}
        for bound in (*used, *made):
            is_free = bound.wanted not in names.values()
            names[bound] = bound.wanted if is_free else f"{bound.wanted}_{len(names)}"
        parameters = [Parameter(Name(names[bound]), bound.kind) for bound in used]
        if hasattr(statement, "targets"):
            at = [placed(target, statement.place) for target in targets]
            changed = replace(cast(Any, statement), targets=tuple(at))
            statement = cast("Statement", changed)
        body: list[Statement] = [renamed(tree, names) for tree in (*before, statement)]
        if isinstance(statement, Knob | Constant):
            # Other ops may follow the one that makes the number.
            body.append(Yield((Name(names[made[-1]]),)))
        title = Name(_PROBE, place=statement.place)
        return Definition(False, title, tuple(parameters), tuple(body))

    def _numbers(self, statement: Statement) -> list[Statement]:
        """The statements that make the numbers which a statement uses, in order."""
        found: dict[Bound, Statement] = {}
        for name in references(statement):
            made = self._made.get(name.of)
            if made is not None and name.of not in found:
                for one in self._numbers(made):
                    found |= {bound.of: one for bound in bindings(one)}
                found[name.of] = made
        return list(found.values())

    # -- results -----------------------------------------------------------------

    def bound(
        self,
        types: Sequence[Attribute],
        site: CallSite,
        otherwise: Sequence[str],
    ) -> list[Bound]:
        """New handles and numbers; each is called as the variable it is assigned to.

        `otherwise` has names for results that are not assigned to a variable.
        """
        names = list(site.names or ())
        if len(names) != len(types):
            names = [None] * len(types)
        spare = [*otherwise, *(["h"] * len(types))]
        made: list[Bound] = []
        for of, name, other in zip(types, names, spare, strict=False):
            made.append(bound_as(of, name or other, self.block))
            self.assign(made[-1], name)
        return made

    def assign(self, bound: Bound, variable: str | None) -> None:
        """Remember what a variable of Python stands for, until its block ends."""
        bound.variable = variable
        if variable is not None:
            self._variables[variable] = bound


def resolved_orders(statement: Statement, orders: Mapping[Bound, Order]) -> Statement:
    """A statement whose open orders of loops are the first that may be chosen."""
    if not isinstance(statement, Action):
        return statement
    arguments = [
        orders[each.of].loops
        if isinstance(each, Reference) and each.of in orders
        else each
        for each in statement.arguments
    ]
    return replace(statement, arguments=tuple(arguments))


def _names_of(bound: Bound) -> list[str]:
    """The variables of the user's function that stand for a handle."""
    assigned = [] if bound.variable is None else [bound.variable]
    return [*assigned, *(name for name, of in variables().items() if of is bound)]


def _is_branch_beside(block: Block | None, open_block: Block) -> bool:
    """Whether a block is, or is inside, another branch of the same statement."""
    while block is not None and block.owner is not open_block.owner:
        block = block.around
    return block not in {None, open_block} and open_block.owner is not None


def bound_as(of: Attribute, name: str, block: Block) -> Bound:
    """A handle, a value handle or a number, by its type."""
    kind = kind_of(of)
    if isinstance(of, TransformOpHandleType):
        return Handle(name, block, kind)
    if isinstance(of, TransformValueHandleType):
        return Values(name, block, kind)
    return Number(name, block, kind)


def kind_of(of: Attribute) -> Kind | None:
    """The kind of a type, as the parameters of a sequence have it."""
    words = None if isinstance(of, AnyOpType) else kind_text(of)
    if words is None:
        return None
    return Kind(words.strip('"'), words.startswith('"'))


def kind_named(text: str) -> Kind:
    """A kind by its name: `value`, `param`, `i32`, or an op such as `scf.for`."""
    return Kind(text, quoted="." in text)


def spare_names(statement: Action, root: Bound) -> list[str]:
    """Names of results that no variable is assigned to.

    Handles keep theirs; what is found in the root is called after its op.
    """
    uses = [each for each in statement.arguments if isinstance(each, Reference)]
    given = [each.text for each in uses if each.of is not root]
    ops = [
        each.value.rpartition(".")[2]
        for each in statement.arguments
        if isinstance(each, Literal) and isinstance(each.value, str)
    ]
    names = given or [op for op in ops if op.isidentifier() and op not in RESERVED]
    return names or [statement.verb.text.rpartition(".")[2]]
