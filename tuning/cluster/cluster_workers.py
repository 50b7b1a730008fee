"""The workers of one run: which of them compile, which measure, and who is gone."""

from __future__ import annotations

import contextlib
import itertools
import time
import uuid
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tilewright.ir.errors import UserError
from tilewright.tuning.cluster.job_runner import release, run_job
from tilewright.tuning.cluster.members import (
    GPU,
    Card,
    CardJob,
    Member,
    chosen_card,
    describe,
    member_from,
)
from tilewright.tuning.cluster.portable_jobs import Packer

if TYPE_CHECKING:
    from distributed import Client, Future

    from tilewright.tuning.cluster.binaries import Binary

_CARD_SECONDS = 300.0
"""Seconds for a worker to look at its card, and to load torch."""
SILENT_SECONDS = 60.0
"""Seconds without a heartbeat after which the jobs of a worker are given to others.
Dask itself waits for five minutes."""
_ANSWER_SECONDS = 20.0
"""Seconds for the scheduler to answer a question."""


class ClusterWorkers:
    """The Dask workers that run the jobs of one tuning run."""

    def __init__(
        self,
        client: Client,
        *,
        device: str = "cuda",
        kind: str | None = None,
        joining: bool = True,
    ) -> None:
        """Look at the workers; `kind` is the name of the card to measure on.

        With `joining`, others may join soon, and the first card is waited for.
        """
        self.client = client
        self.run = uuid.uuid4().hex[:16]
        self.packer = Packer()
        self.binaries: dict[str, dict[str, Binary]] = {}
        """Compiled kernels by the digest of their program's source, and by key."""
        self.warnings: list[str] = []
        self._device = device
        self._address = str(client.scheduler.address) if client.scheduler else "?"
        self._members: dict[str, Member] = {}
        self._probes: dict[str, Future] = {}
        self._warming: list[Future] = []
        """Jobs that start processes; Dask drops a job that nobody refers to."""
        self._numbers = itertools.count()
        self._refreshed = 0.0
        self._listened = time.monotonic()
        self.card: Card | None = None
        """The kind of card to measure on; None where no worker has one."""
        # Seconds to wait for the first worker with a card, when others are there.
        self._start(kind, 3.0 if joining else 0.0)

    def compilers(self) -> list[Member]:
        """The workers that compile: those without a card, else all."""
        usable = [one for one in self._members.values() if one.usable]
        return [one for one in usable if not one.gpus] or usable

    def measurers(self) -> list[Member]:
        """The workers that have the chosen kind of card."""
        if self.card is None:
            raise UserError(
                f"no worker of the cluster at {self._address} measures",
                remedy="start a worker with --resources GPU=1 for each card",
            )
        return [
            one
            for one in self._members.values()
            if one.usable and one.card and one.card.name == self.card.name
        ]

    def other_cards(self) -> list[str]:
        """The names of the kinds of cards that this run does not use."""
        assert self.card is not None
        names = {one.card.name for one in self._members.values() if one.card}
        return sorted(names - {self.card.name})

    @property
    def compile_threads(self) -> int:
        """Compilations that run at the same time."""
        return sum(one.threads for one in self.compilers())

    def has(self, member: Member) -> bool:
        """Whether a worker is still there, and alive."""
        return self._members.get(member.address) is member and not member.silent

    @property
    def next_refresh(self) -> float:
        """When to look at the workers again, on the monotonic clock."""
        return self._refreshed + 1.0

    def refresh(self) -> None:
        """Notice workers that came or went; raises where the scheduler is gone."""
        if self.client.status != "running":
            raise self._lost()
        if time.monotonic() < self.next_refresh:
            return
        present = self._ask(
            lambda: self.client.nthreads(callback_timeout=_ANSWER_SECONDS)
        )
        for address in set(self._members) - set(present):
            del self._members[address]
            self._probes.pop(address, None)
        self._welcome(sorted(set(present) - set(self._members)))
        self._read_probes()
        now = time.monotonic()
        if now - self._listened > 5.0:
            self._listened = now
            self._listen(now)
        self._refreshed = time.monotonic()

    def _listen(self, now: float) -> None:
        """Notice workers that are silent: their machine hangs, or is cut off."""
        told = self._ask(self.client.scheduler_info).get("workers", {})
        for address, member in self._members.items():
            heard = told.get(address, {}).get("last_seen")
            # The scheduler's clock may differ from ours: only a change counts.
            if heard != member.heard:
                member.heard, member.heard_at = heard, now
            member.silent = heard is not None and now - member.heard_at > SILENT_SECONDS

    def submit(
        self, member: Member, preload: str, *arguments: object, gpu: bool
    ) -> Future:
        """Run a job on a worker: arguments are those of `run_job` after `on_card`."""
        return self.client.submit(
            run_job,
            self.run,
            preload,
            1 if gpu else member.threads,
            gpu,
            *arguments,
            key=f"tilewright-{preload}-{self.run}-{next(self._numbers)}",
            workers=[member.address],
            allow_other_workers=False,
            # Half of it: one job loads its program while another has the card.
            resources={GPU: member.gpus / 2} if gpu else None,
            pure=False,
        )

    def warm(self) -> None:
        """Start the processes of all workers: they load torch, which takes seconds."""
        job = self.packer.pack(CardJob("none"))
        measurers = [] if self.card is None else self.measurers()
        self._warming = [
            self.submit(member, "measure", job, {}, _CARD_SECONDS, gpu=True)
            for member in measurers
        ]
        self._warming += [
            self.submit(member, "compile", job, {}, _CARD_SECONDS, gpu=False)
            for member in self.compilers()
            for _ in range(member.threads)
        ]

    def close(self) -> None:
        """End the processes of this run on all workers."""
        alive = [one.address for one in self._members.values() if not one.silent]
        if alive and self.client.status == "running":
            with contextlib.suppress(Exception):
                # Seconds for the workers to end their processes; they end by themselves
                # later.
                self.client.run(
                    release,
                    self.run,
                    workers=alive,
                    on_error="ignore",
                    callback_timeout=5.0,
                )

    def _start(self, kind: str | None, patience: float) -> None:
        until = time.monotonic() + 60.0
        while not self._members:
            if time.monotonic() > until:
                raise UserError(
                    f"the scheduler at {self._address} has no workers",
                    remedy="start some, such as `dask worker ADDRESS --nthreads 8`, "
                    "and `dask worker ADDRESS --resources GPU=1` for each card",
                )
            self._refreshed = 0.0
            self.refresh()
            time.sleep(0.0 if self._members else 0.1)
        wrong = {m.address: m.unusable for m in self._members.values() if m.unusable}
        if wrong:
            address, reason = next(iter(wrong.items()))
            raise UserError(
                f"{len(wrong)} of {len(self._members)} workers cannot run this; the "
                f"one at {address} {reason}",
                remedy="install the same versions there, and start the worker again",
            )
        joined = time.monotonic()
        # Workers that were started together do not join at once.
        while not self._has_cards() and time.monotonic() < joined + patience:
            time.sleep(0.1)
            self.refresh()
        until = time.monotonic() + _CARD_SECONDS
        while self._probes and time.monotonic() < until:
            time.sleep(0.02)
            self.refresh()
            self._read_probes()
        cards = [one.card for one in self._members.values() if one.card is not None]
        if cards:
            self.card = chosen_card(cards, kind)
        elif kind is not None:
            raise UserError(
                f"--device {kind}: no worker of the cluster has a card",
                remedy="start workers with --resources GPU=1 on machines with a GPU",
            )

    def _has_cards(self) -> bool:
        return any(member.gpus for member in self._members.values())

    def _welcome(self, addresses: list[str]) -> None:
        """Take in new workers; ask those with a card for it."""
        if not addresses:
            return
        try:
            found: Any = self.client.run(
                describe(),
                workers=addresses,
                on_error="return",
                callback_timeout=_ANSWER_SECONDS,
            )
        except (OSError, TimeoutError) as error:
            found = dict.fromkeys(addresses, error)
        for address, description in found.items():
            member = member_from(address, description)
            self._members[address] = member
            if member.unusable and self.card is not None:
                self.warnings.append(f"the worker at {address} {member.unusable}")
            if member.gpus and not member.unusable:
                job = self.packer.pack(CardJob(self._device))
                self._probes[address] = self.submit(
                    member, "", job, {}, _CARD_SECONDS, gpu=True
                )

    def _read_probes(self) -> None:
        for address, probe in list(self._probes.items()):
            if probe.status == "pending":
                continue
            del self._probes[address]
            member = self._members[address]
            try:
                done = probe.result(timeout=_ANSWER_SECONDS)
            except Exception as error:  # noqa: BLE001 - whatever the worker raises
                member.unusable = f"cannot use its card: {error}"
                continue
            if done.ending != "ok":
                member.unusable = f"cannot use its card: {done.error}"
                continue
            card: Card = done.value.value
            twin = self._member_with(card)
            if twin is not None:
                member.unusable = f"has the same card as the worker at {twin.address}"
                self.warnings.append(f"the worker at {address} {member.unusable}")
                continue
            member.card = card

    def _member_with(self, card: Card) -> Member | None:
        if not card.identity:
            return None
        for one in self._members.values():
            if one.card is not None and one.card.identity == card.identity:
                return one
        return None

    def _ask(self, question: Callable[[], Any]) -> dict[str, Any]:
        try:
            return question()
        except (OSError, TimeoutError, ValueError, AttributeError) as error:
            raise self._lost() from error

    def _lost(self) -> UserError:
        return UserError(
            f"the connection to the Dask scheduler at {self._address} is lost",
            remedy="trials that had ended are in the results file: start the scheduler "
            "and its workers, and run the same command again",
        )
