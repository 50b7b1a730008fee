"""Compiled kernels travel from one Triton cache to another, and are found there."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from support.tuning.samples import elementwise
from tilewright.codegen.targets import target_named
from tilewright.tuning.cluster.portable_jobs import Answer, Packer, PortableJob
from tilewright.tuning.workers.jobs import CompileJob

RUN = """
import pickle, sys
from pathlib import Path
job = pickle.loads(Path(sys.argv[1]).read_bytes())
Path(sys.argv[2]).write_bytes(pickle.dumps(job.run()))
"""


def run_on_machine(job: PortableJob, machine: Path) -> Answer:
    """Run a job in a new process whose Triton cache is in the folder."""
    machine.mkdir()
    job = replace(job, folder=machine)
    asked, told = machine / "job", machine / "answer"
    asked.write_bytes(pickle.dumps(job))
    subprocess.run(
        [sys.executable, "-c", RUN, str(asked), str(told)],
        env={
            **os.environ,
            "TRITON_CACHE_DIR": str(machine / "triton"),
            "PYTHONPATH": os.pathsep.join(sys.path),
        },
        check=True,
    )
    return pickle.loads(told.read_bytes())


@pytest.mark.slow
def test_a_kernel_is_not_compiled_again_elsewhere(tmp_path: Path) -> None:
    job = CompileJob(elementwise(), target_named("h200"), tmp_path)
    portable = Packer().pack(job, compiles=True, keep=True)
    first = run_on_machine(portable, tmp_path / "first")
    assert first.compiled == 1
    (binary,) = first.binaries
    assert {Path(name).suffix for name, _ in binary.files} == {
        ".cubin",
        ".json",
        ".ptx",
    }
    assert 1000 < binary.size < 30_000
    # The second machine has other paths, and only what was sent.
    there = replace(portable, binaries=first.binaries, keep=False)
    second = run_on_machine(there, tmp_path / "second")
    assert second.compiled == 0
    assert second.binaries == ()
    assert [s.registers for s in second.value] == [s.registers for s in first.value]
    # Without the binary it compiles.
    third = run_on_machine(replace(portable, keep=False), tmp_path / "third")
    assert third.compiled == 1
