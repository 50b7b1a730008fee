"""What handles point at while a schedule runs, and what has been invalidated.

Consuming a handle invalidates every handle to the same payload and to what is nested in
it; a later use is an error that names the use, the consumer and the payload.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Attribute, Operation, SSAValue

from tilewright.ir.errors import DefiniteFailure, Note, Place
from tilewright.ir.text import place_of
from tilewright.transforms.base import TransformOp, TransformOpHandleType
from tilewright.transforms.rewriter import Rewriter

if TYPE_CHECKING:
    from tilewright.transforms.interpreter import ScheduleRun


@dataclass(frozen=True)
class Invalidation:
    """Who took a handle's payload away, and what it was."""

    consumer: TransformOp
    payload_name: str
    payload_place: Place | None


class TransformState:
    """The mapping from handles to payload, kept true while payload changes."""

    def __init__(self, root: Operation):
        self.root = root
        self.rewriter = Rewriter(self._replaced, self._erased)
        self.run: ScheduleRun
        """The run this state belongs to: ops with regions run their blocks by it."""
        self.applying: TransformOp | None = None
        """The op that is being applied: whoever changes payload now."""
        self._ops: dict[SSAValue, list[Operation]] = {}
        self._params: dict[SSAValue, tuple[Attribute, ...]] = {}
        self._invalid: dict[SSAValue, Invalidation] = {}

    # -- reading -----------------------------------------------------------------

    def payload_ops(self, handle: SSAValue) -> tuple[Operation, ...]:
        """The payload ops a handle points at."""
        return tuple(self._ops.get(handle, ()))

    def params(self, handle: SSAValue) -> tuple[Attribute, ...]:
        """The attributes a parameter holds."""
        return self._params.get(handle, ())

    def integer(self, user: TransformOp, handle: SSAValue) -> int:
        """The one integer a parameter holds."""
        values = self.params(handle)
        if len(values) != 1 or not isinstance(values[0], IntegerAttr):
            raise user.broken(
                f"expected one integer parameter, got {len(values)} value(s)"
            )
        return values[0].value.data

    # -- writing -----------------------------------------------------------------

    def set_ops(self, handle: SSAValue, ops: Iterable[Operation]) -> None:
        """Point a handle at payload ops."""
        self._ops[handle] = list(ops)
        self._invalid.pop(handle, None)

    def set_params(self, handle: SSAValue, values: Iterable[Attribute]) -> None:
        """Give a parameter its values."""
        self._params[handle] = tuple(values)

    def copy_mapping(self, source: SSAValue, target: SSAValue) -> None:
        """Let `target` stand for what `source` stands for (yield, include)."""
        if isinstance(source.type, TransformOpHandleType):
            self.set_ops(target, self.payload_ops(source))
        else:
            self.set_params(target, self.params(source))

    # -- consuming ---------------------------------------------------------------

    def check_valid(self, user: TransformOp) -> None:
        """Refuse an op that uses an invalidated handle."""
        for position, operand in enumerate(user.operands):
            if (taken := self._invalid.get(operand)) is not None:
                name = f"%{operand.name_hint}" if operand.name_hint else "the handle"
                raise DefiniteFailure(
                    f"{user.name.removeprefix('transform.')}: operand {position} uses "
                    f"{name} after it was invalidated",
                    place_of(user),
                    "match again, or use the handle the consuming op returned",
                    [
                        Note(
                            f"invalidated here by '{taken.consumer.name}'",
                            place_of(taken.consumer),
                        ),
                        Note(
                            f"it pointed at the payload op '{taken.payload_name}'",
                            taken.payload_place,
                        ),
                    ],
                )

    def taken_by(self, consumer: TransformOp) -> dict[SSAValue, Invalidation]:
        """The handles that applying `consumer` will invalidate; ask before applying."""
        taken: dict[SSAValue, Invalidation] = {}
        for handle in consumer.consumed_handles():
            ops = self.payload_ops(handle)
            payload = ops[0] if ops else None
            taken[handle] = Invalidation(
                consumer,
                payload.name if payload is not None else "(none)",
                place_of(payload) if payload is not None else None,
            )
            gone = {nested for op in ops for nested in op.walk()}
            for other, others in self._ops.items():
                if (hit := next((op for op in others if op in gone), None)) is not None:
                    taken[other] = Invalidation(consumer, hit.name, place_of(hit))
        return taken

    def invalidate(
        self, taken: dict[SSAValue, Invalidation], keep: Sequence[SSAValue]
    ) -> None:
        """Invalidate what `taken_by` found, except the consumer's own results."""
        for handle, reason in taken.items():
            if handle not in keep:
                self._invalid[handle] = reason
                self._ops.pop(handle, None)

    # -- tracking ----------------------------------------------------------------

    def _replaced(self, old: Operation, new: Operation | None) -> None:
        """Let handles follow; one whose op became something else may not be used."""
        for handle, ops in self._ops.items():
            for index, op in enumerate(ops):
                if op is not old:
                    continue
                if new is not None:
                    ops[index] = new
                elif self.applying is not None:
                    lost = Invalidation(self.applying, old.name, place_of(old))
                    self._invalid[handle] = lost

    def _erased(self, gone: Operation) -> None:
        for ops in self._ops.values():
            if gone in ops:
                ops[:] = [op for op in ops if op is not gone]
