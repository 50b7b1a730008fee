"""The explorer in Python and in notebooks: `tilewright.view`, and live widgets."""
