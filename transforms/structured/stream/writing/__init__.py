"""The ops that take a chain's place.

    running             running values guarded, compared with before, applied at the end
    edits               running values in the bodies of tiles and chunks
    tiles, step         one tile of the loop
    chunks              all chunks at once
    replacing           new results in the place of the old ones

Imports `analysis/`, `algebra/` and `row_ops`.
"""
