"""Sequences written in the schedule language itself; `prelude.py` reads them."""
