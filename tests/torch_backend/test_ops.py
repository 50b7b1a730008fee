"""The table of ops: its pages, its promotion, and torch's own samples."""

from __future__ import annotations

import itertools

import pytest
import torch

from tilewright.frontend.builder import Payload
from tilewright.torch_backend.lowering.dtypes import dtype_name
from tilewright.torch_backend.ops.elements.promotion import promoted
from tilewright.torch_backend.ops.table import FAMILIES, OPS

TYPES = (
    *(torch.float32, torch.float16, torch.bfloat16, torch.float64),
    *(torch.int64, torch.int32, torch.int8, torch.bool),
)


def test_every_op_of_the_table_is_an_op_of_torch() -> None:
    for name in OPS:
        namespace, packet, overload = name.split(".")
        found = getattr(getattr(torch.ops, namespace), packet)
        assert overload in found.overloads(), name


def test_no_op_is_in_two_families() -> None:
    assert len(OPS) == sum(len(table) for table in FAMILIES.values())


@pytest.mark.parametrize("ranks", [(2, 2), (0, 2), (2, 0), (0, 0)])
def test_types_promote_as_in_torch(ranks: tuple[int, int]) -> None:
    shapes = [(2,) * rank for rank in ranks]
    for one, two in itertools.product(TYPES, TYPES):
        tensors = [
            torch.zeros(shape, dtype=dtype)
            for shape, dtype in zip(shapes, (one, two), strict=True)
        ]
        payload = Payload("f")
        given = [
            payload.input(name, shape, dtype_name(dtype))
            for name, shape, dtype in zip("ab", shapes, (one, two), strict=True)
        ]
        assert promoted(*given) == dtype_name(torch.result_type(*tensors))
        for number in (True, 2, 2.5):
            expected = torch.result_type(tensors[0], number)
            assert promoted(given[0], number) == dtype_name(expected)


@pytest.mark.slow
def test_samples_of_torch() -> None:
    pytest.importorskip("expecttest")
    from tilewright.torch_backend.opinfo.runs import Selection, run_here

    chosen = ("add", "where", "sum", "softmax")
    tally = run_here(Selection(chosen, ("bf16", "i64"), limit=2))
    assert not tally.failures, "\n".join(tally.lines())
    assert tally.totals["right"] > 5


@pytest.mark.slow
def test_processes_find_the_same_and_keep_to_their_time() -> None:
    pytest.importorskip("expecttest")
    from tilewright.torch_backend.opinfo.runs import Selection, run_here
    from tilewright.torch_backend.opinfo.workers import Workers

    selection = Selection(("softmax", "exp"), ("f32",), limit=1)
    found = Workers(selection, 2).run()
    assert found.counts.keys() == run_here(selection).counts.keys()
    assert found.totals["right"] and not found.left_out and not found.failures
    few = Selection(("softmax", "exp", "exp2"), ("f32",), limit=2, calls_of_op=1)
    for tally in (run_here(few), Workers(few, 2).run()):
        assert {found.total() for found in tally.counts.values()} == {1}
    late = Workers(selection, 2, seconds=0.0).run()
    assert len(late.left_out) == len(selection.tasks()) and not late.totals
    slow = Workers(Selection(("exp",), ("f32",), limit=1), 1, call_seconds=0.0).run()
    assert slow.as_json()["ops"]["too slow"]


@pytest.mark.slow
def test_a_sample_of_every_entry() -> None:
    pytest.importorskip("expecttest")
    from tilewright.torch_backend.opinfo.runs import Selection, run_here

    tally = run_here(Selection(dtypes=("f32", "f16", "i64", "i1"), limit=1))
    assert not tally.failures, "\n".join(tally.lines())
