"""What notebooks show: payloads, schedules, steps, checks and tuning results."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest

import tilewright
from support.paths import EXAMPLES
from tilewright.ir.notebook_html import coloured, table_html, text_html
from tilewright.payloads import Payload, linear
from tilewright.schedules.schedule import Schedule

PAYLOAD = EXAMPLES / "matmul_relu" / "payload.mlir"


class _Reader(HTMLParser):
    """Collects the text of a page, and the tags that are open."""

    def __init__(self) -> None:
        super().__init__()
        self.text = ""
        self.styled: dict[str, str] = {}
        self._open: list[tuple[str, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._open.append((tag, dict(attrs).get("style") or ""))

    def handle_endtag(self, tag: str) -> None:
        opened, _ = self._open.pop()
        assert opened == tag, f"</{tag}> closes <{opened}>"

    def handle_data(self, data: str) -> None:
        self.text += data
        self.styled[data] = self._open[-1][1] if self._open else ""


def read(shown: object) -> _Reader:
    """The HTML of a value, read; every tag that it opens it closes."""
    reader = _Reader()
    reader.feed(shown if isinstance(shown, str) else shown._repr_html_())  # pyright: ignore
    assert reader._open == []
    return reader


def built() -> tilewright.ScheduleBuilder:
    s = tilewright.schedule("shown")
    tail = s.match("linalg.generic")
    BM = s.knob("BM", [64, 128], default=64)
    s.require(BM * 64 < 8192)
    tail, grid = s.tile(tail, [BM, 64], onto=["block.y", "block.x"])
    s.launch(grid, warps=4)
    return s


def test_markup_in_a_text_is_shown_as_it_is() -> None:
    text = '<b>&"a" // <i>'
    assert read(text_html("<title>", text)).text == f"<title>{text}"
    assert read(table_html("", ["<"], [["</td>"]])).text == "<</td>"


def test_words_comments_strings_and_numbers_are_coloured() -> None:
    text = 'tile h by [64]  // "no"\nx = match "tile"'
    found = read(coloured(text, {"tile", "match"}))
    assert found.text == text
    assert {"tile", "64", '// "no"', "match", '"tile"'} <= found.styled.keys()
    assert found.styled["64"] != found.styled["match"]


def test_a_payload_shows_its_function() -> None:
    layer = Payload("layer")
    assert "nothing is computed yet" in read(layer).text
    x, w = (layer.input(name, (16, 16), "f16") for name in "xw")
    layer.output(linear(x, w))
    assert layer.text() in read(layer).text


def test_a_schedule_shows_its_text() -> None:
    s = built()
    assert read(s).text == "schedule shown" + s.to_tw()
    assert read(s.schedule).text == read(s).text
    read_from_file = Schedule.from_path(EXAMPLES / "gemm" / "gemm.tw")
    assert "// gemm.tw -- a matrix product" in read(read_from_file).text


def test_a_schedule_with_mistakes_shows_them() -> None:
    s = built()
    s.cse(s.match("linalg.nothing"))
    assert "match: there is no op 'linalg.nothing'" in read(s).text


def test_a_step_shows_what_it_changed_in_colours() -> None:
    applied = built().apply(PAYLOAD)
    step = applied.steps[1]
    found = read(step)
    assert found.text.startswith("01 structured.tile_using_forall")
    for line in step.diff:
        assert line in found.text
    (added,) = (line for line in step.diff if "scf.forall (" in line)
    removed = next(line for line in step.diff if line.startswith("-"))
    assert "background" in found.styled[added]
    assert "background" in found.styled[removed]
    assert found.styled[added] != found.styled[removed]
    assert found.text in read(applied).text
    assert applied.steps[0].text() in read(applied).text


@pytest.mark.slow
def test_the_steps_of_a_program_are_shown() -> None:
    program = tilewright.compile(PAYLOAD, built())
    found = read(program.steps)
    assert "01 structured.tile_using_forall" in found.text
    assert "srcdoc" in program._repr_html_()


def test_a_check_shows_its_findings() -> None:
    s = built()
    assert read(s.check()).text.startswith("ok; 1 valid point")
    s.match("linalg.fill")
    assert "match: nothing uses" in read(s.check()).text
