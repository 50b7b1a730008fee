"""`func.replace_func_signature`, `func.deduplicate_func_args`: change what it takes.

    %m, %f = transform.func.replace_func_signature @f args_interchange = [1, 0]
        results_interchange = [0] at %module {adjust_func_calls} : ...
    %m, %f = transform.func.deduplicate_func_args @f at %module : ...

The first reorders the arguments and results of a function, and, if asked to, of its
calls. The second drops the arguments for which the only call gives the same value.

Requires: a module, and a function of that name in it.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    DictionaryAttr,
    FunctionType,
    IntegerType,
    ModuleOp,
    SymbolRefAttr,
    UnitAttr,
    i32,
)
from xdsl.ir import Attribute, Block, SSAValue
from xdsl.irdl import (
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
)

from tilewright.ir.dialects import func
from tilewright.transforms.core.base import TransformOp, TransformOpHandleType
from tilewright.transforms.core.foreseen import Foreseen
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.core.state import TransformState


class SignatureOp(TransformOp):
    """An op on a function of a module; consumes the module."""

    module = operand_def(TransformOpHandleType)
    function_name = prop_def(SymbolRefAttr)
    transformed_module = result_def(TransformOpHandleType)
    transformed_function = result_def(TransformOpHandleType)

    irdl_options = (ParsePropInAttrDict(),)

    def consumed_handles(self) -> Sequence[SSAValue]:
        """The module changes."""
        return (self.module,)

    def foresee(self, results: Foreseen) -> None:
        """The function is a new one."""
        results.new_functions()

    def apply(self, state: TransformState) -> None:
        """Rewrite the function, and point the results at it and its module."""
        module, function = self._find(state)
        new = self.rewrite(module, function, state.rewriter)
        state.set_ops(self.transformed_module, [module])
        state.set_ops(self.transformed_function, [new])

    def rewrite(
        self, module: ModuleOp, function: func.FuncOp, rewriter: Rewriter
    ) -> func.FuncOp:
        """Check, then change the function; returns the new one."""
        raise NotImplementedError

    def _find(self, state: TransformState) -> tuple[ModuleOp, func.FuncOp]:
        ops = state.payload_ops(self.module)
        if len(ops) != 1:
            raise self.broken(f"needs one module, the handle points at {len(ops)} ops")
        if not isinstance(module := ops[0], ModuleOp):
            raise self.broken(f"'{module.name}' is no module", module)
        name = self.function_name.string_value()
        for op in module.ops:
            if isinstance(op, func.FuncOp) and op.sym_name.data == name:
                return module, op
        raise self.refuse(f"the module has no function @{name}", module)


@irdl_op_definition
class ReplaceFuncSignatureOp(SignatureOp):
    """Reorder the arguments and results of a function."""

    name = "transform.func.replace_func_signature"

    args_interchange = prop_def(DenseArrayBase.constr(i32))
    results_interchange = prop_def(DenseArrayBase.constr(i32))
    adjust_func_calls = opt_prop_def(UnitAttr)

    assembly_format = (
        "$function_name `args_interchange` `=` $args_interchange "
        "`results_interchange` `=` $results_interchange "
        "`at` $module attr-dict `:` functional-type(operands, results)"
    )

    def rewrite(
        self, module: ModuleOp, function: func.FuncOp, rewriter: Rewriter
    ) -> func.FuncOp:
        """Reorder, here and, if asked to, at the calls."""
        types = function.function_type
        args = self._order(self.args_interchange, len(types.inputs), "arguments")
        results = self._order(self.results_interchange, len(types.outputs), "results")
        calls = _calls(module, function)
        new = _reordered(function, args, results, rewriter)
        if self.adjust_func_calls is not None:
            for call in calls:
                _reorder_call(call, args, results, rewriter)
        return new

    def _order(
        self, written: DenseArrayBase[IntegerType], number: int, words: str
    ) -> list[int]:
        order = [int(position) for position in written.get_values()]
        name = self.function_name.string_value()
        if len(order) != number:
            raise self.refuse(
                f"@{name} has {number} {words}, the interchange has {len(order)}"
            )
        if sorted(order) != list(range(number)):
            raise self.refuse(f"{order} is not a permutation of the {words} of @{name}")
        return order


@irdl_op_definition
class DeduplicateFuncArgsOp(SignatureOp):
    """Drop the arguments for which the only call gives the same value twice."""

    name = "transform.func.deduplicate_func_args"

    assembly_format = (
        "$function_name `at` $module attr-dict `:` functional-type(operands, results)"
    )

    def rewrite(
        self, module: ModuleOp, function: func.FuncOp, rewriter: Rewriter
    ) -> func.FuncOp:
        """Keep the first of equal arguments."""
        name = function.sym_name.data
        calls = _calls(module, function)
        if len(calls) != 1:
            raise self.refuse(f"@{name} has {len(calls)} calls, not one", function)
        (call,) = calls
        first = {value: at for at, value in reversed(list(enumerate(call.arguments)))}
        stands_for = [first[value] for value in call.arguments]
        keep = [at for at, other in enumerate(stands_for) if at == other]
        if len(keep) == len(stands_for):
            raise self.refuse(f"@{name} has no argument twice", call)
        for argument, other in zip(function.args, stands_for, strict=True):
            rewriter.replace_uses(argument, function.args[other])
        outputs = list(range(len(function.function_type.outputs)))
        new = _reordered(function, keep, outputs, rewriter)
        _reorder_call(call, keep, outputs, rewriter)
        return new


def _calls(module: ModuleOp, function: func.FuncOp) -> list[func.CallOp]:
    name = function.sym_name.data
    return [
        op
        for op in module.walk()
        if isinstance(op, func.CallOp) and op.callee.string_value() == name
    ]


def _reordered(
    function: func.FuncOp,
    args: Sequence[int],
    results: Sequence[int],
    rewriter: Rewriter,
) -> func.FuncOp:
    """Replace a function by one that takes and returns the values at positions."""
    types = function.function_type
    region = function.detach_region(function.body)
    if region.blocks:
        _reorder_body(region.blocks[0], args)
        for block in region.blocks:
            if isinstance(end := block.last_op, func.ReturnOp):
                end.operands = [end.operands[at] for at in results]
    new = func.FuncOp(
        function.sym_name.data,
        FunctionType.from_lists(
            [types.inputs.data[at] for at in args],
            [types.outputs.data[at] for at in results],
        ),
        region,
        function.sym_visibility,
        arg_attrs=_picked(function.arg_attrs, args),
        res_attrs=_picked(function.res_attrs, results),
    )
    new.attributes |= function.attributes
    new.location = function.location
    rewriter.insert_before(function, new)
    rewriter.replace(function, (), stands_for=new)
    return new


def _reorder_body(entry: Block, args: Sequence[int]) -> None:
    """Give a block new arguments in order; those that are left out have no uses."""
    old = list(entry.args)
    for at in args:
        new = entry.insert_arg(old[at].type, len(entry.args))
        new.name_hint = old[at].name_hint
        old[at].replace_all_uses_with(new)
    for argument in old:
        entry.erase_arg(argument)


def _picked(
    attributes: ArrayAttr[DictionaryAttr] | None, positions: Sequence[int]
) -> ArrayAttr[DictionaryAttr] | None:
    if attributes is None:
        return None
    return ArrayAttr([attributes.data[at] for at in positions])


def _reorder_call(
    call: func.CallOp,
    args: Sequence[int],
    results: Sequence[int],
    rewriter: Rewriter,
) -> None:
    types: list[Attribute] = [call.results[at].type for at in results]
    new = func.CallOp(call.callee, [call.arguments[at] for at in args], types)
    new.attributes |= call.attributes
    rewriter.insert_before(call, new)
    values = [new.results[results.index(at)] for at in range(len(results))]
    rewriter.replace(call, values, stands_for=new)
