"""The machines of a run on a Dask cluster."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING

from tilewright.tuning.cluster.cluster_pool import ClusterPool
from tilewright.tuning.cluster.cluster_workers import ClusterWorkers
from tilewright.tuning.cluster.connection import connected, local_cluster

if TYPE_CHECKING:
    from tilewright.tuning.cluster.members import Card


class Cluster:
    """Compile and measure pools on the workers of a Dask cluster."""

    def __init__(self, workers: ClusterWorkers) -> None:
        """Use these workers."""
        self._workers = workers
        self.pools: list[ClusterPool] = []
        """The pools so far, with their figures."""

    def compile_pool(self, limit: float) -> ClusterPool:
        """A pool that compiles; `limit` is the time of a job in seconds."""
        return self._pool(ClusterPool(self._workers, "compile", limit=limit))

    def measure_pool(self, limit: float) -> ClusterPool:
        """A pool that measures on the chosen kind of card."""
        return self._pool(ClusterPool(self._workers, "measure", limit=limit))

    def _pool(self, pool: ClusterPool) -> ClusterPool:
        self.pools.append(pool)
        return pool

    @property
    def card(self) -> Card | None:
        """The kind of card to measure on; None where no worker has one."""
        return self._workers.card

    @property
    def compile_threads(self) -> int:
        """Compilations that run at the same time."""
        return self._workers.compile_threads

    @property
    def warnings(self) -> list[str]:
        """ClusterWorkers that were not used, and why."""
        return self._workers.warnings

    def summary(self) -> str:
        """The workers of this run in words."""
        workers = self._workers
        compiling = (
            f"{workers.compile_threads} compilations at a time on "
            f"{len(workers.compilers())} workers"
        )
        if workers.card is None:
            return f"cluster: {compiling}; none with the resource GPU=1 measures"
        count = len(workers.measurers())
        others = workers.other_cards()
        left = f"; not used: {', '.join(others)}" if others else ""
        return f"cluster: {compiling}, measured on {count} x {workers.card.name}{left}"

    def figures(self) -> str:
        """What went over the network, in words."""
        sent = sum(pool.sent_bytes for pool in self.pools)
        received = sum(pool.received_bytes for pool in self.pools)
        again = sum(pool.compiled_again for pool in self.pools)
        return (
            f"cluster: {sent / 1e6:.1f} MB sent to workers, {received / 1e6:.1f} MB of "
            f"compiled kernels came back; {again} kernels were compiled again to be "
            "measured"
        )


@contextlib.contextmanager
def open_cluster(
    address: str | None,
    *,
    local_workers: int = 1,
    local_gpu: bool = False,
    device: str = "cuda",
    kind: str | None = None,
) -> Iterator[Cluster]:
    """The cluster at an address; without one, a cluster on this machine.

    `kind` is the name of the card to measure on, by default the most common one.
    """
    opened = (
        connected(address)
        if address is not None
        else local_cluster(local_workers, gpu=local_gpu)
    )
    with opened as client:
        workers = ClusterWorkers(
            client, device=device, kind=kind, joining=address is not None
        )
        try:
            workers.warm()
            yield Cluster(workers)
        finally:
            workers.close()
