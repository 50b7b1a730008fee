"""The table of ops over torch's own samples, and what judges it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import torch

if TYPE_CHECKING:
    from opinfo.samples import Call

# Tests import what they need of opinfo: torch's samples take seconds to import.
pytestmark = pytest.mark.slow
pytest.importorskip("expecttest")


def test_samples_of_torch() -> None:
    from opinfo.runs import Selection, run_here

    chosen = ("add", "where", "sum", "softmax")
    tally = run_here(Selection(chosen, ("bf16", "i64"), limit=2))
    assert not tally.failures, "\n".join(tally.lines())
    assert tally.totals["right"] > 5


def test_processes_find_the_same_and_keep_to_their_time() -> None:
    from opinfo.runs import Selection, run_here
    from opinfo.workers import Workers

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


@pytest.mark.parametrize("dtype", ["f32", "f16", "i64", "i1"])
def test_a_call_of_every_op(dtype: str) -> None:
    from opinfo.runs import Selection, run_here

    tally = run_here(Selection(dtypes=(dtype,), limit=1, calls_of_op=1))
    assert not tally.failures, "\n".join(tally.lines())
    assert tally.totals["right"] > 60


def call_of(name: str) -> Call:
    """The first call of the first sample of an entry, in f32."""
    from opinfo.samples import calls, entries

    (entry, *_) = entries((name,))
    return next(calls(entry, torch.float32, 1))


def test_sums_that_cancel_are_judged_by_their_terms() -> None:
    from opinfo.check import compare

    call = call_of("nn.functional.conv3d")
    x, weight, bias = (call.given[node] for node in call.node.all_input_nodes)
    terms = torch.nn.functional.conv3d(x.abs(), weight.abs(), bias.abs())
    eager = call.expected
    for error, outcome in ((2e-7, "right"), (2e-6, "wrong")):
        made = eager + error * terms
        assert compare(call, [made]).outcome == outcome


def test_unwritten_memory_is_read_as_zeros() -> None:
    call = call_of("empty_like")
    assert not call.expected.any()


def test_functions_that_cannot_be_traced_are_left_out() -> None:
    from opinfo.samples import entries

    names = {entry.name for entry in entries()}
    assert "exp" in names
    assert not any("jiterator" in name for name in names)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--op", "gelu"), "did you mean nn.functional.gelu?"),
        (("--op", "softmx"), "did you mean softmax"),
        (("--aten", "aten.softmx"), "no op of the table"),
    ],
)
def test_unknown_names_are_told(
    words: tuple[str, str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    from opinfo.command import main

    with pytest.raises(SystemExit):
        main(words)
    assert told in capsys.readouterr().err
