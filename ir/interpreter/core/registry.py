"""How an op gets its numpy semantics, and the interpreter that runs a function.

A dialect's file offers a table, op class to function; `ir/interpreter/__init__.py`
lists the tables. The function gets the interpreter, the op and the operands' values,
and returns the results' values:

    def add(interpreter: Interpreter, op: AddfOp, lhs: Value, rhs: Value) -> Results:
        return (lhs + rhs,)

A terminator's function returns what the block yields, and an op with regions runs them
by `interpreter.run_block(block, arguments)`, which returns that.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, NoReturn, TypeAlias, TypeGuard

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, Region, SSAValue

from tilewright.ir.dialects import func
from tilewright.ir.dtypes import Array
from tilewright.ir.errors import UserError
from tilewright.ir.interpreter.core.interleaving import Interleaving
from tilewright.ir.interpreter.core.memory_limit import NoRoom, lack_for
from tilewright.ir.interpreter.core.signature import check_arguments, signature_of
from tilewright.ir.text import place_of

Value: TypeAlias = Any
"""Tensors and vectors are immutable numpy arrays, memrefs are numpy views that ops
write in place, an index is a Python int, other scalars are numpy scalars."""

Results: TypeAlias = Sequence[Value]
Semantics: TypeAlias = Callable[..., Results]
"""`(interpreter, op, *operand values) -> result values`."""

Table: TypeAlias = Mapping[type[Operation], Semantics]

Guard: TypeAlias = Callable[[Operation, Sequence[SSAValue], Sequence[Value]], None]
"""Refuses to run an op on the given operands' values, or returns."""


@dataclass(frozen=True)
class Options:
    """Checks that a run makes beyond computing."""

    poison_uninitialized: bool = False
    """Fill `tensor.empty` and `memref.alloc` with NaN (integers: their largest value),
    so that a read before the first write shows in the result. Otherwise with zeros."""
    shuffle_forall_seed: int | None = None
    """Run the iterations of every `scf.forall` in a random order, so that iterations
    which are not independent show. None keeps them in order."""
    interleaving: Interleaving = Interleaving()
    """The order in which partitions of warps and their copies take steps."""
    multiprocessors: int = 3
    """Of the GPU that a persistent launch runs on; tiles seldom divide by 3."""
    progress: Callable[[str], None] | None = None
    """Called now and then with a line on progress."""
    launching: Callable[[str], AbstractContextManager[object]] | None = None
    """Gives a context for each launch, by the kernel's name, and each library call, by
    the library's."""


def is_array(value: Value) -> TypeGuard[Array]:
    """Whether a value is an array and not a scalar."""
    return isinstance(value, np.ndarray)


def fail(op: Operation, fact: str, remedy: str | None = None) -> NoReturn:
    """Raise an error at the place of `op`."""
    raise UserError(f"'{op.name}': {fact}", place_of(op), remedy)


_Step: TypeAlias = tuple[
    Semantics, Operation, tuple[SSAValue, ...], tuple[SSAValue, ...]
]


class Interpreter:
    """Runs functions of one module on numpy arrays."""

    def __init__(self, tables: Sequence[Table], module: ModuleOp, options: Options):
        self.module = module
        self.options = options
        self.random = (
            None
            if options.shuffle_forall_seed is None
            else np.random.default_rng(options.shuffle_forall_seed)
        )
        self._by_class: dict[type[Any], Semantics] = {}
        for table in tables:
            self._by_class |= table
        # An op of ours that replaces xDSL's under the same name needs no entry of its
        # own, as long as it keeps the names of its attributes.
        self._by_name = {
            cls.name: function
            for cls, function in self._by_class.items()
            if "name" in cls.__dict__
        }
        self.loop_indices: list[Sequence[Value]] = []
        """The loop indices of each enclosing structured op."""
        self.memo: dict[Operation, Any] = {}
        """What an op's function computes once and keeps for this run."""
        self.guard: Guard | None = None
        """Called before each op; it may refuse to run it."""
        self._steps: dict[Block, Sequence[_Step]] = {}
        self._values: dict[SSAValue, Value] = {}
        self._running: list[func.FuncOp] = []

    def is_running(self, function: func.FuncOp) -> bool:
        """Whether a function is being called."""
        return function in self._running

    def call(self, function: func.FuncOp, arguments: Sequence[Value]) -> list[Value]:
        """Run a function; memref arguments are written in place."""
        if len(function.body.blocks) != 1:
            fail(function, "only functions of one block can be interpreted")
        outer, self._values = self._values, {}
        self._running.append(function)
        try:
            return list(self.run_block(function.body.block, arguments))
        finally:
            self._values = outer
            self._running.pop()

    def run_region(self, region: Region, arguments: Sequence[Value] = ()) -> Results:
        """Run a region of one block; return the values it yields."""
        return self.run_block(region.block, arguments)

    def run_block(self, block: Block, arguments: Sequence[Value] = ()) -> Results:
        """Run a block's ops in order; return what the terminator yields."""
        values = self._values
        values.update(zip(block.args, arguments, strict=True))
        outcome: Results = ()
        for function, op, operands, results in self._plan(block):
            given = [values[operand] for operand in operands]
            if self.guard is not None:
                self.guard(op, operands, given)
            try:
                outcome = function(self, op, *given)
            except NoRoom as error:
                fail(op, f"this needs {error}", "interpret smaller sizes")
            except MemoryError:
                fail(op, "there is not enough memory for it on this machine")
            if results:
                values.update(zip(results, outcome, strict=True))
        return outcome

    def execute(self, op: Operation, *operands: Value) -> Results:
        """One op's results for the given operands; binds no value."""
        return self.semantics(op)(self, op, *operands)

    def value(self, of: SSAValue) -> Value:
        """The current value of an SSA value."""
        return self._values[of]

    def bind(self, of: SSAValue, value: Value) -> None:
        """Set the current value of an SSA value."""
        self._values[of] = value

    def semantics(self, op: Operation) -> Semantics:
        """The function of an op's class, of its nearest base class, or of its name."""
        cls = type(op)
        found = next(
            (self._by_class[base] for base in cls.__mro__ if base in self._by_class),
            None,
        )
        found = found or self._by_name.get(op.name)
        if found is None:
            fail(op, "the interpreter has no semantics for this op")
        self._by_class[cls] = found
        return found

    def _plan(self, block: Block) -> Sequence[_Step]:
        steps = self._steps.get(block)
        if steps is None:
            for op in block.ops:
                if (lack := lack_for(op)) is not None:
                    fail(op, f"this needs {lack}", "interpret smaller sizes")
            steps = self._steps[block] = [
                (self.semantics(op), op, tuple(op.operands), tuple(op.results))
                for op in block.ops
            ]
        return steps


def find_function(module: ModuleOp, entry: str | None) -> func.FuncOp:
    """The function named `entry`; without a name, the one that no other calls."""
    functions = {
        op.sym_name.data: op
        for op in module.ops
        if isinstance(op, func.FuncOp) and op.body.blocks
    }
    if entry is not None:
        if entry not in functions:
            known = ", ".join(f"@{name}" for name in functions) or "none"
            raise UserError(f"no function @{entry} in the module; it has: {known}")
        return functions[entry]
    called = {
        op.callee.string_value()
        for function in functions.values()
        for op in function.walk()
        if isinstance(op, func.CallOp)
    }
    roots = [name for name in functions if name not in called]
    if len(roots) != 1:
        if not functions:
            raise UserError(
                "there is no function in the module",
                remedy="a payload has at least a func.func",
            )
        known = ", ".join(f"@{name}" for name in functions)
        raise UserError(
            "cannot tell which function to run", remedy=f"name one of: {known}"
        )
    return functions[roots[0]]


def run_with(
    tables: Sequence[Table],
    module: ModuleOp,
    inputs: Sequence[Array],
    entry: str | None,
    options: Options,
) -> list[Array]:
    """Check the inputs against the signature and run the entry function."""
    function = find_function(module, entry)
    arguments = check_arguments(signature_of(function), inputs)
    # Overflow to inf, NaN from invalid operations and wrapping integers are the
    # program's semantics, not mistakes of ours.
    with np.errstate(all="ignore"):
        results = Interpreter(tables, module, options).call(function, arguments)
    return [np.asarray(result) for result in results]
