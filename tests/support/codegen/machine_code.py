"""Reads NVIDIA's machine code: which registers a loop writes, and which it needs."""

from __future__ import annotations

import re
from collections.abc import Iterator

_LINE = re.compile(r"^\s*/\*([0-9a-f]{4,})\*/\s+(.*?);")
_BACK = re.compile(r"^@!?U?P\w+ BRA (?:`\(\S+\)|(0x[0-9a-f]+))")
_MATMUL = re.compile(r"^[HQI]GMMA\.64x\d+x\d+\S*\s+R\d+, R(\d+),")
_WRITES = re.compile(r"^(?:@!?U?P\w+ )?(\S+)\s+(?:U?P\w+, )?R(\d+)(?:[.,\s]|$)")
_NO_RESULT = ("ST", "RED", "BAR", "SYNCS", "UTMA", "ATOM", "WARP", "MEMBAR", "HGMMA")


def instructions(sass: str) -> list[tuple[int, str]]:
    """The address and the text of each instruction."""
    found = (_LINE.match(line) for line in sass.splitlines())
    return [(int(one[1], 16), one[2].strip()) for one in found if one is not None]


def lost_operands(sass: str) -> list[str]:
    """The matmuls of a loop that read registers from before it, which it overwrites."""
    code = instructions(sass)
    lost: list[str] = []
    for first, last in _loops(code):
        body = [text for address, text in code if first <= address <= last]
        for place, text in enumerate(body):
            matmul = _MATMUL.match(text)
            if matmul is None:
                continue
            needed = set(range(int(matmul[1]), int(matmul[1]) + 4))
            before, after = _written(body[:place]), _written(body[place:])
            if (needed - before) & after:
                lost.append(text)
    return lost


def _loops(code: list[tuple[int, str]]) -> Iterator[tuple[int, int]]:
    """The first and last addresses of loops: conditional branches backwards."""
    for address, text in code:
        branch = _BACK.match(text)
        if branch is not None and branch[1] and int(branch[1], 16) < address:
            yield int(branch[1], 16), address


def _written(body: list[str]) -> set[int]:
    found: set[int] = set()
    for text in body:
        writes = _WRITES.match(text)
        if writes is None or writes[1].startswith(_NO_RESULT):
            continue
        count = 4 if writes[1].endswith((".4", ".128")) else 1
        found |= set(range(int(writes[2]), int(writes[2]) + count))
    return found
