"""Transform IR as text of the schedule language.

Reads `lowering/` and `parsing/` too: every statement is read back before it is written.
"""
