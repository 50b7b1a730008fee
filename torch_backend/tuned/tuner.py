"""Runs the tuner on payloads, in a process of its own.

The tuner forks build workers. A process that has a CUDA context and torch's threads
must not be forked, so the model's process starts another and waits.
"""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import torch

from tilewright.ir.phrases import count
from tilewright.planning.structure import MARGIN
from tilewright.program import find_target
from tilewright.torch_backend.options import Options
from tilewright.torch_backend.tuned.results_file import (
    is_only_read,
    is_tuned,
    results_file,
)

_log = logging.getLogger("tilewright.torch")

_MODULE = "tilewright.commands.tune.payloads"


def tune_texts(
    texts: Sequence[str], options: Options, device: torch.device | None = None
) -> None:
    """Tune the kernels of payloads that were not tuned before; keeps the winners.

    A tuner that fails changes nothing: kernels are then planned as in other modes.
    """
    path = results_file(options)
    gpu, _ = find_target(options.target)
    different = list(dict.fromkeys(texts))
    new = [text for text in different if not is_tuned(text, gpu.name, options)]
    known = len(different) - len(new)
    if known:
        _log.info("%s tuned before: winners of %s", count(known, "payload"), path)
    if not new:
        return
    if is_only_read(path):
        _log.info("%s only read: nothing is tuned", path)
        return
    _log.info("tuning the kernels of %s", count(len(new), "payload"))
    torch.cuda.synchronize()
    index = None if device is None else device.index
    index = torch.cuda.current_device() if index is None else index
    environment = with_one_device(os.environ, index)
    with tempfile.TemporaryDirectory(prefix="tilewright-tune-") as folder:
        margin = MARGIN if options.tune_structure else None
        found = run_tuner(
            new, path, options.tune_seconds, Path(folder), environment, margin
        )
    for line in said(found):
        _log.info("%s", line)


def run_tuner(
    texts: Sequence[str],
    results: Path,
    seconds: float | None,
    folder: Path,
    environment: Mapping[str, str],
    margin: float | None = None,
) -> Mapping[str, Any]:
    """Run the tuner; the summary of its run, empty where it failed.

    With a `margin`, it tries structures whose estimates are so near. Without a GPU,
    the cost model stands in, and nothing is kept.
    """
    files: list[str] = []
    for number, text in enumerate(texts):
        file = folder / f"payload{number}.mlir"
        file.write_text(text)
        files.append(str(file))
    summary = folder / "summary.json"
    command = [sys.executable, "-m", _MODULE, *files, "--db", str(results)]
    command += ["--summary", str(summary)]
    command += [] if seconds is None else ["--budget", str(seconds)]
    command += [] if margin is None else ["--margin", str(margin)]
    is_watched = sys.stderr is not None and sys.stderr.isatty()
    command += [] if is_watched else ["--quiet"]
    done = subprocess.run(
        command,
        env=_with_paths(environment),
        stdin=subprocess.DEVNULL,
        stderr=None if is_watched else subprocess.PIPE,
        text=True,
        check=False,
    )
    if done.returncode or not summary.exists():
        lines = (done.stderr or "").strip().splitlines()
        reason = lines[-1] if lines else f"exit code {done.returncode}"
        _log.warning("the tuner failed: %s; kernels are planned instead", reason)
        return {}
    return json.loads(summary.read_text())


def with_one_device(environment: Mapping[str, str], index: int) -> dict[str, str]:
    """An environment in which a GPU of this process is the only one."""
    visible = environment.get("CUDA_VISIBLE_DEVICES", "")
    names = [name for name in visible.split(",") if name]
    name = names[index] if index < len(names) else str(index)
    return {**environment, "CUDA_VISIBLE_DEVICES": name}


def _with_paths(environment: Mapping[str, str]) -> dict[str, str]:
    """An environment in which Python finds the package where this process did."""
    paths = [path for path in sys.path if path]
    return {**environment, "PYTHONPATH": os.pathsep.join(dict.fromkeys(paths))}


def said(summary: Mapping[str, Any]) -> list[str]:
    """What a run of the tuner did, for the log."""
    if not summary:
        return []
    tasks: list[Mapping[str, Any]] = summary["tasks"]
    lines = [
        f"tuned {count(len(tasks), 'kernel')} in {summary['seconds']:.0f} s, "
        f"{summary['known']} known before"
    ]
    for task in tasks:
        gain = ""
        if task["default_ms"] and task["ms"]:
            kept = "" if task["kept"] else ", not kept"
            ratio = task["default_ms"] / task["ms"]
            gain = f": {task['ms']:.4f} ms, {ratio:.2f}x of the plan{kept}"
        lines.append(
            f"  {task['name']}{gain} ({task['trials']} trials; {task['ended']})"
        )
    for structure in summary["structures"]:
        if structure["picked"] != structure["covers"][0]["label"]:
            gain = structure["gain"]
            told = "" if gain is None else f", {gain:.2f}x of the planned kernels"
            lines.append(f"  {structure['name']}: {structure['picked']}{told}")
    return [*lines, *(f"  not tuned: {line}" for line in summary["refused"])]
