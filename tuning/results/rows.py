"""Records as rows of the results file and as JSON; reading checks every value.

A results file may come from anywhere, so it is read as data: every value is checked for
its type before it is used.
"""

from __future__ import annotations

import json
import math
import sqlite3
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, TypeVar

from tilewright.codegen.runtime.compile import CompiledStats
from tilewright.tuning.results.records import (
    CAUSES,
    OUTCOMES,
    Final,
    Record,
    Setting,
    Versions,
)
from tilewright.tuning.space.choices import canonical

if TYPE_CHECKING:
    from tilewright.tuning.space.choices import Value

_NAMES = ("payload_name", "schedule_name")
_VERSIONS = ("torch", "triton", "tilewright", "sources")


class BadRow(ValueError):
    """A row that is not a valid record."""


def row_of(record: Record) -> dict[str, Any]:
    """A record as a row of the table.

    File names may contain bytes that are not UTF-8, which SQLite does not store. Such
    bytes become escapes, in names and in errors that quote them.
    """
    setting, final = record.setting, record.final
    row = {
        "payload": setting.payload,
        "schedule": setting.schedule,
        "device": setting.device,
        **asdict(setting.versions),
        "sizes": setting.sizes,
        "point": canonical(record.point),
        "program": record.program,
        "outcome": record.outcome,
        "measured": int(record.measured),
        "p20": record.p20,
        "p50": record.p50,
        "p80": record.p80,
        "each_p50": json.dumps(record.each),
        "repetitions": record.repetitions,
        "error": record.error,
        "stats": json.dumps([asdict(stats) for stats in record.stats]),
        "seconds": json.dumps(record.seconds),
        "final_median": None if final is None else final.median,
        "final_low": None if final is None else final.low,
        "final_high": None if final is None else final.high,
        "created": record.created,
        "cause": record.cause,
        "payload_name": setting.payload_name,
        "schedule_name": setting.schedule_name,
        "family": setting.family,
        "extents": json.dumps(setting.extents),
        "features": json.dumps(record.features),
    }
    return {
        name: value.encode(errors="backslashreplace").decode()
        if isinstance(value, str)
        else value
        for name, value in row.items()
    }


def record_of(row: sqlite3.Row) -> Record:
    """A row as a record; raises `BadRow` where it is not a valid one."""
    names = set(row.keys())
    final = None
    try:
        if row["final_median"] is not None:
            final = {
                "median": row["final_median"],
                "low": row["final_low"],
                "high": row["final_high"],
            }
        plain = ("program", "outcome", "p20", "p50", "p80", "repetitions", "error")
        setting = ("payload", "schedule", "device", "sizes", *_NAMES, "family")
        versions = ("torch", "triton", "tilewright", "sources")
        data = {
            **{name: row[name] for name in (*plain, "created")},
            "cause": row["cause"] if "cause" in names else "candidate",
            "setting": {
                **{name: row[name] for name in setting if name in names},
                "versions": {name: row[name] for name in versions},
                "extents": json.loads(row["extents"]) if "extents" in names else [],
            },
            "point": json.loads(row["point"]),
            "each": json.loads(row["each_p50"]) if "each_p50" in names else [],
            "measured": bool(row["measured"]),
            "stats": json.loads(row["stats"]),
            "seconds": json.loads(row["seconds"]),
            "features": json.loads(row["features"]) if "features" in names else {},
            "final": final,
        }
    except (ValueError, TypeError, RecursionError, IndexError) as error:
        raise BadRow(str(error)) from error
    return record_from_json(data)


def record_from_json(data: Any) -> Record:
    """The record that `Record.as_json` wrote; raises `BadRow` for a wrong type."""
    entry = _table(data, "the record")
    setting = _table(entry.get("setting"), "setting")
    versions = _table(setting.get("versions"), "versions")
    final = entry.get("final")
    return Record(
        setting=Setting(
            **{
                name: _word(setting, name) for name in ("payload", "schedule", "device")
            },
            versions=Versions(**{name: _word(versions, name) for name in _VERSIONS}),
            **{name: _word(setting, name, "") for name in ("sizes", *_NAMES, "family")},
            extents=tuple(
                tuple(map(_whole, _items(sizes, "extents")))
                for sizes in _items(setting.get("extents", []), "extents")
            ),
        ),
        point={
            _text(name, "a choice"): _value(value)
            for name, value in _table(entry.get("point"), "point").items()
        },
        program=_word(entry, "program"),
        outcome=_one_of(entry.get("outcome"), OUTCOMES),
        measured=_flag(entry.get("measured")),
        p20=_time(entry.get("p20")),
        p50=_time(entry.get("p50")),
        p80=_time(entry.get("p80")),
        each=tuple(map(_number, _items(entry.get("each", []), "each"))),
        repetitions=_whole(entry.get("repetitions")),
        error=_word(entry, "error"),
        cause=_one_of(entry.get("cause", "candidate"), CAUSES),
        stats=tuple(map(_stats, _items(entry.get("stats"), "stats"))),
        seconds={
            _text(stage, "a stage"): _number(spent)
            for stage, spent in _table(entry.get("seconds"), "seconds").items()
        },
        features={
            _text(name, "a feature"): _finite(value)
            for name, value in _table(entry.get("features", {}), "features").items()
        },
        final=None if final is None else _final(final),
        created=_word(entry, "created", ""),
    )


def _final(data: Any) -> Final:
    table = _table(data, "final")
    return Final(*(_known_time(table.get(name)) for name in ("median", "low", "high")))


def _stats(data: Any) -> CompiledStats:
    table = _table(data, "stats")
    counts = ("registers", "spill_bytes", "shared_bytes", "num_warps", "wgmma")
    return CompiledStats(
        kernel=_word(table, "kernel"),
        **{name: _whole(table.get(name)) for name in (*counts, "tma_loads")},
        seconds=_number(table.get("seconds")),
        code_bytes=_whole(table.get("code_bytes", 0)),
        code=_word(table, "code", ""),
    )


def _table(data: Any, name: str) -> dict[Any, Any]:
    if not isinstance(data, dict):
        raise BadRow(f"{name} is no table of names and values")
    return data


def _items(data: Any, name: str) -> list[Any]:
    if not isinstance(data, list | tuple):
        raise BadRow(f"{name} is no list")
    return list(data)


def _word(table: dict[Any, Any], name: str, default: str | None = None) -> str:
    value = table.get(name, default)
    return _text(value, f"'{name}'")


def _text(value: Any, what: str) -> str:
    if not isinstance(value, str):
        raise BadRow(f"{what} is no text")
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise BadRow(f"{what} holds half a character") from error
    return value


def _value(value: Any) -> Value:
    if isinstance(value, str):
        return _text(value, "a choice")
    if not isinstance(value, int | float | bool):
        raise BadRow("a choice has a value that is neither number nor text")
    return value


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise BadRow(f"{value!r} is no number")
    try:
        return float(value)
    except OverflowError as error:
        raise BadRow("a number is too large") from error


def _finite(value: Any) -> float:
    number = _number(value)
    if not math.isfinite(number):
        raise BadRow(f"{number} is not finite")
    return number


def _time(value: Any) -> float | None:
    if value is None:
        return None
    return _known_time(value)


def _known_time(value: Any) -> float:
    time = _number(value)
    if not 0 <= time < math.inf:
        raise BadRow(f"{time} is no time")
    return time


def _whole(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise BadRow(f"{value!r} is no whole number")
    if not -(2**63) <= value < 2**63:
        raise BadRow("a whole number has more than 64 bits")
    return value


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise BadRow(f"{value!r} is neither true nor false")
    return value


Word = TypeVar("Word", bound=str)


def _one_of(value: Any, known: tuple[Word, ...]) -> Word:
    for word in known:
        if value == word:
            return word
    raise BadRow(f"{value!r} is none of {', '.join(known)}")
