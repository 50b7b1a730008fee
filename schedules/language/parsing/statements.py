"""Definitions and statements: Lark's tree to ours."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from lark import Token, Tree

from tilewright.ir.errors import UserError
from tilewright.ir.phrases import did_you_mean
from tilewright.schedules.language.parsing.expressions import ExpressionReader
from tilewright.schedules.language.parsing.lark_tree import (
    Child,
    LarkTree,
    as_tree,
    children_of,
    trees_of,
)
from tilewright.schedules.language.syntax import (
    MARK,
    OPTION_FUNCTIONS,
    Action,
    Assign,
    Body,
    Branch,
    Call,
    Choose,
    Constant,
    Decide,
    Definition,
    File,
    ForEach,
    Guarded,
    Import,
    Include,
    Items,
    Kind,
    Knob,
    Literal,
    Name,
    Order,
    Parameter,
    Permute,
    Raw,
    Require,
    Setting,
    SizeName,
    SizeRule,
    Statement,
    Target,
    Try,
    Yield,
)


class StatementReader(ExpressionReader):
    """Reads the definitions of one file, and the statements in them."""

    def file(self, tree: LarkTree) -> File:
        """All definitions, the decision table and the imports."""
        parts = trees_of(tree)
        return File(
            tuple(self.definition(part) for part in parts if part.data == "definition"),
            tuple(self.decide(part) for part in parts if part.data == "decide"),
            tuple(self.imported(part) for part in parts if part.data == "imported"),
        )

    def imported(self, tree: LarkTree) -> Import:
        """The import of another file."""
        keyword, source, _, alias = children_of(tree)
        is_file = cast("Token", source).type == "STRING"
        text = str(source)[1:-1] if is_file else str(source)
        name = None if alias is None else self.name(alias)
        return Import(text, is_file, name, place=self.place(keyword))

    def decide(self, tree: LarkTree) -> Decide:
        """A decision table."""
        keyword, *parts = children_of(tree)
        trees = [as_tree(part) for part in parts]
        return Decide(
            tuple(self.size(part) for part in trees if part.data == "size"),
            tuple(self.rule(part) for part in trees if part.data == "rule"),
            place=self.place(keyword),
        )

    def size(self, tree: LarkTree) -> SizeName:
        """A size of a decision table."""
        name, argument, dim = children_of(tree)
        number = self.number(str(dim), self.place(dim))
        if not isinstance(number, int):
            raise UserError(
                "a dimension is a whole number", self.place(dim), "such as x[0]"
            )
        return SizeName(
            self.name(name), self.name(argument), number, place=self.place(name)
        )

    def rule(self, tree: LarkTree) -> SizeRule:
        """A rule of a decision table."""
        condition, body = children_of(tree)
        return SizeRule(
            None if isinstance(condition, Token) else self.value(as_tree(condition)),
            self.body(as_tree(body)),
            place=self.place(condition),
        )

    def definition(self, tree: LarkTree) -> Definition:
        """A schedule or a sequence."""
        kind, name, parameters, body = children_of(tree)
        return Definition(
            str(kind) == "schedule",
            self.name(name),
            tuple(self.parameter(p) for p in trees_of(parameters)),
            self.body(as_tree(body)),
            place=self.place(kind),
            end=self.end(tree),
        )

    def parameter(self, tree: LarkTree) -> Parameter:
        """A parameter of a definition."""
        name, kind = children_of(tree)
        return Parameter(self.name(name), self.kind(kind), place=self.place(tree))

    def kind(self, child: Child) -> Kind | None:
        """The kind of a name, if one is written."""
        if child is None:
            return None
        token = cast("Token", children_of(as_tree(child))[0])
        quoted = token.type == "STRING"
        text = str(token)[1:-1] if quoted else str(token)
        return Kind(text, quoted, place=self.place(token))

    def body(self, tree: LarkTree) -> tuple[Statement, ...]:
        """The statements of a block."""
        return tuple(
            self.statement(statement)
            for line in trees_of(tree)
            for statement in trees_of(line)
        )

    def statement(self, tree: LarkTree) -> Statement:
        """Any statement: the grammar's rule names the method."""
        return cast("Statement", getattr(self, f"_{tree.data}")(tree))

    def _knob(self, tree: LarkTree) -> Knob:
        targets, _, label, options, _, default = children_of(tree)
        return self.knob_of(tree, targets, label, options, default)

    def _short_knob(self, tree: LarkTree) -> Knob:
        targets, default, _, label, options = children_of(tree)
        knob = self.knob_of(tree, targets, label, options, default)
        return replace(knob, is_short=True)

    def knob_of(
        self,
        tree: LarkTree,
        targets: Child,
        label: Child,
        options: Child,
        default: Child,
    ) -> Knob:
        """A knob; its options are a list or a call."""
        listed = as_tree(options)
        return Knob(
            self.single(targets, "a knob"),
            self.items(listed) if listed.data == "list" else self.options_call(listed),
            None if label is None else str(label)[1:-1],
            None if default is None else self.literal(as_tree(default)),
            place=self.place(tree),
        )

    def options_call(self, tree: LarkTree) -> Call:
        """A function that lists options."""
        call = self.included(tree)
        usage = " or ".join(OPTION_FUNCTIONS.values())
        if call.function.text not in OPTION_FUNCTIONS:
            raise UserError(
                f"knob: no options are called '{call.function.text}'",
                call.place,
                did_you_mean(call.function.text, list(OPTION_FUNCTIONS))
                or f"write a list such as [64, 128], or {usage}",
            )
        return call

    def _assign(self, tree: LarkTree) -> Statement:
        targets, value = children_of(tree)
        found = self.value(as_tree(value))
        if isinstance(found, Name):
            return Action(self.targets(targets), found, (), place=found.place)
        if isinstance(found, Call):
            return Assign(self.targets(targets), found, place=found.place)
        if isinstance(found, Items | Raw):
            raise UserError(
                "expected a verb or a number after '='",
                found.place,
                "write: NAME = VERB ..., or NAME = 128",
            )
        target = self.single(targets, "a number")
        return Constant(target, found, place=self.place(tree))

    def _action(self, tree: LarkTree) -> Action:
        return self.verb_of((), *children_of(tree))

    def _bound_action(self, tree: LarkTree) -> Action:
        targets, *words = children_of(tree)
        return self.verb_of(self.targets(targets), *words)

    def verb_of(
        self, targets: tuple[Target, ...], verb: Child, *arguments: Child
    ) -> Action:
        """A verb and its arguments; a `?` after the verb is an option."""
        name, place = self.name(verb), self.place(verb)
        given = tuple(self.argument(children_of(as_tree(a))[0]) for a in arguments)
        if name.text.endswith("?"):
            name = Name(name.text.removesuffix("?"), place=place)
            given = (*given, Setting(MARK, Literal(True, place=place), place=place))
        return Action(targets, name, given, place=place)

    def _choose(self, tree: LarkTree) -> Choose:
        targets, keyword, name, _, default, *branches = children_of(tree)
        return Choose(
            self.targets(targets),
            self.name(name),
            tuple(self.branch(as_tree(b)) for b in branches),
            None if default is None else self.label(default),
            place=self.place(keyword),
        )

    def _permute(self, tree: LarkTree) -> Permute:
        targets, keyword, name, *branches = children_of(tree)
        return Permute(
            self.targets(targets),
            self.name(name),
            tuple(self.branch(as_tree(b)) for b in branches),
            place=self.place(keyword),
        )

    def _order(self, tree: LarkTree) -> Order:
        targets, keyword, loops = children_of(tree)
        target = self.single(targets, "an order")
        return Order(target, self.items(as_tree(loops)), place=self.place(keyword))

    def label(self, child: Child) -> Name:
        """The label of a branch, quoted if it is not a name."""
        return Name(str(child).strip('"'), place=self.place(child))

    def branch(self, tree: LarkTree) -> Branch:
        """A branch of a `choose`."""
        label, body = children_of(tree)
        return Branch(
            self.name(label),
            self.body(as_tree(body)),
            place=self.place(label),
            end=self.end(tree),
        )

    def _require(self, tree: LarkTree) -> Require:
        keyword, condition = children_of(tree)
        return Require(self.value(as_tree(condition)), place=self.place(keyword))

    def _include(self, tree: LarkTree) -> Include:
        targets, keyword, call, suppress = children_of(tree)
        return Include(
            self.targets(targets),
            self.included(as_tree(call)),
            suppress is not None,
            place=self.place(keyword),
        )

    def _try(self, tree: LarkTree) -> Try:
        targets, keyword, scope, *branches = children_of(tree)
        return Try(
            self.targets(targets),
            None if scope is None else self.name(children_of(as_tree(scope))[0]),
            tuple(self.block(b) for b in branches if isinstance(b, Tree)),
            place=self.place(keyword),
        )

    def _for_each(self, tree: LarkTree) -> ForEach:
        targets, keyword, names, _, shortest, values, block = children_of(tree)
        return ForEach(
            self.targets(targets),
            self.names(names),
            tuple(self.value(as_tree(v)) for v in children_of(as_tree(values))),
            shortest is not None,
            self.block(block),
            place=self.place(keyword),
        )

    def _guarded(self, tree: LarkTree) -> Guarded:
        targets, keyword, names, block = children_of(tree)
        return Guarded(
            self.targets(targets),
            str(keyword),
            self.names(names),
            self.block(block),
            place=self.place(keyword),
        )

    def block(self, child: Child) -> Body:
        """Statements between braces."""
        tree = as_tree(child)
        (body,) = children_of(tree)
        return Body(
            self.body(as_tree(body)), place=self.place(tree), end=self.end(tree)
        )

    def names(self, tree: Child) -> tuple[Name, ...]:
        """Names with commas between them."""
        return tuple(self.name(children_of(name)[0]) for name in trees_of(tree))

    def _yield(self, tree: LarkTree) -> Yield:
        keyword, *values = children_of(tree)
        return Yield(
            tuple(self.value(as_tree(v)) for v in values if v is not None),
            place=self.place(keyword),
        )

    def targets(self, tree: Child) -> tuple[Target, ...]:
        """The names before a `=`."""
        return tuple(self.target(target) for target in trees_of(tree))

    def target(self, tree: LarkTree) -> Target:
        """One name before a `=`."""
        name, kind = children_of(tree)
        return Target(str(name), self.kind(kind), place=self.place(name))

    def single(self, tree: Child, what: str) -> Target:
        """The one name that a statement binds to `what`."""
        first, *others = self.targets(tree)
        if others:
            raise UserError(
                f"{what} has one name",
                others[0].place,
                "write one statement for each name",
            )
        return first

    def included(self, tree: LarkTree) -> Call:
        """The call of an include: its name is always that of a sequence."""
        function, *arguments = children_of(tree)
        return Call(
            self.name(function),
            tuple(self.value(as_tree(a)) for a in arguments if a is not None),
            place=self.place(tree),
        )
