"""`tilewright shell`: statements, undo, save, help, and the prompt."""

from __future__ import annotations

import io
import re
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document as Typed
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from support.command_line import Cli, Ended, cli_in
from support.editor_texts import PAYLOAD, payload
from support.paths import DOCS
from tilewright.commands.shell.actions import COMMANDS
from tilewright.commands.shell.screen import Screen
from tilewright.commands.shell.shell import run_loop
from tilewright.editor.answers.findings import check_text
from tilewright.editor.reading.scanner import keywords
from tilewright.editor.shell.prompt import Prompt, StatementCompleter
from tilewright.editor.shell.session import Outcome, ShellSession, is_complete
from tilewright.ir.errors import UserError
from tilewright.ir.text import to_text
from tilewright.schedules.language.verbs.vocabulary import BY_NAME
from tilewright.transforms.op_sources import op_sources

MATCH = 'mm = match "linalg.matmul" in root'
TILE = "mm, grid = tile mm by [128, 128] onto [block.y, block.x]"

Shell = Callable[..., Ended]


@pytest.fixture
def cli(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Cli:
    shutil.copy(PAYLOAD, tmp_path / "payload.mlir")
    return cli_in(tmp_path, monkeypatch, capsys)


@pytest.fixture
def shell(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> Shell:
    """A function that pipes lines into the shell."""

    def run(*lines: str, code: int = 0) -> Ended:
        monkeypatch.setattr(sys, "stdin", io.StringIO("\n".join(lines) + "\n"))
        return cli("shell", "payload.mlir", code=code)

    return run


def test_a_statement_shows_what_changed(shell: Shell) -> None:
    done = shell(MATCH, TILE)
    assert "mm: linalg.matmul 512x512xf32\n" in done.out
    assert "mm: linalg.matmul 128x128xf32\n" in done.out
    assert re.search(r"^\+ .*scf\.forall", done.out, re.M)
    # Only what the statement changed: values keep their names.
    removed = re.findall(r"^-.*", done.out, re.M)
    assert len(removed) == 1 and "%product = linalg.matmul" in removed[0]


def test_a_mistake_changes_nothing(shell: Shell) -> None:
    done = shell(MATCH, "launch gird warps = 4", TILE, "show", code=1)
    assert "unknown name 'gird'" in done.err
    assert "gird" not in done.out and "block.x" in done.out


def test_a_step_that_does_not_apply_changes_nothing(shell: Shell) -> None:
    tail = 't = match "linalg.generic" in root'
    done = shell(tail, "x, p, c = pad t along [7]", "show", code=1)
    assert "pad" in done.err
    assert "pad" not in done.out


def test_undo_and_redo(shell: Shell) -> None:
    done = shell(MATCH, TILE, "undo", "show", "redo", "show")
    first, second = re.findall(r"schedule shell\(root\) \{\n.*?\n\}", done.out, re.S)
    assert "tile" not in first and "tile" in second
    assert f"undone: {TILE}\n" in done.out
    assert "no statement to undo" in shell("undo", code=1).err
    assert "no statement to run again" in shell("redo", code=1).err


def test_undo_gives_the_payload_back() -> None:
    session = ShellSession(payload())
    before = to_text(session.module)
    session.add(MATCH)
    session.add(TILE)
    assert to_text(session.module) != before
    session.undo()
    assert to_text(session.module) == before


TILES = """sequence tiles(h) {
  t, g = tile h by [64]
  yield t
}
"""


def test_an_import_that_is_gone_loses_nothing(cli: Cli) -> None:
    Path("parts.tw").write_text(TILES)
    session = ShellSession(payload())
    session.add('import "parts.tw"')
    session.add(MATCH)
    after = to_text(session.module)
    Path("parts.tw").rename("moved.tw")
    with pytest.raises(UserError, match=r'there is no file "parts.tw"'):
        session.undo()
    assert session.statements == ['import "parts.tw"', MATCH]
    assert not session.undone and to_text(session.module) == after
    Path("moved.tw").rename("parts.tw")
    assert session.undo() == MATCH


@pytest.mark.parametrize("failure", [AssertionError("a bug"), KeyboardInterrupt()])
def test_a_failure_at_the_prompt_does_not_end_the_session(
    failure: BaseException,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    session = ShellSession(payload())
    add = session.add

    def failing(statement: str) -> Outcome:
        if statement == TILE:
            raise failure
        return add(statement)

    monkeypatch.setattr(session, "add", failing)
    lines = iter([MATCH, TILE, "cse root"])
    code = run_loop(session, Screen(is_terminal=True), lambda _: _next(lines))
    assert session.statements == [MATCH, "cse root"]
    told = capsys.readouterr()
    if isinstance(failure, KeyboardInterrupt):
        assert code == 0 and "interrupted\n" in told.out
    else:
        assert code == 3 and "internal error: AssertionError: a bug" in told.err


def _next(lines: Iterator[str]) -> str:
    try:
        return next(lines)
    except StopIteration:
        raise EOFError from None


def test_ctrl_c_ends_a_shell_that_is_piped(monkeypatch: pytest.MonkeyPatch) -> None:
    session = ShellSession(payload())

    def interrupted(_: str) -> Outcome:
        raise KeyboardInterrupt

    monkeypatch.setattr(session, "add", interrupted)
    with pytest.raises(KeyboardInterrupt):
        run_loop(session, Screen(is_terminal=False), lambda _: MATCH)


def test_save_writes_a_schedule_that_runs(shell: Shell, cli: Cli) -> None:
    shell("// a comment", "", MATCH, TILE, "save s.tw")
    text = Path("s.tw").read_text()
    assert text.startswith("// payload: payload.mlir\n")
    cli("check", "s.tw", "payload.mlir")
    assert "s.tw exists" in shell(MATCH, "save s.tw", code=1).err
    assert "not a .tw file" in shell(MATCH, "save s", code=1).err


def test_save_names_imports_from_the_folder_of_the_file(shell: Shell, cli: Cli) -> None:
    Path("parts.tw").write_text(TILES)
    Path("sub").mkdir()
    Path("sub/more.tw").write_text(TILES)
    shell(
        'import "parts.tw"',
        'import "./sub/more.tw" as m',
        "import gemm",
        MATCH,
        "mm = include parts.tiles(mm)",
        "mm = include m.tiles(mm)",
        "save sub/out.tw",
        "save out.tw",
    )
    text = Path("sub/out.tw").read_text()
    assert 'import "../parts.tw"\nimport "more.tw" as m\nimport gemm\n' in text
    assert "payload: ../payload.mlir" in text
    assert (
        'import "parts.tw"\nimport "sub/more.tw" as m\n' in Path("out.tw").read_text()
    )
    cli("check", "sub/out.tw", "payload.mlir")
    cli("check", "out.tw", "payload.mlir")


def test_a_statement_with_a_block_goes_over_several_lines(shell: Shell) -> None:
    block = ["for each op in mm {", "  x, g = tile op by [64]", "}"]
    done = shell(MATCH, *block, "loops")
    assert "scf.for" in done.out and not done.err


def test_sequences_and_imports_stand_before_the_schedule(shell: Shell) -> None:
    sequence = ["sequence tiles(h) {", "  t, g = tile h by [64]", "  yield t", "}"]
    done = shell(MATCH, *sequence, "mm = include tiles(mm)", "show")
    assert done.out.index("sequence tiles") < done.out.index("schedule shell")
    assert "mm: linalg.matmul 64x512xf32" in done.out


def test_a_late_definition_repeats_nothing() -> None:
    session = ShellSession(payload())
    session.add(MATCH)
    tiled = session.add(TILE)
    assert tiled.diff and tiled.bound
    assert session.add(TILES) == Outcome()
    assert session.add("import gemm") == Outcome()
    assert "mm" in dict(session.add("mm = include tiles(mm)").bound)


def test_knobs_take_their_defaults(shell: Shell) -> None:
    done = shell("B = knob [32, 64] default 64", "C = knob [8, 16]")
    assert "B: 64\n" in done.out and "C: 8\n" in done.out


def test_help(shell: Shell) -> None:
    done = shell("help", "help fuse", "help tiel", code=1)
    assert all(name in done.out for name in COMMANDS)
    assert "Before:" in done.out and "fuse HANDLE into" in done.out
    assert "```" not in done.out
    assert "did you mean 'tile'?" in done.err


@pytest.mark.parametrize("name", COMMANDS)
def test_a_handle_may_have_the_name_of_a_command(name: str) -> None:
    session = ShellSession(payload())
    statements = [
        f'{name} = match "linalg.matmul" in root',
        f"{name} , grid = tile {name} by [64]",
        f'{name} : "linalg.fill" = match "linalg.fill" in root',
    ]
    lines = iter(statements)
    assert run_loop(session, Screen(is_terminal=False), lambda _: _next(lines)) == 0
    assert session.statements == statements


@pytest.mark.parametrize("word", ["quit", "exit"])
def test_it_can_be_left(shell: Shell, word: str) -> None:
    assert "linalg" not in shell(word, MATCH).out


def test_no_command_is_a_word_of_the_language() -> None:
    assert not set(COMMANDS) & {*BY_NAME, *keywords(), *op_sources()}


@pytest.mark.parametrize(
    ("text", "complete"),
    [
        ("x = tile mm by [1,", False),
        ("choose a {", False),
        ("choose a {\n}", True),
        ("x, y =", False),
        ('print root "{"', True),
        ("cse root // {", True),
        ("}", True),
    ],
)
def test_when_a_statement_is_complete(text: str, complete: bool) -> None:
    assert is_complete(text) is complete


# -- the prompt ------------------------------------------------------------------


def completed(session: ShellSession, typed: str, before: str = "") -> list[str]:
    """What the tab key offers."""
    completer = StatementCompleter(session, tuple(COMMANDS))
    completer.before = before
    event = CompleteEvent(completion_requested=True)
    found = completer.get_completions(Typed(typed, len(typed)), event)
    return [completion.text for completion in found]


def test_the_tab_key_completes_statements_and_commands() -> None:
    session = ShellSession(payload())
    session.add(MATCH)
    assert completed(session, "und") == ["undo"]
    assert completed(session, "x = fuse m")[0] == "mm"
    assert completed(session, "x = tile mm ") == ["by"]
    assert completed(session, 'x = match "linalg.f')[0] == "linalg.fill"
    assert completed(session, "  x = fuse m", "for each op in mm {")[0] == "mm"


def test_a_session_at_the_prompt(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    history = tmp_path / "history"
    session = ShellSession(payload())
    with create_pipe_input() as keys:
        prompt = Prompt(session, tuple(COMMANDS), history, keys, DummyOutput())
        lines = [MATCH, "for each op in mm {", "cse op", "}", TILE, "undo", "quit"]
        keys.send_text("".join(f"{line}\n" for line in lines))
        assert run_loop(session, Screen(is_terminal=True), prompt.line) == 0
    assert session.statements == [MATCH, "for each op in mm {\ncse op\n}"]
    assert MATCH in history.read_text()
    assert "mm: linalg.matmul 128x128xf32" in capsys.readouterr().out


# -- the page --------------------------------------------------------------------


def test_the_session_of_the_page(shell: Shell) -> None:
    page = (DOCS / "shell.md").read_text(encoding="utf-8")
    typed = re.findall(r"^    tw> (.*)$", page, re.M)
    done = shell(*typed)
    printed = re.findall(r"^    (?!tw>|\$|pip|tilewright)(.*)$", page, re.M)
    assert printed
    for line in printed:
        assert f"{line}\n" in done.out
    assert "mm: linalg.matmul 64x128xf32" in page
    assert "mm: linalg.matmul 64x128xf32\n" in done.out
    assert not check_text(Path("tiled.tw").read_text(), Path("tiled.tw")).has_errors


def test_the_page_lists_every_command() -> None:
    page = (DOCS / "shell.md").read_text(encoding="utf-8")
    for name in COMMANDS:
        assert re.search(rf"^\| .*`{name}\b.* \|", page, re.M), name
