"""The workers of a cluster: their threads, their cards, and the versions they have.

A worker measures when it was started with the resource `GPU`; others compile. Versions
that differ would give other programs or other times, so they are refused.
"""

from __future__ import annotations

import platform
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from tilewright.codegen.cuda_driver import present_device, present_device_id
from tilewright.codegen.targets import Target, from_properties
from tilewright.ir.errors import UserError
from tilewright.tuning.results.records import Versions

GPU = "GPU"
"""The resource of the workers that measure."""


@dataclass(frozen=True)
class Card:
    """The device that a worker measures on."""

    name: str
    target: Target | None
    identity: str
    """A number that only this card has; empty where the driver does not tell."""


@dataclass(frozen=True)
class CardJob:
    """Ask a worker for its card."""

    device: str

    def run(self) -> Card:
        """The first card that the worker sees."""
        if self.device != "cuda":
            return Card(self.device, None, "")
        found = present_device()
        if found is None:
            raise UserError(
                "torch has no CUDA device there",
                remedy="start the worker without --resources GPU=1",
            )
        return Card(found.name, from_properties(found), present_device_id())


@dataclass(eq=False)
class Member:
    """One Dask worker."""

    address: str
    threads: int
    host: str = ""
    gpus: float = 0.0
    """Its amount of the resource `GPU`."""
    card: Card | None = None
    """Its card, once it has told."""
    has_files: set[str] = field(default_factory=set)
    """Digests of the large files that it has."""
    unusable: str = ""
    """Why it gets no jobs; empty where it gets some."""
    heard: float | None = None
    """Its last heartbeat, by the scheduler's clock."""
    heard_at: float = field(default_factory=time.monotonic)
    """When that changed, by the monotonic clock of this machine."""
    silent: bool = False
    """Whether it has sent no heartbeat for long."""

    @property
    def usable(self) -> bool:
        """Whether it gets jobs."""
        return not self.unusable and not self.silent


def describe() -> Callable[[Any], dict[str, Any]]:
    """A function that describes a Dask worker, to run there.

    It is nested, so that it travels by value: a worker without tilewright runs it too.
    """

    def describe_worker(dask_worker: Any) -> dict[str, Any]:
        import platform

        found: dict[str, Any] = {
            "host": platform.node(),
            "threads": dask_worker.state.nthreads,
            "resources": dict(dask_worker.state.total_resources),
            "python": platform.python_version(),
        }
        try:
            import dataclasses

            from tilewright.tuning.results.records import Versions

            found |= dataclasses.asdict(Versions.current())
        except ImportError as error:
            found["missing"] = str(error)
        return found

    return describe_worker


def member_from(address: str, found: Mapping[str, Any] | Exception) -> Member:
    """The member that a worker describes; unusable where it cannot run our jobs."""
    if isinstance(found, Exception):
        return Member(address, 0, unusable=f"does not answer: {found}")
    return Member(
        address,
        found["threads"],
        found["host"],
        found["resources"].get(GPU, 0.0),
        unusable=mismatch(found),
    )


def mismatch(found: Mapping[str, Any]) -> str:
    """How the versions of a worker differ from those here; empty where they do not."""
    if "missing" in found:
        return f"has no tilewright: {found['missing']}"
    here = {"python": platform.python_version(), **asdict(Versions.current())}
    for package in ("python", "torch", "triton", "tilewright"):
        theirs, ours = _public(found[package]), _public(here[package])
        if package == "python":
            theirs, ours = (text.rsplit(".", 1)[0] for text in (theirs, ours))
        if theirs != ours:
            return f"has {package} {theirs}, and this machine has {ours}"
    if found["sources"] != here["sources"]:
        return "has another state of tilewright's sources than this machine"
    return ""


def _public(version: str) -> str:
    """A version without its build: compile workers may have torch without CUDA."""
    return version.split("+", 1)[0]


def chosen_card(cards: Iterable[Card], wanted: str | None) -> Card:
    """The kind of card to measure on: the wanted one, else the most common one.

    Times of different kinds must not be compared. So a run measures on one kind.
    """
    kinds = list(cards)
    counts = Counter(card.name for card in kinds)
    if wanted is None:
        name = counts.most_common(1)[0][0]
    else:
        names = [name for name in counts if wanted.lower() in name.lower()]
        if len(names) != 1:
            fact = "several cards" if names else "no card"
            raise UserError(
                f"--device {wanted}: {fact} of the cluster have this name",
                remedy=f"one of: {', '.join(sorted(counts))}",
            )
        name = names[0]
    return next(card for card in kinds if card.name == name)
