"""A command class that refuses an option that is given twice.

Click silently takes the last one, so that `-s a.tw -s b.tw` would ignore `a.tw`.
"""

from __future__ import annotations

from typing import Any

from typer.core import TyperCommand

from tilewright.commands.terminal.failure import UsageError


class OnceCommand(TyperCommand):
    """A command whose options may be given once, except for repeatable ones."""

    # Typer brings its own click, whose classes have no public names: hence Any.
    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the arguments, and refuse an option that is given twice."""
        given = list(args)
        try:
            rest = super().parse_args(ctx, args)
        except Exception as error:
            scripts = [word for word in given if word.endswith(".tw")]
            if scripts and "unexpected extra argument" in str(error):
                raise UsageError(
                    f"unexpected argument {scripts[-1]}",
                    remedy=f"give a schedule with -s {scripts[-1]}",
                ) from None
            raise
        _, _, order = self.make_parser(ctx).parse_args(given)
        seen: set[str] = set()
        for parameter in order:
            if parameter.param_type_name != "option" or _may_repeat(parameter):
                continue
            name = max(parameter.opts, key=len)
            if name in seen:
                raise UsageError(f"{name} is given twice", remedy="give it once")
            seen.add(name)
        return rest


def _may_repeat(option: Any) -> bool:
    return option.multiple or option.is_flag or option.count
