// Syntax colours for schedules, MLIR, Python and PTX: a regular expression for each language cuts a
// line into tokens. A line is cut once; steps share most of their lines.

/** @typedef {[kind: string | null, text: string]} Token */

const MLIR = new RegExp(
  [
    /(?<comment>\/\/.*)/,
    /(?<string>"(?:[^"\\]|\\.)*"?)/,
    /(?<value>%[\w$.]+(?:#\d+)?)/,
    /(?<symbol>@[\w$.]+|@(?=")|\^[\w]+|[#!][A-Za-z][\w.]*)/,
    /(?<type>(?<=\b|\dx|\?x)(?:bf16|tf32|[fui]\d+(?:E\d+M\d+\w*)?|index|tensor|memref|vector|ptr|none)\b(?!\.))/,
    /(?<number>(?:(?:\d+|\?)x)+(?=[\w?!])|-?\b0x[\da-fA-F]+\b|-?\b\d+(?:\.\d+)?(?:[eE][-+]?\d+)?\b)/,
    /(?<keyword>\b[a-z_]\w*(?:\.[a-z_]\w*)+|\b(?:ins|outs|in|to|into|step|iter_args|shared_outs|module|attributes|affine_map|strided|true|false|array|dense|unit|define|declare|br|ret|call|loc)\b)/,
  ]
    .map((part) => part.source)
    .join("|"),
  "g",
);

const PYTHON = new RegExp(
  [
    /(?<comment>#.*)/,
    /(?<string>[rbf]?(?:"""(?:[^"\\]|\\.|"(?!""))*(?:""")?|"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?))/,
    /(?<symbol>@[\w.]+)/,
    /(?<keyword>\b(?:def|return|for|in|if|elif|else|while|import|from|as|class|with|not|and|or|is|lambda|pass|None|True|False|assert|raise|yield|range|del|global|try|except|finally|break|continue)\b)/,
    /(?<type>\b(?:tl|triton|gl|gluon|torch)(?:\.\w+)+)/,
    /(?<number>\b(?:0x[\da-fA-F]+|\d+(?:\.\d*)?(?:[eE][-+]?\d+)?)\b)/,
  ]
    .map((part) => part.source)
    .join("|"),
  "g",
);

const PTX = new RegExp(
  [
    /(?<comment>\/\/.*|\/\*.*?(?:\*\/|$))/,
    /(?<string>"(?:[^"\\]|\\.)*"?)/,
    /(?<value>%[\w.]+|\bU?R\d+\b|\bU?P[T\d]\b)/,
    /(?<symbol>^\s*[$.]?\w+:|\$\w+)/,
    /(?<keyword>(?<=^\s*(?:@!?%\w+\s+)?)[a-z]\w*(?:\.\w+)*|(?<=^[\s\S]{0,60}\s)[A-Z]{3,}[A-Z0-9]*(?:\.\w+)*)/,
    /(?<type>\.[a-z]\w*)/,
    /(?<number>\b(?:0[xfdXFD][\da-fA-F]+|\d+(?:\.\d+)?)\b)/,
  ]
    .map((part) => part.source)
    .join("|"),
  "g",
);

const TW = new RegExp(
  [
    /(?<comment>\/\/.*)/,
    /(?<string>"(?:[^"\\]|\\.)*"?)/,
    /(?<value>%[\w$.]+)/,
    /(?<keyword>\b(?:schedule|sequence|choose|decide|default|else|if|in|include|knob|matching|not|and|or|propagate|require|shortest|suppress|true|false|try|yield|by|onto|into|to|at|implementing)\b)/,
    /(?<number>-?\b\d+(?:\.\d+)?(?:[eE][-+]?\d+)?\b)/,
    /(?<type>\b(?:block|thread|warp)\.[xyz]\b|\b[A-Z]\w*Op\b)/,
    /(?<name>\b[A-Za-z_][\w.]*)/,
  ]
    .map((part) => part.source)
    .join("|"),
  "g",
);

const EXPRESSIONS = { tw: TW, mlir: MLIR, python: PYTHON, ptx: PTX };

/** The most characters of a line that get colours; a longer rest is plain. */
const LONGEST = 2000;
const MOST_REMEMBERED = 20_000;

/** @type {Map<string, Map<string, Token[]>>} */
const remembered = new Map();

/**
 * A line as tokens; the kind of a token is null for plain text.
 * @param {"tw" | "mlir" | "python" | "ptx" | "text"} language
 * @param {string} line
 * @returns {Token[]}
 */
export function tokens(language, line) {
  let known = remembered.get(language);
  if (!known || known.size > MOST_REMEMBERED) {
    known = new Map();
    remembered.set(language, known);
  }
  let found = known.get(line);
  if (!found) {
    found = cut(EXPRESSIONS[language], line);
    if (language === "tw") markVerbs(found);
    known.set(line, found);
  }
  return found;
}

function cut(expression, line) {
  if (!expression) return [[null, line]];
  const found = [];
  let end = 0;
  for (const match of line.slice(0, LONGEST).matchAll(expression)) {
    if (match[0] === "") continue;
    if (match.index > end) found.push([null, line.slice(end, match.index)]);
    found.push([kindOf(match.groups), match[0]]);
    end = match.index + match[0].length;
  }
  if (end < line.length) found.push([null, line.slice(end)]);
  return found;
}

function kindOf(groups) {
  for (const kind in groups) if (groups[kind] !== undefined) return kind;
  return null;
}

// The verb of a statement is its first word, or the first word after its `=`.
function markVerbs(found) {
  for (let i = 0; i < found.length; i++) {
    if (found[i][0] !== "name") continue;
    const before = i > 0 ? found[i - 1][1].trim() : "";
    const after = i + 1 < found.length ? found[i + 1][1].trimStart() : "";
    const begins = i === 0 || (i === 1 && before === "") || /[={;]$/.test(before);
    const isOption = /=$/.test(before) && i >= 2 && !startsStatement(found, i - 2);
    if (begins && !isOption && !/^[,={]/.test(after)) found[i] = ["keyword", found[i][1]];
  }
}

// Whether the names that end at token `i` begin a statement: `a, b = ...`, not `warps = ...`.
function startsStatement(found, i) {
  for (let at = i; at >= 0; at -= 2) {
    if (found[at][0] !== "name") return false;
    if (at === 0 || (at === 1 && found[0][1].trim() === "")) return true;
    const before = found[at - 1][1].trim();
    if (/[{;]$/.test(before)) return true;
    if (before !== ",") return false;
  }
  return true;
}

/** Appends a line with its colours to an element. */
export function appendHighlighted(element, language, line) {
  for (const [kind, text] of tokens(language, line)) {
    if (kind === null || kind === "name") {
      element.append(text);
    } else {
      const span = document.createElement("span");
      span.className = `t-${kind}`;
      span.textContent = text;
      element.append(span);
    }
  }
}

/** The language of a file, by its name; a schedule without a known ending is a `.tw`. */
export function languageOf(name) {
  if (name.endsWith(".mlir")) return "mlir";
  if (name.endsWith(".py")) return "python";
  return name.endsWith(".tw") || name.startsWith("<") || name === "-" ? "tw" : "text";
}
