"""Audio, detection, images with text, time series; graphs and recommenders by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import nn

from zoo.configurations import configuration
from zoo.entry import Entry, Made, Size
from zoo.packages import library

Inputs = Callable[[Any, Size], dict[str, Any]]
Maker = Callable[[Size], Made]


@dataclass(frozen=True)
class Other:
    """A model of `transformers` with inputs of its own."""

    kind: str
    family: str
    inputs: Inputs
    small: dict[str, Any] = field(default_factory=dict)
    real: dict[str, Any] = field(default_factory=dict)
    head: str = "AutoModel"

    def make(self, size: Size) -> Made:
        """The model with random weights, and random inputs."""
        config = configuration(self.kind, size, getattr(self, size))
        module = getattr(library("transformers"), self.head).from_config(config)
        return Made(module, self.inputs(config, size))


def _wave(config: Any, size: Size) -> dict[str, Any]:
    """One second of sound at 16 kHz, or ten."""
    return {"input_values": torch.randn(1, 16_000 if size == "small" else 160_000)}


def _spectrum(config: Any, size: Size) -> dict[str, Any]:
    """What Whisper hears: bands of frequencies over time."""
    steps = 2 * config.max_source_positions
    tokens = torch.randint(2, config.vocab_size, (1, 8 if size == "small" else 128))
    return {
        "input_features": torch.randn(1, config.num_mel_bins, steps),
        "decoder_input_ids": tokens,
    }


def _series(config: Any, size: Size) -> dict[str, Any]:
    channels = config.num_input_channels
    return {"past_values": torch.randn(4, config.context_length, channels)}


def _pair(config: Any, size: Size) -> dict[str, Any]:
    """An image and its text."""
    vision, text = config.vision_config, config.text_config
    pixels = vision.image_size
    return {
        "pixel_values": torch.randn(2, 3, pixels, pixels),
        "input_ids": torch.randint(2, text.vocab_size, (2, 16)),
    }


def _photo(pixels: int, real: int) -> Inputs:
    def inputs(config: Any, size: Size) -> dict[str, Any]:
        side = pixels if size == "small" else real
        return {"pixel_values": torch.randn(1, 3, side, side)}

    return inputs


SPEECH = {
    "conv_dim": [16, 16, 16, 16, 16, 16, 16],
    "num_conv_pos_embeddings": 16,
    "num_conv_pos_embedding_groups": 4,
}
TOWER = {
    "hidden_size": 32,
    "intermediate_size": 48,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
}
TOWERS = {
    "vision_config": {**TOWER, "image_size": 32, "patch_size": 8},
    "text_config": {**TOWER, "vocab_size": 100, "max_position_embeddings": 64},
    "projection_dim": 32,
}
TRANSFORMERS = (
    *(Other(kind, "audio", _wave, SPEECH) for kind in ("wav2vec2", "hubert")),
    *(Other(kind, "audio", _wave, SPEECH) for kind in ("wavlm", "unispeech")),
    Other("data2vec-audio", "audio", _wave, {**SPEECH, "num_conv_pos_embeddings": 2}),
    Other(
        "audio-spectrogram-transformer",
        "audio",
        lambda config, size: {
            "input_values": torch.randn(1, config.max_length, config.num_mel_bins)
        },
        {"max_length": 64, "num_mel_bins": 32},
    ),
    Other(
        "whisper",
        "audio",
        _spectrum,
        {"max_source_positions": 32, "max_target_positions": 32, "num_mel_bins": 16},
    ),
    Other(
        "patchtst",
        "time series",
        _series,
        {"context_length": 32, "patch_length": 4, "patch_stride": 4},
    ),
    Other(
        "patchtsmixer",
        "time series",
        _series,
        {"context_length": 32, "patch_length": 4, "patch_stride": 4},
    ),
    Other("clip", "image and text", _pair, TOWERS),
    Other("siglip", "image and text", _pair, TOWERS),
    Other(
        "yolos",
        "detection",
        _photo(64, 512),
        {"image_size": [64, 64], "patch_size": 8, "num_detection_tokens": 4},
    ),
    Other(
        "sam_vision_model",
        "segmentation",
        _photo(64, 1024),
        {
            "image_size": 64,
            "patch_size": 8,
            "output_channels": 16,
            "window_size": 4,
            "global_attn_indexes": [1],
            "mlp_dim": 96,
        },
    ),
    Other(
        "depth_anything",
        "depth",
        _photo(56, 518),
        {},
        head="AutoModelForDepthEstimation",
    ),
    Other(
        "videomae",
        "video",
        lambda config, size: {
            "pixel_values": torch.randn(
                1, config.num_frames, 3, config.image_size, config.image_size
            )
        },
        {"image_size": 32, "patch_size": 8, "num_frames": 4},
    ),
    Other(
        "timesformer",
        "video",
        lambda config, size: {
            "pixel_values": torch.randn(
                1, config.num_frames, 3, config.image_size, config.image_size
            )
        },
        {"image_size": 32, "patch_size": 8, "num_frames": 4},
    ),
)


class GraphConvolution(nn.Module):
    """Two layers of a graph convolution over lists of edges, as Kipf and Welling's."""

    def __init__(self, width: int, classes: int) -> None:
        """Make the weights."""
        super().__init__()
        self.layers = nn.ModuleList(
            [nn.Linear(width, width), nn.Linear(width, classes)]
        )

    def forward(self, x: torch.Tensor, edges: torch.Tensor) -> torch.Tensor:
        """Scores of each node."""
        source, target = edges
        degree = x.new_ones(x.shape[0]).index_add(
            0, target, x.new_ones(target.shape[0])
        )
        weight = (degree[source] * degree[target]).rsqrt()
        for number, layer in enumerate(self.layers):
            messages = layer(x)[source] * weight[:, None]
            x = layer(x) / degree[:, None]
            x = x.index_add(0, target, messages)
            x = x if number else x.relu()
        return x


class GraphAttention(nn.Module):
    """A layer of graph attention: a softmax over the edges into each node."""

    def __init__(self, width: int, heads: int) -> None:
        """Make the weights."""
        super().__init__()
        self.project = nn.Linear(width, width, bias=False)
        self.heads = heads
        self.from_source = nn.Parameter(torch.randn(heads, width // heads))
        self.from_target = nn.Parameter(torch.randn(heads, width // heads))

    def forward(self, x: torch.Tensor, edges: torch.Tensor) -> torch.Tensor:
        """New features of each node."""
        source, target = edges
        nodes = self.project(x).unflatten(-1, (self.heads, -1))
        score = (nodes * self.from_source).sum(-1)[source]
        score = score + (nodes * self.from_target).sum(-1)[target]
        score = nn.functional.leaky_relu(score, 0.2)
        index = target[:, None].expand_as(score)
        most = score.new_full((x.shape[0], self.heads), -1e9)
        most = most.scatter_reduce(0, index, score, "amax")
        shares = (score - most[target]).exp()
        total = torch.zeros_like(most).index_add(0, target, shares)
        shares = shares / total[target].clamp_min(1e-9)
        out = torch.zeros_like(nodes).index_add(
            0, target, shares[..., None] * nodes[source]
        )
        return out.flatten(1)


class FactorizationMachine(nn.Module):
    """DeepFM: embeddings of fields, their pairwise products, and a perceptron."""

    def __init__(self, fields: int, rows: int, width: int) -> None:
        """Make the tables and weights."""
        super().__init__()
        self.table = nn.Embedding(fields * rows, width)
        self.linear = nn.Embedding(fields * rows, 1)
        self.first: torch.Tensor
        self.register_buffer("first", torch.arange(fields) * rows)
        self.deep = nn.Sequential(
            nn.Linear(fields * width, 64), nn.ReLU(), nn.Linear(64, 1)
        )

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        """The probability of a click."""
        places = ids + self.first
        rows = self.table(places)
        pairs = 0.5 * (rows.sum(1).square() - rows.square().sum(1)).sum(
            -1, keepdim=True
        )
        return torch.sigmoid(
            self.linear(places).sum(1) + pairs + self.deep(rows.flatten(1))
        )


class CrossNetwork(nn.Module):
    """DCN v2: layers that multiply features with each other."""

    def __init__(self, width: int, layers: int) -> None:
        """Make the weights."""
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(width, width) for _ in range(layers))
        self.last = nn.Linear(width, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Scores."""
        first = x
        for layer in self.layers:
            x = first * layer(x) + x
        return self.last(x)


def _over_graph(layer: Callable[[int, int], nn.Module], count: int) -> Maker:
    """A layer of `count` classes or heads, over a random graph."""

    def make(size: Size) -> Made:
        nodes, edges, width = (
            (40, 160, 32) if size == "small" else (20_000, 200_000, 256)
        )
        inputs = {
            "x": torch.randn(nodes, width),
            "edges": torch.randint(0, nodes, (2, edges)),
        }
        return Made(layer(width, count), inputs)

    return make


def _machine(size: Size) -> Made:
    fields, rows, width, batch = (
        (5, 40, 8, 6) if size == "small" else (26, 10_000, 16, 4096)
    )
    ids = torch.randint(0, rows, (batch, fields))
    return Made(FactorizationMachine(fields, rows, width), {"ids": ids})


def _cross(size: Size) -> Made:
    width, batch = (24, 6) if size == "small" else (1024, 4096)
    return Made(CrossNetwork(width, 3), {"x": torch.randn(batch, width)})


BY_HAND: dict[str, tuple[str, Maker]] = {
    "graph convolution": ("graph", _over_graph(GraphConvolution, 8)),
    "graph attention": ("graph", _over_graph(GraphAttention, 4)),
    "DeepFM": ("recommender", _machine),
    "cross network": ("recommender", _cross),
}


def entries() -> Iterator[Entry]:
    """Every model of this file."""
    for one in TRANSFORMERS:
        yield Entry(one.kind, one.family, "transformers", one.make)
    for name, (family, make) in BY_HAND.items():
        yield Entry(name, family, "by hand", make)
