"""Tiny Hugging Face folders as zips, with random weights drawn by transformers itself."""

import io
import json
import zipfile
from functools import cache
from typing import Any

_TOWN = "she he is a an the nurse surgeon lawyer doctor works in town and ##s ##ing likes"
WORDS = ["[UNK]", "[PAD]", "[CLS]", "[SEP]", *_TOWN.split(" ")]

OPTIONS: dict[str, dict[str, Any]] = {
    "bert": {},
    "distilbert": {},
    "roberta": {},
    "xlm-roberta": {},
    "camembert": {},
    "electra": {"embedding_size": 6},
    "albert": {"embedding_size": 6, "num_hidden_groups": 2, "inner_group_num": 2},
    "mpnet": {},
    "deberta-v2": {
        "relative_attention": True,
        "position_buckets": 4,
        "norm_rel_ebd": "layer_norm",
        "share_att_key": True,
        "pos_att_type": ["p2c", "c2p"],
        "position_biased_input": False,
        "pooler_hidden_size": 8,
        "type_vocab_size": 0,
    },
}
"""What each kind of network needs besides the common sizes; the DeBERTa is of the third version's kind."""

_SIZES = {
    "vocab_size": len(WORDS),
    "hidden_size": 8,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "intermediate_size": 12,
    "max_position_embeddings": 24,
}
_DISTILBERT_SIZES = {
    "vocab_size": len(WORDS),
    "dim": 8,
    "n_layers": 2,
    "n_heads": 2,
    "hidden_dim": 12,
    "max_position_embeddings": 24,
}


def tokeniser_bytes(words: tuple[str, ...] = tuple(WORDS), *, opening: bool = True) -> bytes:
    """A WordPiece tokeniser of BERT's kind; without ``opening`` it adds no special tokens."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

    vocabulary = {word: number for number, word in enumerate(words)}
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token=WORDS[0]))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    if opening:
        tokenizer.post_processor = processors.TemplateProcessing(
            single="[CLS] $A [SEP]",
            pair="[CLS] $A [SEP] $B [SEP]",
            special_tokens=[("[CLS]", vocabulary["[CLS]"]), ("[SEP]", vocabulary["[SEP]"])],
        )
    return tokenizer.to_str().encode()


@cache
def network(kind: str = "bert", outputs: int = 3, seed: int = 0, **options: Any) -> Any:
    """The library's own network with random weights of visible size, in eval mode; do not change it.

    A tuple among ``options`` stands for a list.
    """
    import torch
    from transformers import AutoConfig, AutoModelForSequenceClassification

    options = {key: list(value) if isinstance(value, tuple) else value for key, value in options.items()}
    sizes = _DISTILBERT_SIZES if kind == "distilbert" else _SIZES
    config = AutoConfig.for_model(
        kind, **{**sizes, **OPTIONS[kind], "pad_token_id": 1, "num_labels": outputs, **options}
    )
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model = AutoModelForSequenceClassification.from_config(  # type: ignore[no-untyped-call]
            config, attn_implementation="eager"
        )
        with torch.no_grad():
            for parameter in model.parameters():
                parameter.add_(0.3 * torch.randn(parameter.shape))
    return model.eval()


def weights(model: Any) -> dict[str, Any]:
    """Its tensors, to be changed freely."""
    return {key: value.clone().contiguous() for key, value in model.state_dict().items()}


def packed(tensors: dict[str, Any]) -> bytes:
    """Tensors as the bytes of a safetensors file."""
    from safetensors.torch import save

    return save(tensors, metadata={"format": "pt"})


def config_of(model: Any, **more: Any) -> dict[str, Any]:
    """What save_pretrained writes into config.json, with entries added, or removed if None."""
    found = json.loads(model.config.to_json_string())
    found["architectures"] = [type(model).__name__]
    return {key: value for key, value in {**found, **more}.items() if value is not None}


def folder(model: Any, config: dict[str, Any] | None = None, **files: bytes | None) -> dict[str, bytes]:
    """The files of a model; ``files`` adds some (``__`` stands for a full stop), or takes them out if None."""
    found = {
        "config.json": json.dumps(config if config is not None else config_of(model)).encode(),
        "model.safetensors": packed(weights(model)),
        "tokenizer.json": tokeniser_bytes(),
        "tokenizer_config.json": b'{"tokenizer_class": "PreTrainedTokenizerFast", "model_max_length": 1000000}',
    }
    for name, content in files.items():
        found[name.replace("__", ".")] = content  # type: ignore[assignment]
    return {name: content for name, content in found.items() if content is not None}


def zipped(files: dict[str, bytes], inside: str = "my-model/") -> bytes:
    """The files in one folder of a zip."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(inside + name, content)
    return stream.getvalue()
