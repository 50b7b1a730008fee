"""What is kept of a trial: one record a point, device and set of versions."""

from __future__ import annotations

import functools
import hashlib
import importlib.metadata
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
"""`invalid`: the schedule does not apply at this point; `pruned`: never run, because
it cannot fit or was estimated hopeless; `wrong`: ran, with wrong numbers."""

Cause: TypeAlias = Literal["candidate", "environment"]
"""Who is to blame for a failure: the candidate, or what happened to it (a full disk, a
worker killed from outside, a machine too busy). The second is tried again."""

CAUSES: tuple[Cause, ...] = get_args(Cause)
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)


@dataclass(frozen=True)
class Versions:
    """Everything whose change may change a measurement."""

    torch: str
    triton: str
    tilewright: str
    sources: str = ""
    """Hash of the compiler's own files: the same point may now give another program."""

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
    """What a measurement is about, besides the point."""

    payload: str
    """Hash of the payload."""
    schedule: str
    """Hash of the schedule, choices open."""
    device: str
    """The device's name; for estimates, the cost model and its target."""
    versions: Versions
    sizes: str = ""
    """The sizes that the payload leaves open, in words."""
    payload_name: str = field(default="", compare=False)
    schedule_name: str = field(default="", compare=False)
    """What people call them; the hashes identify them."""


@dataclass(frozen=True)
class Final:
    """The result of the last, interleaved timing, in milliseconds."""

    median: float
    low: float
    high: float
    """The 95 % confidence interval of the median."""


@dataclass(frozen=True)
class Record:
    """What became of a point."""

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
    """Of a failure: one that the environment caused is no verdict on the point."""
    stats: tuple[CompiledStats, ...] = ()
    seconds: dict[str, float] = field(default_factory=dict)
    """Where the trial's time went."""
    final: Final | None = None
    created: str = ""
    """UTC, ISO 8601; set when recorded."""

    @property
    def milliseconds(self) -> float | None:
        """The figure to rank by: the final timing's, else the trial's median."""
        return self.p50 if self.final is None else self.final.median

    def as_json(self) -> dict[str, Any]:
        """The record as plain data."""
        return asdict(self)


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
