"""A kernel as text: what it uses comes along; what it writes is found."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest
import triton
import triton.language as tl

from support.tuning import own_kernels as samples
from tilewright.ir.errors import UserError
from tilewright.tuning.own_kernels.argument_uses import argument_uses
from tilewright.tuning.own_kernels.kernel_source import literal, read_kernel


def loaded(text: str, tmp_path: Any) -> ModuleType:
    """The module that a text makes, as a worker loads it."""
    path = tmp_path / "kernel.py"
    path.write_text(f"import torch\nimport triton\nimport triton.language\n{text}")
    module = ModuleType("kernel")
    module.__file__ = str(path)
    exec(compile(path.read_bytes(), path, "exec"), vars(module))
    return module


def test_helpers_constants_and_aliases_come_along(tmp_path: Any) -> None:
    source = read_kernel(samples.add_kernel)
    assert source.name == "add_kernel"
    assert source.parameters == ("x_ptr", "y_ptr", "out_ptr", "n", "BLOCK")
    assert source.constexprs == {"BLOCK"}
    module: Any = loaded(source.text, tmp_path)
    assert module.SCALE.value == 2.0
    assert module.renamed is module.scaled
    assert module.add_kernel.arg_names == list(source.parameters)
    # The text is all there is: read again, it is the same kernel.
    assert read_kernel(module.add_kernel).text == source.text


def test_a_place_is_a_line_of_the_users_file() -> None:
    source = read_kernel(samples.add_kernel)
    assert source.place.file.endswith("own_kernels.py")
    assert source.place.text is not None
    assert source.place.text.startswith("def add_kernel(")
    place = source.place_at(2)
    assert place.line == source.place.line + 1 and "program_id" in (place.text or "")
    assert source.place_at(999).line == source.place.line + len(source.lines) - 1


def test_options_of_the_decorator_stay(tmp_path: Any) -> None:
    source = read_kernel(samples.optioned_kernel)
    assert "@triton.jit(do_not_specialize=['n'], noinline=True)\n" in source.text
    module: Any = loaded(source.text, tmp_path)
    assert module.optioned_kernel.noinline is True
    assert module.LIMIT == 3
    assert module.ceiling is samples.ceiling


def test_a_closure_keeps_its_values(tmp_path: Any) -> None:
    module: Any = loaded(read_kernel(samples.of_closure(7)).text, tmp_path)
    assert module.factor == 7
    assert read_kernel(samples.of_closure(7)).text != (
        read_kernel(samples.of_closure(8)).text
    )


def test_a_value_that_has_no_text_is_refused() -> None:
    with pytest.raises(UserError) as raised:
        read_kernel(samples.odd_global_kernel)
    text = str(raised.value)
    assert "own_kernels.py:" in text and "uses 'NOT_PLAIN', which is object" in text
    assert "pass NOT_PLAIN as an argument" in text
    assert isinstance(raised.value, ValueError)


def test_only_triton_functions_are_kernels() -> None:
    with pytest.raises(UserError, match="is not a @triton.jit function"):
        read_kernel(samples.grid)
    tuned: Any = triton.autotune([triton.Config({"BLOCK": 64})], key=["n"])
    assert read_kernel(tuned(samples.add_kernel)).name == "add_kernel"
    computed: Any = triton.heuristics({"BLOCK": lambda args: 64})
    with pytest.raises(UserError, match="decorated with @triton.heuristics"):
        read_kernel(computed(samples.add_kernel))


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (3, "3"),
        (True, "True"),
        (0.5, "0.5"),
        (float("inf"), "float('inf')"),
        ("a'b", '"a\'b"'),
        (None, "None"),
        ((1, 2.5), "(1, 2.5, )"),
        (tl.constexpr(4), "triton.language.constexpr(4)"),
        (tl.bfloat16, "triton.language.dtype('bf16')"),
        (object, None),
        ([object], None),
    ],
)
def test_values_as_text(value: Any, text: str | None) -> None:
    assert literal(value) == text
    if text is not None:
        assert literal(eval(text, {"triton": triton})) == text


def uses_of(kernel: Any) -> tuple[set[str], set[str]]:
    source = read_kernel(kernel)
    found = argument_uses(source.name, source.functions)
    return found.read, found.written


def test_what_a_kernel_reads_and_writes() -> None:
    assert uses_of(samples.add_kernel) == (
        {"x_ptr", "y_ptr", "BLOCK"},  # offsets count too; they are no tensors
        {"out_ptr", "BLOCK"},
    )
    read, written = uses_of(samples.many_uses_kernel)
    assert {"a_ptr", "index_ptr", "sums_ptr", "both_ptr"} <= read
    assert written - {"n", "BLOCK"} == {"sums_ptr", "both_ptr", "out_ptr", "other_ptr"}
    assert "out_ptr" not in read and "other_ptr" not in read


def test_descriptors_are_followed() -> None:
    read, written = uses_of(samples.descriptor_kernel)
    assert "x_ptr" in read and "out_ptr" not in read
    assert "out_ptr" in written and "x_ptr" not in written
