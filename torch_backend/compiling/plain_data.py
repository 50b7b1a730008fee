"""Values as JSON: objects of known classes, which reading builds and never calls.

    text = to_json(program)
    program = from_json(text)

A pickle may call any function when it is read. Here a file can only ask for objects
of dataclasses and enumerations in modules that are loaded, whose attributes are set
without a call. Their classes are in a table before the value, so that a thousand
objects of one class take little more room than their attributes:

    {"classes": [["tilewright.codegen.program", "DotWork", ["m", "n", "k", ...]]],
     "value": ["tuple", [0, 64, 64, 32, "f16", 8], ...]}

A list begins with the number of its class, or with the name of another kind. `Special`
adds kinds, such as the types of torch.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass, is_dataclass
from enum import Enum
from typing import Any

_PLAIN = (str, int, float, bool, type(None))
_GROUPS: dict[type, str] = {
    tuple: "tuple",
    list: "list",
    set: "set",
    frozenset: "frozenset",
}
_TRUSTED = ("tilewright", "torch")
"""The packages whose classes a file may name."""


class NotPlain(TypeError):
    """A value that has no form as data."""


class DamagedData(ValueError):
    """A text that `to_json` did not write."""


@dataclass(frozen=True)
class Special:
    """A kind of value that is written as plain data by a function of its own."""

    kind: str
    fits: Callable[[Any], bool]
    write: Callable[[Any], Any]
    """Gives plain data: strings, numbers, lists and tuples of them."""
    read: Callable[[Any], Any]


def to_json(value: Any, specials: tuple[Special, ...] = ()) -> str:
    """The text of a value; raises `NotPlain` if it holds anything but data."""
    writer = _Writer(specials)
    written = writer.written(value)
    return json.dumps(
        {"classes": list(writer.classes.values()), "value": written},
        separators=(",", ":"),
    )


def from_json(text: str | bytes, specials: tuple[Special, ...] = ()) -> Any:
    """The value of a text; raises `DamagedData` if it has none."""
    try:
        found = json.loads(text)
        return _reader(found["classes"], specials)(found["value"])
    except DamagedData:
        raise
    except Exception as error:  # every wrong type raises its own
        raise DamagedData(f"{type(error).__name__}: {error}") from error


class _Writer:
    def __init__(self, specials: tuple[Special, ...]):
        self.classes: dict[tuple[Any, ...], list[Any]] = {}
        """The classes that were met, by class and names of attributes."""
        self._numbers: dict[tuple[Any, ...], int] = {}
        self._specials = specials

    def written(self, value: Any) -> Any:
        kind = type(value)
        if kind in _PLAIN:
            return value
        if (group := _GROUPS.get(kind)) is not None:
            return [group, *map(self.written, value)]
        if kind is dict:
            pairs = [self.written(one) for pair in value.items() for one in pair]
            return ["dict", *pairs]
        for special in self._specials:
            if special.fits(value):
                return [special.kind, self.written(special.write(value))]
        if isinstance(value, Enum):
            return [self._number(kind), value.name]
        if not is_dataclass(value) or _says_how_it_is_kept(kind):
            raise NotPlain(f"a {kind.__module__}.{kind.__qualname__} is not data")
        attributes = vars(value)
        number = self._number(kind, *attributes)
        return [number, *map(self.written, attributes.values())]

    def _number(self, kind: type, *attributes: str) -> int:
        key = kind, *attributes
        found = self._numbers.get(key)
        if found is None:
            found = self._numbers[key] = len(self._numbers)
            module, name = kind.__module__, kind.__qualname__
            self.classes[key] = [module, name, attributes]
            if getattr(sys.modules.get(module), name, None) is not kind:
                raise NotPlain(f"{module}.{name} is not found by its name")
        return found


def _says_how_it_is_kept(kind: type) -> bool:
    """Whether objects of a class are more, or something else, than their attributes."""
    names = ("__reduce__", "__reduce_ex__", "__getstate__", "__setstate__")
    return any(
        getattr(kind, name, None) is not getattr(object, name, None) for name in names
    ) or any(vars(base).get("__slots__") for base in kind.__mro__)


def _class_named(module: str, name: str) -> type:
    """A class of a module that is loaded; nothing is imported for a file."""
    if module.split(".")[0] not in _TRUSTED:
        raise DamagedData(f"{module}.{name} is of another package")
    found = getattr(sys.modules[module], name)
    if not isinstance(found, type) or not (
        is_dataclass(found) or issubclass(found, Enum)
    ):
        raise DamagedData(f"{module}.{name} is not a class of data")
    return found


Maker = Callable[[list[Any]], Any]
"""Makes a value of the values in it."""


def _reader(classes: list[Any], specials: tuple[Special, ...]) -> Callable[[Any], Any]:
    """A function from a JSON list to its value; a method would take twice as long."""
    makers: dict[Any, Maker] = {name: group for group, name in _GROUPS.items()}
    makers["dict"] = _paired
    for special in specials:
        makers[special.kind] = lambda values, read=special.read: read(*values)
    for number, (module, name, attributes) in enumerate(classes):
        makers[number] = _maker(_class_named(module, name), attributes)

    def read(data: Any) -> Any:
        values = [read(one) if type(one) is list else one for one in data]
        return makers[values.pop(0)](values)

    return read


def _maker(found: type, attributes: list[str]) -> Maker:
    if issubclass(found, Enum):
        return lambda values: found[values[0]]
    new = object.__new__

    def make(values: list[Any]) -> Any:
        made = new(found)
        # Frozen classes refuse `setattr`.
        made.__dict__.update(zip(attributes, values, strict=True))
        return made

    return make


def _paired(values: list[Any]) -> dict[Any, Any]:
    pairs = iter(values)
    return dict(zip(pairs, pairs, strict=True))
