"""The main program of `tune --watch`: serves the tuning page of a growing results file.

    python -m tilewright.explorer.server.watch RESULTS.db

A process of its own, so that it takes no time from the one that tunes. It prints the
address of the page. When its standard input ends, the run has ended: it answers until
the page has the last trials, a few seconds at most, and ends too.
"""

from __future__ import annotations

import sys
import threading
import time
from contextlib import closing
from pathlib import Path

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tilewright.explorer.server.app import answered, detail_answer, html_page, result_of
from tilewright.explorer.server.lane import Lane
from tilewright.explorer.server.results_feed import ResultsFeed
from tilewright.explorer.server.security import Access
from tilewright.explorer.server.serving import bound_socket, served
from tilewright.tuning.workers.worker_main import lower_priority

_HOST = "127.0.0.1"
_LAST_SECONDS = 10.0
"""How long the last trials wait for a page; pages ask every two seconds."""


class Watch:
    """The endpoints of the page."""

    def __init__(self, path: Path, lane: Lane) -> None:
        self._has_ended = threading.Event()
        self._has_pages = False
        self.gave_last = threading.Event()
        """Set when a page has the data of the whole run."""
        self._feed = ResultsFeed(path, lane, lambda: not self._has_ended.is_set())

    def application(self) -> Starlette:
        """The application; `security.Guard` goes around it."""
        routes = [
            Route("/", answered(self.page)),
            Route("/api/results", answered(self.results)),
            Route("/api/trial", answered(self.detail)),
        ]
        return Starlette(routes=routes)

    async def page(self, _: Request) -> Response:
        """The tuning page."""
        self._has_pages = True
        data = await result_of(self._feed.results())
        return html_page("tuning", {**data, "poll": "/api/results"})

    async def results(self, _: Request) -> Response:
        """The trials so far."""
        is_last = self._has_ended.is_set()
        data = await result_of(self._feed.results())
        if is_last:
            self.gave_last.set()
        return JSONResponse(data)

    async def detail(self, request: Request) -> Response:
        """The schedule, the steps and the source of a trial."""
        return await detail_answer(self._feed, request)

    def end(self) -> None:
        """The run has ended: wait until an open page knows."""
        self._has_ended.set()
        if self._has_pages and self.gave_last.wait(_LAST_SECONDS):
            time.sleep(0.5)  # the answer is still on its way


def main() -> None:
    """Serve until standard input ends."""
    lower_priority()
    listening = bound_socket(_HOST, 0)
    access = Access(listening.getsockname()[1])
    with closing(Lane("tilewright.explorer.server.results_feed")) as lane:
        watch = Watch(Path(sys.argv[1]), lane)
        with served(watch.application(), access, listening):
            print(access.url(_HOST), flush=True)
            sys.stdin.read()
            watch.end()


if __name__ == "__main__":
    main()
