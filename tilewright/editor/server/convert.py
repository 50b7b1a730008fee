"""Positions, findings and candidates in the types of the protocol."""

from __future__ import annotations

from lsprotocol import types as lsp
from pygls.workspace import PositionCodec
from pygls.workspace.position_codec import ServerTextPosition

from tilewright.check_schedule.findings import Finding, Severity, shown
from tilewright.editor.answers.completion import Candidate, Sort
from tilewright.editor.answers.document import Document
from tilewright.editor.answers.elsewhere import spot_in
from tilewright.editor.answers.places import Target, path_of
from tilewright.editor.reading.names import Meaning
from tilewright.editor.reading.positions import Span, Spot
from tilewright.ir.errors import Note, Place

SOURCE = "tilewright"

_SEVERITY = {
    Severity.ERROR: lsp.DiagnosticSeverity.Error,
    Severity.WARNING: lsp.DiagnosticSeverity.Warning,
    Severity.REMARK: lsp.DiagnosticSeverity.Information,
}

CANDIDATE_KINDS = {
    Sort.VERB: lsp.CompletionItemKind.Function,
    Sort.OP: lsp.CompletionItemKind.Method,
    Sort.KEYWORD: lsp.CompletionItemKind.Keyword,
    Sort.WORD: lsp.CompletionItemKind.Keyword,
    Sort.OPTION: lsp.CompletionItemKind.Property,
    Sort.HANDLE: lsp.CompletionItemKind.Variable,
    Sort.NUMBER: lsp.CompletionItemKind.Constant,
    Sort.CHOICE: lsp.CompletionItemKind.Enum,
    Sort.SEQUENCE: lsp.CompletionItemKind.Module,
    Sort.FUNCTION: lsp.CompletionItemKind.Function,
    Sort.PAYLOAD_OP: lsp.CompletionItemKind.Class,
    Sort.VALUE: lsp.CompletionItemKind.EnumMember,
    Sort.FILE: lsp.CompletionItemKind.File,
    Sort.FOLDER: lsp.CompletionItemKind.Folder,
}

SYMBOL_KINDS = {
    Meaning.SCHEDULE: lsp.SymbolKind.Class,
    Meaning.SEQUENCE: lsp.SymbolKind.Function,
    Meaning.HANDLE: lsp.SymbolKind.Variable,
    Meaning.KNOB: lsp.SymbolKind.Constant,
    Meaning.NUMBER: lsp.SymbolKind.Number,
    Meaning.CHOICE: lsp.SymbolKind.Enum,
    Meaning.BRANCH: lsp.SymbolKind.EnumMember,
    Meaning.SIZE: lsp.SymbolKind.Constant,
}


class Converter:
    """Converts positions of one document; the client counts in units of its own."""

    def __init__(self, document: Document, codec: PositionCodec, uri: str):
        self.document = document
        self.uri = uri
        """The client's name of the document, which may not be that of a file."""
        self._codec = codec

    def spot(self, position: lsp.Position) -> Spot:
        """A position of the client, from 1."""
        lines = self.document.lines
        at = self._codec.position_from_client_units(lines, position)
        return Spot(at.line + 1, at.character + 1)

    def position(self, spot: Spot) -> lsp.Position:
        """A spot, as the client counts; a column behind the line's end is its end."""
        line = self.document.line(spot.line)
        column = min(spot.column - 1, len(line))
        at = ServerTextPosition(spot.line - 1, column)
        if spot.line > len(self.document.lines):
            return lsp.Position(spot.line - 1, 0)
        return self._codec.position_to_client_units(self.document.lines, at)

    def range(self, span: Span) -> lsp.Range:
        """A span, as the client counts."""
        return lsp.Range(self.position(span.start), self.position(span.end))

    def word_range(self, spot: Spot) -> lsp.Range:
        """The word, string or sign that begins at a spot."""
        word, start = self.document.word_at(spot)
        end = start.column + len(word)
        line = self.document.line(spot.line)
        if not word and line[spot.column - 1 : spot.column] == '"':
            end = line.find('"', spot.column) + 2
        end = max(end, spot.column + 1)
        return self.range(Span(spot, Spot(spot.line, end)))


def diagnostic(finding: Finding, converter: Converter) -> lsp.Diagnostic:
    """A finding; one of another file stands where the text includes or imports it."""
    error = finding.error
    spot = spot_in(converter.document, error)
    message = error.fact
    notes = list(error.notes)
    if error.place is not None and error.place.file != str(converter.document.path):
        message = f"{error.place}: {message}"
        notes.insert(0, Note(error.fact, error.place))
    if error.remedy:
        message += f"; {error.remedy}"
    related: list[lsp.DiagnosticRelatedInformation] = []
    for note in notes:
        if note.place is None:
            message += f"\n{note.fact}"
        elif (location := location_of(note.place, converter)) is not None:
            related.append(lsp.DiagnosticRelatedInformation(location, note.fact))
    if finding.points and not any(note.place is None for note in error.notes):
        message += f"\nat {shown(finding.points[0])}"
    return lsp.Diagnostic(
        converter.word_range(spot),
        message,
        _SEVERITY[finding.severity],
        source=SOURCE,
        related_information=related or None,
    )


def location_of(place: Place, converter: Converter) -> lsp.Location | None:
    """A place in any file that exists."""
    spot = Spot(place.line, place.column)
    if place.file == str(converter.document.path):
        return lsp.Location(converter.uri, converter.word_range(spot))
    path = path_of(place)
    if not path.is_file():
        return None
    start = lsp.Position(place.line - 1, place.column - 1)
    return lsp.Location(path.resolve().as_uri(), lsp.Range(start, start))


def target_location(target: Target, converter: Converter) -> lsp.Location:
    """A definition, in the document or in a file that it imports."""
    if target.path == converter.document.path:
        return lsp.Location(converter.uri, converter.range(target.span))
    start, end = (lsp.Position(s.line - 1, s.column - 1) for s in target.span)
    return lsp.Location(target.path.resolve().as_uri(), lsp.Range(start, end))


def completion_item(
    candidate: Candidate, number: int, edit: lsp.Range, *, snippets: bool
) -> lsp.CompletionItem:
    """A candidate that replaces the word before the cursor."""
    is_snippet = snippets and candidate.snippet is not None
    text = candidate.snippet if is_snippet and candidate.snippet else candidate.label
    return lsp.CompletionItem(
        candidate.label,
        kind=CANDIDATE_KINDS[candidate.sort],
        detail=candidate.detail or None,
        sort_text=f"{candidate.rank}{number:05}",
        filter_text=candidate.label,
        insert_text_format=(
            lsp.InsertTextFormat.Snippet
            if is_snippet
            else lsp.InsertTextFormat.PlainText
        ),
        text_edit=lsp.TextEdit(edit, text),
    )
