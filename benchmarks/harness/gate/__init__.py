"""The parts of `gate.py`: making a record, and comparing two."""
