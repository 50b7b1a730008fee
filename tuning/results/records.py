"""Records of trials: one for each point, device and set of versions."""

from __future__ import annotations

import functools
import hashlib
import importlib.metadata
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

from tilewright import version
from tilewright.codegen.runtime.compile import CompiledStats

if TYPE_CHECKING:
    from tilewright.tuning.space.choices import Point

Outcome: TypeAlias = Literal[
    "ok", "invalid", "pruned", "compile_error", "wrong", "timeout", "crash"
]
"""`invalid`: the schedule does not apply at this point; `pruned`: not run, because it
does not fit the target; `wrong`: ran, with wrong results."""

Cause: TypeAlias = Literal["candidate", "environment"]
"""The cause of a failure: the candidate itself, or the environment (a full disk, a
worker killed from outside, a busy machine). The latter is tried again."""

UNKNOWN_SIZE = 0
"""A size of a payload that no type and no argument has."""

CAUSES: tuple[Cause, ...] = get_args(Cause)
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)


@dataclass(frozen=True)
class Versions:
    """The versions of everything that may affect a measurement."""

    torch: str
    triton: str
    tilewright: str
    sources: str = ""
    """Hash of the compiler's source files: a change may give another program."""

    @staticmethod
    def current() -> Versions:
        """The versions installed here, read without importing the packages."""
        return Versions(
            torch=_version("torch"),
            triton=_version("triton"),
            tilewright=version.__version__,
            sources=_sources_hash(),
        )


@dataclass(frozen=True)
class Setting:
    """The payload, schedule, device, versions and sizes of a record."""

    payload: str
    """Hash of the payload."""
    schedule: str
    """Hash of the schedule with its choices open."""
    device: str
    """The device's name; for estimates, the cost model and its target."""
    versions: Versions
    sizes: str = ""
    """The sizes that the payload leaves open, in words."""
    payload_name: str = field(default="", compare=False)
    schedule_name: str = field(default="", compare=False)
    """File names, for reports; the hashes identify payload and schedule."""
    family: str = field(default="", compare=False)
    """Hash of the payload without its sizes (`transfer/family.py`)."""
    extents: tuple[tuple[int, ...], ...] = field(default=(), compare=False)
    """The sizes of the payload, once for each size that is timed."""


@dataclass(frozen=True)
class Final:
    """The result of the final round, in milliseconds."""

    median: float
    low: float
    high: float
    """The 95 % confidence interval of the median."""


@dataclass(frozen=True)
class Record:
    """The outcome and the times of a point."""

    setting: Setting
    point: Point
    program: str
    """Key of the generated program; empty where none was generated."""
    outcome: Outcome
    measured: bool
    """False where the times are the cost model's."""
    p20: float | None = None
    p50: float | None = None
    p80: float | None = None
    """Milliseconds; over several sizes, the geometric mean."""
    each: tuple[float, ...] = ()
    """The median at every size, where there are several."""
    repetitions: int = 0
    error: str = ""
    cause: Cause = "candidate"
    """The cause of a failure; one by the environment says nothing about the point."""
    stats: tuple[CompiledStats, ...] = ()
    seconds: dict[str, float] = field(default_factory=dict)
    """Where the trial's time went."""
    features: dict[str, float] = field(default_factory=dict)
    """The program as numbers (`learning/features.py`); empty without a program, and in
    older records."""
    final: Final | None = None
    created: str = ""
    """UTC, ISO 8601; set when recorded."""
    closed: str = ""
    """Hash of the schedule with its choices closed (`schedules/closed_key.py`), which
    identifies the record; empty in older records, and where there is no schedule."""

    @property
    def milliseconds(self) -> float | None:
        """The time to rank by: the final round's, else the trial's median."""
        return self.p50 if self.final is None else self.final.median

    def as_json(self) -> dict[str, Any]:
        """The record as plain data."""
        return asdict(self)


def sizes_text(sizes: Sequence[int]) -> str:
    """`4096x4096x512`; a size that is not known is `?`."""
    return "x".join("?" if size == UNKNOWN_SIZE else str(size) for size in sizes)


def text_hash(text: str) -> str:
    """The hash that identifies a payload or a schedule by its printed text."""
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def _version(package: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return "none"


@functools.cache
def _sources_hash() -> str:
    root = Path(version.__file__).parent
    digest = hashlib.sha256()
    for folder in ("ir", "transforms", "schedules", "codegen"):
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in (".py", ".tw", ".lark"):
                digest.update(path.name.encode())
                digest.update(path.read_bytes())
    for path in sorted(root.glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]
