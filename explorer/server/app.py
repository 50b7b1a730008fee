"""The endpoints of the live page."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from tilewright.explorer.page.html import page
from tilewright.explorer.server.commands import RESULTS, Busy, Command, Commands, stop
from tilewright.explorer.server.completion import complete
from tilewright.explorer.server.examples import BY_NAME, EXAMPLES
from tilewright.explorer.server.lane import (
    JobFailure,
    JobTimeout,
    Lane,
    Superseded,
    TooMany,
)
from tilewright.explorer.server.language import language
from tilewright.explorer.server.results_feed import ResultsFeed
from tilewright.explorer.server.texts import BadRequest, Texts, point_of
from tilewright.ir.errors import UserError

Handler = Callable[[Request], Awaitable[Response]]

JOBS_MODULE = "tilewright.explorer.server.jobs"
_LONGEST_SESSION = 64


@dataclass(frozen=True)
class Limits:
    """Seconds after which a request's worker is ended."""

    look: float = 20.0
    compile: float = 60.0


@dataclass(frozen=True)
class Start:
    """What the page shows first."""

    texts: Texts | None = None
    """None: an example."""
    plans: bool = False
    """Whether the page asks for a planned schedule at once."""
    target: str = "h200"
    device: str | None = None
    """The GPU of this machine, if it has one."""
    command: str = "tilewright serve"
    """The command line that starts this server again."""


@dataclass
class LiveServer:
    """The workers and child processes behind the endpoints."""

    start: Start = field(default_factory=Start)
    limits: Limits = field(default_factory=Limits)
    looking: Lane = field(default_factory=lambda: Lane(JOBS_MODULE))
    compiling: Lane = field(default_factory=lambda: Lane("compile", "compile"))
    commands: Commands = field(default_factory=Commands)
    preloads: bool = True
    """Whether opening the page loads the compiler."""

    def application(self) -> Starlette:
        """The application; `security.Guard` goes around it."""
        endpoints: list[tuple[str, str, Handler]] = [
            ("/api/check", "POST", self.check),
            ("/api/look", "POST", self.look),
            ("/api/estimate", "POST", self.estimate),
            ("/api/plan", "POST", self.plan),
            ("/api/complete", "POST", self.complete),
            ("/api/examples", "GET", self.examples),
            ("/api/examples/{name}", "GET", self.example),
            ("/api/commands", "POST", self.begin),
            ("/api/commands/{number:int}", "GET", self.progress),
            ("/api/commands/{number:int}/stop", "POST", self.stop),
            ("/api/commands/{number:int}/results", "GET", self.results),
            ("/api/commands/{number:int}/trial", "GET", self.detail),
            ("/tuning/{number:int}", "GET", self.tuning_page),
        ]
        routes = [Route("/", self.page, methods=["GET"])]
        routes += [
            Route(path, answered(handler), methods=[method])
            for path, method, handler in endpoints
        ]
        return Starlette(routes=routes)

    def close(self) -> None:
        """End every process that was started."""
        self.commands.close()
        self.looking.close()
        self.compiling.close()

    # -- pages -------------------------------------------------------------------

    async def page(self, _: Request) -> Response:
        """The page itself."""
        # It asks for a compiled program soon; loading torch takes seconds.
        if self.preloads:
            self.compiling.start()
        start = self.start
        texts = start.texts
        data = {
            "title": "tilewright",
            "start": EXAMPLES[1].as_json() if texts is None else vars(texts),
            "plans": start.plans,
            "examples": [{"name": e.name, "title": e.title} for e in EXAMPLES],
            "language": await run_in_threadpool(language),
            "target": start.target,
            "device": start.device,
            "command": start.command,
        }
        return html_page("live", data)

    # -- jobs of the workers -----------------------------------------------------

    async def check(self, request: Request) -> Response:
        """Mistakes that show without a run."""
        from tilewright.explorer.server.jobs import CheckJob

        body = _body(await request.body())
        job = CheckJob(Texts.from_json(body))
        answer = self.looking.submit(job, self.limits.look, _topic(body, "look"))
        return JSONResponse(await result_of(answer))

    async def look(self, request: Request) -> Response:
        """Every step of the schedule."""
        from tilewright.explorer.server.jobs import LookJob

        body = _body(await request.body())
        job = LookJob(Texts.from_json(body), point_of(body), self.start.target)
        answer = self.looking.submit(job, self.limits.look, _topic(body, "look"))
        return JSONResponse(await result_of(answer))

    async def estimate(self, request: Request) -> Response:
        """Time, registers and shared memory, with or without Triton's compiler."""
        from tilewright.explorer.server.jobs import EstimateJob

        body = _body(await request.body())
        compiled = body.get("compiled") is True
        job = EstimateJob(
            Texts.from_json(body), point_of(body), self.start.target, compiled
        )
        lane, limit = self.looking, self.limits.look
        if compiled:
            lane, limit = self.compiling, self.limits.compile
        answer = lane.submit(job, limit, _topic(body, "estimate"))
        return JSONResponse(await result_of(answer))

    async def plan(self, request: Request) -> Response:
        """A planned schedule."""
        from tilewright.explorer.server.jobs import PlanJob

        body = _body(await request.body())
        job = PlanJob(Texts.from_json(body), self.start.target)
        answer = self.looking.submit(job, self.limits.look, _topic(body, "plan"))
        return JSONResponse(await result_of(answer))

    # -- what the editors offer --------------------------------------------------

    async def complete(self, request: Request) -> Response:
        """Offers at the cursor."""
        body = _body(await request.body())
        offset = body.get("offset")
        if not isinstance(offset, int):
            raise BadRequest("'offset' is a number")
        texts, editor = Texts.from_json(body), str(body.get("editor"))
        offers = await run_in_threadpool(complete, texts, editor, offset)
        return JSONResponse(offers)

    async def examples(self, _: Request) -> Response:
        """The names of all examples."""
        return JSONResponse([{"name": e.name, "title": e.title} for e in EXAMPLES])

    async def example(self, request: Request) -> Response:
        """The texts of one."""
        found = BY_NAME.get(request.path_params["name"])
        if found is None:
            return failed(404, "there is no such example")
        return JSONResponse(found.as_json())

    # -- commands ----------------------------------------------------------------

    async def begin(self, request: Request) -> Response:
        """Start `run` or `tune`."""
        body = _body(await request.body())
        kind = body.get("kind")
        if kind not in ("run", "tune"):
            raise BadRequest("'kind' is 'run' or 'tune'")
        options: list[str] = []
        if kind == "tune":
            trials = body.get("trials", 50)
            if not isinstance(trials, int) or not 1 <= trials <= 10_000:
                raise BadRequest("'trials' is a number from 1 to 10000")
            options = ["--trials", str(trials)]
        if self.start.device is None:
            options += ["--target", self.start.target]
        texts, point = Texts.from_json(body), point_of(body)
        return JSONResponse(
            self.commands.start(kind, texts, point, options).as_json(), 201
        )

    def _command(self, request: Request) -> Command:
        found = self.commands.find(request.path_params["number"])
        if found is None:
            raise BadRequest("there is no such command")
        return found

    async def progress(self, request: Request) -> Response:
        """How far a command is."""
        return JSONResponse(self._command(request).as_json())

    async def stop(self, request: Request) -> Response:
        """End a command."""
        command = self._command(request)
        await run_in_threadpool(stop, command)
        return JSONResponse(command.as_json())

    def _feed(self, request: Request) -> ResultsFeed:
        command = self._command(request)
        path = command.folder / RESULTS
        return ResultsFeed(path, self.looking, lambda: command.is_running)

    async def results(self, request: Request) -> Response:
        """The trials so far of a tuning run."""
        return JSONResponse(await result_of(self._feed(request).results()))

    async def detail(self, request: Request) -> Response:
        """The schedule, the steps and the source of a trial."""
        return await detail_answer(self._feed(request), request)

    async def tuning_page(self, request: Request) -> Response:
        """The tuning page of a run that may still go on."""
        data = await result_of(self._feed(request).results())
        here = f"/api/commands/{self._command(request).number}"
        return html_page("tuning", {**data, "poll": f"{here}/results"})


async def detail_answer(feed: ResultsFeed, request: Request) -> Response:
    """The schedule, the steps and the source of a trial that a page asks for."""
    found = await result_of(feed.detail(request.query_params))
    refused = found.get("refused")
    return JSONResponse(found) if refused is None else failed(404, refused)


def html_page(kind: Any, data: Mapping[str, Any]) -> Response:
    """A page with a nonce of its own."""
    return HTMLResponse(
        page(kind, data, nonce=secrets.token_urlsafe(16)),
        headers={"content-security-policy": "frame-ancestors 'none'"},
    )


# -- requests and answers -------------------------------------------------------------


def failed(status: int, message: str, kind: str = "request") -> Response:
    """An answer that says what went wrong."""
    return JSONResponse({"error": message, "kind": kind}, status)


def answered(handler: Handler) -> Handler:
    """Turn exceptions into answers."""

    async def answer(request: Request) -> Response:
        try:
            return await handler(request)
        except BadRequest as error:
            return failed(400, error.fact)
        except UserError as error:
            return failed(422, str(error), "user")
        except Superseded:
            return failed(409, "a newer edit took its place", "superseded")
        except (TooMany, Busy) as error:
            wait = "wait for the command that runs, or stop it"
            message = wait if isinstance(error, Busy) else "too many requests wait"
            return failed(429, message, "busy")
        except JobTimeout as error:
            return failed(504, str(error), "timeout")
        except JobFailure as error:
            return failed(500, str(error), "crash")

    return answer


def _body(raw: bytes) -> Mapping[str, Any]:
    try:
        body = json.loads(raw)
    except (ValueError, RecursionError):
        raise BadRequest("the request is not JSON") from None
    if not isinstance(body, dict):
        raise BadRequest("the request is not an object")
    return body


def _topic(body: Mapping[str, Any], kind: str) -> str:
    """Requests of one page and kind take each other's place."""
    session = body.get("session")
    if not isinstance(session, str) or not 0 < len(session) <= _LONGEST_SESSION:
        return ""
    return f"{kind}/{session}"


async def result_of(answer: Future[Any]) -> Any:
    """The result of a job; a job that was given up counts as superseded."""
    with suppress(asyncio.CancelledError):
        return await asyncio.wrap_future(answer)
    raise Superseded
