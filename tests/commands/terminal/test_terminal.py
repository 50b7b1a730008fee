"""What reaches the terminal: text from files is shown there, and does nothing."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import typer
from rich.table import Table

import tilewright
from tilewright.cli import main
from tilewright.commands.terminal.console import console, heading
from tilewright.commands.terminal.failure import guarded, tell_interrupt
from tilewright.commands.terminal.messages import say
from tilewright.commands.terminal.reproducer import reproducer, write_reproducer
from tilewright.ir.errors import Place, UserError
from tilewright.ir.printable import printable

PACKAGE = Path(tilewright.__file__).parent
COMMANDS = sorted(
    path for name in ("cli", "commands") for path in (PACKAGE / name).rglob("*.py")
)
TITLE = "\x1b]0;owned\x07"


@pytest.fixture
def cli(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., tuple[int, str]]:
    """Run a command in this process: its exit code, and all that it printed."""
    monkeypatch.chdir(tmp_path)

    def call(*words: str) -> tuple[int, str]:
        monkeypatch.setattr(sys, "argv", ["tilewright", *words])
        with pytest.raises(SystemExit) as ended:
            main()
        printed = capsys.readouterr()
        code = ended.value.code
        return code if isinstance(code, int) else 0, printed.out + printed.err

    return call


def is_safe(text: str) -> bool:
    return printable(text, keep="\n\t") == text


# -- the functions ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain [/x] text", "plain [/x] text"),
        ("größe", "größe"),
        ("\x1b[2J", "\\x1b[2J"),
        ("a\nb", "a\\nb"),
        ("\u202e\u2066", "\\u202e\\u2066"),
        ("\x9b\x85\x7f\x00", "\\x9b\\x85\\x7f\\x00"),
        ("\udcff", "\\udcff"),
    ],
)
def test_control_characters_are_shown(text: str, shown: str) -> None:
    assert printable(text) == shown


def test_messages_keep_their_lines(capsys: pytest.CaptureFixture[str]) -> None:
    say(f"one\n\ttwo{TITLE}")
    say(
        UserError(f"fact{TITLE}", Place(f"f{TITLE}\nx", 1, 3, f"\t{TITLE}b")),
        error=True,
    )
    printed = capsys.readouterr()
    assert printed.out == "one\n\ttwo\\x1b]0;owned\\x07\n"
    lines = printed.err.splitlines()
    assert lines[0].startswith("f\\x1b]0;owned\\x07\\nx:1:3: error: fact\\x1b")
    assert lines[2] == "  \t    ^", "the caret stands under the escaped character"


def test_consoles_take_nothing_for_markup(capsys: pytest.CaptureFixture[str]) -> None:
    out = console()
    name = f"m[/x].db[bold]:warning:{TITLE}"
    out.print(f"all results: {name}", style="dim")
    table = Table(name, box=None)
    table.add_row(name)
    out.print(table)
    heading(out, name)
    printed = capsys.readouterr().out
    assert printed.count("m[/x].db[bold]:warning:\\x1b]0;owned\\x07") == 4
    assert is_safe(printed)


@pytest.mark.parametrize("path", COMMANDS, ids=lambda path: path.stem)
def test_commands_print_through_one_place(path: Path) -> None:
    """A `print` or a console of its own would let text from files through."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Call):
            called = ast.unparse(node.func)
            allowed = {"print": "messages", "PlainConsole": "console", "Console": None}
            assert path.stem == allowed.get(called, path.stem), f"line {node.lineno}"
            assert "sys.stdout.write" not in called or path.stem == "messages"
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            assert "[/]" not in node.value, f"line {node.lineno}: markup"


# -- the commands ----------------------------------------------------------------------

SCRIPT = """\
transform.named_sequence @__transform_main(
    %root: !transform.any_op {transform.readonly}) {
  %op = transform.structured.match ops{["linalg.exp"]} in %root
    : (!transform.any_op) -> !transform.any_op
  %k = transform.tune.knob<"KNOB"> options = [1, 2] -> !transform.param<i64>
  %t, %l = transform.structured.tile_using_for %op tile_sizes [SIZE]
    : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    loc("x\\1B]0;owned\\07\\0Aerror":1:1)
  transform.yield
}
"""

PAYLOAD = """\
func.func @"f\\1B]0;owned\\07"(%a: tensor<8x8xf32>) -> tensor<8x8xf32>
    attributes {note = "\\1B]0;owned\\07"} {
  %e = tensor.empty() : tensor<8x8xf32>
  %r = linalg.exp ins(%a : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>)
    -> tensor<8x8xf32> loc("y\\1B]0;owned\\07":1:1)
  return %r : tensor<8x8xf32>
}
"""


@pytest.mark.parametrize("size", ["4, 4", "4, 4, 4"])
@pytest.mark.parametrize(
    "words",
    [
        ("opt", "-s", "S", "P", "--set", "KNOB=1", "--diff", "--time"),
        ("opt", "-s", "S", "P", "--set", "KNOB=1", "--print-after-each"),
        ("opt", "-s", "S", "P"),
        ("opt", "-s", "S", "P", "--emit", "tw-schedule"),
        ("opt", "P", "--emit", "triton"),
        ("check", "S", "P"),
        ("check", "S", "P", "--json"),
        ("space", "S"),
        ("results", "list", "--db", "D"),
        ("interpret", "P"),
    ],
    ids=" ".join,
)
def test_names_in_files_do_nothing_to_the_terminal(
    cli: Callable[..., tuple[int, str]],
    tmp_path: Path,
    words: tuple[str, ...],
    size: str,
) -> None:
    names = {
        "S": f"s{TITLE}[x].mlir",
        "P": f"p{TITLE}[x].mlir",
        "D": "m[/x].db",
    }
    script = SCRIPT.replace("SIZE", size).replace("KNOB", "k\\1B]0;owned\\07")
    (tmp_path / names["S"]).write_text(script)
    (tmp_path / names["P"]).write_text(PAYLOAD)
    given = [names.get(word, word).replace("KNOB", f"k{TITLE}") for word in words]
    code, printed = cli(*given)
    assert code in (0, 1), printed
    assert is_safe(printed), ascii(printed)


def test_a_bug_report_takes_names_that_are_no_utf8(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["tilewright", "opt", "\udcff.mlir", "x" * 300])
    path = write_reproducer(reproducer(ValueError("\udcff")))
    assert "\\udcff.mlir" in path.read_text()


def test_names_do_not_become_statements_of_a_printed_schedule() -> None:
    """A winner is written back as a schedule that people read and run."""
    from tilewright.schedules.schedule import Schedule

    script = """\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @"x() { }\\0Aschedule owned"(
      %h: !transform.any_op {transform.readonly}) {
    transform.yield
  }
  transform.named_sequence @__transform_main(
      %root: !transform.any_op {transform.readonly}) {
    transform.tune.alternatives<"c { } choose d"> attributes {
        tilewright.labels = ["a { }\\0A  owned", "in", "1"]} {
    }, {
    }, {
    }
    transform.include @"x() { }\\0Aschedule owned" failures(propagate) (%root)
      : (!transform.any_op) -> ()
    transform.yield
  }
}
"""
    schedule = Schedule.from_text(script, "s.mlir")
    text = schedule.to_tw(device="card\n}\nschedule owned(root) {")
    again = Schedule.from_text(text)
    (choice,) = again.open_choices()
    assert choice.name == "c_____choose_d"
    assert "\n// device: card\\n}\\nschedule owned(root) {\n" in text
    assert text.count("\nschedule ") == 1
    assert "include x_______schedule_owned(root)" in text
    assert "branch_a_______owned {" in text and "in_ {" in text


@pytest.mark.parametrize("told", ["", "interrupted: the winner is in best.tw"])
def test_an_interrupt_is_said_once(
    told: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Typer ends a command without a word at Ctrl-C."""
    application = typer.Typer()

    @application.command()
    def work() -> None:
        interrupt = KeyboardInterrupt()
        if told:
            tell_interrupt(interrupt, told)
        raise interrupt

    monkeypatch.setattr(sys, "argv", ["work"])
    with pytest.raises(SystemExit) as end:
        guarded(application)
    assert end.value.code == 130
    assert capsys.readouterr().err == f"{told or 'interrupted'}\n"
