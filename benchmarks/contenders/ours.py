"""Our own contenders: a payload and a schedule, compiled by tilewright.

tilewright is imported only when there is something to compile, so the rivals can be
timed without it.
"""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from tilewright.codegen.targets import Target
    from tilewright.schedules.schedule import Schedule

GENERATOR = Path(__file__).parents[2] / "examples" / "matmul_relu" / "generate.py"
SPECIFICATION = re.compile(r"(?P<name>[^=:]+)=(?P<schedule>[^:]+)(:(?P<point>.+))?")


@dataclass(frozen=True)
class Ours:
    """A schedule with a point: the values of its knobs, the labels of its branches."""

    name: str
    schedule: Path | None
    """None for what the planner writes."""
    point: dict[str, int | str] = field(default_factory=dict)

    @property
    def config(self) -> str:
        """The point as text; the schedule's file name where nothing is left open."""
        text = " ".join(f"{name}={value}" for name, value in self.point.items())
        return text or self.file_name

    @property
    def file_name(self) -> str:
        """The name of the schedule's file, or "planned"."""
        return self.schedule.name if self.schedule else "planned"

    @property
    def source(self) -> str | None:
        """The schedule as `tilewright.compile` takes it."""
        return None if self.schedule is None else str(self.schedule)

    def read(self, module: ModuleOp, target: Target) -> Schedule:
        """The schedule of the file, or the one that the planner writes."""
        from tilewright.planning.plan import plan
        from tilewright.schedules.schedule import Schedule

        if self.schedule is None:
            return plan(module, target).schedule
        return Schedule.from_path(self.schedule)


def parse(text: str) -> Ours:
    """Read NAME=SCHEDULE.tw[:BM=128,BN=256,loads=descriptors,...]."""
    match = SPECIFICATION.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} is not NAME=SCHEDULE.tw[:KNOB=VALUE,...]")
    point: dict[str, int | str] = {}
    for setting in (match["point"] or "").split(","):
        knob, equals, value = (part.strip() for part in setting.partition("="))
        if match["point"] and not (knob and equals and value):
            raise ValueError(f"{setting!r} in {text!r} is not KNOB=VALUE")
        if knob:
            point[knob] = int(value) if value.lstrip("-").isdecimal() else value
    return Ours(match["name"].strip(), Path(match["schedule"].strip()), point)


def generated_payload(m: int, n: int, k: int, dtype: str) -> str:
    """The example's payload, as text, at another size or dtype."""
    if not GENERATOR.exists():
        raise FileNotFoundError(f"{GENERATOR} is missing; give --payload FILE.mlir")
    specification = importlib.util.spec_from_file_location("generate", GENERATOR)
    assert specification is not None and specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module.payload_text(m, n, k, dtype)


def build(
    ours: Ours, payload: str, a: torch.Tensor, b: torch.Tensor
) -> Callable[[], torch.Tensor]:
    """Compile and bind to tensors; `payload` is a path or the text itself."""
    import tilewright

    program = tilewright.compile(payload, ours.source, target="auto", **ours.point)
    return lambda: program(a, b)
