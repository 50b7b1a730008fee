"""One schedule or sequence as text of the schedule language.

A statement is written only if it reads back as the op (`read_back.py`). The comments of
its line in the source are written with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.dialects.transform import NamedSequenceOp
from xdsl.ir import Attribute, Block, Operation, SSAValue

from tilewright.ir.errors import UserError
from tilewright.ir.text import place_of
from tilewright.schedules.language.comments.notes import Comments, Notes
from tilewright.schedules.language.lowering.blocks import WHOLE
from tilewright.schedules.language.printing import any_op
from tilewright.schedules.language.printing.in_line import (
    is_nameless_constant,
    is_nameless_number,
    is_nameless_payload_number,
    next_statement,
)
from tilewright.schedules.language.printing.names import (
    NAME,
    argument_name,
    kind_suffix,
    result_names,
    targets,
    unique_name,
)
from tilewright.schedules.language.printing.read_back import reads_as
from tilewright.schedules.language.verbs.attribute_text import text_of
from tilewright.schedules.language.verbs.op_schema import typed_operand
from tilewright.schedules.language.verbs.translations import is_part_of_next
from tilewright.schedules.language.verbs.vocabulary import (
    BY_NAME,
    call_for,
    statements_for,
)
from tilewright.transforms.control.alternatives import AlternativesOp as TryOp
from tilewright.transforms.control.choices.choice import DEFAULT
from tilewright.transforms.control.choices.constrain import ConstrainParamsOp, text
from tilewright.transforms.control.choices.selected_region import SelectedRegionOp
from tilewright.transforms.control.choices.tune_alternatives import AlternativesOp
from tilewright.transforms.control.choices.tune_knob import KnobOp
from tilewright.transforms.control.failures import suppresses
from tilewright.transforms.control.foreach import ForeachOp
from tilewright.transforms.control.sequence import (
    IncludeOp,
    SequenceOp,
    YieldOp,
)
from tilewright.transforms.handles.cast import CastOp
from tilewright.transforms.handles.merge_handles import MergeHandlesOp
from tilewright.transforms.handles.param_constant import ParamConstantOp
from tilewright.transforms.interpreter import ENTRY
from tilewright.transforms.matchers.structured import (
    MatchStructuredOp,
    MatchStructuredYieldOp,
)

_INDENT = "  "

_Names = dict[str, SSAValue]


class DefinitionText:
    """Writes one schedule or sequence; `titles` has the printed name of each symbol."""

    def __init__(
        self, op: NamedSequenceOp, titles: Mapping[str, str], comments: Comments
    ):
        self._titles = titles
        self._comments = comments
        self._lines: list[str] = []
        self._held = Notes()
        """The notes of ops that the next statement expresses too."""
        self._names: dict[SSAValue, str] = {}
        self._in_line: dict[SSAValue, str] = {}
        bound: _Names = {}
        parameters: list[str] = []
        for argument in op.body.block.args:
            word = argument_name(argument, bound, bound.values())
            self._names[argument] = word
            bound[word] = argument
            parameters.append(f"{word}{kind_suffix(argument)}")
        kind = "schedule" if op.sym_name.data == ENTRY else "sequence"
        title = f"{kind} {titles[op.sym_name.data]}"
        notes = comments.of(op)
        self._open(0, notes, "", f"{title}({', '.join(parameters)}) {{")
        self._block(op.body.block, bound, _INDENT)
        self._lines.append("}")
        self._close(notes, "")

    @property
    def text(self) -> str:
        """The definition."""
        return "\n".join(self._lines)

    # -- the Writer of verbs -----------------------------------------------------

    def name(self, value: SSAValue) -> str:
        """The name of a handle, or the call that makes it."""
        return self._in_line.get(value) or self._names[value]

    def param(self, value: SSAValue) -> str:
        """The name of a parameter, or its value if it has no name."""
        return self.name(value)

    def sizes(self, static: Sequence[int], dynamic: Sequence[SSAValue]) -> str:
        """`[0, BM, 32]`."""
        values = iter(dynamic)
        words = [
            self.param(next(values)) if size == DYNAMIC_INDEX else str(size)
            for size in static
        ]
        return f"[{', '.join(words)}]"

    def constant(self, value: Attribute) -> str:
        """A constant attribute."""
        return text_of(value)

    def op_fields(self, op: Operation) -> Mapping[str, str] | None:
        """All fields of an op under the op's own names; None if it has a body."""
        return any_op.fields_of(op, self.name)

    # -- statements --------------------------------------------------------------

    def _block(self, block: Block, bound: Mapping[str, SSAValue], indent: str) -> None:
        bound = dict(bound)
        for op in block.ops:
            if is_part_of_next(op) or self._goes_in_line(op, bound):
                self._held = self._notes(op)
                continue
            if isinstance(op, AlternativesOp):
                self._choose(op, bound, indent)
            elif isinstance(op, TryOp):
                self._try(op, bound, indent)
            elif isinstance(op, ForeachOp):
                self._for_each(op, bound, indent)
            elif isinstance(op, SequenceOp | MatchStructuredOp):
                self._guarded(op, bound, indent)
            elif isinstance(op, YieldOp | MatchStructuredYieldOp) and not op.operands:
                self._lines += self._notes(op).lone(indent)
            else:
                notes = self._notes(op)
                for inner in op.walk():  # what its region has is part of the line
                    notes.above += self._comments.of(inner).lone("")
                if notes.beside and notes.closing:  # the op has a block, the line none
                    notes.below.insert(0, notes.closing)
                    notes.closing = ""
                line = self._statement(op, bound)
                self._open(len(self._lines), notes, indent, line)
                self._close(notes, indent)

    def _statement(self, op: Operation, bound: _Names) -> str:
        """A statement that takes one line."""
        if isinstance(op, YieldOp | MatchStructuredYieldOp):
            return f"yield {', '.join(map(self.name, op.operands))}"
        if isinstance(op, IncludeOp):
            return self._include(op, bound)
        return self._simple(op, bound)

    def _notes(self, op: Operation) -> Notes:
        """The notes of an op, and of the ops before it that have no statement."""
        held, self._held = self._held, Notes()
        return held.joined(self._comments.of(op))

    def _open(self, start: int, notes: Notes, indent: str, line: str) -> None:
        """Write the first line of a statement above the lines inside it."""
        is_first = not start or self._lines[start - 1].split("  //")[0].endswith("{")
        self._lines[start:start] = notes.opened(indent, line, is_first)

    def _close(self, notes: Notes, indent: str) -> None:
        """Write what stands behind and below a statement."""
        end, below = notes.closed(indent)
        self._lines[-1] += end
        self._lines += below

    def _simple(self, op: Operation, bound: _Names) -> str:
        """The first statement that reads back as the op."""
        before = dict(bound)
        words = result_names(op, bound)
        parts = [op]
        while parts[0].prev_op is not None and is_part_of_next(parts[0].prev_op):
            parts.insert(0, parts[0].prev_op)
        for statement in self._offers(op, words):
            for names in targets(words, op.results):
                line = f"{names} = {statement}" if words else statement
                if reads_as(line, parts, before):
                    bound.update(zip(words, op.results, strict=True))
                    self._names.update(zip(op.results, words, strict=True))
                    return line
        raise unwritable(op)

    def _offers(self, op: Operation, targets: Sequence[str]) -> Iterator[str]:
        """Statements that may express an op, the most readable first."""
        if isinstance(op, KnobOp):
            name = op.knob_name.data
            label = "" if targets == [name] else f'"{name}" '
            options = ", ".join(map(text_of, op.listed))
            default = op.attributes.get(DEFAULT)
            end = "" if default is None else f" default {text_of(default)}"
            yield f"knob {label}[{options}]{end}"
        elif isinstance(op, ParamConstantOp):
            yield text_of(op.value)
        elif isinstance(op, ConstrainParamsOp):
            yield f"{'' if op.res else 'require '}{self._expression(op)}"
        elif (call := call_for(op, self)) is not None:
            yield call
        yield from statements_for(op, self)
        statement = any_op.write(op, self.name, BY_NAME)
        if statement is not None:
            yield statement

    def _expression(self, op: ConstrainParamsOp) -> str:
        return text(op, [self.param(param) for param in op.params])

    def _include(self, op: IncludeOp, bound: _Names) -> str:
        arguments = ", ".join(map(self.name, op.args))
        target = op.target.string_value()
        call = f"include {self._titles.get(target, target)}({arguments})"
        if suppresses(op.failure_propagation_mode):
            call += " suppress"
        return f"{self._bind(op, bound)}{call}"

    def _choose(self, op: AlternativesOp, bound: _Names, indent: str) -> None:
        start, notes = len(self._lines), self._notes(op)
        words: list[str] = []
        for label, region in zip(op.labels, op.alternatives, strict=True):
            wanted = label if NAME.fullmatch(label) else f"branch_{label}"
            branch = self._comments.of_branch(op, len(words))
            words.append(unique_name(wanted, words))
            self._braced(words[-1], region.block, bound, indent + _INDENT, branch)
        targets = self._bind(op, bound)
        title = f"choose {unique_name(op.alternatives_name.data, ())}"
        if op.default is not None:
            title += f" default {words[op.labels.index(op.default)]}"
        self._open(start, notes, indent, f"{targets}{title} {{")
        self._lines.append(f"{indent}}}")
        self._close(notes, indent)

    def _try(self, op: TryOp, bound: _Names, indent: str) -> None:
        """Each branch sees the scope alone, under the name it has outside."""
        name = WHOLE if op.scope is None else self.name(op.scope)
        start, notes = len(self._lines), self._notes(op)
        for number, region in enumerate(op.alternatives):
            argument = region.block.args[0]
            self._names[argument] = name
            if number:
                self._lines[-1] += " else {"
            self._inner(region.block, {name: argument}, indent)
        title = "try" if op.scope is None else f"try {name}"
        self._open(start, notes, indent, f"{self._bind(op, bound)}{title} {{")
        self._close(notes, indent)

    def _for_each(self, op: ForeachOp, bound: _Names, indent: str) -> None:
        inner = dict(bound)
        names: list[str] = []
        for argument in op.body.block.args:
            word = argument_name(argument, inner, _used_in(op))
            self._names[argument] = word
            inner[word] = argument
            names.append(word)
        shortest = "shortest " if op.with_zip_shortest is not None else ""
        handles = ", ".join(map(self.name, op.targets))
        start, notes = len(self._lines), self._notes(op)
        self._inner(op.body.block, inner, indent)
        title = f"for each {', '.join(names)} in {shortest}{handles}"
        self._open(start, notes, indent, f"{self._bind(op, bound)}{title} {{")
        self._close(notes, indent)

    def _guarded(
        self, op: SequenceOp | MatchStructuredOp, bound: _Names, indent: str
    ) -> None:
        """Each argument has the name of the handle it stands for."""
        names = [self._names.get(value) for value in op.operands]
        verb = "suppress" if suppresses(op.failure_propagation_mode) else "propagate"
        if isinstance(op, MatchStructuredOp):
            verb = "matching" if verb == "propagate" else None
        hidden = set(op.operands) & _used_in(op)
        if None in names or len(set(names)) < len(names) or hidden or verb is None:
            raise unwritable(op)
        words = [name for name in names if name is not None]
        block = op.regions[0].block
        inner = dict(bound)
        for word, argument in zip(words, block.args, strict=True):
            inner[word] = argument
            self._names[argument] = word
        start, notes = len(self._lines), self._notes(op)
        self._inner(block, inner, indent)
        title = f"{verb} {', '.join(words)}"
        self._open(start, notes, indent, f"{self._bind(op, bound)}{title} {{")
        self._close(notes, indent)

    def _inner(self, block: Block, bound: _Names, indent: str) -> None:
        """The lines of a block and its closing brace."""
        self._block(block, bound, indent + _INDENT)
        self._lines.append(f"{indent}}}")

    def _braced(
        self, title: str, block: Block, bound: _Names, indent: str, notes: Notes
    ) -> None:
        before = len(self._lines)
        self._block(block, bound, indent + _INDENT)
        if len(self._lines) == before:
            self._open(before, notes, indent, f"{title} {{ }}")
        else:
            self._open(before, notes, indent, f"{title} {{")
            self._lines.append(f"{indent}}}")
        self._close(notes, indent)

    def _goes_in_line(self, op: Operation, bound: _Names) -> bool:
        """Whether an op is written inside the statement that uses it.

        If so, its text is recorded.
        """
        if is_nameless_constant(op):
            words = text_of(op.properties["value"])
            if not reads_as(f"p = {words}", [op], bound):
                return False
            self._in_line[op.results[0]] = words
            return True
        if isinstance(op, SelectedRegionOp):
            self._in_line[op.result] = op.alternatives_name.data
            return True
        if is_nameless_payload_number(op):
            self._in_line[op.results[0]] = call_for(op, self) or ""
            return True
        if is_nameless_number(op):
            assert isinstance(op, ConstrainParamsOp)
            self._in_line[op.results[0]] = self._expression(op)
            return True
        # It may stand in line only if its use is the next statement.
        if (
            not isinstance(op, MergeHandlesOp | CastOp)
            or op.results[0].name_hint is not None
            or not op.results[0].has_one_use()
            or (use := op.results[0].get_user_of_unique_use()) is not next_statement(op)
        ):
            return False
        if isinstance(op, CastOp):
            wanted = typed_operand(type(use)) if use is not None else None
            if wanted is None or wanted != op.results[0].type:
                return False
            self._in_line[op.results[0]] = self.name(op.operands[0])
            return True
        if isinstance(use, TryOp | SequenceOp | ForeachOp | MatchStructuredOp):
            return False
        self._in_line[op.result] = call_for(op, self) or ""
        return True

    # -- names -------------------------------------------------------------------

    def _bind(self, op: Operation, bound: _Names) -> str:
        """Name the results of `op`: `a, b = `, or nothing if it has none."""
        words = result_names(op, bound)
        for word, result in zip(words, op.results, strict=True):
            bound[word] = result
            self._names[result] = word
        return f"{', '.join(words)} = " if words else ""


def _used_in(op: Operation) -> set[SSAValue]:
    """The values that the bodies of an op use."""
    return {
        operand
        for region in op.regions
        for nested in region.walk()
        for operand in nested.operands
    }


def unwritable(op: Operation) -> UserError:
    """The error for an op that no statement expresses."""
    return UserError(
        f"'{op.name}' has no form in the schedule language",
        place_of(op),
        "write the schedule as MLIR",
    )
