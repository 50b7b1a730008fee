"""Hover, hints, outline, colours and fixes, without the protocol."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from support.editor_texts import LINEAR, PAYLOAD, ran, written
from support.paths import DOCS
from tilewright.check_schedule.findings import Severity
from tilewright.editor.answers.colours import colours_of
from tilewright.editor.answers.document import Document
from tilewright.editor.answers.findings import check_over, check_text
from tilewright.editor.answers.fixes import fixes_for
from tilewright.editor.answers.hints import hints_of
from tilewright.editor.answers.holdings import run_over
from tilewright.editor.answers.hover import explain
from tilewright.editor.answers.outline import outline_of
from tilewright.editor.reading.payload import Payloads, payload_comment
from tilewright.ir.errors import UserError
from tilewright.schedules.language.verbs.vocabulary import VERBS


def told(marked: str, with_payload: bool = False) -> str:
    """The explanation at the cursor; empty if there is none."""
    document, spot = written(marked, with_payload)
    found = explain(document, spot)
    return "" if found is None else found.markdown


@pytest.mark.parametrize("verb", [verb.name for verb in VERBS])
def test_every_verb_has_an_explanation(verb: str) -> None:
    found = told(f"schedule s(root) {{\n  |{verb} \n}}")
    assert f"```tilewright\n{verb}" in found
    assert len(found) > 150


@pytest.mark.parametrize("verb", ["tile", "fuse", "vectorize", "bufferize", "peel"])
def test_the_page_of_a_verb_shows_before_and_after(verb: str) -> None:
    found = told(f"schedule s(root) {{\n  x = {verb}| root\n}}")
    assert "Before" in found and "After" in found


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("launch grid warps", "launch grid wa|rps", "a power of two from 1 to 32"),
        ("fuse mm into", "fuse m|m into", 'mm   = match "linalg.matmul" in root'),
        ("= knob [64, 128] default", "= kn|ob [64, 128] default", "tune.knob"),
        ("tail by [", "tail b|y [", "tile HANDLE by [SIZES]"),
        ("require BM", "requ|ire BM", "smt.constrain_params"),
        ("[BM, BN]", "[B|M, BN]", "knob, line 5"),
    ],
)
def test_hover(old: str, new: str, words: str) -> None:
    assert words in told(LINEAR.replace(old, new))


def test_hover_on_an_op_shows_those_of_the_payload() -> None:
    found = told(LINEAR.replace('"linalg.matmul"', '"linalg.mat|mul"'), True)
    assert "1 op in payload.mlir" in found and "%product = linalg.matmul" in found


def test_an_op_without_a_verb_is_explained() -> None:
    found = told("schedule s(root) {\n  structured.spl|it root\n}")
    assert "chunk_sizes = ..." in found


def test_a_target_with_the_name_of_a_verb_is_a_name() -> None:
    found = told("schedule s(root) {\n  spl|it = match in root\n}")
    assert "handle, line 2" in found


def test_hints_tell_ops_and_shapes() -> None:
    found = {(h.spot.line, h.label) for h in hints_of(ran(LINEAR), 1, 100)}
    assert (2, ": linalg.matmul 512x512xf32") in found
    # At the default of BM, and the first option of BN.
    assert (8, ": linalg.matmul 128x64xf32") in found
    assert (7, ": scf.forall 512x512xf16") in found


def test_a_handle_to_several_ops_tells_how_many() -> None:
    text = 'schedule s(root) {\n  x = match ["linalg.fill", "func.func"] in root\n}\n'
    (hint,) = hints_of(ran(text), 1, 9)
    assert hint.label.startswith(": 2 ops: ")


def test_a_run_that_fails_leaves_hints_up_to_there() -> None:
    document = ran(LINEAR.replace("  launch", "  x, p, c = pad mm along [9]\n  launch"))
    assert document.holdings.error is not None
    assert {h.spot.line for h in hints_of(document, 1, 99)} == {2, 3, 4, 7, 8, 9}


def test_hints_move_with_their_lines() -> None:
    document = ran(LINEAR)
    text = LINEAR.replace("  require", "\n\n  require")
    holdings = document.holdings.moved("/s.tw", document.lines, text.split("\n"))
    after = replace(document, text=text, holdings=holdings)
    labels = {h.spot.line: h.label for h in hints_of(after, 9, 10)}
    assert labels == {9: ": scf.forall 512x512xf16", 10: ": scf.forall 512x512xf16"}


def test_the_outline_has_definitions_and_the_names_in_them() -> None:
    document = Document(LINEAR + "sequence t(h) { cse h }\n", Path("/s.tw"))
    first, second = outline_of(document)
    assert (first.name, second.name) == ("linear", "t")
    names = [child.name for child in first.children]
    assert names == ["root", "mm", "fill", "tail", "BM", "BN", "grid"]
    assert first.whole.end.line == 11


def test_colours_tell_verbs_words_names_and_options() -> None:
    document = Document(LINEAR, Path("/s.tw"))
    kinds = {
        document.line(c.spot.line)[c.spot.column - 1 :][: c.length]: c.kind
        for c in colours_of(document)
    }
    assert kinds["tile"] == "function" and kinds["onto"] == "keyword"
    assert kinds["mm"] == "variable" and kinds["BM"] == "parameter"
    assert kinds["warps"] == "property" and kinds["block.x"] == "enumMember"


# -- payloads --------------------------------------------------------------------


def test_the_payload_of_a_comment() -> None:
    text = f"// a schedule\n// payload: {PAYLOAD.name}\n{LINEAR}"
    named = payload_comment(text, "s.tw")
    assert named is not None and (named.place.line, named.place.column) == (2, 13)
    below = payload_comment(f'import gemm\nimport "x.tw" as x\n{text}', "s.tw")
    assert below is not None and below.place.line == 4
    assert payload_comment(f"{LINEAR}\n{text}", "s.tw") is None
    path = PAYLOAD.with_name("s.tw")
    found = Payloads().payload_of(text, path)
    assert found is not None and found.path == PAYLOAD
    assert Payloads().payload_of(LINEAR, path) is None


def test_a_payload_that_is_not_there_is_reported_at_its_name(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no payload 'gone.mlir'") as refused:
        Payloads().payload_of(f"// payload: gone.mlir\n{LINEAR}", tmp_path / "s.tw")
    assert refused.value.place is not None and refused.value.place.column == 13


def test_a_payload_that_does_not_parse_is_reported_at_its_name(tmp_path: Path) -> None:
    (tmp_path / "bad.mlir").write_text("func.func @f(")
    with pytest.raises(UserError, match="the payload cannot be read") as refused:
        Payloads().payload_of(f"// payload: bad.mlir\n{LINEAR}", tmp_path / "s.tw")
    assert refused.value.place is not None and refused.value.place.line == 1


def test_a_run_over_the_payload_finds_what_the_check_cannot() -> None:
    text = LINEAR.replace(
        "fuse fill into grid", "fuse fill into grid\n  pad mm along [9]"
    )
    path = Path("/s.tw")
    checked = check_text(text, path)
    assert not checked.has_errors
    given = Payloads(PAYLOAD).payload_of(text, path)
    assert given is not None
    found = check_over(checked, given, when_saved=False, tell=lambda _: None)
    errors = [f.error.place for f in found if f.severity is Severity.ERROR]
    assert [place.line for place in errors if place] == [10]


def test_the_example_of_the_page() -> None:
    page = (DOCS / "editor.md").read_text(encoding="utf-8")
    block = page.split("\n\n")[2]
    text = "\n".join(line[4:] for line in block.split("\n"))
    path = PAYLOAD.with_name("linear.tw")
    given = Payloads().payload_of(text, path)
    (finding,) = check_text(text, path).findings
    assert f"`{finding.error.fact}; {finding.error.remedy}`" in page.replace("\n", " ")
    document = Document(text, path, given)
    (fix,) = fixes_for(document, [finding], None)
    right = fix.applied(document.lines)
    assert "launch grid warps" in right
    checked = check_text(right, path)
    assert checked.schedule is not None and checked.space is not None
    assert given is not None
    holdings = run_over(given.module, checked.schedule, checked.space)
    found = {h.label for h in hints_of(Document(right, path, given, holdings), 3, 4)}
    for held in ("linalg.matmul 512x512xf32", "linalg.matmul 128x128xf32"):
        assert f": {held}" in found and f"`{held}`" in page
