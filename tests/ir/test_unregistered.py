"""Ops, types and attributes of dialects that nobody registered."""

from __future__ import annotations

import pytest

from support.mlir_opt import mlir_opt, needs_mlir
from tilewright.ir.dialects.unregistered import UnregisteredOp, may_be_unregistered
from tilewright.ir.errors import UserError
from tilewright.ir.text import parse_module, to_text
from tilewright.transforms.dialect import schedule_context

MODULE = """
func.func @f(%x: i32) -> i32 attributes {dummy.k = #dummy.attr<3, [a]>} {
  %r:2 = "dummy.foo"(%x) <{kind = "a", n = 3 : i32}> ({
    %c = arith.constant 1 : i32
    "dummy.use"(%c, %x) : (i32, i32) -> ()
  ^bb1(%q: !dummy.thing):
    "dummy.end"() : () -> ()
  }, {}) {name = @f, y = [1, 2], "a key" = 3} : (i32) -> (i32, !dummy.t<f32, "s">)
  "no_dialect"() : () -> ()
  %v = "dummy.some_op"() : () -> tensor<4x!dummy.elem>
  "dummy.branch"(%r#1, %v)[^bb1] : (!dummy.t<f32, "s">, tensor<4x!dummy.elem>) -> ()
^bb1:
  return %r#0 : i32
}
"""


def read(text: str) -> str:
    context = schedule_context(reads_unregistered=True)
    return to_text(parse_module(text, "dummy.mlir", context))


def refusal(text: str, *, reads_unregistered: bool = True) -> UserError:
    context = schedule_context(reads_unregistered=reads_unregistered)
    with pytest.raises(UserError) as error:
        parse_module(text, "dummy.mlir", context)
    return error.value


def test_print_and_parse_give_the_same_text() -> None:
    text = read(MODULE)
    assert '"dummy.foo"(%x) <{kind = "a", n = 3 : i32}> ({' in text
    assert read(text) == text


@needs_mlir
def test_real_mlir_reads_the_same_module() -> None:
    allow = "--allow-unregistered-dialect"
    assert mlir_opt(read(MODULE), allow) == mlir_opt(MODULE, allow)


def test_each_name_has_one_class() -> None:
    first, second = (schedule_context(reads_unregistered=True) for _ in range(2))
    kind = first.get_generic_op("dummy.foo")
    assert kind is second.get_generic_op("dummy.foo")
    assert kind is not None and issubclass(kind, UnregisteredOp)
    assert first.get_optional_type("dummy.t") is second.get_optional_type("dummy.t")


def test_unknown_ops_of_known_dialects_are_errors() -> None:
    assert not may_be_unregistered("arith.foo")
    assert "there is no op 'arith.foo'" in refusal('"arith.foo"() : () -> ()').fact
    assert "'!linalg.foo'" in refusal("func.func private @f(!linalg.foo)").fact


def test_only_the_generic_form_is_read() -> None:
    assert refusal("dummy.foo").fact == "there is no dialect 'dummy'"


def test_they_are_refused_by_default() -> None:
    error = refusal('"dummy.foo"() : () -> ()', reads_unregistered=False)
    assert error.fact == "there is no dialect 'dummy'"
    error = refusal("func.func private @f(!dummy.t)", reads_unregistered=False)
    assert error.fact == "unknown type '!dummy.t'"


def test_a_value_must_dominate_its_uses() -> None:
    text = '"dummy.a"(%x) : (i32) -> ()\n%x = "dummy.b"() : () -> i32\nreturn'
    error = refusal(f"func.func @f() {{\n{text}\n}}")
    assert "does not dominate this use" in error.fact


def test_successors_end_a_block() -> None:
    text = '"dummy.branch"()[^bb1] : () -> ()\nreturn\n^bb1:\nreturn'
    error = refusal(f"func.func @f() {{\n{text}\n}}")
    assert "must terminate its parent block" in error.fact


LAUNCH = """
func.func @f(%m: memref<4xf32>, %go: i1) {
  %one = index.constant 1
  gpu.launch blocks(%a, %b, %c) in (%d = %one, %e = %one, %g = %one)
      threads(%h, %i, %j) in (%k = %one, %l = %one, %n = %one) {
    %v = memref.load %m[%h] : memref<4xf32>
    gpu.terminator
  }
  cf.cond_br %go, ^bb1, ^bb2
^bb1:
  %r = scf.while (%x = %go) : (i1) -> i1 {
    scf.condition(%x) %x : i1
  } do {
  ^bb0(%y: i1):
    scf.yield %y : i1
  }
  cf.br ^bb2
^bb2:
  return
}
"""


def test_ops_that_are_only_read_and_printed() -> None:
    text = read(LAUNCH)
    assert read(text) == text
    error = refusal(LAUNCH, reads_unregistered=False)
    assert error.fact == "the dialect 'index' is not supported"


def test_types_of_dialects_that_are_not_read() -> None:
    text = "func.func private @f(!llvm.struct<(i32, ptr)>, !llvm.ptr)"
    assert "!llvm.struct<(i32, ptr)>, !llvm.ptr" in read(text)
