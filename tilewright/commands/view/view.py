"""`tilewright view`: find out what was named, make its page, write it, open it."""

from __future__ import annotations

from pathlib import Path

from tilewright.commands.inputs.models import is_model
from tilewright.commands.terminal.browser import open_in_browser
from tilewright.commands.terminal.console import console
from tilewright.commands.terminal.failure import UsageError
from tilewright.commands.terminal.output_files import write_output
from tilewright.commands.view.arguments import Options

_PIPE = "-"


def view(options: Options) -> None:
    """Write the page of what `options.file` names."""
    output = options.output or _default_output(options.file)
    _check_output(options, output)
    text = _page(options)
    if str(output) == _PIPE:
        write_output(text, None)
        return
    write_output(text, output)
    log = console(stderr=True)
    log.print(f"{output}: {len(text.encode()) / 1e6:.1f} MB", highlight=False)
    if options.open_page:
        open_in_browser(output.resolve().as_uri())


def _check_output(options: Options, output: Path) -> None:
    """Refuse to write the page over a file that it is about."""
    file = options.file.rpartition(":")[0] if is_model(options.file) else options.file
    read = (Path(file), options.schedule, options.results)
    for path in read:
        if path is not None and path.resolve() == output.resolve():
            fact = f"--output {output}: the page would replace a file that it shows"
            raise UsageError(fact, remedy="name another file, such as page.html")


def _page(options: Options) -> str:
    if is_model(options.file):
        from tilewright.commands.view.model import model_page

        return model_page(options)
    from tilewright.explorer.trials.sources import is_results_file

    if is_results_file(options.file):
        from tilewright.commands.view.trials import trials_page

        return trials_page(options)
    from tilewright.commands.view.program import program_page

    return program_page(options)


def _default_output(file: str) -> Path:
    """`matmul.mlir`: `matmul.html` in the present folder; a pipe: `page.html`."""
    name = Path(file.rpartition(":")[2] if is_model(file) else file).name
    stem = name.partition(".")[0]
    return Path(f"{stem}.html" if stem not in ("", _PIPE) else "page.html")
