"""`tilewright lsp` over the protocol, with a client in another process."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException

from support.editor_client import Editor, in_editor
from support.editor_texts import LINEAR, PAYLOAD
from tilewright.schedules.language.formatting.format import format_text

WHOLE = lsp.Range(lsp.Position(0, 0), lsp.Position(99, 0))
NAMED = f"// payload: {PAYLOAD}\n{LINEAR}"


def errors(found: list[lsp.Diagnostic]) -> list[lsp.Diagnostic]:
    """The errors among diagnostics."""
    return [d for d in found if d.severity == lsp.DiagnosticSeverity.Error]


async def hints(editor: Editor) -> list[str]:
    """The labels of the inlay hints, as soon as there are some."""
    for _ in range(300):
        found = await editor.client.text_document_inlay_hint_async(
            lsp.InlayHintParams(editor.document, WHOLE)
        )
        if found:
            return [str(hint.label) for hint in found]
        await asyncio.sleep(0.1)
    raise AssertionError("no hints came")


def test_a_mistake_is_reported_as_it_is_typed_and_mended(tmp_path: Path) -> None:
    """The way of a newcomer: type, be told, apply the fix, be done."""

    async def session(editor: Editor) -> None:
        editor.open(LINEAR)
        assert not errors(await editor.diagnostics())
        editor.insert(editor.after("  mm, grid = fuse"), "e")
        (error,) = errors(await editor.diagnostics())
        assert error.message == "unknown verb 'fusee'; did you mean 'fuse'?"
        assert editor.text.split("\n")[error.range.start.line][
            error.range.start.character : error.range.end.character
        ] == ("fusee")
        actions = await editor.actions(error.range.start)
        editor.type(editor.apply(actions["change 'fusee' to 'fuse'"].edit))
        assert editor.text == LINEAR
        assert not errors(await editor.diagnostics())

    in_editor(tmp_path, session)


@pytest.mark.slow
def test_a_consumed_handle_is_filled_in(tmp_path: Path) -> None:
    async def session(editor: Editor) -> None:
        wrong = LINEAR.replace("mm, grid = fuse", "x, grid = fuse")
        editor.open(wrong.replace("  launch", "  vectorize mm\n  launch"))
        (error,) = errors(await editor.diagnostics())
        assert "'mm' was consumed by 'fuse'" in error.message
        related = [r.message for r in error.related_information or ()]
        assert "'mm' was consumed here by 'fuse'" in related
        actions = await editor.actions(error.range.start)
        after = editor.apply(actions["use 'x', which 'fuse' returned"].edit)
        assert "  vectorize x\n" in after

    in_editor(tmp_path, session)


@pytest.mark.slow
def test_a_document_that_was_never_saved(tmp_path: Path) -> None:
    async def session(editor: Editor) -> None:
        wrong = LINEAR.replace("mm, grid = fuse", "x, grid = fuse")
        wrong = wrong.replace("  launch", "  vectorize mm\n  launch")
        editor.open(wrong, uri="untitled:Untitled-1")
        (error,) = errors(await editor.diagnostics())
        related = list(error.related_information or [])[0]
        assert related.location.uri == "untitled:Untitled-1"

    in_editor(tmp_path, session)


@pytest.mark.slow
def test_the_payload_of_a_comment_gives_hints_and_errors(tmp_path: Path) -> None:
    async def session(editor: Editor) -> None:
        editor.open(NAMED)
        assert not errors(await editor.diagnostics())
        found = await hints(editor)
        assert ": linalg.matmul 512x512xf32" in found
        assert ": linalg.matmul 128x64xf32" in found
        assert editor.refreshed == 1
        assert "1 op in payload.mlir" in await editor.hover(editor.at("linalg.matmul"))
        wrong = NAMED.replace("  launch", "  pad mm along [9]\n  launch")
        editor.type(wrong)
        (error,) = errors(await editor.diagnostics(lambda d: bool(errors(d))))
        assert error.range.start.line == 10
        editor.type(NAMED.replace(PAYLOAD.name, "gone.mlir"))
        (error,) = errors(await editor.diagnostics(lambda d: bool(errors(d))))
        assert "there is no payload" in error.message
        assert error.range.start == lsp.Position(0, 12)

    in_editor(tmp_path, session)


@pytest.mark.slow
def test_the_payload_of_the_command_is_used(tmp_path: Path) -> None:
    async def session(editor: Editor) -> None:
        editor.open(LINEAR)
        assert ": linalg.matmul 512x512xf32" in await hints(editor)
        found = await editor.complete(editor.after('mm   = match "'))
        assert found[:3] == ["linalg.fill", "linalg.generic", "linalg.matmul"]

    in_editor(tmp_path, session, "--payload", str(PAYLOAD))


@pytest.mark.slow
def test_reading_and_changing(tmp_path: Path) -> None:
    """Completion, hover, signature, definition, rename, symbols, tokens, actions."""

    async def session(editor: Editor) -> None:
        client = editor.client
        editor.open(LINEAR)
        assert editor.capabilities is not None
        assert editor.capabilities.hover_provider

        items = await editor.items(editor.after("tail, grid = ti"))
        (tile,) = [item for item in items if item.label == "tile"]
        assert isinstance(tile.text_edit, lsp.TextEdit)
        assert tile.text_edit.new_text == "tile ${1:target} by [${2:sizes}]"
        resolved = await client.completion_item_resolve_async(tile)
        assert isinstance(resolved.documentation, lsp.MarkupContent)
        assert "Before" in resolved.documentation.value

        assert "Before:" in await editor.hover(editor.at("fuse mm"))
        signature = await client.text_document_signature_help_async(
            lsp.SignatureHelpParams(editor.document, editor.after("tile tail by ["))
        )
        assert signature is not None and signature.active_parameter == 2

        use = editor.at("fuse mm into", 5)
        definition = await client.text_document_definition_async(
            lsp.DefinitionParams(editor.document, use)
        )
        assert isinstance(definition, lsp.Location)
        assert definition.range.start == lsp.Position(1, 2)

        edit = await client.text_document_rename_async(
            lsp.RenameParams(editor.document, use, "product")
        )
        after = editor.apply(edit)
        assert "product, grid = fuse product into grid" in after and "mm" not in (
            after.replace("matmul", "")
        )
        with pytest.raises(JsonRpcException, match="'tail' is a name here already"):
            await client.text_document_rename_async(
                lsp.RenameParams(editor.document, use, "tail")
            )

        symbols = await client.text_document_document_symbol_async(
            lsp.DocumentSymbolParams(editor.document)
        )
        assert symbols is not None and symbols[0].name == "linear"
        tokens = await client.text_document_semantic_tokens_full_async(
            lsp.SemanticTokensParams(editor.document)
        )
        assert tokens is not None and len(tokens.data) % 5 == 0 and len(tokens.data)
        editor.type(LINEAR.replace("mm   = match", "mm=match"))
        edits = await client.text_document_formatting_async(
            lsp.DocumentFormattingParams(
                editor.document, lsp.FormattingOptions(2, insert_spaces=True)
            )
        )
        assert edits is not None and len(edits) == 1
        assert edits[0].new_text == format_text(editor.text)
        actions = await editor.actions(editor.at("BM = knob"))
        closed = editor.apply(actions["close the knob: BM = 128"].edit)
        assert "  BM = 128;    BN = knob" in closed

    in_editor(tmp_path, session)


@pytest.mark.slow
def test_the_server_answers_after_every_keystroke(tmp_path: Path) -> None:
    """A schedule typed character by character, with all requests on the way."""

    async def session(editor: Editor) -> None:
        editor.open("")
        for end in range(0, len(LINEAR), 7):
            editor.type(LINEAR[:end])
            here = lsp.Position(
                editor.text.count("\n"), end - (editor.text.rfind("\n") + 1)
            )
            await editor.items(here)
            await editor.hover(here)
            await editor.actions(here)
            await editor.client.text_document_signature_help_async(
                lsp.SignatureHelpParams(editor.document, here)
            )
            await editor.client.text_document_document_symbol_async(
                lsp.DocumentSymbolParams(editor.document)
            )
        editor.type("schedule \x00 {{{ ]]] `` \" 'é😀' \n\n}")
        await editor.diagnostics(lambda found: bool(found))
        editor.type(LINEAR)
        assert not errors(await editor.diagnostics(lambda found: not errors(found)))

    in_editor(tmp_path, session)


@pytest.mark.slow
def test_a_schedule_is_typed_into_an_empty_file(tmp_path: Path) -> None:
    """Each character is a change; errors never stand below the line that is typed."""
    choice = (
        "choose loads default pointers {\n    pointers { }\n    wide { cse grid }\n  }"
    )
    text = NAMED.replace("  launch", f"  {choice}\n  launch")

    async def session(editor: Editor) -> None:
        editor.open("")
        for position, character in enumerate(text):
            line = text.count("\n", 0, position)
            column = position - (text.rfind("\n", 0, position) + 1)
            editor.insert(lsp.Position(line, column), character)
            if position % 9 == 0 or character == "\n":
                for error in errors(await editor.diagnostics()):
                    assert error.message
                    assert error.range.start.line <= line + (character == "\n")
        assert editor.text == text
        assert ": linalg.matmul 128x64xf32" in await hints(editor)
        editor.save()
        assert not errors(await editor.diagnostics())

    in_editor(tmp_path, session)


@pytest.mark.slow
def test_characters_outside_of_ascii_do_not_shift_positions(tmp_path: Path) -> None:
    async def session(editor: Editor) -> None:
        # The client counts UTF-16 units: the face is two of them.
        editor.open('schedule s(root) {\n  print root "😀é" nonsense\n}\n')
        (error,) = errors(await editor.diagnostics())
        assert error.range.start == lsp.Position(1, 19)

    in_editor(tmp_path, session)
