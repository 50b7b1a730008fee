"""Winning configurations by kernel, problem size and device.

The cache is always in memory. With a folder, every entry is also a JSON file of its
own that people can read, named after its key:

    fp8_gemm-4096x4096x4096-NVIDIA_H200-1b2c3d4e5f60.json

A file is written under another name and then renamed, so a reader sees the old entry or
the new one, never half of one, and processes need no lock. An entry that another
process writes is seen at the next look.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import tempfile
import threading
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from tilewright.tuning.own_kernels.configurations import Config
from tilewright.tuning.own_kernels.errors import ArgumentError

FORMAT = "tilewright-config-1"

Key: TypeAlias = tuple[str, tuple[Any, ...], str]
"""Kernel type, problem size and device."""

_Signature: TypeAlias = tuple[int, int, int]

_OURS = re.compile(r".+-[0-9a-f]{12}\.json")
_UNFINISHED = re.compile(r"\..+-[0-9a-f]{12}\.json\..+\.tmp")


@dataclass
class Entry:
    """A configuration, and what else is known of it."""

    config: Config
    details: dict[str, Any] = field(default_factory=dict[str, Any])
    """The latency and the name of the kernel, where a tuner has found it."""


class ConfigCache:
    """Winning configurations, in memory and in the files of a folder."""

    def __init__(self, cache_dir: str | os.PathLike[str] | None = None) -> None:
        """Use a folder, which is made where it does not exist; None: memory only."""
        self.cache_dir = None if cache_dir is None else Path(cache_dir).expanduser()
        self._lock = threading.RLock()
        self._entries: dict[Key, tuple[Entry, _Signature | None]] = {}
        """Entries, with the signatures that their files had when they were read."""
        self._damaged: set[tuple[Path, _Signature | None]] = set()
        """Files that a warning was given about."""
        if self.cache_dir is not None:
            try:
                self.cache_dir.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise ArgumentError(
                    f"cannot make the cache folder {self.cache_dir}: "
                    f"{error.strerror or error}",
                    remedy="name a folder that you may write to",
                ) from error

    def get(
        self, kernel_type: str, problem_size: Sequence[Any] | int, device: object
    ) -> Config | None:
        """The configuration of a key: a copy, or None."""
        entry = self.entry(kernel_type, problem_size, device)
        return None if entry is None else dict(entry.config)

    def set(
        self,
        kernel_type: str,
        problem_size: Sequence[Any] | int,
        device: object,
        config: Mapping[str, Any],
        **details: Any,
    ) -> None:
        """Keep a configuration; `details` are kept beside it.

        A file that cannot be written costs a warning, not the entry in memory.
        """
        key = _key(kernel_type, problem_size, device)
        entry = Entry(dict(config), details)
        with self._lock:
            signature = None
            if (path := self._path(key)) is not None:
                # A file that stays as it was is older than the entry.
                signature = self._write(path, key, entry) or _signature(path)
            self._entries[key] = entry, signature

    def clear(self) -> None:
        """Forget all entries, and remove their files; other files stay."""
        with self._lock:
            self._entries.clear()
            for path in self._files(_OURS, _UNFINISHED):
                try:
                    path.unlink(missing_ok=True)
                except OSError as error:
                    _warn(f"cannot remove {path}: {error.strerror or error}")

    def get_all_keys(self) -> list[Key]:
        """The keys of all entries, of the folder's too; `get(*key)` has one."""
        with self._lock:
            for path in self._files(_OURS):
                found = self._read(path)
                if found is not None and self._path(found[0]) == path:
                    self._current(found[0])
            return list(self._entries)

    def entry(
        self, kernel_type: str, problem_size: Sequence[Any] | int, device: object
    ) -> Entry | None:
        """The entry of a key, with its details."""
        key = _key(kernel_type, problem_size, device)
        with self._lock:
            return self._current(key)

    def __contains__(self, key: object) -> bool:
        """Whether there is an entry: `(kernel_type, problem_size, device) in cache`."""
        if not isinstance(key, tuple) or len(key) != 3:
            return False
        return self.entry(*key) is not None

    def __len__(self) -> int:
        """The number of entries."""
        return len(self.get_all_keys())

    def _current(self, key: Key) -> Entry | None:
        """The entry as the folder has it now, or else as memory does."""
        known = self._entries.get(key)
        path = self._path(key)
        if path is not None and (now := _signature(path)) is not None:
            if known is None or known[1] != now:
                found = self._read(path)
                if found is not None and found[0] == key:
                    self._entries[key] = known = found[1], found[2]
                elif found is not None:
                    self._report(path, now, f"it is the entry of {found[0]}")
        return None if known is None else known[0]

    def _path(self, key: Key) -> Path | None:
        return None if self.cache_dir is None else self.cache_dir / _file_name(key)

    def _files(self, *patterns: re.Pattern[str]) -> Iterator[Path]:
        if self.cache_dir is None or not self.cache_dir.is_dir():
            return
        for path in sorted(self.cache_dir.iterdir()):
            if any(pattern.fullmatch(path.name) for pattern in patterns):
                yield path

    def _write(self, path: Path, key: Key, entry: Entry) -> _Signature | None:
        """Write a file atomically; its signature, or None where that failed."""
        data = {
            "format": FORMAT,
            "kernel_type": key[0],
            "problem_size": list(key[1]),
            "device": key[2],
            "config": entry.config,
            **entry.details,
        }
        try:
            text = json.dumps(data, indent=2) + "\n"
            path.parent.mkdir(parents=True, exist_ok=True)
            return _replace(path, text)
        except (TypeError, ValueError) as error:
            _warn(f"{path.name} is kept in memory only, JSON cannot hold it: {error}")
        except OSError as error:
            _warn(f"cannot write {path}: {error.strerror or error}; kept in memory")
        return None

    def _read(self, path: Path) -> tuple[Key, Entry, _Signature | None] | None:
        """The entry in a file; None, with a warning, where the file is damaged."""
        # The signature of before: a file that changes meanwhile is read again.
        signature = _signature(path)
        try:
            if path.exists() and not path.is_file():  # a pipe would wait for a writer
                raise OSError("it is not a file")
            text = path.read_text(encoding="utf-8")
        except FileNotFoundError:
            return None  # another process has removed it
        except (OSError, UnicodeDecodeError) as error:
            self._report(path, signature, str(error))
            return None
        try:
            key, entry = _parse(text)
        except (ValueError, RecursionError) as error:
            self._report(path, signature, str(error))
            return None
        return key, entry, signature

    def _report(self, path: Path, signature: _Signature | None, fact: str) -> None:
        """Warn about a damaged file, once for each of its contents."""
        if (path, signature) not in self._damaged:
            self._damaged.add((path, signature))
            _warn(f"{path} is damaged and not used: {fact}; remove it, or tune again")


def jsonable(config: Mapping[str, Any]) -> Any:
    """A configuration as a file gives it back; None where JSON cannot hold it."""
    try:
        return json.loads(json.dumps(dict(config)))
    except (TypeError, ValueError):
        return None


def _parse(text: str) -> tuple[Key, Entry]:
    data = json.loads(text)
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise ValueError(f"it is not of the format '{FORMAT}'")
    known = ("format", "kernel_type", "problem_size", "device", "config")
    _, kernel_type, problem_size, device, config = (data.get(name) for name in known)
    if not (isinstance(kernel_type, str) and isinstance(device, str)):
        raise ValueError("the kernel or the device has no name")
    if not (isinstance(problem_size, list) and isinstance(config, dict)):
        raise ValueError("the problem size or the configuration is missing")
    details = {name: data[name] for name in data if name not in known}
    return _key(kernel_type, problem_size, device), Entry(config, details)


def _key(kernel_type: str, problem_size: Sequence[Any] | int, device: object) -> Key:
    if isinstance(problem_size, int | float | str):
        problem_size = (problem_size,)
    return str(kernel_type), tuple(map(_plain, problem_size)), str(device)


def _plain(value: Any) -> Any:
    """A part of a problem size that hashes, and that JSON gives back unchanged."""
    if isinstance(value, list | tuple):
        return tuple(map(_plain, value))
    if value is None or isinstance(value, bool | int | float | str):
        return value
    return int(value) if hasattr(value, "__index__") else str(value)


def _file_name(key: Key) -> str:
    kernel_type, problem_size, device = key
    sizes = "x".join(map(str, problem_size))
    digest = hashlib.sha256(json.dumps(key).encode()).hexdigest()[:12]
    parts = [
        re.sub(r"[^\w.]+", "_", part, flags=re.ASCII)
        for part in (kernel_type, sizes, device)
    ]
    return "-".join([*(part[:60] or "any" for part in parts), digest]) + ".json"


def _signature(path: Path) -> _Signature | None:
    """What changes when a file is replaced; None where there is no file."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns, found.st_size


def _replace(path: Path, text: str) -> _Signature | None:
    """Write a file under another name, and rename it once it is on the disk."""
    descriptor, name = tempfile.mkstemp(
        prefix=f".{path.name}.", suffix=".tmp", dir=path.parent
    )
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        signature = _signature(Path(name))
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    return signature


def _warn(text: str) -> None:
    warnings.warn(f"configuration cache: {text}", UserWarning, stacklevel=4)
