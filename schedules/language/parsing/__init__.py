"""Text of the schedule language to its tree. Reads only `syntax.py`."""
