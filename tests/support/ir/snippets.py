"""Files of many small modules, split as MLIR's own tests are: `// -----` between them.

The first line of a snippet names it: `// matmul: transposed operands by maps`.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Snippet:
    """One module of a file, with the name its first line gives it."""

    file: str
    name: str
    text: str

    def __str__(self) -> str:
        return f"{self.file}: {self.name}"


def snippets_in(folder: Path) -> list[Snippet]:
    """All snippets of a folder's `.mlir` files, in order."""
    found: list[Snippet] = []
    for path in sorted(folder.glob("*.mlir")):
        for text in path.read_text(encoding="utf-8").split("// -----\n"):
            first, _, _ = text.strip().partition("\n")
            assert first.startswith("// "), f"{path.name}: a snippet without a name"
            name = first.removeprefix("// ").strip()
            found.append(Snippet(path.stem, name, text.strip() + "\n"))
    names = [str(snippet) for snippet in found]
    repeated = {name for name in names if names.count(name) > 1}
    assert not repeated, f"named twice: {repeated}"
    return found
