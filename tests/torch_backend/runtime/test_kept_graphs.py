"""Graphs that torch keeps for later processes: found again, or compiled again."""

from __future__ import annotations

import base64
import functools
import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn
from torch._C import DispatchKey
from torch._decomp import decomposition_table
from torch._dynamo.utils import counters
from torch._subclasses.fake_tensor import FakeTensor, FakeTensorMode

from support.damaged_files import DAMAGES, damage, within
from support.paths import TESTS
from tilewright.codegen.runtime.source_cache import hashed, unhashed, write_bytes
from tilewright.torch_backend import graph_cache
from tilewright.torch_backend.compiling import cached, stored_programs
from tilewright.torch_backend.compiling.plain_data import from_json, to_json
from tilewright.torch_backend.compiling.stored_programs import StoredRefusal
from tilewright.torch_backend.replaced_ops import has_replaced_ops
from tilewright.torch_backend.report import RECENT
from tilewright.torch_backend.runtime.torch_data import SPECIALS
from tilewright.torch_backend.watching import watching

OPTIONS = {"interpreter": "kernels", "target": "h200", "strict": True}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Caches of this test alone; the second is of programs."""
    for module, name in ((graph_cache, "graphs"), (stored_programs, "programs")):
        made = tmp_path / name
        made.mkdir()
        monkeypatch.setattr(module, "_folder", lambda made=made: made)
    monkeypatch.setattr(cached, "_here", {})
    counters.clear()
    return tmp_path


def scaled(x: torch.Tensor) -> torch.Tensor:
    return torch.relu(x) * 2.0 + 1.0


def run(function: Callable[..., Any], *inputs: Any, **options: Any) -> Any:
    """A call as in a new process: nothing is left in memory."""
    torch._dynamo.reset()
    cached._here.clear()
    made = torch.compile(function, backend="tilewright", options=OPTIONS | options)
    with torch.no_grad():
        found = made(*inputs)
        torch.testing.assert_close(found, function(*inputs))
    return found


def hits() -> int:
    return counters["aot_autograd"]["autograd_cache_hit"]


def test_the_next_process_finds_the_graph() -> None:
    x = torch.randn(4, 8)
    run(scaled, x)
    assert hits() == 0
    first = RECENT[-1]
    run(scaled, x)
    assert hits() == 1
    assert RECENT[-1] is not first
    assert RECENT[-1] == first


def test_a_graph_that_writes_its_input() -> None:
    def cached(cache: torch.Tensor, new: torch.Tensor) -> torch.Tensor:
        cache.index_fill_(0, torch.tensor([1]), 2.0)
        cache[:, torch.tensor([3, -1])] = new
        return cache * 2

    cache, new = torch.zeros(4, 8), torch.randn(4, 2)
    for count in range(2):
        found = run(cached, cache.zero_(), new)
        torch.testing.assert_close(cache * 2, found)
        assert hits() == count


@pytest.mark.slow
def test_modules_with_ops_in_torch_and_constants() -> None:
    class Module(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.layer = nn.Linear(8, 8)
            self.register_buffer("count", torch.zeros(()))

        def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
            self.count += 1
            shift = torch.tensor([1.0, 2.0, 3.0, 4.0])
            values, places = torch.sort(self.layer(x) + shift[:, None])
            return values * 2, places

    module, x = Module(), torch.randn(4, 8)
    run(module, x)
    kept = hits()
    run(module, x)
    assert hits() == kept + 1
    assert module.count == 4  # two calls of ours, two of eager torch


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    ("shape", "options"),
    [((4, 16), {}), ((4, 8), {"f32_products": "ieee"}), ((4, 8), {"target": "a100"})],
)
def test_other_sizes_and_options_are_other_graphs(
    shape: tuple[int, ...], options: dict[str, Any]
) -> None:
    run(scaled, torch.randn(4, 8))
    run(scaled, torch.randn(shape), **options)
    assert hits() == 0


@pytest.mark.slow
def test_settings_of_torch_are_part_of_the_key() -> None:
    x, weight = torch.randn(4, 8), torch.randn(8, 8)
    run(torch.matmul, x, weight)
    with torch.autocast("cpu", torch.bfloat16):
        assert run(torch.matmul, x, weight).dtype == torch.bfloat16
    torch.use_deterministic_algorithms(True)
    try:
        run(torch.matmul, x, weight)
    finally:
        torch.use_deterministic_algorithms(False)
    assert hits() == 0


@pytest.mark.slow
def test_precision_of_attention_is_part_of_the_key() -> None:
    x = torch.ones(1, 2, 16, 8).half()
    attention = nn.functional.scaled_dot_product_attention
    allow = torch.backends.cuda.allow_fp16_bf16_reduction_math_sdp
    for is_allowed in (True, False):
        allow(is_allowed)
        try:
            run(lambda x: attention(x, x, x), x)
        finally:
            allow(False)
    assert hits() == 0


@torch.library.custom_op("kept_graphs::twice", mutates_args=())
def twice(x: torch.Tensor) -> torch.Tensor:
    return x * 2


@twice.register_fake
def _(x: torch.Tensor) -> torch.Tensor:
    return torch.empty_like(x)


@pytest.mark.slow
def test_what_is_not_kept() -> None:
    x = torch.randn(4, 8)
    with watching():
        run(scaled, x)
    run(scaled, x, interpreter="payload")
    run(torch.add, x, x[:, :])  # the second is a view of the first
    run(lambda x: torch.ops.kept_graphs.twice(x) + 1, x)
    assert list(graph_cache._folder().iterdir()) == []  # pyright: ignore


def test_a_function_with_the_name_of_another_is_not_kept() -> None:
    for factor in (2.0, 3.0):

        @torch.compiler.allow_in_graph
        @functools.wraps(nn.functional.relu)
        def relu(x: torch.Tensor, factor: float = factor) -> torch.Tensor:
            return x * factor

        run(lambda x: relu(x) + 1, torch.randn(4, 8))  # noqa: B023
    assert hits() == 0


def test_graphs_are_not_kept_while_an_op_is_replaced() -> None:
    aten = torch.ops.aten
    for factor in (2.0, 3.0):
        library = torch.library.Library("aten", "IMPL")
        library.impl(
            "pairwise_distance",
            lambda x, y, *rest, factor=factor: x * factor + y,
            "CompositeImplicitAutograd",
        )
        try:
            run(lambda x, y: aten.pairwise_distance(x, y), *torch.randn(2, 4, 8))
        finally:
            library._destroy()
    assert list(graph_cache._folder().iterdir()) == []  # pyright: ignore
    assert not has_replaced_ops()


def test_a_table_of_torch_with_a_users_function(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    op = torch.ops.aten.logit.default
    monkeypatch.setitem(decomposition_table, op, lambda x, eps=None: x)
    assert has_replaced_ops()
    monkeypatch.undo()
    monkeypatch.setitem(op.py_kernels, DispatchKey.CompositeImplicitAutograd, scaled)
    assert has_replaced_ops()


def test_a_tensor_without_strides_is_not_kept() -> None:
    x = torch.randn(4, 8).to_mkldnn()
    assert not graph_cache._is_plain(x)


def test_gradients_are_compiled_each_time() -> None:
    for _ in range(2):
        torch._dynamo.reset()
        x = torch.randn(4, 8, requires_grad=True)
        made = torch.compile(scaled, backend="tilewright", options=OPTIONS)
        made(x).sum().backward()
        torch.testing.assert_close(x.grad, 2.0 * (x > 0))
    assert hits() == 0


def test_a_result_that_is_an_input_with_a_gradient() -> None:
    """A result that is a view of one stays a view of it."""
    x = torch.randn(4, 8, requires_grad=True)
    for _ in range(2):
        run(lambda x: (x.view(8, 4), scaled(x)), x)


@pytest.mark.slow
def test_a_missing_program_is_compiled_again(folder: Path) -> None:
    x = torch.randn(4, 8)
    run(scaled, x)
    shutil.rmtree(folder / "programs")
    (folder / "programs").mkdir()
    run(scaled, x)
    assert hits() == 0
    run(scaled, x)
    assert hits() == 1


def shifted(x: torch.Tensor) -> torch.Tensor:
    return x + torch.tensor([1.25, 2.5, 3.75, 4.5])


@pytest.mark.slow
def test_a_damaged_entry_is_compiled_again(folder: Path) -> None:
    """A constant under the old hash; and a text, a type and a name that do not work."""
    x = torch.randn(4, 4)
    run(shifted, x)
    (entry,) = (folder / "graphs").iterdir()
    content = entry.read_bytes()
    constants = base64.b64encode(shifted(torch.zeros(4)).numpy().tobytes())
    assert constants in content
    zeros = content.replace(constants, base64.b64encode(bytes(16)))
    body = unhashed(content)
    changes = ((b"def forward", b"def ("), (b"float32", b"none"), (b'"key"', b'"k"'))
    others = [hashed(body.replace(before, now)) for before, now in changes]
    for damaged in (zeros, *others):
        assert damaged != content
        entry.write_bytes(damaged)
        run(shifted, x)
        assert hits() == 0
        assert read_text(entry) == read_text(content)


def read_text(given: Path | bytes) -> Any:
    """The function's text of an entry; the times in an entry differ."""
    content = given.read_bytes() if isinstance(given, Path) else given
    found = from_json(unhashed(content), SPECIALS).compiled_fw.result
    return found.source, found.report


def test_no_kind_of_damage_stops_a_call(folder: Path) -> None:
    x = torch.randn(4, 4)
    run(shifted, x)
    (entry,) = (folder / "graphs").iterdir()
    content = entry.read_bytes()
    assert graph_cache._load(entry) is not None
    others = ["null", "[]", "{}", "3", '{"classes": [], "value": ["list", 1]}', ""]
    others += [to_json(StoredRefusal("no", None)), '{"classes": [["os", "system", []]]']
    for other in others:
        entry.write_bytes(hashed(other.encode()))
        assert graph_cache._load(entry) is None
    for kind in DAMAGES:
        write_bytes(entry, content)
        damage(entry, kind)
        with within(5):
            assert graph_cache._load(entry) is None
    write_bytes(entry, content)
    damage(entry, "pipe")
    with within(60):
        run(shifted, x)
    run(shifted, x)
    assert hits() == 1


def test_code_that_somebody_planted_does_not_run(folder: Path) -> None:
    """With a right hash, which needs no key."""
    x = torch.randn(4, 4)
    run(shifted, x)
    for name, text in (("graphs", b"def forward(self"), ("programs", b"import torch")):
        (entry,) = (folder / name).iterdir()
        marker = folder / f"ran-{name}"
        code = json.dumps(f"open({str(marker)!r}, 'w')\n")[1:-1].encode()
        body = unhashed(entry.read_bytes())
        assert text in body
        planted = hashed(body.replace(text, code + text, 1))
        entry.write_bytes(planted)
        run(shifted, x)
        if name == "graphs":
            assert marker.exists()  # what it could do, if it were believed
        # Programs run on a machine with a GPU alone.
        marker.unlink(missing_ok=True)
        entry.write_bytes(planted)
        entry.chmod(0o666)
        run(shifted, x)
        assert not marker.exists()
        assert entry.read_bytes() != planted


TWICE = """
import sys, torch
from torch._dynamo.utils import counters
options = {"interpreter": "kernels", "target": "h200"}
made = torch.compile(torch.nn.GELU(), backend="tilewright", options=options)
with torch.no_grad():
    made(torch.ones(4, 8))
print(counters["aot_autograd"]["autograd_cache_hit"])
"""


@pytest.mark.slow
def test_another_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TILEWRIGHT_CACHE", str(tmp_path / "cache"))
    found = [
        subprocess.run(
            [sys.executable, "-W", "ignore", "-c", TWICE],
            cwd=TESTS.parent,
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for _ in range(2)
    ]
    assert found == ["0\n", "1\n"]


def test_a_graph_from_the_cache_takes_fake_tensors() -> None:
    x = torch.randn(4, 8)
    run(scaled, x)
    torch._dynamo.reset()
    cached._here.clear()
    made = torch.compile(scaled, backend="tilewright", options=OPTIONS)
    with torch.no_grad():
        made(x)
        assert hits() == 1
        mode = FakeTensorMode()
        with mode:
            found = made(mode.from_tensor(x))
    assert isinstance(found, FakeTensor) and found.shape == (4, 8)
