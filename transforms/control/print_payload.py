"""`transform.print`: show payload on the standard error stream while a schedule runs.

    transform.print %h {name = "after tiling"} : !transform.any_op
    transform.print {name = "everything"}

Upstream writes to standard output; ours leaves that to the result of the run.
"""

from __future__ import annotations

from xdsl.dialects.builtin import StringAttr, UnitAttr
from xdsl.ir import SSAValue
from xdsl.irdl import (
    ParsePropInAttrDict,
    irdl_op_definition,
    opt_operand_def,
    opt_prop_def,
)

from tilewright.ir.text import to_text
from tilewright.transforms.core.base import TransformOp, TransformOpHandleType
from tilewright.transforms.core.printing import write_printed
from tilewright.transforms.core.state import TransformState


@irdl_op_definition
class PrintOp(TransformOp):
    """Show payload while a schedule runs."""

    name = "transform.print"

    target = opt_operand_def(TransformOpHandleType)
    label = opt_prop_def(StringAttr, prop_name="name")
    assume_verified = opt_prop_def(UnitAttr)
    use_local_scope = opt_prop_def(UnitAttr)
    skip_regions = opt_prop_def(UnitAttr)

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "($target^)? attr-dict (`:` type($target)^)?"

    def __init__(self, target: SSAValue | None = None, label: str | None = None):
        super().__init__(
            operands=[target],
            properties={"name": StringAttr(label) if label is not None else None},
        )

    def apply(self, state: TransformState) -> None:
        """Print the ops of the handle, or all of the payload."""
        label = f"{self.label.data} " if self.label is not None else ""
        if self.target is None:
            title, ops = f"{label}top-level ", (state.root,)
        else:
            title, ops = label, state.payload_ops(self.target)
        text = "".join(to_text(op) for op in ops)
        write_printed(f"[[[ IR printer: {title}]]]\n{text}")
