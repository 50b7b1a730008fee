"""Which files and folders are trusted: those that nobody else can have written."""

from __future__ import annotations

import json
import logging
import os
import shutil
import stat
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from support.damaged_files import DAMAGES, damage, within
from support.tuning.samples import elementwise
from tilewright.codegen.runtime import private_files, source_cache
from tilewright.codegen.runtime.compile import load_launcher, source_file
from tilewright.codegen.runtime.private_files import (
    NotPrivate,
    make_private,
    read_private,
)

VICTIM, ATTACKER = 61001, 61002

as_root = pytest.mark.skipif(
    os.geteuid() != 0, reason="only root can make the files of other users"
)


@pytest.fixture
def shared() -> Iterator[Path]:
    """A folder that all users can enter, as /tmp is; pytest's own are root's alone."""
    made = Path(os.path.realpath(tempfile.mkdtemp(prefix="tilewright-shared-")))
    made.chmod(0o1777)
    yield made
    shutil.rmtree(made)


def run_as(user: int, work: Callable[[], Any]) -> Any:
    """The result of a function in a process of another user."""
    readable, writable = os.pipe()
    child = os.fork()
    if child == 0:
        told: Any = "no result"
        try:
            os.setgroups([])
            os.setresgid(user, user, user)
            os.setresuid(user, user, user)
            told = work()
        except BaseException as error:
            told = f"{type(error).__name__}: {error}"
        finally:
            os.write(writable, json.dumps(told).encode())
            os._exit(0)
    os.close(writable)
    with open(readable, "rb") as file:
        told = json.loads(file.read())
    os.waitpid(child, 0)
    return told


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


# -- folders ---------------------------------------------------------------------------


@pytest.mark.parametrize("open_mode", [0o777, 0o707, 0o1777, 0o702])
def test_an_open_folder_is_emptied_and_said(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, open_mode: int
) -> None:
    folder = make_private(tmp_path / "cache" / "sources")
    assert not caplog.messages
    (folder / "planted").write_text("evil")
    (folder / "inner").mkdir()
    (folder / "inner" / "planted").write_text("evil")
    (folder / "link").symlink_to(tmp_path)
    folder.chmod(open_mode)
    with caplog.at_level(logging.WARNING, "tilewright"):
        assert make_private(folder) == folder
    assert not list(folder.iterdir()) and tmp_path.exists()
    assert mode(folder) == 0o700
    (line,) = caplog.messages
    assert f"{folder} can be written by all users (mode {open_mode:04o})" in line
    assert "removed" in line


def test_a_folder_that_others_only_read_keeps_its_files(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder = make_private(tmp_path / "sources")
    (folder / "mine").write_text("text")
    folder.chmod(0o755)
    make_private(folder)
    assert mode(folder) == 0o700 and (folder / "mine").exists()
    assert not caplog.messages


def test_results_are_never_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv(source_cache.SETTING, str(tmp_path))
    folder = source_cache.kept_directory("torch")
    assert folder is not None and folder == tmp_path / "torch"
    (folder / "results.db").write_text("hours of measurements")
    folder.chmod(0o777)
    assert source_cache.kept_directory("torch") is None
    assert (folder / "results.db").exists()
    (line,) = caplog.messages
    assert "is not used" in line and "chmod go-w" in line


def test_a_folder_around_it_that_all_can_write_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    around = tmp_path / "around"
    around.mkdir()
    monkeypatch.setenv(source_cache.SETTING, str(around / "cache"))
    around.chmod(0o777)
    assert source_cache.private_directory("sources") is None
    assert not list(around.iterdir())  # nothing was made there
    (line,) = caplog.messages
    assert f"{around} can be written by all users (mode 0777)" in line
    assert source_cache.SETTING in line
    around.chmod(0o1777)  # the sticky bit: only owners rename
    assert source_cache.private_directory("sources") == around / "cache" / "sources"
    (around / "cache").chmod(0o777)
    assert source_cache.private_directory("sources") is None


def test_a_link_around_it_is_resolved_once(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    folder = make_private(tmp_path / "link" / "sources")
    assert folder == tmp_path / "real" / "sources"
    (tmp_path / "real").chmod(0o777)
    with pytest.raises(NotPrivate):
        make_private(tmp_path / "link" / "sources")


def test_a_group_of_this_user_alone_may_write(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    around = tmp_path / "around"
    around.mkdir()
    around.chmod(0o775)
    monkeypatch.setattr(private_files, "_is_own_group", lambda number: True)
    make_private(around / "sources")
    monkeypatch.setattr(private_files, "_is_own_group", lambda number: False)
    with pytest.raises(NotPrivate, match="can be written by group"):
        make_private(around / "sources")


# -- files -----------------------------------------------------------------------------


@pytest.mark.parametrize("kind", DAMAGES)
def test_only_a_plain_file_of_the_user_is_read(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "folder" / "entry"
    path.parent.mkdir()
    path.write_bytes(b"content")
    assert read_private(path) == b"content"
    damage(path, kind)
    with within(5):
        if kind in ("empty", "cut", "other bytes"):  # seen by hashes, not here
            assert read_private(path) != b"content"
        else:
            with pytest.raises(OSError):
                read_private(path)
        source_cache.write_bytes(path, b"new")
    assert read_private(path) == b"new"


@pytest.mark.parametrize("kind", DAMAGES)
def test_a_damaged_source_is_written_again(tmp_path: Path, kind: str) -> None:
    folder = tmp_path / "sources"
    folder.mkdir()
    program = elementwise()
    path = source_file(program, folder)
    damage(path, kind)
    with within(5):
        assert source_file(program, folder) == path
        assert callable(load_launcher(path, program.entry))
    assert read_private(path) == program.text.encode()


@pytest.mark.parametrize("kind", DAMAGES)
def test_a_damaged_record_is_as_none(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "sources" / "known.json"
    source_cache.write_record(path, [1, 2])
    damage(path, kind)
    with within(5):
        assert source_cache.read_record(path) is None
        source_cache.write_record(path, [3])
    assert source_cache.read_record(path) == [3]


def test_a_file_that_changes_hands_is_not_executed(tmp_path: Path) -> None:
    path = tmp_path / "f.py"
    path.write_text("def f():\n    return 1\n")
    assert load_launcher(path, "f")() == 1
    path.chmod(0o602)
    with pytest.raises(NotPrivate, match="can be written by all users"):
        load_launcher(path, "f")


# -- several users ---------------------------------------------------------------------


@as_root
def test_root_does_not_use_the_folders_of_users(
    shared: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    home = shared / "home"
    home.mkdir()
    os.chown(home, VICTIM, VICTIM)
    monkeypatch.setenv(source_cache.SETTING, str(home / ".cache"))
    assert source_cache.private_directory("sources") is None
    assert not list(home.iterdir())
    assert f"{home} belongs to user {VICTIM}" in caplog.text
    folder = shared / "sources"
    folder.mkdir()
    os.chown(folder, VICTIM, VICTIM)
    with pytest.raises(NotPrivate, match=f"belongs to user {VICTIM}"):
        make_private(folder)


@as_root
def test_a_file_of_another_user_is_not_read(tmp_path: Path) -> None:
    program = elementwise()
    path = source_file(program, tmp_path)
    os.chown(path, ATTACKER, ATTACKER)
    with pytest.raises(NotPrivate, match=f"belongs to user {ATTACKER}"):
        load_launcher(path, program.entry)
    source_file(program, tmp_path)
    assert path.stat().st_uid == os.geteuid()


@as_root
def test_what_another_user_left_in_an_open_folder_is_removed(shared: Path) -> None:
    folder = shared / "cache" / "sources"

    def make_open() -> None:
        folder.mkdir(parents=True)
        folder.chmod(0o777)

    def plant() -> None:
        (folder / "f.py").write_text("evil")
        (folder / "inner").mkdir(mode=0o777)
        (folder / "inner" / "g.py").write_text("evil")

    def use() -> list[str]:
        return os.listdir(make_private(folder))

    assert run_as(VICTIM, make_open) is None
    assert run_as(ATTACKER, plant) is None
    assert run_as(VICTIM, use) == []
    assert mode(folder) == 0o700
    assert run_as(ATTACKER, plant).startswith("PermissionError")
    # The victim may not remove what is in a folder of the attacker's.
    (aside,) = (path for path in folder.parent.iterdir() if path != folder)
    assert [path.name for path in aside.rglob("*.py")] == ["g.py"]


@as_root
def test_an_attacker_who_owns_the_folder_around_is_refused(shared: Path) -> None:
    around = shared / "around"

    def make() -> None:
        around.mkdir()
        around.chmod(0o1777)  # whose owner renames what is in it

    def use() -> str:
        return str(make_private(around / "sources"))

    assert run_as(ATTACKER, make) is None
    assert run_as(VICTIM, use).startswith("NotPrivate")
    assert run_as(ATTACKER, use) == str(around / "sources")
