"""The calls of a library that compute parts of a group, with their work in numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import SSAValue

from tilewright.codegen.analysis.elements.constants import constant_of
from tilewright.codegen.analysis.libraries.call import shape_of
from tilewright.codegen.analysis.libraries.find_call import library_call
from tilewright.codegen.analysis.libraries.matmuls import REMEDY
from tilewright.codegen.describe.call_work import call_info
from tilewright.codegen.program import NOMINAL, CallInfo
from tilewright.ir.dialects.linalg import FillOp, StructuredOp
from tilewright.ir.errors import SilenceableFailure
from tilewright.ir.structured.activations import activation_of
from tilewright.ir.structured.matmul_tails import MatmulTail, absorbed_matmul
from tilewright.planning.analysis.dataflow import Analysis
from tilewright.planning.analysis.facts import OpFacts, Role
from tilewright.planning.grouping.group import Group


@dataclass(frozen=True)
class Call:
    """One call: the op that is handed over, and the ops that it computes."""

    op: OpFacts
    computes: tuple[OpFacts, ...]
    library: str
    info: CallInfo
    inlined: OpFacts | None = None
    """The op after the matmul that becomes a part of `op` first."""


def matmul_calls(
    analysis: Analysis, group: Group, matmul: OpFacts, library: str | None = None
) -> list[Call]:
    """The calls that compute a matmul of a group, those of most ops first."""
    library = library or library_for(matmul)
    found: list[Call] = []
    tail = _only_reader(analysis, group, matmul)
    if tail is not None and group.fills:
        form = absorbed_matmul(tail.op, lambda value: value.owner)
        is_own = form is not None and tail.op.inputs[form.matmul].owner is matmul.op
        info = _info(group, library, matmul, tail, form) if is_own else None
        if info is not None and form is not None:
            found += _activated(analysis, group, library, (matmul, tail), form)
            found.append(Call(tail, (matmul, tail), library, info))
    info = _info(group, library, matmul)
    if info is not None:
        found.append(Call(matmul, (matmul,), library, info))
    return found


def _activated(
    analysis: Analysis,
    group: Group,
    library: str,
    ops: tuple[OpFacts, OpFacts],
    form: MatmulTail,
) -> list[Call]:
    """The call that computes the activation after a matmul and its tail as well."""
    matmul, tail = ops
    reader = _only_reader(analysis, group, tail)
    name = None if reader is None else activation_of(reader.op)
    if reader is None or name is None or form.activation is not None:
        return []
    activated = replace(form, activation=name)
    info = _info(group, library, matmul, tail, activated)
    if info is None:
        return []
    return [Call(reader, (*ops, reader), library, info, inlined=tail)]


def _only_reader(analysis: Analysis, group: Group, matmul: OpFacts) -> OpFacts | None:
    """The op of a group that alone reads a matmul."""
    uses = analysis.uses(matmul)
    if len(uses) != 1 or analysis.escapes(matmul):
        return None
    reader = uses[0].reader
    return reader if group.has(reader) else None


def _info(
    group: Group,
    library: str,
    matmul: OpFacts,
    tail: OpFacts | None = None,
    form: MatmulTail | None = None,
) -> CallInfo | None:
    """The work of a library's call for a matmul, perhaps with its tail."""
    try:
        call = library_call(matmul.op, library, None if tail is None else tail.op, form)
    except SilenceableFailure:
        return None
    facts = [matmul] if tail is None else [matmul, tail]
    shape = _shapes_in(facts)
    return call_info(call, shape, starts_from_zero=bool(group.fills))


def why_no_call(matmul: OpFacts) -> str | None:
    """Why no library computes a convolution or a matmul; None if one does."""
    return why_refused(matmul.op, library_for(matmul))


def why_refused(
    op: StructuredOp,
    library: str,
    tail: StructuredOp | None = None,
    form: MatmulTail | None = None,
) -> str | None:
    """Why a library does not compute an op, perhaps with its tail; None if it does."""
    try:
        library_call(op, library, tail, form)
    except SilenceableFailure as error:
        # The op has no attribute to leave off, and no kernel.
        remedy = (error.remedy or "").removesuffix(REMEDY).removesuffix("; or ")
        fact = error.fact.removeprefix(f"'{op.name}': ")
        fact = f"it {fact}" if fact.startswith("is ") else fact
        return f"{fact}; {remedy}" if remedy else fact
    return None


def library_for(matmul: OpFacts) -> str:
    """The library that computes such matmuls."""
    return "cudnn" if matmul.role == Role.WINDOW else "cublas"


def is_zero(fill: OpFacts) -> bool:
    """Whether an op fills with the number 0."""
    if not isinstance(fill.op, FillOp):
        return False
    number = constant_of(fill.op.inputs[0])
    return number is not None and number.value.data == 0


def _shapes_in(
    ops: Sequence[OpFacts],
) -> Callable[[SSAValue], tuple[int, ...]]:
    """The shapes of the ops' tensors; an open size has the extent of its loop."""
    known: dict[SSAValue, tuple[int, ...]] = {}
    for facts in ops:
        pairs = [(operand.value, operand) for operand in facts.operands]
        pairs += zip(facts.op.results, facts.outputs, strict=True)
        for value, operand in pairs:
            if operand.loops:
                known[value] = tuple(
                    NOMINAL if loop is None else facts.extents[loop]
                    for loop in operand.loops
                )

    def shape(value: SSAValue) -> tuple[int, ...]:
        sizes = shape_of(value)
        extents = known.get(value, (NOMINAL,) * len(sizes))
        return tuple(
            extent if size == DYNAMIC_INDEX else size
            for size, extent in zip(sizes, extents, strict=True)
        )

    return shape
