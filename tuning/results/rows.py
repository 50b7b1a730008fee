"""Records as rows of the results file and as JSON; reading checks every value.

A results file may come from anywhere, so it is read as data: every value is checked for
its type before it is used.
"""

from __future__ import annotations

import json
import sqlite3
from dataclasses import asdict
from typing import Any

from tilewright.codegen.runtime.compile import CompiledStats
from tilewright.tuning.results import checked_values as checked
from tilewright.tuning.results.checked_values import BadRow
from tilewright.tuning.results.records import (
    CAUSES,
    OUTCOMES,
    Final,
    Record,
    Setting,
    Versions,
)
from tilewright.tuning.space.choices import canonical

_NAMES = ("payload_name", "schedule_name")
_VERSIONS = ("torch", "triton", "tilewright", "sources")


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
        "closed": record.closed,
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
        data = {
            **{name: row[name] for name in (*plain, "created")},
            "cause": row["cause"] if "cause" in names else "candidate",
            "closed": row["closed"] if "closed" in names else "",
            "setting": _setting_data(row),
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


def setting_of(row: sqlite3.Row) -> Setting:
    """The setting of a record's or a run's row; raises `BadRow`."""
    try:
        return setting_from_json(_setting_data(row))
    except (ValueError, TypeError, RecursionError, IndexError) as error:
        raise BadRow(str(error)) from error


def _setting_data(row: sqlite3.Row) -> dict[str, Any]:
    names = set(row.keys())
    plain = ("payload", "schedule", "device", "sizes", *_NAMES, "family")
    return {
        **{name: row[name] for name in plain if name in names},
        "versions": {name: row[name] for name in _VERSIONS},
        "extents": json.loads(row["extents"]) if "extents" in names else [],
    }


def setting_from_json(data: Any) -> Setting:
    """A setting as plain data; raises `BadRow` for a wrong type."""
    setting = checked.table(data, "setting")
    versions = checked.table(setting.get("versions"), "versions")
    needed = ("payload", "schedule", "device")
    optional = ("sizes", *_NAMES, "family")
    return Setting(
        **{name: checked.word(setting, name) for name in needed},
        versions=Versions(**{name: checked.word(versions, name) for name in _VERSIONS}),
        **{name: checked.word(setting, name, "") for name in optional},
        extents=tuple(
            tuple(map(checked.whole_number, checked.items(sizes, "extents")))
            for sizes in checked.items(setting.get("extents", []), "extents")
        ),
    )


def record_from_json(data: Any) -> Record:
    """The record that `Record.as_json` wrote; raises `BadRow` for a wrong type."""
    entry = checked.table(data, "the record")
    final = entry.get("final")
    return Record(
        setting=setting_from_json(entry.get("setting")),
        point={
            checked.plain_text(name, "a choice"): checked.choice_value(value)
            for name, value in checked.table(entry.get("point"), "point").items()
        },
        program=checked.word(entry, "program"),
        outcome=checked.one_of(entry.get("outcome"), OUTCOMES),
        measured=checked.flag(entry.get("measured")),
        p20=checked.optional_time(entry.get("p20")),
        p50=checked.optional_time(entry.get("p50")),
        p80=checked.optional_time(entry.get("p80")),
        each=tuple(map(checked.a_number, checked.items(entry.get("each", []), "each"))),
        repetitions=checked.whole_number(entry.get("repetitions")),
        error=checked.word(entry, "error"),
        cause=checked.one_of(entry.get("cause", "candidate"), CAUSES),
        stats=tuple(map(_stats, checked.items(entry.get("stats"), "stats"))),
        seconds={
            checked.plain_text(stage, "a stage"): checked.a_number(spent)
            for stage, spent in checked.table(entry.get("seconds"), "seconds").items()
        },
        features={
            checked.plain_text(name, "a feature"): checked.finite(value)
            for name, value in checked.table(
                entry.get("features", {}), "features"
            ).items()
        },
        final=None if final is None else _final(final),
        created=checked.word(entry, "created", ""),
        closed=checked.word(entry, "closed", ""),
    )


def _final(data: Any) -> Final:
    table = checked.table(data, "final")
    return Final(
        *(checked.a_time(table.get(name)) for name in ("median", "low", "high"))
    )


def _stats(data: Any) -> CompiledStats:
    table = checked.table(data, "stats")
    counts = ("registers", "spill_bytes", "shared_bytes", "num_warps", "wgmma")
    return CompiledStats(
        kernel=checked.word(table, "kernel"),
        **{
            name: checked.whole_number(table.get(name))
            for name in (*counts, "tma_loads")
        },
        seconds=checked.a_number(table.get("seconds")),
        code_bytes=checked.whole_number(table.get("code_bytes", 0)),
        code=checked.word(table, "code", ""),
    )
