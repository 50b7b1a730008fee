"""Models of ops that choose a tensor: scf.if, index_switch, arith.select, ..."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

from xdsl.ir import Attribute, Operation, OpResult, Region, SSAValue

from tilewright.ir.dialects import arith, scf
from tilewright.ir.types import is_tensor, tensor_type
from tilewright.transforms.bufferization.buffer_writer import Writer
from tilewright.transforms.bufferization.execution_order import block_of
from tilewright.transforms.bufferization.op_model import Alias, Model, Obstacle, Operand
from tilewright.transforms.bufferization.tensor_facts import Facts


class Yield(Model):
    """`scf.yield` and `vector.yield`: operands keep their buffers."""

    YIELDS = True

    def aliases(self, operand: Operand, facts: Facts) -> Sequence[Alias]:
        """The result of the branch around it; loops have their own models."""
        parent = operand.op.parent_op()
        if parent is None or not isinstance(facts.model(parent), Branch):
            return ()
        return (Alias(parent.results[operand.index]),)

    def write(self, op: Operation, to: Writer) -> None:
        """Written by the op around it, or expanded before."""
        raise AssertionError("the op around writes what is yielded")


class Branch(Model):
    """An op that takes its results from its regions."""

    EXCLUSIVE = True

    def sources(self, value: SSAValue, facts: Facts) -> list[tuple[Operand, Alias]]:
        """The value that each region yields for a result."""
        assert isinstance(value, OpResult)
        return [
            (Operand(last, value.index), Alias(value))
            for region in value.op.regions
            if region.blocks and (last := region.block.last_op) is not None
        ]

    @abstractmethod
    def build(
        self, op: Operation, regions: list[Region], types: list[Attribute], to: Writer
    ) -> Operation:
        """The same op with other regions and results."""

    def write(self, op: Operation, to: Writer) -> None:
        """Let the regions yield buffers, except those that are the same in all."""
        yields: list[list[SSAValue]] = []
        ends: list[tuple[Writer, Operation]] = []

        def finish(inner: Writer, last: Operation) -> None:
            yields.append([to.values[value] for value in last.operands])
            ends.append((inner, last))

        regions = [
            to.region(region.block, [], finish) if region.blocks else Region()
            for region in op.regions
        ]
        passed: list[int] = []
        types: list[Attribute] = []
        for i, result in enumerate(op.results):
            choices = [values[i] for values in yields]
            home = block_of(choices[0])
            is_outside = all(home is not inner.block for inner, _ in ends)
            if is_tensor(result.type) and len(set(choices)) == 1 and is_outside:
                to.bind(result, choices[0])
                continue
            passed.append(i)
            types.append(
                to.common_type(choices, result.type)
                if is_tensor(result.type)
                else result.type
            )
        for (inner, last), values in zip(ends, yields, strict=True):
            given = [
                inner.cast(values[i], type_, last)
                if is_tensor(op.results[i].type)
                else values[i]
                for i, type_ in zip(passed, types, strict=True)
            ]
            inner.add(scf.YieldOp(*given), last)
        new_op = to.add(self.build(op, regions, types, to), op)
        for position, i in enumerate(passed):
            to.bind(op.results[i], new_op.results[position])


class If(Branch):
    """`scf.if`."""

    def build(
        self, op: Operation, regions: list[Region], types: list[Attribute], to: Writer
    ) -> Operation:
        """An if with these regions."""
        assert isinstance(op, scf.IfOp)
        then, otherwise = regions
        condition, attributes = to.values[op.cond], op.attributes.copy()
        return scf.IfOp(condition, types, then, otherwise, attributes)


class IndexSwitch(Branch):
    """`scf.index_switch`."""

    def build(
        self, op: Operation, regions: list[Region], types: list[Attribute], to: Writer
    ) -> Operation:
        """A switch with these regions."""
        assert isinstance(op, scf.IndexSwitchOp)
        default, *cases = regions
        return scf.IndexSwitchOp(
            to.values[op.arg],
            op.cases.get_values(),
            default,
            cases,
            types,
            op.attributes.copy(),
        )


class ExecuteRegion(Branch):
    """`scf.execute_region` of one block."""

    EXCLUSIVE = False

    def build(
        self, op: Operation, regions: list[Region], types: list[Attribute], to: Writer
    ) -> Operation:
        """An execute_region with this region."""
        assert isinstance(op, scf.ExecuteRegionOp)
        return scf.ExecuteRegionOp(
            types,
            regions[0],
            no_inline=op.no_inline is not None,
            attributes=op.attributes.copy(),
        )


class Masked(Branch):
    """`vector.mask` around an access, which is expanded before writing.

    `expand_ops.py` replaces it; only `test_analysis_only` sees it.
    """

    EXCLUSIVE = False

    def build(
        self, op: Operation, regions: list[Region], types: list[Attribute], to: Writer
    ) -> Operation:
        """Written by the op around it, or expanded before."""
        raise AssertionError(f"'{op.name}' is spelled out before")


class Select(Model):
    """`arith.select` of two tensors, by one condition."""

    def obstacle(self, op: Operation) -> Obstacle | None:
        """Only one condition for all elements is supported."""
        assert isinstance(op, arith.SelectOp)
        if not is_tensor(op.condition.type):
            return None
        return Obstacle(
            "'arith.select' by a tensor of conditions cannot be bufferized",
            "write it as linalg.generic",
        )

    def reads(self, operand: Operand, facts: Facts) -> bool:
        """A selection reads no contents."""
        return False

    def aliases(self, operand: Operand, facts: Facts) -> Sequence[Alias]:
        """The result may be either operand."""
        return (Alias(operand.op.results[0]),)

    def write(self, op: Operation, to: Writer) -> None:
        """Select between two buffers of one type."""
        assert isinstance(op, arith.SelectOp)
        kind = tensor_type(op.result)
        choices = [to.buffer(op, 1), to.buffer(op, 2)]
        type_ = to.common_type(choices, kind)
        left, right = (to.cast(buffer, type_, op) for buffer in choices)
        new_op = arith.SelectOp(to.values[op.condition], left, right)
        to.bind(op.result, to.add(new_op, op).results[0])
