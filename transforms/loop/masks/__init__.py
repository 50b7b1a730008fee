"""Loops with masked tiles: `trim_loop`, `split_by_mask`.

    conditions     conditions on indices as inequalities, and their range in a tile
    elements       what an element is known to be, and the rules of scalar ops
    evaluation     a loop's body evaluated on what is known of its tensors
    unchanged      the proof that an iteration changes no carried value
    iterations     the iterations in which an inequality holds, as affine bounds
    tile_data      the range of a tensor's elements over a tile's rows
    matches        the positions along a loop whose data matches that of the rows
    search_loop    the loop that searches for them
    selects        the conditions that mask tiles, and tiles without their masks
    guards         guards against infinities that only masks make
    trim_loop      shrink a loop to the iterations that count
    split_by_mask  cut a loop where its masks begin and end to matter

Nothing here is about attention: a triangular product is trimmed by the same rules.
Imports `loop/shared/`, `cleanup/` and `core/`.
"""
