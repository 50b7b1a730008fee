"""Lean launchers start what Triton would start, whatever was launched before."""

from __future__ import annotations

import functools
import weakref
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch
import triton
from triton import knobs
from triton.backends.nvidia import driver as nvidia
from triton.runtime.jit import JITFunction
from triton.tools.tensor_descriptor import TensorDescriptor

import tilewright
from support.codegen.fake_driver import FakeDriver, Launch, fake_driver
from tilewright.codegen.launches.plan import (
    Allocate,
    Buffer,
    CallLibrary,
    Descriptor,
    Dim,
    Index,
    LaunchPlan,
    Method,
    Number,
    OpenSize,
    Operand,
    Pointer,
    Record,
    Requirement,
    View,
    Wait,
)
from tilewright.codegen.launches.plan import Launch as PlannedLaunch
from tilewright.codegen.runtime import call_arguments, launch
from tilewright.codegen.runtime.launch import LoadedProgram, load
from tilewright.codegen.runtime.lean.launch import Described, lean_launcher
from tilewright.codegen.runtime.lean.source import LeanText
from tilewright.codegen.source.host_helpers import HOST_HELPERS
from tilewright.codegen.source.python_text import Binary, Literal, Name
from tilewright.ir.errors import UserError

IS_3_6 = triton.__version__.startswith("3.6.")

M = Name("M")
OPTIONS = {"constants": (("N", 64),), "num_warps": 4, "num_stages": 1}
PLAN = LaunchPlan(
    "f",
    ("x", "w"),
    (OpenSize("M", Dim("x", 0)),),
    (
        Buffer("x", "f32", (M, 4)),
        Buffer("w", "f16", (8, 16)),
        Buffer("hidden", "f32", (M, 64)),
        Buffer("flat", "f32", (Binary("*", M, Literal("64")),)),
        Buffer("memory", "i8", (512,)),
        Buffer("part", "f16", (16, 8)),
        Buffer("out", "f16", (M, 8)),
        Buffer("rows", "i16", (2, 64)),
        Buffer("tail", "f32", (64,)),
        Buffer("square", "f32", (8, 8)),
    ),
    (),
    (Requirement("le", M, 2**20, "x has {0} rows, more than {1}"),),
    (
        Allocate("hidden"),
        View("flat", "hidden"),
        PlannedLaunch(
            "f_kernel",
            (M,),
            (Pointer("x"), Pointer("flat"), Number(M, "index", True)),
            **OPTIONS,
        ),
        Allocate("memory"),
        View("part", "memory"),
        CallLibrary(
            "torch.mm",
            (Operand("w", (Method("mT"),)), Operand("w", (Index(((), (4, 8))),))),
            (),
            Operand("part"),
        ),
        Allocate("out"),
        View("rows", "memory"),
        PlannedLaunch(
            "g_kernel",
            (M, 2),
            (Descriptor("hidden", (1, 8)), Pointer("rows"), Pointer("out")),
            not_empty=(M,),
            **OPTIONS,
        ),
        Allocate("tail"),
        View("square", "tail"),
        PlannedLaunch(
            "h_kernel", (8,), (Pointer("tail"), Number(512, "index", True)), **OPTIONS
        ),
    ),
    ("out", "square"),
)

LEAN = """\
def f(x, w):
    if ((_at_x := x.data_ptr())) & 15 or _is_watched():
        return _checked(x, w)
    _queue = _stream_here(3)
    M = x.shape[0]
    if M > 1048576:
        raise ValueError(f"x has {M} rows, more than 1048576")
    hidden = _empty((M, 64), (64, 1), torch.float32)
    _at_hidden = hidden.data_ptr()
    if (_known := _site0.get((M == 1, M % 16 == 0, M < 2147483648))) is None:
        _site0.launch((M == 1, M % 16 == 0, M < 2147483648), (M,), \
(x, hidden.view(M * 64), M), dict(N=64, num_warps=4, num_stages=1))
    else:
        _known[0](M, 1, 1, _queue, *_known[1], (_at_x, _at_hidden, M, 64))
    memory = _empty((256,), (1,), torch.float16)
    _at_memory = memory.data_ptr()
    torch.mm(
        _view(w, (16, 8), (1, 16), 0),
        _view(w, (8, 4), (16, 1), 4),
        out=_view(memory, (16, 8), (8, 1), 0),
    )
    out = _empty((M, 8), (8, 1), torch.float16)
    _at_out = out.data_ptr()
    if M > 0:
        if (_given := _site1.get((_at_hidden, _at_memory, _at_out, M))) is None:
            _site1.describe((_at_hidden, _at_memory, _at_out, M), (), (M, 2), \
(_descriptor(hidden, (1, 8)), _view(memory.view(torch.int16), (2, 64), (64, 1), 0), \
out), dict(N=64, num_warps=4, num_stages=1), _queue)
        else:
            _given[0](M, 2, 1, _queue, *_given[1])
    del hidden, memory
    tail = _empty((8, 8), (8, 1), torch.float32)
    _at_tail = tail.data_ptr()
    if (_known := _site2.get(())) is None:
        _site2.launch((), (8,), (_view(tail, (64,), (1,), 0), 512), \
dict(N=64, num_warps=4, num_stages=1))
    else:
        _known[0](8, 1, 1, _queue, *_known[1], (_at_tail, 512, 64))
    return out, tail
"""


def test_the_source() -> None:
    made = LeanText(PLAN, 3, packs_arguments=True)
    assert made.text() == LEAN
    assert list(made.sites.values()) == ["f_kernel", "g_kernel", "h_kernel"]
    loose = LeanText(PLAN, 3, packs_arguments=False).text()
    assert "*_known[1], _at_x, _at_hidden, M, 64)" in loose


def test_other_streams_are_left_to_triton() -> None:
    steps = (
        Record("ready", 0),
        Wait("ready", 1),
        PlannedLaunch("f_kernel", (8,), (Pointer("w"),), (), 4, 1, stream=1),
        PlannedLaunch("g_kernel", (8,), (Pointer("w"),), (), 4, 1),
    )
    plan = replace(PLAN, steps=steps, results=(), requirements=(), sizes=())
    made = LeanText(plan, 0, packs_arguments=True)
    lines = [line.strip() for line in made.text().splitlines()]
    assert made.sites == {"_site0": "g_kernel"}
    assert lines[4:10] == [
        "stream = _stream(x.device, 0)",
        "stream1 = _stream(x.device, 1)",
        "ready = _record(stream)",
        "_wait(stream1, ready)",
        "with torch.cuda.stream(stream1):",
        "f_kernel[(8,)](w, num_warps=4, num_stages=1)",
    ]


class CudaDriver(FakeDriver):
    """Launches by Triton's own class of launchers; its C function is recorded."""

    encoded: int = 0

    def launcher_cls(self, source: Any, metadata: Any) -> Any:
        return nvidia.CudaLauncher(source, metadata)

    def build_signature_metadata(self, signature: Any) -> bytes:
        return bytes(len(list(signature)))

    def fill_tma_descriptor(self, address: int, *rest: Any) -> Any:
        self.encoded += 1
        return (address, *map(str, rest))

    fill_tma_descriptor_tiled = fill_tma_descriptor

    def launch(self, x: int, y: int, z: int, stream: int, *rest: Any) -> None:
        function, cooperative, pdl, *others = rest
        if IS_3_6:
            scratch, profile, packed, _, _, _, *arguments = others
        else:
            packed, _, _, _, scratch, profile, kinds, signature, arguments = others
            assert isinstance(signature, bytes) and len(kinds) <= len(arguments)
        assert (cooperative, pdl, len(packed)) == (False, False, 3)
        assert (scratch, profile) == (None, None)
        self.launches.append(Launch(function, (x, y, z), stream, tuple(arguments)))


@pytest.fixture(params=[FakeDriver, CudaDriver])
def driver(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Iterator[FakeDriver]:
    """Tensors on a CPU pass for tensors on a card."""
    monkeypatch.setattr(launch, "_CPU", None)
    monkeypatch.setattr(call_arguments, "interpreting", lambda: True)
    # Triton compiles this class for a card.
    monkeypatch.setattr(nvidia, "PyKernelArg", dict, raising=False)
    with fake_driver() as plain:
        made = request.param()
        if IS_3_6:
            # Its C function is compiled for each kernel.
            compiled = SimpleNamespace(launch=getattr(made, "launch", None))
            monkeypatch.setattr(nvidia, "compile_module_from_src", lambda **_: compiled)
            monkeypatch.setattr(nvidia, "library_dirs", list)
        triton.runtime.driver.set_active(made)
        yield made
        triton.runtime.driver.set_active(plain)  # pyright: ignore


@pytest.fixture(scope="module")
def program() -> Any:
    def softmax(x: torch.Tensor) -> torch.Tensor:
        return torch.softmax(x, -1) * 2

    rows = {0: torch.export.Dim.DYNAMIC}
    payload = tilewright.from_torch(softmax, (torch.randn(6, 64),), (rows,))
    return tilewright.compile(payload, inherit=False).built.program


def loaded_program(program: Any, folder: Path) -> LoadedProgram:
    loaded = load(program, folder)
    loaded.current_device = lambda: -1
    return loaded


def lean_on_a_cpu(loaded: LoadedProgram) -> Any:
    """The lean launcher; calls that it does not take are checked."""
    device = torch.device("cpu")
    return lean_launcher(loaded.program, loaded.plain_launcher, device, loaded)


@pytest.mark.slow
@pytest.mark.sampled(20)
def test_the_launches_are_those_of_triton(
    driver: FakeDriver, program: Any, tmp_path: Path
) -> None:
    loaded = loaded_program(program, tmp_path)
    lean = lean_on_a_cpu(loaded)
    for rows in (6, 32, 1, 32, 7, 6, 1):
        x = torch.randn(rows, 64)
        driver.launches.clear()
        plain, checked, made = loaded.plain_launcher(x), loaded(x), lean(x)
        assert made.shape == checked.shape == (rows, 64)
        assert made.is_contiguous()
        want, *found = driver.launches
        for result, got in zip((checked, made), found, strict=True):
            assert (got.function, got.grid) == (want.function, want.grid)
            addresses = {plain.data_ptr(): 0, result.data_ptr(): 0, x.data_ptr(): 1}
            assert _named(got.arguments, addresses) == _named(want.arguments, addresses)


def _named(arguments: tuple[Any, ...], addresses: dict[int, int]) -> list[Any]:
    values = [getattr(one, "data_ptr", lambda one=one: one)() for one in arguments]
    return [addresses.get(value, value) for value in values]


def refuse_triton(monkeypatch: pytest.MonkeyPatch) -> None:
    def run(self: Any, *arguments: Any, **options: Any) -> None:
        raise AssertionError("Triton was asked")

    monkeypatch.setattr(JITFunction, "run", run)


def test_the_second_launch_asks_triton_nothing(
    driver: FakeDriver,
    program: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lean = loaded_program(program, tmp_path).launcher_on[-1]
    lean(torch.randn(32, 64))
    refuse_triton(monkeypatch)
    lean(torch.randn(48, 64))
    assert len(driver.launches) == 2
    with pytest.raises(AssertionError, match="Triton was asked"):
        lean(torch.randn(7, 64))


def test_hooks_hear_of_every_launch(
    driver: FakeDriver, program: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lean, x = loaded_program(program, tmp_path).launcher_on[-1], torch.randn(32, 64)
    heard: list[object] = []

    def hear(metadata: Any) -> None:
        heard.append(metadata)

    lean(x)
    enter = knobs.runtime.launch_enter_hook
    enter.add(hear)
    try:
        lean(x)
    finally:
        enter.remove(hear)
    assert len(heard) == 1 or isinstance(driver, CudaDriver)
    found = len(heard)
    lean(x)
    assert len(heard) == found
    # A hook that is no chain.
    asked: list[object] = []
    monkeypatch.setattr(JITFunction, "run", lambda *given, **options: asked.append(1))
    lean(x)
    assert not asked
    monkeypatch.setattr(knobs.runtime, "launch_exit_hook", hear)
    lean(x)
    assert asked
    monkeypatch.undo()


def test_debugging_needs_other_code(
    driver: FakeDriver, program: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lean, x = loaded_program(program, tmp_path).launcher_on[-1], torch.randn(32, 64)
    lean(x)
    plain = driver.launches[-1].function
    monkeypatch.setattr(knobs.runtime, "debug", True)
    lean(x)
    assert driver.launches[-1].function != plain
    monkeypatch.setattr(knobs.runtime, "debug", False)
    lean(x)
    assert driver.launches[-1].function == plain


def test_other_versions_and_cards_are_left_to_triton(
    driver: FakeDriver, program: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded = loaded_program(program, tmp_path)
    assert lean_on_a_cpu(loaded) is not loaded
    driver.backend = "hip"
    assert lean_on_a_cpu(loaded) is loaded
    driver.backend = "cuda"
    monkeypatch.setattr(triton, "__version__", "3.70.0")
    assert lean_on_a_cpu(loaded) is loaded


def test_kernels_of_the_interpreter_are_called_as_they_are(
    driver: FakeDriver, program: Any, tmp_path: Path
) -> None:
    loaded = loaded_program(program, tmp_path)
    plain: Any = loaded.plain_launcher
    kernels = {one.kernel: object() for one in program.launch_plan.launches}
    other = type(plain)(plain.__code__, {**plain.__globals__, **kernels})
    made = lean_launcher(program, other, torch.device("cpu"), other)
    assert made is other


@pytest.mark.sampled(8)
def test_descriptors_are_encoded_once(driver: FakeDriver, tmp_path: Path) -> None:
    def product(x: torch.Tensor, w: torch.Tensor) -> torch.Tensor:
        return torch.relu(torch.mm(x, w.t())).view(8, 16, 128)

    given = torch.randn(128, 256).bfloat16(), torch.randn(128, 256).bfloat16()
    payload = tilewright.from_torch(product, given)
    program = tilewright.compile(payload, target="h200", inherit=False).built.program
    assert "_descriptor(" in program.text
    loaded = loaded_program(program, tmp_path)
    lean = loaded.launcher_on[-1]
    made = lean(*given)
    for _ in range(3):
        driver.launches.clear()
        plain, made = loaded.plain_launcher(*given), lean(*given)
        assert made.shape == (8, 16, 128)
        (want, got) = driver.launches
        assert (got.function, got.grid) == (want.function, want.grid)
        text = str(want.arguments).replace(str(plain.data_ptr()), "out")
        assert str(got.arguments).replace(str(made.data_ptr()), "out") == text
    if isinstance(driver, CudaDriver):
        # torch's allocator gives the same memory again.
        lean.__globals__["_empty"] = lambda *_, made=made: made
        lean(*given)
        before = driver.encoded
        lean(*given)
        assert driver.encoded == before > 0
        # A new input is encoded; the weight and the result are known.
        lean(given[0].clone(), given[1])
        assert driver.encoded == before + 1


def test_kept_descriptors_keep_no_tensor_alive() -> None:
    tensor = torch.zeros(16, 16)
    alive, address = weakref.ref(tensor), tensor.data_ptr()
    kernel = Described((print, ()), (), packs=True)
    described = TensorDescriptor.from_tensor(tensor, [8, 8])
    _, ((passed,),) = kernel.arguments((described,))
    del tensor
    assert alive() is None
    assert passed.base.data_ptr() == address and passed.base.dtype == torch.float32


def test_one_row_is_row_major_whatever_its_stride() -> None:
    """Torch calls a transposed column contiguous; no hardware takes its strides."""
    names = {"functools": functools, "torch": torch}
    file: dict[str, Any] = {**names, "TensorDescriptor": TensorDescriptor}
    exec(HOST_HELPERS["_descriptor"].text, file)
    made = file["_descriptor"](torch.zeros(64, 1).t(), (8, 8))
    assert tuple(made.shape) == (1, 64) and tuple(made.strides) == (64, 1)
    with pytest.raises(ValueError, match="an address of whole 16 bytes"):
        file["_descriptor"](torch.zeros(66)[2:].view(8, 8), (8, 8))


def test_unaligned_tensors_take_the_call_with_checks(
    driver: FakeDriver, program: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(call_arguments, "interpreting", lambda: False)
    lean = lean_on_a_cpu(loaded_program(program, tmp_path))
    memory = torch.randn(6 * 64 + 1)
    # Checks copy such a tensor on a card, and refuse every tensor on a CPU.
    with pytest.raises(UserError, match="'x' is on the CPU"):
        lean(memory[1:].view(6, 64))
    assert not driver.launches
