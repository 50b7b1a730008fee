"""Kernel level to Triton source: the statements of one kernel."""

from __future__ import annotations

from xdsl.dialects.builtin import i64
from xdsl.ir import Block, Operation, SSAValue

from tilewright.codegen.emit.expressions.table import write
from tilewright.codegen.emit.expressions.written import (
    TRITON_TYPES,
    Written,
    broadcast,
    broadcast_shape,
    exact,
    full,
    number,
    triton_type,
)
from tilewright.codegen.emit.keywords import cache_hints, dot_keywords, loop_hints
from tilewright.codegen.emit.source_lines import INDENT, SourceLines
from tilewright.codegen.emit.variables import Variables
from tilewright.codegen.source.kernel_helpers import HELPERS_OF
from tilewright.codegen.source.python_text import (
    Binary,
    Call,
    Expression,
    Group,
    Literal,
    Name,
    explode,
)
from tilewright.ir.dialects import scf
from tilewright.ir.dialects.kernel import (
    ArriveOp,
    AtomicAddOp,
    DescriptorLoadOp,
    DescriptorStoreOp,
    DotOp,
    FuncOp,
    GroupedTileOp,
    HalvesOp,
    LoadOp,
    ReturnOp,
    StoreOp,
    is_number,
    shape_of,
)
from tilewright.ir.dtypes import element
from tilewright.ir.errors import Place
from tilewright.ir.text import place_of


class KernelEmitter:
    """Writes one kernel."""

    def __init__(self, func: FuncOp, block: Block | None = None):
        self.func = func
        self.helpers: list[str] = []
        self.places: list[tuple[int, Place]] = []
        """The place in schedule or payload of each line, counted from the `def`."""
        self.around: dict[int, Place] = {}
        """The place of the loop or the grid that each line is in, likewise counted."""
        self._lines = SourceLines()
        self._variables = Variables(func, block or func.body.block)
        self._names = self._variables.names

    def emit(self) -> list[str]:
        """The lines of the kernel."""
        block = self.func.body.block
        parameters: list[str] = []
        for argument in block.args:
            name = self._names.fresh(argument.name_hint or "buffer")
            self._variables.assign(argument, name)
            # Without a type, Triton goes by the value: a small i64 becomes i32.
            of = argument.type
            kind = f": {TRITON_TYPES[element(of).name]}" if is_number(of) else ""
            parameters.append(name + kind)
        parameters += [f"{name}: tl.constexpr" for name in self.func.sizes]
        head = explode(f"def {self.func.sym_name.data}(", parameters, "):", 0)
        if not self._is_persistent():
            self._lines.comment_place(self.func)
        self._block(block)
        own = place_of(self.func)
        self.places = [] if own is None else [(1, own)]
        self.places += self._lines.places(len(head))
        lines = ["@triton.jit", *head, *self._lines.lines]
        if own is not None:
            self.around = dict.fromkeys(range(1, len(lines)), own)
        self.around |= dict(self._lines.around(len(head)))
        return lines

    def _is_persistent(self) -> bool:
        """Whether there is a loop over tiles, which then has the grid's place."""
        return any(
            isinstance(op, scf.ForOp) and op.location == self.func.location
            for op in self.func.body.block.ops
        )

    # Operands of expressions.

    def get(self, value: SSAValue) -> Written:
        """The expression of a value."""
        return self._variables.get(value)

    def need(self, helper: str) -> None:
        """Ask for a helper function beside the kernel, and for those that it calls."""
        for each in (helper, *HELPERS_OF.get(helper, ())):
            if each not in self.helpers:
                self.helpers.append(each)

    # Statements.

    def _block(self, block: Block) -> None:
        for op in block.ops:
            first = len(self._lines)
            self._op(op)
            self._variables.finish(op)
            self._lines.note_place(op, first)

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
            case AtomicAddOp():
                self._atomic_add(op)
            case DescriptorStoreOp():
                offsets = Group(tuple(self.get(offset).text for offset in op.offsets))
                name = self.get(op.descriptor).text
                self._lines.line(
                    "", Call(f"{name}.store", (offsets, full(self, op.value)))
                )
            case LoadOp():
                self._bind(op, self._load(op))
            case DescriptorLoadOp() | DotOp():
                self._bind(op, Written(self._access(op), shape_of(op.result.type)))
            case _:
                self._bind(op, write(self, op))

    def _load(self, op: LoadOp) -> Written:
        """A load, whose shape is that of its pointers as they are written."""
        pointer, keywords = self.get(op.pointer), list(cache_hints(op))
        text, shape = pointer.text, pointer.shape
        if op.mask is not None and op.other is not None:
            mask = self.get(op.mask)
            other = exact(number(op.other), op.result.type)
            keywords = [("mask", mask.text), ("other", other), *keywords]
            if broadcast_shape(pointer, mask) != shape:
                # Triton wants a pointer for each lane of a mask.
                text, shape = broadcast(text, op.result.type), shape_of(op.result.type)
        return Written(Call("tl.load", (text,), tuple(keywords)), shape)

    def _access(self, op: DescriptorLoadOp | DotOp) -> Expression:
        if isinstance(op, DescriptorLoadOp):
            offsets = Group(tuple(self.get(offset).text for offset in op.offsets))
            return Call(f"{self.get(op.descriptor).text}.load", (offsets,))
        operands = tuple(full(self, operand) for operand in op.operands)
        return Call("tl.dot", operands, dot_keywords(op))

    def _store(self, op: StoreOp) -> None:
        keywords: list[tuple[str, Expression]] = []
        pointer, written = self.get(op.pointer).text, self.get(op.value)
        value = written.text
        if written.literal:
            value = exact(value, op.value.type)
        if op.mask is not None:
            keywords.append(("mask", self.get(op.mask).text))
        keywords += cache_hints(op)
        self._lines.line("", Call("tl.store", (pointer, value), tuple(keywords)))

    def _atomic_add(self, op: AtomicAddOp) -> None:
        """An addition; nothing else waits for it, so its order is relaxed."""
        keywords: list[tuple[str, Expression]] = [("sem", Literal('"relaxed"'))]
        if op.mask is not None:
            keywords.insert(0, ("mask", full(self, op.mask)))
        operands = (full(self, op.pointer), full(self, op.value))
        self._lines.line("", Call("tl.atomic_add", operands, tuple(keywords)))

    def _grouped_tile(self, op: GroupedTileOp) -> None:
        """The grouped order: down the rows of a group, then to the next column."""
        program, rows, columns, group = (self.get(v).text for v in op.operands)
        in_group = Binary("*", group, columns)
        first, height, place = (
            self._names.fresh(name) for name in ("first_row", "group_rows", "place")
        )
        self._lines.comment(
            f"Tiles in groups of {group} rows: those in flight share operands."
        )
        self._lines.line(
            f"{first} = ", Binary("*", Binary("//", program, in_group), group)
        )
        self._lines.line(
            f"{height} = ", Call("min", (Binary("-", rows, Name(first)), group))
        )
        self._lines.line(f"{place} = ", Binary("%", program, in_group))
        row = self._names.fresh(op.row.name_hint or "row")
        self._lines.line(
            f"{row} = ",
            Binary("+", Name(first), Binary("%", Name(place), Name(height))),
        )
        column = self._names.fresh(op.column.name_hint or "column")
        self._lines.line(f"{column} = ", Binary("//", Name(place), Name(height)))
        self._variables.assign(op.row, row)
        self._variables.assign(op.column, column)

    def _arrive(self, op: ArriveOp) -> None:
        self._lines.comment("All threads have stored before one counts the program in.")
        self._lines.line("", Call("tl.debug_barrier", ()))
        counter = self.get(op.counter).text
        count = Call(
            "tl.atomic_add", (counter, Literal("1")), (("sem", Literal('"acq_rel"')),)
        )
        name = self._names.fresh(op.result.name_hint or "arrived")
        self._lines.line(f"{name} = ", count)
        self._variables.assign(op.result, name)

    def _branch(self, op: scf.IfOp) -> None:
        """A branch; each result is one variable, which both sides write."""
        condition = self.get(op.cond).text
        for result in op.output:
            self._variables.share(op, result)
        self._lines.comment_place(op)
        self._lines.line("if ", condition, ":")
        # Both sides in one scope: Triton takes a name that both define for a result.
        self._names.enter()
        if not self._side(op, op.true_region.block):
            self._lines.text(" " * INDENT + "pass")
        for block in op.false_region.blocks:
            self._lines.text("else:")
            if not self._side(op, block):
                self._lines.lines.pop()
        self._names.leave()
        for result in op.output:
            self._variables.assign(result, self._variables[result])

    def _side(self, op: scf.IfOp, block: Block) -> bool:
        """Write one side of a branch and assign its results; return if it has lines."""
        count = len(self._lines)
        with self._lines.indented():
            self._block(block)
            self._assign_yielded(
                block, [self._variables[result] for result in op.output]
            )
        return len(self._lines) > count

    def _halves(self, op: HalvesOp) -> None:
        self.need("_halves")
        names = [self._names.fresh(half.name_hint or "half") for half in op.results]
        split = Call("_halves", (full(self, op.source),))
        self._lines.line(f"{', '.join(names)} = ", split)
        for half, name in zip(op.results, names, strict=True):
            self._variables.assign(half, name)

    def _loop(self, op: scf.ForOp) -> None:
        body = op.body.block
        index, *carried = body.args
        for argument, start in zip(carried, op.iter_args, strict=True):
            if self._variables.starts_loop(start, op):
                self._variables.assign(argument, self._variables[start])
            else:
                name = self._names.fresh(argument.name_hint or "acc")
                self._lines.line(f"{name} = ", self._start(start))
                self._variables.assign(argument, name)
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
        self._lines.comment_place(op)
        name = self._variables.index_name(op, index.name_hint or "i")
        self._variables.assign(index, name)
        self._lines.line(f"for {name} in ", Call("tl.range", bounds, keywords), ":")
        with self._lines.indented():
            self._names.enter()
            count = len(self._lines)
            self._block(body)
            self._assign_yielded(
                body, [self._variables[argument] for argument in carried]
            )
            if len(self._lines) == count:
                self._lines.text("pass")
            self._names.leave()
        self._lines.blank()
        for argument, result in zip(carried, op.res, strict=True):
            self._variables.assign(result, self._variables[argument])

    def _start(self, value: SSAValue) -> Expression:
        """The initial value of a loop."""
        return full(self, value)

    def _assign_yielded(self, block: Block, names: list[str]) -> None:
        """Assign the values that a block yields to their variables, all at once."""
        terminator = block.last_op
        assert isinstance(terminator, scf.YieldOp)
        targets: list[str] = []
        sources: list[Expression] = []
        for name, value in zip(names, terminator.arguments, strict=True):
            if self._variables.holds(value, name):
                continue
            targets.append(name)
            sources.append(full(self, value))
        if len(targets) == 1:
            self._lines.assign(targets[0], sources[0])
        elif targets:
            self._lines.assign_all(targets, sources)

    def _bind(self, op: Operation, written: Written) -> None:
        """Write an op's result inline, or give it a name."""
        result = op.results[0]
        if self._variables.is_inline(op, written):
            self._variables.keep_inline(result, written)
            return
        is_yielded = any(isinstance(use.operation, scf.YieldOp) for use in result.uses)
        if is_yielded and written.shape != shape_of(result.type):
            # A loop-carried value keeps its shape.
            written = Written(
                broadcast(written.text, result.type), shape_of(result.type)
            )
        name = self._variables.name_for(op, result)
        self._lines.assign(name, written.text)
        self._variables.assign(result, name, written.shape)
