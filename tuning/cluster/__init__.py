"""The cluster: a tuning run on the workers of a Dask cluster.

    connection.py       find the scheduler, or start one on this machine
    cluster.py          the machines of a run: what the tuner asks for pools
    cluster_pool.py     a pool of jobs, given to the workers one by one
    cluster_workers.py  which workers compile, which measure, and who is gone
    members.py          one worker: its threads, card and versions
    portable_jobs.py    a job with the files that it reads
    binaries.py         compiled kernels, from one machine's Triton cache to another's
    card_turns.py       on a worker: several runs take turns on its card
    job_runner.py       on a worker: a process of its own for the jobs

Dask is an optional package: only these modules import it, and nothing imports them
before a cluster is asked for. Reads `workers/`, `results/records.py` and `codegen/`.
"""
