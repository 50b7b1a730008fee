"""The metadata of an artefact: its form is checked when it is read.

An error names the first value that is something else, with its place:
`programs[0].steps[2].grid is missing`.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from .arrays import TYPES
from .expressions import compiled, names_in
from .files import ArtefactError, damaged, printable, read_file
from .forms import (
    Form,
    Wrong,
    anything,
    by_name,
    count,
    each,
    is_a,
    kind_of,
    list_of,
    object_with,
    one_of,
    or_null,
)

FORMAT = 1
NAME = "metadata.json"


def read_metadata(folder: Path) -> dict[str, Any]:
    """The metadata of a folder; raises an `ArtefactError` if it is damaged."""
    path = folder / NAME
    if not path.exists():
        raise FileNotFoundError(
            f"{printable(folder)} is not an artefact: it has no {NAME}; name the "
            "folder that 'tilewright build' wrote"
        )
    try:
        found = json.loads(read_file(folder, NAME).decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise damaged(path, f"it is not JSON ({error})") from None
    if not isinstance(found, dict):
        raise damaged(path, f"it is {kind_of(found)} instead of an object")
    version = found.get("format")
    if type(version) is not int or version != FORMAT:
        shown = f"format {str(version)[:40]}" if "format" in found else "no format"
        raise ArtefactError(
            f"{path} has {shown}, and this loader reads format {FORMAT}; use the "
            "loader in the artefact's own folder, or build the artefact again"
        )
    try:
        _METADATA(found, "")
        _check_references(found)
    except Wrong as error:
        raise damaged(path, str(error)) from None
    return found


def _expression(value: Any, place: str) -> None:
    if type(value) is int:
        return
    is_a(str)(value, place)
    try:
        compiled(value)
    except ValueError as error:
        raise Wrong(f"{place}: {error}") from None


_TEXT, _FLAG = is_a(str), is_a(bool)
_DTYPE = is_a(str, *TYPES)
_TENSOR = object_with(
    name=_TEXT,
    buffer=_TEXT,
    dtype=_DTYPE,
    shape=list_of(or_null(count)),
    sizes=list_of(_TEXT),
    scalar=_FLAG,
    written=_FLAG,
)
_WINDOW = list_of(list_of(count, 2))
_PARAMETERS: dict[str, Form] = {
    "pointer": object_with(buffer=_TEXT),
    "descriptor": object_with(buffer=_TEXT, extents=or_null(list_of(count))),
    "number": object_with({"argument": _TEXT, "value": _expression}),
}
_STEPS: dict[str, Form] = {
    "allocate": object_with(buffer=_TEXT),
    "constant": object_with({"sha256": _TEXT}, buffer=_TEXT, file=_TEXT),
    "counters": object_with(buffer=_TEXT),
    "view": object_with(buffer=_TEXT, of=_TEXT),
    "copy": object_with(**{"from": _TEXT, "to": _TEXT}),
    "copy_window": object_with(
        **{"from": _TEXT, "from_window": _WINDOW, "to": _TEXT, "to_window": _WINDOW}
    ),
    "launch": object_with(
        grid=list_of(_expression),
        programs_per_multiprocessor=count,
        stream=count,
        parameters=list_of(one_of(_PARAMETERS, "kind")),
        binaries=list_of(count),
    ),
    "call": object_with(function=_TEXT, buffers=list_of(_TEXT)),
    "record": object_with(event=_TEXT, stream=count),
    "wait": object_with(event=_TEXT, stream=count),
}
_NUMBERS = ("i32", "i64", "fp32")


_PROGRAM = object_with(
    {"libraries_sha256": _TEXT},
    rule=_TEXT,
    point=by_name(anything),
    origin=_TEXT,
    requirements=list_of(
        object_with(
            predicate=is_a(str, "le", "ge", "eq"),
            left=_expression,
            right=_expression,
            message=_TEXT,
        )
    ),
    buffers=by_name(object_with(dtype=_DTYPE, shape=list_of(_expression))),
    steps=list_of(one_of(_STEPS, "step")),
    results=list_of(_TEXT),
    libraries=_TEXT,
)
_KERNEL = object_with(
    name=_TEXT,
    file=_TEXT,
    sha256=_TEXT,
    divisible_by_16=list_of(count),
    warps=count,
    shared_bytes=count,
    registers=count,
    packed=list_of(is_a(str, "pointer", "tensormap", *_NUMBERS)),
    descriptors=list_of(
        object_with(
            elem_size=count, elem_type=count, swizzle=count, block_size=list_of(count)
        )
    ),
)
_RULE = object_with(
    conditions=list_of(each(_TEXT, is_a(str, "<=", "<", ">=", ">", "=="), is_a(int))),
    program=count,
)
_METADATA = object_with(
    name=_TEXT,
    arguments=list_of(_TENSOR),
    results=list_of(_TENSOR),
    target=object_with(name=_TEXT, capability=list_of(count, 2), arch=_TEXT),
    made_by=by_name(_TEXT),
    table=or_null(object_with(sizes=by_name(list_of(count, 2)), rules=list_of(_RULE))),
    programs=list_of(_PROGRAM),
    kernels=list_of(_KERNEL),
)


def _check_references(found: dict[str, Any]) -> None:
    """What one part says of another: buffers, binaries and programs."""
    if not found["programs"]:
        raise Wrong("programs is empty")
    for kind in ("arguments", "results"):
        for number, spec in enumerate(found[kind]):
            if len(spec["sizes"]) != len(spec["shape"]):
                raise Wrong(f"{kind}[{number}] has other sizes than its shape")
    for number, program in enumerate(found["programs"]):
        _check_program(found, program, f"programs[{number}]")
    if found["table"] is not None:
        rules, sizes = found["table"]["rules"], found["table"]["sizes"]
        if not rules or rules[-1]["conditions"]:
            raise Wrong("table.rules has no last rule for all sizes")
        for number, rule in enumerate(rules):
            if rule["program"] >= len(found["programs"]):
                raise Wrong(f"table.rules[{number}].program does not exist")
            if any(name not in sizes for name, _, _ in rule["conditions"]):
                raise Wrong(f"table.rules[{number}] reads a size that is not given")


def _check_program(found: dict[str, Any], program: dict[str, Any], place: str) -> None:
    buffers = program["buffers"]
    tensors = [spec for spec in found["arguments"] if not spec["scalar"]]
    for spec in tensors:
        shape = buffers.get(spec["buffer"], {}).get("shape")
        if shape is None or len(shape) != len(spec["shape"]):
            raise Wrong(f"{place}.buffers does not fit argument {spec['name']!r}")
    sizes = {
        size
        for spec in tensors
        for size in buffers[spec["buffer"]]["shape"]
        if isinstance(size, str)
    }
    for one in program["requirements"]:
        _check_names(sizes, f"{place}.requirements", one["left"], one["right"])
    for name, one in buffers.items():
        _check_names(sizes, f"{place}.buffers.{name}", *one["shape"])
    _check_buffers(buffers, f"{place}.results", program["results"])
    numbers = {spec["buffer"] for spec in found["arguments"] if spec["scalar"]}
    events: set[str] = set()
    for number, step in enumerate(program["steps"]):
        at = f"{place}.steps[{number}]"
        names = [step[key] for key in ("buffer", "of", "from", "to") if key in step]
        _check_buffers(buffers, at, [*names, *step.get("buffers", ())])
        if step["step"] == "record":
            events.add(step["event"])
        elif step["step"] == "wait" and step["event"] not in events:
            raise Wrong(f"{at} waits for {step['event']!r}, which is not recorded")
        elif step["step"] == "call" and not program["libraries"]:
            raise Wrong(f"{place}.libraries is empty, and {at} calls one")
        elif step["step"] == "launch":
            _check_names(sizes, f"{at}.grid", *step["grid"])
            _check_launch(step, at, found["kernels"], buffers, sizes, numbers)


def _check_launch(
    step: dict[str, Any],
    place: str,
    kernels: list[dict[str, Any]],
    buffers: dict[str, Any],
    sizes: set[str],
    numbers: set[str],
) -> None:
    """Check that the parameters of a launch are those that its binaries take."""
    packed = tensor_maps = scalars = 0
    for one in step["parameters"]:
        packed += 1
        if one["kind"] == "number":
            scalars += 1
            if "argument" in one and one["argument"] not in numbers:
                raise Wrong(f"{place}.parameters reads a number that is not given")
            if "argument" not in one and "value" not in one:
                raise Wrong(f"{place}.parameters has a number without a value")
            _check_names(sizes, f"{place}.parameters", one.get("value", 0))
            continue
        _check_buffers(buffers, f"{place}.parameters", [one["buffer"]])
        if one["kind"] == "descriptor":
            tensor_maps += 1
            packed += 2 * len(buffers[one["buffer"]]["shape"])
    if not step["binaries"]:
        raise Wrong(f"{place}.binaries is empty")
    for index in step["binaries"]:
        if index >= len(kernels):
            raise Wrong(f"{place}.binaries names a kernel {index} that is not there")
        kernel = kernels[index]
        if len(kernel["packed"]) < packed or len(kernel["descriptors"]) < tensor_maps:
            raise Wrong(f"kernels[{index}] takes other parameters than {place} gives")
        if any(one >= scalars for one in kernel["divisible_by_16"]):
            raise Wrong(f"kernels[{index}].divisible_by_16 names no number")


def _check_buffers(buffers: dict[str, Any], place: str, names: list[str]) -> None:
    for name in names:
        if name not in buffers:
            raise Wrong(f"{place} names a buffer {name!r} that is not there")


def _check_names(sizes: set[str], place: str, *expressions: int | str) -> None:
    for text in expressions:
        if isinstance(text, str) and text not in sizes and not names_in(text) <= sizes:
            raise Wrong(f"{place} has {text!r}, with a size that no argument gives")
