// The whole state of the page in the fragment of its address: JSON, deflated, as base64url. A fragment
// is not sent to any server.

const PREFIX = "#v1=";

/** @returns {Promise<string>} the fragment of a state */
export async function fragment(state) {
  const bytes = new TextEncoder().encode(JSON.stringify(state));
  const packed = await through(bytes, new CompressionStream("deflate-raw"));
  let text = "";
  for (let at = 0; at < packed.length; at += 0x8000) {
    text += String.fromCharCode(...packed.subarray(at, at + 0x8000));
  }
  return PREFIX + btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** The state of a fragment; null where it is none of ours. */
export async function stateOf(text) {
  if (!text.startsWith(PREFIX)) return null;
  try {
    const binary = atob(text.slice(PREFIX.length).replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    const unpacked = await through(bytes, new DecompressionStream("deflate-raw"));
    const state = JSON.parse(new TextDecoder().decode(unpacked));
    return typeof state.payload === "string" && typeof state.schedule === "string" ? state : null;
  } catch {
    return null;
  }
}

async function through(bytes, stream) {
  const piped = new Blob([bytes]).stream().pipeThrough(stream);
  return new Uint8Array(await new Response(piped).arrayBuffer());
}
