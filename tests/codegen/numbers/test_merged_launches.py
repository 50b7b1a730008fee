"""`triton.last_arriver`: two launches as one."""

from __future__ import annotations

import numpy as np
import pytest

from support.codegen.buffer_level import generated, inputs_for, text_of
from support.codegen.grid_refusals import refusal
from tilewright.codegen.runtime.interpret import Job, interpret_all
from tilewright.ir.interpreter import Options, run

SPLIT = text_of("split_k")


def test_two_launches_compute_the_same_as_one() -> None:
    one, two = generated(SPLIT), generated(SPLIT.replace(", triton.last_arriver", ""))
    assert (len(one.program.kernels), len(two.program.kernels)) == (1, 2)
    arguments = inputs_for(one.program)
    (found,) = run(one.kernel_module, arguments, options=Options(shuffle_forall_seed=3))
    (wanted,) = run(two.kernel_module, arguments)
    np.testing.assert_array_equal(found, wanted)


def test_counters_are_left_zero() -> None:
    program = generated(SPLIT).program
    inputs = inputs_for(program)
    first, second = interpret_all([Job(program, inputs)] * 2)
    np.testing.assert_array_equal(first[0], second[0])
    assert "tl.store(counter, 0)" in program.text


@pytest.mark.parametrize(
    ("old", "new", "fact"),
    [
        ("(%s, %i, %j) in (4, 2, 2)", "(%s, %i, %j) in (4, 2, 1)", "its extents"),
        (
            "%part[%s, %m, %n], %zf",
            "%part[%s, %n, %m], %zf",
            "reads more along dimension 1",
        ),
        (
            "triton.last_arriver",
            "triton.last_arriver, triton.num_warps = 8 : i64",
            "'triton.num_warps' on a grid that has no launch of its own",
        ),
        (
            "vector.transfer_write %h, %out[%m, %n]",
            "vector.transfer_write %h, %a[%m, %n]",
            "writes a buffer that other programs",
        ),
        (
            "%out = memref.alloc() : memref<64x64xf16>",
            "%out = memref.alloc() : memref<64x64xf16>\n"
            "  memref.copy %out, %out : memref<64x64xf16> to memref<64x64xf16>",
            "does not follow another one",
        ),
    ],
)
def test_refused_merges(old: str, new: str, fact: str) -> None:
    assert old in SPLIT
    text = SPLIT.replace(old, new)
    if "%a[" in new:
        head, tail = text.rsplit("memref<64x64xf16>\n  } {mapping", 1)
        text = f"{head}memref<64x256xf16>\n  }} {{mapping{tail}"
    failure = refusal(text)
    assert fact in failure.fact and failure.remedy


def test_a_third_grid_is_a_launch_of_its_own() -> None:
    start = SPLIT.rindex("  scf.forall")
    end = SPLIT.index("\n", SPLIT.index("triton.last_arriver"))
    text = SPLIT[:end] + "\n" + SPLIT[start:]
    one, two = generated(SPLIT), generated(text)
    assert (len(one.program.kernels), len(two.program.kernels)) == (1, 2)
    arguments = inputs_for(one.program)
    (found,) = run(two.kernel_module, arguments)
    (wanted,) = run(one.kernel_module, arguments)
    np.testing.assert_array_equal(found, wanted)
