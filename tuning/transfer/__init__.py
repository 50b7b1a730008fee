"""Transfer: results of one shape or device that serve another.

    family            payloads that differ only in their sizes

Reads `space/` and `results/`.
"""
