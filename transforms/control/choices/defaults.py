"""The defaults of choices: the values that close what a point leaves open.

    BM = knob [64, 128] default 128
    choose loads default descriptors { pointers { } descriptors { S = knob [2, 3] } }

The *default point* has the default of every choice that the run reaches. A choice in a
branch is reached only where that branch is taken. Where one name is declared twice, the
default that the run reaches first counts.
"""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.dialects.builtin import IntegerAttr, ModuleOp, UnitAttr
from xdsl.dialects.transform import NamedSequenceOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.utils.hints import isa

from tilewright.ir.errors import UserError
from tilewright.ir.text import place_of
from tilewright.transforms.control.choices.bind import bind
from tilewright.transforms.control.choices.choice import CLOSED_BY_DEFAULT
from tilewright.transforms.control.choices.constrain import (
    ConstrainParamsOp,
    compute,
    described_values,
    violated,
)
from tilewright.transforms.control.choices.open_choices import choices
from tilewright.transforms.control.choices.selected_region import SelectedRegionOp
from tilewright.transforms.control.choices.tune_alternatives import AlternativesOp
from tilewright.transforms.control.choices.tune_knob import KnobOp
from tilewright.transforms.control.choices.values import Value
from tilewright.transforms.control.foreach_match import ForeachMatchOp
from tilewright.transforms.control.sequence import IncludeOp
from tilewright.transforms.core.base import TransformOp
from tilewright.transforms.handles.param_constant import ParamConstantOp

_ENTRY = "__transform_main"


def default_point(
    module: ModuleOp, point: Mapping[str, Value], entry: str = _ENTRY
) -> dict[str, Value]:
    """The choices that a run at `point` reaches and that their defaults close."""
    if not any(op.default is not None for op in choices(module)):
        return {}
    return _Run(module, point).run(entry)


def bind_with_defaults(
    module: ModuleOp, point: Mapping[str, Value], entry: str = _ENTRY
) -> None:
    """Write a point into the schedule, and the defaults of what it leaves open."""
    bind(module, point)
    closed = default_point(module, {}, entry)
    bind(module, closed)
    for op in module.walk() if closed else ():
        is_choice = isinstance(op, KnobOp | AlternativesOp)
        if (is_choice and op.choice_name in closed) or (
            isinstance(op, SelectedRegionOp) and op.alternatives_name.data in closed
        ):
            op.attributes[CLOSED_BY_DEFAULT] = UnitAttr()


def check_defaults(module: ModuleOp, entry: str = _ENTRY) -> list[UserError]:
    """The conditions that the default point violates, as errors."""
    if not any(op.default is not None for op in choices(module)):
        return []
    copy = module.clone()
    try:
        bind_with_defaults(copy, {}, entry)
    except UserError as error:
        return [error]
    run = _Run(copy, {})
    run.run(entry)
    return run.errors


class _Run:
    """Follows a run at a point through the branches that it takes."""

    def __init__(self, module: ModuleOp, point: Mapping[str, Value]) -> None:
        self._sequences = {
            op.sym_name.data: op for op in module.ops if isinstance(op, NamedSequenceOp)
        }
        self._entered: set[str] = set()
        self._point = point
        self._closed: dict[str, Value] = {}
        self._numbers: dict[SSAValue, int] = {}
        """The values of parameters that are known."""
        self.errors: list[UserError] = []
        """The conditions that do not hold for known values."""

    def run(self, entry: str) -> dict[str, Value]:
        """The values of the choices that defaults close."""
        self._enter(entry)
        return self._closed

    def _enter(self, name: str) -> None:
        # A sequence that is included again has the same choices.
        if name in self._sequences and name not in self._entered:
            self._entered.add(name)
            self._block(self._sequences[name].body.block)

    def _block(self, block: Block) -> None:
        for op in block.ops:
            self._op(op)

    def _op(self, op: Operation) -> None:
        before = len(self.errors)
        self._follow(op)
        if isinstance(op, TransformOp) and op.catches_failures:
            del self.errors[before:]

    def _follow(self, op: Operation) -> None:
        match op:
            case KnobOp():
                value = self._value(op)
                if isinstance(value, int):
                    self._numbers[op.result] = value
            case AlternativesOp():
                self._alternatives(op)
            case SelectedRegionOp():
                if op.selected is not None:
                    self._numbers[op.result] = op.selected.value.data
            case ConstrainParamsOp():
                self._constraint(op)
            case ParamConstantOp():
                if isa(op.value, IntegerAttr):
                    self._numbers[op.param] = op.value.value.data
            case IncludeOp():
                self._enter(op.target.string_value())
            case ForeachMatchOp():
                for symbol in (*op.matchers, *op.actions):
                    self._enter(symbol.string_value())
            case _:
                for region in op.regions:
                    for block in region.blocks:
                        self._block(block)

    def _value(self, op: KnobOp | AlternativesOp) -> Value | None:
        """The value of a choice at the point, if it has one."""
        if not op.is_open:
            if isinstance(op, KnobOp):
                return op.value
            return None if op.selected_region is None else op.labels[op.selected_region]
        name = op.choice_name
        if name in self._point:
            return self._point[name]
        if name not in self._closed and op.default is not None:
            self._closed[name] = op.default
        return self._closed.get(name)

    def _alternatives(self, op: AlternativesOp) -> None:
        taken = self._value(op)
        if taken in op.labels:
            block = op.alternatives[op.labels.index(str(taken))].block
            self._block(block)
            yielded = () if block.last_op is None else block.last_op.operands
            for result, value in zip(op.res, yielded, strict=False):
                if value in self._numbers:
                    self._numbers[result] = self._numbers[value]
        elif op.selected_region_param is not None:
            for region in op.alternatives:
                self._block(region.block)

    def _constraint(self, op: ConstrainParamsOp) -> None:
        values = [self._numbers.get(param) for param in op.params]
        known = [value for value in values if value is not None]
        if len(known) < len(values):
            return
        results = compute(op, known)
        if results is None:
            self.errors.append(
                UserError(
                    f"the default point is not valid: {violated(op, known)} for "
                    f"{described_values(op, known)}",
                    place_of(op),
                    "change a default, or relax the condition",
                )
            )
            return
        self._numbers.update(zip(op.res, results, strict=True))
