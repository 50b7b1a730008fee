"""Connecting to a Dask scheduler, or starting one with workers on this machine."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tilewright.ir.errors import UserError
from tilewright.tuning.cluster.members import GPU

if TYPE_CHECKING:
    from distributed import Client

CONNECT_SECONDS = 10.0

_IGNORE_INTERRUPT = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)"
"""What local workers run first: Ctrl-C reaches them too, and the command ends them."""


@contextlib.contextmanager
def connected(address: str) -> Iterator[Client]:
    """A client of the scheduler at an address, or of the one that a file names."""
    distributed = _dask()
    source: dict[str, Any] = {"address": address}
    if "://" not in address and Path(address).is_file():
        source = {"scheduler_file": address}
    elif address.endswith(".json"):
        fact = f"--cluster {address}: no such file"
        raise UserError(
            fact, remedy="give the file of `dask scheduler --scheduler-file`"
        )
    try:
        client = distributed.Client(
            **source, timeout=CONNECT_SECONDS, set_as_default=False
        )
    except (OSError, ValueError, TypeError) as error:
        raise UserError(
            f"no Dask scheduler answers at {address}: {_short(error)}",
            remedy="start one by `dask scheduler` and give the address that it prints, "
            "such as tcp://host:8786, or its --scheduler-file",
        ) from error
    with contextlib.closing(client):
        yield client


@contextlib.contextmanager
def local_cluster(processes: int, *, gpu: bool) -> Iterator[Client]:
    """A scheduler on this machine, a worker that compiles, and one for the card.

    One Dask worker has all compile processes below it: it starts sooner than many.
    """
    distributed = _dask()
    common = {
        "dashboard": False,
        "memory_limit": 0,
        "silence_logs": logging.ERROR,
        "preload": _IGNORE_INTERRUPT,
    }
    compiles = {**common, "nthreads": processes}
    specs: dict[Any, Any] = {"compile": {"cls": distributed.Nanny, "options": compiles}}
    if gpu:
        measures = {**common, "nthreads": 2, "resources": {GPU: 1}}
        specs["measure"] = {"cls": distributed.Nanny, "options": measures}
    scheduler = {
        "cls": distributed.Scheduler,
        "options": {"dashboard": False, "host": "127.0.0.1", "port": 0},
    }
    with (
        distributed.SpecCluster(
            workers=specs, scheduler=scheduler, silence_logs=logging.ERROR
        ) as cluster,
        distributed.Client(cluster, set_as_default=False) as client,
    ):
        yield client


def _dask() -> Any:
    try:
        import distributed
    except ImportError as error:
        raise UserError(
            "tuning on a cluster needs Dask, which is not installed",
            remedy="pip install 'tilewright[cluster]'",
        ) from error
    # Dask reports every lost connection; a run says what matters itself.
    for name in ("distributed", "distributed.client"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    return distributed


def _short(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
