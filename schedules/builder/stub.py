"""Writes `verbs.pyi`, the typed signatures of all verbs, from the table of verbs.

    python -m tilewright.schedules.builder.stub

A test compares the file with the table.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from pathlib import Path

from xdsl.ir import Attribute

from tilewright.ir.structured.roles import Role
from tilewright.schedules.builder.signatures import (
    RESULTS,
    VALUE,
    Parameter,
    Signature,
    python_name,
)
from tilewright.schedules.language.verbs.forms import Kind
from tilewright.schedules.language.verbs.vocabulary import FUNCTIONS, VERBS
from tilewright.transforms.core.base import (
    TransformOpHandleType,
    TransformValueHandleType,
)

STUB = Path(__file__).with_name("verbs.pyi")
WIDTH = 88

TYPES: Mapping[Kind, str] = {
    Kind.HANDLE: "Handle",
    Kind.PARAM: "Param",
    Kind.SIZES: "Sizes",
    Kind.NUMBERS: "Loops",
    Kind.NAMES: "Names",
    Kind.ROLE: "RoleName",
    Kind.STRING: "str",
    Kind.STRINGS: "Names",
    Kind.SETTING: "str",
    Kind.SETTINGS: "Attributes",
    Kind.ANY: "Given",
}
"""The Python type of what fills a slot."""

HEAD = '''\
"""The verbs as methods, for editors and type checkers.

Written by `python -m tilewright.schedules.builder.stub`; change the table of verbs.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

from tilewright.schedules.builder.signatures import Signature
from tilewright.schedules.builder.trees import Attributes, Given, Loops, Names, Sizes
from tilewright.schedules.builder.values import Handle, Param, Values

RoleName: TypeAlias = Literal[
ROLES
]

def signature_text(signature: Signature) -> str: ...

class Verbs(ABC):
    """The verbs and functions of the language as methods."""

    @abstractmethod
    def do(self, signature: Signature, given: Mapping[str, Any]) -> Any: ...
    @abstractmethod
    def call(self, function: str, handles: tuple[Any, ...]) -> Any: ...
'''


def stub_text() -> str:
    """The text of `verbs.pyi`."""
    roles = "\n".join(f'    "{role}",' for role in Role)
    lines = [HEAD.rstrip("\n").replace("ROLES", roles)]
    for verb in VERBS:
        lines += _method(Signature(verb))
    for name in FUNCTIONS:
        lines += [
            f"    def {python_name(name)}(self, *handles: Handle) -> Handle:",
            f'        """Several handles as one: `{name}(HANDLE, ...)`."""',
        ]
    return "\n".join(lines) + "\n"


def _method(signature: Signature) -> Iterator[str]:
    yield f"    def {signature.name}("
    yield "        self,"
    is_keyword = False
    for parameter in signature.parameters:
        if parameter.is_keyword and not is_keyword:
            is_keyword = True
            yield "        *,"
        yield f"        {_parameter(parameter)},"
        if parameter.slot.kind is Kind.SETTING:
            yield f"        {VALUE}: Param | None = None,"
    if signature.counts_names:
        if not is_keyword:
            yield "        *,"
        yield f"        {RESULTS}: int | None = None,"
    yield f"    ) -> {_returned(signature)}:"
    yield from _docstring(signature)


def _parameter(parameter: Parameter) -> str:
    of = TYPES[parameter.slot.kind]
    end = " | None = None" if parameter.is_optional else ""
    return f"{parameter.name}: {of}{end}"


def _returned(signature: Signature) -> str:
    """The type of what the method gives."""
    if signature.result_count is None:
        return "tuple[Handle, ...]"
    if signature.result_count == 0:
        return "None"
    types = [_type(of) for _, of in signature.schemas[0].results]
    return types[0] if len(types) == 1 else f"tuple[{', '.join(types)}]"


def _type(of: Attribute) -> str:
    if isinstance(of, TransformOpHandleType):
        return "Handle"
    assert isinstance(of, TransformValueHandleType), of
    return "Values"


def _docstring(signature: Signature) -> Iterator[str]:
    """What the verb does, its statement in `.tw`, and what it gives."""
    summary = signature.verb.doc
    yield from _wrapped(f'"""{summary[0].upper()}{summary[1:]}.')
    yield ""
    yield from _wrapped(f"In `.tw`: `{signature.verb.form.usage}`.")
    if results := _results(signature):
        yield from _wrapped(f"Gives {results}.")
    yield '        """'


def _wrapped(text: str) -> list[str]:
    indent = " " * 8
    return textwrap.wrap(
        text,
        WIDTH,
        initial_indent=indent,
        subsequent_indent=indent,
        break_long_words=False,
    )


def _results(signature: Signature) -> str:
    """The results by their names in the op's definition."""
    lists: list[str] = []
    for schema in signature.schemas:
        names = [name for name, _ in schema.op.get_irdl_definition().results]
        pairs = zip(names, schema.results, strict=True)
        shown = [f"{name}..." if is_any else name for name, (is_any, _) in pairs]
        if shown:
            lists.append(f"`{', '.join(shown)}`")
    return " or ".join(dict.fromkeys(lists))


def main() -> None:
    """Write the file."""
    STUB.write_text(stub_text(), encoding="utf-8")


if __name__ == "__main__":
    main()
