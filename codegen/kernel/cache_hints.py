"""Cache hints: the attributes `triton.eviction`, `cache` and `read_once` of a grid."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Attribute, Operation

from tilewright.codegen.refusal import refuse
from tilewright.ir.launch_attributes.values import launch_number, launch_words

_OF_LOADS = ("ca", "cg", "cv")
_OF_STORES = ("wb", "cg", "cs", "wt")


class CacheHints:
    """The hints on one grid, by the names of its buffers."""

    def __init__(self, grid: Operation, read_once: Collection[str] = ()):
        self._grid = grid
        self._read_once = read_once if launch_number(grid, "triton.read_once") else ()
        self._eviction = launch_words(grid, "triton.eviction")
        self._cache = launch_words(grid, "triton.cache")
        self._used: set[tuple[str, str]] = set()

    def of_load(self, buffer: str) -> dict[str, Attribute]:
        """The properties of a load from a buffer."""
        hints = self._of(buffer, _OF_LOADS)
        if not hints and buffer in self._read_once:
            hints["eviction"] = StringAttr("evict_first")
        return hints

    def of_store(self, buffer: str) -> dict[str, Attribute]:
        """The properties of a store to a buffer."""
        return self._of(buffer, _OF_STORES)

    def check(self, buffers: Iterable[str]) -> None:
        """Refuse a hint that no access has used."""
        known = set(buffers)
        both = sorted(self._eviction.keys() & self._cache.keys())
        if both:
            refuse(
                self._grid,
                f"'triton.eviction' and 'triton.cache' both for '{both[0]}', which the "
                "hardware has no instruction for",
                "give a buffer one of them",
            )
        for attribute, words in (
            ("triton.eviction", self._eviction),
            ("triton.cache", self._cache),
        ):
            for buffer in words:
                if buffer not in known:
                    refuse(
                        self._grid,
                        f"'{attribute}' names the buffer '{buffer}', which this grid "
                        "does not access",
                        f"it accesses {', '.join(sorted(known))}",
                    )
                if (attribute, buffer) not in self._used:
                    refuse(
                        self._grid,
                        f"'{attribute}' changes nothing for '{buffer}': no access "
                        "through pointers can have it",
                        "leave it off, or leave 'triton.descriptors' off",
                    )

    def _of(self, buffer: str, legal: Collection[str]) -> dict[str, Attribute]:
        hints: dict[str, Attribute] = {}
        if (word := self._eviction.get(buffer)) is not None:
            hints["eviction"] = StringAttr(word)
            self._used.add(("triton.eviction", buffer))
        if (word := self._cache.get(buffer)) in legal:
            hints["cache"] = StringAttr(str(word))
            self._used.add(("triton.cache", buffer))
        return hints
