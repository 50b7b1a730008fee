"""One job in a worker process of its own."""

from __future__ import annotations

from tilewright.ir.errors import UserError
from tilewright.tuning.workers.jobs import Job
from tilewright.tuning.workers.pools import Finished, wait
from tilewright.tuning.workers.worker_pool import ProcessPool


def in_worker(kind: str, job: Job, limit: float) -> Finished:
    """Run one job in a worker process; a failure becomes a `UserError`."""
    with ProcessPool(1, kind, limit=limit) as pool:
        pool.submit(job, limit=limit)
        while True:
            for done in wait([pool], limit):
                if done.ending != "ok":
                    raise UserError(
                        _failure_text(kind, done),
                        remedy="large tiles take long to compile: try smaller ones"
                        if done.ending == "timeout"
                        else None,
                    )
                return done


def _failure_text(kind: str, done: Finished) -> str:
    """How a job failed; an error message of the job itself is complete."""
    if done.ending == "error" and done.error:
        return f"{kind}: {done.error.removeprefix('error: ')}"
    return f"{kind}: {done.ending}: {done.error}"
