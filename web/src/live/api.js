// Requests to the server. Every answer is JSON; a refusal has `error` and `kind`.

/** What the server refused, or that it did not answer at all (`kind` is "gone"). */
export class Refusal extends Error {
  constructor(message, kind) {
    super(message);
    this.kind = kind;
  }
}

/** One for each page: a newer request of the page takes the place of an older one. */
const SESSION = crypto.randomUUID();

/** @param {AbortSignal} [signal] ends the request when its answer is of no more use */
export function post(path, body, signal) {
  return ask(path, {
    method: "POST",
    signal,
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ session: SESSION, ...body }),
  });
}

export function get(path) {
  return ask(path, {});
}

async function ask(path, options) {
  let response;
  let text;
  try {
    response = await fetch(path, options);
    text = await response.text();
  } catch (error) {
    if (error.name === "AbortError") throw new Refusal("not needed any more", "superseded");
    throw new Refusal("the server does not answer", "gone");
  }
  if (response.headers.get("content-type")?.startsWith("application/json")) {
    const answer = JSON.parse(text);
    if (response.ok) return answer;
    throw new Refusal(answer.error, answer.kind);
  }
  throw new Refusal(text.trim(), response.status === 403 ? "token" : "request");
}
