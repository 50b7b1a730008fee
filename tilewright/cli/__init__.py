"""The command line: one file declares the arguments, options and help of one command.

Nothing is computed here. A command imports its work from `commands/` when it runs, so
that `--help` answers at once. May import only `commands.terminal` at the top.
"""

from tilewright.cli.application import app, main, results_app

__all__ = ["app", "main", "results_app"]
