"""Launchers with little Python, for callers that know their tensors.

`launch` compiles them; `source` rewrites the launcher's text, with `memory` and
`lifetimes` for its temporaries, and `views` for its views.
"""
