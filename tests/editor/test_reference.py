"""The reference of the language is that of the tables."""

from __future__ import annotations

from tilewright.editor.reference import PAGE, reference_text


def test_the_page_is_up_to_date() -> None:
    """Written by `python -m tilewright.editor.reference`."""
    assert PAGE.read_text("utf-8") == reference_text()
