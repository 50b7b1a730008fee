"""The quick verifier accepts and refuses what xDSL does, in the same words.

Each op of the corpus is verified as it is and damaged in several ways.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache

import pytest
from xdsl.dialects.builtin import DenseArrayBase, UnitAttr, f64, i32
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.irdl import IRDLOperation, OpDef
from xdsl.utils.exceptions import VerifyException

from support.ir.snippets import snippets_in
from support.paths import DATA
from tilewright.ir.context import payload_context
from tilewright.ir.op_definitions import quick_checks
from tilewright.ir.text import parse_module

SEGMENTS = "operandSegmentSizes"


@cache
def ops() -> dict[str, IRDLOperation]:
    """For each name the op with most operands."""
    found: dict[str, IRDLOperation] = {}
    for snippet in snippets_in(DATA / "corpus")[::3]:
        module = parse_module(snippet.text, "corpus.mlir", payload_context())
        for op in module.walk():
            if isinstance(op, IRDLOperation):
                most = found.setdefault(op.name, op)
                if len(op.operands) > len(most.operands):
                    found[op.name] = op
    return found


def verdict(verify: Callable[[Operation], None], op: Operation) -> str:
    try:
        verify(op)
    except VerifyException as error:
        return f"refused: {error}"
    except Exception as error:
        return f"failed: {error!r}"
    return "accepted"


def value(of: Attribute) -> SSAValue:
    return Block(arg_types=[of]).args[0]


def damages(op: IRDLOperation) -> Iterator[tuple[str, Callable[[], object]]]:
    """Ways to change the op, which is valid again after each group of them."""
    yield "as it is", lambda: None
    if op.operands:
        others = list(op.operands)
        yield "an operand more", lambda: _set(op, [*others, others[-1]])
        yield "an operand less", lambda: _set(op, others[:-1])
        for index in {0, len(others) - 1}:
            changed = [*others[:index], value(f64), *others[index + 1 :]]
            yield f"another type {index}", lambda changed=changed: _set(op, changed)
        yield "operands", lambda: _set(op, others)
    for name, attribute in list(op.properties.items()):
        yield f"without {name}", lambda name=name: op.properties.pop(name)
        yield f"unit {name}", lambda name=name: _put(op, name, UnitAttr())
        yield name, lambda name=name, a=attribute: _put(op, name, a)
    if isinstance(sizes := op.properties.get(SEGMENTS), DenseArrayBase):
        values = [int(size) for size in sizes.get_values()]
        for wrong in ([*values, 0], [size + 1 for size in values], [-1, *values[1:]]):
            array = DenseArrayBase.from_list(i32, wrong)
            yield f"sizes {wrong}", lambda a=array: _put(op, SEGMENTS, a)
        yield "sizes", lambda: _put(op, SEGMENTS, sizes)
    yield "an unknown property", lambda: _put(op, "unknown", UnitAttr())
    yield "only what is known", lambda: op.properties.pop("unknown")


def _set(op: Operation, operands: Sequence[SSAValue]) -> None:
    op.operands = operands


def _put(op: Operation, name: str, attribute: Attribute) -> None:
    op.properties[name] = attribute


def test_the_verdicts_are_those_of_xdsl() -> None:
    refused = 0
    for name, op in ops().items():
        verify = quick_checks.verifier(op.get_irdl_definition())
        if verify is None:
            continue
        for damage, apply in damages(op):
            apply()
            expected = verdict(op.get_irdl_definition().verify, op)
            assert verdict(verify, op) == expected, f"{name}, {damage}"
            refused += expected != "accepted"
    assert refused > 200


def test_valid_ops_are_not_verified_by_xdsl(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object) -> None:
        raise AssertionError("xDSL verifies an op")

    left = [
        op.name
        for op in ops().values()
        if quick_checks.verifier(op.get_irdl_definition()) is None
    ]
    assert len(left) < 5, left
    monkeypatch.setattr(OpDef, "verify", never)
    for op in ops().values():
        verify = quick_checks.verifier(op.get_irdl_definition())
        if verify is not None:
            verify(op)


def test_the_named_fields_are_those_of_xdsl() -> None:
    """Accessors give the operands, results and regions in order."""
    for op in ops().values():
        definition = op.get_irdl_definition()
        for fields, whole in (
            (definition.operands, op.operands),
            (definition.results, op.results),
            (definition.regions, op.regions),
        ):
            found: list[object] = []
            for name, _ in fields:
                field = getattr(op, name)
                some = field if isinstance(field, tuple) else (field,)
                found += [one for one in some if one is not None]
            assert found == list(whole), op.name
