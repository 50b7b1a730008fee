"""The variables of a kernel's source, and which values are written inline.

An op is written inline if it has a single reader and the line stays short; otherwise it
is a statement. A loop-carried value is one variable, updated in place. Other variables
are reused only after the last read of their old value.
"""

from __future__ import annotations

from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from tilewright.codegen.emit.expressions.written import Written
from tilewright.codegen.emit.lines import (
    ALWAYS_INLINE,
    is_apart,
    is_laid_along,
    is_named_by_payload,
    is_part_of_next,
    uses_in_lines,
)
from tilewright.codegen.source.kernel_helpers import HELPERS
from tilewright.codegen.source.names import Names
from tilewright.codegen.source.python_text import Name
from tilewright.ir.dialects import scf
from tilewright.ir.dialects.kernel import (
    ArangeOp,
    CastOp,
    DescriptorLoadOp,
    DescriptorStoreOp,
    DotOp,
    FullOp,
    FuncOp,
    LoadOp,
    ProgramIdOp,
    ReduceOp,
    ScanOp,
    StoreOp,
    shape_of,
)

_INLINE_WIDTH = 56
"""Longer expressions get a line of their own."""

_ALWAYS_STATEMENT = (
    *(ProgramIdOp, FullOp, LoadOp, DescriptorLoadOp),
    *(DotOp, ReduceOp, ScanOp),
)
"""These ops are statements, which keeps their order, unless the next op reads them. If
a reduction moved behind later loads, the loaded tiles would take registers, and fewer
programs would fit."""

_ALWAYS_NAMED = ("offs_", "tile", "rest")
"""Prefixes of index arithmetic that always gets a name, for readability."""


class Variables:
    """The text of each value of a kernel: a variable, or an inline expression."""

    def __init__(self, func: FuncOp, block: Block):
        self.names = Names({*func.sizes, func.sym_name.data, *HELPERS})
        self._written: dict[SSAValue, Written] = {}
        self._variables: dict[SSAValue, str] = {}
        self._carriers: dict[SSAValue, BlockArgument] = {}
        self._overwritten: dict[SSAValue, SSAValue | None] = {}
        """For each result of a branch, the value whose variable it takes over."""
        self._pending: set[SSAValue] = set()
        """Inline values that some op has still to read."""
        self._done: set[Operation] = set()
        self._find_carriers(block)

    def __getitem__(self, value: SSAValue) -> str:
        """The variable of a value."""
        return self._variables[value]

    def get(self, value: SSAValue) -> Written:
        """The expression of a value."""
        return self._written[value]

    def assign(
        self, value: SSAValue, name: str, shape: tuple[int, ...] | None = None
    ) -> None:
        """Note the variable of a value."""
        self._variables[value] = name
        size = shape_of(value.type) if shape is None else shape
        self._written[value] = Written(Name(name), size)

    def keep_inline(self, value: SSAValue, written: Written) -> None:
        """Note the inline expression of a value, which its reader writes."""
        self._written[value] = written
        if not written.literal:
            self._pending.add(value)

    def holds(self, value: SSAValue, name: str) -> bool:
        """Whether a value is in a variable already."""
        return self._variables.get(value) == name

    def finish(self, op: Operation) -> None:
        """Note that an op is written."""
        self._done.add(op)
        for operand in op.operands:
            if all(use.operation in self._done for use in operand.uses):
                self._pending.discard(operand)

    def starts_loop(self, start: SSAValue, loop: scf.ForOp) -> bool:
        """Whether a loop may reuse the variable of its initial value."""
        return start in self._carriers or self._may_reuse(start, loop)

    def share(self, op: scf.IfOp, result: SSAValue) -> None:
        """Give a branch's result the variable of the loop or branch that yields it."""
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
        self._variables[result] = self.names.fresh(result.name_hint or "x")

    def index_name(self, op: scf.ForOp, wanted: str) -> str:
        """The index variable of a loop; successive loops of a block share one.

        Triton treats it as a variable of the block around the loop. If an inner loop
        shared it, Triton would carry it from iteration to iteration.
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
        return self.names.fresh(wanted)

    def _find_carriers(self, block: Block) -> None:
        """Find values that only initialize a loop: they share the loop's variable."""
        for op in block.walk():
            if not isinstance(op, scf.ForOp):
                continue
            for argument, start in zip(
                op.body.block.args[1:], op.iter_args, strict=True
            ):
                if isinstance(start.owner, FullOp) and len(list(start.uses)) == 1:
                    self._carriers[start] = argument

    def is_inline(self, op: Operation, written: Written) -> bool:
        """Whether an op is part of the line that reads it."""
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

    def name_for(self, op: Operation, result: SSAValue) -> str:
        """The variable for a result: one whose value is dead, or a new one."""
        carrier = self._carriers.get(result)
        if carrier is not None:
            return self.names.fresh(carrier.name_hint or "acc")
        hint = result.name_hint
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
            if hint is None:
                hint = f"{self._variables[overwritten]}_new"
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
        return self.names.fresh(hint)

    def _may_overwrite(self, value: SSAValue, op: Operation) -> bool:
        """Whether the result of `op` may overwrite a variable's old value."""
        owner = value.owner
        if value not in self._variables or not isinstance(owner, Operation):
            return False
        return owner.parent is op.parent and self._is_dead(value, op)

    def _may_reuse(self, start: SSAValue, loop: scf.ForOp) -> bool:
        """Whether a loop may reuse the variable of its initial value."""
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
            name in self._written[other].text.walk()
            for other in self._pending
            if any(
                use.operation is not op and use.operation not in self._done
                for use in other.uses
            )
        )
