"""`tilewright results describe`: add features to records that have none.

Records of older versions have no features, or others. Where payload and schedule are at
hand, their points are built again, which needs no GPU.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from tilewright.commands.terminal.console import console
from tilewright.ir.errors import UserError
from tilewright.ir.text import to_text
from tilewright.pipeline import build, read_payload
from tilewright.schedules.schedule import Schedule
from tilewright.tuning.learning.compiled_features import describe_compiled
from tilewright.tuning.learning.features import VERSION, describe_program
from tilewright.tuning.results.database import Database
from tilewright.tuning.results.records import Record, text_hash
from tilewright.tuning.transfer.nearness import target_of


def describe(payload_file: Path, schedule_file: Path, path: Path) -> None:
    """Describe the records of a payload and a schedule, and say how many."""
    payload = read_payload(payload_file)
    schedule = Schedule.from_path(schedule_file)
    counts: Counter[str] = Counter()

    def features_of(record: Record) -> dict[str, float] | None:
        """The features of a record's program, if it is still the same program."""
        target = target_of(record.setting.device)
        if target is None:
            counts["of an unknown device"] += 1
            return None
        if record.setting.sizes:
            counts["with open sizes"] += 1
            return None
        try:
            program = build(payload, schedule, record.point, verify_steps=False).program
        except UserError:
            counts["that do not build any more"] += 1
            return None
        if program.key != record.program:
            counts["whose point gives another program now"] += 1
            return None
        return {
            **describe_program(program, target),
            **describe_compiled(program, record.stats, target),
        }

    with Database(path) as database:
        found = database.list(
            payload=text_hash(to_text(payload)),
            schedule=text_hash(to_text(schedule.module)),
        )
        if not found:
            raise UserError(
                f"{path} has no results of {payload_file} with {schedule_file}",
                remedy="`tilewright results list` lists what it has",
            )
        missing = [
            record
            for record in found
            if record.program and record.features.get("version") != VERSION
        ]
        for record in missing:
            features = features_of(record)
            if features is not None:
                database.record_features(record, features)
                counts["described"] += 1
    console().print(
        f"{counts.pop('described', 0)} of {len(missing)} results without features are "
        "described now",
        markup=False,
    )
    for reason, count in counts.items():
        console().print(f"left out: {count} {reason}", markup=False)
