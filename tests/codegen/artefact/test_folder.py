"""The folder of an artefact: what is in it, and how it is written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support.codegen.artefacts import artefact, built, member
from tilewright.codegen.artefact import folder as folders
from tilewright.ir.errors import UserError


def test_a_folder_has_code_source_schedule_metadata_and_loader(tmp_path: Path) -> None:
    place = tmp_path / "twice"
    artefact(place, member(built()))
    names = {path.name for path in place.iterdir()}
    assert names == {
        "__init__.py",
        "__main__.py",
        "kernels",
        "loader",
        "metadata.json",
        "schedule.tw",
        "source.py",
    }
    assert not list(place.rglob("__pycache__"))
    data = json.loads((place / "metadata.json").read_text())
    assert data["target"] == {
        "name": "h200",
        "capability": [9, 0],
        "arch": "sm_90a",
    }
    assert data["arguments"][0]["shape"] == [None, 32]
    assert data["arguments"][0]["sizes"] == ["M", ""]
    assert [kernel["divisible_by_16"] for kernel in data["kernels"]] == [[0], []]
    assert {"tilewright", "triton", "torch", "python"} == set(data["made_by"])


def test_an_older_artefact_is_replaced_and_anything_else_is_not(tmp_path: Path) -> None:
    place = tmp_path / "twice"
    artefact(place, member(built()))
    (place / "left.txt").write_text("old")
    artefact(place, member(built()))
    assert not (place / "left.txt").exists()
    assert [path.name for path in tmp_path.iterdir()] == ["twice"]
    other = tmp_path / "mine"
    other.mkdir()
    (other / "notes.txt").write_text("keep me")
    with pytest.raises(UserError, match="exists and is not an artefact"):
        artefact(other, member(built()))
    assert (other / "notes.txt").read_text() == "keep me"


def test_a_folder_that_cannot_be_finished_leaves_the_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "twice"
    artefact(place, member(built()))
    before = (place / "metadata.json").read_text()
    monkeypatch.setattr(folders, "_LOADER", tmp_path / "missing")
    with pytest.raises(OSError):
        artefact(place, member(built()))
    assert (place / "metadata.json").read_text() == before
    assert [path.name for path in tmp_path.iterdir()] == ["twice"]


def test_equal_binaries_are_written_once(tmp_path: Path) -> None:
    one = member(built(), "M <= 64", ("M", "<=", 64))
    other = member(built(), "else")
    made = artefact(tmp_path / "twice", one, other, table={"M": (0, 0)})
    assert len(made.metadata["kernels"]) == 2
    assert len(made.metadata["programs"]) == 2
    assert (tmp_path / "twice/source_0.py").exists()
