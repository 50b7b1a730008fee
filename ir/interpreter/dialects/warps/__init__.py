"""The numpy semantics of the warps dialect: partitions as processes that interleave.

    machine    shared memory and barriers, with who knows of which access
    processes  a partition as a Python generator, and the order of their steps
    warps_table  the table of ops

What is wrong in any order of the steps is found in the order that runs: an access must
be known to be over before the next one to the same tile begins. A process knows of its
own accesses, and of those that a barrier it waited for has told it.
"""
