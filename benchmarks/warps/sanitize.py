"""Run one small kernel of each kind under compute-sanitizer.

    python benchmarks/warps/sanitize.py --out sanitized.json

The kernels are compiled first, in processes of their own. Then each tool (memcheck,
racecheck, synccheck) has a process that runs all of them and checks every element; the
tools run at once. A process that takes longer than --limit is ended. Exits 1 if a tool
found something, a result is wrong, or nothing was seen. A tool that does not know the
instructions of these kernels says so in its report, which the record has.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

TOOLS = ("memcheck", "racecheck", "synccheck")
SUMMARY = re.compile(r"SUMMARY: (\d+)")
LAST_CHARACTERS = 6000


def main(arguments: list[str]) -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, help="the record, JSON")
    parser.add_argument("--tools", default=",".join(TOOLS))
    parser.add_argument("--limit", type=float, default=40.0, help="seconds of a tool")
    parser.add_argument("--jobs", type=int, default=10, help="kernels compiled at once")
    parser.add_argument("--compile", default="", help=argparse.SUPPRESS)
    parser.add_argument("--run", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    from warps.tiny_works import table

    if options.compile:
        from warps.child import compile_only

        compile_only(next(w for w in table() if w.name == options.compile), None)
        return 0
    if options.run:
        return _run()
    started = time.monotonic()
    names = [work.name for work in table()]
    with ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(lambda name: _end_after(_own("--compile", name), 60.0), names))
    print(f"compiled in {time.monotonic() - started:.0f} s", flush=True)
    tools = options.tools.split(",")
    with ThreadPoolExecutor(len(tools)) as pool:
        runs = pool.map(lambda tool: _under(tool, len(names), options.limit), tools)
        found = dict(zip(tools, runs, strict=True))
    if options.out:
        options.out.write_text(json.dumps(found, indent=1) + "\n")
    for tool, report in found.items():
        print(
            f"{tool}: {report['right']} of {len(names)} right, {report['errors']} "
            f"errors, {report['seconds']:.0f} s{', ended' * report['ended']}"
        )
    is_good = all(r["errors"] == 0 and r["right"] == len(names) for r in found.values())
    return int(not is_good)


def _own(*words: str) -> list[str]:
    return [sys.executable, __file__, *words]


def _under(tool: str, count: int, limit: float) -> dict[str, Any]:
    """What a tool says of all kernels."""
    program = _sanitizer()
    started = time.monotonic()
    command = [program, "--tool", tool, "--error-exitcode", "99", *_own("--run")]
    text, ended = _end_after(command, limit)
    counts = SUMMARY.findall(text)
    return {
        "right": text.count("\nright: "),
        "errors": int(counts[-1]) if counts else None,
        "ended": ended,
        "seconds": time.monotonic() - started,
        "report": text[-LAST_CHARACTERS:],
    }


def _sanitizer() -> str:
    folders = ("/usr/local/cuda/bin", "/usr/local/cuda/compute-sanitizer")
    found = shutil.which("compute-sanitizer")
    for folder in folders:
        found = found or shutil.which("compute-sanitizer", path=folder)
    if found is None:
        raise SystemExit("no compute-sanitizer on this machine")
    return found


def _end_after(command: list[str], seconds: float) -> tuple[str, bool]:
    """The output of a process, and whether it had to be ended."""
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        return process.communicate(timeout=seconds)[0], False
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        return process.communicate()[0], True


def _run() -> int:
    """Run and check each kernel once."""
    import torch

    import tilewright
    from harness.timing import relative_error
    from warps.tiny_works import table

    wrong = 0
    for work in table():
        (ours,) = work.ours
        tensors = work.inputs("cuda")
        program = tilewright.compile(
            work.payload(), ours.source, target="auto", **ours.point
        )
        error = relative_error(program(*tensors), work.reference(*tensors))
        torch.cuda.synchronize()
        is_right = error <= work.tolerance
        wrong += not is_right
        state = "right" if is_right else "wrong"
        print(f"\n{state}: {work.name} {error:.1e}", flush=True)
    return int(wrong > 0)


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))
    sys.path.insert(0, str(Path(__file__).parents[2]))
    sys.exit(main(sys.argv[1:]))
