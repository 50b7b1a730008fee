"""`tilewright check`: every branch, down to the kernel, each mistake once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import tilewright
from support.command_line import Cli, cli_in
from tilewright import CompileWarning

PAYLOAD = """\
func.func @f(%a: tensor<64x32xf32>, %b: tensor<32x64xf32>) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %r = linalg.matmul ins(%a, %b : tensor<64x32xf32>, tensor<32x64xf32>)
    outs(%i : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}
"""
HEAD = """\
schedule s(root) {
  mm = match "linalg.matmul" in root
  fill = match "linalg.fill" in root
"""
GRID = """\
  mm, grid = tile mm by [16, 16] onto [block.y, block.x]
  fill, grid = fuse fill into grid
"""


@pytest.fixture
def cli(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Cli:
    (tmp_path / "p.mlir").write_text(PAYLOAD)
    return cli_in(tmp_path, monkeypatch, capsys)


def write(body: str, head: str = HEAD) -> None:
    Path("s.tw").write_text(head + body + "}\n")


# -- every branch ----------------------------------------------------------------


def test_a_mistake_in_the_second_branch_is_found(cli: Cli) -> None:
    write(GRID + "  choose k {\n    a { }\n    b { vectorize mm to [4, 4, 4] }\n  }\n")
    err = cli("check", "s.tw", "p.mlir", code=1).err
    assert err.count("error: ") == 1
    assert "s.tw:8:9: error: vectorize: vector size 4 does not cover loop 0" in err
    assert "note: at k = b" in err
    assert "s.tw:6:3: note: no point with k = b works; others do" in err


def test_a_mistake_in_a_nested_branch_is_found(cli: Cli) -> None:
    write(
        GRID + "  choose outer {\n    a { }\n    b {\n"
        "      W = knob [4, 8]\n      require W == 8\n      launch grid warps = W\n"
        "      choose inner {\n        c { }\n        d { unroll grid by 4 }\n"
        "      }\n    }\n  }\n"
    )
    done = cli("check", "s.tw", "p.mlir", code=1)
    assert "s.tw:14:13: error: unroll" in done.err
    assert "s.tw:9:7: warning: no valid point has W = 4" in done.err


def test_a_tile_that_triton_refuses_is_an_error_at_its_option(cli: Cli) -> None:
    write(
        "  B = knob [16, 24]\n  mm, grid = tile mm by [B, 16] onto [block.y, block.x]\n"
        "  fill, grid = fuse fill into grid\n  vectorize mm to [B, 16, 32]\n"
    )
    done = cli("check", "p.mlir", "-s", "s.tw", code=1)
    assert "s.tw:4:3: note: no point with B = 24 works; others do" in done.err
    assert "at 1 of" in done.out
    assert cli("check", "p.mlir", "-s", "s.tw", "--set", "B=16").code == 0


def test_a_claim_about_an_option_counts_the_points_tried(cli: Cli) -> None:
    """B = 32 works; with few runs it was seen only next to a branch that does not."""
    write(
        "  B = knob [16, 32]\n  W = knob [1, 2, 4, 8]\n"
        "  mm, grid = tile mm by [B, 16] onto [block.y, block.x]\n"
        "  fill, grid = fuse fill into grid\n  launch grid warps = W\n"
        "  choose v { good { } bad { unroll grid by 4 } }\n"
    )
    few = cli("check", "s.tw", "p.mlir", "--limit", "2", code=1).err
    assert "note: the one point tried with B = 32 does not work; others do" in few
    assert "no point with" not in few
    many = cli("check", "s.tw", "p.mlir", code=1).err
    assert "B = 32 does not work" not in many and "with B = 32" not in many
    assert "points tried with v = bad works; others do" in many


def test_a_point_whose_options_work_elsewhere_is_warned_about(cli: Cli) -> None:
    """The tuner skips such a point: nothing is wrong with any option."""
    write(
        GRID + "  K = knob [16, 32]\n  choose size {\n    given { vectorize mm to "
        "[16, 16, K] }\n    free { }\n  }\n"
    )
    done = cli("check", "s.tw", "p.mlir")
    assert "warning: vectorize: vector size 16 does not cover loop 2" in done.err
    assert "at K = 16, size = given" in done.err
    text = Path("s.tw").read_text()
    text = text.replace("[16, 32]", "[16, 32] default 16")
    Path("s.tw").write_text(text.replace("choose size", "choose size default given"))
    done = cli("check", "s.tw", "p.mlir", code=1)
    assert "error: vectorize: vector size 16 does not cover loop 2" in done.err
    assert "at K = 16, size = given, the default point" in done.err


def test_an_empty_match_shows_where_a_later_step_fails(cli: Cli) -> None:
    match = '  g = match "linalg.generic" in root\n  cse g\n'
    write(match + "  vectorize mm to [4, 4, 4]\n")
    err = cli("check", "s.tw", "p.mlir", code=1).err
    assert "s.tw:4:7: error: match: the payload has no 'linalg.generic'" in err
    assert "error: vectorize" in err
    write(match.replace("match", "match?") + GRID)
    assert cli("check", "s.tw", "p.mlir").code == 0


def test_an_empty_match_that_nothing_uses_is_an_error(cli: Cli) -> None:
    match = '  g = match "linalg.generic" in root\n'
    write(GRID + match)
    err = cli("check", "s.tw", "p.mlir", code=1).err
    assert err.count("match: ") == 1
    assert "error: match: the payload has no 'linalg.generic'; it has linalg." in err
    with pytest.warns(CompileWarning, match=r"has no 'linalg\.generic'"):
        tilewright.compile("p.mlir", "s.tw", target="h200")
    write(GRID + match.replace("match", "match?"))
    err = cli("check", "s.tw", "p.mlir").err
    assert "warning: match: nothing uses 'g'" in err and "error: " not in err
    # Without a payload, nothing tells whether it finds anything.
    write(GRID + match)
    assert "nothing uses 'g'" in cli("check", "s.tw").err


def test_an_op_name_that_no_dialect_has_is_an_error(cli: Cli) -> None:
    """In a `.tw` file; a script of upstream may look for any op."""
    write('  g = match "linalg.generik" in root\n  cse g\n')
    for command in (("check", "s.tw", "p.mlir"), ("opt", "p.mlir", "-s", "s.tw")):
        err = cli(*command, code=1).err
        assert "s.tw:4:7: error: match: there is no op 'linalg.generik'" in err
        assert "did you mean 'linalg.generic'?" in err
    Path("t.mlir").write_text(
        "module attributes {transform.with_named_sequence} {\n"
        "transform.named_sequence @__transform_main(%r: !transform.any_op) {\n"
        '  %g = transform.structured.match ops{["linalg.generik"]} in %r\n'
        "    : (!transform.any_op) -> !transform.any_op\n"
        "  transform.apply_cse to %g : !transform.any_op\n"
        "  transform.yield\n}\n}\n"
    )
    done = cli("check", "p.mlir", "-s", "t.mlir")
    assert "warning: match: there is no op 'linalg.generik'" in done.err


def test_the_last_line_counts_warnings_and_strict_fails(cli: Cli) -> None:
    write(GRID + '  g = match "linalg.fill" in root\n')
    done = cli("check", "s.tw", "p.mlir")
    assert "s.tw: ok, with 1 warning; 1 valid point" in done.out
    assert cli("check", "s.tw", "p.mlir", "--strict", code=1).out == done.out
    found = cli("check", "s.tw", "p.mlir", "--strict", "--json", code=1).out
    assert json.loads(found)["ok"]
    write(GRID)
    assert "s.tw: ok; 1 valid point" in cli("check", "s.tw", "p.mlir", "--strict").out


def test_a_mistake_at_every_point_is_said_once(cli: Cli) -> None:
    write("  W = knob [1, 2]\n" + GRID + "  launch grid warps = W\n  peel fill\n")
    err = cli("check", "s.tw", "p.mlir", code=1).err
    assert err.count("error: ") == 1


def test_the_limit_and_what_is_left(cli: Cli) -> None:
    write("  W = knob [1, 2, 4]\n" + GRID + "  launch grid warps = W\n")
    done = cli("check", "s.tw", "p.mlir", "--limit", "2")
    assert "at 2 of 2 points tried" in done.out
    assert "not tried: W = 4 (--limit 2)" in done.out
    many = ", ".join(str(size) for size in range(1, 41))
    write(f"  M = knob [{many}]\n  mm, grid = tile mm by [M] onto [block.x]\n")
    done = cli("check", "s.tw", "p.mlir", "--limit", "1", "--steps-only")
    assert "M = 8, M = 9 and 31 other options (--limit 1)" in done.out
    words = ("check", "s.tw", "p.mlir", "--limit", "1", "--steps-only", "--json")
    found = json.loads(cli(*words).out)
    assert len(found["not_tried"]) == 39


def test_the_same_every_time(cli: Cli) -> None:
    write("  W = knob [1, 3, 4]\n" + GRID + "  launch grid warps = W\n")
    first = cli("check", "s.tw", "p.mlir", code=1)
    assert cli("check", "s.tw", "p.mlir", code=1) == first


# -- what is legal and probably not meant ------------------------------------------


def test_what_is_not_used(cli: Cli) -> None:
    write(
        "  A = knob [1, 2]\n  B = knob [1, 2]\n  require B < 2\n  c = 7\n"
        '  p = parent mm "func.func"\n' + GRID
    )
    err = cli("check", "s.tw").err
    assert "s.tw:4:3: warning: knob: nothing uses 'A'" in err
    assert "s.tw:5:3: warning: knob: only requirements use 'B'" in err
    assert "s.tw:7:7: warning: " in err and "nothing uses 'c'" in err
    assert "s.tw:8:7: warning: parent: nothing uses 'p'" in err
    assert "'mm'" not in err and "'grid'" not in err


@pytest.mark.parametrize(
    ("requirement", "words"),
    [
        ("W < 64", "s.tw:5:3: warning: require: 'W < 64' always holds"),
        ("W + 1 == V", "s.tw:5:3: error: require: 'W + 1 == V' never holds"),
        ("1 == 2", "never holds"),
    ],
)
def test_requirements_that_always_or_never_hold(
    cli: Cli, requirement: str, words: str
) -> None:
    write(
        f"  W = knob [2, 4]  V = knob [2, 4]\n  require {requirement}\n"
        + GRID
        + "  launch grid warps = W group = V\n"
    )
    code = 0 if "always" in words else 1
    assert words in cli("check", "s.tw", code=code).err


def test_requirements_that_contradict_each_other(cli: Cli) -> None:
    write(
        "  W = knob [2, 4]\n  require W % 2 == 0\n  require W > 3\n  require W < 3\n"
        + GRID
        + "  launch grid warps = W\n"
    )
    err = cli("check", "s.tw", code=1).err
    assert "s.tw:7:3: error: require: 'W < 3' cannot hold together with 'W > 3'" in err
    assert "W % 2" not in err.split("note:")[0]


# -- all at once -----------------------------------------------------------------


def test_syntax_errors_all_at_once(cli: Cli) -> None:
    write("  x = = 4\n" + GRID + "  launch grid warps = = 4\n")
    err = cli("check", "s.tw", code=1).err
    assert "s.tw:4:" in err and "s.tw:7:" in err


def test_unknown_words_and_consumed_handles_at_once(cli: Cli) -> None:
    write("  tiel fill by [4]\n  vectorize mm\n  cse mm\n")
    Path("bad.mlir").write_text(PAYLOAD.replace("linalg.fill", "linalg.fil"))
    err = cli("check", "s.tw", "bad.mlir", code=1).err
    assert "did you mean 'tile'?" in err
    assert "'mm' was consumed by 'vectorize'" in err
    assert "bad.mlir:4:" in err
    assert err.endswith("s.tw: 3 errors\n")


def test_another_entry(cli: Cli) -> None:
    Path("s.tw").write_text(
        "sequence other(root) {\n  N = knob [1, 2, 4]\n  cse root\n}\n"
        "schedule s(root) {\n  cse root\n}\n"
    )
    assert "1 valid point" in cli("check", "s.tw").out
    assert "3 valid points" in cli("check", "s.tw", "--entry", "other").out
    assert "N in [1, 2, 4]" in cli("space", "s.tw", "--entry", "@other").out
    assert "no sequence" in cli("check", "s.tw", "--entry", "none", code=1).err


# -- for tools -------------------------------------------------------------------


def test_json(cli: Cli) -> None:
    write(GRID + "  choose k {\n    a { }\n    b { vectorize mm to [4, 4, 4] }\n  }\n")
    done = cli("check", "s.tw", "p.mlir", "--json", code=1)
    assert done.err == ""
    found = json.loads(done.out)
    assert found["schedule"] == "s.tw" and found["payload"] == "p.mlir"
    assert not found["ok"] and found["points_working"] == 1
    (finding,) = found["findings"]
    assert finding["severity"] == "error"
    assert (finding["file"], finding["line"], finding["column"]) == ("s.tw", 8, 9)
    assert finding["fact"].startswith("vectorize: ") and finding["remedy"]
    assert finding["points"] == [{"k": "b"}]


def test_json_of_what_is_fine_and_of_what_cannot_be_read(cli: Cli) -> None:
    write(GRID)
    found = json.loads(cli("check", "s.tw", "--json").out)
    assert found["ok"] and found["findings"] == [] and found["valid_points"] == 1
    Path("s.tw").write_text("schedule s(root) {\n  x = = 4\n}\n")
    (finding,) = json.loads(cli("check", "s.tw", "--json", code=1).out)["findings"]
    assert finding["line"] == 2


# -- causes, not symptoms ----------------------------------------------------------

VECTORS = {
    "linalg.fill": "  vectorize fill to [16, 16]\n",
    "linalg.matmul": "  vectorize mm to [16, 16, 32]\n",
}
BUFFERS = (
    '  func = match "func.func" in root\n  include to_vectors(func)\n'
    "  root = bufferize root\n"
)


@pytest.mark.parametrize("missing", VECTORS)
def test_the_op_that_is_not_vectorized_is_named(cli: Cli, missing: str) -> None:
    rest = "".join(line for name, line in VECTORS.items() if name != missing)
    line = 4 if missing == "linalg.fill" else 5
    write(GRID + rest + BUFFERS)
    err = cli("check", "s.tw", "p.mlir", code=1).err
    assert f"p.mlir:{line}:3: error: '{missing}': not vectorized" in err
    assert "; vectorize it before 'bufferize'\n" in err
    write(GRID + "".join(VECTORS.values()) + BUFFERS)
    cli("check", "s.tw", "p.mlir")


def test_what_keeps_a_tile_in_registers_is_named(cli: Cli) -> None:
    loop = "  mm, k = tile mm by [0, 0, 16]\n"
    vectors = "".join(VECTORS.values()).replace("32", "16")
    write(GRID + loop + vectors + "  root = bufferize root\n")
    assert "include to_vectors(FUNCTION)" in cli("check", "s.tw", "p.mlir", code=1).err
    write(GRID + loop + vectors + BUFFERS)
    cli("check", "s.tw", "p.mlir")


@pytest.mark.parametrize(
    "given",
    [("no.mlir",), ("no.tw",), (".",), ("no.mlir", "p.mlir"), ("s.tw", "no.mlir")],
    ids=" ".join,
)
def test_json_of_files_that_are_missing(cli: Cli, given: tuple[str, ...]) -> None:
    write(GRID)
    done = cli("check", *given, "--json", code=1)
    found = json.loads(done.out)
    assert not found["ok"] and done.err == ""
    assert found["findings"][0]["severity"] == "error"
