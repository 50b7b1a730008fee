"""The payload of the demo: attention whose scores are capped, as in Gemma 2.

`python payload.py` writes payload.mlir.
"""

from pathlib import Path

from tilewright.payloads import Payload, attention

HEADS, TOKENS, FEATURES, CAP = 32, 4096, 128, 50.0

p = Payload("softcap_attention")
q, k, v = (p.input(name, (HEADS, TOKENS, FEATURES), "bf16") for name in "qkv")
p.output(attention(q, k, v, soft_cap=CAP))

if __name__ == "__main__":
    Path(__file__).with_name("payload.mlir").write_text(p.text())
