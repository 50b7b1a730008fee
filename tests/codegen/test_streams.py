"""Launches on several streams: ordered by the memory they touch, and no more."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
import torch
from xdsl.dialects.builtin import IntegerAttr, i64

from support.codegen.programs import assert_right, built
from support.sampling import mostly_slow
from tilewright.codegen.analysis.launch_effects import work_of
from tilewright.codegen.generate import generate
from tilewright.codegen.runtime.launch import load
from tilewright.ir.context import payload_context
from tilewright.ir.dialects import func
from tilewright.ir.dialects.kernel import FuncOp, LaunchOp, RecordOp, WaitOp
from tilewright.ir.dialects.scf import ForallOp
from tilewright.ir.text import parse_module, to_text
from tilewright.numeric_check import check_kernel_ir, compare_results, make_case
from tilewright.pipeline import apply_schedule, parse_payload
from tilewright.tuning.measure.correctness import empty_is_nan

Golden = Callable[[str, str], None]


def diamond(branches: int, length: int = 1) -> str:
    """Independent branches of some length each, then their sum."""
    of = "tensor<64x32xf32>"
    lines: list[str] = []
    ends: list[str] = []
    for branch in range(branches):
        before = "%a"
        for step in range(length):
            name = f"%t{branch}_{step}"
            lines.append(f"{name}e = bufferization.alloc_tensor() : {of}")
            op = ("exp", "abs", "negf")[(branch + step) % 3]
            lines.append(
                f"{name} = linalg.{op} ins({before} : {of}) outs({name}e : {of}) "
                f"-> {of}"
            )
            before = name
        ends.append(before)
    total = ends[0]
    for number, end in enumerate(ends[1:]):
        lines.append(f"%s{number}e = bufferization.alloc_tensor() : {of}")
        lines.append(
            f"%s{number} = linalg.add ins({total}, {end} : {of}, {of}) "
            f"outs(%s{number}e : {of}) -> {of}"
        )
        total = f"%s{number}"
    body = "\n  ".join(lines)
    return f"func.func @f(%a: {of}) -> {of} {{\n  {body}\n  return {total} : {of}\n}}\n"


SCHEDULE = """
schedule two(root) {
  first = match "linalg.exp" in root
  other = match "linalg.abs" in root
  first, left = tile first by [64, 32] onto [block.y, block.x]
  other, right = tile other by [64, 32] onto [block.y, block.x]
  launch left stream = 1
  launch right stream = 2
}
"""


def launcher_of(module: object) -> func.FuncOp:
    return next(op for op in module.ops if isinstance(op, func.FuncOp))  # type: ignore[attr-defined]


def happens_before(module: object) -> tuple[list[object], set[tuple[int, int]]]:
    """The works of a launcher and which one surely comes before which."""
    kernels = {op.sym_name.data: op for op in module.ops if isinstance(op, FuncOp)}  # type: ignore[attr-defined]
    works: list[object] = []
    done: dict[object, set[int]] = {}
    waited: dict[int, set[int]] = {}
    before: set[tuple[int, int]] = set()
    for op in launcher_of(module).body.block.ops:
        if isinstance(op, RecordOp):
            done[op.event] = set(waited.get(op.stream.value.data, set()))
        elif isinstance(op, WaitOp):
            stream = op.stream.value.data
            waited[stream] = waited.get(stream, set()) | done[op.event]
        elif (work := work_of(op, kernels)) is not None:
            position = len(works)
            known = waited.setdefault(work.stream, set())
            before |= {(earlier, position) for earlier in known}
            known.add(position)
            works.append(work)
    # The end of the program is on the caller's stream.
    before |= {(earlier, len(works)) for earlier in waited.get(0, set())}
    return works, before


def on_streams(text: str, random: Random, streams: int):
    """A program whose grids are put onto random streams."""
    payload = apply_schedule(parse_payload(text), None).payload
    for op in payload.walk():
        if isinstance(op, ForallOp):
            op.attributes["triton.stream"] = IntegerAttr(random.randrange(streams), i64)
    return generate(payload)


def test_source(golden: Golden) -> None:
    program = assert_right(diamond(2), SCHEDULE)
    golden("programs/streams.py", program.program.text)


def test_kernel_ir() -> None:
    module = built(diamond(2), SCHEDULE).kernel
    text = to_text(module)
    assert to_text(parse_module(text, "kernel.mlir", payload_context())) == text
    launches = [op for op in module.walk() if isinstance(op, LaunchOp)]
    assert [op.stream and op.stream.value.data for op in launches] == [1, 2, None]
    # Both begin after the caller's work, and the sum waits for both: no more.
    assert len(re.findall("kernel.wait", text)) == 4
    assert len(re.findall("kernel.record", text)) == 3


def test_one_stream_needs_no_events() -> None:
    text = built(diamond(3)).program.text
    assert "_stream" not in text and "_wait" not in text


@pytest.mark.parametrize("seed", mostly_slow(range(12), range(4)))
def test_conflicts_are_ordered_and_the_end_waits_for_all(seed: int) -> None:
    random = Random(seed)
    text = diamond(random.randint(1, 4), random.randint(1, 4))
    generated = on_streams(text, random, 4)
    works, before = happens_before(generated.kernel_module)
    for later, work in enumerate(works):
        for earlier, other in enumerate(works[:later]):
            if work.conflicts(other):  # type: ignore[attr-defined]
                assert (earlier, later) in before
    end = len(works)
    assert {earlier for earlier, later in before if later == end} == set(range(end))


def test_memory_is_made_before_other_streams_begin() -> None:
    """What torch fills on the caller's stream, with NaN to check, races otherwise."""
    text = on_streams(diamond(3, 2), Random(1), 4).program.text
    body = text[text.index("def f(a):") :]
    assert body.count("torch.empty(") > 1
    assert body.rindex("torch.empty(") < body.index("ready = _record(stream)")


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
def test_poisoned_memory_does_not_race(tmp_path: Path) -> None:
    text = diamond(4, 3)
    program = on_streams(text, Random(2), 4).program
    question = make_case(parse_payload(text), 2)
    inputs = [torch.from_numpy(array).cuda() for array in question.inputs]
    loaded = load(program, tmp_path)
    with empty_is_nan():
        for _ in range(50):
            assert compare_results(question, [loaded(*inputs).cpu().numpy()]).ok


def test_numbers_stay_right() -> None:
    text = diamond(3, 3)
    generated = on_streams(text, Random(1), 3)
    question = make_case(parse_payload(text), 0)

    class Program:
        steps = ()
        kernel = generated.kernel_module
        program = generated.program
        roundings = ()

    assert check_kernel_ir(Program, question).ok  # type: ignore[arg-type]


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
@pytest.mark.parametrize("seed", range(4))
def test_on_a_device(seed: int, tmp_path: Path) -> None:
    """Also as a graph, which keeps the streams apart and joins them."""
    text = diamond(3, 3)
    program = on_streams(text, Random(seed), 3).program
    question = make_case(parse_payload(text), seed)
    inputs = [torch.from_numpy(array).cuda() for array in question.inputs]
    loaded = load(program, tmp_path)
    for call in (loaded, loaded.graph(*inputs)):
        for _ in range(20):
            assert compare_results(question, [call(*inputs).cpu().numpy()]).ok
