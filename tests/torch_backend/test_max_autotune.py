"""Mode max-autotune: winners are found, kept and used again; nothing is timed here."""

from __future__ import annotations

import logging
import os
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn

from support.damaged_files import DAMAGES, damage, within
from tilewright.codegen.targets import target_named
from tilewright.ir.errors import UserError
from tilewright.pipeline import parse_payload
from tilewright.planning.plan import Plan, plan
from tilewright.planning.ranking import kernel_points
from tilewright.planning.recorded import STRUCTURE, signature_of_structure, words_of
from tilewright.torch_backend.backend import tilewright
from tilewright.torch_backend.options import Options, read_options
from tilewright.torch_backend.tuned import results_file, segments, tuner
from tilewright.torch_backend.watching import watching
from tilewright.tuning.results.database import Database
from tilewright.tuning.space.read import read_space
from tilewright.tuning.transfer.planned_kernels import PlannedKernel, PlannedKernels
from tilewright.tuning.transfer.tuned_payloads import TunedPayloads
from tilewright.tuning.transfer.winners import add_json, winners_json

pytestmark = pytest.mark.filterwarnings("ignore")

LOG = "tilewright.torch"


class Gate(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.up, self.gate = nn.Linear(24, 40), nn.Linear(24, 40)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.softmax(self.up(x) * torch.sigmoid(self.gate(x)), -1)


def run(model: nn.Module, x: torch.Tensor, **options: Any) -> torch.Tensor:
    torch._dynamo.reset()
    given = {"strict": True, "interpreter": "kernels", "target": "h200", **options}
    with torch.no_grad():
        return torch.compile(model, backend=tilewright, options=given)(x)


def payloads(model: nn.Module, x: torch.Tensor) -> list[str]:
    """The payloads that the model becomes."""
    with watching() as found:
        run(model, x, interpreter="payload")
    return [one.lowered.payload.text() for one in found]


def other_points(made: Plan) -> list[PlannedKernel]:
    """Another point than the planner's for each kernel of a plan."""
    space = read_space(made.schedule.module)
    point = space.default_point()
    rng = random.Random(3)
    while point == space.default_point():
        point = space.sample(rng)
    assert point is not None
    return [PlannedKernel(*kernel) for kernel in kernel_points(made, point)]


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The user's cache folder."""
    monkeypatch.setenv("TILEWRIGHT_CACHE", str(tmp_path / "cache"))
    results_file._folder.cache_clear()
    yield tmp_path / "cache" / "torch" / "results.db"
    results_file._folder.cache_clear()


@pytest.mark.slow
def test_winners_of_the_cache_folder_are_used_in_this_mode_alone(
    cache: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    model, x = Gate(), torch.randn(16, 24)
    (text,) = payloads(model, x)
    made = plan(parse_payload(text), target_named("h200"))
    winners = other_points(made)
    cache.parent.mkdir(parents=True, exist_ok=True)
    with Database(cache) as database:
        add_json(database, winners_json([], winners))
    with caplog.at_level(logging.INFO, LOG):
        tuned = run(model, x, mode="max-autotune")
    (line,) = [line for line in caplog.messages if "tuned on" in line]
    kernels = [kernel for kernel in made.kernels if kernel.candidates]
    assert line.count("tuned on") == len(kernels)
    torch.testing.assert_close(tuned, model(x))
    caplog.clear()
    with caplog.at_level(logging.INFO, LOG):
        planned = run(model, x)
    assert not [line for line in caplog.messages if "tuned on" in line]
    torch.testing.assert_close(planned, model(x))
    # The program is that of the winners: the plan's defaults are their points.
    with results_file.known_kernels(Options(mode="max-autotune")) as history:
        again = plan(parse_payload(text), target_named("h200"), history=history)
    assert [PlannedKernel(*one) for one in _defaults(again)] == [
        PlannedKernel(one.signature, one.sketch, one.point) for one in winners
    ]


def _defaults(made: Plan) -> list[Any]:
    return kernel_points(made, read_space(made.schedule.module).default_point() or {})


@pytest.mark.slow
def test_a_file_that_ships_with_a_model_serves_in_every_mode(
    cache: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    model, x = Gate(), torch.randn(16, 24)
    (text,) = payloads(model, x)
    shipped = tmp_path / "winners.json"
    made = plan(parse_payload(text), target_named("h200"))
    shipped.write_text(winners_json([], other_points(made)))
    assert results_file.is_only_read(shipped)
    with caplog.at_level(logging.INFO, LOG):
        run(model, x, results=str(shipped))
    assert [line for line in caplog.messages if "tuned on" in line]
    assert not cache.exists()


def test_without_a_gpu_it_plans_and_says_so_once(
    cache: Path, caplog: pytest.LogCaptureFixture
) -> None:
    segments._say_that_nothing_is_timed.cache_clear()
    model, x = Gate(), torch.randn(16, 24)
    for mode in ("max-autotune", "max-autotune-no-cudagraphs"):
        made = run(model, x, mode=mode, interpreter="payload")
        torch.testing.assert_close(made, model(x))
    said = [line for line in caplog.messages if "nothing is timed" in line]
    assert len(said) == 1
    assert not cache.exists()


def test_a_damaged_file_of_the_cache_is_as_none(
    cache: Path, caplog: pytest.LogCaptureFixture
) -> None:
    cache.parent.mkdir(parents=True, exist_ok=True)
    cache.write_bytes(b"SQLite format 3\x00 and nothing else")
    with results_file.known_kernels(Options(mode="max-autotune")) as history:
        assert history is None
    assert "is not used" in caplog.text


@pytest.mark.parametrize("kind", DAMAGES)
def test_no_kind_of_damage_stops_a_call(cache: Path, kind: str) -> None:
    cache.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with Database(cache):
        pass
    damage(cache, kind)
    options = Options(mode="max-autotune")
    with within(5):
        if kind not in ("link", "writable by all"):  # it is data, like any results
            assert results_file.stamp(options) == ""
        assert not results_file.is_only_read(cache)


def test_winners_that_are_added_change_the_stamp(cache: Path) -> None:
    options = Options(mode="max-autotune")
    before = results_file.stamp(options)
    cache.parent.mkdir(parents=True, exist_ok=True)
    (text,) = payloads(Gate(), torch.randn(8, 24))
    made = plan(parse_payload(text), target_named("h200"))
    stamps = [before]
    with Database(cache) as database:
        for one in other_points(made):
            PlannedKernels(database).record(one.signature, one.sketch, one.point)
            stamps.append(results_file.stamp(options))
        TunedPayloads(database).add("text", "h200")
    assert len(set(stamps)) == len(stamps) > 1
    assert results_file.stamp(Options()) == ""
    assert results_file.is_tuned("text", "h200", options)
    assert not results_file.is_tuned("text", "a100", options)
    assert not results_file.is_tuned("other", "h200", options)


def test_modes_and_times_are_read() -> None:
    assert read_options("max-autotune-no-cudagraphs", None).mode == "max-autotune"
    assert read_options(None, {"mode": "max-autotune"}).tunes
    both = read_options("reduce-overhead", {"tune_budget": "2m"})
    assert both.tunes and both.tune_seconds == 120 and both.mode == "reduce-overhead"
    assert not read_options("reduce-overhead", None).tunes
    assert read_options(None, {"tune_budget": 30}).tune_seconds == 30
    with pytest.raises(UserError, match="max-autotuned") as refused:
        read_options("max-autotuned", None)
    for name in ("default", "max-autotune", "reduce-overhead", "no-cudagraphs"):
        assert name in str(refused.value)
    for time in ("soon", "0s", "-3", ""):
        with pytest.raises(UserError, match="tune_budget"):
            read_options(None, {"tune_budget": time})


def test_values_of_options_are_checked(tmp_path: Path) -> None:
    for name, value in (("strict", "yes"), ("target", 200), ("results", 3)):
        with pytest.raises(UserError, match=f"{name} is {value!r}"):
            read_options(None, {name: value})
    missing = tmp_path / "winners.json"
    with pytest.raises(UserError, match="winners.json: no such file"):
        read_options(None, {"results": missing})
    assert read_options("max-autotune", {"results": missing}).results == str(missing)


def test_the_tuner_sees_the_device_of_the_model() -> None:
    def seen(index: int, **given: str) -> str:
        return tuner.with_one_device(given, index)["CUDA_VISIBLE_DEVICES"]

    assert seen(0) == "0" and seen(2) == "2"
    assert seen(1, CUDA_VISIBLE_DEVICES="4,7") == "7"


@pytest.mark.slow
def test_the_tuner_runs_in_a_process_of_its_own(tmp_path: Path) -> None:
    """Without a GPU the cost model stands in, and nothing is kept."""
    texts = payloads(Gate(), torch.randn(64, 24))
    texts += payloads(nn.Softmax(-1), torch.ones(9, 33))
    results = tmp_path / "results.db"
    summary = tuner.run_tuner(texts, results, 25.0, tmp_path, os.environ)
    assert summary["known"] == 0 and not summary["measured"]
    assert len(summary["tasks"]) >= 2
    lines = tuner.said(summary)
    assert lines[0].startswith(f"tuned {len(summary['tasks'])} kernels in ")
    with Database(results) as database:
        assert not PlannedKernels(database).all()
        assert not TunedPayloads(database).has(texts[0], "h200")
        for text in texts:
            made = plan(parse_payload(text), target_named("h200"))
            for one in other_points(made):
                PlannedKernels(database).record(one.signature, one.sketch, one.point)
    again = tuner.run_tuner(texts, results, 25.0, tmp_path, os.environ)
    assert again["known"] == len(summary["tasks"]) and not again["tasks"]


@pytest.mark.slow
def test_the_tuner_searches_the_structure(tmp_path: Path) -> None:
    layers = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 64)).half()
    texts = payloads(layers, torch.randn(64, 64).half())
    results = tmp_path / "results.db"
    given = (texts, results, 40.0, tmp_path, os.environ)
    assert tuner.run_tuner(*given)["structures"] == []
    summary = tuner.run_tuner(*given, margin=2.0)
    (structure,) = summary["structures"]
    planned, *others = structure["covers"]
    assert planned["label"] == "planned" and planned["whole_ms"] and others
    told = {**summary, "structures": [{**structure, "picked": "x", "gain": 1.25}]}
    assert tuner.said(told)[-1] == (
        f"  {structure['name']}: x, 1.25x of the planned kernels"
    )


@pytest.mark.slow
def test_a_structure_that_was_measured_is_used(
    cache: Path, caplog: pytest.LogCaptureFixture
) -> None:
    model, x = Gate(), torch.randn(16, 24)
    (text,) = payloads(model, x)
    made = plan(parse_payload(text), target_named("h200"), margin=3.0)
    changes = made.regions[0].covers[1].changes
    signature = signature_of_structure(made.analysis.plannable, "h200")
    recorded = PlannedKernel(signature, STRUCTURE, {**words_of(changes)})
    cache.parent.mkdir(parents=True, exist_ok=True)
    with Database(cache) as database:
        add_json(database, winners_json([], [recorded]))
    with caplog.at_level(logging.INFO, LOG):
        result = run(model, x, mode="max-autotune")
    assert [line for line in caplog.messages if "the structure: tuned on" in line]
    torch.testing.assert_close(result, model(x))


@pytest.mark.slow
def test_a_tuner_that_fails_changes_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    missing = tmp_path / "no folder" / "results.db"
    summary = tuner.run_tuner(["no payload"], missing, 5.0, tmp_path, os.environ)
    assert summary == {} and tuner.said(summary) == []
    assert "the tuner failed: " in caplog.text


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
def test_winners_are_measured_once_on_a_gpu(
    cache: Path, caplog: pytest.LogCaptureFixture
) -> None:
    model, x = Gate().cuda(), torch.randn(4096, 24, device="cuda")
    given = {"target": "auto", "mode": "max-autotune", "tune_budget": "25s"}
    with caplog.at_level(logging.INFO, LOG):
        first = run(model, x, **given)
    assert "tuning the kernels of 1 payload" in caplog.text
    torch.testing.assert_close(first, model(x), rtol=1e-2, atol=1e-3)
    with Database(cache, read_only=True) as database:
        assert PlannedKernels(database).all()
    caplog.clear()
    with caplog.at_level(logging.INFO, LOG):
        again = run(model, x, **given)
    assert "1 payload tuned before" in caplog.text
    assert "tuning the kernels" not in caplog.text
    torch.testing.assert_close(again, first, rtol=1e-3, atol=1e-4)
