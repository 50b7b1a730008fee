"""The model of an op for bufferization: one `Model` for each kind of op.

The names are those of upstream's BufferizableOpInterface, in short: an operand is read,
or written, or both; a result may live in the buffer of an operand (`aliases`). The
defaults are those of an op that reads its operands and makes tensors of its own.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from xdsl.ir import Operation, OpResult, Region, SSAValue

from tilewright.ir.types import is_tensor
from tilewright.transforms.bufferization.subsets import accessed, is_accessed

if TYPE_CHECKING:
    from tilewright.transforms.bufferization.buffer_writer import Writer
    from tilewright.transforms.bufferization.tensor_facts import Facts


@dataclass(frozen=True)
class Operand:
    """One operand of one op."""

    op: Operation
    index: int

    @property
    def value(self) -> SSAValue:
        """The operand's value."""
        return self.op.operands[self.index]


def tensor_operands(op: Operation) -> Iterator[Operand]:
    """The operands of an op that are tensors."""
    for index, value in enumerate(op.operands):
        if is_tensor(value.type):
            yield Operand(op, index)


def uses_of(value: SSAValue) -> Iterator[Operand]:
    """The uses of a value, as operands."""
    for use in value.uses:
        yield Operand(use.operation, use.index)


@dataclass(frozen=True)
class Alias:
    """A value that may live in the buffer of an operand."""

    value: SSAValue
    is_equivalent: bool = True
    """Whether it is the whole buffer, and not a part."""


@dataclass(frozen=True)
class Insertion:
    """An op that writes its operand `source` over a part of its operand `dest`."""

    source: int
    dest: int


class Obstacle(NamedTuple):
    """Why an op cannot be bufferized, and what to do about it."""

    fact: str
    remedy: str | None = None


class Model(ABC):
    """How one kind of op bufferizes."""

    YIELDS: ClassVar[bool] = False
    """Whether it yields its operands, which are then never copied."""

    EXCLUSIVE: ClassVar[bool] = False
    """Whether only one of its regions runs."""

    def obstacle(self, op: Operation) -> Obstacle | None:
        """Why an op cannot be bufferized; None if it can."""
        return None

    def reads(self, operand: Operand, facts: Facts) -> bool:
        """Whether it reads the contents of an operand."""
        return True

    def writes(self, operand: Operand, facts: Facts) -> bool:
        """Whether it writes into the buffer of an operand."""
        return False

    def aliases(self, operand: Operand, facts: Facts) -> Sequence[Alias]:
        """The values that live in the buffer of an operand, if that is in place."""
        return ()

    def sources(self, value: SSAValue, facts: Facts) -> list[tuple[Operand, Alias]]:
        """The operands whose buffer a result or block argument may live in."""
        op = value.owner
        if not isinstance(op, Operation):
            return []
        return [
            (operand, alias)
            for operand in tensor_operands(op)
            for alias in self.aliases(operand, facts)
            if alias.value is value
        ]

    def defines(self, result: OpResult, facts: Facts) -> bool:
        """Whether a result has contents that no operand's buffer had before."""
        sources = self.sources(result, facts)
        if not sources or any(facts.writes(operand) for operand, _ in sources):
            return True
        return any(
            facts.search(operand.value, lambda v: facts.is_written_in(v, result.op))
            for operand, _ in sources
        )

    def writable(self, value: SSAValue, facts: Facts) -> bool:
        """Whether a result or block argument may be written over."""
        return True

    def is_elementwise(self, read: Operand, written: Operand) -> bool:
        """Whether each element is read before the same element is written."""
        return False

    def repeats(self, region: Region) -> bool:
        """Whether a region of it may run more than once."""
        return False

    def runs_in_parallel(self, region: Region) -> bool:
        """Whether a region of it runs many times at once."""
        return False

    def insertion(self, op: Operation) -> Insertion | None:
        """The operands of an op that only inserts one into another; else None."""
        return None

    def is_inserted_part(self, op: Operation, value: SSAValue) -> bool:
        """Whether a value is exactly the part that an insertion overwrites."""
        subset = accessed(op)
        return subset is not None and is_accessed(subset, value)

    @abstractmethod
    def write(self, op: Operation, to: Writer) -> None:
        """Write the op on buffers."""


class DestinationModel(Model):
    """An op that writes each result into a destination operand."""

    @abstractmethod
    def destination(self, operand: Operand) -> OpResult | None:
        """The result that is written into an operand."""

    def writes(self, operand: Operand, facts: Facts) -> bool:
        """Destinations are written."""
        return self.destination(operand) is not None

    def aliases(self, operand: Operand, facts: Facts) -> Sequence[Alias]:
        """A result lives where its destination lives."""
        result = self.destination(operand)
        return () if result is None else (Alias(result),)


class ViewModel(Model):
    """An op whose result is another view of its first operand."""

    KEEPS_ALL: ClassVar[bool] = True
    """Whether the view has all elements."""

    def reads(self, operand: Operand, facts: Facts) -> bool:
        """A view reads nothing by itself."""
        return operand.index != 0

    def aliases(self, operand: Operand, facts: Facts) -> Sequence[Alias]:
        """The result is a view of operand 0."""
        if operand.index != 0:
            return ()
        return (Alias(operand.op.results[0], self.KEEPS_ALL),)
