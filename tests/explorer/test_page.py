"""The HTML around the data: escaped, with a policy, without the network."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from support.explorer.browser import open_page
from tilewright.explorer.page.assets import PageKind
from tilewright.explorer.page.html import embedded, page

HOSTILE = "</script><script>alert(1)</script><!--\u2028&amp;\ud800"


def test_no_text_ends_the_block_of_data() -> None:
    text = embedded({"title": HOSTILE})
    assert "<" not in text and ">" not in text and "\u2028" not in text
    assert json.loads(text)["title"].startswith("</script><script>")


def test_the_title_is_escaped() -> None:
    title = re.search(r"<title>(.*?)</title>", page("program", {"title": HOSTILE}))
    assert title is not None and "<" not in title.group(1)


def test_the_policy_allows_only_what_is_in_the_page() -> None:
    text = page("program", {"title": "t"})
    assert "default-src &#x27;none&#x27;" in text
    assert "unsafe-inline" not in text and "unsafe-eval" not in text
    assert not re.search(r"(?:src|href)=[\"']?https?:", text)


@pytest.mark.browser
@pytest.mark.parametrize(
    "kind",
    [
        "program",
        pytest.param("model", marks=pytest.mark.slow),
        pytest.param("tuning", marks=pytest.mark.slow),
    ],
)
def test_a_hostile_title_is_only_text(
    browser: Browser, tmp_path: Path, kind: PageKind
) -> None:
    path = tmp_path / "page.html"
    path.write_text(page(kind, {"title": HOSTILE}), "utf-8", "replace")
    shown = open_page(browser, path)
    assert shown.page.locator("h1").inner_text().startswith("</script><script>alert")
