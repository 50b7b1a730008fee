"""Kernels compile in threads: here for an H200, since there may be no GPU."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from torch._subclasses.fake_tensor import FakeTensorMode
from triton.runtime import driver

import tilewright
from tilewright.codegen.runtime.compile import _CompileOnlyDriver
from tilewright.codegen.targets import target_named
from tilewright.compiled_program import Program
from tilewright.frontend.builder import Payload
from tilewright.ir.errors import UserError
from tilewright.torch_backend.compiling.parallel import (
    REFUSED,
    kernels_in_parallel,
    start_kernels,
)
from tilewright.torch_backend.compiling.planned_program import planned_program

H200 = target_named("h200")


@pytest.fixture
def h200() -> Iterator[None]:
    """Triton compiles for an H200."""
    before = driver._active
    driver.set_active(_CompileOnlyDriver(H200))  # pyright: ignore[reportArgumentType]
    yield
    driver._active = before


def program(rows: int) -> Program:
    """Sums of the rows of a tensor."""
    payload = Payload("sums")
    x = payload.input("x", (rows, 64), "f32")
    payload.output(x.sum(1))
    return tilewright.compile(payload, target="h200")


def compiled_kernels(given: Program) -> list[str]:
    """The kernels that Triton has compiled in this process."""
    scope = given.loaded.plain_launcher.__globals__
    return [
        kernel.name
        for kernel in given.built.program.kernels
        if any(
            type(made).__name__ == "CompiledKernel"
            for made in scope[kernel.name].device_caches[0][0].values()
        )
    ]


@pytest.mark.slow
def test_kernels_are_compiled_when_the_block_ends(h200: None) -> None:
    programs = [program(rows) for rows in (32, 48)]
    # AOTAutograd is in such a mode when it asks for a graph.
    with FakeTensorMode(), kernels_in_parallel(enabled=True) as compiling:
        for number, one in enumerate(programs):
            start_kernels(f"payload{number}", one)
    assert compiling.count == 2
    for number, one in enumerate(programs):
        compiling.check(f"payload{number}", H200)
        assert len(compiled_kernels(one)) == 1


def test_a_kernel_that_triton_refuses_is_an_error_of_its_payload(h200: None) -> None:
    good, bad = program(32), program(48)
    text = bad.source.replace("tl.sum(", "tl.no_such_function(")
    assert text != bad.source
    bad = replace(
        bad, built=replace(bad.built, program=replace(bad.built.program, text=text))
    )
    with kernels_in_parallel(enabled=True) as compiling:
        start_kernels("good", good)
        start_kernels("bad", bad)
    compiling.check("good", H200)
    with pytest.raises(UserError, match="no_such_function"):
        compiling.check("bad", H200)


def test_a_kernel_that_the_card_cannot_hold_is_planned_again(h200: None) -> None:
    payload = Payload("sums")
    payload.output(payload.input("x", (32, 8192), "f32").sum(1))
    small = replace(H200, shared_per_block=8)
    first = planned_program(payload.module, H200, "h200")
    with kernels_in_parallel(enabled=True) as compiling:
        start_kernels("sums", first)
    compiling.check("sums", H200)
    with pytest.raises(UserError, match="bytes of shared memory, of 8 "):
        compiling.check("sums", small)
    text = first.built.program.text
    assert text in REFUSED
    again = planned_program(payload.module, H200, "h200", refused=REFUSED)
    assert again.built.program.text != text
    assert "bytes of shared memory" in again.refusals[0]


def test_without_a_gpu_nothing_is_compiled() -> None:
    made = program(32)
    with kernels_in_parallel(enabled=False) as compiling:
        start_kernels("payload0", made)
    assert compiling.count == 0
    compiling.check("payload0", H200)
