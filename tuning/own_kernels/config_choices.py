"""The space of a kernel's configurations: its values, and conditions on them.

A condition is a Python expression as text, or a function. Both may use the names of
the configuration and of the call's numbers (`K % BLOCK_K == 0`). A function has these
names as parameters; one with a single other parameter gets a dictionary of them all.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from tilewright.tuning.own_kernels.errors import ArgumentError
from tilewright.tuning.own_kernels.kernel_call import KernelCall, known_names, nearest
from tilewright.tuning.own_kernels.kernel_source import KernelSource
from tilewright.tuning.results.records import text_hash
from tilewright.tuning.space.choices import Constraint, Knob, Value
from tilewright.tuning.space.space import Space

if TYPE_CHECKING:
    from tilewright.tuning.own_kernels.configurations import ConfigSpace

Condition: TypeAlias = str | Callable[..., Any]

_ALLOWED = (
    ast.Expression,
    ast.BoolOp,
    ast.BinOp,
    ast.UnaryOp,
    ast.Compare,
    ast.IfExp,
    ast.Call,
    ast.Name,
    ast.Constant,
    ast.Tuple,
    ast.List,
    ast.operator,
    ast.unaryop,
    ast.boolop,
    ast.cmpop,
    ast.expr_context,
)
_FUNCTIONS: dict[str, Any] = {"min": min, "max": max, "abs": abs}


def check_names(source: KernelSource, space: ConfigSpace) -> None:
    """Refuse a space with a name that is neither a parameter nor a launch option."""
    known = known_names(source)
    for name, values in space.items():
        if name not in known:
            raise ArgumentError(
                f"kernel '{source.name}' has no parameter '{name}'",
                source.place,
                f"{nearest(name, known)}it has {', '.join(source.parameters)}",
            )
        if isinstance(values, str) or not isinstance(values, Sequence):
            raise ArgumentError(
                f"'{name}' of the space is {values!r}, not a list",
                remedy=f"write {name!r}: [{values!r}]",
            )
        for value in values:
            if not isinstance(value, bool | int | float | str):
                raise ArgumentError(
                    f"'{name}' of the space has the value {value!r}",
                    remedy="values are numbers, booleans or strings",
                )


def make_space(
    call: KernelCall,
    space: ConfigSpace,
    prune: Iterable[Condition] = (),
    constraints: Iterable[Condition] = (),
    default: Mapping[str, Any] | None = None,
) -> Space:
    """The space of a call; `prune` removes configurations, `constraints` keep them."""
    start = dict(default or {})
    for name, value in start.items():
        if name not in space or value not in space[name]:
            raise ArgumentError(
                f"the default {name}={value!r} is not in the space",
                remedy="a default has a value of the space for each of its names",
            )
    knobs = [Knob(n, tuple(v), default=start.get(n)) for n, v in space.items()]
    numbers = {
        name: value
        for name, value in call.values.items()
        if isinstance(value, bool | int | float | str)
    }
    conditions = [
        *(_constraint(one, space, numbers, call, wanted=True) for one in constraints),
        *(_constraint(one, space, numbers, call, wanted=False) for one in prune),
    ]
    return Space((*knobs, *conditions))


def listed(conditions: Condition | Iterable[Condition] | None) -> tuple[Condition, ...]:
    """Several conditions, one, or none."""
    if conditions is None:
        return ()
    if isinstance(conditions, str) or callable(conditions):
        return (conditions,)
    return tuple(conditions)


def _constraint(
    condition: Condition,
    space: ConfigSpace,
    numbers: Mapping[str, Value],
    call: KernelCall,
    *,
    wanted: bool,
) -> Constraint:
    if isinstance(condition, str):
        used, evaluate = _expression(condition, {*space, *numbers})
        text = condition
    else:
        used, evaluate = _function(condition, space, numbers)
        text = _function_text(condition)
    names = tuple(name for name in space if name in used)
    fixed = {name: numbers[name] for name in used if name not in space}

    def holds(values: Sequence[Value]) -> bool:
        bound = {**fixed, **dict(zip(names, values, strict=True))}
        try:
            return bool(evaluate(bound)) is wanted
        except Exception as error:
            raise ArgumentError(
                f"the condition '{text}' raises {type(error).__name__}: {error}",
                call.source.place,
                "it gets the configuration's values and the call's numbers by name",
            ) from error

    return Constraint(names, text if wanted else f"not ({text})", holds)


def _function_text(function: Callable[..., Any]) -> str:
    """The name of a function, and a hash that changes with its code."""
    name = getattr(function, "__name__", type(function).__name__)
    code = getattr(function, "__code__", None)
    if code is None:
        return name
    # Reprs of constants that are code objects have addresses.
    constants = [c for c in code.co_consts if not hasattr(c, "co_code")]
    content = repr((code.co_code, code.co_names, constants))
    return f"{name} {text_hash(content)[:8]}"


def _expression(
    text: str, known: set[str]
) -> tuple[list[str], Callable[[dict[str, Any]], Any]]:
    try:
        tree = ast.parse(text, mode="eval")
    except SyntaxError as error:
        raise ArgumentError(
            f"the condition '{text}' is not an expression: {error.msg}",
            remedy="write it as in Python: 'BLOCK_M * BLOCK_N <= 32768'",
        ) from error
    for node in ast.walk(tree):
        if not isinstance(node, _ALLOWED):
            raise ArgumentError(
                f"the condition '{text}' has a {type(node).__name__}",
                remedy="use numbers, names, arithmetic, comparisons, min and max; "
                "or pass a function",
            )
    called = {id(n.func) for n in ast.walk(tree) if isinstance(n, ast.Call)}
    used: dict[str, None] = {}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Name):
            continue
        if id(node) in called and node.id in _FUNCTIONS:
            continue
        if node.id not in known:
            raise ArgumentError(
                f"the condition '{text}' has the name '{node.id}', which is neither "
                "searched nor a number of the call",
                remedy=f"{nearest(node.id, known)}known: {', '.join(sorted(known))}",
            )
        used[node.id] = None
    code = compile(tree, f"<{text}>", "eval")
    scope = {"__builtins__": {}, **_FUNCTIONS}
    return list(used), lambda bound: eval(code, scope, bound)


def _function(
    function: Callable[..., Any], space: ConfigSpace, numbers: Mapping[str, Value]
) -> tuple[list[str], Callable[[dict[str, Any]], Any]]:
    parameters = list(inspect.signature(function).parameters)
    known = {*space, *numbers}
    if len(parameters) == 1 and parameters[0] not in known:
        return [*numbers, *space], lambda bound: function(dict(bound))
    for name in parameters:
        if name not in known:
            raise ArgumentError(
                f"a condition has the parameter '{name}', which is neither searched "
                "nor a number of the call",
                remedy=f"{nearest(name, known)}known: {', '.join(sorted(known))}; or "
                "take one parameter, a dictionary",
            )
    return parameters, lambda bound: function(**bound)
