"""A tiny tokeniser, recurrent network and table of texts, all of our own few words."""

import json
from functools import cache
from typing import Any

import numpy as np
import pandas as pd

from core.base.files import FileRef, FileStore
from core.data.dataset import Dataset
from core.data.roles import Roles
from core.models.formats.lstm.network import LstmCard, LstmNetwork, write_archive
from core.models.formats.lstm.source import LstmArchive
from core.models.text import TextModel, fit_to_table
from core.text.tokeniser import Tokeniser

PEOPLE = (("she", "her", "woman"), ("he", "his", "man"))
JOBS = ("nurse", "doctor", "teacher")
WORDS = (
    "is",
    "was",
    "a",
    "an",
    "the",
    "and",
    "of",
    "in",
    "with",
    "who",
    "works",
    "worked",
    "for",
    "as",
    "years",
    "many",
    "helps",
    "patients",
    "pupils",
    "writes",
    "reads",
    "loves",
    "job",
    "hospital",
    "school",
    "city",
    "kind",
    "careful",
    "tall",
    "quick",
)
PIECES = ("##s", "##'", "##ing", "##er", "'", "s", "-", ".", ",", "ex", "wife")
SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]")
VOCABULARY = (*SPECIAL, *PEOPLE[0], *PEOPLE[1], *JOBS, *WORDS, *PIECES)
CLASSES = ("doctor", "nurse", "teacher")


def tokeniser_json(*, closing: bool = True, words: tuple[str, ...] = VOCABULARY, **changes: Any) -> bytes:
    """A WordPiece tokenizer.json like BERT's; ``changes`` replace its parts.

    Args:
        closing: Whether each text stands between [CLS] and [SEP].
        words: The vocabulary, in the order of its numbers.
        changes: Top-level entries of the file.
    """
    numbers = {word: number for number, word in enumerate(words)}
    around = [
        {"SpecialToken": {"id": "[CLS]", "type_id": 0}},
        {"Sequence": {"id": "A", "type_id": 0}},
        {"SpecialToken": {"id": "[SEP]", "type_id": 0}},
    ]
    template = {
        "type": "TemplateProcessing",
        "single": around,
        "pair": [*around, {"Sequence": {"id": "B", "type_id": 1}}],
        "special_tokens": {
            token: {"id": token, "ids": [numbers.get(token, 0)], "tokens": [token]} for token in ("[CLS]", "[SEP]")
        },
    }
    added = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
    parts = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [{"id": numbers[one], "content": one, **added} for one in SPECIAL if one in numbers],
        "normalizer": {
            "type": "BertNormalizer",
            "clean_text": True,
            "handle_chinese_chars": True,
            "strip_accents": None,
            "lowercase": True,
        },
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": template if closing else None,
        "decoder": None,
        "model": {
            "type": "WordPiece",
            "vocab": numbers,
            "unk_token": "[UNK]",
            "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 100,
        },
    }
    return json.dumps(parts | changes).encode()


def make_tokeniser(**changes: Any) -> Tokeniser:
    """The tokeniser of :func:`tokeniser_json`."""
    return Tokeniser(tokeniser_json(**changes))


@cache
def _tokeniser() -> Tokeniser:
    return make_tokeniser()


def make_network(
    *, classes: tuple[str, ...] = CLASSES, seed: int = 0, tokeniser: Tokeniser | None = None, **card: Any
) -> LstmNetwork:
    """A recurrent network that has learned nothing; ``card`` gives fields of its description (``pooling="mean"``)."""
    import torch

    reader = tokeniser or _tokeniser()
    fields = {"vocabulary": reader.size, "embedding": 6, "hidden": 5, "longest": 32, "classes": classes} | card
    return LstmNetwork.fresh(LstmCard(**fields), reader, torch.Generator().manual_seed(seed))


def make_archive(**changes: Any) -> bytes:
    """The bytes of the zip of :func:`make_network`."""
    return write_archive(make_network(**changes))


def make_texts(rows: int = 60, seed: int = 0) -> pd.DataFrame:
    """Short biographies with the columns ``text``, ``job`` and ``gender``, of unlike lengths."""
    rng = np.random.default_rng(seed)
    gender = rng.integers(2, size=rows)
    job = rng.integers(len(JOBS), size=rows)
    texts = []
    for row in range(rows):
        person, possessive, noun = PEOPLE[gender[row]]
        parts = [
            f"{person.capitalize()} is a {JOBS[job[row]]}.",
            f"{possessive.capitalize()} job is in the {('hospital', 'school')[rng.integers(2)]}.",
            f"The {noun} works with {('patients', 'pupils')[rng.integers(2)]} and {person} helps many.",
        ]
        texts.append(" ".join(parts[: rng.integers(1, 4)]))
    return pd.DataFrame({"text": texts, "job": np.array(JOBS)[job], "gender": np.array(["female", "male"])[gender]})


def make_text_roles(*, outcome: bool = True, protected: bool = True) -> Roles:
    """Roles of :func:`make_texts`."""
    return Roles(
        text="text",
        outcome="job" if outcome else "",
        favourable="doctor" if outcome else "",
        protected=("gender",) if protected else (),
    )


def make_text_dataset(rows: int = 60, seed: int = 0, *, outcome: bool = True, protected: bool = True) -> Dataset:
    """The table of :func:`make_texts` with its roles."""
    return Dataset.build(make_texts(rows, seed), make_text_roles(outcome=outcome, protected=protected))


def make_text_model(dataset: Dataset | None = None, *, network: LstmNetwork | None = None, **changes: Any) -> TextModel:
    """A model fitted to a table: that of :func:`make_text_dataset` and :func:`make_network` if none is given."""
    reader = network or make_network(**changes)
    source = LstmArchive(file=FileRef(name="tiny.zip", sha256="a" * 64, bytes=1))
    return fit_to_table(source, reader, dataset or make_text_dataset(), "tiny.zip", kind="Recurrent text classifier")


def put_archive(files: FileStore, **changes: Any) -> LstmArchive:
    """The archive of :func:`make_archive`, kept in ``files``, as settings."""
    return LstmArchive(file=files.put(make_archive(**changes), "tiny.zip"))
