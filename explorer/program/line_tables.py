"""The line of the Triton source that each line of a compiler's text comes from.

Triton's IR has locations (`loc(#loc7)`, defined further down), LLVM IR has debug
metadata (`!dbg !12`), PTX has `.loc` before the instructions that it holds for. Lines
count from 0; SASS has none.
"""

from __future__ import annotations

import re

_MLIR_USE = re.compile(r"loc\((#loc\d*)\)\s*$")
_MLIR_ALIAS = re.compile(r"^(#loc\d*) = loc\((.*)\)\s*$")
_MLIR_FILE = re.compile(r'"[^"]*\.py":(\d+):\d+')
_LLVM_USE = re.compile(r"!dbg (!\d+)")
_LLVM_PLACE = re.compile(r"^(!\d+) = (?:distinct )?!DILocation\(line: (\d+)")
_PTX_LOC = re.compile(r"^\s*\.loc\s+\d+\s+(\d+)\s+\d+")
_PTX_END = re.compile(r"^\s*(?:\.func|\.entry|\.visible|\}|\.section|\.file)")


def source_lines(level: str, text: str) -> list[int | None]:
    """For each line of a text, the line of the source, or None."""
    lines = text.splitlines()
    match level:
        case "ttir" | "ttgir":
            return _of_mlir(lines)
        case "llir":
            return _of_llvm(lines)
        case "ptx":
            return _of_ptx(lines)
        case _:
            return [None] * len(lines)


def _of_mlir(lines: list[str]) -> list[int | None]:
    matches = (match for match in map(_MLIR_ALIAS.match, lines) if match is not None)
    aliases: dict[str, str] = {match.group(1): match.group(2) for match in matches}
    numbers = {alias: _resolved(alias, aliases) for alias in aliases}
    found: list[int | None] = []
    for line in lines:
        use = _MLIR_USE.search(line)
        is_definition = line.startswith("#loc")
        number = None if use is None or is_definition else numbers.get(use.group(1))
        found.append(number)
    return found


def _resolved(alias: str, aliases: dict[str, str], depth: int = 8) -> int | None:
    """The line of a location: `"file":3:1`, `"name"(#loc2)`, `callsite(#a at #b)`."""
    text = aliases.get(alias, "")
    if (place := _MLIR_FILE.search(text)) is not None:
        return int(place.group(1)) - 1
    inner = re.findall(r"#loc\d*", text)
    if not inner or depth == 0:
        return None
    # The line of the kernel, not that of a helper which it calls.
    return _resolved(inner[-1], aliases, depth - 1)


def _of_llvm(lines: list[str]) -> list[int | None]:
    places = {
        match.group(1): int(match.group(2)) - 1
        for match in map(_LLVM_PLACE.match, lines)
        if match is not None
    }
    found: list[int | None] = []
    for line in lines:
        use = _LLVM_USE.search(line)
        number = None if use is None else places.get(use.group(1))
        found.append(number if number is None or number >= 0 else None)
    return found


def _of_ptx(lines: list[str]) -> list[int | None]:
    found: list[int | None] = []
    current: int | None = None
    for line in lines:
        if (place := _PTX_LOC.match(line)) is not None:
            number = int(place.group(1)) - 1
            current = number if number >= 0 else None
        elif _PTX_END.match(line):
            current = None
        found.append(current)
    return found
