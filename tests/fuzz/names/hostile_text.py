"""Names that an attacker would choose: text that tries to break out of its place."""

from __future__ import annotations

import builtins
import keyword
from random import Random

CANARY = "canary"
"""The file that code in a name writes, in the current folder, if it is ever run."""

CODE = f"open('{CANARY}', 'w').close()"

_BREAKS = [
    "\n",
    "\r",
    "\r\n",
    "\x0b",
    "\x0c",
    "\x1c",
    "\x1e",
    "\x85",
    "\u2028",
    "\u2029",
]
_QUOTES = ['"', "'", '"""', "'''", '\\"', "\\", "\\\n", '""" + ', "#", "# ", "//", "*/"]
_FORMS = [
    "{",
    "}",
    "{0}",
    "{1}",
    "{" + CODE + "}",
    "%s",
    "%(default)s",
    "\\N{DIGIT ONE}",
]
_FORMS += [
    "\\x",
    "\\u12",
    "\\0A",
    "\\22",
    "$(touch canary)",
    "`touch canary`",
    ";",
    "):",
]
_TERMINAL = ["\x1b[31m", "\x1b]0;x\x07", "\x9b2J", "\x08", "\x7f", "\u202e", "[/x]"]
_TERMINAL += ["[bold]", ":warning:", "\t", "   "]
_LETTERS = ["²", "é", "\uff54\uff4c", "ß", "日本", "\U0001f600", "\u00a0", "\ufeff"]
_WORDS = [*keyword.kwlist, *keyword.softkwlist, "tl", "torch", "triton", "functools"]
_WORDS += [
    "launch",
    "reference",
    "check",
    "expect",
    "rounded",
    "fits",
    "device",
    "main",
]
_WORDS += ["options", "params", "num_warps", "num_stages", "grid", "specialization"]
_WORDS += ["_halves", "_descriptor", "_zeros", "__name__", "__builtins__", "__import__"]
_WORDS += [name for name in dir(builtins) if not name.startswith("_")]
_WORDS += ["x" * 50, "x" * 260, "_", "__", "a-b", "a.b", "$", "-", "M", "N", "BLOCK_M"]
_WORDS += ["pid", "offs_m", "a_ptr", "out", "tmp", "x2", "stream", "text", "data"]


def hostile(random: Random, *, longest: int = 400) -> str:
    """Text for a place that takes any character."""
    if random.random() < 0.25:
        return random.choice(_WORDS)[:longest]
    pieces: list[str] = []
    for _ in range(random.randint(1, 6)):
        kind = random.choice([_BREAKS, _QUOTES, _FORMS, _TERMINAL, _LETTERS, _WORDS])
        pieces.append(random.choice(kind))
    if random.random() < 0.8:
        at = random.randint(0, len(pieces))
        lead = random.choice(["", "    ", "\t"])
        pieces.insert(at, f"{lead}{CODE}{random.choice(['', ' #', ';'])}")
    return "".join(pieces)[:longest]


def value_name(random: Random) -> str:
    """A name of a value: MLIR takes letters, digits and `_ $ . -` there."""
    if random.random() < 0.7:
        word = random.choice(_WORDS)
        if word[0].isalpha() and all(c.isalnum() or c in "_$.-" for c in word):
            return word
    behind = [random.choice("abx_$.-019") for _ in range(random.randint(0, 8))]
    return "".join([random.choice("abx_"), *behind])


def file_name(random: Random, suffix: str) -> str:
    """A name of a file, which has no slash and at most 255 bytes."""
    text = hostile(random).replace("/", "|").replace("\0", "")
    while len(f"{text}{suffix}".encode()) > 250:
        text = text[:-1]
    return f"{text}{suffix}"


def quoted(text: str) -> str:
    """The text as a string of MLIR."""
    inside = "".join(
        chr(byte) if 32 <= byte < 127 and byte not in b'"\\' else f"\\{byte:02X}"
        for byte in text.encode()
    )
    return f'"{inside}"'
