"""`tilewright view`: find out what was named, make its page, write it, open it."""

from __future__ import annotations

from pathlib import Path

from tilewright.commands.inputs.models import is_model
from tilewright.commands.terminal.browser import open_in_browser
from tilewright.commands.terminal.console import console
from tilewright.commands.terminal.output_files import write_output
from tilewright.commands.view.arguments import Options


def view(options: Options) -> None:
    """Write the page of what `options.file` names."""
    text = _page(options)
    output = options.output or _default_output(options.file)
    write_output(text, output)
    log = console(stderr=True)
    log.print(f"{output}: {len(text.encode()) / 1e6:.1f} MB", highlight=False)
    if options.open_page:
        open_in_browser(output.resolve().as_uri())


def _page(options: Options) -> str:
    if is_model(options.file):
        from tilewright.commands.view.model import model_page

        return model_page(options)
    from tilewright.commands.view.trials import is_results_file, trials_page

    if is_results_file(options.file):
        return trials_page(options)
    from tilewright.commands.view.program import program_page

    return program_page(options)


def _default_output(file: str) -> Path:
    """`matmul.mlir`: `matmul.html` in the present folder."""
    name = Path(file.rpartition(":")[2] if is_model(file) else file).name
    return Path(f"{name.partition('.')[0] or 'page'}.html")
