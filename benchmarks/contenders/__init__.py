"""What is timed: the table of work, its payloads, our schedules and their points.

Imports tilewright and `rivals/`.
"""
