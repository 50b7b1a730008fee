"""Ways to damage a text: bytes, tokens, lines, numbers, names, nesting, encodings."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence

Damage = Callable[[bytes, random.Random, Sequence[bytes]], bytes]
"""A function of a text, a random generator and other texts to a damaged text."""

_TOKEN = re.compile(rb'"[^"\n]*"|[%#!@^]?[\w.$]+|->|[^\s\w]|\s+')
_NUMBER = re.compile(rb"(?<![\w%#^@.])-?\d+(?:\.\d*(?:[eE][+-]?\d+)?)?")
_EXTENT = re.compile(rb"(?<=[<x])\d+(?=x)")
_NAME = re.compile(rb"[%@#!^][A-Za-z_$.][\w$.-]*|(?<![\w.%@#!^])[A-Za-z_]\w*(?![\w.])")
_OPENING = re.compile(rb"[(\[{<]")

NUMBERS = (
    b"0",
    b"-1",
    b"1",
    b"3",
    b"1000000",
    b"-2147483649",
    b"2147483648",
    b"9223372036854775807",
    b"9223372036854775808",
    b"-9223372036854775808",
    b"18446744073709551616",
    b"1" + b"0" * 30,
    b"9" * 5000,
    b"0x7FC00000",
    b"0x" + b"F" * 40,
    b"1.0e400",
    b"1e5",
    b"0.0",
    b"-0.0",
    b"007",
    b"?",
    b"true",
    "٣".encode(),
)
"""Limits of integer widths, and more digits than Python reads."""

NAMES = (
    b"_0",
    b"_",
    b"0",
    b"-",
    b"$",
    b"a.b.c",
    b"None",
    b"class",
    b"__init__",
    b"torch",
    b"root",
    b"self",
    "é".encode(),
    "²".encode(),
    b"x" * 3000,
)

ODD = (
    b"\0",
    b"\r",
    b"\x1b[31m",
    b"\xff\xfe",
    b"\xc3",
    b"\xed\xa0\x80",
    b"\x0b",
    "\u2028".encode(),
    "\u202e".encode(),
    b"\xef\xbb\xbf",
    b'"',
    b"'",
    b"\\",
    b"`",
    b"/*",
)

NESTS = (
    (b"(", b")"),
    (b"[", b"]"),
    (b"{", b"}"),
    (b"<", b">"),
    (b"tuple<", b">"),
    (b"tensor<2x", b">"),
    (b"[1, ", b"]"),
    (b"{a = ", b"}"),
    (b"-", b""),
    (b"not ", b""),
    (b"1 + ", b"1"),
    (b"d0 + ", b"d0"),
    (b"module {", b"}"),
)
DEPTHS = (40, 700, 3000)


def _position(text: bytes, chance: random.Random) -> int:
    return chance.randrange(len(text) + 1)


def _flip(text: bytes, chance: random.Random, _: Sequence[bytes]) -> bytes:
    changed = bytearray(text)
    for _ in range(chance.choice((1, 1, 2, 8))):
        if changed:
            changed[chance.randrange(len(changed))] ^= 1 << chance.randrange(8)
    return bytes(changed)


def _cut(text: bytes, chance: random.Random, _: Sequence[bytes]) -> bytes:
    at = _position(text, chance)
    return text[:at] if chance.random() < 0.7 else text[at:]


def _odd_bytes(text: bytes, chance: random.Random, _: Sequence[bytes]) -> bytes:
    at = _position(text, chance)
    return text[:at] + chance.choice(ODD) + text[at:]


def _tokens(text: bytes, chance: random.Random, others: Sequence[bytes]) -> bytes:
    tokens = _TOKEN.findall(text)
    if not tokens:
        return text
    first, second = sorted(chance.randrange(len(tokens)) for _ in range(2))
    match chance.randrange(6):
        case 0:
            del tokens[first]
        case 1:
            del tokens[first:second]
        case 2:
            tokens[first], tokens[second] = tokens[second], tokens[first]
        case 3:
            tokens.insert(first, tokens[second])
        case _:
            words = _TOKEN.findall(chance.choice(others)) or [b""]
            tokens[first] = chance.choice(words)
    return b"".join(tokens)


def _lines(text: bytes, chance: random.Random, others: Sequence[bytes]) -> bytes:
    lines = text.splitlines(keepends=True)
    if not lines:
        return text
    first, second = (chance.randrange(len(lines)) for _ in range(2))
    match chance.randrange(5):
        case 0:
            del lines[first]
        case 1:
            lines.insert(second, lines[first])
        case 2:
            lines[first], lines[second] = lines[second], lines[first]
        case 3:
            lines[first:first] = [lines[second]] * 300
        case _:
            strange = chance.choice(others).splitlines(keepends=True) or [b"\n"]
            lines.insert(first, chance.choice(strange))
    return b"".join(lines)


def _splice(text: bytes, chance: random.Random, others: Sequence[bytes]) -> bytes:
    other = chance.choice(others)
    return text[: _position(text, chance)] + other[_position(other, chance) :]


def _replaced(pattern: re.Pattern[bytes], choices: Sequence[bytes]) -> Damage:
    def damage(text: bytes, chance: random.Random, _: Sequence[bytes]) -> bytes:
        found = list(pattern.finditer(text))
        if not found:
            return text
        old, new = chance.choice(found), chance.choice(choices)
        if chance.random() < 0.3:  # everywhere, so that the text fits together
            return text.replace(old[0], new)
        return text[: old.start()] + new + text[old.end() :]

    return damage


def _renamed(text: bytes, chance: random.Random, _: Sequence[bytes]) -> bytes:
    found = sorted(set(_NAME.findall(text)))
    if not found:
        return text
    old = chance.choice(found)
    sign = old[:1] if old[:1] in b"%@#!^" else b""
    new = sign + chance.choice(NAMES)
    return re.sub(re.escape(old) + rb"(?![\w.])", lambda _: new, text)


_STEP = re.compile(rb"^.*transform\..*$", re.MULTILINE)
_LIST = re.compile(rb"\[[^\[\]]*\]")
_VALUE = re.compile(rb"%[\w$.-]+")
_HANDLE = re.compile(rb"!transform\.[\w.]+(?:<[^<>]*>)?")
LISTS = (
    b"[]",
    b"[0]",
    b"[-1]",
    b"[1, 1, 1, 1, 1, 1, 1]",
    b"[0, 0, 0]",
    b"[2, 1, 0]",
    b"[0, 0]",
    b"[4, 4]",
    b"[1000000, 1000000, 1000000]",
    b"[9223372036854775807, 9223372036854775807]",
    b"[[0], [1]]",
    b'["parallel"]',
    b"[?]",
)
HANDLES = (
    b"!transform.any_op",
    b"!transform.any_value",
    b"!transform.any_param",
    b"!transform.param<i64>",
    b"!transform.param<f32>",
    b'!transform.op<"func.func">',
    b'!transform.op<"scf.for">',
    b'!transform.op<"linalg.generic">',
)


def _operands(text: bytes, chance: random.Random, _: Sequence[bytes]) -> bytes:
    """Odd but well-formed operands of a transform op: sizes, handles, types."""
    steps = list(_STEP.finditer(text))
    if not steps:
        return text
    step = chance.choice(steps)
    pattern, choices = chance.choice(
        (
            (_NUMBER, NUMBERS[:10]),
            (_LIST, LISTS),
            (_VALUE, sorted(set(_VALUE.findall(text)))),
            (_HANDLE, HANDLES),
        )
    )
    changed = _replaced(pattern, choices)(step[0], chance, ())
    return text[: step.start()] + changed + text[step.end() :]


def _extents(text: bytes, chance: random.Random, _: Sequence[bytes]) -> bytes:
    """Change one extent, or every one, in all types of the text."""
    found = sorted(set(_EXTENT.findall(text)))
    if not found:
        return text
    old = chance.choice(found) if chance.random() < 0.7 else rb"\d+"
    new = chance.choice((b"0", b"1", b"?", b"7", b"127", b"65536", b"4294967296"))
    return re.sub(rb"(?<=[<x])" + old + rb"(?=x)", new, text)


def _nested(text: bytes, chance: random.Random, _: Sequence[bytes]) -> bytes:
    opening, closing = chance.choice(NESTS)
    depth = chance.choice(DEPTHS)
    found = list(_TOKEN.finditer(text))
    if not found:
        return opening * depth
    at = chance.choice(found)
    return (
        text[: at.start()]
        + opening * depth
        + at[0]
        + closing * (depth if chance.random() < 0.8 else 0)
        + text[at.end() :]
    )


def _repeated(text: bytes, chance: random.Random, _: Sequence[bytes]) -> bytes:
    """Repeat the contents of a bracket many times: long lists, long sums."""
    found = list(_OPENING.finditer(text))
    if not found:
        return text
    at = chance.choice(found).end()
    tokens = _TOKEN.findall(text[at : at + 60])[: chance.randrange(1, 5)]
    return text[:at] + b"".join(tokens) * chance.choice((2, 50, 5000)) + text[at:]


def _encoded(text: bytes, chance: random.Random, _: Sequence[bytes]) -> bytes:
    match chance.randrange(7):
        case 0:
            return text.replace(b"\n", b"\r\n")
        case 1:
            return b"\xef\xbb\xbf" + text
        case 2:
            return text.decode("utf-8", "replace").encode("utf-16")
        case 3:
            return text.replace(b"\n", b" ")
        case 4:
            return text.replace(b"\n", b"\r")
        case 5:
            return text.replace(b" ", b" " * chance.choice((7, 20_000)), 40)
        case _:
            return chance.choice((b"", b"\n", b" ", b"\0" * 100, b"//", b"a" * 100_000))


DAMAGES: dict[str, Damage] = {
    "bits": _flip,
    "cut": _cut,
    "odd bytes": _odd_bytes,
    "tokens": _tokens,
    "lines": _lines,
    "splice": _splice,
    "number": _replaced(_NUMBER, NUMBERS),
    "extent": _replaced(_EXTENT, NUMBERS),
    "operands": _operands,
    "extents": _extents,
    "name": _renamed,
    "nesting": _nested,
    "repetition": _repeated,
    "encoding": _encoded,
}
_WEIGHTS = (2, 1, 1, 6, 4, 2, 6, 3, 9, 6, 3, 2, 2, 1)


def damaged(
    text: bytes, chance: random.Random, others: Sequence[bytes]
) -> tuple[bytes, str]:
    """A damaged text, and how it was damaged: once, sometimes twice or three times."""
    how: list[str] = []
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        (name,) = chance.choices(tuple(DAMAGES), _WEIGHTS)
        text = DAMAGES[name](text, chance, others)
        how.append(name)
    return text, ", ".join(how)
