"""Builds the wheel, installs it into a bare environment and uses it there.

    python tests/wheel.py [FOLDER]

The environment is new, in FOLDER or a temporary folder, and sees nothing of this
checkout. The commands are those of the page of the package index. Needs a package index
for the dependencies; `constraints.txt` pins them.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
UNWANTED = ("tests/", "benchmarks/", ".db", "__pycache__")


def main() -> None:
    """Build, install, use."""
    if len(sys.argv) > 1:
        Path(sys.argv[1]).mkdir(parents=True, exist_ok=True)
        try_wheel(Path(sys.argv[1]).resolve())
        return
    with tempfile.TemporaryDirectory(prefix="tilewright-wheel-") as name:
        try_wheel(Path(name))


def try_wheel(folder: Path) -> None:
    """The whole trial in a folder."""
    run([sys.executable, "-m", "pip", "wheel", "--no-deps", "-w", folder, ROOT], ROOT)
    (wheel,) = folder.glob("tilewright-*.whl")
    check_files(wheel)
    run([sys.executable, "-m", "venv", folder / "bare"], folder)
    python = folder / "bare" / "bin" / "python"
    install = [python, "-m", "pip", "install", "-c", ROOT / "constraints.txt"]
    run([*install, "torch"], folder)
    run([*install, wheel], folder)
    use(folder)
    print(f"{wheel.name}: installed and used in a bare environment")


def check_files(wheel: Path) -> None:
    """The wheel has its data, and nothing of the tests."""
    names = zipfile.ZipFile(wheel).namelist()
    for wanted in (
        "tilewright/py.typed",
        "tilewright/schedules/language/parsing/grammar_tables.json",
        "tilewright/examples/demo/payload.mlir",
        "tilewright/examples/demo/h200.space.xz",
        "tilewright/docs/tutorial.md",
        "tilewright/docs/figures/program_page.png",
        "tilewright/explorer/assets/program.js",
        "tilewright/docs/transforms/stream.md",
    ):
        if wanted not in names:
            raise SystemExit(f"{wheel.name} lacks {wanted}")
    for name in names:
        if any(part in name for part in UNWANTED):
            raise SystemExit(f"{wheel.name} has {name}")


def use(folder: Path) -> None:
    """What a new user types first."""
    tilewright = folder / "bare" / "bin" / "tilewright"
    for line in (
        "--version",
        "doctor",
        "docs tutorial",
        "examples matmul_relu",
        "check matmul_relu/payload.mlir -s matmul_relu/tile_fuse.tw",
        "plan matmul_relu/payload.mlir -o planned.tw",
        "opt matmul_relu/payload.mlir -s planned.tw --emit triton -o kernel.py",
        "run matmul_relu/payload.mlir -s matmul_relu/tile_fuse.tw",
        "view matmul_relu/payload.mlir -s matmul_relu/tile_fuse.tw -o page.html",
    ):
        run([tilewright, *line.split()], folder)


def run(words: list[str | Path], folder: Path) -> None:
    """Run a command; stop with its output if it fails."""
    hidden = {"PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV"}
    environment = {k: v for k, v in os.environ.items() if k not in hidden}
    texts = [str(word) for word in words]
    print("$ " + " ".join([Path(texts[0]).name, *texts[1:]]), flush=True)
    done = subprocess.run(
        texts, cwd=folder, env=environment, capture_output=True, text=True
    )
    if done.returncode:
        raise SystemExit(f"{done.stdout}\n{done.stderr}\nexit code {done.returncode}")


if __name__ == "__main__":
    main()
