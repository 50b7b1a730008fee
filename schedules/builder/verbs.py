"""Every verb of the language as a method, made from the table of verbs.

`verbs.pyi` says the same to editors and type checkers. After a change of a verb:

    python -m tilewright.schedules.builder.stub
"""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any

from tilewright.ir.errors import UserError
from tilewright.schedules.builder.call_site import call_site
from tilewright.schedules.builder.signatures import (
    RESULTS,
    VALUE,
    Parameter,
    Signature,
    python_name,
)
from tilewright.schedules.language.verbs.forms import Kind
from tilewright.schedules.language.verbs.vocabulary import FUNCTIONS, VERBS


class Verbs(ABC):
    """The verbs and functions of the language as methods."""

    @abstractmethod
    def do(self, signature: Signature, given: Mapping[str, Any]) -> Any:
        """Add the statement of a verb, and give its results."""

    @abstractmethod
    def call(self, function: str, handles: tuple[Any, ...]) -> Any:
        """Add a function call, and give its result."""


def signature_text(signature: Signature) -> str:
    """`tile(target, by, *, onto=None)`, for errors and documentation."""
    words: list[str] = []
    for parameter in python_signature(signature).parameters.values():
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY and "*" not in words:
            words.append("*")
        words.append(str(parameter))
    return f"{signature.name}({', '.join(words)})"


def python_signature(signature: Signature) -> inspect.Signature:
    """The signature of a verb's method, without `self`."""
    found: list[inspect.Parameter] = []
    for parameter in signature.parameters:
        found.append(_python_parameter(parameter))
        if parameter.slot.kind is Kind.SETTING:
            usual = inspect.Parameter.POSITIONAL_OR_KEYWORD
            found.append(inspect.Parameter(VALUE, usual, default=None))
    if signature.counts_names:
        by_name = inspect.Parameter.KEYWORD_ONLY
        found.append(inspect.Parameter(RESULTS, by_name, default=None))
    return inspect.Signature(found)


def _python_parameter(parameter: Parameter) -> inspect.Parameter:
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    if parameter.is_keyword:
        kind = inspect.Parameter.KEYWORD_ONLY
    default = None if parameter.is_optional else inspect.Parameter.empty
    return inspect.Parameter(parameter.name, kind, default=default)


def _method(signature: Signature) -> Callable[..., Any]:
    def method(self: Verbs, *args: Any, **kwargs: Any) -> Any:
        try:
            bound = python_signature(signature).bind(*args, **kwargs)
        except TypeError as error:
            raise UserError(
                f"{signature.name}: {error}",
                call_site().place,
                f"write: s.{signature_text(signature)}",
            ) from None
        return self.do(signature, bound.arguments)

    method.__name__ = signature.name
    method.__qualname__ = f"Verbs.{signature.name}"
    method.__doc__ = f"{signature.verb.doc}: `{signature.verb.form.usage}`"
    return method


def _function(name: str) -> Callable[..., Any]:
    def method(self: Verbs, *handles: Any) -> Any:
        return self.call(name, handles)

    method.__name__ = python_name(name)
    method.__qualname__ = f"Verbs.{method.__name__}"
    method.__doc__ = f"several handles as one: `{name}(HANDLE, ...)`"
    return method


for _verb in VERBS:
    setattr(Verbs, Signature(_verb).name, _method(Signature(_verb)))
for _name in FUNCTIONS:
    setattr(Verbs, python_name(_name), _function(_name))
