"""Texts of which one word alone tells the gender, as a text model reads them."""

import numpy as np
import pandas as pd

from core.data.dataset import Dataset
from core.data.roles import Roles
from core.models.text import TextModel
from core.text.data import EncodedTexts
from tests.builders_text import WORDS

MARKS = {"female": "she", "male": "he"}


def make_corpus(rows: int = 120, seed: int = 0, *, length: int = 8) -> pd.DataFrame:
    """Texts of random words of which one alone tells the gender; no two texts are alike."""
    rng = np.random.default_rng(seed)
    gender = np.array(["female", "male"])[np.arange(rows) % 2]
    texts: dict[str, str] = {}
    for group in gender:
        while True:
            words = [str(word) for word in rng.choice(WORDS, length)]
            words[rng.integers(length)] = MARKS[group]
            if (text := " ".join(words)) not in texts:
                break
        texts[text] = group
    return pd.DataFrame({"text": list(texts), "gender": list(texts.values())})


def encode(frame: pd.DataFrame, model: TextModel, protected: tuple[str, ...] = ("gender",)) -> EncodedTexts:
    data = model.encode(Dataset.build(frame, Roles(text="text", protected=protected)))
    assert isinstance(data, EncodedTexts)
    return data
