"""Launchers with little Python, for callers that know their tensors.

`launch` compiles them; `source` writes them from a launch plan, with `memory` for
temporaries.
"""
