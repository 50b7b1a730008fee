// The colours of schedules and payloads. The words of the schedule language come from the server, which
// has them from the language's own tables.

import { StreamLanguage } from "@codemirror/language";
import { tags } from "@lezer/highlight";

const TOKENS = {
  verb: tags.function(tags.name),
  op: tags.function(tags.name),
  value: tags.variableName,
  symbol: tags.labelName,
};

/** @param {{keywords: string[], verbs: {name: string}[], words: string[], functions: string[]}} words */
export function scheduleLanguage(words) {
  const keywords = new Set(words.keywords);
  const verbs = new Set([...words.verbs.map((verb) => verb.name), ...words.functions]);
  const inner = new Set(words.words);
  return StreamLanguage.define({
    name: "schedule",
    tokenTable: TOKENS,
    languageData: {
      commentTokens: { line: "//" },
      closeBrackets: { brackets: ["(", "[", "{", '"'] },
    },
    token(stream) {
      if (stream.eatSpace()) return null;
      if (stream.match("//")) return rest(stream, "comment");
      if (stream.match(/^"[^"]*"?/) || stream.match(/^`[^`]*`?/)) return "string";
      if (stream.match(/^-?[0-9]+(\.[0-9]+([eE][+-]?[0-9]+)?)?/)) return "number";
      const word = stream.match(/^[A-Za-z_][A-Za-z_0-9]*(\.[A-Za-z_][A-Za-z_0-9]*)*/);
      if (word) {
        if (keywords.has(word[0])) return "keyword";
        if (verbs.has(word[0])) return "verb";
        return inner.has(word[0]) ? "keyword" : null;
      }
      stream.next();
      return null;
    },
  });
}

const MLIR = [
  [/^"(?:[^"\\]|\\.)*"?/, "string"],
  [/^%[\w$.#-]+/, "value"],
  [/^@[\w$.-]+/, "symbol"],
  [/^\^[\w$.-]+/, "symbol"],
  [/^[!#][\w$.]+/, "typeName"],
  [/^(?:tensor|memref|vector)(?=<)/, "typeName"],
  [/^(?:[su]?i\d+|bf16|f\d+\w*|index|none)\b/, "typeName"],
  [/^(?:\?|\d+)(?=x)/, "number"],
  [/^x(?=[\d?a-z])/, null],
  [/^-?\d+(?:\.\d*)?(?:[eE][+-]?\d+)?/, "number"],
  [
    /^(?:module|func\.func|return|func\.return|ins|outs|affine_map|affine_set|attributes|loc)\b/,
    "keyword",
  ],
  [/^[a-z_][a-z_0-9]*(?:\.[a-z_][a-z_0-9.]*)+/, "op"],
  [/^[A-Za-z_]\w*/, null],
];

export const payloadLanguage = StreamLanguage.define({
  name: "mlir",
  tokenTable: TOKENS,
  languageData: {
    commentTokens: { line: "//" },
    closeBrackets: { brackets: ["(", "[", "{", "<", '"'] },
  },
  token(stream) {
    if (stream.eatSpace()) return null;
    if (stream.match("//")) return rest(stream, "comment");
    for (const [pattern, style] of MLIR) {
      if (stream.match(pattern)) return style;
    }
    stream.next();
    return null;
  },
});

function rest(stream, style) {
  stream.skipToEnd();
  return style;
}
