"""The live page: a local server that runs what is edited in worker processes.

- `security`: who may ask, how much, and the headers of every answer.
- `texts`, `diagnostics`, `jobs`: what a worker does with a payload and a schedule.
- `lane`: one worker; a newer request takes the place of an older one.
- `commands`: `tilewright run` and `tilewright tune` as child processes.
- `results_feed`, `watch`: the tuning page of a run that goes on (`tune --watch`).
- `completion`, `language`, `examples`: what the editors offer.
- `app`, `serving`: the endpoints, and the server around them.

Starlette and uvicorn are imported by `app`, `serving` and `watch` alone.
"""
