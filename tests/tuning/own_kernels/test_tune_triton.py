"""tune_triton without a GPU: the engine on Triton's interpreter."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import torch

from support.tuning import own_kernels as samples
from tilewright.autotuner import TuningFailedError, tune_triton
from tilewright.ir.errors import UserError
from tilewright.tuning.own_kernels import engine_run
from tilewright.tuning.results.database import Database
from tilewright.tuning.workers.worker_pool import ProcessPool

N = 40


def tensors() -> tuple[Any, ...]:
    torch.manual_seed(0)
    return torch.randn(N), torch.full((N,), float("nan")), N


@pytest.mark.slow
def test_bad_configurations_are_passed_over(tmp_path: Path) -> None:
    """The wrong, the crashing and the refused ones; then the file has the answer."""
    db = tmp_path / "results.db"
    space = {"MODE": [0, 1, 2, 3, 4], "BLOCK": [64]}
    options: dict[str, Any] = {"reference": samples.double, "db": db}
    kernel = tune_triton(samples.tricky_kernel, samples.grid, space, **options)
    assert kernel.report() == "not tuned yet"
    x, out, n = tensors()
    found = kernel.tune(x, out, n)
    assert kernel.best_config == {"MODE": 0, "BLOCK": 64}
    assert out.isnan().all()  # tuning does not touch the caller's tensors
    assert found.run is not None
    ended = {t.point["MODE"]: (t.outcome, t.record.error) for t in found.run.trials}
    assert ended[0][0] == "ok"
    assert ended[1][0] == "wrong" and "elements differ" in ended[1][1]
    assert ended[2][0] == "crash" and "outside" in ended[2][1]
    assert ended[3][0] == "crash" and "mode 3 is not supported" in ended[3][1]
    assert ended[4][0] == "wrong"
    report = kernel.report()
    assert (
        "there is no GPU" in report and "outputs out_ptr agree with the ref" in report
    )
    assert "5 of 5 configurations" in report and "x wrong" in report
    shown = found._repr_html_()
    assert "tricky_kernel" in shown and shown.count("<tr>") == 2  # its name, one works

    again = tune_triton(samples.tricky_kernel, samples.grid, space, **options)
    answer = again.tune(x, out, n)
    assert answer.run is None and answer.config == found.config
    assert "tricky_kernel" in answer._repr_html_()
    assert f"from {db}; nothing was measured" in again.report()
    with Database(db, read_only=True) as file:
        assert len(file.list()) == 5
        assert {r.setting.payload_name for r in file.list()} == {"tricky_kernel"}

    options["reference"] = lambda x, out, n: 3 * x
    other = tune_triton(samples.tricky_kernel, samples.grid, space, **options)
    with pytest.raises(TuningFailedError):  # nothing is taken from the other reference
        other.tune(x, out, n)


@pytest.mark.slow
def test_without_a_reference_all_must_agree(tmp_path: Path) -> None:
    kernel = tune_triton(
        samples.tricky_kernel,
        samples.grid,
        {"MODE": [0, 1], "BLOCK": [64]},
        tensors(),
        default={"MODE": 0, "BLOCK": 64},
        db=None,
    )
    assert kernel.best_config["MODE"] == 0
    assert "agree with the default configuration" in kernel.report()
    run = kernel.last and kernel.last.run
    assert run and [t.outcome for t in run.trials] == ["ok", "wrong"]
    assert kernel.last and kernel.last.gain == 1.0


@pytest.mark.slow
def test_another_option_keeps_what_was_measured(tmp_path: Path) -> None:
    for blocks in ([16, 32], [16, 32, 64]):
        kernel = tune_triton(
            samples.add_kernel,
            samples.grid,
            {"BLOCK": blocks},
            (torch.ones(N), torch.ones(N), torch.empty(N), N),
            reference=samples.sum_of,
            db=tmp_path / "results.db",
        )
    run = kernel.last and kernel.last.run
    assert run
    origins = {t.point["BLOCK"]: t.origin for t in run.trials}
    assert origins == {16: "database", 32: "database", 64: "new"}


@pytest.mark.slow
def test_a_call_launches_the_winner(tmp_path: Path) -> None:
    """Here in the interpreter, in another process."""
    kernel = tune_triton(
        samples.add_kernel,
        samples.grid,
        {"BLOCK": [16, 64]},
        reference=samples.sum_of,
        db=tmp_path / "results.db",
    )
    x, y = torch.randn(N).to(torch.bfloat16), torch.randn(N).to(torch.bfloat16)
    out = torch.zeros(N, dtype=torch.bfloat16)
    kernel(x, y, out, N)
    torch.testing.assert_close(out, 2 * x + y, rtol=0.02, atol=0.02)


@pytest.mark.slow
def test_when_nothing_works_all_reasons_are_told(tmp_path: Path) -> None:
    kernel = tune_triton(
        samples.tricky_kernel,
        samples.grid,
        {"MODE": [1, 3], "BLOCK": [64]},
        reference=samples.double,
        db=tmp_path / "results.db",
    )
    with pytest.raises(TuningFailedError) as raised:
        kernel.tune(*tensors())
    text = str(raised.value)
    assert "none of 2 configurations" in text
    assert "elements differ" in text and "mode 3" in text
    kernel = tune_triton(
        samples.tricky_kernel, samples.grid, {"MODE": [3], "BLOCK": [64]}, db=None
    )
    with pytest.raises(TuningFailedError, match="no reference is given, and the def"):
        kernel.tune(*tensors())


@pytest.mark.slow
@pytest.mark.parametrize("strategy", ["random", "tpe", "grid"])
def test_any_strategy_serves(strategy: str, tmp_path: Path) -> None:
    kernel = tune_triton(
        samples.add_kernel,
        samples.grid,
        {"BLOCK": [16, 32, 64], "num_warps": [4, 8]},
        key=["n"],
        reference=samples.sum_of,
        prune=lambda BLOCK, n: BLOCK > n,
        strategy=strategy,
        trials=3,
        db=tmp_path / "results.db",
    )
    x, y = torch.randn(N), torch.randn(N)
    found = kernel.tune(x, y, torch.empty(N), N)
    assert found.run is not None and len(found.run.trials) == 3
    assert found.run.space_valid == 4


def test_a_key_that_is_known_is_not_tuned_again() -> None:
    kernel = tune_triton(
        samples.add_kernel, samples.grid, {"BLOCK": [16]}, key=["n"], db=None
    )
    x, y, out = torch.randn(N), torch.randn(N), torch.empty(N)
    call = kernel._bind((x, y, out, N), {})
    known = object()
    kernel._known[f"{call.describe(['n'])} on cpu"] = known  # pyright: ignore
    assert kernel.tune(x, y, out, N) is known
    # Other numbers in tensors of the same kinds are the same key.
    assert kernel.tune(torch.randn(8), y, out, N) is known


def test_mistakes_are_told_before_anything_runs() -> None:
    def make(**changes: Any) -> Any:
        options: dict[str, Any] = {"space": {"BLOCK": [16]}, "db": None, **changes}
        return tune_triton(samples.add_kernel, samples.grid, **options)

    with pytest.raises(UserError, match="the key names 'm'"):
        make(key=["m"])
    with pytest.raises(UserError, match="has no parameter 'BLOCKS'"):
        make(space={"BLOCKS": [16]})
    with pytest.raises(UserError, match="has not been tuned yet"):
        _ = make().best_config
    with pytest.raises(UserError, match="'y_ptr' has no value"):
        make()(torch.ones(3))
    with pytest.raises(UserError, match="is not a @triton.jit function"):
        tune_triton(samples.grid, samples.grid, {})


@pytest.mark.parametrize(
    ("returned", "fact"),
    [
        (None, "returns 0 tensors, the kernel writes 1: out_ptr"),
        ((torch.ones(N), torch.ones(N)), "returns 2 tensors"),
        ({"out": torch.ones(N)}, "returns nothing for 'out_ptr'"),
        (torch.ones(3), "has the shape"),
    ],
)
def test_references_that_do_not_fit(returned: Any, fact: str) -> None:
    kernel = tune_triton(
        samples.add_kernel,
        samples.grid,
        {"BLOCK": [16]},
        reference=lambda *_: returned,
        db=None,
    )
    args = (torch.ones(N), torch.ones(N), torch.ones(N), N)
    call = kernel._bind(args, {})
    with pytest.raises(UserError) as raised:
        kernel._expected(call, args, {})
    assert fact in str(raised.value)


def test_references_by_name_and_in_a_list() -> None:
    args = (torch.ones(N), torch.ones(N), torch.ones(N), N)
    for returned in (torch.ones(N), [torch.ones(N)], {"out_ptr": torch.ones(N)}):
        kernel = tune_triton(
            samples.add_kernel,
            samples.grid,
            {"BLOCK": [16]},
            reference=lambda *_, made=returned: made,
            db=None,
        )
        (array,) = kernel._expected(kernel._bind(args, {}), args, {})
        assert array.tolist() == [1.0] * N


@pytest.mark.slow
def test_the_stages_of_a_card_compile_and_share_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Compiled for an H200, as on a card; only the interpreter measures here."""

    @contextmanager
    def with_compilers(task: Any, settings: Any) -> Iterator[tuple[Any, Any]]:
        with (
            ProcessPool(2, "compile", limit=120.0) as compiling,
            ProcessPool(1, "interpret", limit=30.0) as measuring,
        ):
            yield compiling, measuring

    monkeypatch.setattr(engine_run, "_workers", with_compilers)
    kernel = tune_triton(
        samples.tricky_kernel,
        samples.grid,
        {"MODE": [0, 3], "BLOCK": [64], "num_stages": [2, 3]},
        reference=samples.double,
        db=tmp_path / "results.db",
    )
    found = kernel.tune(*tensors())
    assert found.run is not None
    trials = {(t.point["MODE"], t.point["num_stages"]): t for t in found.run.trials}
    right, refused = trials[0, 2], trials[3, 2]
    assert right.record.stats[0].registers > 0
    assert {trials[0, 2].origin, trials[0, 3].origin} == {"new", "duplicate"}
    assert refused.outcome == "compile_error"
    assert "own_kernels.py:" in refused.record.error
    assert "mode 3 is not supported" in refused.record.error
