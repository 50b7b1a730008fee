"""Give the warps of a kernel roles: one loads tiles, groups of others compute.

rows        which dimension of each tile the groups share
plan        what is loaded when, and what each group computes; refusals
writer      ops for a partition: slots, phases, arithmetic on numbers
loader      the partition that copies tiles into shared memory
consumer    the partitions that compute
specialize  the pass
"""
