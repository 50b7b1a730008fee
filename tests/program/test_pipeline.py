"""Payload, schedule and point to a program: the path, its steps and its numbers."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest
from xdsl.ir import SSAValue

import tilewright
from support.paths import EXAMPLES
from support.sampling import mostly_slow
from tilewright.inspect.verify_each import VerifyEach
from tilewright.ir.dialects import tensor
from tilewright.ir.errors import CompilerBug, UserError
from tilewright.numeric_check import check_kernel_ir, make_case
from tilewright.payload_work import reduction_length
from tilewright.payloads import Payload, embedding
from tilewright.pipeline import (
    apply_schedule,
    build,
    parse_payload,
    read_payload,
)
from tilewright.schedules.schedule import Schedule
from tilewright.snapshots import Recorder
from tilewright.transforms.structured.vectorize import vectorize_structured
from tilewright.transforms.structured.vectorize.vectorize_gather import Code

MATMUL_RELU = EXAMPLES / "matmul_relu"
CLASSIC = ("tile", "tile_fuse", "tile_fuse_vectorize")
POINT = dict(BM=64, BN=64, BK=32, warps=4, stages=3, group=4)
STRUCTURES = list(
    itertools.product(("fused", "second_kernel"), ("pointers", "descriptors"))
)


def payload_text(m: int, n: int, k: int, dtype: str, bias: bool = False) -> str:
    from importlib.util import module_from_spec, spec_from_file_location

    spec = spec_from_file_location("generate", MATMUL_RELU / "generate.py")
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.payload_text(m, n, k, dtype, bias)


@pytest.mark.sampled(8)
@pytest.mark.parametrize("name", CLASSIC)
def test_the_classic_schedules_keep_the_numbers_at_every_step(name: str) -> None:
    payload = parse_payload(payload_text(200, 136, 104, "f16"))
    schedule = Schedule.from_path(MATMUL_RELU / f"{name}.tw")
    verifier = VerifyEach(payload)
    applied = apply_schedule(payload, schedule, observers=[verifier])
    assert verifier.checked == len(applied.steps) >= 9


def test_what_a_schedule_leaves_open_is_finished_and_said() -> None:
    payload = read_payload(MATMUL_RELU / "payload.mlir")
    added = {
        name: build(payload, Schedule.from_path(MATMUL_RELU / f"{name}.tw")).added
        for name in CLASSIC
    }
    assert added["tile_fuse_vectorize"] == ()
    assert "tile by [0, 0, 64]: linalg.matmul (line 5)" in added["tile_fuse"]
    assert len(added["tile"]) > len(added["tile_fuse"])


def test_the_schedules_differ_in_the_number_of_kernels() -> None:
    payload = read_payload(MATMUL_RELU / "payload.mlir")
    counts = [
        len(build(payload, Schedule.from_path(MATMUL_RELU / f"{n}.tw")).program.kernels)
        for n in CLASSIC
    ]
    assert counts == [3, 1, 1]


@pytest.mark.sampled(12)
@pytest.mark.parametrize("dtype", mostly_slow(["f16", "bf16", "f32"], ["f16"]))
@pytest.mark.parametrize(("tail", "loads"), STRUCTURES)
@pytest.mark.parametrize("bias", [False, True])
def test_every_structure_is_right_on_partial_tiles(
    tail: str, loads: str, dtype: str, bias: bool
) -> None:
    payload = parse_payload(payload_text(200, 136, 104, dtype, bias))
    schedule = Schedule.from_path(MATMUL_RELU / "tuned.tw")
    built = build(payload, schedule, {**POINT, "tail_placement": tail, "loads": loads})
    outcome = check_kernel_ir(built, make_case(payload, 1))
    assert outcome.ok, outcome.message


@pytest.mark.sampled(8)
@pytest.mark.parametrize("size", [(1, 7, 16), (7, 1, 127), (127, 64, 1), (64, 64, 64)])
def test_odd_sizes_are_right(size: tuple[int, int, int]) -> None:
    payload = parse_payload(payload_text(*size, "f32"))
    for name in ("tile", "tile_fuse"):
        built = build(payload, Schedule.from_path(MATMUL_RELU / f"{name}.tw"))
        outcome = check_kernel_ir(built, make_case(payload, 2))
        assert outcome.ok, f"{name}: {outcome.message}"


def test_without_a_schedule_the_default_does_everything() -> None:
    payload = read_payload(MATMUL_RELU / "payload_bias.mlir")
    built = build(payload, None)
    assert len(built.program.kernels) == 2
    assert check_kernel_ir(built, make_case(payload, 0)).ok


def test_masks_stand_only_where_they_are_needed() -> None:
    schedule = Schedule.from_path(MATMUL_RELU / "tile_fuse_vectorize.tw")
    even = build(parse_payload(payload_text(256, 256, 256, "f16")), schedule)
    ragged = build(parse_payload(payload_text(256, 200, 256, "f16")), schedule)
    assert "mask=" not in even.program.text
    assert "< N" in ragged.program.text
    assert "< K" not in ragged.program.text
    assert "< M" not in ragged.program.text


def test_equal_kernels_have_equal_keys_whatever_their_text() -> None:
    payload = read_payload(MATMUL_RELU / "payload.mlir")
    schedule = Schedule.from_path(MATMUL_RELU / "tuned.tw")
    point = {**POINT, "tail_placement": "fused", "loads": "pointers"}
    moved = parse_payload("\n\n" + (MATMUL_RELU / "payload.mlir").read_text())
    one, same = build(payload, schedule, point), build(moved, schedule, point)
    other = build(payload, schedule, {**point, "stages": 4})
    assert one.program.key == same.program.key != other.program.key


@pytest.mark.slow
def test_recorded_steps_print_and_parse_again() -> None:
    payload = read_payload(MATMUL_RELU / "payload.mlir")
    recorder = Recorder(payload)
    schedule = Schedule.from_path(MATMUL_RELU / "tile_fuse_vectorize.tw")
    apply_schedule(payload, schedule, observers=[recorder])
    texts = [snapshot.text() for snapshot in recorder.snapshots]
    assert len(set(texts)) == len(texts) >= 10
    for text in texts:
        assert parse_payload(text) is not None


def test_a_step_that_changes_the_numbers_is_reported_as_a_bug() -> None:
    payload = read_payload(MATMUL_RELU / "payload.mlir")
    verifier = VerifyEach(payload)
    (question,) = verifier.questions
    off = [array + np.float16(1) for array in question.expected]
    verifier.questions = [replace(question, expected=off)]
    schedule = Schedule.from_path(MATMUL_RELU / "tile.tw")
    with pytest.raises(CompilerBug, match=r"step 1 \(structured.tile_using_forall"):
        apply_schedule(payload, schedule, observers=[verifier])


def test_reduction_length_is_the_longest_sum() -> None:
    assert reduction_length(parse_payload(payload_text(8, 16, 48, "f32"))) == 48


def test_compile_gives_source_steps_and_report() -> None:
    program = tilewright.compile(
        MATMUL_RELU / "payload.mlir",
        MATMUL_RELU / "tuned.tw",
        target="h200",
        **POINT,
        tail_placement="fused",
        loads="descriptors",
    )
    assert "a_desc.load" in program.source
    assert program.steps[0].title == "00 payload"
    assert "linalg.matmul" in program.steps[0].text()
    # They are recorded by a second run, when somebody looks.
    steps = list(program.steps)
    assert len(steps) == len(program.steps)
    assert [one.step.name for one in steps if one.step] == [
        step.name for step in program.built.steps
    ]
    assert "BM=64" in program.report and "4 warps" in program.report


def test_compile_takes_texts() -> None:
    text = (MATMUL_RELU / "payload.mlir").read_text()
    schedule = (MATMUL_RELU / "tile.tw").read_text()
    assert len(tilewright.compile(text, schedule).built.program.kernels) == 3


def test_an_open_choice_is_an_error_that_names_it() -> None:
    with pytest.raises(UserError, match="BM"):
        tilewright.compile(MATMUL_RELU / "payload.mlir", MATMUL_RELU / "tuned.tw")


def test_a_missing_file_is_an_error_without_a_traceback() -> None:
    with pytest.raises(UserError, match="no such file: nowhere.mlir"):
        tilewright.compile("nowhere.mlir")


@pytest.mark.parametrize("verify_steps", [False, True])
def test_invalid_ir_after_a_step_is_a_bug_and_no_refusal(
    verify_steps: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A plan must not be built again without a kernel that the compiler broke."""

    def broken(code: Code, scalar: tensor.ExtractOp) -> SSAValue:
        return code.spread(code.lookup(scalar.indices[0]), code.shape(code.all_loops))

    monkeypatch.setattr(vectorize_structured, "extracted", broken)
    p = Payload("picked")
    ids, table = p.input("ids", (16,), "i32"), p.input("table", (32, 8), "f32")
    p.output(embedding(ids, table) + 1.0)
    with pytest.raises(CompilerBug, match="left invalid IR"):
        build(parse_payload(p.text()), Schedule.empty(), verify_steps=verify_steps)
