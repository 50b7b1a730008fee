"""Store operands as tiles, and lower `linalg.pack` and `linalg.unpack`.

    layouts      sizes, types and permutations of packed tensors
    packing      a structured op on packed operands, which pack and pack_greedily make
    pack, pack_greedily, pack_transpose, lower_pack, lower_unpack    the ops

Imports `pad/` and `tile/`.
"""
