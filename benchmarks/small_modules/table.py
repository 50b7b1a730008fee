"""All small modules by name."""

from __future__ import annotations

from small_modules import elements, matmuls, movement, rows
from small_modules.case import Module


def table() -> dict[str, Module]:
    """Every module; a name is unique."""
    found: dict[str, Module] = {}
    for family in (elements, rows, movement, matmuls):
        for case in family.CASES:
            for module in case.modules():
                if module.name in found:
                    raise ValueError(f"two modules are named '{module.name}'")
                found[module.name] = module
    return found
