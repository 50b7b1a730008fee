"""Exit codes, argument order and help: the same shape for every command."""

from __future__ import annotations

import functools
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import typer

import tilewright
from support.command_line import Cli, cli_in
from support.paths import DOCS, EXAMPLES
from tilewright.cli import app, application, results_app
from tilewright.tuning.search.strategies import STRATEGIES

PAYLOAD = """\
func.func @f(%a: tensor<16xf32>, %e: tensor<16xf32>) -> tensor<16xf32> {
  %r = linalg.exp ins(%a : tensor<16xf32>) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  return %r : tensor<16xf32>
}
"""
OPEN = PAYLOAD.replace("16x", "?x")
SCHEDULE = """\
schedule s(root) {
  B = knob [8, 16]
  e = match "linalg.exp" in root
  e, grid = tile e by [B] onto [block.x]
}
"""
SCRIPT = """\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    transform.yield
  }
}
"""


@pytest.fixture
def cli(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Cli:
    for name, text in {
        "p.mlir": PAYLOAD,
        "open.mlir": OPEN,
        "s.tw": SCHEDULE,
        "script.mlir": SCRIPT,
        "bad.mlir": "func.func @f(",
        "bad.tw": "schedule s(root) { tiel root }",
    }.items():
        (tmp_path / name).write_text(text)
    return cli_in(tmp_path, monkeypatch, capsys)


SUCCESS = [
    ("opt", "p.mlir"),
    ("view", "p.mlir", "-s", "s.tw"),
    ("opt", "p.mlir", "-s", "s.tw", "--set", "B=8"),
    ("plan", "p.mlir"),
    ("plan", "open.mlir"),
    ("plan", "open.mlir", "--size", "100"),
    ("check", "s.tw"),
    ("check", "s.tw", "--sarif"),
    ("check", "p.mlir", "-s", "s.tw"),
    ("check", "p.mlir"),
    ("fmt", "--check", "s.tw"),
    ("convert", "s.tw"),
    ("convert", "script.mlir"),
    ("space", "s.tw"),
    ("space", "p.mlir"),
    ("interpret", "p.mlir"),
    ("run", "p.mlir", "-s", "s.tw", "--set", "B=16"),
    ("results", "list", "--help"),
    ("calibrate", "--show"),
    ("calibrate", "--show", "--target", "b200"),
    ("calibrate", "--dry"),
    ("examples",),
    ("examples", "matmul_relu"),
    ("--version",),
]
LONG = [
    ("calibrate", "--dry"),
    ("run", "p.mlir", "-s", "s.tw", "--set", "B=16"),
]
"""Those that plan every work of a calibration, or start Triton's interpreter."""
MISTAKES = [
    ("opt", "nowhere.mlir"),
    ("opt", "bad.mlir"),
    ("opt", "p.mlir", "-s", "bad.tw"),
    ("opt", "p.mlir", "-s", "s.tw", "--set", "B=9"),
    ("plan", "bad.mlir"),
    ("plan", "nowhere.mlir"),
    ("check", "bad.tw"),
    ("check", "nowhere.tw"),
    ("check", "script.mlir", "script.mlir"),
    ("check", "s.tw", "bad.mlir"),
    ("convert", "bad.tw"),
    ("convert", "p.mlir"),
    ("convert", "nowhere.tw"),
    ("space", "bad.tw"),
    ("interpret", "bad.mlir"),
    ("run", "bad.mlir"),
    ("tune", "bad.mlir", "-s", "s.tw"),
    ("run", "p.mlir", "-s", "s.tw", "--db", "nowhere.json"),
    ("opt", "p.mlir", "-s", "s.tw", "--db", "nowhere.json"),
    ("plan", "p.mlir", "--db", "nowhere.json"),
    ("bisect", "nowhere.py:Model"),
    ("repro", "nowhere.py:Model"),
    ("profile", "nowhere.py:Model"),
    ("serve", "nowhere.mlir"),
    ("sweep", "p.mlir", "--size", "M=1..4"),
    ("lsp", "--payload", "nowhere.mlir"),
    ("shell", "nowhere.mlir"),
    ("shell", "bad.mlir"),
    ("results", "list", "--db", "nowhere.db"),
    ("results", "show", "1", "--db", "nowhere.db"),
    ("results", "export", "--db", "nowhere.db"),
]
USAGE = [
    ("opt",),
    ("sweep", "open.mlir"),
    ("sweep", "open.mlir", "--size", "M=4..1"),
    ("opt", "s.tw"),
    ("opt", "p.mlir", "--emit", "tritn"),
    ("opt", "p.mlir", "-s", "s.tw", "-s", "s.tw"),
    ("opt", "p.mlir", "-s", "s.tw", "--set", "B=8", "--set", "B=16"),
    ("opt", "p.mlir", "-s", "s.tw", "--set", "B="),
    ("plan",),
    ("plan", "s.tw"),
    ("plan", "p.mlir", "--target", "h2000"),
    ("plan", "p.mlir", "--size", "100"),
    ("check",),
    ("check", "s.tw", "s.tw"),
    ("check", "p.mlir", "p.mlir", "-s", "s.tw"),
    ("check", "s.tw", "-s", "s.tw"),
    ("check", "s.tw", "--json", "--sarif"),
    ("fmt",),
    ("convert",),
    ("convert", "s.tw", "-o", "t.tw"),
    ("fmt", "p.mlir"),
    ("fmt", "bad.mlir"),
    ("space",),
    ("space", "s.tw", "s.tw"),
    ("interpret", "s.tw"),
    ("interpret", "open.mlir", "--size", "a=8", "--size", "a=9"),
    ("interpret", "open.mlir", "--size", "eight"),
    ("run", "s.tw"),
    ("run", "p.mlir", "--target", "h2000"),
    ("run", "open.mlir", "--size", "8", "--size", "9"),
    ("tune", "s.tw"),
    ("tune", "p.mlir", "-s", "s.tw", "--budget", "soon"),
    ("build",),
    ("build", "s.tw"),
    ("replay", "--nowhere"),
    ("explain",),
    ("view",),
    ("serve", "p.mlir", "--host", "0.0.0.0"),
    ("serve", "-s", "s.tw"),
    ("lsp", "--payload", "s.tw"),
    ("shell",),
    ("shell", "s.tw"),
    ("import",),
    ("bisect",),
    ("repro",),
    ("profile",),
    ("calibrate", "now"),
    ("calibrate", "--target", "h2000", "--show"),
    ("doctor", "now"),
    ("examples", "matmul_rel"),
    ("examples", "-o", "there"),
    ("docs", "no_such_page"),
    ("results", "list", "--bd", "x"),
    ("results", "compare", "a.db"),
    ("results", "prune"),
    ("results", "export", "--db", "a", "--db", "b"),
    ("tnue",),
]


@pytest.mark.parametrize(
    "words",
    [pytest.param(w, marks=pytest.mark.slow) if w in LONG else w for w in SUCCESS],
    ids=" ".join,
)
def test_success_is_0(cli: Cli, words: tuple[str, ...]) -> None:
    cli(*words, code=0)


@pytest.mark.parametrize("words", MISTAKES, ids=" ".join)
def test_a_mistake_in_a_file_is_1(cli: Cli, words: tuple[str, ...]) -> None:
    assert "error: " in cli(*words, code=1).err


@pytest.mark.parametrize("words", USAGE, ids=" ".join)
def test_a_mistake_in_what_was_typed_is_2(cli: Cli, words: tuple[str, ...]) -> None:
    assert cli(*words, code=2).err


def test_every_command_is_in_the_tables_above() -> None:
    tried = {words[0] for words in SUCCESS}, {words[0] for words in USAGE}
    for command in app.registered_commands:
        assert command.callback is not None
        name = command.name or command.callback.__name__
        assert name in tried[1], name


# -- order -----------------------------------------------------------------------


@pytest.mark.parametrize("command", ["check", "space"])
def test_schedule_and_payload_in_either_order(cli: Cli, command: str) -> None:
    one = cli(command, "s.tw", "p.mlir")
    assert cli(command, "p.mlir", "s.tw") == one
    assert cli(command, "p.mlir", "-s", "s.tw") == one
    one = cli(command, "script.mlir", "p.mlir")
    assert cli(command, "p.mlir", "script.mlir") == one


def test_a_script_in_a_comment_is_no_script(cli: Cli) -> None:
    Path("p.mlir").write_text("// transform.named_sequence goes elsewhere\n" + PAYLOAD)
    assert "p.mlir" in cli("check", "p.mlir", "script.mlir").out


def test_a_choice_that_is_set_twice_names_both_values(cli: Cli) -> None:
    words = ("opt", "p.mlir", "-s", "s.tw", "--set", "B=8", "--set", "B=16")
    assert "--set B is given twice: 8 and 16" in cli(*words, code=2).err


def test_a_schedule_where_the_payload_belongs(cli: Cli) -> None:
    assert "PAYLOAD.mlir -s s.tw" in cli("opt", "s.tw", code=2).err


# -- help ------------------------------------------------------------------------


def test_every_strategy_is_in_the_help_and_in_the_page(cli: Cli) -> None:
    shown, page = cli("tune", "--help").out, (DOCS / "tuning.md").read_text("utf-8")
    for name in STRATEGIES:
        assert re.search(rf"\b{name}\b", shown)
        assert re.search(rf"^\| `{name}`", page, re.MULTILINE)


def test_a_process_reads_the_options_of_a_command_once(cli: Cli) -> None:
    for _ in range(2):
        cli("fmt", "--check", "s.tw")
        assert "No such option" in cli("space", "--check", "s.tw", code=2).err
        assert "No such command 'fnt'" in cli("fnt", code=2).err
    one = application._command_line("fmt")
    assert one is application._command_line("fmt")
    assert one is not application._command_line("space")


@pytest.mark.slow
def test_every_help_has_an_example(cli: Cli) -> None:
    names = [(c.name or c.callback.__name__,) for c in app.registered_commands]  # type: ignore[union-attr]
    names += [("results", str(c.name)) for c in results_app.registered_commands]
    for name in names:
        assert f"tilewright {' '.join(name)} " in cli(*name, "--help").out + " ", name


def test_paths_in_help_exist_after_copying_an_example() -> None:
    """A wheel has no examples/ and no benchmarks/ beside the present folder."""
    known = {path.name for path in (EXAMPLES / "matmul_relu").iterdir()}
    epilogs = [str(c.epilog) for c in app.registered_commands]
    epilogs += [str(c.epilog) for c in results_app.registered_commands]
    epilogs.append(str(app.info.epilog))
    for text in epilogs:
        assert "examples/" not in text and "benchmarks/" not in text
        for payload, schedule in re.findall(r"(payload.mlir) -s (\S+\.tw)", text):
            assert {payload, schedule} <= known, text


LINES = re.findall(
    r"^    tilewright (.*?)(?:  +#.*)?$",
    (DOCS / "commands.md").read_text("utf-8"),
    re.M,
)


def test_the_page_lists_every_command() -> None:
    shown = {tuple(line.split()[:2]) for line in LINES}
    first = {words[0] for words in shown}
    for command in app.registered_commands:
        assert (command.name or command.callback.__name__) in first  # type: ignore[union-attr]
    for command in results_app.registered_commands:
        assert ("results", str(command.name)) in shown


@functools.cache
def every_command() -> Any:
    """The application; Typer reads the options of all commands to make it."""
    return typer.main.get_command(app)


@pytest.mark.parametrize("line", [one for one in LINES if "-completion" not in one])
def test_the_page_has_the_order_of_the_arguments(line: str) -> None:
    """Each line is parsed as the command line would, and not run."""
    group = every_command()
    words = shlex.split(line)
    while words and hasattr(group, "commands"):
        group = group.commands[words.pop(0)]
    with group.make_context("tilewright", words) as context:
        given = [value for value in context.params.values() if value]
    assert len(given) >= (len(words) > 0)


# -- remedies --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "code", "remedy"),
    [
        (("opt", "p.mlir", "s.tw"), 2, "give a schedule with -s s.tw"),
        (("opt", "pp.mlir"), 1, "did you mean 'p.mlir'?"),
        (("opt", "far/p.mlir"), 1, "there is no folder 'far' either"),
        (("opt", "p.mlir", "-s", "xyzxyz.tw"), 1, "the folder has: bad.tw, s.tw"),
        (("opt", "."), 1, "name a file in it"),
        (("check", "notes.txt"), 1, "a schedule is a .tw or a .mlir file"),
        (("interpret", "open.mlir", "--size", "a=4x4"), 2, "--size"),
        (("interpret", "p.mlir", "--size", "a=4"), 2, "give its whole shape"),
    ],
    ids=str,
)
def test_a_remedy_for_what_was_typed(
    cli: Cli, words: tuple[str, ...], code: int, remedy: str
) -> None:
    Path("notes.txt").write_text("remember")
    assert remedy in cli(*words, code=code).err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((None,), "a payload is a path"),
        ((4,), "this is int"),
        ((b"p.mlir",), "this is bytes"),
        (("p.mlir", 4), "a schedule is a path"),
        (("s.tw", "p.mlir"), "compile(PAYLOAD, 's.tw')"),
        (("p.mlir", "s.tw", {"B": 8}), "choices go by keyword"),
        (("p.mlir", "s.tw"), "choose with compile(..., B=8)"),
        (("pp.mlir",), "did you mean 'p.mlir'?"),
    ],
)
def test_mistakes_from_python(cli: Cli, arguments: tuple[object], words: str) -> None:
    with pytest.raises(tilewright.UserError) as caught:
        tilewright.compile(*arguments)  # type: ignore[arg-type]
    assert words in str(caught.value)


@pytest.mark.parametrize(
    "given, said",
    [
        (
            ("--trials", "0"),
            "--trials 0: at least one is needed; leave it out for the default",
        ),
        (("--trials", "-1"), "--trials -1: at least one is needed; leave it out"),
        (("--budget", "0s"), "--budget 0s: that is no time; such as 60s, 5m, 1h"),
        (("--budget", "0.0"), "--budget 0.0: that is no time; such as"),
        (("--budget", "9" * 400), "that is too long; such as"),
        (("--budget", "x"), "--budget x: not a time; such as 60s, 5m, 1h"),
        (("--budget", "-5s"), "--budget -5s: not a time; such as"),
        (("--jobs", "0"), "0 is not in the range x>=1"),
        (("--workers", "0"), "0 is not in the range x>=1"),
        (
            ("--workers", "2", "--cluster", "tcp://host:8786"),
            "--cluster uses those of tcp://host:8786; leave one of them out",
        ),
        (("--device", "H200"), "--device chooses among the cards of a cluster; give"),
    ],
)
def test_limits_that_allow_nothing(cli: Cli, given: tuple[str, ...], said: str) -> None:
    done = cli("tune", "p.mlir", "-s", "s.tw", *given, code=2)
    assert said in done.err
    assert not Path("results.db").exists()
