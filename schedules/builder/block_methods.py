"""Methods for statements with blocks, and for what they yield."""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.schedules.builder.blocks import (
    Attempt,
    Choice,
    Chosen,
    Loop,
    OneBlock,
    Permutation,
)
from tilewright.schedules.builder.call_site import assigned_name, call_site
from tilewright.schedules.builder.given import need_list, need_name
from tilewright.schedules.builder.recording import Recording
from tilewright.schedules.builder.trees import value_tree
from tilewright.schedules.builder.values import (
    Arithmetic,
    Bound,
    Handle,
    LoopOrder,
    Scalar,
    binding,
    operand,
)
from tilewright.schedules.language.lowering.orders import check_order
from tilewright.schedules.language.syntax import Items, Order, Yield


class BlockMethods:
    """Statements with blocks, as methods of a schedule under construction."""

    _recording: Recording

    def choose(self, name: str, *, default: str | None = None) -> Choice:
        """Leave a branch open: `with s.choose("loads") as loads: ...`.

        `default` is the label of the branch that is taken if nobody chooses one.
        """
        return Choice(self._recording, name, default)

    def permute(self, name: str) -> Permutation:
        """Leave the order of steps open: `with s.permute("steps") as steps: ...`."""
        return Permutation(self._recording, name)

    def loop_order(self, name: str, loops: Sequence[int]) -> LoopOrder:
        """Leave an order of loops open, for verbs that take numbers of loops."""
        site = call_site()
        name = need_name(name, "loop_order", 's.loop_order("order", [0, 1])')
        made = LoopOrder(name, self._recording.block)
        numbers = need_list(loops, "loop_order", 's.loop_order("order", [0, 1])')
        order = Order(binding(made), Items(tuple(map(operand, numbers))))
        order = self._recording.known(order, site.place)
        check_order(order)
        self._recording.add(order, site)
        self._recording.assign(made, assigned_name())
        return made

    def chosen(self, name: str) -> Chosen:
        """The branch that a `choose` takes, also of one that comes later."""
        return Chosen(name)

    def try_(self, scope: Handle | None = None) -> Attempt:
        """Take the first branch that applies: `with s.try_(func) as attempt: ...`.

        Branches see only `scope`; without it they see the root.
        """
        return Attempt(self._recording, scope)

    def for_each(self, *over: Bound, shortest: bool = False) -> Loop:
        """Run a block for each op of a handle: `with s.for_each(xs) as (x,): ...`."""
        return Loop(self._recording, over, shortest)

    def suppress(self, *handles: Bound) -> OneBlock:
        """Skip the steps of a block that do not apply: `with s.suppress(func): ...`."""
        return OneBlock(self._recording, "suppress", handles)

    def propagate(self, *handles: Bound) -> OneBlock:
        """Pass a failure inside a block on, as outside: `with s.propagate(f): ...`."""
        return OneBlock(self._recording, "propagate", handles)

    def matching(self, op: Handle) -> OneBlock:
        """Predicates on one structured op, in a sequence for `foreach_match`."""
        return OneBlock(self._recording, "matching", [op])

    def yield_(self, *values: Bound | Arithmetic | Scalar) -> None:
        """End a block; the values are the results of its statement."""
        site = call_site()
        made = Yield(tuple(value_tree(value) for value in values))
        self._recording.add(self._recording.known(made, site.place), site)
