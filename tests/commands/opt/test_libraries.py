"""`tilewright opt --library` and `--bind-trailing-args`, as upstream's passes do."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.command_line import Cli
from support.opt_files import OP

MARKED = "%x: !transform.any_op {transform.readonly}"
MAIN = f"""module attributes {{transform.with_named_sequence}} {{
  func.func @f(%x: f32) -> f32 {{
    %a = arith.addf %x, %x : f32
    return %a : f32
  }}
  transform.named_sequence private @say(!transform.any_op {{transform.readonly}})
  transform.named_sequence private @helper({MARKED}) {{
    transform.debug.emit_remark_at %x, "mine" : {OP}
    transform.yield
  }}
  transform.named_sequence @__transform_main({MARKED}) {{
    %a = transform.structured.match ops{{["arith.addf"]}} in %x : ({OP}) -> {OP}
    transform.include @helper failures(propagate) (%a) : ({OP}) -> ()
    transform.include @say failures(propagate) (%a) : ({OP}) -> ()
    transform.yield
  }}
}}
"""
LIBRARY = f"""module attributes {{transform.with_named_sequence}} {{
  transform.named_sequence private @helper({MARKED}) {{
    transform.debug.emit_remark_at %x, "the library's" : {OP}
    transform.yield
  }}
  transform.named_sequence @say({MARKED}) {{
    transform.include @helper failures(propagate) (%x) : ({OP}) -> ()
    transform.yield
  }}
}}
"""
BOUND = f"""module attributes {{transform.with_named_sequence}} {{
  func.func @f(%x: f32) -> f32 {{
    %a = arith.addf %x, %x : f32
    return %a : f32
  }}
  transform.named_sequence @__transform_main({MARKED},
      %op: {OP} {{transform.readonly}}, %v: !transform.any_value {{transform.readonly}},
      %p: !transform.param<i64> {{transform.readonly}}) {{
    transform.debug.emit_remark_at %op, "an op" : {OP}
    transform.debug.emit_remark_at %v, "a value" : !transform.any_value
    transform.debug.emit_param_as_remark %p : !transform.param<i64>
    transform.yield
  }}
}}
"""


def test_a_library_defines_what_is_declared(cli: Cli) -> None:
    Path("main.mlir").write_text(MAIN)
    Path("folder").mkdir()
    Path("folder/lib.mlir").write_text(LIBRARY)
    for library in ("folder/lib.mlir", "folder"):
        said = cli("opt", "main.mlir", "--library", library).err
        assert said.count("remark:") == 2
        assert "remark: mine" in said and "remark: the library's" in said


def test_a_library_alone_may_have_the_entry(cli: Cli) -> None:
    Path("lib.mlir").write_text(LIBRARY.replace("@say", "@__transform_main"))
    assert "the library's" in cli("opt", "p.mlir", "--library", "lib.mlir").err


def test_a_sequence_without_a_body_does_not_run(cli: Cli) -> None:
    Path("main.mlir").write_text(MAIN)
    done = cli("opt", "main.mlir", code=1)
    assert "include: the sequence @say is declared and has no body" in done.err


@pytest.mark.parametrize(
    ("library", "fact"),
    [
        (LIBRARY.replace("private @helper", "@helper"), None),
        (LIBRARY.replace("@say", "@__transform_main"), "@__transform_main is defined"),
        (LIBRARY.replace("@say(%x: !", "@say(%y: i64, %x: !"), "@say is (i64, "),
        ("func.func private @f()\n", "holds no named sequence"),
    ],
)
def test_names_that_collide(cli: Cli, library: str, fact: str | None) -> None:
    Path("main.mlir").write_text(MAIN)
    Path("lib.mlir").write_text(library)
    done = cli("opt", "main.mlir", "--library", "lib.mlir", code=0 if not fact else 1)
    assert fact is None or fact in done.err


def test_arguments_are_bound(cli: Cli) -> None:
    Path("bound.mlir").write_text(BOUND)
    given = ("--bind-trailing-args", "arith.addf,^arith.addf,#1;2")
    said = cli("opt", "bound.mlir", *given).err
    assert "remark: an op" in said and "remark: a value" in said
    assert "remark: 1 : i64, 2 : i64" in said


@pytest.mark.parametrize(
    ("given", "fact"),
    [
        ("arith.addf", "3 arguments after the root, 1 are bound"),
        ("arith.addf,arith.addf,#1", "'arith.addf' does not bind an argument of type"),
        ("arith.addf,^arith.addf,#one", "'#one' does not bind integers"),
        (None, "nothing says what argument 1 of @__transform_main stands for"),
    ],
)
def test_arguments_that_do_not_fit(cli: Cli, given: str | None, fact: str) -> None:
    Path("bound.mlir").write_text(BOUND)
    options = () if given is None else ("--bind-trailing-args", given)
    assert fact in cli("opt", "bound.mlir", *options, code=1).err
