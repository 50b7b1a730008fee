"""Grammars that colour schedules in editors and pages, written from the tables.

    python -m tilewright.editor.highlighting

writes the files again that `files.py` lists, after a change of verbs or keywords.
"""
