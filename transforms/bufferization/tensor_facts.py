"""Facts about the tensors of a function, before buffers are assigned.

They tell where the contents of a tensor are defined, whether they are read, and which
op runs before which. Values are followed from results to operands that they may alias.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from xdsl.ir import Block, BlockArgument, Operation, OpResult, Region, SSAValue

from tilewright.ir.dialects import func
from tilewright.ir.types import is_tensor
from tilewright.transforms.bufferization.execution_order import Program
from tilewright.transforms.bufferization.op_model import Alias, Model, Operand, uses_of


def touches_tensors(op: Operation) -> bool:
    """Whether an op has tensor operands or results."""
    return any(is_tensor(v.type) for v in (*op.operands, *op.results))


ModelOf = Callable[[Operation], Model | None]


@dataclass(frozen=True)
class Summary:
    """The facts about a function that its callers need."""

    reads: tuple[bool, ...]
    writes: tuple[bool, ...]
    returned: tuple[frozenset[int], ...]
    """For each argument: which results may live in its buffer."""
    read_only: frozenset[int]
    """The results that must not be written: they share a buffer with another."""


@dataclass
class Facts:
    """Facts about one function."""

    function: func.FuncOp
    model_of: ModelOf
    summaries: dict[str, Summary] = field(default_factory=dict[str, Summary])

    def __post_init__(self) -> None:
        """Number the ops, and collect those that use tensors."""
        self.program = Program(self.function, self._repeats, self._runs_in_parallel)
        self.touching: set[Operation] = set()
        """The ops that use tensors, or that contain such ops."""
        for op in self.program.post_order:
            if op in self.touching or touches_tensors(op):
                self.touching.add(op)
                if (parent := op.parent_op()) is not None:
                    self.touching.add(parent)
        self._definitions: dict[SSAValue, list[SSAValue]] = {}
        self._read: dict[SSAValue, bool] = {}

    def model(self, op: Operation) -> Model:
        """The model of an op that touches tensors."""
        model = self.model_of(op)
        assert model is not None, f"no model of '{op.name}'"
        return model

    def reads(self, operand: Operand) -> bool:
        """Whether an op reads an operand."""
        return self.model(operand.op).reads(operand, self)

    def writes(self, operand: Operand) -> bool:
        """Whether an op writes into an operand."""
        return self.model(operand.op).writes(operand, self)

    def aliases(self, operand: Operand) -> Sequence[Alias]:
        """The values that may live in the buffer of an operand."""
        return self.model(operand.op).aliases(operand, self)

    def sources(self, value: SSAValue) -> list[tuple[Operand, Alias]]:
        """The operands whose buffer a value may live in."""
        if isinstance(value, BlockArgument):
            return []
        assert isinstance(value, OpResult)
        return self.model(value.op).sources(value, self)

    def defines(self, value: SSAValue) -> bool:
        """Whether a value defines contents: it is written, or a block argument."""
        if isinstance(value, BlockArgument):
            return True
        assert isinstance(value, OpResult)
        return self.model(value.op).defines(value, self)

    def is_written_in(self, value: SSAValue, op: Operation) -> bool:
        """Whether a value is defined inside of an op."""
        return self.program.is_defined_in(value, op) and self.defines(value)

    def writable(self, value: SSAValue) -> bool:
        """Whether the op that defines a value allows writes to its buffer."""
        owner = value.owner
        op = owner.parent_op() if isinstance(owner, Block) else owner
        assert op is not None
        return self.model(op).writable(value, self)

    # -- following values --------------------------------------------------------

    def search(
        self,
        start: SSAValue,
        found: Callable[[SSAValue], bool],
        *,
        leaves: bool = False,
        follow: Callable[[SSAValue, Operand, Alias], bool] | None = None,
    ) -> list[SSAValue]:
        """Follow a value to the operands it may alias, until `found` holds.

        With `leaves`, also return values where the search ends without that.
        """
        result: list[SSAValue] = []
        seen: set[SSAValue] = set()
        todo = [start]
        while todo:
            value = todo.pop()
            if value in seen:
                continue
            seen.add(value)
            if found(value):
                result.append(value)
                continue
            sources = self.sources(value)
            ends = not sources
            for operand, alias in sources:
                if follow is None or follow(value, operand, alias):
                    todo.append(operand.value)
                else:
                    ends = True
            if ends and leaves:
                result.append(value)
        return result

    def definitions(self, value: SSAValue) -> list[SSAValue]:
        """The values that define a tensor's contents; none for an empty one."""
        if value not in self._definitions:
            self._definitions[value] = self.search(value, self.defines)
        return self._definitions[value]

    def is_read(self, value: SSAValue) -> bool:
        """Whether a value is read, directly or through a view."""
        if value not in self._read:
            self._read[value] = self._is_read(value)
        return self._read[value]

    def _is_read(self, value: SSAValue) -> bool:
        todo = list(uses_of(value))
        seen: set[Operand] = set()
        while todo:
            use = todo.pop()
            if use in seen:
                continue
            seen.add(use)
            if self.reads(use):
                return True
            if not self.writes(use):
                todo += [
                    further
                    for alias in self.aliases(use)
                    for further in uses_of(alias.value)
                ]
        return False

    def needs_copy(self, operand: Operand) -> bool:
        """Whether the contents of an operand are needed in its new buffer."""
        if not self.definitions(operand.value):
            return False
        if self.reads(operand):
            return True
        if self.writes(operand):
            return False
        return any(self.is_read(alias.value) for alias in self.aliases(operand))

    # -- regions -----------------------------------------------------------------

    def _repeats(self, region: Region) -> bool:
        model = self._around(region)
        return model is not None and model.repeats(region)

    def _runs_in_parallel(self, region: Region) -> bool:
        model = self._around(region)
        return model is not None and model.runs_in_parallel(region)

    def _around(self, region: Region) -> Model | None:
        parent = region.parent_op()
        return None if parent is None else self.model_of(parent)

    def are_exclusive(self, one: Operation, other: Operation) -> bool:
        """Whether at most one of two ops runs."""
        fork = self.program.fork(one, other)
        return fork is not None and self.model(fork).EXCLUSIVE
