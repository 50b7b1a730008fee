"""The example payloads with one of their sizes left open: one program for all of them.

Rows, sequence lengths, features, batches: the default schedule makes kernels of each,
which give the payload's numbers at a size that no tile divides.
"""

from __future__ import annotations

import re

import pytest
from xdsl.dialects.builtin import ModuleOp

from support.paths import EXAMPLES
from support.sampling import mostly_slow
from tilewright.codegen.program import DYNAMIC
from tilewright.codegen.standalone.reference.function import torch_reference
from tilewright.numeric_check import check_kernel_ir, make_case
from tilewright.pipeline import argument_specs, build, parse_payload

PAYLOADS = EXAMPLES / "payloads"


def with_open_size(text: str, size: int) -> str:
    """A payload in which every extent of that size is `?`, all the same number."""

    def opened(match: re.Match[str]) -> str:
        dims = ("?" if dim == str(size) else dim for dim in match[1].split("x"))
        return f"tensor<{'x'.join(dims)}>"

    def sized(match: re.Match[str]) -> str:
        sizes = ", ".join(["%open"] * match[1].count("?"))
        return f"tensor.empty({sizes}) : tensor<{match[1]}>"

    text = re.sub(r"tensor<(\w+)>", opened, text)
    text = re.sub(r"tensor\.empty\(\) : tensor<([^>]*)>", sized, text)
    head, brace, body = text.partition("{\n")
    arguments = re.findall(r"%(\w+): (tensor<[^>]*>)", head)
    name, of = next((name, of) for name, of in arguments if "?" in of)
    dim = of.removeprefix("tensor<").split("x").index("?")
    read = (
        f"  %where = arith.constant {dim} : index\n"
        f"  %open = tensor.dim %{name}, %where : {of}\n"
    )
    return head + brace + read + body


CASES = [
    ("attention", 512),
    ("attention_causal", 512),
    ("attention", 32),
    ("batch_matmul", 128),
    ("fp8_matmul", 512),
    ("gated_mlp", 512),
    ("layernorm", 4096),
    ("layernorm_residual", 4096),
    ("linear_gelu_residual", 512),
    ("matmul_relu", 512),
    ("mlp_f16", 256),
    ("rmsnorm", 4096),
    ("softmax", 4096),
]
QUICK = [("attention", 512), ("layernorm", 4096)]


def opened_example(name: str, size: int) -> ModuleOp:
    text = (PAYLOADS / f"{name}.mlir").read_text()
    return parse_payload(with_open_size(text, size), f"{name}.mlir")


@pytest.mark.sampled(50)
@pytest.mark.parametrize(("name", "size"), mostly_slow(CASES, QUICK))
def test_an_open_size(name: str, size: int) -> None:
    payload = opened_example(name, size)
    built = build(payload, None)
    arguments, _ = argument_specs(payload)
    assert any(DYNAMIC in spec.shape for spec in arguments)
    for number in (0, 5):
        shapes = tuple(
            tuple(number if extent == DYNAMIC else extent for extent in spec.shape)
            for spec in arguments
        )
        comparison = check_kernel_ir(built, make_case(payload, 0, shapes))
        assert comparison.ok, comparison.message


@pytest.mark.parametrize(("name", "size"), CASES)
def test_the_reference_of_an_open_size(name: str, size: int) -> None:
    """What a stand-alone file is checked against, without a number for the size."""
    lines = torch_reference(opened_example(name, size), "reference", set())
    assert lines[-1].startswith("    return ")
    assert not any(re.search(rf"\b{size}\b", line) for line in lines)
