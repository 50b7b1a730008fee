"""What the page edits: a payload and a schedule, as texts with names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from tilewright.ir.errors import UserError
from tilewright.pipeline import Point

_LONGEST_NAME = 100
"""Bytes; file systems allow 255."""
_MOST_CHOICES = 10_000


class BadRequest(UserError):
    """A request that no page of ours sends."""


@dataclass(frozen=True)
class Texts:
    """A payload and a schedule; a blank schedule leaves everything to the default."""

    payload: str
    schedule: str = ""
    payload_name: str = "payload.mlir"
    schedule_name: str = "schedule.tw"

    @property
    def has_schedule(self) -> bool:
        """Whether there is a schedule beside the payload."""
        return bool(self.schedule.strip())

    @staticmethod
    def from_json(body: Mapping[str, Any]) -> Texts:
        """The texts of a request."""
        return Texts(
            _text(body, "payload", ""),
            _text(body, "schedule", ""),
            _name(body, "payload_name", "payload.mlir"),
            _name(body, "schedule_name", "schedule.tw"),
        )


def point_of(body: Mapping[str, Any]) -> Point:
    """The choices of a request."""
    point = body.get("point", {})
    if not isinstance(point, dict) or len(point) > _MOST_CHOICES:
        raise BadRequest("'point' is an object from names to values")
    if not all(isinstance(value, int | float | str) for value in point.values()):
        raise BadRequest("the values of 'point' are numbers, words, true or false")
    return point


def _text(body: Mapping[str, Any], field: str, default: str) -> str:
    text = body.get(field, default)
    if not isinstance(text, str):
        raise BadRequest(f"'{field}' is a text")
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise BadRequest(f"'{field}' has half a surrogate pair, which no file can hold")
    return text.replace("\r\n", "\n")


def _name(body: Mapping[str, Any], field: str, default: str) -> str:
    """The name of a file, without a folder: it also names a file of `run`."""
    name = PurePosixPath(_text(body, field, default)).name[-_LONGEST_NAME:]
    usable = name.isprintable() and not name.startswith(("-", "."))
    usable = usable and len(name.encode()) <= _LONGEST_NAME
    return name if usable and name.endswith((".mlir", ".tw")) else default
