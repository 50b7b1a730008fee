"""What the lookups of a schedule find in a payload, as far as no run is needed.

Lookups (`match`, `pick`, `dim`, ...) give the same in every run as long as no step has
changed the payload. After such a step nothing new is looked up; numbers of ops that
were found before it are still read.
"""

from __future__ import annotations

from xdsl.dialects.builtin import IntegerAttr, ModuleOp
from xdsl.dialects.transform import NamedSequenceOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.hints import isa

from tilewright.ir.errors import UserError
from tilewright.transforms.control.choices.choice import ChoiceOp
from tilewright.transforms.control.choices.constrain import ConstrainParamsOp
from tilewright.transforms.control.foreach_match import ForeachMatchOp
from tilewright.transforms.core.base import TransformOp
from tilewright.transforms.handles.payload_numbers import is_payload_number
from tilewright.transforms.interpreter import prepare

Found = tuple[Operation | SSAValue | Attribute, ...]
"""The payload of a handle."""


class PayloadLookups:
    """Performs the lookups of a schedule in the order of its text."""

    def __init__(self, module: ModuleOp, payload: ModuleOp):
        self._run = prepare(module, payload, verify_steps=False)
        self._known: set[SSAValue] = set()
        self.is_changed = False
        """Whether a step before this place may have changed the payload."""

    def enter(self, main: NamedSequenceOp) -> None:
        """Bind the arguments of the sequence in which a run begins."""
        self._run.bind_arguments(main)
        self._known.update(main.body.block.args)

    def visit(self, op: TransformOp) -> None:
        """Perform an op if it is a lookup whose result no run can change."""
        if not op.ONLY_LOOKS:
            self.is_changed = self.is_changed or _may_change(op)
            return
        if self.is_changed and not is_payload_number(op):
            return
        if not self._known.issuperset(op.operands):
            return
        try:
            self._run.run_op(op)
        except UserError:
            return  # a run reports it
        self._known.update(op.results)

    def found(self, handle: SSAValue) -> Found | None:
        """The payload of a handle, if it is known."""
        return tuple(self._run.state.items(handle)) if handle in self._known else None

    def bind(self, handle: SSAValue, found: Found | None) -> None:
        """Give a handle the payload of another one, or of none that is known."""
        self._known.discard(handle)
        if found is not None:
            self._run.state.set_items(handle, found)
            self._known.add(handle)

    def numbers(self, param: SSAValue) -> list[int] | None:
        """A number of the payload, none if the payload leaves it open, if known."""
        found = self.found(param)
        if found is None:
            return None
        return [one.value.data for one in found if isa(one, IntegerAttr)]


def _may_change(op: TransformOp) -> bool:
    """Whether an op itself changes payload; those in its regions are visited too."""
    if op.IS_STEP:
        return not isinstance(op, ChoiceOp | ConstrainParamsOp)
    return isinstance(op, ForeachMatchOp)
