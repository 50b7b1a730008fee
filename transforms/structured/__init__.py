"""Ops on structured payload: tiling, fusing, rewriting, vectorizing."""
