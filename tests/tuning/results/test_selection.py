"""Runs are named by words: prefixes, patterns, fields, numbers."""

from __future__ import annotations

from dataclasses import replace

import pytest

from support.tuning.records import SETTING, VERSIONS
from tilewright.ir.errors import UserError
from tilewright.tuning.results.runs import Run
from tilewright.tuning.results.selection import (
    run_name,
    select_one,
    select_runs,
    split_words,
)


def run(number: int, payload: str, sizes: tuple[int, ...], **changes: object) -> Run:
    setting = replace(
        SETTING,
        payload=payload,
        payload_name=f"{payload}.mlir",
        schedule_name=str(changes.pop("schedule", "gemm.tw")),
        extents=(sizes,),
        device=str(changes.pop("device", "NVIDIA H200")),
        versions=replace(VERSIONS, triton=str(changes.pop("triton", "3.6.0"))),
        sizes=str(changes.pop("open", "")),
    )
    started = f"2026-11-{10 + number}T08:30:00+00:00"
    made = Run(number, setting, measured=True, started=started, strategy="guided")
    return replace(made, **changes)  # type: ignore[arg-type]


RUNS = [
    run(1, "gemm", (4096, 4096, 4096)),
    run(2, "gemm", (4096, 4096, 512), triton="3.7.1"),
    run(3, "softmax", (4096, 8192), schedule="rows.tw"),
    run(4, "gemm", (4096, 4096, 4096), device="NVIDIA H100 PCIe"),
    run(5, "linear", (16, 512), open="M=16; M=256", device="h200 (cost model)"),
    run(6, "gemm", (4096, 4096, 4096)),
]

NAMED = {
    "gemm": [1, 2, 4, 6],  # number 5 has a schedule gemm.tw
    "gemm.tw": [1, 2, 4, 5, 6],
    "rows": [3],
    "gemm.mlir": [1, 2, 4, 6],
    "payload=gemm": [1, 2, 4, 6],
    "GEMM.MLIR": [1, 2, 4, 6],
    "schedule=rows": [3],
    "soft": [3],
    "*max*": [3],
    "4096x4096x*": [1, 2, 4, 6],
    "4096x4096x512": [2],
    "4096x8": [3],
    "h200": [1, 2, 3, 5, 6],
    "nvidia": [1, 2, 3, 4, 6],
    "pcie": [4],
    "cost": [5],
    "M=256": [5],
    "2026-11-12": [2],
    "triton=3.7": [2],
    "#4": [4],
    "payload=gemm h200": [1, 2, 6],
    "gemm.mlir 4096x4096x4096 h200": [1, 6],
    "gemm.mlir latest": [6],
    "latest": [6],
    "": [1, 2, 3, 4, 5, 6],
}


@pytest.mark.parametrize(("words", "numbers"), NAMED.items(), ids=NAMED.keys())
def test_words(words: str, numbers: list[int]) -> None:
    found = select_runs(RUNS, split_words(words))
    assert [each.number for each in found] == numbers


def test_the_latest_of_runs_that_are_named_alike() -> None:
    found, older = select_one(RUNS, ["gemm.mlir", "4096x4096x4096", "h200"])
    assert (found.number, older) == (6, 1)
    assert run_name(found) == (
        "gemm.mlir 4096x4096x4096 gemm.tw on NVIDIA H200, 2026-11-16 08:30"
    )


def test_different_runs_must_be_told_apart() -> None:
    with pytest.raises(UserError, match="6 runs are there, and one is wanted; add a"):
        select_one(RUNS, [])
    with pytest.raises(UserError) as caught:
        select_one(RUNS, ["gemm.mlir"])
    assert "#4 gemm.mlir 4096x4096x4096 gemm.tw on NVIDIA H100 PCIe" in str(
        caught.value
    )


def test_a_word_that_names_nothing() -> None:
    with pytest.raises(UserError, match="no run is named by 'gemn'; known: gemm.mlir,"):
        select_runs(RUNS, ["gemn"])
    with pytest.raises(
        UserError, match="among those of 'softmax' is named by 'h100'; known: softmax"
    ):
        select_runs(RUNS, ["softmax", "h100"])
    with pytest.raises(UserError, match="no run has the number #9; known: #1, #2"):
        select_runs(RUNS, ["#9"])
    with pytest.raises(UserError, match=r"'triton=4'; known: 3.6.0, 3.7.1"):
        select_runs(RUNS, ["triton=4"])
    with pytest.raises(UserError, match="there are no runs; 'tilewright tune' makes"):
        select_runs([], ["gemm"])
