"""What the shell prints: diffs in colour, what names hold, errors."""

from __future__ import annotations

from tilewright.commands.terminal.console import console
from tilewright.editor.shell.session import Outcome
from tilewright.ir.errors import UserError

_COLOURS = {"+": "green", "-": "red", "@": "cyan"}


class Screen:
    """Prints to standard output, and errors to standard error."""

    def __init__(self, is_terminal: bool) -> None:
        self.is_terminal = is_terminal
        self._out = console()
        # At a prompt, an error belongs under the statement: one stream keeps the order.
        self._errors = self._out if is_terminal else console(stderr=True)

    def say(self, text: str, style: str = "") -> None:
        """Print a line as it is."""
        self._out.print(text, style=style or None, markup=False)

    def code(self, text: str) -> None:
        """Print a text that may be long, without wrapping it."""
        self._out.out(text.rstrip("\n"), highlight=False)

    def markdown(self, text: str) -> None:
        """Print a page: formatted on a terminal, without code fences elsewhere."""
        if not self._out.is_terminal:
            lines = text.split("\n")
            self.code("\n".join(each for each in lines if each[:3] != "```"))
            return
        from rich.markdown import Markdown

        self._out.print(Markdown(text))

    def error(self, error: UserError) -> None:
        """Print an error with its line and its remedy."""
        self._errors.out(str(error), style="red", highlight=False)

    def outcome(self, outcome: Outcome) -> None:
        """Print what a statement changed, and what its names hold."""
        self.diff(outcome.diff)
        for name, held in outcome.bound:
            self.say(f"{name}: {held.text}", "cyan")
        for warning in outcome.warnings:
            self._errors.out(warning.message("warning"), style="yellow")
        if not outcome.diff and not outcome.bound:
            self.say("(no change)", "dim")

    def diff(self, lines: tuple[str, ...]) -> None:
        """Print the hunks of a diff."""
        for line in lines:
            self._out.out(line, style=_COLOURS.get(line[:1]), highlight=False)
