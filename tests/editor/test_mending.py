"""Changes that mend a finding or that a text offers: each of them helps."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.editor_texts import LINEAR, written
from support.paths import DATA
from tilewright.editor.answers.document import Document
from tilewright.editor.answers.findings import Checked, check_text
from tilewright.editor.answers.fixes import offers_at
from tilewright.editor.answers.mending import changes_in
from tilewright.editor.reading.payload import Payloads
from tilewright.editor.reading.positions import Span, Spot

FINDINGS = DATA / "findings"


def mended(text: str) -> dict[str, str]:
    """The titles of all changes that help, and the texts after them."""
    document = Document(text, Path("/s.tw"))
    last = Spot(len(document.lines), 1)
    found = changes_in(document, Span(Spot(1, 1), last), Checked(()))
    return {fix.title: fix.applied(document.lines) for fix in found}


def schedule(*statements: str) -> str:
    """A schedule of some statements."""
    head = ["schedule s(root) {", '  mm = match "linalg.matmul" in root']
    return "\n".join([*head, *(f"  {each}" for each in statements), "}", ""])


@pytest.mark.parametrize(
    ("wrong", "title", "right"),
    [
        (
            ["x, k = tile mm by [0, 0, 32]", "vectorize mm"],
            "use 'x', which 'tile' returned",
            ["x, k = tile mm by [0, 0, 32]", "vectorize x"],
        ),
        (
            ["tile mm by [0, 0, 32]", "vectorize mm"],
            "bind what 'tile' returns to 'mm'",
            ["mm, mm_1 = tile mm by [0, 0, 32]", "vectorize mm"],
        ),
        (
            ["root = bufferize root", 'x = match "linalg.fill" in root', "vectorize x"],
            "move 'bufferize' behind it",
            ['x = match "linalg.fill" in root', "vectorize x", "root = bufferize root"],
        ),
        (
            ["root = bufferize root", "cse root", "generalize mm"],
            "move it before 'bufferize'",
            ["generalize mm", "root = bufferize root", "cse root"],
        ),
        (["tiel mm by [8]"], "change 'tiel' to 'tile'", ["tile mm by [8]"]),
        (["vectorize mmm"], "change 'mmm' to 'mm'", ["vectorize mm"]),
        (
            ["x, g = tile mm by [8] onto [block.x]", "launch g warp = 4"],
            "change 'warp' to 'warps'",
            ["x, g = tile mm by [8] onto [block.x]", "launch g warps = 4"],
        ),
        (
            ['x = match "linalg.mamtul" in root'],
            "change 'linalg.mamtul' to 'linalg.matmul'",
            ['x = match "linalg.matmul" in root'],
        ),
    ],
)
def test_fixes(wrong: list[str], title: str, right: list[str]) -> None:
    assert mended(schedule(*wrong))[title] == schedule(*right)


def offered(marked: str) -> dict[str, str]:
    """The titles of all offers at the cursor, and the texts after them."""
    document, spot = written(marked)
    return {f.title: f.applied(document.lines) for f in offers_at(document, spot)}


def test_a_knob_is_closed_at_its_default_first() -> None:
    found = offered(LINEAR.replace("  BM = knob", "  BM = kn|ob"))
    assert list(found) == ["close the knob: BM = 128", "close the knob: BM = 64"]
    line = found["close the knob: BM = 128"].split("\n")[4]
    assert line == "  BM = 128;    BN = knob [64, 128]"


def test_a_knob_behind_another_is_closed_alone() -> None:
    found = offered(LINEAR.replace("BN = knob", "BN = kn|ob"))
    line = found["close the knob: BN = 64"].split("\n")[4]
    assert line == "  BM = knob [64, 128] default 128    BN = 64"


@pytest.mark.parametrize(
    ("knob", "first"), [("64 of [32, 64]", "64"), ("knob pow2(16, 64)", "16")]
)
def test_knobs_of_every_form_are_closed(knob: str, first: str) -> None:
    text = f"schedule s(root) {{\n  B|M = {knob}\n  C = BM * 2\n}}\n"
    document, spot = written(text)
    space = check_text(document.text, document.path).space
    fix = next(iter(offers_at(document, spot, space)))
    assert fix.applied(document.lines).split("\n")[1] == f"  BM = {first}"


@pytest.mark.parametrize(
    "wrong",
    [
        # Nothing else is near enough, and another name of the same kind does not help.
        ["choose loads { pointers { cse mm } }", "require loads == tma"],
        # The finding is about the number of names.
        ["parts = split_reduction mm by 5 at 0"],
        # Its bufferize stands in a branch.
        [
            "choose w { a { root = bufferize root } b { } }",
            "generalize mm",
        ],
    ],
)
def test_a_change_that_does_not_help_is_not_offered(wrong: list[str]) -> None:
    text = schedule(*wrong)
    assert check_text(text, Path("/s.tw")).has_errors
    assert not mended(text)


def test_the_nearest_op_alone_is_offered() -> None:
    assert list(mended(schedule('x = match "linalg.matmull" in root', "cse x"))) == [
        "change 'linalg.matmull' to 'linalg.matmul'"
    ]


def test_a_knob_of_a_table_stays_open() -> None:
    text = schedule("B = knob [16, 32]", "tile mm by [B]")
    here = Span(Spot(3, 5), Spot(3, 5))

    def titles(text: str) -> list[str]:
        found = changes_in(Document(text, Path("/s.tw")), here, Checked(()))
        return [fix.title for fix in found]

    assert titles(text) == ["close the knob: B = 16", "close the knob: B = 32"]
    assert not titles(text + "decide M = a[0] { else { B = 16 } }\n")


CASES = [
    pytest.param(case.partition("-----\n")[0], id=f"{path.stem}-{number}")
    for path in sorted(FINDINGS.glob("*.txt"))
    for number, case in enumerate(path.read_text().split("=====\n"))
]


@pytest.mark.sampled(8)
@pytest.mark.parametrize("text", CASES)
def test_every_change_leaves_fewer_errors(text: str) -> None:
    """Changes that are offered anywhere in a bad schedule, applied and checked."""
    path = FINDINGS / "s.tw"
    given = Payloads().payload_of(text, path)
    document = Document(text, path, given)
    before = check_text(text, path)
    for line in range(1, len(document.lines) + 1):
        here = Span(Spot(line, 5), Spot(line, 5))
        for fix in changes_in(document, here, before):
            after = check_text(fix.applied(document.lines), path)
            if fix.finding is None:
                assert len(after.findings) <= len(before.findings), fix.title
            else:
                assert len(after.errors) < len(before.errors), fix.title


@pytest.mark.slow
def test_many_bad_schedules_have_a_change_that_helps() -> None:
    texts = [str(case.values[0]) for case in CASES]
    assert sum(bool(mended(text)) for text in texts) > 20
