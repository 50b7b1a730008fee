"""Bufferize the functions of a module, callees before callers."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, FunctionType
from xdsl.ir import Block, Operation, Region

from tilewright.ir.dialects import func
from tilewright.transforms.bufferization.buffer_writer import Writer
from tilewright.transforms.bufferization.expand_ops import expand_ops
from tilewright.transforms.bufferization.function_boundaries import Boundaries
from tilewright.transforms.bufferization.global_constants import Globals
from tilewright.transforms.bufferization.inplace import Analysis
from tilewright.transforms.bufferization.op_table import model_of
from tilewright.transforms.bufferization.ops.functions import (
    summary_of,
    unknown_summary,
)
from tilewright.transforms.bufferization.tensor_facts import Facts, Summary
from tilewright.transforms.core.walking import walked


@dataclass(frozen=True)
class Options:
    """Options of bufferization."""

    boundaries: Boundaries
    memcpy: str = "memref.copy"


class ModuleBufferizer:
    """Bufferizes functions that share one table of symbols."""

    def __init__(self, module: Operation, options: Options):
        self.options = options
        self.constants = Globals(module)
        self.functions = {
            op.sym_name.data: op
            for region in module.regions
            for op in region.block.ops
            if isinstance(op, func.FuncOp)
        }
        self.summaries: dict[str, Summary] = {}
        self.signatures: dict[str, FunctionType] = {}

    def callees_first(self) -> list[func.FuncOp]:
        """The functions, callees first; recursion is cut where it is found."""
        order: list[func.FuncOp] = []
        met: set[str] = set()

        def visit(name: str) -> None:
            if name in met or name not in self.functions:
                return
            met.add(name)
            for op in walked(self.functions[name]):
                if isinstance(op, func.CallOp):
                    visit(op.callee.string_value())
            order.append(self.functions[name])

        for name in self.functions:
            visit(name)
        return order

    def analyze(self, function: func.FuncOp) -> Analysis:
        """Analyze a function; a callee without a summary may do anything."""
        for op in walked(function):
            if isinstance(op, func.CallOp):
                self._promise(op.callee.string_value())
        analysis = Analysis(Facts(function, model_of, self.summaries))
        name = function.sym_name.data
        if name not in self.summaries:
            self.summaries[name] = summary_of(analysis)
        return analysis

    def _promise(self, name: str) -> None:
        """Fix the summary of a function that is called before it is analyzed."""
        if name not in self.summaries:
            self.summaries[name] = unknown_summary(self.functions[name])
            declared = self.options.boundaries.signature(self.functions[name])
            self.signatures[name] = declared

    def bufferize(self, function: func.FuncOp) -> func.FuncOp:
        """The same function on buffers."""
        name = function.sym_name.data
        if function.is_declaration:
            self._promise(name)
            return _with_body(function, self.signatures[name], Region())
        boundaries = self.options.boundaries
        declared = boundaries.signature(function)
        # A caller that was bufferized earlier uses the types of the declaration.
        is_free = boundaries.are_inferred and name not in self.signatures
        simple = function.clone()
        expand_ops(simple)
        block = Block(arg_types=declared.inputs)
        to = Writer(
            self.analyze(simple),
            block,
            self.constants,
            self.signatures,
            None if is_free else declared.outputs.data,
            self.options.memcpy,
        )
        for old, new in zip(simple.args, block.args, strict=True):
            to.bind(old, new)
        for op in simple.body.block.ops:
            to.convert(op)
        last = block.last_op
        assert last is not None
        type_ = FunctionType.from_lists(declared.inputs.data, last.operand_types)
        self.signatures[name] = type_
        return _with_body(function, type_, Region(block))


def _with_body(function: func.FuncOp, type_: FunctionType, body: Region) -> func.FuncOp:
    new = func.FuncOp(
        function.sym_name.data,
        type_,
        body,
        function.sym_visibility,
        arg_attrs=_without_ours(function.arg_attrs),
        res_attrs=function.res_attrs,
    )
    new.attributes |= function.attributes
    if function.no_inline is not None:
        new.properties["no_inline"] = function.no_inline
    new.location = function.location
    return new


def _without_ours(
    attributes: ArrayAttr[DictionaryAttr] | None,
) -> ArrayAttr[DictionaryAttr] | None:
    """The attributes of arguments without those of bufferization."""
    if attributes is None:
        return None
    kept = [
        {k: v for k, v in entry.data.items() if not k.startswith("bufferization.")}
        for entry in attributes
    ]
    return ArrayAttr([DictionaryAttr(entry) for entry in kept]) if any(kept) else None
