"""From a lowered payload to a program: collections, equal payloads, the cache."""

from __future__ import annotations

import gc
import logging
import pickle
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn

from support.damaged_files import DAMAGES, damage, within
from support.paths import ROOT
from tilewright.codegen.runtime.source_cache import (
    SETTING,
    hashed,
    unhashed,
    write_bytes,
)
from tilewright.ir.errors import UserError
from tilewright.torch_backend.backend import tilewright
from tilewright.torch_backend.compiling import cached, stored_programs
from tilewright.torch_backend.compiling.collector import fewer_collections
from tilewright.torch_backend.compiling.keys import program_key, without_names
from tilewright.torch_backend.compiling.plain_data import to_json
from tilewright.torch_backend.compiling.stored_programs import StoredRefusal
from tilewright.torch_backend.options import Options
from tilewright.torch_backend.report import RECENT

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture
def folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, no_cache: None
) -> Iterator[Path]:
    """The folder of programs, empty."""
    monkeypatch.setenv(SETTING, str(tmp_path))
    stored_programs._folder.cache_clear()
    forget()
    yield tmp_path / "programs"
    stored_programs._folder.cache_clear()


def forget() -> None:
    """Forget the programs of this process, as a new one would not have them."""
    torch._dynamo.reset()
    cached._here.clear()


def compiled(function: Any, **options: Any) -> Any:
    torch._dynamo.reset()
    given = {"strict": True, "interpreter": "kernels", **options}
    return torch.compile(function, backend=tilewright, options=given)


def rows(x: torch.Tensor) -> torch.Tensor:
    return torch.softmax(x, -1)


class Layers(nn.Module):
    """Two equal layers with an op between them that stays in torch."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return rows(torch.special.airy_ai(rows(x)))


def origins(caplog: pytest.LogCaptureFixture) -> list[str]:
    """What the log says of each payload."""
    lines = [record.getMessage() for record in caplog.records]
    of_payloads = [line for line in lines if line.startswith("payload")]
    found = [line.partition(": ")[2].partition(" in ")[0] for line in of_payloads]
    return [
        one
        for one in found
        if one in ("compiled", "from the cache", "shared with an equal payload")
    ]


def test_collections_are_rare_while_a_graph_is_compiled() -> None:
    at_first, before = gc.get_threshold(), (700, 10, 10)
    gc.set_threshold(*before)
    with fewer_collections():
        assert gc.get_threshold()[0] > before[0]
        with fewer_collections():
            assert gc.get_threshold()[0] > before[0]
        assert gc.get_threshold()[0] > before[0]
    assert gc.get_threshold() == before
    gc.set_threshold(*at_first)


def test_equal_payloads_share_a_program(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    x = torch.randn(4, 8)
    with caplog.at_level(logging.INFO, "tilewright.torch"):
        made = compiled(Layers())(x)
    torch.testing.assert_close(made, Layers()(x))
    assert len(RECENT[-1].segments) == 2
    assert origins(caplog) == ["compiled", "shared with an equal payload"]
    assert re.search(r"inference: compiled in [\d.]+ s, [\d.]+ s after", caplog.text)
    assert len(list(folder.iterdir())) == 1


@pytest.mark.slow
def test_another_process_takes_programs_from_disk(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    x = torch.randn(4, 8)
    with caplog.at_level(logging.INFO, "tilewright.torch"):
        first = compiled(rows)(x)
        forget()
        torch.testing.assert_close(compiled(rows)(x), first)
        assert origins(caplog) == ["compiled", "from the cache"]
        forget()
        compiled(rows, target="a100")(x)
    assert origins(caplog)[2:] == ["compiled"]


@pytest.mark.slow
def test_a_damaged_file_is_compiled_again(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    x = torch.randn(4, 8)
    compiled(rows)(x)
    (path,) = folder.iterdir()
    content = path.read_bytes()
    for damaged in (content[:-1], b"", content[:40] + b"?" + content[41:]):
        path.write_bytes(damaged)
        forget()
        caplog.clear()
        with caplog.at_level(logging.INFO, "tilewright.torch"):
            torch.testing.assert_close(compiled(rows)(x), rows(x))
        assert "is damaged" in caplog.text
        assert origins(caplog) == ["compiled"]
        assert path.read_bytes() == content


def test_no_kind_of_damage_stops_a_call(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A right hash does not make an entry right."""
    refusal = StoredRefusal("no tile fits", "a smaller k")
    stored_programs.save("key", refusal)
    path = folder / "key"
    content = path.read_bytes()
    wrong = [replace(refusal, fact=3), Options(), [1], None]  # pyright: ignore
    bodies = [to_json(one).encode() for one in wrong]
    body = unhashed(content)
    bodies += [b"", body[:-20], b"null", body.replace(b"StoredRefusal", b"Missing")]
    bodies += [b'{"classes": [["os", "system", []]], "value": [0]}', b"[" * 100000]
    bodies += [pickle.dumps(refusal), body.replace(b'"fact",', b"")]
    for damaged in bodies:
        path.write_bytes(hashed(damaged))
        caplog.clear()
        assert stored_programs.load("key") is None
        assert "is damaged" in caplog.text
    for kind in DAMAGES:
        write_bytes(path, content)
        damage(path, kind)
        with within(5):
            assert stored_programs.load("key") is None
            assert stored_programs.has("key") in (True, False)
            stored_programs.save("key", refusal)
        with pytest.raises(UserError, match="no tile fits"):
            stored_programs.load("key")


def test_a_pipe_in_the_place_of_a_program(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    x = torch.randn(4, 8)
    compiled(rows)(x)
    (path,) = folder.iterdir()
    damage(path, "pipe")
    forget()
    with caplog.at_level(logging.INFO, "tilewright.torch"), within(60):
        torch.testing.assert_close(compiled(rows)(x), rows(x))
    assert "compiled" in origins(caplog)
    assert path.is_file()


def test_nothing_is_written_where_the_cache_is_off(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(SETTING, "off")
    stored_programs._folder.cache_clear()
    x = torch.randn(4, 8)
    torch.testing.assert_close(compiled(rows)(x), rows(x))
    assert not folder.exists()


def test_a_refusal_is_kept_too(folder: Path) -> None:
    refusal = StoredRefusal("no tile fits", "a smaller k")
    stored_programs.save("key", refusal)
    with pytest.raises(UserError, match="no tile fits; a smaller k"):
        stored_programs.load("key")
    assert stored_programs.load("another") is None


def test_keys_hold_what_a_program_depends_on() -> None:
    text = "func.func @payload0(%x: f32) { %y = arith.addf %x, %x : f32 return %y }"
    other = "func.func @payload7(%a: f32) { %b = arith.addf %a, %a : f32 return %b }"
    swapped = "func.func @payload0(%y: f32) { %x = arith.addf %x, %x : f32 return %y }"
    assert without_names(text) == without_names(other) != without_names(swapped)
    key = program_key(text, "h200", Options())
    assert key == program_key(other, "h200", Options(strict=True, fallback="error"))
    assert key != program_key(text, "a100", Options())
    assert key != program_key(text, "h200", Options(mode="max-autotune"))


_SCRIPT = """
import logging, torch
logging.basicConfig(format="%(message)s")
logging.getLogger("tilewright.torch").setLevel("INFO")
run = torch.compile(lambda x: torch.softmax(x, -1), backend="tilewright",
                    options={"interpreter": "kernels"})
x = torch.randn(4, 8)
torch.testing.assert_close(run(x), torch.softmax(x, -1))
"""


@pytest.mark.slow
def test_a_new_process_compiles_nothing(folder: Path) -> None:
    found: list[str] = []
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-c", _SCRIPT],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        )
        found.append(done.stderr)
    assert "payload0: compiled in" in found[0]
    assert "inference: from the cache in" in found[1]
