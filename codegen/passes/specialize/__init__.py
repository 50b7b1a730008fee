"""Give the warps of a kernel roles: one loads tiles, groups of others compute.

start_early products of a loop start as early as their operands allow
rows        which dimension of each tile the groups share
numbers     numbers that are computed from data, by every partition
stages      what is loaded when, and the rings that it goes through
plan        what each group computes; refusals
writer      ops for a partition: slots, phases, arithmetic on numbers
loader      the partition that copies tiles into shared memory
running     products under way, and where they are waited for
consumer    the partitions that compute
specialize  the pass
"""
