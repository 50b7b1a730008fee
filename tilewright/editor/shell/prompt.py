"""The prompt: colours, completion and history, with prompt_toolkit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document as Typed
from prompt_toolkit.history import FileHistory, History, InMemoryHistory
from prompt_toolkit.input import Input
from prompt_toolkit.lexers import PygmentsLexer
from prompt_toolkit.output import Output

from tilewright.editor.answers.completion import complete
from tilewright.editor.highlighting.pygments_lexer import TilewrightLexer
from tilewright.editor.reading.positions import Spot
from tilewright.editor.shell.session import ShellSession, is_definition

PROMPT = "tw> "
MORE = "... "
"""The prompt of a statement's further lines."""


class Prompt:
    """Asks for lines."""

    def __init__(
        self,
        session: ShellSession,
        commands: Sequence[str],
        history: Path | None,
        input: Input | None = None,
        output: Output | None = None,
    ) -> None:
        kept: History = InMemoryHistory()
        if history is not None:
            kept = FileHistory(str(history))
        self._completer = StatementCompleter(session, commands)
        self._prompt: PromptSession[str] = PromptSession(
            history=kept,
            lexer=PygmentsLexer(TilewrightLexer),
            completer=self._completer,
            complete_while_typing=False,
            input=input,
            output=output,
        )

    def line(self, before: str) -> str:
        """The next line; `before` has the lines of the statement so far."""
        self._completer.before = before
        return self._prompt.prompt(MORE if before else PROMPT)


class StatementCompleter(Completer):
    """Completes a statement of a session, and the shell's own commands."""

    def __init__(self, session: ShellSession, commands: Sequence[str]) -> None:
        self.before = ""
        self._session = session
        self._commands = commands

    def get_completions(
        self, document: Typed, complete_event: CompleteEvent
    ) -> Iterable[Completion]:
        """What may stand at the cursor."""
        typed = document.text_before_cursor
        if not self.before:
            for command in self._commands:
                if command.startswith(typed) and typed:
                    yield Completion(command, -len(typed), display_meta="the shell")
        text = f"{self.before}\n{typed}" if self.before else typed
        whole, begins = self._session.document(text)
        line = begins + text.count("\n")
        indent = 0 if is_definition(text) else 2
        spot = Spot(line, indent + len(typed) + 1)
        word = _word(typed)
        for candidate in complete(whole, spot):
            yield Completion(
                candidate.label, -len(word), display_meta=candidate.detail[:60]
            )


def _word(typed: str) -> str:
    """The word before the cursor; inside of a string, all of the string."""
    quotes = typed.count('"')
    if quotes % 2:
        return typed.rpartition('"')[2]
    start = len(typed)
    while start > 0 and (typed[start - 1].isalnum() or typed[start - 1] in "_."):
        start -= 1
    return typed[start:]
