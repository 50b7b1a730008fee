"""Equal grids are lowered once."""

from __future__ import annotations

from xdsl.dialects.builtin import DictionaryAttr, ModuleOp, StringAttr

from support.codegen.programs import chain
from tilewright.codegen.kernel.modules import kernels_of, launches_by_kernel
from tilewright.codegen.lower.function import lower
from tilewright.ir.dialects.scf import ForallOp
from tilewright.payloads import Payload
from tilewright.pipeline import apply_schedule, parse_payload


def _buffer_level(text: str) -> ModuleOp:
    """A payload with a grid for each of its ops."""
    return apply_schedule(parse_payload(text), None).payload


def _differences() -> ModuleOp:
    p = Payload("differences")
    a, b = p.input("a", (64, 32), "f32"), p.input("b", (64, 32), "f32")
    p.output(a - b, b - a)
    return _buffer_level(p.text())


def test_equal_grids_are_launches_of_one_kernel() -> None:
    made = lower(_buffer_level(chain(["addf", "mulf", "addf", "addf"]))).module
    # The first sum reads an argument, the others temporaries.
    assert len(kernels_of(made)) == 3
    *_, (third, fourth) = launches_by_kernel(made).values()
    assert third.buffers[0] is not fourth.buffers[0]
    assert third.buffers[-1] is fourth.buffers[0]


def test_buffers_may_change_places() -> None:
    made = lower(_differences()).module
    ((first, second),) = launches_by_kernel(made).values()
    assert list(first.buffers[:2]) == list(reversed(second.buffers[:2]))


def test_grids_that_call_buffers_by_name_stay_apart() -> None:
    module = _differences()
    for op in module.walk():
        if isinstance(op, ForallOp):
            hint = DictionaryAttr({"a": StringAttr("evict_last")})
            op.attributes["triton.eviction"] = hint
    assert len(kernels_of(lower(module).module)) == 2
