"""`benchmarks/attention.py`: works, hand-written rivals, the summary, the command."""

import json
import math
import os
import sys

import numpy as np
import pytest
import torch

from support import warm_python
from support.paths import BENCHMARKS
from support.project.benchmark_modules import load

FAMILIES = {"attention": 12, "variant": 16, "decoding": 16, "rows": 5}


@pytest.fixture
def table(monkeypatch):
    monkeypatch.syspath_prepend(BENCHMARKS)
    return load("contenders/attention_works/table")


def test_works_are_those_of_the_table(table):
    works = table.table()
    assert len({work.name for work in works}) == len(works)
    counted = {family: 0 for family in FAMILIES}
    for work in works:
        counted[work.family] += 1
    assert counted == FAMILIES
    flops = {work.name: work.flops for work in works}
    full = flops["full B4 H16 S4096 D128 bf16"]
    assert full == 4 * 4 * 16 * 4096**2 * 128
    assert flops["causal B4 H16 S4096 D128 bf16"] == full / 2
    assert flops["gqa B2 H32/8 S4096 D128 bf16"] == full / 2
    windowed = 4096 * 1024 - 1024**2 / 2
    window = flops["window 1024 B4 H16 S4096 D128 bf16"]
    assert window == full * windowed / 4096**2
    assert 0 < flops["documents B4 H16 S4096 D128 bf16"] < full / 4


def test_every_work_agrees_with_torch_and_has_a_payload(table):
    timing = load("harness/timing")
    for work in table.tiny_table():
        tensors = work.inputs("cpu")
        reference = work.exact(*tensors)
        assert reference.dtype == torch.float32
        assert reference.shape == work.result.shape
        eager = work.eager(tensors)
        for name in ("math", "flash", "eager"):
            if name in eager:
                out = eager[name](*tensors)
                assert timing.relative_error(out, reference) <= work.tolerance, name
        assert work.payload().startswith("func.func")


@pytest.mark.slow
def test_flex_attention_agrees(table):
    timing = load("harness/timing")
    for work in table.tiny_table():
        tensors = work.inputs("cpu")
        compiled = work.compiled(tensors)
        assert set(compiled) == set(work.compiled_names)
        if "flex" in compiled:
            out = compiled["flex"](*tensors)
            reference = work.exact(*tensors)
            assert timing.relative_error(out, reference) <= work.tolerance, work.name


def test_additive_bias_is_the_variant(table):
    torch_rivals = sys.modules["rivals.attention_torch"]
    timing = load("harness/timing")
    for work in table.tiny_table():
        tensors = work.inputs("cpu")
        if work.name.split()[0] not in ("window", "alibi", "documents"):
            continue
        variant = torch_rivals.Variant(
            True,
            24 * work.name.startswith("window"),
            0.0,
            work.name.startswith("alibi"),
            work.name.startswith("documents"),
        )
        extra = tensors[3] if len(tensors) > 3 else None
        bias = torch_rivals.bias_of(variant, 64, extra, tensors[0])
        out = torch_rivals.sdpa("math", bias=bias)(*tensors)
        assert timing.relative_error(out, work.exact(*tensors)) <= work.tolerance


def row(name, *milliseconds, ours=False, config=""):
    return {
        "name": name,
        "ours": ours,
        "config": config,
        "repetitions": 1,
        "rounds_ms": list(milliseconds),
        "ms": {"median": float(np.median(milliseconds))},
    }


class OneWork:
    """What a summary reads of a work."""

    name = "causal"
    family = "attention"
    flops = 4e9
    moved = 1.0


def test_summary_compares_round_by_round(monkeypatch):
    monkeypatch.syspath_prepend(BENCHMARKS)
    summary = load("harness/attention_summary")
    rivals = [
        row("torch cudnn", 1.0, 2.0, 3.0),
        row("torch flash grouped", 4.0, 4.0, 4.0),
        row("hand pointer", 8.0, 8.0, 8.0, config="b"),
        row("hand descriptors", 2.0, 2.0, 4.0, config="a"),
    ]
    rows = [row("ours flash", 2.0, 2.0, 2.0, ours=True, config="BM=1"), *rivals]
    line = summary.summary_line(OneWork, {"rows": rows})
    assert line["of"] == "ours" and line["ours_config"] == "flash BM=1"
    assert line["hand_config"] == "descriptors a"
    assert line["best_torch"] == "cudnn"
    assert line["ms"] == {"ours": 2.0, "hand": 2.0, "cudnn": 2.0, "flash": 4.0}
    assert line["versus"]["cudnn"]["ratio"] == 1.0
    assert line["versus"]["hand"]["ratio"] == 1.0
    assert "flex" not in line["versus"]
    assert summary.text_of(line).split()[1:5] == ["TFLOP", "2", "2", "2"]
    failed = {"work": "full", "error": "it failed"}
    *_, first, second = summary.markdown({"lines": [line, failed]}).splitlines()
    assert first.startswith("| causal | 2.0000 | 2 TFLOP/s | 2 | 2 | - | 2 cudnn |")
    assert first.endswith("| 1.00 (0.50 .. 1.50) | - | 1.00 (0.50 .. 1.50) | - |")
    assert second.startswith("| full | failed |")
    assert first.count("|") == second.count("|") == summary.MARKDOWN.count("|")
    # Without ours, the hand-written kernel is compared.
    line = summary.summary_line(OneWork, {"rows": rivals})
    assert line["of"] == "hand" and "hand" not in line["versus"]
    assert line["versus"]["torch"]["best_rival"] == "torch cudnn"
    # Rivals of an earlier record are not paired.
    earlier = [one | {"earlier": True} for one in rivals]
    line = summary.summary_line(OneWork, {"rows": rows[:1]}, earlier)
    assert line["versus"]["hand"] == {"best_rival": "hand descriptors", "ratio": 1.0}


def test_command_has_no_such_work(monkeypatch, capsys):
    monkeypatch.syspath_prepend(BENCHMARKS)
    # `--dry` sets it for the whole process: later tests must not see it.
    monkeypatch.setenv("TRITON_INTERPRET", "0")
    command = load("attention")
    assert command.main(["--dry", "--works", "nonsense"]) == 2
    assert "--list shows them" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        command.main(["--dry", "--ours", "nonsense"])
    assert "KNOB=VALUE" in capsys.readouterr().err


@pytest.mark.slow
def test_command_times_and_records(tmp_path):
    record = tmp_path / "record.json"
    arguments = ["--dry", "--out", str(record), "--works", "full|B1 H4/2 keys|cross"]
    env = os.environ | {"PYTHONPATH": str(BENCHMARKS.parent)}
    command = BENCHMARKS / "attention.py"
    run = warm_python.run(command, [*arguments, "--rivals-only"], env=env)
    assert run.returncode == 0, run.stderr + run.stdout
    found = json.loads(record.read_text())
    assert len(found["lines"]) == len(found["works"]) == 3
    for line in found["lines"]:
        rows = {r["name"]: r for r in found["works"][line["work"]]["rows"]}
        assert all(len(r["rounds_ms"]) == 5 for r in rows.values())
        assert any(name.startswith("hand") for name in rows)
        assert line["of"] == "hand" and line["work"] in run.stdout
    # The rivals of this record serve another run.
    again = tmp_path / "again.json"
    arguments[2] = str(again)
    run = warm_python.run(command, [*arguments, "--rivals", str(record)], env=env)
    assert run.returncode == 0, run.stderr + run.stdout
    found = json.loads(again.read_text())
    assert all(line["ms"]["hand"] and line["ms"]["ours"] for line in found["lines"])


KERNELS = """
import json, math, sys, torch
import torch.nn.functional as F

sys.path.insert(0, sys.argv[1])
from contenders.attention_works import attention as works
from rivals import attention, attention_decoding, long_rows

torch.manual_seed(0)
answers = {}


def answer(title, candidate, want):
    for tensor in (candidate.out, *candidate.scratch):
        tensor.fill_(math.nan)
    found = candidate()
    answers[title] = ((found.double() - want).norm() / want.norm()).item()


blocks = attention.Configuration(64, 32, 4, 2), attention.Configuration(32, 64, 4, 2)
attention.CHOICES[32] = dict.fromkeys(attention.STRUCTURES, blocks)
kinds = {
    "full": {}, "causal": {}, "gqa": {"kv_heads": 2}, "window": {"window": 24},
    "alibi": {}, "soft cap": {"cap": 2.0}, "documents": {}, "document bounds": {},
}
for kind, given in kinds.items():
    work = works.attention(kind, 2, 4, 128, 32, "f16", **given)
    tensors = work.inputs("cpu")
    want = work.exact(*tensors).double()
    for made in work.hand(tensors, 4):
        answer(f"{kind} {made.structure} {made.name}", made, want)

for heads, shared in ((4, 4), (8, 2)):
    query = torch.randn(2, heads, 1, 32).half()
    key, value = torch.randn(2, 2, shared, 256, 32).half()
    wide = [t.double() for t in (query, key, value)]
    want = F.scaled_dot_product_attention(*wide, enable_gqa=True)
    for chunks in (1, 4):
        config = attention_decoding.Configuration(32, 4, 2)
        made = attention_decoding.candidate(
            query, key, value, torch.empty_like(query), config, chunks
        )
        answer(f"decoding {heads}/{shared} {chunks}", made, want)

long_rows.CHOICES = ((256, 4, 2),)
for n in (1024, 1003):
    x, labels = torch.randn(5, n).half(), torch.randint(0, n, (5,))
    weight, bias = torch.randn(2, n).half()
    wide, each = x.double(), torch.empty(5).half()
    norm = F.layer_norm(wide, (n,), weight.double(), bias.double(), long_rows.EPSILON)
    loss = F.cross_entropy(wide, labels, reduction="none")
    cases = {
        "logsumexp": ((x, each), wide.logsumexp(-1)),
        "cross-entropy": ((x, labels, each), loss),
        "softmax": ((x, torch.empty_like(x)), wide.softmax(-1)),
        "log-softmax": ((x, torch.empty_like(x)), wide.log_softmax(-1)),
        "layernorm": ((x, weight, bias, torch.empty_like(x)), norm),
    }
    for kind, (tensors, want) in cases.items():
        for made in long_rows.candidates(kind, *tensors):
            answer(f"{kind} {n}", made, want)
print(json.dumps(answers))
"""


@pytest.mark.slow
def test_hand_written_kernels_are_right():
    env = os.environ | {"PYTHONPATH": str(BENCHMARKS.parent)}
    run = warm_python.run(KERNELS, [str(BENCHMARKS)], env=env)
    assert run.returncode == 0, run.stderr
    answers = json.loads(run.stdout.splitlines()[-1])
    assert len(answers) == 8 * 3 * 2 + 4 + 9
    wrong = {t: e for t, e in answers.items() if not e < 1e-3 or math.isnan(e)}
    assert not wrong
