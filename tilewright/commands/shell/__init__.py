"""`tilewright shell`: write a schedule statement by statement."""

from tilewright.commands.shell.shell import shell

__all__ = ["shell"]
