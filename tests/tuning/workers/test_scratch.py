"""Scratch folders: one for each run, gone with it or when the next one starts."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from support.paths import ROOT
from tilewright.ir.errors import UserError
from tilewright.tuning.workers.scratch import remove_dead, scratch_folder

KILLED = """
import os, signal, tempfile
from pathlib import Path
from tilewright.tuning.workers.scratch import scratch_folder
with scratch_folder() as folder:
    (folder / "kernel.ptx").write_text("x" * 1000)
    print(folder, flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    return tmp_path


def test_a_run_removes_what_a_killed_one_left(temporary: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", KILLED],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == -9, done.stderr
    left = Path(done.stdout.strip())
    assert left.is_dir() and left.is_relative_to(temporary)
    with scratch_folder() as folder:
        assert not left.exists()
        # Tools put their temporary files there too; a second run leaves them alone.
        with tempfile.NamedTemporaryFile() as file:
            assert Path(file.name).parent == folder
            assert remove_dead(folder.parent) == [] and Path(file.name).exists()
    assert not folder.exists()
    assert os.environ["TMPDIR"] == tempfile.gettempdir() == str(temporary)


def test_a_folder_of_somebody_else_is_not_used(temporary: Path) -> None:
    home = temporary / f"tilewright-runs-{os.getuid()}"
    home.mkdir(mode=0o777)
    home.chmod(0o777)
    with scratch_folder() as folder:
        assert folder.parent != home


def test_no_room_for_temporary_files(temporary: Path, monkeypatch) -> None:
    def full(*args: object, **kwargs: object) -> str:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(tempfile, "mkdtemp", full)
    with pytest.raises(UserError, match="No space left on device; make room"):
        with scratch_folder():
            pass
    monkeypatch.undo()
    with pytest.raises(UserError, match="no room to write /full/disk: No space left"):
        with scratch_folder():
            raise OSError(28, os.strerror(28), "/full/disk")
