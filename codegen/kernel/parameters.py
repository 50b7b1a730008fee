"""The parameters of one kernel: made when first needed, put in order at the end.

Pointers and descriptors come first, then the numbers that the caller passes: sizes
known only at run time, rows before columns, and scalars of the function.
"""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.dialects.builtin import IndexType, VectorType, i32
from xdsl.ir import Attribute, Block, BlockArgument, SSAValue

from tilewright.codegen.analysis.descriptors import block_shape, described_extents
from tilewright.codegen.analysis.elements.atoms import Atom, Computed, Given, Runtime
from tilewright.codegen.analysis.elements.views import Access
from tilewright.codegen.kernel.axes import Axes, letter_order
from tilewright.codegen.kernel.builder import Builder
from tilewright.codegen.kernel.scalars import passed_type
from tilewright.codegen.refusal import refuse
from tilewright.ir.dialects.kernel import CastOp, DescriptorType, PointerType
from tilewright.ir.dialects.scf import ForallOp
from tilewright.ir.types import buffer_type


class Parameters:
    """The arguments of the entry block, and the value that is passed for each."""

    def __init__(
        self,
        grid: ForallOp,
        entry: Block,
        builder: Builder,
        axes: Axes,
        names: Mapping[SSAValue, str],
    ):
        self.buffers: list[SSAValue] = []
        """The buffers of the function, in the order of the parameters."""
        self.numbers: list[Given] = []
        """The numbers that the parameters after the buffers hold."""
        self._grid = grid
        self._entry = entry
        self._builder = builder
        self._axes = axes
        self._names = names
        self._known: dict[object, SSAValue] = {}
        self._computed: dict[Given, Atom] = {}
        builder.parameter = self._size

    # Buffers.

    def pointer(self, base: SSAValue) -> SSAValue:
        """The parameter for a buffer, as a pointer."""
        of = PointerType(buffer_type(base).element_type)
        return self._buffer(("pointer", base), base, of, f"{self._names[base]}_ptr")

    def counters(self, base: SSAValue) -> SSAValue:
        """The parameter for the buffer of arrival counters."""
        return self._buffer("counters", base, PointerType(i32), "counters_ptr")

    def descriptor(self, access: Access) -> SSAValue:
        """The parameter for a buffer, as a descriptor with the access's block shape."""
        base, block = access.base, block_shape(access)
        tile = VectorType(buffer_type(base).element_type, list(block))
        of = DescriptorType(tile, described_extents(access))
        name = f"{self._names[base]}_desc"
        return self._buffer(("descriptor", base, of), base, of, name)

    def _buffer(
        self, key: object, base: SSAValue, of: Attribute, hint: str
    ) -> SSAValue:
        parameter = self._known.get(key)
        if parameter is None:
            parameter = self._entry.insert_arg(of, len(self.buffers))
            parameter.name_hint = hint
            self._known[key] = parameter
            self.buffers.append(base)
        return parameter

    # Numbers.

    def scalar(self, argument: SSAValue) -> SSAValue:
        """The parameter for a scalar of the payload."""
        of = argument.type
        name = self._names[argument]
        if isinstance(of, IndexType):
            return self._number(Runtime(argument), i32, name)
        passed = passed_type(of)
        if passed is None:
            refuse(
                self._grid,
                f"takes a scalar of type {of}, which Triton cannot pass",
                "pass a tensor of rank 0",
            )
        parameter = self._number(Runtime(argument), passed, name)
        if passed == of:
            return parameter
        return self._builder.once(
            ("scalar", argument),
            0,
            lambda: self._builder.add(CastOp(parameter, of), 0, name),
        )

    def _size(self, atom: Atom) -> SSAValue:
        """The parameter for a number that indices are computed from."""
        key = atom.runtime
        assert key is not None
        letter = self._axes.letter_of_atom(atom)
        if isinstance(key, Computed):
            self._computed[key] = atom
            name = self._axes.name_runtime(atom, letter or "size")
            return self._number(key, i32, name)
        if key.dim is None:
            return self.scalar(key.argument)
        wanted = letter or f"{self._names[key.argument]}_{key.dim}"
        return self._number(key, i32, self._axes.name_size(atom, wanted, self._names))

    def _number(self, key: Given, of: Attribute, hint: str) -> SSAValue:
        parameter = self._known.get(key)
        if parameter is None:
            parameter = self._entry.insert_arg(of, len(self._entry.args))
            parameter.name_hint = hint
            self._known[key] = parameter
            self.numbers.append(key)
        return parameter

    # When the kernel is complete.

    @property
    def computed(self) -> list[Atom]:
        """The numbers among the parameters that the launcher computes."""
        return [atom for key, atom in self._computed.items() if key in self.numbers]

    def finish(self) -> None:
        """Drop parameters that nothing reads, and sort the sizes that are left."""
        for parameter in list(self._entry.args):
            if parameter.uses:
                continue
            position = parameter.index
            if position < len(self.buffers):
                del self.buffers[position]
            else:
                del self.numbers[position - len(self.buffers)]
            self._entry.erase_arg(parameter)
        self._order_numbers()

    def _order_numbers(self) -> None:
        old = list(self._entry.args[len(self.buffers) :])
        pairs = sorted(zip(self.numbers, old, strict=True), key=_place)
        self.numbers = [key for key, _ in pairs]
        for _, parameter in pairs:
            moved = self._entry.insert_arg(parameter.type, len(self._entry.args))
            moved.name_hint = parameter.name_hint
            parameter.replace_all_uses_with(moved)
        for parameter in old:
            self._entry.erase_arg(parameter)


def _place(pair: tuple[Given, SSAValue]) -> tuple[int, str]:
    key, parameter = pair
    if (
        isinstance(key, Runtime)
        and key.dim is None
        and isinstance(key.argument, BlockArgument)
    ):
        return 100 + key.argument.index, ""
    return letter_order(parameter.name_hint or "size")
