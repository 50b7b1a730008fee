"""A handler for each request of the protocol."""

from __future__ import annotations

from lsprotocol import types as lsp

from tilewright.editor.answers.colours import KINDS, colours_of
from tilewright.editor.answers.completion import complete
from tilewright.editor.answers.fixes import Fix
from tilewright.editor.answers.hints import hints_of
from tilewright.editor.answers.hover import explain, explain_verb
from tilewright.editor.answers.outline import Symbol, outline_of
from tilewright.editor.answers.places import definition_of, rename, uses_of
from tilewright.editor.answers.signature import signature_at
from tilewright.editor.reading.cursor import cursor_at
from tilewright.editor.reading.positions import Span, Spot
from tilewright.editor.server.checking import Stale
from tilewright.editor.server.convert import (
    SYMBOL_KINDS,
    Converter,
    completion_item,
    diagnostic,
    target_location,
)
from tilewright.editor.server.server import ScheduleServer
from tilewright.ir.errors import UserError
from tilewright.schedules.language.formatting.format import format_text

_LEGEND = lsp.SemanticTokensLegend(list(KINDS), [])


def add_features(server: ScheduleServer) -> None:
    """Register the handlers; the protocol tells the editor what there is."""
    _add_documents(server)
    _add_writing(server)
    _add_reading(server)
    _add_changes(server)


def _add_documents(server: ScheduleServer) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    async def opened(params: lsp.DidOpenTextDocumentParams) -> None:
        item = params.text_document
        server.open(item.uri, item.text, item.version)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    async def changed(params: lsp.DidChangeTextDocumentParams) -> None:
        server.change(params.text_document.uri, params.text_document.version)

    @server.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
    async def saved(params: lsp.DidSaveTextDocumentParams) -> None:
        server.check_soon(params.text_document.uri, when_saved=True, pause=0)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    async def closed(params: lsp.DidCloseTextDocumentParams) -> None:
        server.close(params.text_document.uri)

    @server.feature(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    async def watched(_: lsp.DidChangeWatchedFilesParams) -> None:
        # A payload may have changed: its schedules are checked again.
        for uri in list(server.opened):
            server.check_soon(uri, when_saved=True, pause=0)


def _add_writing(server: ScheduleServer) -> None:
    """What helps while a statement is typed."""

    @server.feature(
        lsp.TEXT_DOCUMENT_COMPLETION,
        lsp.CompletionOptions(
            trigger_characters=[" ", '"', "[", "(", ".", "=", "/"],
            resolve_provider=True,
        ),
    )
    def completion(params: lsp.CompletionParams) -> lsp.CompletionList | None:
        converter = server.converter(params.text_document.uri)
        if converter is None:
            return None
        spot = converter.spot(params.position)
        cursor = cursor_at(converter.document.text, spot)
        typed = cursor.word if cursor.string is None else cursor.string
        edit = converter.range(
            Span(Spot(spot.line, spot.column - len(typed)), Spot(*spot))
        )
        snippets = _has_snippets(server)
        return lsp.CompletionList(
            is_incomplete=False,
            items=[
                completion_item(candidate, number, edit, snippets=snippets)
                for number, candidate in enumerate(complete(converter.document, spot))
            ],
        )

    @server.feature(lsp.COMPLETION_ITEM_RESOLVE)
    def resolve(item: lsp.CompletionItem) -> lsp.CompletionItem:
        if item.kind in (
            lsp.CompletionItemKind.Function,
            lsp.CompletionItemKind.Method,
            lsp.CompletionItemKind.Keyword,
        ) and (told := explain_verb(item.label)):
            item.documentation = lsp.MarkupContent(lsp.MarkupKind.Markdown, told)
        return item

    @server.feature(
        lsp.TEXT_DOCUMENT_SIGNATURE_HELP,
        lsp.SignatureHelpOptions(
            trigger_characters=[" ", "("], retrigger_characters=[" ", ",", "[", "]"]
        ),
    )
    def signature(params: lsp.SignatureHelpParams) -> lsp.SignatureHelp | None:
        converter = server.converter(params.text_document.uri)
        if converter is None:
            return None
        found = signature_at(converter.document, converter.spot(params.position))
        if found is None:
            return None
        information = lsp.SignatureInformation(
            found.label,
            documentation=found.doc or None,
            parameters=[lsp.ParameterInformation(part) for part in found.parts],
            active_parameter=found.active,
        )
        return lsp.SignatureHelp([information], 0, found.active)


def _has_snippets(server: ScheduleServer) -> bool:
    of_texts = server.client_capabilities.text_document
    completion = None if of_texts is None else of_texts.completion
    item = None if completion is None else completion.completion_item
    return bool(item is not None and item.snippet_support)


def _add_reading(server: ScheduleServer) -> None:
    """What explains a text."""

    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    def hover(params: lsp.HoverParams) -> lsp.Hover | None:
        converter = server.converter(params.text_document.uri)
        if converter is None:
            return None
        found = explain(converter.document, converter.spot(params.position))
        if found is None:
            return None
        told = lsp.MarkupContent(lsp.MarkupKind.Markdown, found.markdown)
        return lsp.Hover(told, converter.range(found.span))

    @server.feature(lsp.TEXT_DOCUMENT_DEFINITION)
    def definition(params: lsp.DefinitionParams) -> lsp.Location | None:
        converter = server.converter(params.text_document.uri)
        if converter is None:
            return None
        found = definition_of(converter.document, converter.spot(params.position))
        return None if found is None else target_location(found, converter)

    @server.feature(lsp.TEXT_DOCUMENT_REFERENCES)
    def references(params: lsp.ReferenceParams) -> list[lsp.Location] | None:
        converter = server.converter(params.text_document.uri)
        if converter is None:
            return None
        spans = uses_of(converter.document, converter.spot(params.position))
        uri = params.text_document.uri
        return [lsp.Location(uri, converter.range(span)) for span in spans]

    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def symbols(
        params: lsp.DocumentSymbolParams,
    ) -> list[lsp.DocumentSymbol] | None:
        converter = server.converter(params.text_document.uri)
        if converter is None:
            return None
        return [_symbol(s, converter) for s in outline_of(converter.document)]

    @server.feature(lsp.TEXT_DOCUMENT_INLAY_HINT)
    def hints(params: lsp.InlayHintParams) -> list[lsp.InlayHint] | None:
        converter = server.converter(params.text_document.uri)
        if converter is None:
            return None
        first, last = params.range.start.line + 1, params.range.end.line + 1
        return [
            lsp.InlayHint(
                converter.position(hint.spot),
                hint.label,
                lsp.InlayHintKind.Type,
                tooltip=lsp.MarkupContent(lsp.MarkupKind.Markdown, hint.tooltip),
            )
            for hint in hints_of(converter.document, first, last)
        ]

    @server.feature(lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, _LEGEND)
    def tokens(params: lsp.SemanticTokensParams) -> lsp.SemanticTokens | None:
        converter = server.converter(params.text_document.uri)
        return None if converter is None else _tokens(converter)


def _symbol(symbol: Symbol, converter: Converter) -> lsp.DocumentSymbol:
    return lsp.DocumentSymbol(
        symbol.name,
        SYMBOL_KINDS[symbol.meaning],
        converter.range(symbol.whole),
        converter.range(symbol.name_span),
        detail=symbol.detail,
        children=[_symbol(child, converter) for child in symbol.children],
    )


def _tokens(converter: Converter) -> lsp.SemanticTokens:
    """Each word by its distance from the word before, as the protocol packs them."""
    data: list[int] = []
    line = column = 0
    for word in colours_of(converter.document):
        start = converter.position(word.spot)
        end = converter.position(Spot(word.spot.line, word.spot.column + word.length))
        if start.line != line:
            column = 0
        data += [
            start.line - line,
            start.character - column,
            end.character - start.character,
            KINDS.index(word.kind),
            0,
        ]
        line, column = start.line, start.character
    return lsp.SemanticTokens(data)


def _add_changes(server: ScheduleServer) -> None:
    """What changes a text."""

    @server.feature(lsp.TEXT_DOCUMENT_PREPARE_RENAME)
    def prepare(params: lsp.PrepareRenameParams) -> lsp.Range | None:
        converter = server.converter(params.text_document.uri)
        if converter is None:
            return None
        spot = converter.spot(params.position)
        if not uses_of(converter.document, spot):
            return None
        word, start = converter.document.word_at(spot)
        end = Spot(start.line, start.column + len(word))
        return converter.range(Span(start, end))

    @server.feature(lsp.TEXT_DOCUMENT_RENAME, lsp.RenameOptions(prepare_provider=True))
    def renamed(params: lsp.RenameParams) -> lsp.WorkspaceEdit | None:
        converter = server.converter(params.text_document.uri)
        if converter is None:
            return None
        spot = converter.spot(params.position)
        try:
            spans = rename(converter.document, spot, params.new_name)
        except UserError as error:
            from pygls.exceptions import JsonRpcInvalidParams

            told = f"{error.fact}; {error.remedy}"
            raise JsonRpcInvalidParams(message=told) from None
        edits = [lsp.TextEdit(converter.range(s), params.new_name) for s in spans]
        return lsp.WorkspaceEdit({params.text_document.uri: edits})

    @server.feature(lsp.TEXT_DOCUMENT_FORMATTING)
    def formatted(params: lsp.DocumentFormattingParams) -> list[lsp.TextEdit] | None:
        converter = server.converter(params.text_document.uri)
        if converter is None:
            return None
        document = converter.document
        try:
            text = format_text(document.text, str(document.path))
        except UserError:
            # The text does not parse: its diagnostics tell so.
            return None
        if text == document.text:
            return []
        end = Spot(len(document.lines), len(document.lines[-1]) + 1)
        return [lsp.TextEdit(converter.range(Span(Spot(1, 1), end)), text)]

    @server.feature(
        lsp.TEXT_DOCUMENT_CODE_ACTION,
        lsp.CodeActionOptions(
            [lsp.CodeActionKind.QuickFix, lsp.CodeActionKind.RefactorRewrite]
        ),
    )
    async def actions(params: lsp.CodeActionParams) -> list[lsp.CodeAction] | None:
        uri = params.text_document.uri
        converter, opened = server.converter(uri), server.opened.get(uri)
        if converter is None or opened is None:
            return None
        start, end = (
            converter.spot(params.range.start),
            converter.spot(params.range.end),
        )
        question = opened.question()
        try:
            found = await server.in_worker(
                lambda: server.checker.changes(question, Span(start, end))
            )
        except Stale:
            return None
        return [_action(fix, uri, converter) for fix in found]


def _action(fix: Fix, uri: str, converter: Converter) -> lsp.CodeAction:
    edits = [lsp.TextEdit(converter.range(e.span), e.text) for e in fix.edits]
    mends = None if fix.finding is None else [diagnostic(fix.finding, converter)]
    kind = lsp.CodeActionKind.QuickFix
    if fix.finding is None:
        kind = lsp.CodeActionKind.RefactorRewrite
    return lsp.CodeAction(
        fix.title, kind, diagnostics=mends, edit=lsp.WorkspaceEdit({uri: edits})
    )
