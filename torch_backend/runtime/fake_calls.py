"""A compiled graph on fake tensors: shapes, types and strides without numbers.

Dynamo's guards do not tell a fake tensor from a real one, so a graph that was compiled
for real tensors may be called with fake ones. Kernels cannot read them. The text of the
graph's function is then run with other calls in the place of its payloads: each makes
empty tensors like the payload's results, and torch infers the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import SimpleNamespace
from typing import Any

import torch
from torch._subclasses.fake_tensor import FakeTensor, FakeTensorMode
from torch.utils import _pytree as pytree

from tilewright.codegen.runtime.lean.orders import seen
from tilewright.torch_backend.runtime.segment_call import SegmentCall
from tilewright.torch_backend.runtime.segment_nodes import write_back

ON_FAKES = "_on_fakes"
IS_FAKE = "_is_fake"
"""Names in the text of a graph's function."""
CHECK = f"    if {IS_FAKE}(args):\n        return {ON_FAKES}(self, args)\n"
"""The first lines of a graph's function that takes inputs."""


@dataclass(frozen=True)
class EmptyResults:
    """A call that makes what a payload returns, without computing it."""

    layouts: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]
    """Sizes and strides."""
    dtypes: tuple[torch.dtype, ...]
    device: torch.device

    @staticmethod
    def of(call: SegmentCall) -> EmptyResults:
        """The results of a segment whose sizes are known."""
        assert call.lowered is not None
        values = [node.meta["val"] for node in call.segment.outputs]
        orders = call.lowered.output_orders
        return EmptyResults(
            tuple(
                seen([int(value.shape[dim]) for dim in order], order)
                for value, order in zip(values, orders, strict=True)
            ),
            tuple(value.dtype for value in values),
            call.device,
        )

    def __call__(self, *_: Any) -> Any:
        """The results, for any tensors."""
        made = tuple(
            torch.empty_strided(*layout, dtype=dtype, device=self.device)
            for layout, dtype in zip(self.layouts, self.dtypes, strict=True)
        )
        return made[0] if len(made) == 1 else made


def has_fakes(args: Sequence[Any]) -> bool:
    """Whether an input is a fake tensor."""
    # A set, since it compares types by their hashes: calls have hundreds of inputs.
    return FakeTensor in set(map(type, args))


def on_fakes(
    text: str, scope: Mapping[str, Any], empty: Mapping[str, EmptyResults]
) -> Callable[[Any, list[Any]], Any]:
    """The function of a graph's text for fake tensors, made when it is first called.

    `scope` has what the text calls, and `empty` the calls in the place of payloads.
    """

    @cache
    def forward() -> Callable[..., Any]:
        calls = {
            name: value.on_fakes
            for name, value in scope.items()
            if isinstance(value, SegmentCall)
        }
        unwritten = {
            name: _unwritten for name, value in scope.items() if value is write_back
        }
        made = {**scope, **calls, **empty, **unwritten, IS_FAKE: lambda _: False}
        exec(text, made)
        return made["forward"]

    def run(owner: SimpleNamespace, args: list[Any]) -> Any:
        mode = next(one.fake_mode for one in args if type(one) is FakeTensor)
        given = [_faked(one, mode) for one in args]
        args.clear()
        with mode:
            return forward()(_faked_constants(owner, mode), given)

    return run


def _unwritten(given: Any, _: Any) -> Any:
    """A tensor that a segment writes to; it has no numbers."""
    return given


def _faked(value: Any, mode: FakeTensorMode) -> Any:
    if isinstance(value, torch.Tensor) and not isinstance(value, FakeTensor):
        return mode.from_tensor(value)
    return value


def _faked_constants(owner: SimpleNamespace, mode: FakeTensorMode) -> SimpleNamespace:
    """The constants of a graph as fake tensors; subgraphs stay."""
    made = SimpleNamespace()
    for name, value in vars(owner).items():
        if isinstance(value, SimpleNamespace):
            setattr(made, name, _faked_constants(value, mode))
        else:
            setattr(made, name, pytree.tree_map(lambda one: _faked(one, mode), value))
    return made
