"""Try architectures of public libraries: are they right, and what becomes of them?

    python benchmarks/zoo list
    python benchmarks/zoo check --only llama      numbers, at a small size, on a CPU
    python benchmarks/zoo check --use train --every 7
    python benchmarks/zoo plan --size real        kernels and refusals, no GPU needed
    python benchmarks/zoo time --jobs 12          beside eager and torch.compile, a GPU

They have random weights and configurations made by hand: nothing is downloaded. The
libraries are the extra `zoo`. Each model is tried in a process that has others before
it; a model that fails stays in the record with its error.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import re
import sys
import time
from pathlib import Path
from typing import Any

TASKS_A_PROCESS = 12
"""A process is replaced after so many models, so that memory comes back."""


def main(arguments: list[str]) -> int:
    """Read the command line and do what it says."""
    options = _parser().parse_args(arguments)
    from zoo.packages import MissingLibraryError

    try:
        jobs = _chosen(options)
    except MissingLibraryError as error:
        raise SystemExit(f"zoo: {error}") from None
    if options.command == "list":
        for name, entry in jobs.items():
            print(f"{name:44} {entry.family:18} {entry.library}")
        print(f"{len(jobs)} models")
        return 0
    if options.command == "time":
        return _timed(options, jobs)
    return _tried(options, list(jobs))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("command", choices=["list", "check", "plan", "time"])
    add("--only", default="", metavar="PATTERN", help="names that match this")
    add("--family", default="", metavar="PATTERN", help="families that match this")
    add("--every", type=int, default=1, help="one model of this many")
    uses = "forward, decode or train; for time, several with commas between"
    add("--use", type=_uses, default="forward", metavar="USE", help=uses)
    add("--size", choices=["small", "real"], help="small; time: real")
    add("--dtype", default="bfloat16", help="of time, default %(default)s")
    add("--jobs", type=int, default=2, help="processes, default 2")
    limit = "of time: a model that takes longer to compile is left out, default 170"
    add("--compile-seconds", type=float, default=170.0, metavar="S", help=limit)
    add("--out", type=Path, metavar="FILE", help="where the JSON record goes")
    return parser


def _uses(text: str) -> str:
    """What is to be done with the models; complain of an unknown word."""
    known = ("forward", "decode", "train")
    unknown = [use for use in text.split(",") if use not in known]
    if unknown:
        raise argparse.ArgumentTypeError(
            f"{unknown[0]!r} is none of {', '.join(known)}"
        )
    return text


def _chosen(options: argparse.Namespace) -> dict[str, Any]:
    """The models that the options ask for."""
    from zoo.table import zoo

    found = {
        name: entry
        for name, entry in zoo().items()
        if re.search(options.only, name)
        and re.search(options.family, entry.family)
        and (options.use != "decode" or entry.decodes)
    }
    return dict(list(found.items())[:: options.every])


def _tried(options: argparse.Namespace, names: list[str]) -> int:
    """Try the models in processes; write the record as results come."""
    record: dict[str, Any] = {"command": ["benchmarks/zoo", *sys.argv[1:]]}
    record["models"] = kept = {}
    bad = 0
    started = time.perf_counter()
    # An executor of Python 3.11 can wait for ever when it replaces a process.
    context = multiprocessing.get_context("spawn")
    with context.Pool(options.jobs, maxtasksperchild=TASKS_A_PROCESS) as pool:
        size = options.size or "small"
        jobs = [(name, options.command, options.use, size) for name in names]
        done = pool.imap_unordered(_one, jobs)
        for count, (name, found, words, good) in enumerate(done, start=1):
            kept[name] = found
            bad += not good
            elapsed = time.perf_counter() - started
            print(f"{elapsed:6.0f} s {count}/{len(names)} {name}: {words}", flush=True)
            if options.out is not None:
                options.out.write_text(json.dumps(record, indent=1, sort_keys=True))
    print(f"{len(names) - bad} of {len(names)} models without a complaint")
    return int(bad > 0)


def _timed(options: argparse.Namespace, entries: dict[str, Any]) -> int:
    """Time the models; write the record as results come."""
    from harness.timing import command_line, environment, write_json
    from zoo.means import summary
    from zoo.turns import Task, timed

    _needs_our_backend()
    record: dict[str, Any] = {"command": command_line(), "environment": environment()}
    record["models"] = kept = {}
    started = time.perf_counter()
    size = options.size or "real"
    tasks = [
        Task(name, use, size, options.dtype)
        for use in options.use.split(",")
        for name in entries
        if use != "decode" or entries[name].decodes
    ]
    for task, found, words in timed(tasks, options.jobs, options.compile_seconds):
        name = task.name if task.use == options.use else f"{task.name}, {task.use}"
        kept[name] = found
        elapsed = time.perf_counter() - started
        print(f"{elapsed:6.0f} s {len(kept)}/{len(tasks)} {name}: {words}", flush=True)
        record["summary"] = summary(kept)
        if options.out is not None:
            write_json(options.out, record)
    for line, value in record.get("summary", {}).items():
        print(f"{line}: {value}")
    return int(any(found["failure"] for found in kept.values()))


def _needs_our_backend() -> None:
    """End here, before an hour is spent, where torch.compile does not know us."""
    import torch

    try:
        torch._dynamo.lookup_backend("tilewright")
    except Exception as error:
        raise SystemExit(
            f"zoo: torch.compile has no backend 'tilewright' ({error}); install the "
            "project with pip, so that its entry point is found"
        ) from None


def _one(job: tuple[str, str, str, str]) -> tuple[str, Any, str, bool]:
    """One model: its name, its record, a line about it, and whether all is well."""
    import torch

    from zoo.packages import library
    from zoo.table import zoo

    torch.set_num_threads(1)
    library("transformers").logging.set_verbosity_error()
    name, command, use, size = job
    entry = zoo()[name]
    if command == "check":
        from zoo.check import check

        checked = check(entry, use)
        return name, checked.record(), str(checked), checked.right
    from zoo.planned import planned

    dtype = torch.float32 if size == "small" else torch.bfloat16
    found = planned(entry, use, "real" if size == "real" else "small", dtype)
    is_whole = not (found.refused or found.failure)
    return name, found.record(), str(found), is_whole
