"""One HTML file with its data, its script and its style sheet; it needs no network.

The content security policy in the page allows the page's own script and style sheet,
by their hashes, and nothing else: no other script, no connection, no frame. Data is
JSON in a block that browsers do not run, with every character escaped that could end
the block.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
from collections.abc import Mapping
from typing import Any

from tilewright.explorer.page.assets import PageKind, assets_of
from tilewright.version import __version__

FORMAT = 1
"""The version of the data in a page."""

_ESCAPES = {
    "<": "\\u003c",
    ">": "\\u003e",
    "&": "\\u0026",
    "\u2028": "\\u2028",
    "\u2029": "\\u2029",
}


def page(kind: PageKind, data: Mapping[str, Any], *, nonce: str | None = None) -> str:
    """The page of a kind with its data, which has at least a `title`.

    With a `nonce`, it is the page of a server: it may connect to that server, and its
    editor may add style sheets that carry the nonce.
    """
    assets = assets_of(kind)
    whole = {"kind": kind, "format": FORMAT, "version": __version__, **data}
    policy = html.escape(_policy(assets.script, assets.style, nonce))
    title = html.escape(str(data["title"]))
    marked = "" if nonce is None else f' data-nonce="{html.escape(nonce)}"'
    return f"""<!doctype html>
<html lang="en" data-theme="auto"{marked}>
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="tilewright {__version__}">
<title>{title}</title>
<style>{assets.style}</style>
</head>
<body>
<div id="app"><noscript><p>This page needs JavaScript.</p></noscript></div>
<script type="application/json" id="data">{embedded(whole)}</script>
<script type="module">{assets.script}</script>
</body>
</html>
"""


def embedded(data: Mapping[str, Any]) -> str:
    """Data as JSON that no text in it can end."""
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    for character, escape in _ESCAPES.items():
        text = text.replace(character, escape)
    # Half a surrogate pair has no UTF-8; a source may hold one as an escape.
    return text.encode("utf-8", "replace").decode("utf-8")


def _policy(script: str, style: str, nonce: str | None) -> str:
    styles, connect = f"'sha256-{_hash(style)}'", "'none'"
    if nonce is not None:
        styles, connect = f"{styles} 'nonce-{nonce}'", "'self'"
    return (
        f"default-src 'none'; script-src 'sha256-{_hash(script)}'; "
        f"style-src {styles}; img-src data: blob:; connect-src {connect}; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
