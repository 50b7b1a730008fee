"""Positions in a text: a line and a column, both from 1."""

from __future__ import annotations

from typing import NamedTuple

from tilewright.ir.errors import Place


class Spot(NamedTuple):
    """A position; spots compare by their order in the text."""

    line: int
    column: int


class Span(NamedTuple):
    """A part of one line, from `start` up to but not including `end`."""

    start: Spot
    end: Spot


def spot_of(place: Place) -> Spot:
    """The position of a place."""
    return Spot(place.line, place.column)


def span_of(name: str, spot: Spot) -> Span:
    """The span of a name that begins at a spot."""
    return Span(spot, Spot(spot.line, spot.column + len(name)))
