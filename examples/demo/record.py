"""Records a tuning run of the demo: its seconds in h200.json, its points beside it.

    python record.py --summary summary.json --results results.db

The files are those of `tilewright tune ... --summary summary.json --db results.db`.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from tilewright.tuning.replay.recording import recorded_space
from tilewright.tuning.results.database import Database

HERE = Path(__file__).parent


def record(summary: Path, results: Path, folder: Path) -> None:
    """Write what the demo shows of a tuning run into a folder."""
    run = json.loads(summary.read_text())
    path = folder / "h200.json"
    compared = json.loads(path.read_text())
    compared["tuning"] = {
        "trials": len(run["trials"]),
        "seconds": round(run["wall_seconds"], 1),
        "command": without_folders(run["command"]),
    }
    path.write_text(json.dumps(compared, indent=2) + "\n")
    payload, schedule = HERE / "payload.mlir", HERE / "softcap.tw"
    with Database(results) as database:
        space = recorded_space(
            "softcap", payload.read_text(), schedule.read_text(), list(database.list())
        )
    space.save(folder / "h200.space.xz")


def without_folders(command: str) -> str:
    """A command with the names of its files, wherever they were."""
    return " ".join(
        Path(word).name if word.startswith("/") else word for word in command.split()
    )


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--summary", type=Path, required=True)
    parser.add_argument("--results", type=Path, required=True)
    options = parser.parse_args()
    record(options.summary, options.results, HERE)


if __name__ == "__main__":
    main()
