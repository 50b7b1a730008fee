"""Writes a schedule of the language as a Python program that builds the same schedule.

tail, grid = tile tail by [BM, 64] onto [block.y, block.x]
tail, grid = s.tile(tail, [BM, 64], onto=["block.y", "block.x"])
"""

from __future__ import annotations

import keyword
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager

from tilewright.ir.errors import UserError
from tilewright.schedules.builder.references import parts
from tilewright.schedules.builder.signatures import Signature
from tilewright.schedules.builder.written_values import SELF, Written, quoted
from tilewright.schedules.language.lowering.lower import choices_of
from tilewright.schedules.language.syntax import (
    Action,
    Assign,
    Body,
    Branch,
    Choose,
    Constant,
    Decide,
    Definition,
    File,
    ForEach,
    Guarded,
    Include,
    Knob,
    Name,
    Node,
    Order,
    Permute,
    Require,
    Setting,
    Statement,
    Target,
    Try,
    Yield,
)
from tilewright.schedules.language.verbs.forms import Kind
from tilewright.schedules.language.verbs.vocabulary import BY_NAME
from tilewright.schedules.size_table import setting_of

_BLOCKS = Choose | Permute | Try | ForEach | Guarded
_INDENT = "    "


def python_text(file: File) -> str:
    """The Python program of a schedule."""
    bodies = [definition.body for definition in file.definitions]
    bound = {part.text for part in parts(file) if isinstance(part, Target)}
    orders = {part.target.text for part in parts(file) if isinstance(part, Order)}
    writer = _Writer(Written(dict(choices_of(bodies)), orders), bound)
    schedules = [each for each in file.definitions if each.is_schedule]
    for schedule in schedules[:1]:
        writer.line(f"{SELF} = tilewright.schedule({quoted(schedule.name.text)})")
    for each in file.imports:
        alias = "" if each.alias is None else f", {quoted(each.alias.text)}"
        writer.line(f"{SELF}.import_({quoted(each.source)}{alias})")
    for definition in file.definitions:
        if definition.is_schedule:
            writer.schedule(definition)
        else:
            writer.sequence(definition)
    for table in file.decisions:
        writer.table(table)
    return "\n".join(["import tilewright", "", *writer.lines, ""])


class _Writer:
    """Writes the lines of a program."""

    def __init__(self, values: Written, names: set[str]):
        self.lines: list[str] = []
        self._depth = 0
        self._blocks = 0
        self._names = names
        """The names that are bound anywhere."""
        self._values = values

    def line(self, text: str) -> None:
        """Add a line to the block that is being written."""
        self.lines.append(_INDENT * self._depth + text)

    @contextmanager
    def _indented(self, head: str) -> Generator[None]:
        self.line(head)
        before = len(self.lines)
        self._depth += 1
        yield
        if len(self.lines) == before:
            self.line("pass")
        self._depth -= 1

    # -- definitions -------------------------------------------------------------

    def schedule(self, definition: Definition) -> None:
        """The statements of the schedule itself."""
        for parameter in definition.parameters[1:]:
            raise UserError(
                "a schedule in Python takes the root alone",
                parameter.place,
                "match the ops inside it",
            )
        root = definition.parameters[0].name.text
        inside = [
            name for statement in definition.body for name in _assigned(statement)
        ]
        if root in inside:
            self.line(f"{_variable(root)} = {SELF}.root")
        self._values.root = "" if root in inside else root
        self._body(definition.body)

    def sequence(self, definition: Definition) -> None:
        """A sequence, which the schedule includes."""
        kinds = "".join(
            f", {_variable(p.name.text)}={quoted(p.kind.text if p.kind else 'op')}"
            for p in definition.parameters
        )
        names = _tuple([parameter.name for parameter in definition.parameters])
        name = definition.name.text
        with self._indented(f"with {SELF}.sequence({quoted(name)}{kinds}) as {names}:"):
            self._body(definition.body)

    def table(self, table: Decide) -> None:
        """The rules of a decision table."""
        for size in table.sizes:
            name, of = quoted(size.name.text), quoted(size.argument.text)
            variable = _variable(size.name.text)
            self.line(f"{variable} = {SELF}.size({name}, {of}, {size.dim})")
        for rule in table.rules:
            given = [] if rule.condition is None else [rule.condition]
            words = [self._values.value(each) for each in given]
            point = [setting_of(setting)[:2] for setting in rule.settings]
            if all(_is_keyword_name(name) for name, _ in point):
                words += [f"{name}={quoted(value)}" for name, value in point]
            else:
                pairs = [f"{quoted(name)}: {quoted(value)}" for name, value in point]
                words.append(f"**{{{', '.join(pairs)}}}")
            self.line(f"{SELF}.decide({', '.join(words)})")

    def _body(self, body: Sequence[Statement]) -> None:
        for position, statement in enumerate(body):
            if isinstance(statement, _BLOCKS):
                self._kept(statement, body[position + 1 :])
            else:
                self._simple(statement)

    def _kept(self, statement: Statement, after: Sequence[Statement]) -> None:
        """A statement with blocks; variables that blocks assign get their value back.

        The language does so by itself: a name that a block binds is its own.
        """
        assert isinstance(statement, _BLOCKS)
        results = {target.text for target in statement.targets}
        used = {name for later in after for name in _names(later)}
        lost = [n for n in _assigned(statement) if n in used and n not in results]
        for name in lost:
            self.line(f"kept_{name} = {_variable(name)}")
        self._with_blocks(statement)
        for name in lost:
            self.line(f"{_variable(name)} = kept_{name}")

    # -- statements --------------------------------------------------------------

    def _simple(self, statement: Statement) -> None:
        value = self._values.value
        if isinstance(statement, Action):
            self._action(statement)
        elif isinstance(statement, Knob):
            name = statement.label or statement.target.text
            default = statement.default
            end = "" if default is None else f", default={value(default)}"
            call = f"{SELF}.knob({quoted(name)}, {value(statement.options)}{end})"
            self.line(f"{_variable(statement.target.text)} = {call}")
        elif isinstance(statement, Order):
            name = statement.target.text
            call = f"{SELF}.loop_order({quoted(name)}, {value(statement.loops)})"
            self.line(f"{_variable(name)} = {call}")
        elif isinstance(statement, Constant):
            made = f"{SELF}.number({value(statement.value)})"
            self.line(f"{_variable(statement.target.text)} = {made}")
        elif isinstance(statement, Require):
            self.line(f"{SELF}.require({value(statement.condition)})")
        elif isinstance(statement, Yield):
            self.line(f"{SELF}.yield_({', '.join(map(value, statement.values))})")
        elif isinstance(statement, Assign):
            self._bound(statement.targets, value(statement.call), several=False)
        else:
            assert isinstance(statement, Include)
            given = [quoted(statement.call.function.text)]
            given += map(value, statement.call.arguments)
            given += ["suppress=True"] if statement.suppress else []
            call = f"{SELF}.include({', '.join(given)})"
            self._bound(statement.targets, call, several=True)

    def _action(self, action: Action) -> None:
        verb = BY_NAME.get(action.verb.text)
        if verb is None:
            self._any_op(action)
            return
        signature = Signature(verb)
        arguments = [self._values.as_list(each) for each in action.arguments]
        fields = verb.form.match(action.verb, arguments)
        given: list[str] = []
        for position, parameter in enumerate(signature.parameters):
            argument = fields.get(parameter.slot.field)
            if argument is None or (parameter.is_root and self._is_root(argument)):
                continue
            if parameter.slot.kind is Kind.SETTING:
                given += self._values.setting(argument)
                continue
            text = self._values.argument(parameter.slot.kind, argument)
            by_name = parameter.is_keyword or len(given) < position
            given.append(f"{parameter.name}={text}" if by_name else text)
        call = f"{_giving(action)}.{signature.name}({', '.join(given)})"
        self._bound(action.targets, call, several=signature.result_count != 1)

    def _is_root(self, argument: Node) -> bool:
        return isinstance(argument, Name) and argument.text == self._values.root

    def _any_op(self, action: Action) -> None:
        given = [quoted(action.verb.text)]
        attributes: list[str] = []
        for argument in action.arguments:
            if not isinstance(argument, Setting):
                given.append(self._values.value(argument))
            elif argument.quoted:
                text = self._values.value(argument.value)
                attributes.append(f"{quoted(argument.key)}: {text}")
            else:
                given.append(f"{argument.key}={self._values.value(argument.value)}")
        if attributes:
            given.append(f"attributes={{{', '.join(attributes)}}}")
        call = f"{_giving(action)}.op({', '.join(given)})"
        self._bound(action.targets, call, several=True)

    def _bound(self, targets: Sequence[Target], call: str, *, several: bool) -> None:
        if not targets:
            self.line(call)
            return
        if any(target.text == self._values.root for target in targets):
            self._values.root = ""
        names = _tuple(targets) if several else _variable(targets[0].text)
        self.line(f"{names.removeprefix('(').removesuffix(')')} = {call}")

    # -- blocks ------------------------------------------------------------------

    def _block_name(self, statement: Statement) -> str:
        """A variable for a statement with blocks: the name of a choice, if free."""
        if isinstance(statement, Choose | Permute):
            name = statement.name.text
            if name.isidentifier() and _variable(name) not in self._names:
                return _variable(name)
        self._blocks += 1
        return f"block_{self._blocks}"

    def _with_blocks(self, statement: Statement) -> None:
        block = self._block_name(statement)
        if isinstance(statement, Choose):
            default = statement.default
            end = "" if default is None else f", default={quoted(default.text)}"
            name = quoted(statement.name.text)
            head = f"with {SELF}.choose({name}{end}) as {block}:"
            with self._indented(head):
                for branch in statement.branches:
                    label = branch.label.text
                    with self._indented(f"with {block}.branch({quoted(label)}):"):
                        self._body(branch.body)
        elif isinstance(statement, Permute):
            name = quoted(statement.name.text)
            with self._indented(f"with {SELF}.permute({name}) as {block}:"):
                for step in statement.branches:
                    label = quoted(step.label.text)
                    with self._indented(f"with {block}.step({label}):"):
                        self._body(step.body)
        elif isinstance(statement, Try):
            scope = "" if statement.scope is None else _variable(statement.scope.text)
            with self._indented(f"with {SELF}.try_({scope}) as {block}:"):
                for body in statement.branches:
                    with self._indented(f"with {block}.branch():"):
                        self._body(body.statements)
        elif isinstance(statement, ForEach):
            over = [self._values.value(each) for each in statement.values]
            over += ["shortest=True"] if statement.shortest else []
            self.line(f"{block} = {SELF}.for_each({', '.join(over)})")
            with self._indented(f"with {block} as {_tuple(statement.names)}:"):
                self._body(statement.body.statements)
        else:
            assert isinstance(statement, Guarded)
            given = ", ".join(_variable(name.text) for name in statement.names)
            self.line(f"{block} = {SELF}.{statement.word}({given})")
            with self._indented(f"with {block}:"):
                self._body(statement.body.statements)
        targets = getattr(statement, "targets", ())
        if targets:
            self._bound(targets, f"{block}.results", several=True)


def _giving(action: Action) -> str:
    """The schedule, with the kinds of the results if they are written."""
    if not any(target.kind for target in action.targets):
        return SELF
    kinds = [target.kind.text if target.kind else "op" for target in action.targets]
    return f"{SELF}.giving({', '.join(map(quoted, kinds))})"


def _variable(name: str) -> str:
    """The variable of Python for a name."""
    if name == SELF or keyword.iskeyword(name) or name == "tilewright":
        return f"{name}_"
    return name


def _tuple(names: Sequence[Name]) -> str:
    """`(a, b)`, `(a,)`."""
    inner = ", ".join(_variable(name.text) for name in names)
    return f"({inner},)" if len(names) == 1 else f"({inner})"


def _names(node: Node) -> Iterator[str]:
    """The names in a tree, used or bound."""
    for part in parts(node):
        if isinstance(part, Name):
            yield part.text


def _assigned(statement: Statement) -> list[str]:
    """The names that the blocks of a statement bind."""
    found: dict[str, None] = {}
    for part in parts(statement):
        if isinstance(part, Branch | Body):
            for inner in parts(part):
                if isinstance(inner, Target):
                    found[inner.text] = None
        elif isinstance(part, ForEach):
            found |= {name.text: None for name in part.names}
    return list(found)


def _is_keyword_name(name: str) -> bool:
    """Whether a call can give an argument of this name as a keyword."""
    return name.isidentifier() and not keyword.iskeyword(name)
