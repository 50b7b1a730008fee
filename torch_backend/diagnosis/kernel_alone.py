"""One kernel of a segment by itself: its payload, its program, inputs and results.

The inputs are the values that the kernel reads when the payload runs on given inputs,
and the expected results are the payload's: both by the numpy interpreter, so that a
kernel is judged on right inputs, whatever the kernels before it do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from xdsl.dialects.builtin import FunctionType, ModuleOp, StringAttr
from xdsl.ir import SSAValue

from tilewright.compiled_program import Program
from tilewright.ir.dialects import func
from tilewright.ir.dtypes import Array
from tilewright.ir.errors import UserError
from tilewright.ir.interpreter import run
from tilewright.ir.tolerance import Comparison
from tilewright.numeric_check import (
    CheckCase,
    compare_results,
    slack_of_rounding_anew,
    with_rounding,
)
from tilewright.payload_work import reduction_length
from tilewright.pipeline import Built, argument_specs, build
from tilewright.planned_build import build_planned
from tilewright.planning.alone import planned_alone
from tilewright.planning.extraction import Extraction, extract
from tilewright.torch_backend.diagnosis.kernels import Kernel


@dataclass(frozen=True)
class KernelAlone:
    """A payload of its own, its program, and a case to check it on."""

    kernel: Kernel
    payload: ModuleOp
    built: Built
    case: CheckCase

    def compare(self, results: Sequence[Array]) -> Comparison:
        """The results of a run beside the payload's."""
        case = with_rounding(self.built, self.case)
        return compare_results(case, results, self.built.program.precision)


def kernels_alone(
    program: Program, kernels: Sequence[Kernel], inputs: Sequence[Array], name: str
) -> list[KernelAlone]:
    """The kernels of a program that can be built alone, for inputs of the program."""
    extracted = [
        (kernel, extract(kernel.group))
        for kernel in kernels
        if kernel.group is not None and kernel.planned is not None
    ]
    wanted = [
        value for _, found in extracted for value in (*found.arguments, *found.results)
    ]
    values = values_of(dict.fromkeys(wanted), inputs)
    made: list[KernelAlone] = []
    for kernel, found in extracted:
        rename(found.module, name)
        if (built := _built(program, kernel, found, name)) is None:
            continue
        arguments = [values[value] for value in found.arguments]
        expected = [values[value] for value in found.results]
        case = check_case(found.module, arguments, expected)
        made.append(KernelAlone(kernel, found.module, built, case))
    return made


def check_case(
    payload: ModuleOp, inputs: Sequence[Array], expected: Sequence[Array]
) -> CheckCase:
    """A case of a payload with inputs that are not random."""
    _, results = argument_specs(payload)
    slack = slack_of_rounding_anew(payload)
    return CheckCase(
        inputs,
        expected,
        [spec.dtype for spec in results],
        reduction_length(payload, None),
        seed=0,
        anew=[slack] * len(results),
    )


def values_of(
    wanted: dict[SSAValue, None], inputs: Sequence[Array]
) -> dict[SSAValue, Array]:
    """The values of a payload that runs on inputs, by the numpy interpreter."""
    if not wanted:
        return {}
    function = _function_of(next(iter(wanted)))
    values: dict[SSAValue, Array] = dict(
        zip(function.body.block.args, inputs, strict=True)
    )
    made = [value for value in wanted if value not in values]
    copies: dict[SSAValue, SSAValue] = {}
    copy = function.clone(copies)
    returned = copy.body.block.last_op
    assert returned is not None
    returned.detach()
    returned.erase()
    results = [copies[value] for value in made]
    copy.body.block.add_op(func.ReturnOp(*results))
    copy.function_type = FunctionType.from_lists(
        [argument.type for argument in copy.body.block.args],
        [result.type for result in results],
    )
    if made:
        found = run(ModuleOp([copy]), [array.copy() for array in inputs])
        values |= dict(zip(made, found, strict=True))
    return values


def _function_of(value: SSAValue) -> func.FuncOp:
    owner = value.owner
    op = owner.parent_op() if not hasattr(owner, "results") else owner
    while not isinstance(op, func.FuncOp):
        assert op is not None
        op = op.parent_op()
    return op


def _built(
    program: Program, kernel: Kernel, found: Extraction, name: str
) -> Built | None:
    """The kernel built alone, under its own sketch where that works alone."""
    plan = program.plan
    assert plan is not None and kernel.planned is not None and kernel.group is not None
    alone = planned_alone(plan, replace(kernel.planned, groups=(kernel.group,)))
    try:
        if alone is not None:
            rename(alone.payload, name)
            return build(alone.payload, alone.plan.schedule, verify_steps=False)
    except UserError:
        pass
    try:
        return build_planned(
            found.module,
            plan.target,
            lambda schedule: build(found.module, schedule, verify_steps=False),
        ).built
    except UserError:
        return None


def rename(module: ModuleOp, name: str) -> None:
    """Give the function of a module another name."""
    for op in module.ops:
        if isinstance(op, func.FuncOp):
            op.properties["sym_name"] = StringAttr(name)
