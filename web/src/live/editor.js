// An editor of one text: CodeMirror with colours, completion, diagnostics and a marked line.

import { autocompletion, closeBrackets, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import {
  bracketMatching,
  HighlightStyle,
  indentUnit,
  LanguageSupport,
  syntaxHighlighting,
} from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState, StateEffect, StateField } from "@codemirror/state";
import {
  Decoration,
  drawSelection,
  EditorView,
  highlightActiveLine,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { h } from "../common/dom.js";

const COLOURS = HighlightStyle.define([
  { tag: tags.keyword, color: "var(--syntax-keyword)" },
  { tag: tags.function(tags.name), color: "var(--syntax-type)", fontWeight: "600" },
  { tag: tags.variableName, color: "var(--syntax-value)" },
  { tag: tags.labelName, color: "var(--syntax-keyword)" },
  { tag: tags.typeName, color: "var(--syntax-type)" },
  { tag: tags.number, color: "var(--syntax-number)" },
  { tag: tags.string, color: "var(--syntax-string)" },
  { tag: tags.comment, color: "var(--syntax-comment)", fontStyle: "italic" },
]);

const LOOK = EditorView.theme({
  "&": { color: "var(--text)", backgroundColor: "var(--raised)", height: "100%" },
  "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "-2px" },
  ".cm-scroller": { fontFamily: "var(--mono)", fontSize: "12.5px", lineHeight: "1.5" },
  ".cm-content": { caretColor: "var(--text)" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  ".cm-gutters": {
    backgroundColor: "var(--panel)",
    color: "var(--text-soft)",
    border: "none",
    borderRight: "1px solid var(--line)",
  },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "transparent" },
  "&.cm-focused .cm-activeLine": {
    backgroundColor: "color-mix(in srgb, var(--accent) 6%, transparent)",
  },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground":
    { backgroundColor: "color-mix(in srgb, var(--accent) 25%, transparent)" },
  ".cm-marked-line": {
    backgroundColor: "var(--marked)",
    boxShadow: "inset 3px 0 var(--marked-line)",
  },
  ".cm-marked-name": {
    backgroundColor: "var(--marked)",
    borderRadius: "3px",
    outline: "1px solid var(--marked-line)",
  },
  ".cm-tooltip, .cm-panels": {
    color: "var(--text)",
    backgroundColor: "var(--raised)",
    border: "1px solid var(--line)",
    borderRadius: "var(--radius)",
  },
  ".cm-tooltip-autocomplete > ul": { fontFamily: "var(--mono)", maxHeight: "16em" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": {
    color: "var(--on-accent)",
    backgroundColor: "var(--accent)",
  },
  ".cm-completionDetail": { color: "var(--text-soft)", fontStyle: "normal", fontSize: "11px" },
  "li[aria-selected] .cm-completionDetail": { color: "inherit" },
  ".cm-completionInfo": { fontFamily: "var(--sans)" },
  ".cm-diagnostic": { fontFamily: "var(--sans)", maxWidth: "min(560px, 88vw)" },
  ".cm-diagnostic-error": { borderLeft: "4px solid var(--bad)" },
  ".cm-diagnostic-warning": { borderLeft: "4px solid var(--warn)" },
  ".cm-diagnostic-info": { borderLeft: "4px solid var(--accent)" },
  ".cm-matchingBracket": { backgroundColor: "var(--accent-soft)", outline: "none" },
  ".cm-textfield, .cm-button": { color: "var(--text)", background: "var(--raised)" },
});

const mark = StateEffect.define();
const markedLine = StateField.define({
  create: () => Decoration.none,
  update(lines, transaction) {
    let found = lines.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (effect.is(mark)) found = decorated(transaction.state, effect.value);
    }
    return found;
  },
  provide: (field) => EditorView.decorations.from(field),
});

const MARK = Decoration.line({ class: "cm-marked-line" });

const markNames = StateEffect.define();
const markedNames = StateField.define({
  create: () => Decoration.none,
  update(names, transaction) {
    let found = transaction.docChanged ? Decoration.none : names;
    for (const effect of transaction.effects) {
      if (effect.is(markNames)) found = occurrences(transaction.state, effect.value);
    }
    return found;
  },
  provide: (field) => EditorView.decorations.from(field),
});

const NAME = Decoration.mark({ class: "cm-marked-name" });

function occurrences(state, names) {
  if (names.length === 0) return Decoration.none;
  const escaped = names.map((name) => name.replace(/[^\w]/g, "\\$&"));
  const pattern = new RegExp(`\\b(?:${escaped.join("|")})\\b`, "g");
  const found = [...state.doc.toString().matchAll(pattern)];
  return Decoration.set(found.map((one) => NAME.range(one.index, one.index + one[0].length)));
}

function decorated(state, number) {
  if (!number || number > state.doc.lines) return Decoration.none;
  return Decoration.set([MARK.range(state.doc.line(number).from)]);
}

/**
 * @param {{label: string, text: string, language: unknown, complete: Function, onChange: () => void,
 *   onRun: () => void, onLine?: (line: number) => void,
 *   onWord?: (word: string | null, line?: number) => void}} options
 */
export function createEditor(options) {
  const { label, text, language, complete, onChange, onRun, onLine, onWord } = options;
  const element = h("div", { class: "editor" });
  const colouring = new Compartment();
  const view = new EditorView({
    parent: element,
    state: EditorState.create({
      doc: text,
      extensions: [
        EditorView.cspNonce.of(document.documentElement.dataset.nonce ?? ""),
        EditorView.contentAttributes.of({
          "aria-label": label,
          spellcheck: "false",
          tabindex: "0",
        }),
        colouring.of(new LanguageSupport(language)),
        syntaxHighlighting(COLOURS),
        LOOK,
        lineNumbers(),
        lintGutter(),
        history(),
        drawSelection(),
        bracketMatching(),
        closeBrackets(),
        highlightActiveLine(),
        highlightSelectionMatches(),
        indentUnit.of("  "),
        markedLine,
        markedNames,
        autocompletion({ override: [complete], icons: false }),
        keymap.of([
          { key: "Mod-Enter", run: () => Boolean(onRun()) || true },
          ...completionKeymap,
          ...searchKeymap,
          ...lintKeymap,
          ...historyKeymap,
          ...defaultKeymap,
          indentWithTab,
        ]),
        EditorView.updateListener.of((update) => update.docChanged && onChange()),
        EditorView.domEventHandlers({
          click: () => {
            const { main } = view.state.selection;
            if (main.empty) onLine?.(view.state.doc.lineAt(main.head).number);
          },
          mousemove: (event) => hover(event),
          mouseleave: () => hover(null),
        }),
      ],
    }),
  });
  let hovered = null;
  const hover = (event) => {
    const at = event && onWord ? view.posAtCoords({ x: event.clientX, y: event.clientY }) : null;
    const word = at === null ? null : view.state.wordAt(at);
    const name = word ? view.state.sliceDoc(word.from, word.to) : null;
    const key = word ? `${name}@${word.from}` : null;
    if (key === hovered) return;
    hovered = key;
    onWord?.(name, word ? view.state.doc.lineAt(word.from).number : undefined);
  };
  return {
    element,
    view,
    text: () => view.state.doc.toString(),
    replace: (now) =>
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: now } }),
    setLanguage: (next) =>
      view.dispatch({ effects: colouring.reconfigure(new LanguageSupport(next)) }),
    markNames: (names) => view.dispatch({ effects: markNames.of(names) }),
    markLine: (number) => {
      const effects = [mark.of(number)];
      // Whoever types looks at the cursor, not at the step.
      if (number && number <= view.state.doc.lines && !view.hasFocus) {
        const { from } = view.state.doc.line(number);
        effects.push(EditorView.scrollIntoView(from, { y: "nearest", yMargin: 60 }));
      }
      view.dispatch({ effects });
    },
    diagnose: (found) => {
      const placed = found.map((one) => inEditor(view.state.doc, one));
      view.dispatch(setDiagnostics(view.state, placed));
    },
    go: (line, column) => {
      const at = offsetOf(view.state.doc, line, column);
      view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at) });
      view.focus();
    },
  };
}

/** Places count lines and columns from 1; the columns count code points, as Python does. */
function offsetOf(doc, line, column) {
  const found = doc.line(Math.min(Math.max(line, 1), doc.lines));
  const before = [...found.text].slice(0, Math.max(column - 1, 0)).join("");
  return found.from + before.length;
}

function inEditor(doc, one) {
  const from = offsetOf(doc, one.line ?? 1, one.column ?? 1);
  const line = doc.lineAt(from);
  const word = line.text.slice(from - line.from).match(/^(?:[\w.%@]+|"[^"]*"?|.)/);
  const to = word ? from + word[0].length : from;
  return {
    from: to > from ? from : Math.max(line.from, from - 1),
    to,
    severity: one.severity,
    message: one.fact,
    renderMessage: () => described(one),
  };
}

/** The fact, the remedy and the notes of a diagnostic. */
export function described(one) {
  const notes = one.notes.map((note) => {
    const where = note.line && note.file ? ` (${note.file}, line ${note.line})` : "";
    return h("div", { class: "diagnostic-note" }, `${note.fact}${where}`);
  });
  return h(
    "div",
    {},
    h("div", {}, one.fact),
    one.remedy ? h("div", { class: "diagnostic-remedy" }, one.remedy) : null,
    notes,
  );
}
