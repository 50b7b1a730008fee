"""The extension for VS Code: files that its manifest names, and exact versions."""

from __future__ import annotations

import json
import re
from typing import Any

from tilewright.editor.highlighting.files import EDITORS
from tilewright.editor.highlighting.textmate import SCOPE
from tilewright.version import __version__

FOLDER = EDITORS / "vscode"
MANIFEST: dict[str, Any] = json.loads((FOLDER / "package.json").read_text())
LOCK: dict[str, Any] = json.loads((FOLDER / "package-lock.json").read_text())


def test_the_manifest_names_files_that_exist() -> None:
    contributes = MANIFEST["contributes"]
    named = [entry["configuration"] for entry in contributes["languages"]]
    named += [entry["path"] for entry in contributes["grammars"]]
    named += [entry["path"] for entry in contributes["snippets"]]
    assert len(named) == 3
    for name in named:
        assert (FOLDER / name).is_file(), name
    (grammar,) = contributes["grammars"]
    assert grammar["scopeName"] == SCOPE


def test_versions_are_pinned() -> None:
    assert MANIFEST["version"] == __version__
    for group in ("dependencies", "devDependencies"):
        for name, version in MANIFEST[group].items():
            assert re.fullmatch(r"\d+\.\d+\.\d+", version), name
            assert LOCK["packages"][f"node_modules/{name}"]["version"] == version


def test_the_settings_of_the_extension_are_read() -> None:
    source = (FOLDER / "src" / "extension.ts").read_text()
    readme = (FOLDER / "README.md").read_text()
    for setting in MANIFEST["contributes"]["configuration"]["properties"]:
        assert f'"{setting.removeprefix("tilewright.")}"' in source
        assert f"`{setting}`" in readme
    for entry in MANIFEST["contributes"]["commands"]:
        assert f'"{entry["command"]}"' in source


def test_the_language_configuration_is_json() -> None:
    found = json.loads((FOLDER / "language-configuration.json").read_text())
    assert found["comments"]["lineComment"] == "//"
    assert re.fullmatch(found["wordPattern"], "structured.split")
