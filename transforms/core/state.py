"""The payload of handles while a schedule runs, and which handles are invalid.

Consuming a handle invalidates every handle to the same ops and to ops inside them. A
later use is an error that names the use, the consumer and the payload.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import AffineMapAttr, FloatAttr, IntegerAttr
from xdsl.dialects.transform import TypeParamType
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue, TypeAttribute
from xdsl.utils.hints import isa

from tilewright.ir.errors import DefiniteFailure, Note, Place, UserError
from tilewright.ir.text import place_of
from tilewright.transforms.core.base import (
    AffineMapType,
    OperationType,
    ParamType,
    TransformOp,
    TransformOpHandleType,
    TransformParamHandleType,
    TransformValueHandleType,
)
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.core.run import Run
from tilewright.transforms.core.walking import walked


@dataclass(frozen=True)
class Invalidation:
    """The op that consumed a handle's payload, and that payload."""

    consumer: TransformOp
    payload_name: str
    payload_place: Place | None


@dataclass(frozen=True)
class Mapping:
    """The payload of every handle and parameter at one moment."""

    ops: dict[SSAValue, list[Operation]]
    values: dict[SSAValue, list[SSAValue]]
    params: dict[SSAValue, tuple[Attribute, ...]]
    invalid: dict[SSAValue, Invalidation]


class TransformState:
    """The mapping from handles to payload, updated while payload changes."""

    def __init__(self, root: Operation):
        self.root = root
        self.rewriter = Rewriter(self._replaced, self._erased)
        self.run: Run
        """The run this state belongs to: ops with regions run their blocks by it."""
        self.records: list[object] = []
        """What the op that is being applied says about its work."""
        self.applying: TransformOp | None = None
        """The op that is being applied, and changes payload."""
        self.drops_failures = False
        """Whether nobody looks at payload and handles after a step that fails: the
        step then need not undo what it has done."""
        self._ops: dict[SSAValue, list[Operation]] = {}
        self._values: dict[SSAValue, list[SSAValue]] = {}
        self._params: dict[SSAValue, tuple[Attribute, ...]] = {}
        self._invalid: dict[SSAValue, Invalidation] = {}
        self._handles: dict[Operation, dict[SSAValue, None]] = {}
        """The handles to each op, perhaps a few more: a schedule may have thousands."""

    # -- reading -----------------------------------------------------------------

    def follows_upstream(self, user: TransformOp) -> bool:
        """Whether an op does what upstream does, even where a kernel could be wrong."""
        return self.run.as_upstream and user.written_as is None

    def doubt(self, user: TransformOp, failure: UserError) -> None:
        """Warn of what upstream does not look at; fail where kernels are generated."""
        if not self.follows_upstream(user):
            raise failure
        self.run.warnings.append(failure)

    def payload_ops(self, handle: SSAValue) -> tuple[Operation, ...]:
        """The payload ops a handle points at."""
        return tuple(self._ops.get(handle, ()))

    def payload_values(self, handle: SSAValue) -> tuple[SSAValue, ...]:
        """The payload values a value handle points at."""
        return tuple(self._values.get(handle, ()))

    def all_payload_ops(self) -> Iterable[Operation]:
        """The payload of all valid handles."""
        for handle, ops in self._ops.items():
            if handle not in self._invalid:
                yield from ops

    def params(self, handle: SSAValue) -> tuple[Attribute, ...]:
        """The attributes a parameter holds."""
        return self._params.get(handle, ())

    def items(self, handle: SSAValue) -> list[Operation | SSAValue | Attribute]:
        """The payload of a handle of any kind: ops, values or parameters."""
        if isinstance(handle.type, TransformOpHandleType):
            return list(self.payload_ops(handle))
        if isinstance(handle.type, TransformValueHandleType):
            return list(self.payload_values(handle))
        return list(self.params(handle))

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
        self._ops[handle] = found = list(ops)
        self._index(handle, found)
        self._invalid.pop(handle, None)

    def set_values(self, handle: SSAValue, values: Iterable[SSAValue]) -> None:
        """Point a value handle at payload values."""
        self._values[handle] = list(values)
        self._invalid.pop(handle, None)

    def set_items(
        self, handle: SSAValue, items: Iterable[Operation | SSAValue | Attribute]
    ) -> None:
        """Set the payload of a handle of any kind."""
        items = list(items)
        if isinstance(handle.type, TransformOpHandleType):
            self.set_ops(handle, [i for i in items if isinstance(i, Operation)])
        elif isinstance(handle.type, TransformValueHandleType):
            self.set_values(handle, [i for i in items if isinstance(i, SSAValue)])
        else:
            self.set_params(handle, [i for i in items if isinstance(i, Attribute)])

    def set_params(self, handle: SSAValue, values: Iterable[Attribute]) -> None:
        """Give a parameter its values."""
        self._params[handle] = tuple(values)

    def copy_mapping(self, source: SSAValue, target: SSAValue) -> None:
        """Give `target` the payload of `source` (yield, include)."""
        self.set_items(target, self.items(source))

    def mapping(self) -> Mapping:
        """A copy of the mapping, for `restore`."""
        return Mapping(
            {handle: list(ops) for handle, ops in self._ops.items()},
            {handle: list(values) for handle, values in self._values.items()},
            dict(self._params),
            dict(self._invalid),
        )

    def restore(self, mapping: Mapping) -> None:
        """Restore a mapping that `mapping()` returned."""
        self._ops = mapping.ops
        self._handles = {}
        for handle, ops in mapping.ops.items():
            self._index(handle, ops)
        self._values = mapping.values
        self._params = mapping.params
        self._invalid = mapping.invalid

    def record(self, fact: object) -> None:
        """Attach a fact to the step, for observers that know its type."""
        self.records.append(fact)

    # -- consuming ---------------------------------------------------------------

    def check_results(self, made_by: TransformOp) -> None:
        """Refuse results that do not fit their declared types."""
        self.check_types(made_by, made_by.results)

    def check_types(self, user: TransformOp, handles: Sequence[SSAValue]) -> None:
        """Refuse handles that do not fit their declared types."""
        for handle in handles:
            kind = handle.type
            what = "an argument" if isinstance(handle, BlockArgument) else "a result"
            if isinstance(kind, OperationType):
                for op in self.payload_ops(handle):
                    if op.name != kind.operation.data:
                        raise user.broken(
                            f"{what} is declared {kind} and points at '{op.name}'", op
                        )
            elif isinstance(kind, TransformParamHandleType):
                for value in self.params(handle):
                    if not _may_hold(kind, value):
                        raise user.broken(
                            f"{what} is declared {kind} and holds {value}"
                        )

    def check_valid(self, user: Operation) -> None:
        """Refuse an op that uses an invalidated handle."""
        for position, operand in enumerate(user.operands):
            if (taken := self._invalid.get(operand)) is not None:
                raise DefiniteFailure(
                    f"{_title(user)}: {_use(user, position)} after it was invalidated",
                    place_of(user),
                    "match again, or use the handle the consuming op returned",
                    [
                        Note(
                            f"invalidated here by '{_consumer(taken.consumer)}'",
                            place_of(taken.consumer),
                        ),
                        Note(
                            f"it pointed at the payload op '{taken.payload_name}'",
                            taken.payload_place,
                        ),
                    ],
                )

    def check_consumed(self, consumer: TransformOp) -> None:
        """Refuse to consume a handle that points at one op twice."""
        if consumer.TAKES_TWICE:
            return
        for handle in consumer.consumed_handles():
            ops = self.payload_ops(handle)
            if len(set(ops)) != len(ops):
                twice = next(op for op in ops if ops.count(op) > 1)
                raise consumer.broken(
                    "a handle it consumes points at the same op twice",
                    twice,
                    "merge with 'deduplicate'",
                )

    def taken_by(self, consumer: TransformOp) -> dict[SSAValue, Invalidation]:
        """The handles that `consumer` will invalidate; call it before applying."""
        taken: dict[SSAValue, Invalidation] = {}
        for handle in consumer.consumed_handles():
            ops = self.payload_ops(handle)
            payload = ops[0] if ops else None
            taken[handle] = Invalidation(
                consumer,
                payload.name if payload is not None else "(none)",
                place_of(payload) if payload is not None else None,
            )
            gone = {nested for op in ops for nested in walked(op)}
            gone |= {owner_of(value) for value in self.payload_values(handle)}
            for other in {h: None for op in gone for h in self._handles.get(op, ())}:
                others = self._ops.get(other, ())
                if (hit := next((op for op in others if op in gone), None)) is not None:
                    taken[other] = Invalidation(consumer, hit.name, place_of(hit))
            for other, values in self._values.items():
                owners = (owner_of(value) for value in values)
                if (hit := next((op for op in owners if op in gone), None)) is not None:
                    taken[other] = Invalidation(consumer, hit.name, place_of(hit))
        return taken

    def forget(self, handles: Iterable[SSAValue]) -> None:
        """Drop handles that will not be used again: each step walks all handles."""
        for handle in handles:
            self._ops.pop(handle, None)
            self._values.pop(handle, None)

    def invalidate(
        self, taken: dict[SSAValue, Invalidation], keep: Sequence[SSAValue]
    ) -> None:
        """Invalidate what `taken_by` found, except the consumer's own results."""
        for handle, reason in taken.items():
            if handle not in keep:
                self._invalid[handle] = reason
                self._ops.pop(handle, None)
                self._values.pop(handle, None)

    # -- tracking ----------------------------------------------------------------

    def _replaced(
        self, old: Operation, new: Operation | None, values: Sequence[SSAValue]
    ) -> None:
        """Update handles to a replaced op; invalidate those it has no successor for."""
        if old in self._handles:
            self._let_follow(old, new)
        if self._values:
            become: dict[SSAValue, SSAValue] = {}
            become.update(zip(old.results, values, strict=True))
            for targets in self._values.values():
                targets[:] = [become.get(value, value) for value in targets]

    def _index(self, handle: SSAValue, ops: Iterable[Operation]) -> None:
        for op in ops:
            self._handles.setdefault(op, {})[handle] = None

    def _let_follow(self, old: Operation, new: Operation | None) -> None:
        for handle in list(self._handles[old]):
            ops = self._ops.get(handle, [])
            for index, op in enumerate(ops):
                if op is not old:
                    continue
                if new is not None:
                    ops[index] = new
                    self._index(handle, (new,))
                elif self.applying is not None:
                    lost = Invalidation(self.applying, old.name, place_of(old))
                    self._invalid[handle] = lost

    def _erased(self, gone: Operation) -> None:
        for handle in self._handles.pop(gone, ()):
            ops = self._ops.get(handle, [])
            if gone in ops:
                ops[:] = [op for op in ops if op is not gone]
        for values in self._values.values():
            values[:] = [value for value in values if owner_of(value) is not gone]


def _may_hold(kind: TransformParamHandleType, value: Attribute) -> bool:
    """Whether a parameter of a type may hold a value."""
    if isinstance(kind, ParamType):
        return isa(value, IntegerAttr | FloatAttr) and value.type == kind.type
    if isinstance(kind, AffineMapType):
        return isinstance(value, AffineMapAttr)
    if isinstance(kind, TypeParamType):
        return isinstance(value, TypeAttribute)
    return True


def owner_of(value: SSAValue) -> Operation:
    """The op that defines a value, or the op around its block."""
    owner = value.owner
    if isinstance(owner, Operation):
        return owner
    parent = owner.parent_op()
    assert parent is not None, "a payload value lies in some op"
    return parent


def _title(user: Operation) -> str:
    verb = user.written_as if isinstance(user, TransformOp) else None
    return verb or user.name.removeprefix("transform.")


def _consumer(op: TransformOp) -> str:
    return op.written_as or op.name


def _use(user: Operation, position: int) -> str:
    """How an op uses a handle, with names as the schedule writes them."""
    hint = user.operands[position].name_hint
    if isinstance(user, TransformOp) and user.written_as is not None:
        return f"it uses '{hint}'" if hint else "it uses a handle"
    return f"operand {position} uses {f'%{hint}' if hint else 'the handle'}"
