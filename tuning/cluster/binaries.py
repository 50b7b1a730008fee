"""Compiled kernels on their way from the Triton cache of one machine to another's.

A candidate is compiled where processors are free and measured where the card is. The
measuring process finds the kernel in its own Triton cache, as it does on one machine:
Triton's key depends on the source, the target and the versions, not on the machine.
"""

from __future__ import annotations

import contextlib
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

_SENT = (".cubin", ".json", ".ptx")
"""The files of an entry that are sent. A launch reads the first two; our statistics
count instructions in the third."""


@dataclass(frozen=True)
class Binary:
    """One compiled kernel: an entry of Triton's cache."""

    key: str
    """Triton's hash of everything that the kernel depends on."""
    files: tuple[tuple[str, bytes], ...]
    """Names and compressed contents."""

    @property
    def size(self) -> int:
        """Bytes to send."""
        return sum(len(content) for _, content in self.files)


@dataclass
class Compilations:
    """What Triton compiled, or found in its cache, during a job."""

    binaries: dict[str, Binary] = field(default_factory=dict)
    compiled: int = 0
    """Kernels that were not in the cache."""


@contextlib.contextmanager
def watched(*, keep: bool) -> Iterator[Compilations]:
    """Watch Triton's compilations; `keep` reads the compiled kernels as well."""
    from triton import knobs

    seen = Compilations()

    def on_compilation(
        *,
        metadata: dict[str, Any],
        metadata_group: dict[str, str],
        cache_hit: bool,
        **_,
    ) -> None:
        if not cache_hit:
            seen.compiled += 1
        if keep:
            key = metadata["hash"]
            seen.binaries.setdefault(key, _read(key, metadata_group))

    before = knobs.compilation.listener
    knobs.compilation.listener = on_compilation
    try:
        yield seen
    finally:
        knobs.compilation.listener = before


def _read(key: str, group: dict[str, str]) -> Binary:
    return Binary(
        key,
        tuple(
            (name, zlib.compress(Path(path).read_bytes()))
            for name, path in group.items()
            if name.endswith(_SENT)
        ),
    )


def install(binary: Binary) -> None:
    """Put a kernel into the Triton cache of this machine, unless it has it."""
    from triton.runtime.cache import get_cache_manager

    cache = get_cache_manager(binary.key)
    names = [name for name, _ in binary.files if name.endswith(".json")]
    if not names or cache.get_group(names[0]):
        return
    group = {
        name: cache.put(zlib.decompress(content), name)
        for name, content in binary.files
    }
    cache.put_group(names[0], group)
