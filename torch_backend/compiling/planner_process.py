"""The process that plans payloads for another one (`planners.py`).

It reads jobs from its standard input and answers each on its standard output, until the
input ends: the process that started it has ended then, or needs it no more.
"""

from __future__ import annotations

import gc
import os
import pickle
import sys
from dataclasses import dataclass

from tilewright.codegen.program import Shapes
from tilewright.codegen.targets import Target
from tilewright.ir.errors import UserError
from tilewright.pipeline import parse_payload
from tilewright.planned_build import Limits
from tilewright.torch_backend.compiling.planned_program import planned_program
from tilewright.torch_backend.compiling.stored_programs import (
    StoredProgram,
    StoredRefusal,
)


@dataclass(frozen=True)
class Job:
    """A payload to plan."""

    text: str
    shapes: Shapes | None
    gpu: Target
    title: str
    limits: Limits | None = None


@dataclass(frozen=True)
class Failed:
    """The answer to a job that met an error of the compiler's own."""

    error: str


Answer = StoredProgram | StoredRefusal | Failed


def planned(job: Job) -> Answer:
    """The program of a payload, or why there is none."""
    try:
        module = parse_payload(job.text)
        program = planned_program(
            module, job.gpu, job.title, job.shapes, limits=job.limits
        )
        return StoredProgram.of(program)
    except UserError as error:
        return StoredRefusal(error.fact, error.remedy)
    except Exception as error:
        return Failed(repr(error))


def main() -> None:
    """Answer jobs until there are no more."""
    gc.disable()  # a process lives for one graph
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # prints are no answers
    jobs = sys.stdin.buffer
    while True:
        try:
            job = pickle.load(jobs)
        except EOFError:
            return
        assert isinstance(job, Job)
        pickle.dump(planned(job), answers)
        answers.flush()
