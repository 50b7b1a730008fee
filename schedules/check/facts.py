"""Finds uses of a handle that contradict the kind of op it points at."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.dialects.builtin import (
    IntegerAttr,
)
from xdsl.dialects.transform import NamedSequenceOp
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.utils.hints import isa

from tilewright.ir.errors import UserError
from tilewright.ir.text import place_of
from tilewright.schedules.language.verbs.vocabulary import verb_of
from tilewright.transforms.control.alternatives import AlternativesOp as TryOp
from tilewright.transforms.control.choices.tune_alternatives import AlternativesOp
from tilewright.transforms.control.choices.tune_knob import KnobOp
from tilewright.transforms.control.failures import suppresses
from tilewright.transforms.control.foreach import ForeachOp
from tilewright.transforms.control.sequence import SequenceOp, YieldOp
from tilewright.transforms.core.atoms import NOTHING, Knowledge
from tilewright.transforms.core.base import OperationType, TransformOp
from tilewright.transforms.core.foreseen import Foreseen, Handles, kinds_of
from tilewright.transforms.handles.param_constant import ParamConstantOp

_RUN_OTHERS = (AlternativesOp, TryOp, ForeachOp, SequenceOp)


def check_facts(sequence: NamedSequenceOp) -> list[UserError]:
    """Errors in one sequence: too many sizes, a grid where a loop is needed, ..."""
    facts = _Facts()
    facts.visit(sequence.body.block)
    return facts.errors


class _Facts:
    """Collects facts in the order of the text, and the errors that contradict them."""

    def __init__(self) -> None:
        self.errors: list[UserError] = []
        self._known = Knowledge()
        self._handles: Handles = {}
        self._attempts = 0
        """How many ops around take a step that does not apply for no error."""

    def visit(self, block: Block) -> Sequence[SSAValue]:
        """Visit a block; gives the facts of what it yields."""
        for op in block.ops:
            if isinstance(op, YieldOp):
                return op.operands
            if isinstance(op, _RUN_OTHERS):
                self._run(op)
            elif isinstance(op, TransformOp):
                self.errors += op.mistakes(self)
                if not self._attempts:
                    self.errors += self._check_loop(op)
                op.foresee(Foreseen(op, self._known, self._handles))
        return ()

    def _run(self, op: Operation) -> None:
        """Visit the regions of an op; its results are what each of them yields."""
        yields: list[Sequence[SSAValue]] = []
        is_attempt = isinstance(op, TryOp) or (
            isinstance(op, SequenceOp) and suppresses(op.failure_propagation_mode)
        )
        self._attempts += is_attempt
        for region in op.regions:
            for argument, value in zip(region.block.args, op.operands, strict=False):
                self._join(argument, [value])
            yields.append(self.visit(region.block))
        self._attempts -= is_attempt
        for result, values in zip(op.results, zip(*yields, strict=False), strict=False):
            self._join(result, values)

    def kind(self, handle: SSAValue) -> str | None:
        """The op that a handle points at, by its type or by how it was found."""
        if isinstance(handle.type, OperationType):
            return handle.type.operation.data
        kinds = kinds_of(self._handles.get(handle, NOTHING))
        return next(iter(kinds)) if kinds is not None and len(kinds) == 1 else None

    def values(self, param: SSAValue | None) -> list[int]:
        """The values that a parameter may have, if the schedule lists them."""
        attributes: Sequence[Attribute] = ()
        if param is not None and isinstance(param.owner, KnobOp):
            attributes = param.owner.listed
        elif param is not None and isinstance(param.owner, ParamConstantOp):
            attributes = (param.owner.value,)
        return [a.value.data for a in attributes if isa(a, IntegerAttr)]

    def _join(self, result: SSAValue, values: Sequence[SSAValue]) -> None:
        atoms = [self._handles.get(value, NOTHING) for value in values]
        self._handles[result] = NOTHING.union(*atoms) if all(atoms) else NOTHING

    def _check_loop(self, op: TransformOp) -> Iterator[UserError]:
        if not op.name.startswith("transform.loop.") or not op.operands:
            return
        kind = self.kind(op.operands[0])
        if kind is None or op.ANY_TARGET or kind.startswith(("scf.", "affine.")):
            return
        yield UserError(
            f"{verb_of(op)}: this handle points at '{kind}', not at a loop",
            place_of(op),
            "give the loop: the handle that tiling returned, or "
            + op.worded(mlir="get_parent_op", tw="'parent'"),
        )
