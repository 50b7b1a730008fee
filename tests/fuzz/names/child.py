"""Runs emitted files as programs, in Triton's interpreter; a script of its own.

    python name_child.py LIST.json

The list has a path and options for each; how each ended goes to the same file.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import runpy
import sys
import traceback
from pathlib import Path


def main(path: Path) -> None:
    """Run one after the other."""
    ended: list[str] = []
    for file, options in json.loads(path.read_text()):
        sys.argv = [file, *options]
        said = io.StringIO()
        try:
            with contextlib.redirect_stdout(said):
                runpy.run_path(file, run_name="__main__")
            ended.append("ok" if "as torch in float64" in said.getvalue() else "silent")
        except SystemExit as stop:
            ended.append(f"it stopped: {stop.code}")
        except BaseException:
            ended.append(traceback.format_exc())
    path.write_text(json.dumps(ended))


if __name__ == "__main__":
    os.environ["TRITON_INTERPRET"] = "1"
    main(Path(sys.argv[1]))
