"""The folder of an artefact: its metadata, and its programs by the sizes of a call."""

from __future__ import annotations

import operator
from pathlib import Path
from typing import Any

from .arrays import given
from .files import printable, read_file
from .kernels import Kernel
from .metadata import read_metadata
from .program import Program, described

_SIGNS: dict[str, Any] = {
    "<=": operator.le,
    "<": operator.lt,
    ">=": operator.ge,
    ">": operator.gt,
    "==": operator.eq,
}


class Artefact:
    """A callable on tensors: `artefact(a, b)`.

    Where the schedule had a decision table, there is a program for each of its rules,
    and the sizes of a call decide.
    """

    def __init__(self, folder: Path, metadata: dict[str, Any]):
        self.folder = folder
        self.metadata = metadata
        kernels = [Kernel(folder, entry) for entry in metadata["kernels"]]
        self.programs = [
            Program(metadata, number, kernels, folder)
            for number in range(len(metadata["programs"]))
        ]
        self._table: dict[str, Any] | None = metadata["table"]

    def __call__(self, *arguments: Any, stream: int | None = None) -> Any:
        """Check the arguments and launch; returns the results."""
        return self.at(*arguments, stream=stream)(*arguments, stream=stream)

    def at(self, *arguments: Any, stream: int | None = None) -> Program:
        """The program for the sizes of these arguments."""
        if self._table is None:
            return self.programs[0]
        sizes: dict[str, int] = {}
        for name, (position, dim) in self._table["sizes"].items():
            value = arguments[position] if position < len(arguments) else None
            shape = getattr(value, "shape", None)
            if shape is None and value is not None:
                shape = given(value, str(position), stream or 0).shape
            if shape is None or dim >= len(shape):
                return self.programs[-1]  # its check says what is wrong
            sizes[name] = shape[dim]
        for rule in self._table["rules"]:
            if all(
                _SIGNS[sign](sizes[name], n) for name, sign, n in rule["conditions"]
            ):
                return self.programs[rule["program"]]
        raise AssertionError("the last rule has no conditions")

    def check_device(self, ordinal: int = 0) -> str:
        """The name of a device that runs this; else a `DeviceError` that says why."""
        return self.programs[0].check_device(ordinal)

    def check_files(self) -> None:
        """Read every file that calls read; an `ArtefactError` names a damaged one."""
        for kernel in self.metadata["kernels"]:
            read_file(self.folder, kernel["file"], kernel["sha256"])
        for program in self.metadata["programs"]:
            for step in program["steps"]:
                if step["step"] == "constant":
                    read_file(self.folder, step["file"], step.get("sha256"))
            if name := program["libraries"]:
                read_file(self.folder, name, program.get("libraries_sha256"))

    @property
    def report(self) -> str:
        """Arguments, results, kernels and where they come from, as text."""
        data = self.metadata
        target, made = data["target"], data["made_by"]
        lines = [f"{data['name']} for {target['name']} ({target['arch']})"]
        lines += [f"  takes    {described(spec)}" for spec in data["arguments"]]
        lines += [f"  returns  {described(spec)}" for spec in data["results"]]
        for program in data["programs"]:
            lines.append(f"  program  {program['rule'] or 'for all sizes'}")
            pairs = ", ".join(f"{n} = {v}" for n, v in program["point"].items())
            lines += [f"    point: {pairs}"] if pairs else []
            lines += [f"    point of {program['origin']}"] if program["origin"] else []
            for step in program["steps"]:
                if step["step"] == "launch":
                    entry = data["kernels"][step["binaries"][0]]
                    grid = " x ".join(map(str, step["grid"]))
                    lines.append(
                        f"    {entry['name']}: grid {grid}, {entry['warps']} warps, "
                        f"{entry['shared_bytes']} bytes shared, {entry['registers']} "
                        f"registers, {len(step['binaries'])} binaries"
                    )
                elif step["step"] == "call":
                    lines.append(f"    library call {step['function']} (needs torch)")
        versions = ", ".join(f"{name} {version}" for name, version in made.items())
        return "\n".join(map(printable, [*lines, f"  made by {versions}"]))


def load(folder: str | Path) -> Artefact:
    """Read an artefact; nothing is loaded onto a device before the first call.

    Damaged metadata is an `ArtefactError`, and so is a damaged file when it is needed.
    """
    place = Path(folder)
    return Artefact(place, read_metadata(place))
