from pathlib import Path

import numpy as np
import pytest

from core.base.errors import ModelError
from core.base.files import FileStore
from core.models.formats.hugging_face.source import HuggingFaceFolder
from core.models.formats.lstm.source import LstmArchive
from core.sources.simulated.biographies import Biographies
from core.text.network import AbstractTextNetwork
from core.workflows.examples import SAMPLE_MODELS
from sample_models import texts
from sample_models.text_networks import PIECES, train_tokeniser
from sample_models.texts import TextCard, card_path, measure, overview, recipe_of, train_text_model

NAMES = [f"bios_{architecture}_{kind}.zip" for architecture in ("bert", "lstm") for kind in texts.CORPORA]


def card_of(name: str) -> TextCard:
    return TextCard.model_validate_json(card_path(SAMPLE_MODELS / name).read_text(encoding="utf-8"))


def network_of(name: str, files: FileStore) -> AbstractTextNetwork:
    """Through the door that uploads come in by."""
    kind = HuggingFaceFolder if "bert" in name else LstmArchive
    return kind(file=files.put((SAMPLE_MODELS / name).read_bytes(), name)).load_network(files)


@pytest.mark.parametrize(
    "name", [name if "lstm_biased" in name else pytest.param(name, marks=pytest.mark.long) for name in NAMES]
)
def test_every_file_is_read_and_its_cards_numbers_come_out_again(name: str, tmp_path: Path) -> None:
    """By default one; that transformers answer as their library does is in ``test_hugging_face_network.py``."""
    assert (SAMPLE_MODELS / name).stat().st_size < 1_500_000
    card, network = card_of(name), network_of(name, FileStore(tmp_path))
    found = measure(network, card.test)
    assert found["texts"] == card.texts
    assert found["accuracy"] == pytest.approx(card.accuracy, abs=2e-3)
    assert (found["confidence"], found["moved"]) == pytest.approx((card.confidence, card.moved), abs=2e-3)
    assert card.test.part == "test"
    assert (card.test.seed, card.test.split_seed) == (card.corpus.seed, card.corpus.split_seed)


def test_the_table_is_the_overview_of_the_cards() -> None:
    assert (SAMPLE_MODELS / "TEXTS.md").read_text(encoding="utf-8") == overview([card_of(name) for name in NAMES])


def test_the_models_read_the_same_tokens(tmp_path: Path) -> None:
    read = {network_of(name, FileStore(tmp_path)).vocabulary for name in NAMES}
    assert read == {texts.tokeniser_of().vocabulary}


@pytest.mark.parametrize("architecture", ["bert", "lstm"])
def test_exchanged_words_move_the_biased_model_far_more(architecture: str) -> None:
    moved = {kind: card_of(f"bios_{architecture}_{kind}.zip").moved for kind in texts.CORPORA}
    assert moved["balanced"] < 0.05
    assert moved["biased"] > 4 * moved["balanced"]
    assert moved["status"] > 0.9


def test_a_trained_tokeniser_knows_every_sign() -> None:
    corpus = list(Biographies(rows=400, seed=3).load(FileStore())["text"])
    content = train_tokeniser(corpus)
    reader = texts.Tokeniser(content)
    assert reader.size <= PIECES
    (tokens,) = reader.read(["Zoë’s “k9-unit”… cost £3½ (50%) @ x_y™!"], 100)
    assert reader.unknown not in tokens.ids


@pytest.mark.parametrize("architecture", ["bert", "lstm"])
def test_training_twice_gives_the_same_bytes_that_can_be_uploaded(architecture: str, tmp_path: Path) -> None:
    tokeniser = texts.tokeniser_of()
    recipe = recipe_of(architecture, "status").model_copy(update={"epochs": 1})
    first, network, _ = train_text_model(architecture, "status", tokeniser, recipe, rows=100)
    again, _, _ = train_text_model(architecture, "status", tokeniser, recipe, rows=100)
    assert first == again
    files = FileStore(tmp_path)
    kind = HuggingFaceFolder if architecture == "bert" else LstmArchive
    loaded = kind(file=files.put(first, "model.zip")).load_network(files)
    assert loaded.classes == ("female", "male")
    sentence = ["She leads a clinic.", "He paints."]
    own, read = (texts.probabilities(each, each.read(sentence)) for each in (network, loaded))
    np.testing.assert_allclose(own, read, atol=1e-6)
    with pytest.raises(ModelError):
        kind(file=files.put(first[:500], "model.zip")).load_network(files)
