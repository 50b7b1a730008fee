"""Commands whose output is closed, full or not read, and whose folder is gone."""

from __future__ import annotations

import errno
import io
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from support.paths import ROOT
from tilewright.commands.terminal import failure, reproducer
from tilewright.commands.terminal.failure import COMPILER_BUG, guarded
from tilewright.commands.terminal.streams import OutputLost, _Messages, _Output

EXAMPLE = ROOT / "examples" / "matmul_relu"
PAYLOAD, SCHEDULE = str(EXAMPLE / "payload.mlir"), str(EXAMPLE / "tile_fuse.tw")
BOTH = (PAYLOAD, "-s", SCHEDULE)

QUICK = {"version": ("--version",)}
REST = {
    "opt": ("opt", *BOTH),
    "help": ("--help",),
    "check": ("check", *BOTH),
    "plan": ("plan", PAYLOAD),
    "interpret": ("interpret", PAYLOAD),
    "run": ("run", *BOTH, "--target", "h200"),
}
FAULTY = {
    "mistake": ("opt", "missing.mlir"),
    "usage": ("opt", "--bogus"),
    "results": ("results", "list"),
}

COMMANDS = [
    *(pytest.param(words, 0, id=name) for name, words in QUICK.items()),
    *(
        pytest.param(words, 0, id=name, marks=pytest.mark.slow)
        for name, words in REST.items()
    ),
    *(
        pytest.param(
            words, 2 if name == "usage" else 1, id=name, marks=pytest.mark.slow
        )
        for name, words in FAULTY.items()
    ),
]

Ended = tuple[int, str, str]


def run(words: tuple[str, ...], folder: Path, redirection: str) -> Ended:
    """A command under a redirection of the shell: code, output, messages."""
    out, err = folder / "out", folder / "err"
    line = f'cd "$0" && exec "$@" >"{out}" 2>"{err}" {redirection}'
    command = ["sh", "-c", line, str(folder), sys.executable, "-m", "tilewright"]
    paths = [str(ROOT), os.environ.get("PYTHONPATH", "")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))}
    done = subprocess.run([*command, *words], env=environment, check=False)
    assert not list(folder.glob("tilewright-bug-*"))
    return done.returncode, out.read_text(), err.read_text()


@pytest.mark.parametrize(("words", "code"), COMMANDS)
def test_closed_output_is_no_error(
    words: tuple[str, ...], code: int, tmp_path: Path
) -> None:
    found, _, err = run(words, tmp_path, ">&-")
    assert found == code
    assert code or "error" not in err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
@pytest.mark.parametrize(("words", "code"), COMMANDS)
def test_full_output_is_said(words: tuple[str, ...], code: int, tmp_path: Path) -> None:
    found, _, err = run(words, tmp_path, ">/dev/full")
    assert found == (code or 1)
    lost = "error: cannot write to standard output: No space left on device; "
    assert code or err.splitlines()[-1].startswith(lost)
    assert "Traceback" not in err and "Exception ignored" not in err


@pytest.mark.parametrize(("words", "code"), COMMANDS)
def test_a_reader_that_has_seen_enough(
    words: tuple[str, ...], code: int, tmp_path: Path
) -> None:
    read, written = os.pipe()
    os.close(read)
    done = subprocess.run(
        [sys.executable, "-m", "tilewright", *words],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=written,
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(written)
    assert done.returncode == (code or 141)
    assert code or b"error" not in done.stderr
    assert not list(tmp_path.glob("tilewright-bug-*"))


@pytest.mark.parametrize("redirection", ["2>&-", "2>/dev/full"])
@pytest.mark.parametrize(("words", "code"), COMMANDS)
def test_messages_that_are_lost_change_nothing(
    words: tuple[str, ...], code: int, redirection: str, tmp_path: Path
) -> None:
    found, out, _ = run(words, tmp_path, redirection)
    assert found == code
    assert "error: " not in out  # nor are they printed elsewhere


@pytest.mark.parametrize(("words", "code"), COMMANDS)
def test_a_folder_that_was_removed(
    words: tuple[str, ...], code: int, tmp_path: Path
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    line = 'cd "$0" && rmdir "$0" && exec "$@"'
    done = subprocess.run(
        ["sh", "-c", line, str(gone), sys.executable, "-m", "tilewright", *words],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode in (0, code or 1), done.stderr
    if done.returncode == 1 and not code:
        assert done.stderr.startswith("error: ")
        assert "folder" in done.stderr or "directory" in done.stderr
    assert "bug" not in done.stderr and "Traceback" not in done.stderr


# -- the streams themselves ------------------------------------------------------------


@pytest.mark.parametrize("number", [errno.EPIPE, errno.ENOSPC, errno.EBADF])
def test_output_is_lost_once(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(self: io.FileIO, data: bytes) -> int:
        raise OSError(number, os.strerror(number))

    class Failing(io.FileIO):
        write = fails  # pyright: ignore[reportAssignmentType]

    class FailingOutput(_Output, Failing):
        pass

    class FailingMessages(_Messages, Failing):
        pass

    with open(os.devnull, "wb") as file:
        output = FailingOutput(file.fileno(), "wb", closefd=False)
        stream = io.TextIOWrapper(io.BufferedWriter(output))
        stream.write("text")
        with pytest.raises(OutputLost) as lost:
            stream.flush()
        assert lost.value.code == (141 if number == errno.EPIPE else 1)
        assert bool(lost.value.message) == (number != errno.EPIPE)
        stream.write("more")
        stream.flush()
        messages = FailingMessages(file.fileno(), "wb", closefd=False)
        assert messages.write(b"lost") == 4


def broken() -> None:
    raise ZeroDivisionError("a bug")


@pytest.mark.parametrize("is_here", [True, False])
def test_a_bug_is_told_where_no_file_can_be_written(
    is_here: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def refuse(*_: object, **__: object) -> str:
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(reproducer.Path, "write_bytes", refuse)
    if is_here:
        monkeypatch.setattr(tempfile, "mkdtemp", refuse)
    with pytest.raises(SystemExit) as end:
        guarded(broken)
    assert end.value.code == COMPILER_BUG
    told = capsys.readouterr().err
    assert "internal error: ZeroDivisionError: a bug" in told
    assert "in broken" in told  # the traceback, which the file would have had
    assert "no file could be written" in told


def test_a_missing_file_is_a_bug_where_the_folder_exists(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    def lacks_a_file() -> None:
        raise FileNotFoundError("ours")

    for is_gone, code in ((False, COMPILER_BUG), (True, 1)):
        monkeypatch.setattr(failure, "_has_no_folder", lambda is_gone=is_gone: is_gone)
        with pytest.raises(SystemExit) as end:
            guarded(lacks_a_file)
        assert end.value.code == code
