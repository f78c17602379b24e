"""Train the sample text classifiers on invented biographies, measure them on others, and write files and cards.

Run it as ``python sample_models/texts.py``. Two tell the occupation from texts in which occupations are tied to a
gender (biased), two from texts in which they are not (balanced), two tell the gender (status): a small BERT and a
recurrent network each, with the same tokeniser, sizes, seed, epochs and number of texts within an architecture.
"""

import argparse
import json
import logging
import sys
import time
from pathlib import Path
from typing import Literal

import numpy as np
import pandas as pd

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from core.base.files import FileStore
from core.base.progress import ignore_progress
from core.base.settings import Settings
from core.models.formats.hugging_face.network import HuggingFaceNetwork
from core.models.formats.lstm.network import LstmNetwork, write_archive
from core.protected_status.training import Recipe, Texts, probabilities, reproducible, train
from core.sources.simulated.biographies import Biographies
from core.text.network import AbstractTextNetwork
from core.text.swaps import exchange
from core.text.tokeniser import Tokeniser
from core.text.word_lists import GENDER
from sample_models.text_networks import new_bert, new_lstm, train_tokeniser, write_bert

Architecture = Literal["bert", "lstm"]
Kind = Literal["biased", "balanced", "status"]

SEED = 0
TOKENISER = Path(__file__).resolve().parent / "bios_tokenizer.json"
TEXTS = Biographies(rows=6_000, seed=1, part="train")
CORPORA: dict[Kind, Biographies] = {
    "biased": TEXTS.model_copy(update={"bias": 1.0}),
    "balanced": TEXTS.model_copy(update={"bias": 0.0}),
    "status": TEXTS.model_copy(update={"bias": 0.0, "rows": 3_000}),
}
"""What each kind learns from; ``part="test"`` of the balanced one is what all are measured on."""

TEST = CORPORA["balanced"].model_copy(update={"part": "test"})
_STOPPING = 10
"""One text of so many decides which epoch was best."""

_EPOCHS = {("bert", "status"): 8, ("lstm", "status"): 5}
LIMITS = "The biographies are invented. The models show what an audit finds; they cannot judge real people."

log = logging.getLogger("sample_models")


class TextCard(Settings):
    """What a reader needs to judge a sample text classifier, or to train it again.

    Attributes:
        file: Name of the model's file.
        purpose: What it tells.
        corpus: What it was trained on; a tenth of it decided which epoch was best.
        recipe: How it was trained.
        epochs: Epochs until the best one.
        seed: Seed of first weights and order of texts.
        test: What it was measured on; it learned from none of these texts.
        texts: How many they are.
        accuracy: Share of them it gets right, by class of the protected attribute ("female", "male").
        confidence: Mean probability of the class it answers.
        moved: Mean share of probability that moves when gendered words are exchanged (CF).
        limits: What it must not be used for.
    """

    file: str
    purpose: str
    corpus: Biographies
    recipe: Recipe
    epochs: int
    seed: int
    test: Biographies
    texts: int
    accuracy: dict[str, float]
    confidence: float
    moved: float
    limits: str


def recipe_of(architecture: Architecture, kind: Kind) -> Recipe:
    """How one of the models is trained."""
    epochs = _EPOCHS.get((architecture, kind), 18 if architecture == "bert" else 10)
    rate = 1e-3 if architecture == "bert" else 4e-3
    return Recipe(epochs=epochs, patience=epochs, batch=32, learning_rate=rate, left_out=0.1)


def tokeniser_of() -> Tokeniser:
    """The tokeniser of all models, kept beside them; learned from the texts of both corpora where it is missing.

    It is kept because learning it again would give another one, and with it other models.
    """
    if not TOKENISER.is_file():
        TOKENISER.write_bytes(train_tokeniser([*_frame("biased")["text"], *_frame("balanced")["text"]]))
    return Tokeniser(TOKENISER.read_bytes())


def _frame(kind: Kind, rows: int = TEXTS.rows) -> pd.DataFrame:
    return CORPORA[kind].model_copy(update={"rows": min(rows, CORPORA[kind].rows)}).load(FileStore())


def train_text_model(
    architecture: Architecture, kind: Kind, tokeniser: Tokeniser, recipe: Recipe, rows: int
) -> tuple[bytes, AbstractTextNetwork, int]:
    """A trained model as the bytes of its file, the network, and its best epoch; the same every time."""
    frame = _frame(kind, rows)
    labels = frame["gender" if kind == "status" else "occupation"]
    classes = tuple(sorted(labels.unique()))
    codes = np.array([classes.index(label) for label in labels])
    network, module = (new_bert if architecture == "bert" else new_lstm)(tokeniser, classes, SEED)
    module.requires_grad_(True)
    tokens, kept = network.read(list(frame["text"])), len(frame) // _STOPPING
    with reproducible(SEED):
        done = train(
            network,
            module,
            Texts(tokens[kept:], codes[kept:]),
            Texts(tokens[:kept], codes[:kept]),
            recipe=recipe,
            on_progress=ignore_progress,
        )
    return file_of(network), network, done.epochs


def file_of(network: HuggingFaceNetwork | LstmNetwork) -> bytes:
    """The bytes of a model's file."""
    return write_archive(network) if isinstance(network, LstmNetwork) else write_bert(network)


def measure(network: AbstractTextNetwork, test: Biographies) -> dict[str, object]:
    """The numbers of a card: texts, accuracy by gender, confidence, and what exchanged words move."""
    frame = test.load(FileStore())
    texts = list(frame["text"])
    answers = probabilities(network, network.read(texts))
    others = probabilities(network, network.read([exchange(text, GENDER).text for text in texts]))
    labels = frame["gender" if set(network.classes) == {"female", "male"} else "occupation"].to_numpy()
    right = np.array(network.classes)[answers.argmax(axis=1)] == labels
    gender = frame["gender"].to_numpy()
    return {
        "texts": len(texts),
        "accuracy": {group: float(right[gender == group].mean()) for group in ("female", "male")},
        "confidence": float(answers.max(axis=1).mean()),
        "moved": float(0.5 * np.abs(answers - others).sum(axis=1).mean()),
    }


def card_path(model: Path) -> Path:
    """Where the card of a model file lies."""
    return model.with_name(model.name + ".json")


def describe(path: Path, architecture: Architecture, kind: Kind, network: AbstractTextNetwork, epochs: int) -> TextCard:
    """Measure a model and write its card."""
    card = TextCard(
        file=path.name,
        purpose="Tells a person's gender." if kind == "status" else "Tells a person's occupation among 28.",
        corpus=CORPORA[kind],
        recipe=recipe_of(architecture, kind),
        epochs=epochs,
        seed=SEED,
        test=TEST,
        limits=LIMITS,
        **measure(network, TEST),
    )
    written = json.dumps(card.model_dump(mode="json"), indent=1, ensure_ascii=False)
    card_path(path).write_text(written + "\n", encoding="utf-8")
    return card


def overview(cards: list[TextCard]) -> str:
    """One line per model."""
    lines = [
        f"| `{card.file}` | {card.purpose} | {card.corpus.bias:g} | {card.accuracy['female']:.3f} "
        f"| {card.accuracy['male']:.3f} | {card.confidence:.3f} | {card.moved:.3f} |"
        for card in sorted(cards, key=lambda card: card.file)
    ]
    return _TEXTS.format(texts=TEST.load(FileStore()).shape[0], lines="\n".join(lines))


_TEXTS = """# Sample text classifiers

`python sample_models/texts.py` trains them again and writes this table and a card beside each file (`*.zip.json`).
Measured on {texts:,} invented biographies without gender bias, which no model saw. What moves is the mean share of
probability that moves when the gendered words of a text are exchanged for their counterparts (CF).

| file | what it does | bias of its texts | accuracy, women | accuracy, men | confidence | what moves |
|---|---|---|---|---|---|---|
{lines}

The biographies are invented. The models show what an audit finds; they cannot judge real people.
"""


def main(arguments: list[str] | None = None) -> None:
    """Train, measure and write all six, or only describe the files that are there."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=TEXTS.rows, help="Texts at most; for a quick try.")
    parser.add_argument("--epochs", type=int, help="Epochs, instead of the recipe's own; for a quick try.")
    parser.add_argument("--out", type=Path, default=Path(__file__).resolve().parent, help="Folder for the files.")
    chosen = parser.parse_args(arguments)
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    chosen.out.mkdir(parents=True, exist_ok=True)
    tokeniser, cards = tokeniser_of(), []
    for architecture in ("lstm", "bert"):
        for kind in CORPORA:
            started, recipe = time.perf_counter(), recipe_of(architecture, kind)
            if chosen.epochs:
                recipe = recipe.model_copy(update={"epochs": chosen.epochs})
            content, network, epochs = train_text_model(architecture, kind, tokeniser, recipe, chosen.rows)
            path = chosen.out / f"bios_{architecture}_{kind}.zip"
            path.write_bytes(content)
            cards.append(describe(path, architecture, kind, network, epochs))
            log.info("%s in %.0f s: %s", path.name, time.perf_counter() - started, cards[-1].accuracy)
    (chosen.out / "TEXTS.md").write_text(overview(cards), encoding="utf-8")


if __name__ == "__main__":
    main()
