"""Damaged artefacts: each is refused in one line that names the file and the fact."""

from __future__ import annotations

import copy
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch

from support.codegen.artefacts import artefact, built, member
from support.damaged_files import DAMAGES, damage, within
from tilewright.codegen.artefact.loader import (
    ArgumentError,
    ArtefactError,
    load,
)
from tilewright.codegen.artefact.loader.steps import StepMaker

CONSTANT = """
func.func @shifted(%x: tensor<?x4xf32>, %s: f32) -> tensor<?x4xf32> {
  %c = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %0 = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>,
                     affine_map<(i, j) -> (i, j)>],
    iterator_types = ["parallel", "parallel"]
  } ins(%x, %c : tensor<?x4xf32>, tensor<4xf32>) outs(%x : tensor<?x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = arith.addf %a, %b : f32
    %2 = arith.mulf %1, %s : f32
    linalg.yield %2 : f32
  } -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}
"""
OTHERS = (None, True, -1, 10**30, 0.5, "other", [], {}, [None], {"a": 1}, "\x1b[2J")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An artefact with a decision table, a constant and a number."""
    folder = tmp_path_factory.mktemp("artefacts") / "shifted"
    program = built(CONSTANT)
    small = member(program, "M <= 64", ("M", "<=", 64))
    artefact(folder, small, member(program, "else"), table={"M": (0, 0)})
    return folder


@pytest.fixture
def folder(whole: Path, tmp_path: Path) -> Path:
    """A copy to damage."""
    return shutil.copytree(whole, tmp_path / whole.name)


def is_one_line(error: BaseException) -> bool:
    text = str(error)
    return text.isprintable() and 0 < len(text) < 1000


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The paths to all values in JSON."""
    if path:
        yield path
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, one in items:
        if isinstance(one, dict | list):
            yield from places(one, (*path, key))
        else:
            yield (*path, key)


@pytest.mark.parametrize("each", [13, pytest.param(1, marks=pytest.mark.slow)])
def test_every_value_may_be_wrong_or_missing(folder: Path, each: int) -> None:
    path = folder / "metadata.json"
    good = json.loads(path.read_text())
    tried = refused = 0
    for place in list(places(good))[::each]:
        *around, last = place
        for other in (*OTHERS, ...):
            changed = copy.deepcopy(good)
            inner = changed
            for key in around:
                inner = inner[key]
            if other is ...:
                del inner[last]
            else:
                inner[last] = other
            path.write_text(json.dumps(changed))
            tried += 1
            try:
                made = load(folder)
            except ArtefactError as error:
                refused += 1
                assert str(path) in str(error) and is_one_line(error), place
                assert "build the artefact again" in str(error)
            else:
                assert made.report.replace("\n", "").isprintable(), place
    assert refused > tried / 2


@pytest.mark.parametrize(
    "text",
    [
        *("", "{", "[]", "null", "3", '"text"', "[" * 100_000, "{}", "\x00", "\udcff"),
        *('{"format": 99}', '{"format": "1"}', '{"format": true}', '{"format": 1}'),
        '{"format": "\\u001b[2J"}',
    ],
)
def test_metadata_that_is_something_else(folder: Path, text: str) -> None:
    path = folder / "metadata.json"
    path.write_bytes(text.encode(errors="surrogateescape"))
    with pytest.raises(ArtefactError) as raised:
        load(folder)
    assert str(path) in str(raised.value) and is_one_line(raised.value)
    assert "build the artefact again" in str(raised.value)


@pytest.mark.parametrize("kind", DAMAGES)
@pytest.mark.parametrize("name", ["metadata.json", "kernels/*", "constants/*"])
def test_files_of_every_damage(folder: Path, name: str, kind: str) -> None:
    path = sorted(folder.glob(name))[0]
    damage(path, kind)
    with within(5):
        if kind in ("link", "writable by all"):
            made = load(folder)
            made.check_files()  # whose file it is does not matter: it is given
            return
        with pytest.raises((ArtefactError, FileNotFoundError)) as raised:
            load(folder).check_files()
    assert path.name in str(raised.value) and is_one_line(raised.value)


def test_files_outside_of_the_folder_are_not_read(folder: Path) -> None:
    path = folder / "metadata.json"
    good = path.read_text()
    (folder.parent / "secret").write_text("secret")
    for name in (
        "../secret",
        str(folder.parent / "secret"),
        "kernels/../../secret",
        "",
    ):
        found = json.loads(good)
        found["kernels"][0]["file"] = name
        path.write_text(json.dumps(found))
        with pytest.raises(ArtefactError, match="a file outside of the folder"):
            load(folder).check_files()


def test_a_constant_of_another_size_is_refused(folder: Path) -> None:
    """Older artefacts have no hash of it."""
    path = folder / "metadata.json"
    found = json.loads(path.read_text())
    (step,) = (s for s in found["programs"][0]["steps"] if s["step"] == "constant")
    del step["sha256"]
    (folder / step["file"]).write_bytes(bytes(8))
    maker = StepMaker.__new__(StepMaker)
    maker._program, maker._folder, maker._sizes = found["programs"][0], folder, {}
    with pytest.raises(ArtefactError, match="it has another size"):
        maker._constant(step)


def test_libraries_that_are_damaged(folder: Path) -> None:
    maker = StepMaker.__new__(StepMaker)
    maker._program, maker._folder = {"libraries": "libraries.py"}, folder
    for text, fact in (
        (None, "it is missing"),
        ("def f(", "SyntaxError"),
        ("1 / 0", "ZeroDivisionError"),
        ("", "it has no function 'call_0'"),
    ):
        maker._libraries = None
        if text is not None:
            (folder / "libraries.py").write_text(text)
        with pytest.raises(ArtefactError, match=fact) as raised:
            maker._call({"step": "call", "function": "call_0", "buffers": []})
        assert is_one_line(raised.value)


def test_names_do_nothing_to_a_terminal(folder: Path) -> None:
    path = folder / "metadata.json"
    title = "\x1b]0;owned\x07\n  made by nobody"
    found = json.loads(path.read_text())
    found["name"] = found["target"]["name"] = title
    found["arguments"][0]["name"] = found["kernels"][0]["name"] = title
    found["made_by"]["triton"] = found["programs"][0]["origin"] = title
    path.write_text(json.dumps(found))
    made = load(folder)
    lines = made.report.splitlines()
    assert all(map(str.isprintable, lines))
    assert sum(line.startswith("  made by") for line in lines) == 1
    with pytest.raises(ArgumentError) as raised:
        made(torch.zeros(4, 5), 2.0)
    assert is_one_line(raised.value)


def python(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-S", *words], capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(
    "name", ["metadata.json", "kernels", "loader", "loader/arrays.py", "constants"]
)
def test_the_folder_itself_says_what_is_damaged(folder: Path, name: str) -> None:
    """`python FOLDER` and `import`: nothing but the artefact is there."""
    path = folder / name
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.write_text("def half(")
    done = python(str(folder))
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert line.startswith("error: ") and "Traceback" not in done.stdout
    assert Path(name).parts[0] in line
    if name in ("kernels", "constants"):
        return  # they are read at the first call
    script = f"import sys; sys.path.insert(0, {str(folder.parent)!r}); import shifted"
    done = python("-c", script)
    assert done.returncode == 1
    assert "build the artefact again" in done.stderr.splitlines()[-1]
