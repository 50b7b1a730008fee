"""Kernel level to Triton source: statements, names, and what is written inline.

An op becomes part of the expression that uses it, if that is one only and the line
stays short; otherwise it is a statement. A loop-carried value is one variable, updated
in place; elsewhere a variable is written again only where its old value is not read any
more.
"""

from __future__ import annotations

from pathlib import PurePath

from xdsl.dialects.builtin import i64
from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from tilewright.codegen.emit.expressions import (
    TRITON_TYPES,
    Written,
    broadcast,
    exact,
    full,
    number,
    triton_type,
)
from tilewright.codegen.emit.keywords import cache_hints, dot_keywords, loop_hints
from tilewright.codegen.emit.lines import (
    ALWAYS_INLINE,
    is_apart,
    is_laid_along,
    is_named_by_payload,
    is_part_of_next,
    uses_in_lines,
)
from tilewright.codegen.emit.table import write
from tilewright.codegen.source import escape
from tilewright.codegen.source.kernel_helpers import HELPERS
from tilewright.codegen.source.names import Names
from tilewright.codegen.source.python_text import (
    WIDTH,
    Binary,
    Call,
    Expression,
    Group,
    Literal,
    Name,
    Suffix,
    explode,
    is_awkward,
    lay_out,
)
from tilewright.ir.dialects import scf
from tilewright.ir.dialects.kernel import (
    ArangeOp,
    ArriveOp,
    CastOp,
    DescriptorLoadOp,
    DescriptorStoreOp,
    DotOp,
    FullOp,
    FuncOp,
    GroupedTileOp,
    HalvesOp,
    LoadOp,
    ProgramIdOp,
    ReduceOp,
    ReturnOp,
    StoreOp,
    is_number,
    shape_of,
)
from tilewright.ir.dtypes import element
from tilewright.ir.errors import Place
from tilewright.ir.text import place_of

_INDENT = 4
_INLINE_WIDTH = 56
"""Longer expressions get a line of their own."""

_ALWAYS_STATEMENT = (ProgramIdOp, FullOp, LoadOp, DescriptorLoadOp, DotOp, ReduceOp)
"""In their order, unless the very next op reads them. A reduction stays before the
loads behind it: what they bring would be held in registers, and fewer programs would
fit."""

_ALWAYS_NAMED = ("offs_", "tile", "rest")
"""Index arithmetic that a reader looks for by its name."""


class KernelEmitter:
    """Writes one kernel."""

    def __init__(self, func: FuncOp):
        self.func = func
        self.helpers: list[str] = []
        self.lines: list[str] = []
        self._indent = _INDENT
        self._names = Names({*func.sizes, func.sym_name.data, *HELPERS})
        self._written: dict[SSAValue, Written] = {}
        self._variables: dict[SSAValue, str] = {}
        self._carriers: dict[SSAValue, BlockArgument] = {}
        self._overwritten: dict[SSAValue, SSAValue | None] = {}
        """Whose variable a branch's result takes over."""
        self._pending: set[SSAValue] = set()
        self._done: set[Operation] = set()
        self._places: dict[int, Place] = {}
        self.places: list[tuple[int, Place]] = []
        """Which place of schedule or payload made a line; lines count from the def."""

    def emit(self) -> list[str]:
        """The lines of the kernel."""
        block = self.func.body.block
        parameters: list[str] = []
        for argument in block.args:
            name = self._names.fresh(argument.name_hint or "buffer")
            self._assign_name(argument, name)
            # Triton would take a number by its value: a small i64 as an i32, 1 as 1.
            of = argument.type
            kind = f": {TRITON_TYPES[element(of).name]}" if is_number(of) else ""
            parameters.append(name + kind)
        parameters += [f"{name}: tl.constexpr" for name in self.func.sizes]
        self._find_carriers(block)
        head = explode(f"def {self.func.sym_name.data}(", parameters, "):", 0)
        if not self._is_persistent():
            self._comment_place(self.func)
        self._block(block)
        self._number_places(len(head))
        return ["@triton.jit", *head, *self.lines]

    def _is_persistent(self) -> bool:
        """Whether a loop over tiles has the grid's place in the schedule already."""
        return any(
            isinstance(op, scf.ForOp) and op.location == self.func.location
            for op in self.func.body.block.ops
        )

    def _number_places(self, before: int) -> None:
        """Count lines as Triton does: from the `def`, which is line 1."""
        own = place_of(self.func)
        self.places = [] if own is None else [(1, own)]
        self.places += [(before + i + 1, p) for i, p in sorted(self._places.items())]

    # What expressions are made from.

    def get(self, value: SSAValue) -> Written:
        """The expression of a value; an inline one is used up by this."""
        self._pending.discard(value)
        return self._written[value]

    def need(self, helper: str) -> None:
        """Ask for a helper function beside the kernel."""
        if helper not in self.helpers:
            self.helpers.append(helper)

    # Statements.

    def _block(self, block: Block) -> None:
        for op in block.ops:
            first = len(self.lines)
            self._op(op)
            self._done.add(op)
            if (place := place_of(op)) is None:
                continue
            for line in range(first, len(self.lines)):
                # What is in a loop has its own place by now.
                self._places.setdefault(line, place)

    def _op(self, op: Operation) -> None:
        match op:
            case ReturnOp() | scf.YieldOp():
                pass
            case scf.ForOp():
                self._loop(op)
            case GroupedTileOp():
                self._grouped_tile(op)
            case scf.IfOp():
                self._branch(op)
            case ArriveOp():
                self._arrive(op)
            case HalvesOp():
                self._halves(op)
            case StoreOp():
                self._store(op)
            case DescriptorStoreOp():
                offsets = Group(tuple(self.get(offset).text for offset in op.offsets))
                name = self.get(op.descriptor).text
                self._line("", Call(f"{name}.store", (offsets, full(self, op.value))))
            case LoadOp() | DescriptorLoadOp() | DotOp():
                self._bind(op, Written(self._access(op), shape_of(op.result.type)))
            case _:
                self._bind(op, write(self, op))

    def _access(self, op: LoadOp | DescriptorLoadOp | DotOp) -> Expression:
        if isinstance(op, DescriptorLoadOp):
            offsets = Group(tuple(self.get(offset).text for offset in op.offsets))
            return Call(f"{self.get(op.descriptor).text}.load", (offsets,))
        if isinstance(op, DotOp):
            operands = tuple(full(self, operand) for operand in op.operands)
            return Call("tl.dot", operands, dot_keywords(op))
        keywords: list[tuple[str, Expression]] = []
        if op.mask is not None and op.other is not None:
            other = exact(number(op.other), op.result.type)
            keywords = [("mask", self.get(op.mask).text), ("other", other)]
        keywords += cache_hints(op)
        return Call("tl.load", (self.get(op.pointer).text,), tuple(keywords))

    def _store(self, op: StoreOp) -> None:
        keywords: list[tuple[str, Expression]] = []
        pointer, written = self.get(op.pointer).text, self.get(op.value)
        value = written.text
        if written.literal:
            value = exact(value, op.value.type)
        if op.mask is not None:
            keywords.append(("mask", self.get(op.mask).text))
        keywords += cache_hints(op)
        self._line("", Call("tl.store", (pointer, value), tuple(keywords)))

    def _grouped_tile(self, op: GroupedTileOp) -> None:
        """The usual grouped order: down the rows of a group, then one column on."""
        program, rows, columns, group = (self.get(v).text for v in op.operands)
        in_group = Binary("*", group, columns)
        first, height, place = (
            self._names.fresh(name) for name in ("first_row", "group_rows", "place")
        )
        self._comment(
            f"Tiles in groups of {group} rows: those in flight share operands."
        )
        self._line(f"{first} = ", Binary("*", Binary("//", program, in_group), group))
        self._line(f"{height} = ", Call("min", (Binary("-", rows, Name(first)), group)))
        self._line(f"{place} = ", Binary("%", program, in_group))
        row = self._names.fresh(op.row.name_hint or "row")
        self._line(
            f"{row} = ",
            Binary("+", Name(first), Binary("%", Name(place), Name(height))),
        )
        column = self._names.fresh(op.column.name_hint or "column")
        self._line(f"{column} = ", Binary("//", Name(place), Name(height)))
        self._assign_name(op.row, row)
        self._assign_name(op.column, column)

    def _arrive(self, op: ArriveOp) -> None:
        self._comment("All threads have stored before one counts the program in.")
        self._line("", Call("tl.debug_barrier", ()))
        counter = self.get(op.counter).text
        count = Call(
            "tl.atomic_add", (counter, Literal("1")), (("sem", Literal('"acq_rel"')),)
        )
        name = self._names.fresh(op.result.name_hint or "arrived")
        self._line(f"{name} = ", count)
        self._assign_name(op.result, name)

    def _branch(self, op: scf.IfOp) -> None:
        """A branch: what it results in has one variable, written on both sides."""
        condition = self.get(op.cond).text
        for result in op.output:
            self._share_variable(op, result)
        self._comment_place(op)
        self._line("if ", condition, ":")
        # Both sides in one scope: a name that both define, Triton takes for a result.
        self._names.enter()
        if not self._side(op, op.true_region.block):
            self._text(" " * _INDENT + "pass")
        for block in op.false_region.blocks:
            self._text("else:")
            if not self._side(op, block):
                self.lines.pop()
        self._names.leave()
        for result in op.output:
            self._assign_name(result, self._variables[result])

    def _share_variable(self, op: scf.IfOp, result: SSAValue) -> None:
        """Take the variable of the loop or branch around that goes on with a result."""
        uses = list(result.uses)
        parent = op.parent_op()
        is_passed_on = len(uses) == 1 and isinstance(uses[0].operation, scf.YieldOp)
        if is_passed_on and uses[0].operation.parent is op.parent:
            if isinstance(parent, scf.IfOp):
                outer = parent.output[uses[0].index]
                self._variables[result] = self._variables[outer]
                self._overwritten[result] = self._overwritten.get(outer)
                return
            assert isinstance(parent, scf.ForOp)
            argument = parent.body.block.args[1 + uses[0].index]
            if self._is_dead(argument, op):
                self._variables[result] = self._variables[argument]
                self._overwritten[result] = argument
                return
        self._variables[result] = self._names.fresh(result.name_hint or "x")

    def _side(self, op: scf.IfOp, block: Block) -> bool:
        """One side of a branch, the results in their variables; whether it has any."""
        self._indent += _INDENT
        count = len(self.lines)
        self._block(block)
        self._hand_on(block, [self._variables[result] for result in op.output])
        self._indent -= _INDENT
        return len(self.lines) > count

    def _index_name(self, op: scf.ForOp, wanted: str) -> str:
        """The variable of a loop; loops after each other in a block share one.

        To Triton it is a variable of the block around the loop: in a loop further in
        it would be carried from iteration to iteration.
        """
        block = op.parent
        assert block is not None
        for earlier in block.ops:
            if earlier is op:
                break
            if isinstance(earlier, scf.ForOp):
                index = earlier.body.block.args[0]
                if index.name_hint == wanted:
                    return self._variables[index]
        return self._names.fresh(wanted)

    def _halves(self, op: HalvesOp) -> None:
        self.need("_halves")
        names = [self._names.fresh(half.name_hint or "half") for half in op.results]
        split = Call("_halves", (full(self, op.source),))
        self._line(f"{', '.join(names)} = ", split)
        for half, name in zip(op.results, names, strict=True):
            self._assign_name(half, name)

    def _loop(self, op: scf.ForOp) -> None:
        body = op.body.block
        index, *carried = body.args
        for argument, start in zip(carried, op.iter_args, strict=True):
            if start in self._carriers or self._gives_way(start, op):
                self._assign_name(argument, self._variables[start])
            else:
                name = self._names.fresh(argument.name_hint or "acc")
                self._line(f"{name} = ", full(self, start))
                self._assign_name(argument, name)
        bounds = tuple(self.get(bound).text for bound in (op.lb, op.ub, op.step))
        if index.type == i64:
            # Triton types a number by its value, from 2^31 on as unsigned, and then
            # extends a loop's bound by its sign: the loop would not run.
            bounds = tuple(
                Call("tl.cast", (text, triton_type(i64)))
                if self.get(bound).literal
                else text
                for bound, text in zip((op.lb, op.ub, op.step), bounds, strict=True)
            )
        keywords = tuple(loop_hints(op))
        if str(bounds[2]) == "1":
            bounds = bounds[:2]
        self._comment_place(op)
        name = self._index_name(op, index.name_hint or "i")
        self._assign_name(index, name)
        self._line(f"for {name} in ", Call("tl.range", bounds, keywords), ":")
        self._indent += _INDENT
        self._names.enter()
        count = len(self.lines)
        self._block(body)
        self._hand_on(body, [self._variables[argument] for argument in carried])
        if len(self.lines) == count:
            self._text("pass")
        self._names.leave()
        self._indent -= _INDENT
        self._blank()
        for argument, result in zip(carried, op.res, strict=True):
            self._assign_name(result, self._variables[argument])

    def _hand_on(self, block: Block, names: list[str]) -> None:
        """Bring the variables that a block yields up to date, all at once."""
        terminator = block.last_op
        assert isinstance(terminator, scf.YieldOp)
        targets: list[str] = []
        sources: list[Expression] = []
        for name, value in zip(names, terminator.arguments, strict=True):
            if self._variables.get(value) == name:
                continue
            targets.append(name)
            sources.append(full(self, value))
        if len(targets) == 1:
            self._assign(targets[0], sources[0])
        elif targets:
            text = ", ".join(map(str, sources))
            self._text(f"{', '.join(targets)} = {text}")

    # Names.

    def _find_carriers(self, block: Block) -> None:
        """Values that only start a loop share the loop's variable."""
        for op in block.walk():
            if not isinstance(op, scf.ForOp):
                continue
            for argument, start in zip(
                op.body.block.args[1:], op.iter_args, strict=True
            ):
                if isinstance(start.owner, FullOp) and len(list(start.uses)) == 1:
                    self._carriers[start] = argument

    def _bind(self, op: Operation, written: Written) -> None:
        """Write an op's result inline, or give it a name."""
        result = op.results[0]
        if self._is_inline(op, written):
            self._written[result] = written
            if not written.literal:
                self._pending.add(result)
            return
        is_yielded = any(isinstance(use.operation, scf.YieldOp) for use in result.uses)
        if is_yielded and written.shape != shape_of(result.type):
            # A loop-carried value keeps its shape.
            written = Written(
                broadcast(written.text, result.type), shape_of(result.type)
            )
        name = self._name_for(op, result)
        self._assign(name, written.text)
        self._assign_name(result, name, written.shape)

    def _is_inline(self, op: Operation, written: Written) -> bool:
        if written.literal or isinstance(op, ALWAYS_INLINE):
            return True
        if isinstance(op, _ALWAYS_STATEMENT):
            return is_part_of_next(op)
        if is_part_of_next(op.prev_op):
            return False
        uses = uses_in_lines(op.results[0])
        if isinstance(op, ArangeOp) and op.results[0].name_hint is not None:
            return False
        if len(uses) != 1 or uses[0].operation.parent is not op.parent:
            return False
        hint = op.results[0].name_hint or ""
        if hint.startswith(_ALWAYS_NAMED) or is_laid_along(op):
            return False
        reader = uses[0].operation
        if isinstance(reader, scf.YieldOp) or len(str(written.text)) > _INLINE_WIDTH:
            return False
        is_stored = isinstance(reader, StoreOp | DescriptorStoreOp | CastOp)
        return is_stored or not is_named_by_payload(op.results[0])

    def _name_for(self, op: Operation, result: SSAValue) -> str:
        carrier = self._carriers.get(result)
        if carrier is not None:
            return self._names.fresh(carrier.name_hint or "acc")
        uses = [use for use in result.uses if isinstance(use.operation, scf.YieldOp)]
        if len(uses) == 1 and uses[0].operation.parent is op.parent:
            owner = op.parent_op()
            assert isinstance(owner, scf.ForOp | scf.IfOp)
            goes_on: SSAValue = owner.results[uses[0].index]
            overwritten = self._overwritten.get(goes_on)
            if isinstance(owner, scf.ForOp):
                goes_on = overwritten = owner.body.block.args[1 + uses[0].index]
            if overwritten is None or self._is_dead(overwritten, op):
                return self._variables[goes_on]
        hint = result.name_hint
        if hint is None:
            for operand in op.operands:
                if operand.type == result.type and self._may_overwrite(operand, op):
                    return self._variables[operand]
            hint = "x"
        for operand in op.operands:
            if self._variables.get(operand) == hint and self._may_overwrite(
                operand, op
            ):
                return hint
        return self._names.fresh(hint)

    def _may_overwrite(self, value: SSAValue, op: Operation) -> bool:
        """Whether a variable's old value can give way to the result of `op`."""
        owner = value.owner
        if value not in self._variables or not isinstance(owner, Operation):
            return False
        return owner.parent is op.parent and self._is_dead(value, op)

    def _gives_way(self, start: SSAValue, loop: scf.ForOp) -> bool:
        """Whether a loop may go on with the variable that its start is in."""
        owner = start.owner
        block = owner.parent if isinstance(owner, Operation) else owner
        return (
            start in self._variables
            and block is loop.parent
            and len(list(start.uses)) == 1
            and self._is_dead(start, loop)
        )

    def _is_dead(self, value: SSAValue, op: Operation) -> bool:
        """Whether nothing after `op` reads the value, directly or inside a line."""
        if any(
            use.operation not in self._done and not is_apart(use.operation, op)
            for use in value.uses
        ):
            return False
        name = Name(self._variables[value])
        return not any(
            name in self._written[other].text.walk() for other in self._pending
        )

    def _assign_name(
        self, value: SSAValue, name: str, shape: tuple[int, ...] | None = None
    ) -> None:
        self._variables[value] = name
        size = shape_of(value.type) if shape is None else shape
        self._written[value] = Written(Name(name), size)

    # Lines.

    def _assign(self, name: str, value: Expression) -> None:
        if is_awkward(value, f"{name} = ", self._indent):
            self._line(f"{name} = ", value.value)
            value = Suffix(Name(name), value.text)
        if (
            isinstance(value, Binary)
            and value.operator in ("+", "-", "*", "/", "//")
            and value.left == Name(name)
            and Name(name) not in value.right.walk()
        ):
            self._line(f"{name} {value.operator}= ", value.right)
        elif (
            isinstance(value, Binary)
            and value.operator in ("+", "*")
            and value.right == Name(name)
            and Name(name) not in value.left.walk()
        ):
            self._line(f"{name} {value.operator}= ", value.left)
        else:
            self._line(f"{name} = ", value)

    def _line(self, lead: str, value: Expression, tail: str = "") -> None:
        self.lines += lay_out(lead, value, tail, self._indent)

    def _text(self, text: str) -> None:
        self.lines.append(" " * self._indent + text)

    def _blank(self) -> None:
        if self.lines[-1]:
            self.lines.append("")

    def _comment(self, text: str) -> None:
        self._text(f"# {escape.comment(text)}")

    def _comment_place(self, op: Operation) -> None:
        """Say which line made a loop, in the words of the schedule if it was one."""
        place = place_of(op)
        if place is None:
            return
        file = PurePath(place.file).name
        words = " ".join((place.text or "").split("//")[0].split())
        said = f": {words}" if file.endswith(".tw") and words else ""
        text = escape.comment(f"{file}:{place.line}{said}")
        room = WIDTH - self._indent - len("# ")
        if len(text) > room:
            text = text[: room - len(" ...")]
            text = (text.rpartition(" ")[0] or text) + " ..."
        self._comment(text)
