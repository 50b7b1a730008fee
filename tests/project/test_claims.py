"""What the documents say is so: files, links, counts, figures, commands, snippets."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import pytest
import torch

import tilewright
from support.command_line import cli_in
from support.paths import BENCHMARKS, DOCS, EXAMPLES, ROOT
from tilewright.codegen.generate import BUFFER_PASSES, KERNEL_PASSES
from tilewright.schedules.schedule import Schedule
from tilewright.transforms.dialect import transform_names
from tilewright.tuning.space.read import read_space

README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGE_OF_RESULTS = (DOCS / "results.md").read_text(encoding="utf-8")
RESULTS = BENCHMARKS / "results"
DOCUMENTS = sorted(
    {
        path
        for pattern in ("*.md", "[!.]*/*.md", "docs/**/*.md", "examples/**/*.md")
        for path in ROOT.glob(pattern)
    }
)
SAVED = {
    name
    for path in DOCUMENTS
    for name in re.findall(r"^```\w+ (\S+)$", path.read_text("utf-8"), re.M)
}
ARTEFACT = {"metadata.json", "source.py", "schedule.tw", "libraries.py"}
MADE = {"index.json", "swap_inputs.py", "test_swap_inputs.py", *SAVED, *ARTEFACT}
"""Files that commands or readers write, and documents speak of."""


def files() -> list[str]:
    skipped = {".venv", ".git"}
    return [
        str(path.relative_to(ROOT))
        for folder in ROOT.iterdir()
        if folder.name not in skipped
        for path in ([folder] if folder.is_file() else folder.rglob("*"))
    ]


FILES = files()


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.name))
def test_links_and_file_names(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    outside = re.sub(r"^    .*$|`[^`\n]*`", "", text, flags=re.M)
    for link, anchor in re.findall(r"\]\(([^)#\s]*)(?:#([^)\s]*))?\)", outside):
        if link.startswith("http"):
            continue
        target = document.parent / link if link else document
        assert target.exists(), f"{document.name}: {link}"
        if anchor:
            headings = re.findall(r"^#+ (.*)$", target.read_text("utf-8"), re.M)
            known = [
                re.sub(r"[^\w\- ]", "", h.lower()).replace(" ", "-") for h in headings
            ]
            assert anchor in known, f"{document.name}: {link}#{anchor}"
    for name in re.findall(
        r"`([\w./-]+\.(?:py|md|sh|tw|mlir|json|txt|lark|csv))`", text
    ):
        known = name in MADE or Path(name).name in MADE
        found = any(file == name or file.endswith(f"/{name}") for file in FILES)
        assert known or found, f"{document.name}: no file {name}"


@pytest.mark.parametrize("folder", [DOCS, DOCS / "transforms", EXAMPLES])
def test_an_index_links_every_page_of_its_folder(folder: Path) -> None:
    index = (folder / "README.md").read_text(encoding="utf-8")
    linked = set(re.findall(r"\]\(([^)#\s]+)\)", index))
    pages = {path.name for path in folder.glob("*.md")} - {"README.md"}
    folders = {path.name for path in folder.iterdir() if (path / "README.md").exists()}
    assert pages <= linked
    assert folders <= {link.split("/")[0] for link in linked}


def recorded(name: str) -> Any:
    return json.loads((RESULTS / name).read_text(encoding="utf-8"))


def right(rows: list[dict[str, Any]]) -> list[str]:
    return [row["name"] for row in rows if row["outcome"] == "ok"]


def said(pattern: str) -> list[str]:
    found = re.search(pattern.replace(" ", r"\s+"), PAGE_OF_RESULTS)
    assert found is not None, pattern
    return list(found.groups())


def test_counts_of_kernels() -> None:
    folder = "h200-codegen-2026-11-15"
    special = " with inf and NaN"
    golden = right(recorded(f"{folder}/golden.json")["rows"])
    plain = [name for name in golden if not name.endswith(special)]
    sanitized = right(recorded(f"{folder}/golden_sanitized.json")["rows"])
    for part in recorded(f"{folder}/golden_sanitized_rows_and_open.json").values():
        sanitized += right(part["rows"])
    random = right(recorded(f"{folder}/random.json")["rows"])
    assert said(r"all (\d+) kernels of the golden set") == [str(len(plain))]
    assert len(golden) == 2 * len(plain), "each with infinities and NaNs too"
    assert said(r"(\d+) runs of random programs") == [str(len(random))]
    clean = set(sanitized)
    assert said(r"(\d+) of the golden kernels ran clean") == [str(len(clean))]
    assert clean <= set(plain)


def test_figures_of_the_first_table() -> None:
    rows = recorded("h200-2026-11-15/matmul_relu.json")["rows"]
    measured = [
        f"| {row['ms']['median']:.4f} | {row['tflops']:.0f} | "
        for row in sorted(rows, key=lambda row: row["ms"]["median"])
    ]
    lines = [
        line
        for line in PAGE_OF_RESULTS.splitlines()
        if re.match(r"\|.*\| 0\.\d{4} \| \d+ \|", line)
    ]
    assert len(lines) == len(measured)
    for line, figures in zip(lines, measured, strict=True):
        assert figures in line
    for row, line in zip(rows, lines, strict=True):
        speed = row["speedup_over_best_rival"]
        if row["name"] != row["best_rival"]:
            text = f"{speed['median']:.3f} ({speed['low']:.3f} .. {speed['high']:.3f})"
            assert text in line
    outcomes = [
        row["outcome"].split(":")[0]
        for row in recorded("h200-2026-11-15/correctness.json")["rows"]
    ]
    assert said(r"checked (\d+) programs") == [str(len(outcomes))]
    assert said(r"(\d+) programs were right") == [str(outcomes.count("ok"))]
    assert said(r"(\d+) more were refused") == [str(outcomes.count("refused"))]
    tuning = recorded("h200-2026-11-15/tuning.json")
    assert said(r"took ([\d.]+) s for (\d+) trials, ([\d.]+) trials a second") == [
        f"{tuning['wall_seconds']:.1f}",
        str(len(tuning["trials"])),
        f"{tuning['trials_per_second']:.1f}",
    ]


@pytest.mark.slow
def test_figures_of_the_second_table() -> None:
    records = sorted((RESULTS / "h200-codegen-2026-11-15").glob("codegen*.json"))
    done = subprocess.run(
        [sys.executable, str(BENCHMARKS / "table.py"), *map(str, records)],
        capture_output=True,
        text=True,
        check=True,
    )
    table = done.stdout.replace("max-autotune-no-cudagraphs", "max-autotune")
    for row in rows_below("| work | structure |", PAGE_OF_RESULTS, at_least=30):
        assert row in table.splitlines(), row


def rows_below(head: str, text: str, at_least: int) -> list[str]:
    """The rows of the table whose first line begins like that."""
    rows = text[text.index(head) :].split("\n\n")[0].splitlines()[2:]
    assert len(rows) >= at_least
    return rows


def cells(row: str) -> list[str]:
    return [cell.strip() for cell in row.strip("|").split("|")]


def test_the_small_table_of_the_readme_repeats_the_large_one() -> None:
    large = rows_below("| work | structure |", PAGE_OF_RESULTS, at_least=30)
    known = {
        work: [ms, rate, same, best.split(" ")[0]]
        for work, _, ms, rate, _, same, best, *_ in map(cells, large)
    }
    for row in rows_below("| work | ms |", README, at_least=5):
        work, *figures = cells(row)
        assert figures == known[work], row
    assert f"all {len(large)} rows" in README


def test_the_page_of_code_generation_lists_the_passes() -> None:
    page = (DOCS / "codegen.md").read_text(encoding="utf-8")
    names = [cells(row)[0] for row in rows_below("| pass | what", page, at_least=5)]
    before = [f"`{each.name}`" for each in BUFFER_PASSES]
    after = [f"`{each.name}`" for each in KERNEL_PASSES]
    assert names == [*before, "lower", *after, "emit"]


def test_the_table_of_transformations_names_verbs_and_ops() -> None:
    page = (DOCS / "transforms" / "README.md").read_text(encoding="utf-8")
    rows = [cells(row) for row in page.splitlines() if row.startswith("| ")]
    names = {name.removeprefix("transform.") for name in transform_names()}
    told = {name for row in rows for name in re.findall(r"`([a-z_]+\.\w+)`", row[1])}
    missing = page.split("## Not there yet")[1]
    assert {name for name in told if f"`{name}`" not in missing} <= names


def test_the_number_of_points_to_tune() -> None:
    page = (EXAMPLES / "matmul_relu" / "README.md").read_text(encoding="utf-8")
    schedule = Schedule.from_path(EXAMPLES / "matmul_relu" / "tuned.tw")
    assert f"one of {read_space(schedule.module).count()} points" in page


@pytest.fixture
def example(tmp_path: Path) -> Path:
    """The folder that README's commands are given in, and the plan that they write."""
    folder = Path(shutil.copytree(EXAMPLES / "matmul_relu", tmp_path / "example"))
    (folder / "mine.tw").write_text(tilewright.plan(folder / "payload.mlir").text)
    return folder


COMMANDS = [
    line.split("#")[0].strip()
    for line in README.splitlines()
    if line.startswith("    tilewright ")
    and "payload.mlir" in line
    and "tilewright serve" not in line
]
"""Those that end; tests/explorer starts `serve`."""


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_commands_of_the_readme(
    command: str,
    example: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for given in ("--trials 100", "--budget 60s"):
        command = command.replace(given, "--trials 1")
    words = shlex.split(command)
    done = cli_in(example, monkeypatch, capsys)(*words[1:])
    assert done.out or "-o" in words or (example / "payload.html").exists()


def snippets(document: str) -> list[str]:
    text = (ROOT / document).read_text(encoding="utf-8")
    return re.findall(r"```python\n(.*?)```", text, re.S)


def test_commands_are_found() -> None:
    assert len(COMMANDS) >= 6
    assert len(snippets("README.md")) == 1


def test_snippet_of_the_readme(
    example: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(example)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    known = {name: torch.randn(512, 512, device=device).half() for name in "ab"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(snippets("README.md")[0], known)
    assert known["out"].shape == (512, 512)
    assert "@triton.jit" in capsys.readouterr().out


def test_snippets_of_the_payloads_page(capsys: pytest.CaptureFixture[str]) -> None:
    known: dict[str, Any] = {}
    for snippet in snippets("docs/payloads.md"):
        exec(snippet, known)
    assert "linalg.matmul" in capsys.readouterr().out
    assert known["lower"].shape == (512, 512)
