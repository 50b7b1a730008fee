"""Bufferize the functions of a module, callees before callers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, FunctionType
from xdsl.ir import Attribute, Block, Operation, Region

from tilewright.ir.dialects import func
from tilewright.ir.dialects.bufferization import ToBufferOp
from tilewright.ir.types import is_tensor
from tilewright.transforms.bufferization.buffer_writer import Writer
from tilewright.transforms.bufferization.expand_ops import expand_ops
from tilewright.transforms.bufferization.function_boundaries import Boundaries
from tilewright.transforms.bufferization.global_constants import Globals
from tilewright.transforms.bufferization.inplace import Analysis
from tilewright.transforms.bufferization.op_table import models
from tilewright.transforms.bufferization.ops.functions import (
    summary_of,
    unknown_summary,
)
from tilewright.transforms.bufferization.tensor_facts import Facts, ModelOf, Summary
from tilewright.transforms.core.walking import walked


@dataclass(frozen=True)
class Options:
    """Options of bufferization."""

    boundaries: Boundaries
    memcpy: str = "memref.copy"
    keep_functions: bool = False
    """Whether the arguments and results of functions stay tensors."""
    keep_unknown: bool = False
    """Whether ops that do not bufferize stay on tensors."""
    check_parallel: bool = True
    """Whether parallel iterations that write into one buffer get copies."""
    write_arguments: bool = False
    """Whether arguments of functions may be written, unless they say otherwise."""

    @property
    def model_of(self) -> ModelOf:
        """The models of ops under these options."""
        return models(
            keep_functions=self.keep_functions,
            keep_unknown=self.keep_unknown,
            write_arguments=self.write_arguments,
        )


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
            if isinstance(op, func.CallOp) and not self.options.keep_functions:
                self._promise(op.callee.string_value())
        analysis = Analysis(
            Facts(function, self.options.model_of, self.summaries),
            check_parallel=self.options.check_parallel,
        )
        name = function.sym_name.data
        if name not in self.summaries and not self.options.keep_functions:
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
        if self.options.keep_functions:
            return self._inside(function)
        name = function.sym_name.data
        if function.is_declaration:
            self._promise(name)
            return _with_body(function, self.signatures[name], Region())
        boundaries = self.options.boundaries
        declared = boundaries.signature(function)
        # A caller that was bufferized earlier uses the types of the declaration.
        is_free = boundaries.are_inferred and name not in self.signatures
        simple = function.clone()
        expand_ops(simple, as_maps=self.options.write_arguments)
        block = Block(arg_types=declared.inputs)
        to = self._writer(simple, block, None if is_free else declared.outputs.data)
        for old, new in zip(simple.args, block.args, strict=True):
            to.bind(old, new)
        for op in simple.body.block.ops:
            to.convert(op)
        last = block.last_op
        assert last is not None
        type_ = FunctionType.from_lists(declared.inputs.data, last.operand_types)
        self.signatures[name] = type_
        return _with_body(function, type_, Region(block))

    def _writer(
        self, function: func.FuncOp, block: Block, returns: Sequence[Attribute] | None
    ) -> Writer:
        return Writer(
            self.analyze(function),
            block,
            self.constants,
            self.signatures,
            returns,
            self.options.memcpy,
        )

    def _inside(self, function: func.FuncOp) -> func.FuncOp:
        """The same function on tensors, with a body on buffers."""
        new = function.clone()
        if function.is_declaration:
            return new
        expand_ops(new, as_maps=self.options.write_arguments)
        block = Block(arg_types=function.function_type.inputs)
        to = self._writer(new, block, None)
        for old, argument in zip(new.args, block.args, strict=True):
            argument.name_hint = old.name_hint
            is_kept = not is_tensor(old.type) or old.first_use is None
            to.values[old] = argument if is_kept else to.seen_as_buffer(argument, new)
        for op in new.body.block.ops:
            to.convert(op)
        for op in reversed(list(block.walk())):
            if isinstance(op, ToBufferOp) and op.memref.first_use is None:
                op.detach()
                op.erase()
        kept = func.FuncOp.create(
            properties=function.properties.copy(),
            attributes=function.attributes.copy(),
            regions=[Region(block)],
        )
        kept.location = function.location
        return kept


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
