"""Rewrite convolutions: as products, in another layout, in fewer dimensions.

`unfolding.py` is what the ops share: which loops become one, and the image as columns.
Imports `core/` and `structured/`.
"""
