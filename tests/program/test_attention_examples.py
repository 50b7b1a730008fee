"""examples/attention: the kernels have the payload's numbers."""

from __future__ import annotations

import functools
import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

from support.paths import EXAMPLES
from support.sampling import mostly_slow
from tilewright.cli import main
from tilewright.codegen.runtime.interpret import Job, interpret_all
from tilewright.ir.interpreter import run
from tilewright.numeric_check import make_case
from tilewright.payloads import Payload, attention
from tilewright.pipeline import Built, build, parse_payload
from tilewright.schedules.schedule import Schedule

FOLDER = EXAMPLES / "attention"
SMALL = {"BM": 32, "BN": 32}
POINTERS = SMALL | {"loads": "pointers"}

CASES: dict[str, tuple[str, dict[str, Any], dict[str, Any]]] = {
    "attention": ("attention", {}, SMALL),
    "attention, pointers": ("attention", {"sequence": 100, "features": 24}, POINTERS),
    "attention, bias": ("attention", {"bias": True}, SMALL),
    "attention, soft cap": ("attention", {"soft_cap": 3.0}, SMALL),
    "causal": ("causal", {"causal": True}, SMALL),
    "causal, odd": ("causal", {"causal": True, "sequence": 100}, POINTERS),
    "causal, long tiles of keys": (
        *("causal", {"causal": True}),
        {"BM": 16, "BN": 64, "masks": "every", "reversed": 0},
    ),
    "causal, window": ("causal", {"causal": True, "window": 40}, SMALL),
    "causal, wide window": ("causal", {"causal": True, "window": 70}, SMALL),
    "causal, documents": ("causal", {"causal": True, "documents": True}, SMALL),
    "all of a document": ("causal", {"documents": True}, SMALL),
    "causal, odd documents": (
        *("causal", {"causal": True, "documents": True, "sequence": 100}),
        POINTERS,
    ),
    "key lengths": ("causal", {"key_lengths": True}, SMALL),
    "causal, alibi": ("causal", {"causal": True, "alibi": True}, SMALL),
    "gqa": ("gqa", {"causal": True, "heads": 4, "key_heads": 2}, SMALL),
    "lse": ("lse", {"lse": True}, SMALL),
    "decoding": (
        *("decoding", {"queries": 1, "heads": 8, "key_heads": 2}),
        {"BN": 32},
    ),
    "decoding, a head each": ("decoding", {"queries": 1}, {"BN": 32}),
    "decoding_split": (
        *("decoding_split", {"queries": 1, "heads": 8, "key_heads": 2}),
        {"BN": 32, "chunks": 4},
    ),
    "decoding_split, joined": (
        *("decoding_split", {"queries": 1}),
        {"BN": 32, "chunks": 4, "merge": "joined"},
    ),
}
"""A schedule, the variant, a point."""
QUICK = ("causal", "decoding_split")


def payload(
    sequence: int = 128,
    features: int = 32,
    heads: int = 2,
    key_heads: int = 2,
    queries: int = 0,
    **given: Any,
) -> ModuleOp:
    """Attention of a batch of 2; True stands for an input of that name."""
    p = Payload("attention")
    q = p.input("q", (2, heads, queries or sequence, features), "f16")
    k, v = (p.input(n, (2, key_heads, sequence, features), "f16") for n in "kv")
    shapes = {
        "bias": ((heads, sequence, sequence), "f32"),
        "documents": ((2, sequence), "i32"),
        "key_lengths": ((2,), "i32"),
        "alibi": ((heads,), "f32"),
    }
    for name in shapes:
        if given.get(name):
            given[name] = p.input(name, *shapes[name])
    out = attention(q, k, v, **given)
    p.output(*(out if isinstance(out, tuple) else (out,)))
    return parse_payload(p.text())


@functools.cache
def built(name: str) -> tuple[ModuleOp, Built]:
    schedule, variant, point = CASES[name]
    plain = payload(**variant)
    return plain, build(plain, Schedule.from_path(FOLDER / f"{schedule}.tw"), point)


@pytest.mark.sampled(20)
@pytest.mark.parametrize("name", mostly_slow(CASES, QUICK))
def test_numbers(name: str) -> None:
    plain, made = built(name)
    assert len(made.program.kernels) == (2 if name == "decoding_split" else 1)
    inputs = make_case(plain, 1).inputs
    expected = run(plain, list(inputs))
    (found,) = interpret_all([Job(made.program, list(inputs))])
    for result, want, at in zip(found, expected, range(len(expected)), strict=True):
        np.testing.assert_allclose(result, want, rtol=4e-3, atol=4e-3, err_msg=str(at))
    assert "tl.dot" in made.program.text


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    "path", sorted(FOLDER.glob("*.tw")), ids=lambda path: path.stem
)
def test_a_default_for_every_choice(
    path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    schedule = Schedule.from_path(path)
    assert all(choice.default is not None for choice in schedule.open_choices())
    monkeypatch.setattr(sys, "argv", ["tilewright", "check", str(path)])
    with pytest.raises(SystemExit) as end:
        main()
    assert not end.value.code
    assert "warning" not in capsys.readouterr().err


def test_every_schedule_is_a_case() -> None:
    assert {case[0] for case in CASES.values()} == {p.stem for p in FOLDER.glob("*.tw")}
    page = (FOLDER / "README.md").read_text("utf-8")
    assert {p.name for p in FOLDER.glob("*.tw")} == set(
        re.findall(r"^\| `(\w+\.tw)`", page, re.M)
    )


def test_causal_tiles() -> None:
    """Keys after the queries are not visited; tiles on the diagonal have a mask."""
    text = built("causal")[1].program.text
    first, second = re.findall(r"for n in tl.range\((.*)\):\n((?:        .*\n)+)", text)
    assert first[0].startswith("0, off_m, BLOCK_N")
    assert second[0].startswith("off_m, off_m + BLOCK_M, BLOCK_N")
    assert "offs_m[:, None]" not in first[1]
    assert "offs_m[:, None]" in second[1]
    assert "tile_m = TILES_M - 1 - pid_m" in text


def test_the_softmax_takes_one_fused_multiply_add() -> None:
    """The scale and log2(e) are one constant of the exponential's argument."""
    text = built("attention")[1].program.text
    assert re.search(r"tl\.exp2\(product \* 0\.255\d+ - x\[:, None\]\)", text)
    assert "tl.exp(" not in text


@pytest.mark.slow
def test_the_rows_of_grouped_heads_have_a_launch_axis() -> None:
    """A remainder's range would let LLVM unroll the diagonal, which costs a fifth."""
    text = built("gqa")[1].program.text
    assert "pid_m = tl.program_id(0)" in text
    assert "tile_m = TILES_M - 1 - pid_m" in text
    assert "attention_kernel[(4, 8)]" in text
