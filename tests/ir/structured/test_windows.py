"""Convolutions and poolings: text, maps and bodies as real MLIR has them."""

from __future__ import annotations

import itertools
import re
from typing import Any

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from support.ir.interpreter import interpret
from support.mlir_opt import mlir_opt, needs_mlir
from tilewright.ir.context import payload_context
from tilewright.ir.dialects.linalg import WINDOW_OPS, PoolingOp, WindowOp
from tilewright.ir.errors import UserError
from tilewright.ir.text import parse_module, to_text, verify
from tilewright.ir.types import tensor_type

SIZES = {"n": 2, "g": 2, "c": 3, "f": 4, "m": 2, "d": 5, "h": 6, "w": 7}
WINDOW = {"d": 2, "h": 3, "w": 2}


def payload(op: type[WindowOp], *, steps: bool = True, of: str = "f32") -> str:
    """A function of one op, with strides and dilations of its own."""
    layouts = op.WINDOW
    has_steps = steps and "n" in layouts.image
    count = len(layouts.places)
    stride, dilation = [2, 1, 2][:count], [1, 2, 1][:count]
    if not has_steps:
        stride = dilation = [1] * count
    out = dict(SIZES)
    for at, letter in enumerate(layouts.places):
        reach = (WINDOW[letter] - 1) * dilation[at] + 1
        out[letter] = (SIZES[letter] - reach) // stride[at] + 1
    image = _type(layouts.image, SIZES, of)
    window = _type(layouts.window, SIZES | WINDOW, of)
    output = _type(layouts.output, out, of)
    attributes = (
        f" {{dilations = dense<{dilation}> : tensor<{count}xi64>, "
        f"strides = dense<{stride}> : tensor<{count}xi64>}}"
        if has_steps
        else ""
    )
    points = ["%p", "%q"][: op.SCALARS]
    names = ", ".join(["%x", "%w", *points])
    types = ", ".join([image, window, *([of] * len(points))])
    arguments = "".join(f", {point}: {of}" for point in points)
    return (
        f"func.func @f(%x: {image}, %w: {window}{arguments}, %o: {output}) "
        f"-> {output} {{\n"
        f"  %r = {op.name}{attributes} ins({names} : {types}) "
        f"outs(%o : {output}) -> {output}\n"
        f"  return %r : {output}\n}}\n"
    )


def _type(letters: str, sizes: dict[str, int], of: str) -> str:
    return f"tensor<{'x'.join(str(sizes[letter]) for letter in letters)}x{of}>"


def op_in(text: str) -> WindowOp:
    module = parse_module(text, "test.mlir", payload_context())
    verify(module)
    (found,) = (op for op in module.walk() if isinstance(op, WindowOp))
    return found


@needs_mlir
@pytest.mark.parametrize("name", WINDOW_OPS)
def test_maps_and_loops_are_upstreams(name: str) -> None:
    of = "i32" if name.endswith(("unsigned", "_q")) else "f32"
    text = payload(WINDOW_OPS[name], of=of)
    mine = op_in(text)
    theirs = mlir_opt(text, "--linalg-generalize-named-ops")
    maps = [_plain(found) for found in re.findall(r"affine_map<(.*)>", theirs)]
    assert list(dict.fromkeys(_plain(str(map_)) for map_ in mine.maps)) == maps
    kinds = re.search(r"iterator_types = \[(.*?)\]", theirs)
    assert kinds is not None
    own = [f'"{kind.data.value}"' for kind in mine.get_iterator_types()]
    assert kinds[1] == ", ".join(own)
    scalars = re.findall(r"= (arith\.\w+)", theirs)
    assert [each.name for each in mine.body.block.ops][:-1] == scalars


@needs_mlir
def test_real_mlir_reads_what_is_printed() -> None:
    module = parse_module(
        payload(WINDOW_OPS["linalg.conv_2d_nhwc_hwcf"]), "a.mlir", payload_context()
    )
    assert "linalg.conv_2d_nhwc_hwcf" in mlir_opt(to_text(module))


def _plain(text: str) -> str:
    return re.sub(r"[()\s]", "", text)


@pytest.mark.parametrize("name", WINDOW_OPS)
def test_numbers_are_those_of_the_definition(name: str) -> None:
    op = WINDOW_OPS[name]
    text = payload(op, of="i32")
    named = op_in(text)
    rng = np.random.default_rng(0)
    image, window, *_, output = named.operands
    x, w, o = (
        rng.integers(0, 9, tensor_type(value).get_shape()).astype(np.int32)
        for value in (image, window, output)
    )
    points = [np.int32(3), np.int32(-2)][: op.SCALARS]
    expected = _computed(named, x, w, points, o)
    np.testing.assert_array_equal(interpret(text, x, w, *points, o), expected)


def _computed(op: WindowOp, x: Any, w: Any, points: list[Any], o: Any) -> Any:
    """The definition: a slice of the image for each place in the window."""
    layouts = op.WINDOW
    strides, dilations = op.steps("strides"), op.steps("dilations")
    shape = dict(zip(layouts.window, w.shape, strict=True))
    out = dict(zip(layouts.output, o.shape, strict=True))
    if points:
        x, w = x - points[0], w - points[1]
    made = o.copy()
    rest = layouts.window.translate({ord(letter): None for letter in layouts.places})
    for at in itertools.product(*(range(shape[each]) for each in layouts.places)):
        place = dict(zip(layouts.places, at, strict=True))
        cut: list[slice] = []
        for letter in layouts.image:
            if letter not in place:
                cut.append(slice(None))
                continue
            dim = layouts.places.index(letter)
            first = place[letter] * dilations[dim]
            last = first + (out[letter] - 1) * strides[dim]
            cut.append(slice(first, last + 1, strides[dim]))
        if isinstance(op, PoolingOp):
            kind = op.KIND.removesuffix("_unsigned")
            ufunc = {"sum": np.add, "max": np.maximum, "min": np.minimum}[kind]
            made = ufunc(made, x[tuple(cut)])
            continue
        taps = tuple(place.get(each, slice(None)) for each in layouts.window)
        letters = f"{layouts.image},{rest}->{layouts.output}"
        made += np.einsum(letters, x[tuple(cut)], w[taps])
    return made


def test_steps_that_the_text_leaves_out_are_not_printed() -> None:
    op = op_in(payload(WINDOW_OPS["linalg.conv_2d_nhwc_hwcf"], steps=False))
    assert not {"strides", "dilations"} & set(op.properties)


def test_steps_are_one_where_the_text_leaves_them_out() -> None:
    op = op_in(payload(WINDOW_OPS["linalg.conv_2d_nhwc_hwcf"], steps=False))
    assert op.steps("strides") == (1, 1) == op.steps("dilations")


def test_a_convolution_computes_as_torch() -> None:
    op = WINDOW_OPS["linalg.conv_2d_nchw_fchw"]
    rng = np.random.default_rng(0)
    x = rng.standard_normal((2, 3, 6, 7)).astype(np.float32)
    w = rng.standard_normal((4, 3, 3, 2)).astype(np.float32)
    expected = F.conv2d(
        torch.from_numpy(x), torch.from_numpy(w), stride=(2, 1), dilation=(1, 2)
    ).numpy()
    found = interpret(payload(op), x, w, np.zeros_like(expected))
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-5)


def test_a_pooling_computes_as_torch() -> None:
    op = WINDOW_OPS["linalg.pooling_nchw_max"]
    x = np.random.default_rng(0).standard_normal((2, 3, 6, 7)).astype(np.float32)
    expected = F.max_pool2d(
        torch.from_numpy(x), (3, 2), stride=(2, 1), dilation=(1, 2)
    ).numpy()
    lowest = np.full_like(expected, -np.inf)
    found = interpret(payload(op), x, np.zeros((3, 2), np.float32), lowest)
    np.testing.assert_array_equal(found, expected)


def test_a_step_of_zero_is_refused() -> None:
    text = payload(WINDOW_OPS["linalg.pooling_nchw_max"]).replace("[2, 1]", "[0, 1]")
    with pytest.raises(UserError, match=r"expected 2 positive strides, got \[0, 1\]"):
        op_in(text)


def test_poolings_know_their_kind() -> None:
    kinds = {op.KIND for op in WINDOW_OPS.values() if issubclass(op, PoolingOp)}
    assert kinds == {"max", "min", "sum", "max_unsigned", "min_unsigned"}
