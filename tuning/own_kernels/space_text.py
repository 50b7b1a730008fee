"""A kernel's space as a schedule that has its choices and does nothing.

The results file keeps it, so that `explain` and `replay` know the space of a user's
kernel as they know that of any schedule. Conditions are comments: a function has no
text, and the file's results say which configurations there were.
"""

from __future__ import annotations

import json

from tilewright.tuning.space.choices import Choice, Value
from tilewright.tuning.space.space import Space

_HEAD = """\
builtin.module @space attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(
      %root: !transform.any_op {transform.readonly}) {
"""
_TAIL = """\
    transform.yield
  }
}
"""


def space_text(space: Space) -> str:
    """The space as MLIR, with its conditions as comments."""
    conditions = [f"    // require {one.text}\n" for one in space.constraints]
    knobs = [
        f"    %{number} = {_knob(choice)}\n"
        for number, choice in enumerate(space.choices.values())
    ]
    return "".join([_HEAD, *conditions, *knobs, _TAIL])


def _knob(choice: Choice) -> str:
    options = ", ".join(map(_attribute, choice.options))
    default = ""
    if choice.default is not None:
        value = _attribute(choice.default)
        is_integer = type(choice.default) is int
        default = f" {{tilewright.default = {value}{' : i64' if is_integer else ''}}}"
    kinds = {type(option) for option in choice.options}
    names = {frozenset({int}): "param<i64>", frozenset({bool}): "param<i1>"}
    kind = names.get(frozenset(kinds), "any_param")
    name = json.dumps(choice.name)
    listed = f"transform.tune.knob<{name}> options = [{options}]"
    return f"{listed}{default} -> !transform.{kind}"


def _attribute(value: Value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return f"{value:.17e} : f64"
    return json.dumps(value)
