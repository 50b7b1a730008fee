"""Models of `transformers` that read tokens: decoders, encoders, and both in one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import torch

from zoo.configurations import DEFAULT, configuration
from zoo.entry import Entry, Made, Size
from zoo.packages import library

TOKENS = {"small": (2, 24), "real": (16, 512)}
"""Batch and length of what a model reads; the length is at most the model's own."""
PROMPT = (1, 2048)
"""The same for decoders in their real size."""


@dataclass(frozen=True)
class Text:
    """How a model is made: its name in `transformers`, and what differs from others."""

    kind: str
    head: str = "AutoModel"
    small: dict[str, Any] = field(default_factory=dict)
    real: dict[str, Any] = field(default_factory=dict)
    trains: bool = True

    def make(self, size: Size) -> Made:
        """The model with random weights, and random tokens."""
        config = configuration(self.kind, size, getattr(self, size))
        module = getattr(library("transformers"), self.head).from_config(config)
        is_decoder = self.head == "AutoModelForCausalLM"
        batch, length = PROMPT if is_decoder and size == "real" else TOKENS[size]
        text = config.get_text_config()
        if (most := _positions(text) // 8 * 8) < length:
            batch, length = batch * length // most, most
        tokens = torch.randint(2, text.vocab_size, (batch, length))
        inputs: dict[str, Any] = {"input_ids": tokens}
        if config.is_encoder_decoder:
            inputs["decoder_input_ids"] = tokens[:, : length // 2].contiguous()
        else:
            inputs["attention_mask"] = torch.ones_like(tokens)
        if is_decoder:
            inputs["use_cache"] = False
            del inputs["attention_mask"]
        return Made(module, inputs)


def _positions(config: Any) -> int:
    """How many tokens a model has positions for; many without a limit."""
    try:
        found = getattr(config, "max_position_embeddings", None) or 0
    except NotImplementedError:
        found = 0
    return found if found > 0 else 1 << 20


EXPERTS = {"num_local_experts": 4, "num_experts": 4, "num_experts_per_tok": 2}
DEEPSEEK = {
    "q_lora_rank": 16,
    "kv_lora_rank": 16,
    "qk_rope_head_dim": 8,
    "qk_nope_head_dim": 8,
    "v_head_dim": 16,
    "n_routed_experts": 4,
    "num_key_value_heads": 4,
    "head_dim": 8,
    "num_experts_per_tok": 2,
    "n_group": 2,
    "topk_group": 1,
    "first_k_dense_replace": 1,
    "moe_intermediate_size": 32,
}
MAMBA2 = {
    "expand": 2,
    "num_heads": 8,
    "head_dim": 16,
    "state_size": 8,
    "n_groups": 1,
    "chunk_size": 8,
}


def _decoders() -> Iterator[Text]:
    plain = (
        *("llama", "mistral", "qwen2", "qwen3", "gemma", "gemma2", "gemma3_text"),
        *("phi", "phi3", "gpt_neox", "gpt2", "gpt_neo", "gptj", "falcon", "olmo"),
        *("olmo2", "opt", "bloom", "mpt", "stablelm", "starcoder2", "cohere"),
        *("cohere2", "granite", "persimmon", "codegen", "biogpt", "xglm", "nemotron"),
        *("glm", "glm4", "smollm3", "ernie4_5", "helium", "exaone4", "gpt_bigcode"),
        *("diffllama", "ctrl", "openai-gpt", "modernbert-decoder", "arcee"),
        *("seed_oss", "apertus", "minicpm3", "lfm2", "olmo3"),
    )
    special: dict[str, dict[str, Any]] = {
        "codegen": {"rotary_dim": 8},
        "gptj": {"rotary_dim": 8},
        "gpt_neo": {"attention_types": [[["global", "local"], 1]]},
        "minicpm3": DEEPSEEK,
    }
    real: dict[str, dict[str, Any]] = {
        "gpt_neo": special["gpt_neo"],
        "nemotron": {"num_key_value_heads": 8},
    }
    for kind in plain:
        small, wide = special.get(kind, {}), real.get(kind, {})
        yield Text(kind, "AutoModelForCausalLM", small, wide)
    for kind in ("mixtral", "qwen2_moe", "qwen3_moe", "olmoe", "granitemoe", "gpt_oss"):
        yield Text(kind, "AutoModelForCausalLM", EXPERTS, EXPERTS)
    for kind in ("phimoe", "jetmoe", "ernie4_5_moe", "glm4_moe"):
        yield Text(kind, "AutoModelForCausalLM", EXPERTS, EXPERTS)
    for kind in ("deepseek_v2", "deepseek_v3"):
        yield Text(
            kind,
            "AutoModelForCausalLM",
            DEEPSEEK,
            {
                "n_routed_experts": 8,
                "n_group": 2,
                "topk_group": 1,
                "num_experts_per_tok": 2,
                "first_k_dense_replace": 1,
            },
        )
    for kind in ("mamba", "falcon_mamba"):
        yield Text(kind, "AutoModelForCausalLM", {"state_size": 8, "expand": 2})
    yield Text("mamba2", "AutoModelForCausalLM", MAMBA2)
    yield Text("rwkv", "AutoModelForCausalLM", {"attention_hidden_size": 64})
    yield Text(
        "recurrent_gemma",
        "AutoModelForCausalLM",
        {"lru_width": 64, "num_hidden_layers": 3},
        {"num_hidden_layers": 3},
    )


def _encoders() -> Iterator[Text]:
    plain = (
        *("bert", "roberta", "distilbert", "albert", "electra", "deberta"),
        *("deberta-v2", "mpnet", "xlm-roberta", "camembert", "convbert", "fnet"),
        *("mobilebert", "nystromformer", "roformer", "squeezebert", "modernbert"),
        *("esm", "megatron-bert", "rembert", "xlnet", "ibert", "eurobert", "layoutlm"),
        *("nomic_bert", "roberta-prelayernorm", "longformer", "big_bird"),
    )
    special: dict[str, dict[str, Any]] = {
        "mobilebert": {"intra_bottleneck_size": 32, "true_hidden_size": 32},
        "xlnet": {"d_head": 16, "max_position_embeddings": DEFAULT},
        "longformer": {"attention_window": 8},
    }
    after_padding = {"roberta", "xlm-roberta", "camembert", "esm", "ibert", "mpnet"}
    after_padding |= {"roberta-prelayernorm"}
    for kind in plain:
        # Their positions begin behind that of the padding, so published ones have 514.
        real = {"max_position_embeddings": 514} if kind in after_padding else {}
        yield Text(kind, small=special.get(kind, {}), real=real)


def _both() -> Iterator[Text]:
    for kind in ("t5", "mt5", "umt5", "switch_transformers", "longt5"):
        yield Text(kind, "AutoModel", {"d_kv": 16})
    for kind in (
        *("bart", "mbart", "pegasus", "marian", "m2m_100", "blenderbot", "led"),
        *("plbart", "mvp"),
    ):
        yield Text(kind)
    layers = {"num_hidden_layers": DEFAULT}
    own = {"num_encoder_attention_heads": 4, "num_decoder_attention_heads": 4}
    yield Text("prophetnet", small={**layers, **own}, real=layers)


def entries() -> Iterator[Entry]:
    """Every model of this file."""
    for family, texts in (
        ("decoder", _decoders()),
        ("encoder", _encoders()),
        ("encoder-decoder", _both()),
    ):
        for text in texts:
            yield Entry(
                text.kind,
                family,
                "transformers",
                text.make,
                text.trains,
                decodes=family == "decoder",
            )
