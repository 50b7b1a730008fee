"""Configurations of `transformers` made by hand: nothing is downloaded."""

from __future__ import annotations

from typing import Any

from zoo.entry import Size
from zoo.packages import library

SMALL: dict[str, Any] = {
    "vocab_size": 160,
    "hidden_size": 64,
    "intermediate_size": 96,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "head_dim": 16,
    "max_position_embeddings": 128,
    "d_model": 64,
    "d_ff": 96,
    "encoder_layers": 2,
    "decoder_layers": 2,
    "num_layers": 2,
    "num_decoder_layers": 2,
    "encoder_attention_heads": 4,
    "decoder_attention_heads": 4,
    "encoder_ffn_dim": 96,
    "decoder_ffn_dim": 96,
    "word_embed_proj_dim": 64,
    "embedding_size": 64,
    "moe_intermediate_size": 32,
    "shared_expert_intermediate_size": 32,
    "sliding_window": 16,
    "pad_token_id": 0,
    "bos_token_id": 1,
    "eos_token_id": 1,
    "decoder_start_token_id": 0,
}
REAL: dict[str, Any] = {
    "vocab_size": 32000,
    "num_hidden_layers": 2,
    "encoder_layers": 2,
    "decoder_layers": 2,
    "num_layers": 2,
    "num_decoder_layers": 2,
    "pad_token_id": 0,
}
"""The library's defaults have the widths of a published model."""


DEFAULT = object()
"""In place of a value: that of the library, whatever the size."""


def configuration(kind: str, size: Size, changes: dict[str, Any]) -> Any:
    """A model's configuration in a size; `changes` have the last word."""
    cls = type(library("transformers").AutoConfig.for_model(kind))
    default = cls()
    wanted = (SMALL if size == "small" else REAL) | changes
    return cls(
        **{
            name: value
            for name, value in wanted.items()
            if value is not DEFAULT and _takes(default, name, value)
        }
    )


def _takes(config: Any, name: str, value: Any) -> bool:
    """Whether a configuration has an entry that may be set to such a value."""
    own = getattr(type(config), name, None)
    if not hasattr(config, name) or isinstance(own, property) and own.fset is None:
        return False
    return isinstance(value, list) or not isinstance(
        getattr(config, name), list | tuple
    )
