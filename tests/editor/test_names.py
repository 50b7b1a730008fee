"""Names: where they are bound and used, where they are visible, and renaming."""

from __future__ import annotations

import pytest

from support.editor_texts import LINEAR, written
from support.paths import EXAMPLES
from tilewright.editor.answers.document import Document
from tilewright.editor.answers.places import definition_of, rename, uses_of
from tilewright.editor.reading.names import Meaning
from tilewright.ir.errors import UserError

CHOICES = """\
schedule s(root) {
  mm = match "linalg.matmul" in root
  BM = knob [64, 128]
  require tail == fused or BM <= 64
  mm = choose tail {
    fused { mm, g = tile mm by [BM] onto [block.x]; yield mm }
    apart { x = generalize mm; yield x }
  }
  for each op in mm { cse op }
  t = try mm { u = generalize mm; yield u } else { yield mm }
  include helper(t)
}
sequence helper(h) { cse h }
decide M = a[0] { M <= 64 { BM = 64 } else { BM = 128 } }
"""


def test_every_name_of_the_examples_is_bound() -> None:
    for path in sorted(EXAMPLES.rglob("*.tw")):
        document = Document(path.read_text(encoding="utf-8"), path)
        loose = {o.name for o in document.names.occurrences if o.binding is None}
        assert loose <= set(document.sequences), path


def test_meanings() -> None:
    document, _ = written(CHOICES + "|")
    found = {b.name: b.meaning for b in document.names.bindings}
    assert found["mm"] is Meaning.HANDLE
    assert found["BM"] is Meaning.KNOB
    assert found["tail"] is Meaning.CHOICE
    assert found["fused"] is Meaning.BRANCH
    assert found["helper"] is Meaning.SEQUENCE
    assert found["M"] is Meaning.SIZE


@pytest.mark.parametrize(
    ("marked", "line"),
    [
        ("require t|ail == fused", 5),
        ("tail == fu|sed", 6),
        ("cse o|p }", 9),
        ("include help|er(t)", 13),
        ("include helper(|t)", 10),
        ("generalize m|m; yield x", 2),
        ("{ u = generalize m|m; yield u }", 5),
        ("M <= 64 { B|M = 64 }", 3),
    ],
)
def test_definitions(marked: str, line: int) -> None:
    plain = marked.replace("|", "")
    document, spot = written(CHOICES.replace(plain, marked))
    found = definition_of(document, spot)
    assert found is not None and found.span.start.line == line


def test_the_steps_of_a_permute_see_what_others_bound() -> None:
    text = """schedule s(root) {
  mm = match "linalg.matmul" in root
  order = permute [0, 1, 2]
  mm, k = permute steps {
    tiles { mm, k = tile mm by [8, 8, 8] interchange order }
    clean { canonicalize k }
  }
}
"""
    document, _ = written(text + "|")
    uses = {o.name: o.binding for o in document.names.occurrences if o.spot.line == 6}
    assert uses["k"] is not None and uses["k"].spot.line == 5
    loose = [o.name for o in document.names.occurrences if o.binding is None]
    assert not loose
    found = {b.name: b.meaning for b in document.names.bindings}
    assert found["steps"] is Meaning.CHOICE and found["tiles"] is Meaning.BRANCH


def test_a_branch_of_a_try_sees_its_scope_alone() -> None:
    document, spot = written(CHOICES.replace("yield u }", "yield u| }"))
    assert {"mm", "u"} <= set(document.names.visible(spot))
    assert "BM" not in document.names.visible(spot)


def test_a_sequence_of_the_library_is_defined_in_its_file() -> None:
    document, spot = written("schedule s(root) {\n  include clea|n(root)\n}\n")
    found = definition_of(document, spot)
    assert found is not None and found.path.name.endswith(".tw")
    line = found.path.read_text().split("\n")[found.span.start.line - 1]
    assert line[found.span.start.column - 1 :].startswith("clean")


def renamed(marked: str, new: str) -> str:
    """The text after a renaming."""
    document, spot = written(marked)
    lines = list(document.lines)
    spans = rename(document, spot, new)
    for start, end in sorted(spans, reverse=True):
        line = lines[start.line - 1]
        lines[start.line - 1] = line[: start.column - 1] + new + line[end.column - 1 :]
    return "\n".join(lines)


def test_a_renaming_leaves_options_and_words_alone() -> None:
    text = LINEAR.replace("BM", "warps").replace("warps = 4", "warps = warps")
    after = renamed(text.replace("  warps = knob", "  wa|rps = knob"), "W")
    assert "launch grid warps = W" in after
    assert "by [W, BN]" in after and "  W = knob" in after


def test_a_renaming_reaches_the_decision_table() -> None:
    after = renamed(CHOICES.replace("  BM = knob", "  B|M = knob"), "rows")
    assert "{ rows = 64 }" in after and "BM" not in after


LABELS = """\
schedule s(root) {
  fused = match "linalg.matmul" in root
  require how == fused or way != fused or "fused" == how
  how = choose how default "fused" {
    fused { x = generalize fused; yield x }
    apart { yield fused }
  }
  order = choose way default fused { fused { yield how } apart { yield how } }
  permute steps { one { cse root } two { canonicalize root } }
  require steps == two_one
  include how(root)
}
sequence how(h) { cse h }
decide M = a[0] {
  M <= 64 { how = fused; way = fused; steps = one_two }
  else    { how = "fused"; way = apart; steps = two_one }
}
"""


@pytest.mark.parametrize(
    ("old", "marked", "new", "changes"),
    [
        (
            # The choice, not the handles nor the sequence of its name.
            "choose how",
            "choose ho|w",
            "place",
            {
                3: '  require place == fused or way != fused or "fused" == place',
                4: '  how = choose place default "fused" {',
                15: "  M <= 64 { place = fused; way = fused; steps = one_two }",
                16: '  else    { place = "fused"; way = apart; steps = two_one }',
            },
        ),
        (
            # A branch: its default, conditions and decisions, and no other choice's.
            "    fused {",
            "    fus|ed {",
            "inside",
            {
                3: '  require how == inside or way != fused or "inside" == how',
                4: '  how = choose how default "inside" {',
                5: "    inside { x = generalize fused; yield x }",
                15: "  M <= 64 { how = inside; way = fused; steps = one_two }",
                16: '  else    { how = "inside"; way = apart; steps = two_one }',
            },
        ),
        (
            "steps == two_one",
            "steps == two_o|ne",
            "first",
            {
                9: "  permute steps { first { cse root } two { canonicalize root } }",
                10: "  require steps == two_first",
                15: "  M <= 64 { how = fused; way = fused; steps = first_two }",
                16: '  else    { how = "fused"; way = apart; steps = two_first }',
            },
        ),
        (
            "fused = match",
            "fus|ed = match",
            "mm",
            {
                2: '  mm = match "linalg.matmul" in root',
                5: "    fused { x = generalize mm; yield x }",
                6: "    apart { yield mm }",
            },
        ),
        (
            "include how",
            "include ho|w",
            "clean_up",
            {11: "  include clean_up(root)", 13: "sequence clean_up(h) { cse h }"},
        ),
    ],
)
def test_a_name_of_another_space_keeps_its_name(
    old: str, marked: str, new: str, changes: dict[int, str]
) -> None:
    before = LABELS.split("\n")
    after = renamed(LABELS.replace(old, marked, 1), new).split("\n")
    different = {
        number: line
        for number, line in enumerate(after, 1)
        if line != before[number - 1]
    }
    assert different == changes


def test_a_name_is_renamed_once_at_each_spot() -> None:
    for path in sorted(EXAMPLES.rglob("*.tw")):
        document = Document(path.read_text(encoding="utf-8"), path)
        for binding in document.names.bindings:
            spans = uses_of(document, binding.spot)
            assert len(spans) == len(set(spans)), (path, binding.name)


def test_a_handle_of_another_definition_keeps_its_name() -> None:
    text = "sequence a(h) { cse h }\nsequence b(h) { cse |h }\n"
    assert renamed(text, "k") == "sequence a(h) { cse h }\nsequence b(k) { cse k }\n"


@pytest.mark.parametrize(
    ("new", "fact"),
    [
        ("tail", "'tail' is a name here already"),
        ("knob", "'knob' cannot be a name"),
        ("a.b", "'a.b' cannot be a name"),
        ("1x", "'1x' cannot be a name"),
    ],
)
def test_a_new_name_that_would_change_the_meaning_is_refused(
    new: str, fact: str
) -> None:
    document, spot = written(LINEAR.replace("  mm   =", "  m|m   ="))
    with pytest.raises(UserError) as refused:
        rename(document, spot, new)
    assert refused.value.fact == fact


def test_nothing_is_renamed_while_a_line_does_not_parse() -> None:
    text = LINEAR.replace("  mm   =", "  m|m   =").replace("warps = 4", "warps = [")
    document, spot = written(text)
    with pytest.raises(UserError, match="line 10 does not parse"):
        rename(document, spot, "x")


def test_a_verb_is_no_name() -> None:
    document, spot = written(LINEAR.replace("= fuse mm", "= fu|se mm"))
    assert not uses_of(document, spot)
