"""The list of passes: each leaves a module that is read back and computes the same."""

from __future__ import annotations

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

from support.codegen.buffer_level import CASES, matmul_relu, parse, text_of
from support.sampling import mostly_slow
from tilewright.codegen.generate import BUFFER_PASSES, KERNEL_PASSES
from tilewright.codegen.lower.function import lower
from tilewright.ir.context import payload_context
from tilewright.ir.interpreter import run
from tilewright.ir.text import parse_module, to_text, verify

PERSISTENT = "triton.persistent = 1 : i64"
PARTS = "triton.store_parts = 2 : i64"
STRUCTURES = {
    "persistent": PERSISTENT,
    "persistent in parts": f"{PERSISTENT}, {PARTS}",
    "parts through descriptors": f"triton.descriptors, {PARTS}",
    "grouped": f"triton.group = 2 : i64, {PERSISTENT}",
}


def _source(case: str) -> str:
    if case in STRUCTURES:
        tile = (32, 64, 32)
        return matmul_relu(96, 136, 64, tile, attributes=STRUCTURES[case])
    return text_of(case)


def _levels(text: str) -> list[tuple[str, ModuleOp]]:
    """The module after each pass, as code generation sees it."""
    module = parse(text)
    found = [("buffer", module)]
    for each in BUFFER_PASSES:
        module = each.run(module)
        found.append((each.name, module.clone()))
    module = lower(module).module
    found.append(("lower", module.clone()))
    for each in KERNEL_PASSES:
        module = each.run(module)
        found.append((each.name, module.clone()))
    return found


@pytest.mark.sampled(50)
@pytest.mark.parametrize(
    "case",
    mostly_slow(
        [*STRUCTURES, *sorted(set(CASES) - {"row_statistics"})],
        ["persistent in parts", "parts through descriptors", "softmax", "two_kernels"],
    ),
)
def test_every_pass_leaves_a_module_that_is_read_back(case: str) -> None:
    # row_statistics holds dense<0xfc00>, which xDSL reads as an integer.
    for name, module in _levels(_source(case)):
        verify(module)
        text = to_text(module)
        again = parse_module(text, f"{name}.mlir", payload_context())
        assert to_text(again) == text, name


@pytest.mark.sampled(6)
@pytest.mark.parametrize("case", [*STRUCTURES, "split_k"])
def test_every_pass_keeps_the_numbers(case: str) -> None:
    (_, first), *others = _levels(_source(case))
    random = np.random.default_rng(0)
    arguments = next(op for op in first.ops if op.regions).regions[0].block.args
    inputs = [
        random.integers(-2, 3, argument.type.get_shape()).astype(np.float16)
        for argument in arguments
    ]
    (expected,) = run(first, inputs)
    for name, module in others:
        (got,) = run(module, inputs)
        np.testing.assert_array_equal(got, expected, err_msg=name)


@pytest.mark.slow
def test_passes_do_what_lowering_leaves_to_them() -> None:
    texts = dict(_names(_levels(_source("persistent in parts"))))
    assert "kernel.each_tile" in texts["lower"] and "store_parts 2" in texts["lower"]
    assert "kernel.halves" not in texts["lower"]
    assert "kernel.halves" in texts["store-parts"]
    assert "store_parts" not in texts["store-parts"]
    assert "kernel.num_programs" not in texts["store-parts"]
    assert "kernel.num_programs" in texts["loop-over-tiles"]
    assert "kernel.each_tile" not in texts["loop-over-tiles"]
    texts = dict(_names(_levels(_source("split_k"))))
    assert "kernel.last_arriver" in texts["lower"]
    assert "kernel.arrive" not in texts["lower"]
    assert "kernel.arrive" in texts["count-arrivals"]


def test_a_buffer_pass_leaves_the_given_module_alone() -> None:
    for case in CASES:
        module = parse(text_of(case))
        before = to_text(module)
        for each in BUFFER_PASSES:
            each.run(module)
        assert to_text(module) == before


def _names(levels: list[tuple[str, ModuleOp]]) -> list[tuple[str, str]]:
    return [(name, to_text(module)) for name, module in levels]
