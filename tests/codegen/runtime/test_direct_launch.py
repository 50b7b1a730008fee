"""Direct launches start what Triton would start, whatever was launched before."""

from __future__ import annotations

import functools
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
import triton
from hypothesis import given, settings
from hypothesis import strategies as st
from triton import knobs
from triton.runtime.jit import JITFunction
from triton.tools.tensor_descriptor import TensorDescriptor

from support.codegen.buffer_level import generated, matmul_relu
from support.codegen.fake_driver import FakeDriver, fake_driver
from support.examples import examples
from tilewright.codegen.runtime import descriptor_cache
from tilewright.codegen.runtime import direct_launch as direct
from tilewright.codegen.runtime.compile import load_launcher, source_file
from tilewright.codegen.runtime.descriptor_cache import DescriptorCache
from tilewright.codegen.runtime.direct_launch import with_direct_launches
from tilewright.codegen.source.host_helpers import HOST_HELPERS

SOURCE = '''"""A kernel and its launcher."""

import torch
import triton
import triton.language as tl


@triton.jit
def scale_kernel(x_ptr, y_ptr, n, s, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offs, mask=offs < n)
    tl.store(y_ptr + offs, x * s, mask=offs < n)


def scale(x, y, n, s, block):
    scale_kernel[(triton.cdiv(min(n, 64), block),)](
        x, y, n, s, BLOCK=block, num_warps=1, num_stages=1
    )
'''

Launcher = Callable[..., Any]


@pytest.fixture(scope="module")
def driver() -> Iterator[FakeDriver]:
    with fake_driver() as made:
        yield made


@pytest.fixture(scope="module")
def scale(driver: FakeDriver, tmp_path_factory: pytest.TempPathFactory) -> Launcher:
    path = tmp_path_factory.mktemp("direct") / "scale.py"
    path.write_text(SOURCE)
    return load_launcher(path, "scale")


def directly(launcher: Launcher, *, checked: bool = False) -> Launcher:
    return with_direct_launches(launcher, ["scale_kernel"], checked=checked)


def assert_same(
    driver: FakeDriver, launcher: Launcher, plain: Launcher, *arguments: Any
) -> None:
    """The same compilation, grid, stream and arguments as Triton's own launch."""
    plain(*arguments)
    launcher(*arguments)
    want, got = driver.launches[-2:]
    assert got == want


def refuse_triton(monkeypatch: pytest.MonkeyPatch) -> None:
    def run(self: Any, *arguments: Any, **options: Any) -> None:
        raise AssertionError("Triton was asked")

    monkeypatch.setattr(JITFunction, "run", run)


MEMORY = torch.zeros(512)
NUMBERS = [0, 1, 16, 17, -(2**31), 2**31 - 1, 2**31, 2**63 - 1, 2**63]


@st.composite
def calls(draw: st.DrawFn) -> tuple[Any, ...]:
    """Two places in memory, aligned or not, an integer, a number, a block, a device."""
    tensors = [
        MEMORY.view(draw(st.sampled_from([torch.float32, torch.float16])))[start:]
        for start in draw(st.tuples(*[st.sampled_from([0, 2, 16])] * 2))
    ]
    # Triton takes other code for each kind of number.
    number = draw(st.sampled_from([1.0, 2.5, 3]))
    block, device = draw(st.sampled_from([16, 32])), draw(st.sampled_from([0, 1]))
    return *tensors, draw(st.sampled_from(NUMBERS)), number, block, device


@settings(deadline=None, max_examples=examples(15))
@given(sequence=st.lists(calls(), min_size=2, max_size=4), checked=st.booleans())
def test_starts_what_triton_would(driver, scale, sequence, checked: bool) -> None:
    launcher = directly(scale, checked=checked)
    for *arguments, device in sequence:
        if checked:
            # What types tensors have was checked: they always have the same.
            arguments[:2] = [x.view(torch.float32) for x in arguments[:2]]
        driver.device = device
        driver.stream += 1
        assert_same(driver, launcher, scale, *arguments)
    driver.device = 0


def test_numbers_of_every_kind(driver, scale) -> None:
    launcher = directly(scale)
    for n in (*NUMBERS, *reversed(NUMBERS)):
        assert_same(driver, launcher, scale, MEMORY, MEMORY, n, 2.5, 16)


@pytest.mark.parametrize(
    "change",
    [
        {"x": MEMORY[2:]},
        {"y": MEMORY[2:]},
        {"x": MEMORY.view(torch.float16)},
        {"s": 3},
        {"s": True},
        {"block": 32},
        {"device": 1},
    ],
)
def test_one_thing_that_is_new(driver, scale, change) -> None:
    """Once and again, after a launch that was kept, and before the same again."""
    launcher = directly(scale)
    base = {"x": MEMORY, "y": MEMORY, "n": 64, "s": 2.5, "block": 16, "device": 0}
    for call in (base, {**base, **change}, {**base, **change}, base):
        *arguments, driver.device = call.values()
        assert_same(driver, launcher, scale, *arguments)


def test_the_second_launch_asks_triton_nothing(driver, scale, monkeypatch) -> None:
    launcher = directly(scale)
    launcher(MEMORY, MEMORY, 64, 2.5, 16)
    refuse_triton(monkeypatch)
    launcher(MEMORY[16:], MEMORY, 48, 1.0, 16)
    assert driver.launches[-1].grid == (3, 1, 1)
    assert driver.launches[-1].arguments[:2] == (
        MEMORY.data_ptr() + 64,
        MEMORY.data_ptr(),
    )
    with pytest.raises(AssertionError, match="Triton was asked"):
        launcher(MEMORY[1:], MEMORY, 64, 2.5, 16)


def test_parameters_are_tensors(driver, scale, monkeypatch) -> None:
    launcher = directly(scale)
    launcher(MEMORY, MEMORY, 64, 2.5, 16)
    refuse_triton(monkeypatch)
    launcher(torch.nn.Parameter(MEMORY), MEMORY, 64, 2.5, 16)
    assert driver.launches[-1].arguments[0] == MEMORY.data_ptr()


def test_other_objects_are_left_to_triton(driver, scale) -> None:
    class Pointer:
        dtype = torch.float32

        def data_ptr(self) -> int:
            return MEMORY.data_ptr()

    launcher = directly(scale)
    for _ in range(2):
        assert_same(driver, launcher, scale, Pointer(), MEMORY, 64, True, 16)


def test_memory_used_again_for_another_type(driver, scale) -> None:
    launcher = directly(scale)
    address = MEMORY.data_ptr()
    for dtype in (torch.float32, torch.float16, torch.int32, torch.float32):
        again = MEMORY.view(dtype)
        assert again.data_ptr() == address
        assert_same(driver, launcher, scale, again, again, 64, 2.5, 16)


def test_hooks_hear_of_every_launch(driver, scale, monkeypatch) -> None:
    launcher = directly(scale)
    launcher(MEMORY, MEMORY, 64, 2.5, 16)
    heard: list[object] = []
    enter = knobs.runtime.launch_enter_hook
    enter.add(heard.append)
    try:
        launcher(MEMORY, MEMORY, 64, 2.5, 16)
    finally:
        enter.remove(heard.append)
    assert len(heard) == 1
    launcher(MEMORY, MEMORY, 64, 2.5, 16)
    assert len(heard) == 1
    kernel = scale.__globals__["scale_kernel"]
    kernel.add_pre_run_hook(lambda *given, **options: heard.append(given))
    launcher(MEMORY, MEMORY, 64, 2.5, 16)
    kernel.pre_run_hooks.clear()
    assert len(heard) == 2
    # A hook that is no chain.
    monkeypatch.setattr(knobs.runtime, "launch_exit_hook", heard.append)
    launcher(MEMORY, MEMORY, 64, 2.5, 16)
    assert len(heard) == 3


def test_debugging_needs_other_code(driver, scale, monkeypatch) -> None:
    launcher = directly(scale)
    launcher(MEMORY, MEMORY, 64, 2.5, 16)
    monkeypatch.setattr(knobs.runtime, "debug", True)
    assert_same(driver, launcher, scale, MEMORY, MEMORY, 64, 2.5, 16)
    monkeypatch.setattr(knobs.runtime, "debug", False)
    assert_same(driver, launcher, scale, MEMORY, MEMORY, 64, 2.5, 16)


def test_grids_are_not_kept_for_ever(driver, scale, monkeypatch) -> None:
    monkeypatch.setattr(direct, "_MOST_GRIDS", 2)
    launcher = directly(scale)
    for n in (16, 32, 48, 64, 16):
        assert_same(driver, launcher, scale, MEMORY, MEMORY, n, 2.5, 16)
    assert len(launcher.__globals__["scale_kernel"]) <= 2


def test_the_file_keeps_its_kernels(scale) -> None:
    assert isinstance(scale.__globals__["scale_kernel"], JITFunction)
    assert directly(scale) is not scale
    # Kernels of Triton's interpreter are no compiled ones.
    scope = {**scale.__globals__, "scale_kernel": object()}
    interpreted = type(scale)(scale.__code__, scope)
    assert directly(interpreted) is interpreted


def test_other_versions_and_cards_are_left_to_triton(scale, monkeypatch) -> None:
    kernel = scale.__globals__["scale_kernel"]
    with fake_driver() as other:
        other.backend = "hip"
        monkeypatch.setattr(JITFunction, "run", lambda *given, **options: "by Triton")
        launch = directly(scale).__globals__["scale_kernel"][4,]
        assert launch(MEMORY, MEMORY, 64, 2.5, BLOCK=16) == "by Triton"
    monkeypatch.setattr(triton, "__version__", "3.70.0")
    assert directly(scale).__globals__["scale_kernel"] is kernel


@pytest.mark.parametrize("checked", [False, True])
def test_descriptors(driver, tmp_path: Path, monkeypatch, checked: bool) -> None:
    text = matmul_relu(64, 32, 64, (16, 32, 32), attributes="triton.descriptors")
    program = generated(text).program
    plain = load_launcher(source_file(program, tmp_path), program.entry)
    kernels = [kernel.name for kernel in program.kernels]
    launcher = with_direct_launches(plain, kernels, checked=checked)
    for turn in range(3):
        a, b = torch.zeros(64, 64).half(), torch.zeros(64, 32).half()
        plain(a, b)
        if turn == 2:
            refuse_triton(monkeypatch)
        out = launcher(a, b)
        want, got = driver.launches[-2:]
        assert (got.function, got.grid) == (want.function, want.grid)
        assert got.arguments[:2] == want.arguments[:2]
        assert got.arguments[2] == (out.data_ptr(), out.dtype, 64, 32, 32, 1)


def descriptors() -> Callable[..., Any]:
    """As a generated file has them, kept."""
    file = {
        "functools": functools,
        "torch": torch,
        "TensorDescriptor": TensorDescriptor,
    }
    exec(HOST_HELPERS["_descriptor"].text, file)
    return DescriptorCache(file["_descriptor"])


def test_a_descriptor_is_made_once() -> None:
    describe = descriptors()
    assert describe(SQUARE, (8, 8)) is describe(SQUARE, (8, 8))


SQUARE = MEMORY[:256].view(16, 16)


@pytest.mark.parametrize(
    "now",
    [
        MEMORY[:256].view(32, 8),
        MEMORY[:256].view(torch.int32).view(16, 16),
        MEMORY[64:320].view(16, 16),
    ],
    ids=["shape", "type", "address"],
)
def test_descriptors_of_memory_used_again(now: torch.Tensor) -> None:
    """For another shape, another type: what a tensor is now counts."""
    describe = descriptors()
    for tensor in (SQUARE, now, SQUARE):
        made = describe(tensor, (8, 8))
        assert made.base.data_ptr() == tensor.data_ptr()
        assert made.base.dtype == tensor.dtype
        assert tuple(made.shape) == tuple(tensor.shape)
        assert tuple(made.strides) == tensor.stride()
        assert made.block_shape == [8, 8]
    assert describe(now, (4, 8)).block_shape == [4, 8]


def test_one_row_is_row_major_whatever_its_stride() -> None:
    """Torch calls a transposed column contiguous; no hardware takes its strides."""
    made = descriptors()(MEMORY[:64].view(64, 1).t(), (8, 8))
    assert tuple(made.shape) == (1, 64) and tuple(made.strides) == (64, 1)


def test_descriptors_keep_no_tensor_alive(monkeypatch) -> None:
    monkeypatch.setattr(descriptor_cache, "_MOST", 2)
    describe = descriptors()
    tensor = torch.zeros(16, 16)
    alive = weakref.ref(tensor)
    describe(tensor, (8, 8))
    del tensor
    assert alive() is None
    for rows in (4, 8, 16):
        describe(SQUARE[:rows], (4, 4))
    assert len(describe._made) <= 2


def test_addresses_are_checked_before_a_descriptor_is_kept(tmp_path: Path) -> None:
    text = matmul_relu(64, 32, 64, (16, 32, 32), attributes="triton.descriptors")
    program = generated(text).program
    launcher = load_launcher(source_file(program, tmp_path), program.entry)
    describe = DescriptorCache(launcher.__globals__["_descriptor"])
    describe(SQUARE, (8, 8))
    for _ in range(2):
        with pytest.raises(ValueError, match="an address of whole 16 bytes"):
            describe(MEMORY[2:66].view(8, 8), (8, 8))
