"""The sample text classifiers: their tokeniser, their networks before training, and their files."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterable
from typing import Any

import torch
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors, trainers
from torch import nn

from core.models.formats.hugging_face.network import HuggingFaceNetwork, TextReading
from core.models.formats.hugging_face.weights import take_out
from core.models.formats.lstm.network import LstmCard, LstmNetwork
from core.text.tokeniser import Tokeniser

PIECES = 2_500
LONGEST = 256
"""Tokens of a text that are read."""

BERT: dict[str, Any] = {
    "hidden_size": 64,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "intermediate_size": 128,
    "max_position_embeddings": LONGEST,
    "hidden_dropout_prob": 0.1,
    "attention_probs_dropout_prob": 0.1,
}
LSTM = {"embedding": 48, "hidden": 48, "directions": 2, "pooling": "max", "longest": LONGEST}

_SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]")
_SIGNS = "“”‘’´`«»„–—…•·°©®™€£¥§¶†→¿¡½¼¾²³±×÷æœøßðþłı"
"""Signs beyond ASCII that biographies hold; accents are stripped before."""
_NO_DATE = (1980, 1, 1, 0, 0, 0)


def train_tokeniser(texts: Iterable[str]) -> bytes:
    """A lower-case WordPiece tokeniser as tokenizer.json; every ASCII sign is a piece, also within words.

    The library's trainer breaks ties as its hash tables fall, so two runs give tokenisers that differ a little.
    """
    signs = [chr(code) for code in range(ord("!"), ord("~") + 1) if not chr(code).isupper()] + list(_SIGNS)
    tokeniser = Tokenizer(models.WordPiece(unk_token=_SPECIAL[1], max_input_chars_per_word=100))
    tokeniser.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokeniser.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    trainer = trainers.WordPieceTrainer(
        vocab_size=PIECES,
        special_tokens=list(_SPECIAL),
        initial_alphabet=signs,
        limit_alphabet=2 * len(signs),
        show_progress=False,
    )
    within = [f"a{sign}" for sign in signs]
    tokeniser.train_from_iterator([*texts, *within], trainer)
    ends = [(token, _SPECIAL.index(token)) for token in ("[CLS]", "[SEP]")]
    tokeniser.post_processor = processors.TemplateProcessing(single="[CLS] $A [SEP]", special_tokens=ends)
    return tokeniser.to_str().encode()


def new_bert(tokeniser: Tokeniser, classes: tuple[str, ...], seed: int) -> tuple[HuggingFaceNetwork, nn.Module]:
    """A BERT that has learned nothing, and the module to train."""
    from transformers import BertConfig, BertForSequenceClassification

    config = BertConfig(
        vocab_size=PIECES,
        id2label=dict(enumerate(classes)),
        label2id={name: number for number, name in enumerate(classes)},
        **BERT,
    )
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        body = BertForSequenceClassification(config)
    head = take_out(body, "classifier")
    network = HuggingFaceNetwork(body, head, TextReading(tokeniser, LONGEST), classes=classes)
    return network, nn.ModuleDict({"body": body, "head": head})


def new_lstm(tokeniser: Tokeniser, classes: tuple[str, ...], seed: int) -> tuple[LstmNetwork, nn.Module]:
    """A recurrent network that has learned nothing, and the module to train."""
    card = LstmCard(vocabulary=PIECES, classes=classes, **LSTM)
    network = LstmNetwork.fresh(card, tokeniser, torch.Generator().manual_seed(seed))
    network.module.requires_grad_(True)
    return network, network.module


def write_bert(network: HuggingFaceNetwork) -> bytes:
    """A zip of a Hugging Face folder; the same network gives the same bytes."""
    from safetensors.torch import save

    weights = {name: value.clone() for name, value in network.body.state_dict().items()}
    weights |= {f"classifier.{name}": value.clone() for name, value in network.head().state_dict().items()}
    config = json.loads(network.body.config.to_json_string(use_diff=True))
    config |= {"architectures": ["BertForSequenceClassification"]}
    files = {
        "config.json": json.dumps(config, indent=1, sort_keys=True).encode(),
        "model.safetensors": save(weights, {"format": "pt"}),
        "tokenizer.json": network.tokeniser.content,
    }
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, _NO_DATE)
            entry.external_attr = 0o100644 << 16
            entry.create_system = 3
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)
    return stream.getvalue()
