"""Text of the schedule language to its tree, with errors a person can act on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, TypeAlias, cast

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedInput
from lark.lark import PostLex

from tilewright.ir.errors import Place, UserError
from tilewright.ir.text import place_at, remember_source
from tilewright.schedules.grammar import load_parser
from tilewright.schedules.parse_errors import END, parse_failure
from tilewright.schedules.syntax import (
    Action,
    Argument,
    Assign,
    Body,
    Branch,
    Call,
    Choose,
    Condition,
    Constant,
    Definition,
    File,
    ForEach,
    Guarded,
    Include,
    Items,
    Kind,
    Knob,
    Literal,
    Name,
    Operator,
    Parameter,
    Raw,
    Require,
    Setting,
    Statement,
    Target,
    Try,
    Value,
    Yield,
)

_JOINING = {"COMPARE", "PLUS", "MINUS", "TIMES", "AND", "OR", "EQUAL", "COMMA"}
"""A line that ends or begins with one of these goes on."""


class Lines(PostLex):
    """Keeps only the line ends that end a statement."""

    always_accept = (END,)

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        """Drop line ends in brackets, around operators, beside braces, and repeats."""
        depth = 0
        previous = "LBRACE"
        waiting: Token | None = None
        for token in stream:
            if token.type == END:
                if depth == 0 and previous not in {"LBRACE", *_JOINING}:
                    waiting = waiting or token
                continue
            if waiting is not None and token.type not in {"RBRACE", "ELSE", *_JOINING}:
                yield waiting
            waiting = None
            depth += {"LPAR": 1, "LSQB": 1, "RPAR": -1, "RSQB": -1}.get(token.type, 0)
            previous = token.type
            yield token


@cache
def _lark() -> Lark:
    return load_parser(Lines())


def parse(text: str, file: str) -> File:
    """Parse a text; `file` is what errors and locations call it."""
    remember_source(file, text)
    try:
        tree = cast("Any", _lark()).parse(text + "\n")
    except UnexpectedInput as error:
        raise parse_failure(error, text, file) from error
    return _Reader(file).file(tree)


# -- the tree --------------------------------------------------------------------

_Tree: TypeAlias = Tree[Token]
_Child: TypeAlias = "_Tree | Token | None"


class _Reader:
    """Turns Lark's tree, whose children are untyped, into ours."""

    def __init__(self, file: str):
        self._file = file

    def file(self, tree: _Tree) -> File:
        return File(tuple(self.definition(child) for child in _trees(tree)))

    def definition(self, tree: _Tree) -> Definition:
        kind, name, parameters, body = _children(tree)
        return Definition(
            str(kind) == "schedule",
            self.name(name),
            tuple(self.parameter(p) for p in _trees(parameters)),
            self.body(_tree(body)),
            place=self.place(kind),
            end=self.end(tree),
        )

    def parameter(self, tree: _Tree) -> Parameter:
        name, kind = _children(tree)
        return Parameter(self.name(name), self.kind(kind), place=self.place(tree))

    def kind(self, child: _Child) -> Kind | None:
        if child is None:
            return None
        token = cast("Token", _children(_tree(child))[0])
        quoted = token.type == "STRING"
        text = str(token)[1:-1] if quoted else str(token)
        return Kind(text, quoted, place=self.place(token))

    def body(self, tree: _Tree) -> tuple[Statement, ...]:
        return tuple(
            self.statement(statement)
            for line in _trees(tree)
            for statement in _trees(line)
        )

    def statement(self, tree: _Tree) -> Statement:
        return cast("Statement", getattr(self, f"_{tree.data}")(tree))

    def _knob(self, tree: _Tree) -> Knob:
        targets, _, label, options = _children(tree)
        return Knob(
            self.single(targets, "a knob"),
            self.items(_tree(options)),
            None if label is None else str(label)[1:-1],
            place=self.place(tree),
        )

    def _constant(self, tree: _Tree) -> Constant:
        targets, literal = _children(tree)
        return Constant(
            self.single(targets, "a constant"),
            self.literal(_tree(literal)),
            place=self.place(tree),
        )

    def _action(self, tree: _Tree) -> Action:
        targets, verb, *arguments = _children(tree)
        return Action(
            self.targets(targets),
            self.name(verb),
            tuple(self.argument(_children(_tree(a))[0]) for a in arguments),
            place=self.place(verb),
        )

    def _call_action(self, tree: _Tree) -> Assign:
        targets, call = _children(tree)
        return Assign(
            self.targets(targets), self.call(_tree(call)), place=self.place(call)
        )

    def _choose(self, tree: _Tree) -> Choose:
        targets, keyword, name, *branches = _children(tree)
        return Choose(
            self.targets(targets),
            self.name(name),
            tuple(self.branch(_tree(b)) for b in branches),
            place=self.place(keyword),
        )

    def branch(self, tree: _Tree) -> Branch:
        label, body = _children(tree)
        return Branch(
            self.name(label),
            self.body(_tree(body)),
            place=self.place(label),
            end=self.end(tree),
        )

    def _require(self, tree: _Tree) -> Require:
        keyword, condition = _children(tree)
        return Require(self.condition(_tree(condition)), place=self.place(keyword))

    def _include(self, tree: _Tree) -> Include:
        targets, keyword, call, suppress = _children(tree)
        return Include(
            self.targets(targets),
            self.call(_tree(call)),
            suppress is not None,
            place=self.place(keyword),
        )

    def _try(self, tree: _Tree) -> Try:
        targets, keyword, scope, *branches = _children(tree)
        return Try(
            self.targets(targets),
            None if scope is None else self.name(_children(_tree(scope))[0]),
            tuple(self.block(b) for b in branches if isinstance(b, Tree)),
            place=self.place(keyword),
        )

    def _for_each(self, tree: _Tree) -> ForEach:
        targets, keyword, names, _, shortest, values, block = _children(tree)
        return ForEach(
            self.targets(targets),
            self.names(names),
            tuple(self.value(_tree(v)) for v in _children(_tree(values))),
            shortest is not None,
            self.block(block),
            place=self.place(keyword),
        )

    def _guarded(self, tree: _Tree) -> Guarded:
        targets, keyword, names, block = _children(tree)
        return Guarded(
            self.targets(targets),
            str(keyword),
            self.names(names),
            self.block(block),
            place=self.place(keyword),
        )

    def block(self, child: _Child) -> Body:
        tree = _tree(child)
        (body,) = _children(tree)
        return Body(self.body(_tree(body)), place=self.place(tree), end=self.end(tree))

    def names(self, tree: _Child) -> tuple[Name, ...]:
        return tuple(self.name(_children(name)[0]) for name in _trees(tree))

    def _yield(self, tree: _Tree) -> Yield:
        keyword, *values = _children(tree)
        return Yield(
            tuple(self.value(_tree(v)) for v in values if v is not None),
            place=self.place(keyword),
        )

    def targets(self, tree: _Child) -> tuple[Target, ...]:
        return tuple(self.target(target) for target in _trees(tree))

    def target(self, tree: _Tree) -> Target:
        name, kind = _children(tree)
        return Target(str(name), self.kind(kind), place=self.place(name))

    def single(self, tree: _Child, what: str) -> Target:
        first, *others = self.targets(tree)
        if others:
            raise UserError(
                f"{what} has one name",
                others[0].place,
                "write one statement for each name",
            )
        return first

    def argument(self, child: _Child) -> Argument:
        tree = _tree(child)
        if tree.data != "setting":
            return self.value(tree)
        key, value = _children(tree)
        quoted = cast("Token", key).type == "STRING"
        return Setting(
            str(key)[1:-1] if quoted else str(key),
            self.value(_tree(value)),
            quoted,
            place=self.place(key),
        )

    def value(self, tree: _Tree) -> Value:
        if tree.data == "name":
            return self.name(_children(tree)[0])
        if tree.data == "list":
            return self.items(tree)
        if tree.data == "call":
            return self.call(tree)
        if tree.data == "raw":
            return Raw(str(_children(tree)[0])[1:-1], place=self.place(tree))
        return self.literal(tree)

    def items(self, tree: _Tree) -> Items:
        items = [self.argument(_children(item)[0]) for item in _trees(tree)]
        return Items(tuple(items), place=self.place(tree))

    def call(self, tree: _Tree) -> Call:
        function, *arguments = _children(tree)
        return Call(
            self.name(function),
            tuple(self.value(_tree(a)) for a in arguments if a is not None),
            place=self.place(tree),
        )

    def name(self, child: _Child) -> Name:
        return Name(str(child), place=self.place(child))

    def literal(self, tree: _Tree) -> Literal:
        word = str(_children(tree)[0])
        value: int | float | str | bool
        if tree.data == "string":
            value = word[1:-1]
        elif tree.data in {"true", "false"}:
            value = tree.data == "true"
        else:
            number = float(word) if "." in word else int(word)
            value = -number if tree.data == "negative" else number
        return Literal(value, place=self.place(tree))

    def condition(self, tree: _Tree) -> Condition:
        if tree.data == "name":
            return self.name(_children(tree)[0])
        if tree.data in {"literal", "true", "false"}:
            return self.literal(tree)
        place = self.place(tree)
        if tree.data == "minus":
            operand = self.condition(_tree(_children(tree)[1]))
            return Operator("-", (Literal(0, place=place), operand), place=place)
        if tree.data == "negation":
            operand = self.condition(_tree(_children(tree)[1]))
            return Operator("not", (operand,), place=place)
        if tree.data == "function":
            name, *operands = _children(tree)
            return Operator(
                str(name),
                tuple(self.condition(_tree(o)) for o in operands),
                place=place,
            )
        operands = [self.condition(_tree(child)) for child in _children(tree)[::2]]
        signs = [str(child) for child in _children(tree)[1::2]]
        if tree.data == "comparison":
            return self.comparisons(operands, signs)
        result = operands[0]
        for sign, operand in zip(signs, operands[1:], strict=True):
            result = Operator(sign, (result, operand), place=result.place)
        return result

    def comparisons(
        self, operands: Sequence[Condition], signs: Sequence[str]
    ) -> Condition:
        """`a <= b <= c` is `a <= b and b <= c`."""
        parts = [
            Operator(sign, (left, right), place=left.place)
            for sign, left, right in zip(signs, operands, operands[1:], strict=False)
        ]
        result: Operator = parts[0]
        for part in parts[1:]:
            result = Operator("and", (result, part), place=result.place)
        return result

    def place(self, child: _Child) -> Place:
        if isinstance(child, Token):
            return place_at(self._file, child.line or 1, child.column or 1)
        meta = cast("Any", _tree(child).meta)
        return place_at(self._file, int(meta.line), int(meta.column))

    def end(self, tree: _Tree) -> Place:
        meta = cast("Any", tree.meta)
        return place_at(self._file, int(meta.end_line), int(meta.end_column) - 1)


def _tree(child: _Child) -> _Tree:
    assert isinstance(child, Tree)
    return child


def _children(tree: _Tree) -> list[_Child]:
    # Lark's types leave out the None that stands for an optional part.
    return cast("list[_Child]", tree.children)


def _trees(tree: _Child) -> list[_Tree]:
    if tree is None:
        return []
    return [child for child in _children(_tree(tree)) if isinstance(child, Tree)]
