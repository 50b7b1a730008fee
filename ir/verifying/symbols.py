"""Symbols: unique names, inside a symbol table, declarations private."""

from __future__ import annotations

from functools import cache

from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.ir import Operation
from xdsl.traits import SymbolOpInterface, SymbolTable
from xdsl.utils.hints import isa

from tilewright.ir.dialects.unregistered import UnregisteredOp
from tilewright.ir.errors import Note, UserError
from tilewright.ir.parsing.sources import place_of


def check_symbols(root: Operation) -> None:
    """Check the symbols of every symbol table in `root`."""
    ops = list(root.walk())
    for op in ops:
        if not _is_symbol(type(op)) or isinstance(op, ModuleOp):
            continue
        parent = op.parent_op()
        if parent is not None and not _may_be_table(parent):
            raise UserError(
                f"'{op.name}' op symbol's parent must have the SymbolTable trait",
                place_of(op),
                "move it out into the module",
            )
        is_declaration = op.name == "func.func" and not op.regions[0].blocks
        if is_declaration and "sym_visibility" not in op.properties:
            raise UserError(
                f"'{op.name}' op symbol declaration cannot have public visibility",
                place_of(op),
                "give it a body, or write 'func.func private'",
            )
    for table in ops:
        if _is_table(type(table)):
            _check_unique(table)


@cache
def _is_symbol(kind: type[Operation]) -> bool:
    """Whether ops of a class have a name."""
    return kind.has_trait(SymbolOpInterface, value_if_unregistered=False)


@cache
def _is_table(kind: type[Operation]) -> bool:
    """Whether the names in ops of a class are unique."""
    return kind.has_trait(SymbolTable, value_if_unregistered=False)


def _may_be_table(op: Operation) -> bool:
    return isinstance(op, UnregisteredOp) or _is_table(type(op))


def _check_unique(table: Operation) -> None:
    seen: dict[str, Operation] = {}
    for region in table.regions:
        for op in (op for block in region.blocks for op in block.ops):
            symbol = op.get_attr_or_prop("sym_name")
            # The verifier of the op reports a name that is missing or not a string.
            if not op.has_trait(SymbolOpInterface) or not isa(symbol, StringAttr):
                continue
            first = seen.setdefault(symbol.data, op)
            if first is not op:
                raise UserError(
                    f"redefinition of symbol named '{symbol.data}'",
                    place_of(op),
                    None,
                    [Note("see existing symbol definition here", place_of(first))],
                )
