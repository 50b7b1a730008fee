"""The language server: open documents, and when they are checked."""

from __future__ import annotations

import asyncio
import logging
import traceback
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

from lsprotocol import types as lsp
from pygls import uris
from pygls.exceptions import JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer

from tilewright.editor.answers.document import Document
from tilewright.editor.server.checking import Check, Checker, OpenDocument, Stale
from tilewright.editor.server.convert import Converter, diagnostic
from tilewright.version import __version__

_PAUSE = 0.15
"""Seconds without typing before a text is checked."""

Result = TypeVar("Result")

log = logging.getLogger("tilewright.lsp")


def _is_no_refusal(record: logging.LogRecord) -> bool:
    """Whether a record is of something wrong, not of a request that was refused."""
    error = record.exc_info[1] if record.exc_info else None
    return not isinstance(error, JsonRpcInvalidParams)


for _logger in (log, logging.getLogger("pygls.protocol.json_rpc")):
    _logger.addFilter(_is_no_refusal)


class ScheduleServer(LanguageServer):
    """Answers an editor about `.tw` files."""

    def __init__(self, payload: Path | None = None, pause: float = _PAUSE) -> None:
        super().__init__("tilewright", __version__)
        self.checker = Checker(payload)
        self.opened: dict[str, OpenDocument] = {}
        self._pause = pause
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="check")
        self._tasks: set[asyncio.Task[None]] = set()

    def report_server_error(self, error: Exception, source: object) -> None:
        """Write an error to standard error; telling the editor could fail again."""
        log.error("%s", error, exc_info=error)

    # -- documents ---------------------------------------------------------------

    def open(self, uri: str, text: str, version: int) -> None:
        """Take a document that the editor has opened, and check it."""
        path = Path(uris.to_fs_path(uri) or uri)
        self.opened[uri] = OpenDocument(uri, version, Document(text, path))
        self.check_soon(uri, when_saved=True, pause=0)

    def change(self, uri: str, version: int) -> None:
        """Take the new text of a document, and check it when the typing pauses."""
        text = self.workspace.get_text_document(uri).source
        opened = self.opened.get(uri)
        if opened is None:
            self.open(uri, text, version)
            return
        opened.change(text, version)
        self.check_soon(uri, when_saved=False, pause=self._pause)

    def close(self, uri: str) -> None:
        """Forget a document, and take its findings away."""
        self.opened.pop(uri, None)
        self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, []))

    def converter(self, uri: str) -> Converter | None:
        """A document that is open, with its positions; None if it is not."""
        opened = self.opened.get(uri)
        if opened is None:
            return None
        return Converter(opened.document, self.workspace.position_codec, uri)

    # -- checking ----------------------------------------------------------------

    def check_soon(self, uri: str, *, when_saved: bool, pause: float) -> None:
        """Check a document after a pause, unless it changes before."""
        opened = self.opened.get(uri)
        if opened is None:
            return
        check = opened.begin_check()
        task = asyncio.get_running_loop().create_task(
            self._check(check, when_saved, pause)
        )
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _check(self, check: Check, when_saved: bool, pause: float) -> None:
        opened, checker = check.opened, self.checker
        try:
            await asyncio.sleep(pause)
            check.need_latest()
            checked = await self.in_worker(lambda: checker.check_text(check))
            check.keep_checked(checked)
            self._publish(opened)
            holdings, findings = opened.document.holdings, opened.findings
            run = await self.in_worker(lambda: checker.hold(check, checked))
            check.keep_run(run)
            if run.holdings is not holdings:
                self._refresh_hints()
            if (payload := run.payload) is not None:
                found = await self.in_worker(
                    lambda: checker.check_payload(
                        check, checked, payload, when_saved=when_saved
                    )
                )
                check.keep_findings(found)
            if opened.findings != findings:
                self._publish(opened)
        except Stale:
            return
        except Exception:
            # A bug of the compiler must not end the server; the next check may work.
            log.error("the check of %s failed\n%s", opened.uri, traceback.format_exc())

    async def in_worker(self, work: Callable[[], Result]) -> Result:
        """The result of work in the checking thread."""
        return await asyncio.get_running_loop().run_in_executor(self._worker, work)

    def _publish(self, opened: OpenDocument) -> None:
        if self.opened.get(opened.uri) is not opened:
            return
        codec = self.workspace.position_codec
        converter = Converter(opened.document, codec, opened.uri)
        found = [diagnostic(finding, converter) for finding in opened.findings]
        self.text_document_publish_diagnostics(
            lsp.PublishDiagnosticsParams(opened.uri, found, opened.version)
        )

    def _refresh_hints(self) -> None:
        of_workspace = self.client_capabilities.workspace
        hints = None if of_workspace is None else of_workspace.inlay_hint
        if hints is not None and hints.refresh_support:
            self.workspace_inlay_hint_refresh(None)
