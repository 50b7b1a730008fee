"""Where `tilewright tune` compiles and measures: this machine, or a Dask cluster.

With several cards of this machine, a process measures on each. They take candidates
from one queue, and all results are of one run.
"""

from __future__ import annotations

import contextlib
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from tilewright.codegen.cuda_driver import DeviceProperties, present_devices
from tilewright.codegen.targets import Target, detect, device_name, target_of
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
    devices: str | None = None
    """The cards of this machine: `all`, or their numbers with commas."""


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
    devices: tuple[int, ...] = ()
    """The cards of this machine to measure on; none: the first one."""


def check_machine_options(options: MachineOptions, target: str | None = None) -> None:
    """Refuse options that contradict each other; `target` is what --target says."""
    if options.devices is not None:
        if target is not None:
            raise UsageError(
                "--target measures nothing, and --devices chooses cards to measure on",
                remedy="leave one of them out",
            )
        if options.cluster is not None or options.workers is not None:
            raise UsageError(
                "--devices chooses cards of this machine, and a cluster measures on "
                "those of its workers",
                remedy="leave --devices out; --device chooses the kind of card there",
            )
        _numbers(options.devices)
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
        if options.devices is None:
            yield RunMachines(detect(), device_name(), None, jobs)
        else:
            yield _local_machines(options.devices, jobs, say)
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


def _local_machines(wanted: str, jobs: int, say: Callable[[str], None]) -> RunMachines:
    """The cards of this machine that `--devices` names."""
    present = present_devices()
    if not present:
        say(f"--devices {wanted}: there is no GPU here, so nothing is measured")
        return RunMachines(None, None, None, jobs)
    numbers, left = chosen_devices(present, wanted)
    first = present[numbers[0]]
    listed = ", ".join(map(str, numbers))
    others = f"; of another kind, not used: {', '.join(left)}" if left else ""
    alone = "; there is no other" if len(present) == 1 else ""
    say(f"measured on {len(numbers)} x {first.name} (number {listed}){others}{alone}")
    return RunMachines(target_of(first), first.name, None, jobs, numbers)


def chosen_devices(
    present: Sequence[DeviceProperties], wanted: str
) -> tuple[tuple[int, ...], list[str]]:
    """The numbers of the cards to measure on, and what other kinds `all` leaves out.

    Times of different kinds must not be compared, so a run measures on one kind: the
    most common one of all.
    """
    numbers = _numbers(wanted)
    if numbers is None:
        counts = Counter(one.name for one in present)
        (kind, _), *others = counts.most_common()
        chosen = [n for n, one in enumerate(present) if one.name == kind]
        return tuple(chosen), [f"{count} x {name}" for name, count in others]
    for number in numbers:
        if number >= len(present):
            there = "is one card" if len(present) == 1 else f"are {len(present)} cards"
            raise UsageError(
                f"--devices {wanted}: there is no card {number}; there {there} here",
                remedy=f"give numbers from 0 to {len(present) - 1}, or `all`",
            )
    kinds = list(dict.fromkeys(present[number].name for number in numbers))
    if len(kinds) > 1:
        raise UsageError(
            f"--devices {wanted}: these cards are of several kinds, whose times must "
            f"not be compared: {', '.join(kinds)}",
            remedy="give cards of one kind",
        )
    return numbers, []


def _numbers(wanted: str) -> tuple[int, ...] | None:
    """The numbers that `--devices` lists, each once; None for `all`."""
    if wanted == "all":
        return None
    if not re.fullmatch(r"\d{1,4}(,\d{1,4})*", wanted, re.ASCII):
        raise UsageError(
            f"--devices {wanted[:40]}: not numbers of cards",
            remedy="such as `all`, `0` or `0,2`",
        )
    return tuple(dict.fromkeys(int(text) for text in wanted.split(",")))
