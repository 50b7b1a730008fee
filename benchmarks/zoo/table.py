"""Every architecture of the zoo, by name."""

from __future__ import annotations

from functools import cache

from zoo import diffusion, images, others, texts
from zoo.entry import Entry


@cache
def zoo() -> dict[str, Entry]:
    """Names to entries; a name that two libraries have is followed by the second's."""
    found: dict[str, Entry] = {}
    for module in (texts, others, images, diffusion):
        for entry in module.entries():
            name = entry.name
            if name in found:
                name = f"{name} of {entry.library}"
            found[name] = entry
    return found
