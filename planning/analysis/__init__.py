"""Facts about structured ops and their dependences, found by interface, not by name.

`analyse(payload)` gives them all. Reads only `ir/`.
"""
