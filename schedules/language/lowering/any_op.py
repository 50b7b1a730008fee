"""Any transform op as a statement: its own name, then its fields under their names.

    parts = structured.split mm dimension = 0 chunk_sizes = 4
    f     = get_parent_op mm op_name = "func.func" deduplicate = true
    loop.unroll l factor = 4

Required operands come first, in their order; everything else is `field = value`. The
fields are named as in the op's generic form in MLIR; a list of numbers and knobs fills
the static and the dynamic sizes of an op. Where a verb has the name of an op,
`transform.NAME` is the op. `printing/any_op.py` writes this form.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseArrayBase,
    IntegerAttr,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import AttrConstraint
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.errors import UserError
from tilewright.ir.parsing.failures.xdsl_messages import first_line
from tilewright.ir.phrases import did_you_mean
from tilewright.schedules.language.lowering.scope import Scope
from tilewright.schedules.language.syntax import (
    Action,
    Argument,
    Items,
    Literal,
    Raw,
    Setting,
)
from tilewright.schedules.language.verbs.attribute_text import (
    HANDLE_TYPES,
    accepts,
    attribute_for,
    described,
    first_accepted,
    kind_type,
)
from tilewright.schedules.language.verbs.forms import Form
from tilewright.schedules.language.verbs.op_schema import (
    Schema,
    is_variadic,
    op_named,
    result_types,
    schema_of,
    typed_operand,
)
from tilewright.transforms.core.base import (
    AnyOpType,
    OperationType,
    TransformOpHandleType,
)
from tilewright.transforms.handles.cast import CastOp
from tilewright.transforms.op_sources import PREFIX


def build(action: Action, scope: Scope) -> Operation:
    """The op that a statement names; ops that make its operands are added first."""
    schema = schema_of(op_named(action.verb.text.removeprefix(PREFIX)))
    if schema.op.get_irdl_definition().regions:
        raise UserError(
            f"{action.verb.text}: an op with a body has a statement of its own",
            action.place,
            "docs/schedules.md lists the statements",
        )
    return _Build(schema, action, scope, None).op()


def build_from_fields(
    op: str, fields: Mapping[str, Argument], action: Action, scope: Scope, form: Form
) -> Operation:
    """The op of a verb whose fields are named as the op's."""
    schema = schema_of(op_named(op))
    arguments: list[Argument] = [
        fields[name] for name in schema.required if name in fields
    ]
    for name, value in fields.items():
        if name not in schema.required:
            assert not isinstance(value, Setting)
            arguments.append(Setting(name, value, place=value.place))
    action = replace(action, arguments=tuple(arguments))
    return _Build(schema, action, scope, form).op()


class _Build:
    """Builds one op; `form` is the form of its verb, if the statement has one."""

    def __init__(self, schema: Schema, action: Action, scope: Scope, form: Form | None):
        self.schema = schema
        self.usage = f"write: {(form or schema).usage}"
        self.is_verb = form is not None
        self.action = action
        self.scope = scope
        self.operands: dict[str, list[SSAValue]] = {n: [] for n in schema.operands}
        self.properties: dict[str, Attribute] = {}
        self.attributes: dict[str, Attribute] = {}

    def op(self) -> Operation:
        """Read the arguments, then make the op."""
        given = [a for a in self.action.arguments if not isinstance(a, Setting)]
        self._positional(given)
        for argument in self.action.arguments:
            if isinstance(argument, Setting):
                self._setting(argument)
        for name, value in getattr(self.schema.op, "DEFAULTS", {}).items():
            self.properties.setdefault(name, value)
        self._check_needed()
        made = self._make()
        try:
            made.verify(verify_nested_ops=False)
        except VerifyException as error:
            fact = first_line(str(error))
            raise self._error(fact, self.action.verb) from error
        return made

    def _check_needed(self) -> None:
        names = {static: key for key, (static, _) in self.schema.sizes.items()}
        for name in sorted(self.schema.needed - self.properties.keys()):
            shown = names.get(name, name)
            raise self._error(f"'{shown}' is missing", self.action.verb)

    def _make(self) -> Operation:
        operands: list[SSAValue | Sequence[SSAValue] | None] = []
        for name, (definition, _) in self.schema.operands.items():
            values = self.operands[name]
            if is_variadic(definition):
                operands.append(values)
            else:
                operands.append(values[0] if values else None)
        types = iter(self._types())
        fixed = sum(1 for is_any, _ in self.schema.results if not is_any)
        several = max(len(self.action.targets) - fixed, 0)
        results = [
            [next(types) for _ in range(several)] if is_any else next(types)
            for is_any, _ in self.schema.results
        ]
        return self.schema.op.build(
            operands=operands,
            result_types=results,
            properties=dict(self.properties),
            attributes=self.attributes,
        )

    def _types(self) -> list[Attribute]:
        operands = [value.type for values in self.operands.values() for value in values]
        first = operands[0] if operands else AnyOpType()
        types = result_types(self.schema, len(self.action.targets), first)
        for position, target in enumerate(self.action.targets[: len(types)]):
            if target.kind is not None:
                types[position] = kind_type(target.kind)
        return types

    def _positional(self, given: Sequence[Argument]) -> None:
        required, rest = self.schema.required, self.schema.rest
        if len(given) < len(required):
            missing = required[len(given)]
            raise self._error(f"'{missing}' is missing", self.action.verb)
        if len(given) > len(required) and rest is None:
            raise self._error("this is one argument too many", given[len(required)])
        for name, value in zip(required, given, strict=False):
            self.operands[name] = [self._operand(name, value)]
        if rest is not None:
            more = given[len(required) :]
            self.operands[rest] = [self._operand(rest, value) for value in more]

    def _setting(self, setting: Setting) -> None:
        key, value = setting.key, setting.value
        user = self.action.verb.text
        if setting.quoted:
            found = attribute_for(value, None, user)
            assert found is not None
            self.attributes[key] = found
        elif key in self.schema.sizes:
            self._sizes(key, value)
        elif key in self.schema.operands and key in self.schema.settings:
            values = value.items if isinstance(value, Items) else (value,)
            self.operands[key] = [self._operand(key, item) for item in values]
        elif key in self.schema.properties and key in self.schema.settings:
            found = attribute_for(value, self.schema.properties[key], f"{user}: {key}")
            if found is not None:
                self.properties[key] = found
        else:
            raise self._error(
                f"it has no field '{key}'",
                setting,
                did_you_mean(key, self.schema.settings),
            )

    def _sizes(self, key: str, value: Argument) -> None:
        """Put numbers into the property, and knobs into the operand.

        A marker stands in the property for each knob.
        """
        static, operand = self.schema.sizes[key]
        if isinstance(value, Raw):
            found = attribute_for(value, self.schema.properties[static], key)
            assert found is not None
            self.properties[static] = found
            return
        items = value.items if isinstance(value, Items) else (value,)
        numbers: list[int] = []
        for item in items:
            if isinstance(item, Literal):
                if isinstance(item.value, bool) or not isinstance(item.value, int):
                    raise self._error("expected a whole number or a knob", item)
                if item.value == DYNAMIC_INDEX:
                    raise self._error(
                        f"{item.value} is not a size: in MLIR it marks a knob", item
                    )
                numbers.append(item.value)
            else:
                numbers.append(DYNAMIC_INDEX)
                self.operands[operand].append(self._operand(operand, item))
        constraint = self.schema.properties[static]
        several = DenseArrayBase.from_list(i64, numbers)
        if accepts(constraint, several):
            self.properties[static] = several
        elif len(numbers) == 1:
            self.properties[static] = IntegerAttr(numbers[0], i64)
        else:
            raise self._error(f"'{key}' is one number", value)

    def _operand(self, name: str, value: Argument) -> SSAValue:
        _, constraint = self.schema.operands[name]
        if isinstance(value, Literal):
            found = self.scope.constant(value)
        elif isinstance(value, Setting | Items | Raw):
            raise self._error("expected a handle or a knob", value)
        elif self.is_verb and _takes_only_handles(constraint):
            found = self.scope.handle(value, self.action.verb)
        else:
            found = self.scope.value(value)
        wanted = typed_operand(self.schema.op)
        if wanted is not None and _is_untyped(found):
            typed = CastOp.build(operands=[found], result_types=[wanted])
            self.scope.add(typed, value.place)
            found = typed.results[0]
        if not accepts(constraint, found.type):
            accepted = first_accepted(constraint, HANDLE_TYPES)
            needs = described(accepted) if accepted is not None else "something else"
            raise self._error(
                f"'{name}' is {needs}, this is {described(found.type)}", value
            )
        return found

    def _error(
        self,
        fact: str,
        at: Argument,
        remedy: str | None = None,
    ) -> UserError:
        return UserError(
            f"{self.action.verb.text}: {fact}",
            at.place,
            remedy or self.usage,
        )


def _takes_only_handles(constraint: AttrConstraint) -> bool:
    return accepts(constraint, AnyOpType()) and not any(
        accepts(constraint, other) for other in HANDLE_TYPES[1:]
    )


def _is_untyped(value: SSAValue) -> bool:
    return isinstance(value.type, TransformOpHandleType) and not isinstance(
        value.type, OperationType
    )
