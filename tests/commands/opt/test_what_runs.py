"""`tilewright opt`: which sequence runs, and what is printed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from support.command_line import Cli
from support.mlir_opt import needs_mlir
from support.opt_files import OP, PAYLOAD, SCRIPT
from support.transforms.same_program import assert_same_program
from support.transforms.schedules import by_real_mlir


def test_the_embedded_script_runs_and_is_not_printed(cli: Cli) -> None:
    done = cli("opt", "both.mlir")
    assert "step %" in done.out and "scf.for" in done.out
    assert "transform" not in done.out
    assert done.err == ""


@needs_mlir
def test_the_embedded_script_gives_what_mlir_gives(cli: Cli) -> None:
    assert_same_program(cli("opt", "both.mlir").out, by_real_mlir(PAYLOAD, SCRIPT))


def test_another_entry(cli: Cli) -> None:
    main_ = cli("opt", "both.mlir").out
    other = cli("opt", "both.mlir", "--entry", "by_four").out
    assert "tensor<8x16xf32>" in main_ and "tensor<4x16xf32>" in other
    assert cli("opt", "both.mlir", "--entry", "@by_four").out == other
    script = f"module attributes {{transform.with_named_sequence}} {{\n{SCRIPT}}}"
    Path("script.mlir").write_text(script)
    assert cli("opt", "p.mlir", "-s", "script.mlir", "--entry", "by_four").out == other


def test_an_entry_of_a_tw_file(cli: Cli) -> None:
    whole = cli("opt", "p.mlir", "-s", "s.tw").out
    assert cli("opt", "p.mlir", "-s", "s.tw", "--entry", "s").out == whole
    alone = cli("opt", "p.mlir", "-s", "s.tw", "--entry", "only_cse").out
    assert "scf.forall" in whole and "scf.forall" not in alone


def test_an_entry_that_is_not_there(cli: Cli) -> None:
    done = cli("opt", "both.mlir", "--entry", "by_five", code=1)
    assert "both.mlir has no sequence @by_five; it has @__transform_main, @by_four" in (
        done.err
    )
    done = cli("opt", "p.mlir", "--entry", "by_five", code=1)
    assert "p.mlir has no sequence @by_five" in done.err


def test_sequences_but_no_main_one(cli: Cli) -> None:
    Path("named.mlir").write_text(
        Path("both.mlir").read_text().replace("@__transform_main", "@mine")
    )
    done = cli("opt", "named.mlir", code=1)
    assert "has no sequence @__transform_main, only @mine" in done.err
    assert "choose where to begin with --entry mine" in done.err


@pytest.mark.parametrize("mode", ["propagate", "suppress"])
def test_a_bare_sequence_as_tutorials_have_it(cli: Cli, mode: str) -> None:
    body = SCRIPT.split("{\n", 1)[1].split("  transform.yield", 1)[0]
    Path("bare.mlir").write_text(
        f"{PAYLOAD}\ntransform.sequence failures({mode}) {{\n^bb0(%root: {OP}):\n"
        f"{body}}}\n"
    )
    assert cli("opt", "bare.mlir").out == cli("opt", "both.mlir").out
    kept = cli("opt", "bare.mlir", "--keep-schedule").out
    assert ("failures(suppress)" in kept) == (mode == "suppress")


def test_arguments_after_the_root_stand_for_what_their_types_name(cli: Cli) -> None:
    typed = SCRIPT.replace(
        f"(%root: {OP} {{transform.readonly}}) {{\n  %mm = transform.structured.match "
        f'ops{{["linalg.matmul"]}} in %root : ({OP}) -> {OP}\n',
        f"(%root: {OP} {{transform.readonly}}, "
        '%mm: !transform.op<"linalg.matmul"> {transform.consumed}) {\n',
    ).replace(f"    : ({OP}) ->", '    : (!transform.op<"linalg.matmul">) ->')
    Path("typed.mlir").write_text(
        f"module attributes {{transform.with_named_sequence}} {{\n{PAYLOAD}{typed}}}"
    )
    assert cli("opt", "typed.mlir").out == cli("opt", "both.mlir").out
    untyped = typed.replace('!transform.op<"linalg.matmul">', OP)
    Path("untyped.mlir").write_text(
        f"module attributes {{transform.with_named_sequence}} {{\n{PAYLOAD}{untyped}}}"
    )
    done = cli("opt", "untyped.mlir", code=1)
    assert "nothing says what argument 1 of @__transform_main stands for" in done.err


def test_two_bare_sequences_are_one_too_many(cli: Cli) -> None:
    bare = f"transform.sequence failures(propagate) {{\n^bb0(%root: {OP}):\n}}\n"
    Path("two.mlir").write_text(PAYLOAD + bare + bare)
    done = cli("opt", "two.mlir", code=1)
    assert "two.mlir:12:1: error: two sequences without a name" in done.err
    assert "two.mlir:9:1: note: the first is here" in done.err


def test_keep_schedule_prints_a_module_that_runs_again(cli: Cli) -> None:
    kept = cli("opt", "both.mlir", "--keep-schedule").out
    assert kept.count("transform.named_sequence") == 2
    Path("kept.mlir").write_text(kept)
    again = cli("opt", "kept.mlir").out
    assert again.count("scf.for") == 2
    done = cli("opt", "both.mlir", "--keep-schedule", "--emit", "triton", code=2)
    assert "--keep-schedule cannot be used with --emit triton" in done.err


@pytest.mark.slow
def test_stats_of_what_was_compiled_for_a_card(cli: Cli) -> None:
    own = ("--target", "a40", "--set", "kernel=tiles")
    done = cli("opt", "p.mlir", "--emit", "triton", "--stats", *own, "-o", "k.py")
    assert "for a40:" in done.err
    assert re.search(r"compiled f_\w*kernel: \d+ registers, 0 bytes spilled", done.err)
    written = Path("k.py").read_text()
    assert "Made from p.mlir under a planned schedule with" in written
    assert "def launch(a, b):" in written
    done = cli("opt", "p.mlir", "--stats", code=2)
    assert "--stats cannot be used with --emit mlir" in done.err
    command = ("opt", "p.mlir", "-s", "s.tw", "--emit", "mlir", "--target", "a40")
    done = cli(*command, code=2)
    assert "--target works only with --emit kernel" in done.err


def test_nothing_is_finished_unless_a_kernel_is_asked_for(cli: Cli) -> None:
    assert "linalg.matmul" in cli("opt", "p.mlir", "-s", "s.tw").out
    done = cli("opt", "p.mlir", "-s", "s.tw", "--emit", "buffer")
    assert "linalg" not in done.out
    assert "default: " in done.err


WRITES = f"""\
module attributes {{transform.with_named_sequence}} {{
  func.func @f(%a: tensor<4xf32>, %x: f32) -> tensor<4xf32> {{
    %r = linalg.fill ins(%x : f32) outs(%a : tensor<4xf32>) -> tensor<4xf32>
    return %r : tensor<4xf32>
  }}
  transform.named_sequence @__transform_main(%root: {OP} {{transform.consumed}}) {{
    %new = transform.bufferization.one_shot_bufferize layout{{IdentityLayoutMap}} %root
      {{bufferize_function_boundaries = true}} : ({OP}) -> {OP}
    transform.yield
  }}
}}
"""


def test_a_script_writes_into_arguments_as_upstream_does(cli: Cli) -> None:
    Path("writes.mlir").write_text(WRITES)
    assert "memref.alloc" not in cli("opt", "writes.mlir").out
    declared = WRITES.replace(
        "%a: tensor<4xf32>", "%a: tensor<4xf32> {bufferization.writable = false}"
    )
    Path("writes.mlir").write_text(declared)
    assert "memref.alloc" in cli("opt", "writes.mlir").out


def test_what_is_checked_takes_values(cli: Cli) -> None:
    Path("writes.mlir").write_text(WRITES)
    assert "memref.alloc" in cli("opt", "writes.mlir", "--verify-each").out


UNKNOWN = """func.func @f(%x: f32) {
  "dummy.use"(%x) : (f32) -> ()
  return
}
"""


def test_ops_of_unknown_dialects_are_read(cli: Cli) -> None:
    Path("u.mlir").write_text(UNKNOWN)
    assert '"dummy.use"(%x) : (f32) -> ()' in cli("opt", "u.mlir").out
    done = cli("opt", "u.mlir", "--no-allow-unregistered-dialect", code=1)
    assert "u.mlir:2:3: error: there is no dialect 'dummy'" in done.err


def test_ops_of_unknown_dialects_are_not_compiled(cli: Cli) -> None:
    Path("u.mlir").write_text(UNKNOWN)
    done = cli("opt", "u.mlir", "--emit", "triton", code=1)
    assert "u.mlir:2:3: error: 'dummy.use' is an op of an unregistered" in done.err
    done = cli("interpret", "u.mlir", code=1)
    assert "u.mlir:2:3: error: there is no dialect 'dummy'" in done.err
