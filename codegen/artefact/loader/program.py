"""One program of an artefact: checks its arguments and runs its steps.

What a check finds holds for every call whose tensors have the same shapes, types and
device; such calls share their steps. Addresses and numbers are read at each call.
"""

from __future__ import annotations

import itertools
import sys
import threading
from collections.abc import Callable, Sequence
from math import prod
from pathlib import Path
from typing import Any

from .arrays import TYPES, ArgumentError, Given, element_bytes, given, is_tensor
from .driver import DeviceError, driver
from .expressions import compiled
from .kernels import Kernel
from .steps import Frame, Step, StepMaker

_ALIGNMENT = 16
_MOST_CALLS = 256
_BITS = {"i8": 7, "i16": 15, "i32": 31, "index": 31, "i64": 63}
_HOLDS = {"le": int.__le__, "ge": int.__ge__, "eq": int.__eq__}


class Program:
    """A callable on tensors: `program(a, b)`."""

    def __init__(
        self,
        metadata: dict[str, Any],
        number: int,
        kernels: Sequence[Kernel],
        folder: Path,
    ):
        self.metadata = metadata
        self.program: dict[str, Any] = metadata["programs"][number]
        self.name: str = metadata["name"]
        self._arguments: list[dict[str, Any]] = metadata["arguments"]
        self._folder = folder
        self._kernels = kernels
        self._writes = any(spec["written"] for spec in self._arguments)
        self._slots = {name: n for n, name in enumerate(self.program["buffers"])}
        self._known: dict[tuple[Any, ...], list[Step]] = {}
        self._lock = threading.Lock()
        self._places = [
            place for place, spec in enumerate(self._arguments) if not spec["scalar"]
        ]
        """The positions of the tensors among the arguments."""
        self._likeness = likeness_of(self._places, len(self._arguments))
        self._quick: dict[tuple[Any, ...], tuple[int, list[Step]]] = {}
        """Device and steps of calls on torch's tensors that were checked before."""
        self._current_stream: Any = None

    def __call__(self, *arguments: Any, stream: int | None = None) -> Any:
        """Check the arguments, run the steps, return the results.

        Torch's tensors are used on torch's current stream. For other arrays, `stream`
        is the handle of a CUDA stream; without it, the default one.
        """
        if stream is None and self._quick and len(arguments) == len(self._arguments):
            try:
                likeness = self._likeness(*arguments)
            except (AttributeError, RuntimeError):
                likeness = None  # not torch's; or without memory, which is said below
            found = self._quick.get(likeness) if likeness is not None else None
            if found is not None:
                return self._called_before(arguments, *found)
        if len(arguments) != len(self._arguments):
            listed = ", ".join(described(spec) for spec in self._arguments)
            raise ArgumentError(
                f"{self.name} takes {len(self._arguments)} arguments, got "
                f"{len(arguments)}; pass {listed or 'nothing'}"
            )
        torch = self._torch(arguments, stream)
        queue = stream or 0
        if torch is not None:
            first = next((value for value in arguments if is_tensor(value)), None)
            on = torch.cuda.current_device() if first is None else first.get_device()
            if on >= 0:
                queue = torch._C._cuda_getCurrentRawStream(on)
        seen: list[Given] = []
        key: list[Any] = [torch is None]
        numbers: dict[str, Any] = {}
        for value, spec in zip(arguments, self._arguments, strict=True):
            if spec["scalar"]:
                numbers[spec["buffer"]] = self._number(value, spec)
                continue
            one = given(value, spec["name"], queue)
            seen.append(one)
            key += [one.shape, one.dtype, one.device, one.is_contiguous]
            key.append(one.address % _ALIGNMENT)
        if self._writes:
            self._check_apart(seen)
        with self._lock:
            kind = tuple(key)
            steps = self._known.get(kind)
            ordinal = seen[0].device if seen else 0
            sizes = self._check(seen) if steps is None else {}
            device = driver().device(ordinal)
            before = driver().enter(device)
            try:
                if steps is None:
                    steps = self._prepared(ordinal, sizes, torch)
                    if len(self._known) >= _MOST_CALLS:
                        self._known.clear()
                    self._known[kind] = steps
                self._remember(arguments, ordinal, steps, torch)
                addresses = [one.address for one in seen]
                return self._run(steps, addresses, numbers, arguments, queue, torch)
            finally:
                driver().leave(before)

    def _remember(
        self, arguments: Sequence[Any], ordinal: int, steps: list[Step], torch: Any
    ) -> None:
        """Let calls on tensors like these skip the checks.

        Not where the program writes arguments: their addresses are checked each time.
        """
        tensors = [arguments[place] for place in self._places]
        if torch is None or self._writes or not tensors:
            return
        if all(map(is_tensor, tensors)):
            if len(self._quick) >= _MOST_CALLS:
                self._quick.clear()
            self._current_stream = torch._C._cuda_getCurrentRawStream
            self._quick[self._likeness(*arguments)] = ordinal, steps

    def _called_before(
        self, arguments: Sequence[Any], ordinal: int, steps: list[Step]
    ) -> Any:
        """Run the steps; only numbers are checked again."""
        numbers = {
            spec["buffer"]: self._number(value, spec)
            for value, spec in zip(arguments, self._arguments, strict=True)
            if spec["scalar"]
        }
        addresses = [arguments[place].data_ptr() for place in self._places]
        queue = self._current_stream(ordinal)
        with self._lock:
            before = driver().enter(driver().device(ordinal))
            try:
                return self._run(steps, addresses, numbers, arguments, queue, None)
            finally:
                driver().leave(before)

    def check_device(self, ordinal: int = 0) -> str:
        """The name of a device that runs this program; else a `DeviceError`."""
        device = driver().device(ordinal)
        wanted = tuple(self.metadata["target"]["capability"])
        arch: str = self.metadata["target"]["arch"]
        same_major = device.capability[0] == wanted[0]
        fits = (
            device.capability == wanted
            if arch.endswith("a")
            else (same_major and device.capability >= wanted)
        )
        if not fits:
            have, need = (
                ".".join(map(str, one)) for one in (device.capability, wanted)
            )
            raise DeviceError(
                f"{self.name} was built for {self.metadata['target']['name']} ({arch}, "
                f"compute capability {need}), and {device.name} has {have}; build it "
                "for this card: tilewright build ... --target NAME"
            )
        return device.name

    def _torch(self, arguments: Sequence[Any], stream: int | None) -> Any:
        """Torch, where its tensors are passed or the program needs it; else None."""
        if any(map(is_tensor, arguments)):
            if stream is not None:
                raise ArgumentError(
                    "torch's tensors are used on torch's current stream; call inside "
                    "torch.cuda.stream(...) instead of passing a stream"
                )
            return sys.modules["torch"]
        if not self.program["libraries"]:
            return None
        try:
            import torch
        except ImportError as error:
            raise DeviceError(
                f"{self.name} calls torch's libraries, and torch is not installed here"
            ) from error
        return torch

    def _run(
        self,
        steps: Sequence[Step],
        addresses: Sequence[int],
        numbers: dict[str, Any],
        arguments: Sequence[Any],
        queue: int,
        torch: Any,
    ) -> Any:
        frame = Frame(len(self._slots), queue)
        frame.numbers = numbers
        for slot, place in enumerate(self._places):
            value = arguments[place]
            frame.at[slot], frame.owners[slot] = addresses[slot], value
            if self.program["libraries"] and not is_tensor(value):
                frame.owners[slot] = torch.from_dlpack(value)
        for step in steps:
            step(frame)
        made = [frame.owners[self._slots[name]] for name in self.program["results"]]
        if not made:
            return None
        return made[0] if len(made) == 1 else tuple(made)

    def _prepared(self, ordinal: int, sizes: dict[str, int], torch: Any) -> list[Step]:
        self.check_device(ordinal)
        maker = StepMaker(
            self.program, self._kernels, self._folder, ordinal, sizes, torch
        )
        return maker.steps()

    def _check(self, seen: Sequence[Given]) -> dict[str, int]:
        """The sizes of a call; refuses what does not fit."""
        specs = [spec for spec in self._arguments if not spec["scalar"]]
        sizes: dict[str, int] = {}
        places: dict[str, str] = {}
        for one, spec in zip(seen, specs, strict=True):
            self._check_one(one, spec, seen[0], specs[0])
            names = self.program["buffers"][spec["buffer"]]["shape"]
            for dim, (name, size) in enumerate(zip(names, one.shape, strict=True)):
                if isinstance(name, str) and sizes.setdefault(name, size) != size:
                    raise ArgumentError(
                        f"{self.name}: {name} is {sizes[name]} in argument "
                        f"{places[name]} and {size} in '{spec['name']}' (dimension "
                        f"{dim}); pass tensors whose shapes agree"
                    )
                if isinstance(name, str):
                    places.setdefault(name, f"'{spec['name']}' (dimension {dim})")
        for one in self.program["requirements"]:
            left, right = (compiled(one[side])(sizes) for side in ("left", "right"))
            if not _HOLDS[one["predicate"]](left, right):
                message = one["message"].replace("{0}", str(left))
                message = message.replace("{1}", str(right))
                raise ArgumentError(f"{self.name}: {message}")
        return sizes

    def _check_one(
        self, one: Given, spec: dict[str, Any], first: Given, first_spec: dict[str, Any]
    ) -> None:
        name = f"{self.name}: argument '{spec['name']}'"
        wanted = spec["shape"]
        fits = len(one.shape) == len(wanted) and all(
            want is None or want == size
            for want, size in zip(wanted, one.shape, strict=True)
        )
        if not fits:
            raise ArgumentError(
                f"{name} has shape {list(one.shape)}, and the program was built for "
                f"{shape_text(spec)}"
            )
        if not one.holds(spec["dtype"]):
            raise ArgumentError(
                f"{name} has elements of type {one.dtype}, and the program was built "
                f"for {spec['dtype']} ({TYPES[spec['dtype']][0]})"
            )
        if one.device < 0:
            raise ArgumentError(f"{name} is on the CPU; pass one on the GPU")
        if one.device != first.device:
            raise ArgumentError(
                f"{name} is on GPU {one.device}, and '{first_spec['name']}' on GPU "
                f"{first.device}; move all to one"
            )
        if not one.is_contiguous:
            raise ArgumentError(
                f"{name} is not contiguous; pass a contiguous copy, such as "
                f"{spec['name']}.contiguous()"
            )
        if one.address % _ALIGNMENT:
            raise ArgumentError(
                f"{name} begins at an address that {_ALIGNMENT} does not divide; pass "
                f"a copy, such as {spec['name']}.clone()"
            )

    def _check_apart(self, seen: Sequence[Given]) -> None:
        """Refuse a written argument that shares memory with another."""
        specs = [spec for spec in self._arguments if not spec["scalar"]]
        pairs = list(zip(seen, specs, strict=True))
        for (one, spec), (other, beside) in itertools.combinations(pairs, 2):
            if not (spec["written"] or beside["written"]) or one.device != other.device:
                continue
            ends = [
                (
                    view.address,
                    view.address + prod(view.shape) * element_bytes(of["dtype"]),
                )
                for view, of in ((one, spec), (other, beside))
            ]
            if max(ends[0][0], ends[1][0]) < min(ends[0][1], ends[1][1]):
                raise ArgumentError(
                    f"{self.name}: arguments '{spec['name']}' and '{beside['name']}' "
                    "share memory, and the program writes one of them; pass a copy"
                )

    def _number(self, value: Any, spec: dict[str, Any]) -> Any:
        name, dtype = f"{self.name}: argument '{spec['name']}'", spec["dtype"]
        is_float = dtype.startswith(("f", "bf"))
        kinds = (int, float) if is_float else (int,)
        if not isinstance(value, kinds) or isinstance(value, bool) != (dtype == "i1"):
            raise ArgumentError(
                f"{name} is a {type(value).__name__}, and a number of type "
                f"{dtype} is wanted"
            )
        bits = _BITS.get(dtype)
        if bits is not None and not -(2**bits) <= value < 2**bits:
            raise ArgumentError(f"{name} is {value}, which no {dtype} holds")
        return value if not isinstance(value, bool) else int(value)


def likeness_of(places: Sequence[int], count: int) -> Callable[..., tuple[Any, ...]]:
    """A function of a call's arguments: all that a check reads of torch's tensors.

    Its text is written for this number of arguments: a loop takes twice as long.
    """
    names = ", ".join(f"x{place}" for place in range(count))
    read = "{0}.shape, {0}.dtype, {0}.get_device(), {0}.is_contiguous(), "
    read += "{0}.data_ptr() % 16, {0}.is_neg(), "
    entries = "".join(read.format(f"x{place}") for place in places)
    return eval(f"lambda {names}: ({entries})", {})


def shape_text(spec: dict[str, Any]) -> str:
    """`[M, 512]`."""
    sizes = [
        str(size) if size is not None else name
        for size, name in zip(spec["shape"], spec["sizes"], strict=True)
    ]
    return f"[{', '.join(sizes)}]"


def described(spec: dict[str, Any]) -> str:
    """`a (f16 [64, 16])`."""
    if spec["scalar"]:
        return f"{spec['name']} ({spec['dtype']})"
    return f"{spec['name']} ({spec['dtype']} {shape_text(spec)})"
