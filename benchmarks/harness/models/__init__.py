"""The parts of `models.py`: works, contenders, compiling ahead, the summary."""
