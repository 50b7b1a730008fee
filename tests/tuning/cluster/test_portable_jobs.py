"""Jobs that travel: their files, their errors."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from tilewright.ir.errors import UserError
from tilewright.tuning.cluster.portable_jobs import (
    LARGE,
    Packer,
    PortableJob,
    write_files,
)
from tilewright.tuning.workers.worker_main import cause_of


@pytest.fixture(autouse=True)
def temporary_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """A job changes where temporary files go; undo that after each test."""
    monkeypatch.setenv("TMPDIR", tempfile.gettempdir())
    monkeypatch.setattr(tempfile, "tempdir", tempfile.gettempdir())


@dataclass(frozen=True)
class ReadFiles:
    """Reads files, and writes one into a folder."""

    files: tuple[Path, ...]
    folder: Path

    def run(self) -> list[bytes]:
        (self.folder / "written").write_bytes(b"here")
        return [path.read_bytes() for path in self.files]


@dataclass(frozen=True)
class NeverSent:
    """Holds something that does not pickle."""

    function: object = lambda: None

    def run(self) -> None: ...


def packed(folder: Path) -> PortableJob:
    small, large = folder / "small.py", folder / "large.npy"
    small.write_bytes(b"text")
    large.write_bytes(bytes(LARGE + 1))
    return Packer().pack(ReadFiles((small, large, small), folder / "cache"))


def test_a_job_finds_its_files_below_the_workers_folder(tmp_path: Path) -> None:
    job = packed(tmp_path)
    assert [file.name for file, _ in job.contents] == ["small.py"]
    assert [file.name for file in job.large] == ["large.npy"]
    assert job.size < 2000  # the large file is not in it
    assert str(tmp_path).encode() not in job.pickled
    there = tmp_path / "there"
    there.mkdir()
    write_files({job.large[0]: job.large[0].path.read_bytes()}, there)
    for name in ("small.py", "large.npy"):
        (tmp_path / name).unlink()
    answer = replace(job, folder=there).run()
    assert answer.value == [b"text", bytes(LARGE + 1), b"text"]
    assert (there / "written").read_bytes() == b"here"


def test_a_large_file_that_was_not_sent_is_no_fault_of_the_candidate(
    tmp_path: Path,
) -> None:
    job = replace(packed(tmp_path), folder=tmp_path / "empty")
    with pytest.raises(FileNotFoundError, match="was not sent here") as caught:
        job.run()
    assert cause_of(caught.value) == "environment"


def test_a_changed_file_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "source.py"
    packer = Packer()
    digests: list[str] = []
    for text in ("one", "other"):
        path.write_text(text)
        (file, content) = packer.pack(ReadFiles((path,), tmp_path)).contents[0]
        assert content == text.encode()
        digests.append(file.digest)
    assert digests[0] != digests[1]


def test_a_job_that_does_not_pickle_is_refused() -> None:
    with pytest.raises(UserError, match="a job cannot be sent to a worker"):
        Packer().pack(NeverSent(lambda: None))
