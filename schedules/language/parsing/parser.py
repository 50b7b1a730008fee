"""Text of the schedule language to its tree, with errors a person can act on."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import isinf
from typing import Any, TypeAlias, TypeGuard, cast

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedInput

from tilewright.ir.errors import Place, UserError
from tilewright.ir.text import place_at, remember_source
from tilewright.schedules.language.parsing.grammar import load_parser
from tilewright.schedules.language.parsing.number_runs import NumberRun
from tilewright.schedules.language.parsing.parse_errors import parse_failure
from tilewright.schedules.language.parsing.tokens import DEEPEST, Lines, TooDeepError
from tilewright.schedules.language.syntax import (
    Action,
    Argument,
    Assign,
    Body,
    Branch,
    Call,
    Choose,
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

_FUNCTIONS = frozenset("abs implies xor ite min max cdiv floordiv".split())
"""Functions of numbers; what else is called makes handles."""

_LARGEST = 1 << 63


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
    except TooDeepError as error:
        place = place_at(file, error.token.line or 1, error.token.column or 1)
        raise UserError(
            f"this is nested more than {DEEPEST} deep",
            place,
            "give parts names of their own, or make them sequences",
        ) from None
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

    def _assign(self, tree: _Tree) -> Statement:
        targets, value = _children(tree)
        found = self.value(_tree(value))
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

    def _action(self, tree: _Tree) -> Action:
        return self.verb_of((), *_children(tree))

    def _bound_action(self, tree: _Tree) -> Action:
        targets, *words = _children(tree)
        return self.verb_of(self.targets(targets), *words)

    def verb_of(
        self, targets: tuple[Target, ...], verb: _Child, *arguments: _Child
    ) -> Action:
        return Action(
            targets,
            self.name(verb),
            tuple(self.argument(_children(_tree(a))[0]) for a in arguments),
            place=self.place(verb),
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
        return Require(self.value(_tree(condition)), place=self.place(keyword))

    def _include(self, tree: _Tree) -> Include:
        targets, keyword, call, suppress = _children(tree)
        return Include(
            self.targets(targets),
            self.included(_tree(call)),
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
        """An expression; without recursion, as sums may have thousands of terms."""
        made: list[Value] = []
        stack = [(tree, False)]
        while stack:
            here, is_ready = stack.pop()
            operands = _operands(here)
            if operands and not is_ready:
                stack.append((here, True))
                stack += [(operand, False) for operand in reversed(operands)]
                continue
            count = len(operands)
            given = made[len(made) - count :]
            del made[len(made) - count :]
            made.append(self.operation(here, given) if count else self.leaf(here))
        (found,) = made
        return found

    def leaf(self, tree: _Tree) -> Value:
        if tree.data == "name":
            return self.name(_children(tree)[0])
        if tree.data == "list":
            return self.items(tree)
        if tree.data == "call":
            return self.called(tree, ())
        if tree.data == "raw":
            return Raw(str(_children(tree)[0])[1:-1], place=self.place(tree))
        return self.literal(tree)

    def operation(self, tree: _Tree, operands: Sequence[Value]) -> Value:
        place = self.place(tree)
        if tree.data == "call":
            return self.called(tree, operands)
        if tree.data == "minus":
            (operand,) = operands
            if isinstance(operand, Literal) and _is_number(operand.value):
                return Literal(-operand.value, place=place)
            return Operator("-", (Literal(0, place=place), operand), place=place)
        if tree.data == "negation":
            return Operator("not", tuple(operands), place=place)
        signs = [str(child) for child in _children(tree)[1::2]]
        if tree.data == "comparison":
            return self.comparisons(operands, signs)
        result = operands[0]
        for sign, operand in zip(signs, operands[1:], strict=True):
            result = Operator(sign, (result, operand), place=result.place)
        return result

    def items(self, tree: _Tree) -> Items:
        items: list[Argument] = []
        for item in _trees(tree):
            (child,) = _children(item)
            if isinstance(child, NumberRun):
                items += [self.plain_number(token) for token in child.numbers]
            else:
                items.append(self.argument(child))
        return Items(tuple(items), place=self.place(tree))

    def plain_number(self, token: Token) -> Literal:
        place = self.place(token)
        return Literal(self.number(str(token), place), place=place)

    def called(self, tree: _Tree, arguments: Sequence[Value]) -> Call | Operator:
        function = self.name(_children(tree)[0])
        place = self.place(tree)
        if function.text in _FUNCTIONS:
            return Operator(function.text, tuple(arguments), place=place)
        return Call(function, tuple(arguments), place=place)

    def included(self, tree: _Tree) -> Call:
        """What an include runs: its name is a sequence's, whatever it is."""
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
            value = self.number(word, self.place(tree))
        return Literal(value, place=self.place(tree))

    def number(self, word: str, place: Place) -> int | float:
        if "." in word:
            value = float(word)
            if isinf(value):
                raise UserError(f"{word} is no finite number", place, "write less")
            return value
        # Python refuses to read an integer of thousands of digits.
        if len(word) > 40 or not -_LARGEST <= int(word) < _LARGEST:
            shown = word if len(word) <= 40 else f"{word[:20]}..."
            raise UserError(
                f"{shown} does not fit in 64 bits",
                place,
                f"a whole number is at most {_LARGEST - 1}",
            )
        return int(word)

    def comparisons(self, operands: Sequence[Value], signs: Sequence[str]) -> Value:
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


def _operands(tree: _Tree) -> list[_Tree]:
    """What an operator or a function is given; nothing for a name or a constant."""
    if tree.data in {"list", "name", "raw"}:
        return []
    return [child for child in _children(tree) if isinstance(child, Tree)]


def _is_number(value: object) -> TypeGuard[int | float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


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
