"""Grammars: they are up to date, and colour a schedule by its words."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from pygments.lexers import get_lexer_by_name, get_lexer_for_filename
from pygments.token import Comment, Error, Keyword, Name, Number, String

from support.editor_texts import LINEAR
from support.paths import EXAMPLES, ROOT
from tilewright.editor.highlighting.files import EDITORS, files
from tilewright.editor.highlighting.pygments_lexer import TilewrightLexer
from tilewright.editor.highlighting.words import all_words
from tilewright.schedules.language.verbs.vocabulary import VERBS

SAMPLE = """\
// a comment
import gemm
schedule s(root) {
  fill = match contraction in root
  split = structured.split fill dimension = 0
  launch split warps = 4
  for each op in fill { cse op }
  require min(W, 2) == 1 and true
}
"""


@pytest.mark.parametrize("path", files(), ids=lambda path: path.name)
def test_the_files_are_up_to_date(path: Path) -> None:
    told = "run: python -m tilewright.editor.highlighting"
    assert path.read_text(encoding="utf-8") == files()[path], told


def kinds(text: str) -> list[tuple[str, object]]:
    """The words of a text and their tokens."""
    found = TilewrightLexer().get_tokens(text)
    return [(value, kind) for kind, value in found if value.strip()]


def test_the_pygments_lexer_tells_words_apart() -> None:
    found = kinds(SAMPLE)
    assert ("// a comment", Comment.Single) in found
    assert ("import", Keyword.Declaration) in found
    assert ("s", Name.Class) in found
    assert ("match", Name.Function) in found
    assert ("contraction", Name.Constant) in found
    assert ("structured.split", Name.Function) in found
    assert ("dimension", Name) in found
    assert ("warps", Name.Attribute) in found
    assert ("for each", Keyword) in found
    assert ("min", Name.Builtin) in found
    assert ("true", Keyword.Constant) in found
    assert ("4", Number) in found
    # A name is a name, even if a verb or a role is called so.
    assert found.count(("split", Name)) == 2
    assert found.count(("fill", Name)) == 3


def test_the_pygments_lexer_reads_every_example() -> None:
    for path in sorted(EXAMPLES.rglob("*.tw")):
        text = path.read_text(encoding="utf-8")
        tokens = list(TilewrightLexer().get_tokens(text))
        assert "".join(value for _, value in tokens) == text.strip("\n") + "\n"
        assert not [value for kind, value in tokens if kind in Error], path


@pytest.mark.parametrize("verb", [verb.name for verb in VERBS])
def test_every_verb_is_coloured(verb: str) -> None:
    assert (verb, Name.Function) in kinds(f"schedule s(root) {{\n  x = {verb} root\n}}")


def test_strings_are_strings() -> None:
    found = kinds('x = match "tile" in root\n')
    assert ('"tile"', String.Double) in found


def test_the_lexer_is_found_by_its_names() -> None:
    """The entry point of the installed package, where it is installed."""
    from importlib.metadata import entry_points

    found = [e.value for e in entry_points(group="pygments.lexers")]
    if "tilewright.editor.highlighting.pygments_lexer:TilewrightLexer" not in found:
        pytest.skip("the installed package is older than the entry point")
    assert get_lexer_by_name("tilewright").name == "Tilewright"
    assert get_lexer_for_filename("x.tw").name == "Tilewright"


def test_the_entry_point_is_declared() -> None:
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    (value,) = project["entry-points"]["pygments.lexers"].values()
    assert value == f"{TilewrightLexer.__module__}:{TilewrightLexer.__qualname__}"


def test_the_lexer_imports_no_compiler() -> None:
    script = (
        "import sys, tilewright.editor.highlighting.pygments_lexer\n"
        "print([m for m in sys.modules if m.startswith(('xdsl', 'lark', 'numpy'))])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


def test_the_textmate_grammar_is_legal_and_tells_verbs_from_names() -> None:
    path = EDITORS / "vscode" / "syntaxes" / "tilewright.tmLanguage.json"
    grammar = json.loads(path.read_text())
    patterns = {}
    for each in grammar["patterns"]:
        compiled = re.compile(each["match"], re.M)
        names = each.get("name") or each["captures"]["2"]["name"]
        patterns[names.removesuffix(".tilewright")] = compiled
    verbs = patterns["support.function.verb"]
    found = [m[2] for m in verbs.finditer(SAMPLE)]
    assert found == ["match", "launch", "cse"]
    ops = [m[2] for m in patterns["support.function.op"].finditer(SAMPLE)]
    assert ops == ["structured.split"]
    roles = patterns["support.constant.role"].findall(SAMPLE)
    assert roles == ["contraction"]


def test_groups_of_words_do_not_overlap() -> None:
    words = all_words()
    groups = [words.definitions, words.statements, words.constants, words.operators]
    flat = [word for group in groups for word in group]
    assert len(flat) == len(set(flat))
    assert words.definitions == ("decide", "import", "schedule", "sequence")


@pytest.mark.skipif(shutil.which("vim") is None, reason="needs vim")
def test_vim_colours_a_schedule(tmp_path: Path) -> None:
    file, out = tmp_path / "s.tw", tmp_path / "out"
    file.write_text(LINEAR)
    places = {"verb": (7, 16), "name": (7, 21), "comment": (1, 1), "option": (10, 15)}
    ask = "synIDattr(synID({0}, {1}, 1), 'name')"
    asked = ", ".join(ask.format(*place) for place in places.values())
    subprocess.run(
        [
            *("vim", "-es", "-u", "NONE", "-i", "NONE", "-N"),
            *("-c", f"set rtp+={EDITORS / 'vim'}"),
            *("-c", "filetype plugin on", "-c", "syntax on"),
            *("-c", f"edit {file}"),
            *("-c", f"call writefile([{asked}, &filetype], '{out}')", "-c", "qa!"),
        ],
        check=False,
        timeout=60,
    )
    verb, name, definition, option, filetype = out.read_text().split("\n")[:5]
    assert (verb, name, option) == ("twVerb", "twName", "twOption")
    assert (definition, filetype) == ("twDefinition", "tilewright")
