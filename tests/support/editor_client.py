"""A client of `tilewright lsp`, which runs in a process of its own."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

from lsprotocol import types as lsp
from pygls.lsp.client import LanguageClient

WAIT = 60
"""Seconds until a test gives up; the server imports the compiler first."""


class Editor:
    """An editor with one file open."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.client = LanguageClient("test", "1")
        self.capabilities: lsp.ServerCapabilities | None = None
        self._published: asyncio.Queue[lsp.PublishDiagnosticsParams] = asyncio.Queue()
        self._version = 0
        self.refreshed = 0
        self.uri = (folder / "s.tw").as_uri()
        self.text = ""
        self.log = ""
        """What the server has written to standard error, when it has ended."""

        @self.client.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def published(params: lsp.PublishDiagnosticsParams) -> None:
            self._published.put_nowait(params)

        @self.client.feature(lsp.WORKSPACE_INLAY_HINT_REFRESH)
        def refresh(_: None) -> None:
            self.refreshed += 1

    async def start(self, *arguments: str) -> None:
        """Start the server and introduce this client."""
        command = [sys.executable, "-m", "tilewright", "lsp", *arguments]
        await self.client.start_io(*command, cwd=str(self.folder))
        self._log = asyncio.create_task(self._read_log())
        capabilities = lsp.ClientCapabilities(
            workspace=lsp.WorkspaceClientCapabilities(
                inlay_hint=lsp.InlayHintWorkspaceClientCapabilities(
                    refresh_support=True
                )
            ),
            text_document=lsp.TextDocumentClientCapabilities(
                completion=lsp.CompletionClientCapabilities(
                    completion_item=lsp.ClientCompletionItemOptions(
                        snippet_support=True
                    )
                )
            ),
        )
        found = await self.client.initialize_async(
            lsp.InitializeParams(capabilities, root_uri=self.folder.as_uri())
        )
        self.capabilities = found.capabilities
        self.client.initialized(lsp.InitializedParams())

    async def stop(self) -> None:
        """End the server as an editor does."""
        await self.client.shutdown_async(None)
        self.client.exit(None)
        self.log = await asyncio.wait_for(self._log, WAIT)
        await self.client.stop()

    async def _read_log(self) -> str:
        server = self.client._server  # pyright: ignore[reportPrivateUsage]
        assert server is not None and server.stderr is not None
        return (await server.stderr.read()).decode()

    # -- typing ------------------------------------------------------------------

    def open(self, text: str, name: str = "s.tw", uri: str | None = None) -> None:
        """Open a file with a text, or a document that is not a file."""
        self.uri = uri or (self.folder / name).as_uri()
        self.text, self._version = text, 1
        item = lsp.TextDocumentItem(self.uri, "tilewright", 1, text)
        self.client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))

    def type(self, text: str) -> None:
        """Replace the whole text."""
        self._version += 1
        self.text = text
        self.client.text_document_did_change(
            lsp.DidChangeTextDocumentParams(
                lsp.VersionedTextDocumentIdentifier(self._version, self.uri),
                [lsp.TextDocumentContentChangeWholeDocument(text)],
            )
        )

    def insert(self, at: lsp.Position, text: str) -> None:
        """Type some characters at a position; the server gets no more than these."""
        self._version += 1
        self.client.text_document_did_change(
            lsp.DidChangeTextDocumentParams(
                lsp.VersionedTextDocumentIdentifier(self._version, self.uri),
                [lsp.TextDocumentContentChangePartial(lsp.Range(at, at), text)],
            )
        )
        lines = self.text.split("\n")
        line = lines[at.line]
        lines[at.line] = line[: at.character] + text + line[at.character :]
        self.text = "\n".join(lines)

    def save(self) -> None:
        """Tell the server that the file was saved."""
        self.client.text_document_did_save(
            lsp.DidSaveTextDocumentParams(lsp.TextDocumentIdentifier(self.uri))
        )

    def apply(self, edit: lsp.WorkspaceEdit | None) -> str:
        """The text after an edit; the edits of one file do not overlap."""
        assert edit is not None and edit.changes is not None
        lines = self.text.split("\n")
        starts = [0]
        for line in lines:
            starts.append(starts[-1] + len(line) + 1)
        text = self.text
        edits = edit.changes[self.uri]
        for each in sorted(edits, key=lambda e: _key(e.range.start), reverse=True):
            first = starts[each.range.start.line] + each.range.start.character
            last = starts[each.range.end.line] + each.range.end.character
            text = text[:first] + each.new_text + text[last:]
        return text

    # -- asking ------------------------------------------------------------------

    @property
    def document(self) -> lsp.TextDocumentIdentifier:
        """The open file."""
        return lsp.TextDocumentIdentifier(self.uri)

    def at(self, marked: str, offset: int = 0) -> lsp.Position:
        """The position of the first occurrence of a piece of the text."""
        start = self.text.index(marked) + offset
        before = self.text[:start]
        return lsp.Position(before.count("\n"), start - before.rfind("\n") - 1)

    def after(self, marked: str) -> lsp.Position:
        """The position behind the first occurrence of a piece of the text."""
        return self.at(marked, len(marked))

    async def diagnostics(
        self, wanted: Callable[[list[lsp.Diagnostic]], bool] = lambda _: True
    ) -> list[lsp.Diagnostic]:
        """The next diagnostics of the present text that satisfy a condition."""
        while True:
            found = await asyncio.wait_for(self._published.get(), WAIT)
            is_present = found.uri == self.uri and found.version == self._version
            if is_present and wanted(list(found.diagnostics)):
                return list(found.diagnostics)

    @property
    def triggers(self) -> list[str]:
        """The characters after which the editor asks for a completion."""
        assert self.capabilities is not None
        options = self.capabilities.completion_provider
        return list(options.trigger_characters or ()) if options is not None else []

    async def complete(self, position: lsp.Position) -> list[str]:
        """The labels of the completion at a position, in their order."""
        return [item.label for item in await self.items(position)]

    async def items(self, position: lsp.Position) -> list[lsp.CompletionItem]:
        """The completion at a position, in its order."""
        found = await self.client.text_document_completion_async(
            lsp.CompletionParams(self.document, position)
        )
        assert isinstance(found, lsp.CompletionList)
        return sorted(found.items, key=lambda item: item.sort_text or "")

    async def hover(self, position: lsp.Position) -> str:
        """The text of the hover at a position; empty if there is none."""
        found = await self.client.text_document_hover_async(
            lsp.HoverParams(self.document, position)
        )
        if found is None:
            return ""
        assert isinstance(found.contents, lsp.MarkupContent)
        return found.contents.value

    async def actions(self, position: lsp.Position) -> dict[str, lsp.CodeAction]:
        """The code actions at a position, by title."""
        found = await self.client.text_document_code_action_async(
            lsp.CodeActionParams(
                self.document, lsp.Range(position, position), lsp.CodeActionContext([])
            )
        )
        return {a.title: a for a in found or [] if isinstance(a, lsp.CodeAction)}


def _key(position: lsp.Position) -> tuple[int, int]:
    return position.line, position.character


def in_editor(
    folder: Path, session: Callable[[Editor], Awaitable[None]], *arguments: str
) -> None:
    """Run a session of an editor against a server of its own."""

    async def run() -> None:
        editor = Editor(folder)
        await editor.start(*arguments)
        try:
            await session(editor)
        finally:
            await editor.stop()
        assert "Traceback" not in editor.log, editor.log

    asyncio.run(run())
