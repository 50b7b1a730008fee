"""Writing an artefact's folder: binaries, metadata, source, schedule and loader."""

from __future__ import annotations

import hashlib
import json
import platform
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any

from tilewright.codegen.artefact.binaries import Binary
from tilewright.codegen.artefact.loader.metadata import FORMAT
from tilewright.codegen.artefact.plan_metadata import PlanMetadata
from tilewright.codegen.launches.plan import LaunchPlan, MakeConstant
from tilewright.codegen.program import DYNAMIC, GeneratedProgram, TensorSpec
from tilewright.codegen.targets import Target
from tilewright.ir.errors import UserError
from tilewright.version import __version__

_LOADER = Path(__file__).parent / "loader"

_PACKAGE = '''"""{name} for {target}: compiled kernels that run without the compiler.

    import {folder}
    out = {folder}.program({arguments})
"""

from pathlib import Path

try:
    from .loader import ArgumentError, ArtefactError, DeviceError, load
except Exception as error:
    place = Path(__file__).parent / "loader"
    raise ImportError(
        f"{{place}} is damaged: {{error}}; build the artefact again"
    ) from None

program = load(Path(__file__).parent)

__all__ = ["ArgumentError", "ArtefactError", "DeviceError", "program"]
'''

_MAIN = '''"""What this program is, and whether it runs here: `python FOLDER`."""

import sys
from pathlib import Path

place = Path(__file__).parent
try:
    from loader import ArtefactError, DeviceError, load
except Exception as error:
    sys.exit(f"error: {place / 'loader'} is damaged: {error}; build the artefact again")

try:
    artefact = load(place)
    print(artefact.report)
    artefact.check_files()
    print(f"runs here, on {artefact.check_device()}")
except DeviceError as error:
    print(f"does not run here: {error}")
    sys.exit(1)
except (ArtefactError, FileNotFoundError) as error:
    sys.exit(f"error: {error}")
'''


@dataclass(frozen=True)
class Member:
    """One program of an artefact."""

    program: GeneratedProgram
    constants: Mapping[str, bytes]
    """The bytes of the module's constants, by their names there."""
    binaries: Sequence[Sequence[Binary]]
    """The variants of each launch of the plan."""
    schedule: str
    """The schedule with no choices left, as `.tw`."""
    point: Mapping[str, Any] = field(default_factory=dict[str, Any])
    origin: str = ""
    """Where the point comes from, in words; empty if the caller set it."""
    rule: str = ""
    """The condition of a decision table: `M <= 64`."""
    conditions: tuple[tuple[str, str, int], ...] = ()

    @property
    def plan(self) -> LaunchPlan:
        """The program's launches."""
        assert self.program.launch_plan is not None
        return self.program.launch_plan

    @property
    def metadata(self) -> PlanMetadata:
        """The plan as metadata."""
        return PlanMetadata(self.plan, self.program.arguments)


def write_artefact(
    folder: Path,
    members: Sequence[Member],
    target: Target,
    table: Mapping[str, tuple[int, int]] | None = None,
) -> None:
    """Write the folder whole or not at all; an older artefact there is replaced.

    `table` has the argument and the dimension of each size that decides between the
    members.
    """
    refuse_foreign(folder)
    folder.parent.mkdir(parents=True, exist_ok=True)
    made = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    try:
        made.chmod(0o755)
        _fill(made, folder.name, members, target, table)
        if folder.exists():
            old = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
            folder.replace(old)
            made.replace(folder)
            shutil.rmtree(old)
        else:
            made.replace(folder)
    finally:
        shutil.rmtree(made, ignore_errors=True)


def refuse_foreign(folder: Path) -> None:
    """Refuse to write over anything but an artefact."""
    if folder.is_dir() and not any(folder.iterdir()):
        return
    if folder.exists() and not (folder / "metadata.json").is_file():
        raise UserError(
            f"{folder} exists and is not an artefact",
            remedy="name a new folder, or remove it",
        )


def _fill(
    place: Path,
    name: str,
    members: Sequence[Member],
    target: Target,
    table: Mapping[str, tuple[int, int]] | None,
) -> None:
    kernels = _Kernels(place)
    programs: list[dict[str, Any]] = []
    for number, member in enumerate(members):
        suffix = f"_{number}" if len(members) > 1 else ""
        (place / f"source{suffix}.py").write_text(member.program.text)
        (place / f"schedule{suffix}.tw").write_text(member.schedule)
        programs.append(_program(place, member, suffix, kernels))
    first, described = members[0].program, members[0].metadata
    metadata = {
        "format": FORMAT,
        "name": first.entry,
        "arguments": [
            _tensor(spec, described, name)
            for spec, name in zip(
                first.arguments, described.plan.arguments, strict=True
            )
        ],
        "results": [
            _tensor(spec, described, name)
            for spec, name in zip(first.results, described.results, strict=True)
        ],
        "target": {
            "name": target.name,
            "capability": list(target.capability),
            "arch": kernels.arch or f"sm_{target.arch}",
        },
        "made_by": {
            "tilewright": __version__,
            "triton": version("triton"),
            "torch": version("torch"),
            "python": platform.python_version(),
        },
        "table": None if table is None else _table(table, members),
        "programs": programs,
        "kernels": kernels.entries,
    }
    (place / "metadata.json").write_text(json.dumps(metadata, indent=1) + "\n")
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(_LOADER, place / "loader", ignore=ignored)
    arguments = ", ".join(spec.name for spec in first.arguments)
    shown = name if name.isidentifier() else "artefact"
    fields = {"name": first.entry, "target": target.name, "folder": shown}
    (place / "__init__.py").write_text(_PACKAGE.format(arguments=arguments, **fields))
    (place / "__main__.py").write_text(_MAIN)


def _program(
    place: Path, member: Member, suffix: str, kernels: _Kernels
) -> dict[str, Any]:
    plan = member.metadata
    variants = iter(member.binaries)
    constants = iter(s for s in member.plan.steps if isinstance(s, MakeConstant))
    steps: list[dict[str, Any]] = []
    for step in plan.steps:
        entry = dict(step)
        if step["step"] == "launch":
            entry["binaries"] = [kernels.add(binary) for binary in next(variants)]
        elif step["step"] == "constant":
            content = member.constants[next(constants).constant]
            entry["file"] = f"constants/{step['buffer']}{suffix}.bin"
            entry["sha256"] = hashlib.sha256(content).hexdigest()
            (place / "constants").mkdir(exist_ok=True)
            (place / entry["file"]).write_bytes(content)
        steps.append(entry)
    libraries = ""
    if plan.libraries:
        libraries = f"libraries{suffix}.py"
        (place / libraries).write_bytes(plan.libraries.encode())
    return {
        "rule": member.rule,
        "point": dict(member.point),
        "origin": member.origin,
        "source": f"source{suffix}.py",
        "schedule": f"schedule{suffix}.tw",
        "sizes": plan.sizes,
        "requirements": plan.requirements,
        "buffers": plan.buffers,
        "steps": steps,
        "results": plan.results,
        "libraries": libraries,
        "libraries_sha256": hashlib.sha256(plan.libraries.encode()).hexdigest(),
    }


class _Kernels:
    """The binaries of the folder; equal ones are written once."""

    def __init__(self, place: Path):
        self._place = place
        self._known: dict[tuple[Any, ...], int] = {}
        self.entries: list[dict[str, Any]] = []
        self.arch = ""

    def add(self, binary: Binary) -> int:
        """The number of a binary in the metadata."""
        digest = hashlib.sha256(binary.cubin).hexdigest()
        key = (binary.kernel, digest, binary.divisible)
        if key not in self._known:
            number = self._known[key] = len(self.entries)
            self.arch = binary.arch
            file = f"kernels/{binary.kernel}_{number}.cubin"
            (self._place / "kernels").mkdir(exist_ok=True)
            (self._place / file).write_bytes(binary.cubin)
            self.entries.append(
                {
                    "name": binary.kernel,
                    "file": file,
                    "sha256": digest,
                    "divisible_by_16": list(binary.divisible),
                    "warps": binary.warps,
                    "stages": binary.stages,
                    "cluster": 1,
                    "shared_bytes": binary.shared_bytes,
                    "scratch_bytes": 0,
                    "registers": binary.registers,
                    "spill_bytes": binary.spill_bytes,
                    "packed": list(binary.packed),
                    "descriptors": list(binary.descriptors),
                }
            )
        return self._known[key]


def _tensor(spec: TensorSpec, plan: PlanMetadata, buffer: str) -> dict[str, Any]:
    """An argument or a result; open sizes are null, and named under `sizes`."""
    names = spec.extents or ("",) * len(spec.shape)
    read = {place: name for name, place in plan.sizes.items()}
    return {
        "name": spec.name,
        "buffer": buffer,
        "dtype": spec.dtype,
        "shape": [None if size == DYNAMIC else size for size in spec.shape],
        "sizes": [
            (given or read.get((buffer, dim), "any")) if size == DYNAMIC else ""
            for dim, (size, given) in enumerate(zip(spec.shape, names, strict=True))
        ],
        "layout": "row-major, contiguous, address divisible by 16",
        "scalar": spec.is_scalar,
        "written": spec.is_written,
    }


def _table(
    sizes: Mapping[str, tuple[int, int]], members: Sequence[Member]
) -> dict[str, Any]:
    return {
        "sizes": {name: list(place) for name, place in sizes.items()},
        "rules": [
            {
                "rule": m.rule,
                "conditions": [list(c) for c in m.conditions],
                "program": n,
            }
            for n, m in enumerate(members)
        ],
    }
