"""Where `tilewright tune` compiles and measures: this machine, or a Dask cluster."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tilewright.codegen.targets import Target, detect, device_name
from tilewright.commands.terminal.failure import UsageError
from tilewright.tuning.options import default_workers
from tilewright.tuning.workers.pools import Machines

LOCAL = "local"
"""The address that starts a cluster on this machine."""


@dataclass(frozen=True)
class MachineOptions:
    """The arguments of the command that choose the machines."""

    jobs: int | None = None
    cluster: str | None = None
    workers: int | None = None
    device: str | None = None


@dataclass(frozen=True)
class RunMachines:
    """The machines of a run."""

    target: Target | None
    """The card to measure on; None where there is none."""
    device_name: str | None
    """The card's name in the results file."""
    machines: Machines | None
    """The cluster; None for processes of this machine."""
    jobs: int
    """Compilations at the same time."""


def check_machine_options(options: MachineOptions) -> None:
    """Refuse options that contradict each other."""
    remote = options.cluster is not None and options.cluster != LOCAL
    if options.workers is not None and remote:
        raise UsageError(
            "--workers starts workers on this machine, and --cluster uses those of "
            f"{options.cluster}",
            remedy="leave one of them out",
        )
    if options.device is not None and options.cluster is None:
        raise UsageError(
            "--device chooses among the cards of a cluster",
            remedy="give --cluster ADDRESS; CUDA_VISIBLE_DEVICES chooses a card of "
            "this machine",
        )


@contextlib.contextmanager
def run_machines(
    options: MachineOptions, say: Callable[[str], None]
) -> Iterator[RunMachines]:
    """Connect to the cluster, if one is asked for."""
    if options.cluster is None and options.workers is None:
        jobs = options.jobs or default_workers()
        yield RunMachines(detect(), device_name(), None, jobs)
        return
    # Dask is an optional package, and slow to import.
    from tilewright.tuning.cluster.cluster import open_cluster

    address = None if options.cluster in (None, LOCAL) else options.cluster
    with open_cluster(
        address,
        local_workers=options.workers or default_workers(),
        local_gpu=address is None and detect() is not None,
        kind=options.device,
    ) as cluster:
        say(cluster.summary())
        card = cluster.card
        jobs = options.jobs or max(1, cluster.compile_threads)
        if card is None:
            yield RunMachines(None, None, cluster, jobs)
        else:
            yield RunMachines(card.target, card.name, cluster, jobs)
        for line in (*cluster.warnings, cluster.figures()):
            say(line)
