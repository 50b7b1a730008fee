"""Jobs that carry the files they read, so that they run on any machine.

On one machine a job names files: a program's source, expected results. Here every path
in a job is replaced when the job is pickled. A file travels with its content and is
written below the folder of the process that runs the job. Any other path is a folder
to write to, and becomes that folder itself. Large files are sent to each worker once.
"""

from __future__ import annotations

import errno
import hashlib
import io
import os
import pickle
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tilewright.ir.errors import UserError
from tilewright.tuning.cluster.binaries import Binary, install, watched

if TYPE_CHECKING:
    from tilewright.tuning.workers.jobs import Job

NOT_SENT = "the file was not sent here"
"""The error of a job that misses one of its large files."""
LARGE = 1 << 16
"""Bytes above which a file is sent once to each worker, and not with every job."""


@dataclass(frozen=True)
class SentFile:
    """A file of this machine, known elsewhere by its content."""

    name: str
    digest: str
    path: Path
    size: int

    def local_path(self, folder: Path) -> Path:
        """Where the file is, below the folder of a worker."""
        return folder / self.digest[:32] / self.name


@dataclass(frozen=True)
class Answer:
    """The value of a portable job, and what Triton did in it."""

    value: Any
    binaries: tuple[Binary, ...]
    compiled: int
    """Kernels that Triton compiled, since they were not in its cache."""


@dataclass(frozen=True)
class PortableJob:
    """A job and its small files; itself a job of a worker process."""

    pickled: bytes
    contents: tuple[tuple[SentFile, bytes], ...]
    """The small files and their contents."""
    large: tuple[SentFile, ...]
    """The files that were sent to the worker before."""
    binaries: tuple[Binary, ...] = ()
    """Compiled kernels that the job launches."""
    compiles: bool = False
    """Whether the job uses Triton, whose compilations are then counted."""
    keep: bool = False
    """Whether to answer with the kernels that the job compiles."""
    folder: Path | None = None
    """The folder on the worker; set there."""

    def run(self) -> Answer:
        """Run the job in a process of the worker."""
        if not self.compiles:
            return Answer(self._unpacked().run(), (), 0)
        with watched(keep=self.keep) as seen:
            value = self._unpacked().run()
        return Answer(value, tuple(seen.binaries.values()), seen.compiled)

    def prefetch(self) -> None:
        """Let the job load what it can while another one has the card."""
        self._unpacked().prefetch()

    def _unpacked(self) -> Any:
        """The job, with its files and kernels on this machine."""
        assert self.folder is not None
        # The files of tools that were killed go when the run ends.
        os.environ["TMPDIR"] = tempfile.tempdir = str(self.folder)
        for file, content in self.contents:
            write_file(file, content, self.folder)
        for file in self.large:
            if not file.local_path(self.folder).exists():
                raise FileNotFoundError(errno.ENOENT, NOT_SENT, file.name)
        for binary in self.binaries:
            install(binary)
        return _Unpickler(io.BytesIO(self.pickled), self.folder).load()

    @property
    def size(self) -> int:
        """Bytes to send, without the large files."""
        return (
            len(self.pickled)
            + sum(len(content) for _, content in self.contents)
            + sum(binary.size for binary in self.binaries)
        )


@dataclass
class Packer:
    """Packs the jobs of one run."""

    _files: dict[tuple[str, int, int], SentFile] = field(default_factory=dict)
    """Files that were read before, by path, time and size."""

    def pack(
        self, job: Job, *, compiles: bool = False, keep: bool = False
    ) -> PortableJob:
        """A job with the files that it names."""
        buffer = io.BytesIO()
        pickler = _Pickler(buffer, self)
        try:
            pickler.dump(job)
        except (pickle.PicklingError, AttributeError, TypeError) as error:
            raise UserError(f"a job cannot be sent to a worker: {error}") from error
        files = pickler.files.values()
        return PortableJob(
            buffer.getvalue(),
            tuple((f, f.path.read_bytes()) for f in files if f.size <= LARGE),
            tuple(f for f in files if f.size > LARGE),
            compiles=compiles,
            keep=keep,
        )

    def sent_file(self, path: Path) -> SentFile:
        """The file at a path."""
        found = path.stat()
        key = str(path), found.st_mtime_ns, found.st_size
        if key not in self._files:
            with path.open("rb") as file:
                digest = hashlib.file_digest(file, "sha256").hexdigest()
            self._files[key] = SentFile(path.name, digest, path, found.st_size)
        return self._files[key]


class _Pickler(pickle.Pickler):
    def __init__(self, buffer: io.BytesIO, packer: Packer) -> None:
        super().__init__(buffer, protocol=pickle.HIGHEST_PROTOCOL)
        self._packer = packer
        self.files: dict[str, SentFile] = {}

    def persistent_id(self, obj: Any) -> Any:
        if not isinstance(obj, Path):
            return None
        if not obj.is_file():
            return "folder", None
        file = self._packer.sent_file(obj)
        self.files[file.digest] = file
        # The path here means nothing there.
        return "file", (file.name, file.digest)


class _Unpickler(pickle.Unpickler):
    def __init__(self, buffer: io.BytesIO, folder: Path) -> None:
        super().__init__(buffer)
        self._folder = folder

    def persistent_load(self, pid: Any) -> Path:
        kind, what = pid
        if kind == "folder":
            return self._folder
        name, digest = what
        return SentFile(name, digest, Path(name), 0).local_path(self._folder)


def write_file(file: SentFile, content: bytes, folder: Path) -> None:
    """Write a file atomically: another process of the worker may read it."""
    path = file.local_path(folder)
    if path.exists():
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent)
    with os.fdopen(handle, "wb") as out:
        out.write(content)
    os.replace(name, path)


def write_files(contents: Mapping[SentFile, bytes], folder: Path) -> None:
    """Write the large files that were sent to this worker."""
    for file, content in contents.items():
        write_file(file, content, folder)
