"""`--dump DIR`: the IR after every step, a file each, and an index of them.

    00-payload.mlir   01-structured.tile_using_forall.mlir   ...   index.json

If code is generated, each pass that changed the IR has a file too, and so has the
source: `08-codegen.lower.mlir`, `11-triton.py`. A file is written as soon as its step
is done, so that a failure leaves the files of all steps before it.
"""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

from xdsl.dialects.builtin import ModuleOp

from tilewright.inspect.passes import PassStep
from tilewright.ir.dialects import func
from tilewright.ir.errors import Note, Place, UserError
from tilewright.ir.text import place_of, to_text
from tilewright.transforms.interpreter import ScheduleRun, Step

INDEX = "index.json"


class Dumps:
    """An observer that writes each step's IR; `close` writes the index."""

    def __init__(self, folder: Path, payload: ModuleOp):
        self.folder = folder
        self.seconds = 0.0
        folder.mkdir(parents=True, exist_ok=True)
        _remove_old(folder)
        self._functions = _functions(payload)
        self._last = "00-payload.mlir"
        (folder / self._last).write_text(to_text(payload))
        self._steps: list[dict[str, Any]] = []
        self._passes: list[dict[str, Any]] = []
        self._source: str | None = None

    def __call__(self, step: Step, payload: ModuleOp) -> None:
        """Write the payload, and note what changed in it."""
        start = time.perf_counter()
        before, self._functions = self._functions, _functions(payload)
        name = file_name(step)
        (self.folder / name).write_text(to_text(payload))
        self._last = name
        self._steps.append(
            {
                "index": step.index,
                "op": step.op.name,
                "label": label_of(step.place),
                "place": _place(step.place),
                "ms": round(step.seconds * 1e3, 3),
                "changed": _changed(before, self._functions),
                "took_back": step.took_back,
                "default": step.is_default,
                "file": name,
            }
        )
        self.seconds += time.perf_counter() - start

    def after_pass(self, step: PassStep) -> None:
        """Write the IR after a pass of code generation."""
        start = time.perf_counter()
        self._last = f"{step.index:02}-{step.name}.mlir"
        (self.folder / self._last).write_text(step.text)
        self._passes.append(
            {
                "index": step.index,
                "pass": step.name,
                "ms": round(step.seconds * 1e3, 3),
                "file": self._last,
            }
        )
        self.seconds += time.perf_counter() - start

    def source(self, index: int, text: str) -> None:
        """Write the source that was generated."""
        self._source = f"{index:02}-triton.py"
        (self.folder / self._source).write_text(text)

    def close(self, run: ScheduleRun, error: UserError | None) -> int:
        """Write the index; return the number of dumps."""
        index = {
            "payload": "00-payload.mlir",
            "steps": self._steps,
            "passes": self._passes,
            "source": self._source,
            "remarks": [_note(note) for note in run.remarks],
            "warnings": [_error(warning) for warning in run.warnings],
            "failure": None if error is None else self._failure(run, error),
        }
        text = json.dumps(index, indent=2) + "\n"
        (self.folder / INDEX).write_text(text)
        sources = int(self._source is not None)
        return 1 + len(self._steps) + len(self._passes) + sources

    def _failure(self, run: ScheduleRun, error: UserError) -> dict[str, Any]:
        failed = run.failure.op if run.failure is not None else None
        return {
            "op": None if failed is None else failed.name,
            "label": label_of(None if failed is None else place_of(failed)),
            **_error(error),
            "message": str(error),
            "before": self._last,
        }


def file_name(step: Step) -> str:
    """`03-structured.fuse_into_containing_op.mlir`."""
    words = step.op.name.removeprefix("transform.")
    if step.took_back is not None:
        words += "-" + step.took_back.replace(" ", "-")
    return f"{step.index:02}-{words}.mlir"


def label_of(place: Place | None) -> str | None:
    """`schedule.tw:12`: the label of a step that `--stop-after` takes."""
    return None if place is None else f"{Path(place.file).name}:{place.line}"


def _remove_old(folder: Path) -> None:
    """Delete the files that an earlier run wrote here, and nothing else."""
    try:
        index = json.loads((folder / INDEX).read_text())
        made = [*index["steps"], *index.get("passes", [])]
        names = [index["payload"], index.get("source"), *(m["file"] for m in made)]
    except (OSError, ValueError, KeyError, TypeError):
        return
    for name in names:
        if isinstance(name, str) and Path(name).name == name:
            (folder / name).unlink(missing_ok=True)


def _functions(payload: ModuleOp) -> dict[str, str]:
    return {
        op.sym_name.data: to_text(op)
        for op in payload.walk()
        if isinstance(op, func.FuncOp)
    }


def _changed(before: dict[str, str], after: dict[str, str]) -> list[str]:
    """The functions whose text differs, including removed and new ones."""
    names = dict.fromkeys([*before, *after])
    return [name for name in names if before.get(name) != after.get(name)]


def _place(place: Place | None) -> dict[str, Any] | None:
    if place is None:
        return None
    return {"file": place.file, "line": place.line, "column": place.column}


def _note(note: Note) -> dict[str, Any]:
    return {"fact": note.fact, "place": _place(note.place)}


def _error(error: UserError) -> dict[str, Any]:
    return {
        "fact": error.fact,
        "place": _place(error.place),
        "remedy": error.remedy,
        "notes": [_note(note) for note in error.notes],
    }
