"""The folder of generated sources: whose it is, and what is believed of its files."""

from __future__ import annotations

import json
import os
import stat
import time
from pathlib import Path

import pytest

from support.tuning.samples import elementwise
from tilewright.codegen.runtime import private_files, source_cache
from tilewright.codegen.runtime.compile import CompiledStats, load_launcher, source_file


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A cache folder of its own for one test."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(source_cache.tempfile, "tempdir", str(tmp_path))
    source_cache.source_directory.cache_clear()
    yield tmp_path / "cache" / "tilewright" / "sources"
    source_cache.source_directory.cache_clear()


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


# -- whose folder it is ----------------------------------------------------------------


def test_the_folder_is_the_users_alone(home: Path) -> None:
    assert source_cache.source_directory() == home
    assert mode(home) == 0o700
    home.chmod(0o777)
    source_cache.source_directory.cache_clear()
    assert source_cache.source_directory() == home
    assert mode(home) == 0o700


def test_a_folder_of_somebody_else_is_not_used(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home.mkdir(parents=True)
    owner = home.stat().st_uid
    monkeypatch.setattr(private_files, "_trusted", lambda: (owner, owner))
    monkeypatch.setattr(private_files.os, "geteuid", lambda: owner + 1)
    found = source_cache.source_directory()
    assert found != home and found.name.startswith("tilewright-sources-")
    assert mode(found) == 0o700


def test_a_link_is_not_followed(home: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    home.parent.mkdir(parents=True)
    home.symlink_to(elsewhere)
    assert source_cache.source_directory() != home
    assert not list(elsewhere.iterdir())


def test_a_home_that_cannot_be_written_does_not_stop_the_work(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home.parent.parent.write_text("a file where the folder should be")
    found = source_cache.source_directory()
    assert found.is_dir() and mode(found) == 0o700
    source = source_file(elementwise(), found)
    assert source.read_text() == elementwise().text


# -- what lies in it -------------------------------------------------------------------


@pytest.mark.parametrize("damage", ["", "half", "other"])
def test_a_damaged_source_is_made_again(tmp_path: Path, damage: str) -> None:
    text = elementwise().text
    source = source_file(elementwise(), tmp_path)
    source.write_text(
        {"half": text[: len(text) // 2], "other": "0 / 0"}.get(damage, "")
    )
    assert source_file(elementwise(), tmp_path) == source
    assert source.read_text() == text
    assert mode(source) == 0o600


def test_bytecode_is_not_believed(tmp_path: Path) -> None:
    source = tmp_path / "f.py"
    source.write_text("def f():\n    return 1\n")
    assert load_launcher(source, "f")() == 1
    assert not (tmp_path / "__pycache__").exists()
    stamp = source.stat()
    source.write_text("def f():\n    return 2\n")
    os.utime(source, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    assert load_launcher(source, "f")() == 2


@pytest.mark.parametrize(
    "damage",
    ["", "{", "[]", "null", '{"value": "[1]"}', '{"sha256": 1, "value": "[1]"}'],
)
def test_a_damaged_record_is_not_believed(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "known.json"
    assert source_cache.read_record(path) is None
    source_cache.write_record(path, [{"kernel": "f"}])
    assert source_cache.read_record(path) == [{"kernel": "f"}]
    changed = json.loads(path.read_text())
    path.write_text(damage)
    assert source_cache.read_record(path) is None
    path.write_text(json.dumps({**changed, "value": '[{"kernel": "g"}]'}))
    assert source_cache.read_record(path) is None


def test_a_write_that_fails_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(source: object, target: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(source_cache.os, "replace", full)
    with pytest.raises(OSError, match="No space left"):
        source_cache.write_text(tmp_path / "f.py", "text")
    assert not list(tmp_path.iterdir())


def test_the_folder_does_not_grow_without_end(tmp_path: Path) -> None:
    day = 24 * 3600
    ages = {"new": 0, "yesterday": 1.5, "older": 3, "ancient": 40}
    for name, days in ages.items():
        path = tmp_path / name
        path.write_bytes(bytes(1000))
        used = time.time() - days * day
        os.utime(path, (used, used))
    source_cache.prune(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {"new", "yesterday", "older"}
    source_cache.prune(tmp_path, most_bytes=2000)
    assert {path.name for path in tmp_path.iterdir()} == {"new", "yesterday"}
    source_cache.prune(tmp_path, most_bytes=0)
    assert {path.name for path in tmp_path.iterdir()} == {"new"}
    assert source_cache.size_of(tmp_path) == 1000


def test_use_keeps_an_entry(tmp_path: Path) -> None:
    source = source_file(elementwise(), tmp_path)
    long_ago = time.time() - 90 * 24 * 3600
    os.utime(source, (long_ago, long_ago))
    source_file(elementwise(), tmp_path)
    source_cache.prune(tmp_path)
    assert source.exists() and source.stat().st_mtime == pytest.approx(long_ago, abs=1)


def test_outcomes_of_compiling_survive_the_way_through_a_record(tmp_path: Path) -> None:
    from dataclasses import asdict

    stats = CompiledStats("f", 32, 0, 1024, 4, 2, 0, 0.5)
    source_cache.write_record(tmp_path / "known.json", [asdict(stats)])
    (row,) = source_cache.read_record(tmp_path / "known.json") or [{}]
    assert CompiledStats(**row) == stats
