"""Real Triton compiles programs for an H200, in a process of its own."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from support.paths import ROOT
from tilewright.codegen.program import GeneratedProgram

# Compiles every pickled program of a list and prints the statistics; driver and launch
# of Triton are those of before.
_SCRIPT = """
import dataclasses, json, pickle, sys
from pathlib import Path
from triton import knobs
from triton.runtime import driver
from triton.runtime.jit import JITFunction
from tilewright.codegen.runtime.compile import compile_program
from tilewright.codegen.targets import target_named
folder = Path(sys.argv[1])
knobs.cache.dir = str(folder / "triton")
programs = pickle.loads((folder / "programs").read_bytes())
run, active = JITFunction.run, driver._active
stats = [compile_program(p, target_named("h200"), folder) for p in programs]
assert JITFunction.run is run and driver._active is active
print(json.dumps([[dataclasses.asdict(k) for k in s] for s in stats]))
"""


def compiled_apart(
    programs: Sequence[GeneratedProgram], folder: Path
) -> list[list[dict[str, Any]]]:
    """The statistics of each program's kernels; files go to the folder."""
    return run_apart(_SCRIPT, programs, folder)


def run_apart(script: str, programs: Sequence[GeneratedProgram], folder: Path) -> Any:
    """What a script prints last, as JSON; it finds the pickled programs in the folder.

    Triton's driver is global, so that this takes a process of its own.
    """
    (folder / "programs").write_bytes(pickle.dumps(list(programs)))
    done = subprocess.run(
        [sys.executable, "-c", script, str(folder)],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])
