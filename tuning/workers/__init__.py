"""Workers: the processes that compile and measure, and the jobs that they take.

    run_workers.py       opens the pools of a run
    pools.py             what the stages know of a pool; worker_pool.py: local processes
    fork_server.py       one process loads torch and forks the workers
    processes.py         start and end processes that do not outlive their parent
    worker_main.py       the main loop of a worker; inbox.py: its next job, read early
    jobs.py              the jobs: plain data with a `run` method
    scratch.py           the folder of a run's temporary files

Only what runs inside a worker imports torch. Reads `measure/` and `results/records.py`.
"""
