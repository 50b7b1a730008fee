"""Where the repository's folders are."""

from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
ROOT = TESTS.parent
DATA = TESTS / "data"
GOLDEN = TESTS / "golden"
EXAMPLES = ROOT / "examples"
BENCHMARKS = ROOT / "benchmarks"
DOCS = ROOT / "docs"
