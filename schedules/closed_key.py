"""The key of a schedule with its choices closed: equal if it does the same steps.

Results are kept by this key. It does not depend on what a point leaves unused:

- the options of a knob and the branches that the point does not take,
- the names of knobs, branches, handles and sequences' arguments,
- the order of lines that only read: `knob`, `require`, `match`, navigation, as long as
  no step between them changes the payload,
- the order of launch attributes that are set one after the other,
- comments, sequences that are never included, and conditions, which hold or not.

A difference in the key means nothing: two schedules with different keys may still give
the same program, which has a key of its own.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import ArrayAttr, ModuleOp, SymbolRefAttr
from xdsl.dialects.transform import NamedSequenceOp
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.utils.hints import isa

from tilewright.transforms.control.choices.constrain import ConstrainParamsOp
from tilewright.transforms.control.choices.selected_region import SelectedRegionOp
from tilewright.transforms.control.choices.tune_alternatives import AlternativesOp
from tilewright.transforms.control.choices.tune_knob import KnobOp
from tilewright.transforms.control.choices.values import (
    Value,
    value_of,
    value_text,
)
from tilewright.transforms.handles.annotate import AnnotateOp
from tilewright.transforms.handles.param_constant import ParamConstantOp
from tilewright.transforms.interpreter import ENTRY

VERSION = "closed 1"
"""Changes when the key of an unchanged schedule does."""

_READS = frozenset(
    f"transform.{name}"
    for name in (
        "structured.match",
        "merge_handles",
        "split_handle",
        "select",
        "tilewright.pick",
        "tilewright.match_role",
        "tilewright.dim",
        "tilewright.elem_bits",
        "cast",
        "num_associations",
        "get_parent_op",
        "get_producer_of_operand",
        "get_consumers_of_result",
        "get_defining_op",
        "get_operand",
        "get_result",
    )
)
"""Ops that find payload and change nothing."""


class ClosedKeys:
    """The keys of a schedule's points; what points have in common is printed once."""

    def __init__(self, module: ModuleOp, entry: str = ENTRY) -> None:
        self._entry = entry
        self._sequences = {
            op.sym_name.data: op for op in module.ops if isinstance(op, NamedSequenceOp)
        }
        self._texts: dict[Operation, _OpText] = {}

    def __call__(self, point: Mapping[str, Value]) -> str:
        """The key of the schedule with the choices of a point, or their defaults."""
        found: dict[str, str] = {}
        wanted = [self._entry]
        while wanted:
            name = wanted.pop()
            if name in found or name not in self._sequences:
                continue
            walk = _Walk(self._texts, point)
            walk.enter(self._sequences[name].body.block)
            found[name] = "\n".join(walk.lines)
            wanted += walk.symbols
        main = found.pop(self._entry, "")
        others = [f"{name}:\n{text}" for name, text in sorted(found.items())]
        return _hashed("\n".join([VERSION, main, *others]))[:32]


@dataclass(frozen=True)
class _OpText:
    """An op without its operands and regions, and the sequences it refers to."""

    text: str
    symbols: tuple[str, ...]


class _Walk:
    """Writes the steps of a sequence at a point, in an order that does not vary."""

    def __init__(
        self, texts: dict[Operation, _OpText], point: Mapping[str, Value]
    ) -> None:
        self._texts = texts
        self._point = point
        self._values: dict[SSAValue, str] = {}
        """What a value stands for: a constant, a reading, a step's result."""
        self._reads: set[str] = set()
        """What was read since the last step."""
        self._annotations: list[tuple[str, str]] = []
        """Attributes set since the last step: their names, and their lines."""
        self._steps = 0
        self._blocks = 0
        self.lines: list[str] = []
        self.symbols: list[str] = []

    def enter(self, block: Block) -> None:
        """Write a block whose arguments are handles."""
        self._blocks += 1
        for place, argument in enumerate(block.args):
            self._values[argument] = f"argument {place} of block {self._blocks}"
        self._block(block)
        self._flush()

    def _block(self, block: Block) -> None:
        for op in block.ops:
            match op:
                case KnobOp():
                    self._values[op.result] = self._constant(op, op.result)
                case ParamConstantOp():
                    value = value_of(op.value)
                    self._values[op.param] = _constant(value, op.param)
                case SelectedRegionOp():
                    name = op.alternatives_name.data
                    label = self._point.get(name)
                    if label is None and op.selected is not None:
                        label = op.label(op.selected.value.data)
                    self._values[op.result] = f"branch {label}"
                case AlternativesOp():
                    self._alternatives(op)
                case ConstrainParamsOp():
                    self._computed(op)
                case AnnotateOp():
                    self._annotation(op)
                case _ if op.name in _READS:
                    self._reading(op)
                case _:
                    self._step(op)

    def _constant(self, op: KnobOp, result: SSAValue) -> str:
        value = op.value
        if value is None:
            value = self._point.get(op.choice_name, op.default)
        if value is None:
            return f"open {op.choice_name}"
        return _constant(value, result)

    def _alternatives(self, op: AlternativesOp) -> None:
        """Write the branch that is taken, in place of the choice."""
        picked = op.selected_region
        if picked is None and op.selected_region_param is None:
            label = self._point.get(op.choice_name, op.default)
            picked = op.labels.index(str(label)) if label in op.labels else None
        if picked is None:
            self._step(op)
            return
        block = op.alternatives[picked].block
        self._block(block)
        yielded = () if block.last_op is None else block.last_op.operands
        for result, value in zip(op.results, yielded, strict=False):
            self._values[result] = self._value(value)

    def _computed(self, op: ConstrainParamsOp) -> None:
        """Numbers that are computed from parameters; a condition has none."""
        if not op.results:
            return
        block = op.body.block
        for argument, param in zip(block.args, op.params, strict=True):
            self._values[argument] = self._value(param)
        for inner in block.ops:
            for place, result in enumerate(inner.results):
                self._values[result] = _hashed(f"{place} {self._line(inner)}")
        for result, value in zip(op.results, op.yielded, strict=True):
            self._values[result] = self._value(value)

    def _annotation(self, op: AnnotateOp) -> None:
        name = op.annotation.data
        if self._reads or name in [known for known, _ in self._annotations]:
            self._flush()
        self._annotations.append((name, self._line(op)))

    def _reading(self, op: Operation) -> None:
        if self._annotations:
            self._flush()
        line = f"{self._line(op)} after {len(self.lines)}"
        self._reads.add(line)
        read = _hashed(line)
        for place, result in enumerate(op.results):
            self._values[result] = f"{read} {place}"

    def _step(self, op: Operation) -> None:
        self._flush()
        self._steps += 1
        step = self._steps
        self.lines.append(f"{step}: {self._line(op)}")
        for region in op.regions:
            for block in region.blocks:
                self.lines.append("{")
                self.enter(block)
                self.lines.append("}")
        for place, result in enumerate(op.results):
            self._values[result] = f"step {step} {place}"

    def _flush(self) -> None:
        """Write what was read, or set, since the last step, in a fixed order."""
        self.lines += sorted(self._reads)
        self.lines += sorted(line for _, line in self._annotations)
        self._reads.clear()
        self._annotations.clear()

    def _line(self, op: Operation) -> str:
        text = self._texts.get(op)
        if text is None:
            text = self._texts[op] = _text_of(op)
        self.symbols += text.symbols
        operands = ", ".join(self._value(operand) for operand in op.operands)
        return f"{text.text}({operands})"

    def _value(self, value: SSAValue) -> str:
        return self._values.get(value, "unknown")


def _constant(value: Value, result: SSAValue) -> str:
    return f"{value_text(value)} : {result.type}"


def _text_of(op: Operation) -> _OpText:
    parts = {**op.attributes, **op.properties}
    written = ", ".join(f"{name} = {parts[name]}" for name in sorted(parts))
    types = ", ".join(str(result.type) for result in op.results)
    symbols = [
        part.string_value()
        for attribute in parts.values()
        for part in _parts(attribute)
        if isinstance(part, SymbolRefAttr)
    ]
    return _OpText(f"{op.name} {{{written}}} -> ({types})", tuple(symbols))


def _parts(attribute: Attribute) -> Sequence[Attribute]:
    """An attribute, or the entries of a list of them."""
    return attribute.data if isa(attribute, ArrayAttr) else (attribute,)


def _hashed(text: str) -> str:
    return hashlib.sha256(text.encode(errors="backslashreplace")).hexdigest()
