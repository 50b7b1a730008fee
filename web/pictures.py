"""The pictures of the explorer's pages in the documentation: `make pictures`.

Makes the pages by the commands that a user would type, opens them in Chromium, and
writes what is seen to docs/figures. Needs Debian's Chromium and Playwright's package.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
FIGURES = ROOT / "docs" / "figures"
DEMO = ROOT / "examples" / "demo"
WIDE = (1280, 800)
PHONE = (390, 844)


@dataclass(frozen=True)
class Picture:
    """One file of docs/figures, and how it is made."""

    name: str
    command: str
    """The arguments of `tilewright view`."""
    prepare: Callable[[Page], None]
    """What to do in the page before it is taken."""
    size: tuple[int, int] = WIDE
    dark: bool = False
    element: str | None = None
    """The part of the page to show; None: all that the window shows."""


def at(step: str, view: str = "diff") -> Callable[[Page], None]:
    """Go to the last step of a title, in a view."""

    def prepare(page: Page) -> None:
        numbers = page.evaluate(
            """title => JSON.parse(document.getElementById("data").textContent).steps
                .map((step, n) => step.title === title ? n : -1)
                .filter(n => n >= 0)""",
            step,
        )
        page.evaluate(
            "hash => { location.hash = hash }", f"step={numbers[-1]}&view={view}"
        )

    return prepare


def nothing(page: Page) -> None:
    """The page as it opens."""


def why(page: Page) -> None:
    """Ask why the slowest structure is slower."""
    page.get_by_role("button", name="why?").last.click()


SOFTCAP = "examples/demo/payload.mlir -s examples/demo/softcap.tw"
TILE_FUSE = "examples/matmul_relu/payload.mlir -s examples/matmul_relu/tile_fuse.tw"
MODEL = "docs/figures/two_blocks.py:TwoBlocks --input bf16[512,256]"
TRIALS = "examples/demo/h200.space.xz"
NEST = ".right-column .nest-picture, .nest-picture"

PICTURES = (
    Picture("program_page.png", SOFTCAP, at("stream")),
    Picture("program_page_dark.png", SOFTCAP, at("stream"), dark=True),
    Picture("program_page_phone.png", SOFTCAP, at("stream"), PHONE),
    Picture("nest_of_a_tile.png", TILE_FUSE, at("fuse", "nest"), (1280, 900)),
    Picture("nest_of_attention.png", SOFTCAP, at("stream", "nest"), (1280, 1150)),
    Picture("kernels_of_attention.png", SOFTCAP, at("stream", "program"), (1280, 1000)),
    Picture("model_page.png", MODEL, nothing, (1280, 860)),
    Picture("tuning_page.png", TRIALS, nothing, (1280, 1180)),
    Picture("tuning_page_dark.png", TRIALS, nothing, (1280, 1180), dark=True),
    Picture("structures_compared.png", TRIALS, why, (1280, 800)),
)


def main() -> None:
    """Make all pictures, or those whose names are given."""
    wanted = set(sys.argv[1:])
    chosen = [one for one in PICTURES if not wanted or one.name in wanted]
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        raise SystemExit("Chromium is not installed (apt-get install chromium)")
    FIGURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium, args=["--no-sandbox", "--disable-gpu"]
        )
        for picture in chosen:
            take(browser, picture, page_of(picture, Path(name)))
        browser.close()


def page_of(picture: Picture, folder: Path) -> Path:
    """The page of a command, made once."""
    path = folder / f"{abs(hash(picture.command))}.html"
    if not path.exists():
        words = ["view", *picture.command.split(), "-o", str(path), "--no-open"]
        print(f"tilewright view {picture.command}", flush=True)
        subprocess.run(
            [sys.executable, "-m", "tilewright", *words], check=True, cwd=ROOT
        )
    return path


def take(browser: Browser, picture: Picture, path: Path) -> None:
    """Open a page and write what is seen."""
    width, height = picture.size
    context = browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme="dark" if picture.dark else "light",
        reduced_motion="reduce",
        device_scale_factor=1.25,
    )
    page = context.new_page()
    page.goto(path.as_uri())
    picture.prepare(page)
    page.wait_for_timeout(400)
    target = FIGURES / picture.name
    if picture.element is None:
        page.screenshot(path=target)
    else:
        page.locator(picture.element).first.screenshot(path=target)
    context.close()
    print(
        f"  {target.relative_to(ROOT)}: {target.stat().st_size / 1e3:.0f} kB",
        flush=True,
    )


if __name__ == "__main__":
    main()
