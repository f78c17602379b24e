"""The kinds of networks that are read, and what each option of theirs may be."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

Check = Callable[[Any], bool]


def _count(low: int, high: int) -> Check:
    return lambda value: type(value) is int and low <= value <= high


def _number(low: float, high: float) -> Check:
    return lambda value: type(value) in {int, float} and low <= value <= high


def _one_of(*values: object) -> Check:
    return lambda value: any(value == one and type(value) is type(one) for one in values)


_ACTIVATION = _one_of(
    "gelu", "gelu_new", "gelu_fast", "gelu_python", "gelu_pytorch_tanh", "quick_gelu", "relu", "relu2", "silu", "swish",
    "mish", "tanh", "sigmoid",
)  # fmt: skip
_WIDTH, _LAYERS, _HEADS = _count(1, 8_192), _count(1, 64), _count(1, 128)
_EPSILON = _number(0.0, 0.1)
_SWITCH = _one_of(True, False)
_PAD = _count(0, 1_000_000)

_COMMON: dict[str, Check] = {
    "vocab_size": _count(1, 1_000_000),
    "hidden_size": _WIDTH,
    "num_hidden_layers": _LAYERS,
    "num_attention_heads": _HEADS,
    "intermediate_size": _count(1, 32_768),
    "hidden_act": _ACTIVATION,
    "max_position_embeddings": _count(4, 16_384),
    "layer_norm_eps": _EPSILON,
    "pad_token_id": _PAD,
}
_BERT = _COMMON | {"type_vocab_size": _count(1, 16)}
_DISTILBERT: dict[str, Check] = {
    "vocab_size": _COMMON["vocab_size"],
    "dim": _WIDTH,
    "n_layers": _LAYERS,
    "n_heads": _HEADS,
    "hidden_dim": _COMMON["intermediate_size"],
    "activation": _ACTIVATION,
    "max_position_embeddings": _COMMON["max_position_embeddings"],
    "sinusoidal_pos_embds": _SWITCH,
    "pad_token_id": _PAD,
}
_DEBERTA: dict[str, Check] = _COMMON | {
    "type_vocab_size": _count(0, 16),
    "relative_attention": _SWITCH,
    "max_relative_positions": _count(-1, 4_096),
    "position_buckets": _count(-1, 4_096),
    "position_biased_input": _SWITCH,
    "share_att_key": _SWITCH,
    "norm_rel_ebd": _one_of("none", "layer_norm"),
    "pos_att_type": _one_of([], ["c2p"], ["p2c"], ["c2p", "p2c"], ["p2c", "c2p"], "c2p", "p2c", "c2p|p2c", "p2c|c2p"),
    "embedding_size": _WIDTH,
    "attention_head_size": _WIDTH,
    "pooler_hidden_size": _WIDTH,
    "pooler_hidden_act": _ACTIVATION,
    "conv_kernel_size": _one_of(0, 1, 3, 5, 7, 9),
    "conv_groups": _one_of(1),
    "conv_act": _ACTIVATION,
}


@dataclass(frozen=True)
class ModelFamily:
    """One kind of network.

    Attributes:
        architecture: The class of transformers that its classifiers are saved from.
        head: Where the last linear layer stands in it.
        options: What decides the network, and what each option may be.
    """

    architecture: str
    head: str
    options: Mapping[str, Check]


FAMILIES: dict[str, ModelFamily] = {
    "bert": ModelFamily("BertForSequenceClassification", "classifier", _BERT),
    "distilbert": ModelFamily("DistilBertForSequenceClassification", "classifier", _DISTILBERT),
    "roberta": ModelFamily("RobertaForSequenceClassification", "classifier.out_proj", _BERT),
    "xlm-roberta": ModelFamily("XLMRobertaForSequenceClassification", "classifier.out_proj", _BERT),
    "camembert": ModelFamily("CamembertForSequenceClassification", "classifier.out_proj", _BERT),
    "electra": ModelFamily(
        "ElectraForSequenceClassification", "classifier.out_proj", _BERT | {"embedding_size": _WIDTH}
    ),
    "albert": ModelFamily(
        "AlbertForSequenceClassification",
        "classifier",
        _BERT | {"embedding_size": _WIDTH, "num_hidden_groups": _LAYERS, "inner_group_num": _count(1, 4)},
    ),
    "mpnet": ModelFamily(
        "MPNetForSequenceClassification",
        "classifier.out_proj",
        _COMMON | {"relative_attention_num_buckets": _one_of(32)},
    ),
    "deberta-v2": ModelFamily("DebertaV2ForSequenceClassification", "classifier", _DEBERTA),
}
"""By ``model_type``; only what is tested against transformers' own answers."""
