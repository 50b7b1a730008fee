"""`format_text`: one layout; meaning and comments stay."""

from __future__ import annotations

import re
from pathlib import Path
from textwrap import dedent

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.paths import DOCS, EXAMPLES, ROOT
from tilewright.ir.errors import UserError
from tilewright.schedules.language.formatting.format import format_text
from tilewright.schedules.language.formatting.words import Word, read_words
from tilewright.schedules.language.parsing.parser import parse

FOLDERS = ("examples", "tests/data", "schedules/library", "benchmarks")
FILES = sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.tw"))


def comments(text: str) -> list[str]:
    return [line.rstrip() for line in re.findall(r"//[^\n]*", text)]


@pytest.mark.sampled(8)
@pytest.mark.parametrize(
    "path", FILES, ids=lambda path: f"{path.parent.name}-{path.name}"
)
def test_meaning_and_comments_stay(path: Path) -> None:
    text = path.read_text()
    formatted = format_text(text)
    assert parse(formatted, "s.tw") == parse(text, "s.tw")
    assert comments(formatted) == comments(text)
    assert format_text(formatted) == formatted


LAYOUT = """\
// A header,
// of two lines.


schedule   s( root ,mm:"linalg.matmul" ){   // the root

      BM=knob[64,128]   default 64 BN = knob "n" [ 32 ]   // two knobs
  a   =  match "linalg.fill" in root
  abc =  match ["linalg.fill" , "linalg.exp"] in root;  b=pick abc at [-1]
  require  BM*BN<=128*128and(BM-1<64 or not BN==2)



  // about the tiles
  t,grid=tile a by [ BM-1,
    // the second size
         BN  // its size
     ] onto[
   block.y,
 block.x
 ]
  choose x{p{}
  q  {  launch grid warps=4;cse root } }
  try{cse root}

  // after the first
  else { }
  for   each  e in b{ cse e
  }
  // the end
}
sequence last(f){ }
decide M=x[ 0 ]{
  M<=64     { BM=16;BN=64 }
  M <= 1024 { BM = 64 }
  else      { BM=128 } }
// and no more
"""

FORMATTED = """\
// A header,
// of two lines.

schedule s(root, mm: "linalg.matmul") {  // the root
  BM = knob [64, 128] default 64    BN = knob "n" [32]  // two knobs
  a   = match "linalg.fill" in root
  abc = match ["linalg.fill", "linalg.exp"] in root
  b = pick abc at [-1]
  require BM * BN <= 128 * 128 and (BM - 1 < 64 or not BN == 2)

  // about the tiles
  t, grid = tile a by [BM - 1,
                       // the second size
                       BN  // its size
                      ] onto [
                          block.y,
                          block.x
                      ]
  choose x {
    p { }
    q { launch grid warps = 4; cse root }
  }
  try {
    cse root
  }
  // after the first
  else { }
  for each e in b {
    cse e
  }
  // the end
}

sequence last(f) { }

decide M = x[0] {
  M <= 64   { BM = 16; BN = 64 }
  M <= 1024 { BM = 64 }
  else      { BM = 128 }
}
// and no more
"""


@pytest.mark.parametrize(
    "path", sorted(EXAMPLES.rglob("*.tw")), ids=lambda path: path.stem
)
def test_examples_are_formatted(path: Path) -> None:
    """`tilewright fmt examples` formats them."""
    text = path.read_text("utf-8")
    assert format_text(text) == text


def test_a_layout() -> None:
    assert format_text(LAYOUT) == FORMATTED
    assert format_text(FORMATTED) == FORMATTED
    assert parse(LAYOUT, "s.tw") == parse(FORMATTED, "s.tw")


def test_the_page_shows_what_it_does() -> None:
    page = (DOCS / "formatting.md").read_text()
    before, after = (
        dedent(re.split(r"\n\n(?! )", page.split(title, 1)[1])[0].strip("\n")) + "\n"
        for title in ("Before:\n", "After:\n")
    )
    assert format_text(before) == after != before


def test_names_without_a_space_before_the_equals_sign_are_not_aligned() -> None:
    assert format_text("schedule s(root) {\n  AB=1\n  C = 2\n}\n") == (
        "schedule s(root) {\n  AB = 1\n  C = 2\n}\n"
    )


def test_line_ends_of_windows_become_plain() -> None:
    assert format_text("// a\r\nschedule s(root) {\r\n}\r\n") == (
        "// a\nschedule s(root) { }\n"
    )


def test_long_lines_are_broken_at_commas_and_conditions() -> None:
    names = ", ".join(f"vector.pattern_{number}" for number in range(8))
    terms = " and ".join(f"SIZE_{n} * SIZE_{n} <= 1024" for n in range(6))
    text = f"schedule s(root) {{\n  patterns root [{names}]\n  require {terms}\n}}\n"
    formatted = format_text(text)
    assert max(map(len, formatted.splitlines())) <= 100
    assert parse(formatted, "s.tw") == parse(text, "s.tw")
    assert formatted.splitlines()[1:4] == [
        "  patterns root [vector.pattern_0, vector.pattern_1, vector.pattern_2,"
        " vector.pattern_3,",
        "                 vector.pattern_4, vector.pattern_5, vector.pattern_6,"
        " vector.pattern_7]",
        "  require SIZE_0 * SIZE_0 <= 1024 and SIZE_1 * SIZE_1 <= 1024 and"
        " SIZE_2 * SIZE_2 <= 1024",
    ]


def test_knobs_that_do_not_fit_side_by_side_get_lines_of_their_own() -> None:
    knobs = "    ".join(f"A{n} = knob [16, 32, 64, 128]" for n in range(5))
    formatted = format_text(f"schedule s(root) {{\n{knobs}\n}}\n")
    assert formatted.splitlines()[1:] == [
        *(f"  A{n} = knob [16, 32, 64, 128]" for n in range(5)),
        "}",
    ]


def test_a_text_that_cannot_be_parsed_is_an_error_with_its_place() -> None:
    with pytest.raises(UserError) as caught:
        format_text("schedule s(root) {\n  tile tile [\n}\n", "bad.tw")
    assert str(caught.value.place) == "bad.tw:2:13"


@pytest.mark.slow
def test_many_terms_and_many_numbers_are_formatted() -> None:
    total = "+".join(["BM"] * 3000)
    many = ",".join(map(str, range(10_000)))
    text = f"schedule s(root) {{\nBM = knob [{many}]\nX = {total}\n}}\n"
    formatted = format_text(text)
    assert format_text(formatted) == formatted
    assert re.sub(r"\s", "", formatted) == re.sub(r"\s", "", text)


# -- random layouts ----------------------------------------------------------------

JOINING = {"COMPARE", "PLUS", "MINUS", "TIMES", "AND", "OR", "EQUAL", "COMMA"}
PUNCTUATION = {"COMMA", "LPAR", "RPAR", "LSQB", "RSQB", "LBRACE", "RBRACE", "EQUAL"}
DEPTH = {"LPAR": 1, "LSQB": 1, "RPAR": -1, "RSQB": -1}
ENDS = ["\n", "\n\n", ";", " ; ", " // end\n", "\n\n// before\n\n", ";// end\n"]
BREAKS = ["\n", "\n      ", " // here\n ", "\n// alone\n"]
SPACES = [" ", "  ", "\t "]


def gaps(words: list[Word], index: int, depth: int) -> list[str]:
    """What may stand before a word without a change of meaning."""
    word, before = words[index], words[index - 1]
    if word.is_after_end:
        return ENDS
    signed = {word.kind, before.kind} & {"MINUS", "NEGATIVE", "COLON"}
    close = {word.kind, before.kind} & PUNCTUATION and not signed
    found = [*SPACES, ""] if close else SPACES
    is_edge = before.kind == "LBRACE" or word.kind in {"RBRACE", "ELSE"}
    if word.begins and before.kind != "LBRACE":
        return SPACES
    if depth > 0 or is_edge or {word.kind, before.kind} & JOINING:
        return [*found, *BREAKS]
    return found


@st.composite
def layouts(draw: st.DrawFn) -> tuple[str, str]:
    """A schedule, and the same words in another layout."""
    text = draw(st.sampled_from([FORMATTED, *(path.read_text() for path in FILES)]))
    words = read_words(text, "s.tw")[:-1]
    choice = draw(st.randoms(use_true_random=False))
    depth, parts = 0, [words[0].text]
    depth += DEPTH.get(words[0].kind, 0)
    for index, word in enumerate(words[1:], 1):
        parts += [choice.choice(gaps(words, index, depth)), word.text]
        depth += DEPTH.get(word.kind, 0)
    return text, "".join(parts) + "\n"


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(layouts())
def test_random_layouts(pair: tuple[str, str]) -> None:
    text, other = pair
    formatted = format_text(other)
    assert parse(formatted, "s.tw") == parse(text, "s.tw")
    assert comments(formatted) == comments(other)
    assert format_text(formatted) == formatted
    assert not re.search(r"[ \t]\n|\n\n\n", formatted)
