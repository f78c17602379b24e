"""A small file for every uploader, made here, that shows what it takes."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import streamlit as st

from core.language.told import retold, say

_MODELS = Path(__file__).parent.parent / "sample_models"
_PEOPLE, _FEW = 400, 5


@dataclass(frozen=True)
class Sample:
    """One file.

    Attributes:
        name: What it is called.
        content: Makes it; called when somebody asks for it.
        about: What it shows, one or two plain sentences.
    """

    name: str
    content: Callable[[], bytes]
    about: str


def offer(kind: str, key: str = "") -> None:
    """A button beside an uploader that hands out its sample; ``key`` tells two of a kind on one page apart."""
    sample = SAMPLES[kind]
    st.download_button(
        say("Sample file ({name})", name=sample.name),
        sample.content,
        sample.name,
        key=f"sample_{kind}{key}",
        icon=":material/draft:",
        type="tertiary",
        help=retold(sample.about),
        on_click="ignore",
    )


@cache
def _table() -> bytes:
    """Invented applicants with the decision of an invented program."""
    from core.base.files import FileStore
    from core.sources.simulated.hiring import SCREENED, Hiring

    people = Hiring(rows=2000, screening="biased").load(FileStore()).head(_PEOPLE)
    return people.rename(columns={SCREENED: "prediction"}).to_csv(index=False).encode()


@cache
def _known_answers() -> bytes:
    from core.base.files import FileStore
    from core.sources.simulated.hiring import FEATURES, Hiring

    people = Hiring(rows=2000).load(FileStore()).head(_FEW)[list(FEATURES)]
    return people.assign(answer=[0.82, 0.31, 0.07, 0.55, 0.94]).to_csv(index=False).encode()


@cache
def _preprocessing() -> bytes:
    from core.data.encoder import CategoricalColumn, Encoder, NumericColumn

    columns = (
        NumericColumn(name="age", mean=38.6, scale=13.6),
        CategoricalColumn(name="education", categories=("bachelor", "master", "secondary")),
    )
    return Encoder(columns=columns).model_dump_json(indent=2).encode()


def _lines(*lines: str) -> Callable[[], bytes]:
    return lambda: "\n".join((*lines, "")).encode()


def _model(name: str) -> Callable[[], bytes]:
    return (_MODELS / name).read_bytes


SAMPLES = {
    "table": Sample(
        "applicants.csv",
        _table,
        say(
            "400 invented applicants, one a row: what they bring, who they are, whether they were hired, and what a "
            "program predicted."
        ),
    ),
    "model": Sample(
        "hiring_baseline.safetensors",
        _model("hiring_baseline.safetensors"),
        say("The weights of a small network for the built-in table of applicants."),
    ),
    "text_model": Sample(
        "bios_lstm_balanced.zip",
        _model("bios_lstm_balanced.zip"),
        say("A small network that reads biographies, as a zip file with its weights and its words."),
    ),
    "known_answers": Sample(
        "known_answers.csv",
        _known_answers,
        say("Five rows with the columns that the model reads, and its answers in a last column."),
    ),
    "preprocessing": Sample(
        "preprocessing.json", _preprocessing, say("A number that is standardised, and a category with three values.")
    ),
    "pairs": Sample(
        "pairs.csv",
        _lines("record,other record,judgement", "1,12,similar", "3,8,similar", "5,9,not similar"),  # verbatim
        say("Two row numbers a line, counted from 1; what was judged may stand behind them."),
    ),
    "matrix": Sample(
        "matrix.csv",
        _lines("age,hours,score", "1,0,0", "0,1,0.5", "0,0.5,1"),
        say("The names of the prepared columns, then a row of numbers for each of them."),
    ),
    "costs": Sample(
        "costs.csv",
        _lines("0,1,inf", "1,0,2", "inf,2,0"),
        say("What it costs to compare each kind of people with each; inf where it is forbidden."),
    ),
    "words": Sample(
        "words.csv",
        _lines("word,counterpart", "she,he", "her,his", "mother,father", "sister,brother", "widow"),
        say("Two words a line that stand for each other, or one that has no counterpart."),
    ),
    "texts": Sample(
        "texts.csv",
        _lines(
            "text,gender",
            "She has taught mathematics for ten years.,female",  # verbatim
            "He repairs engines and teaches apprentices.,male",  # verbatim
            "Her paintings hang in three museums.,female",  # verbatim
            "His bakery opens at five.,male",  # verbatim
        ),
        say("A text a line, and the group of the person it is about."),
    ),
    "sheet": Sample(
        "sheet_of_anna.csv",
        _lines(
            "record,text,answer of the model,judged biased",  # verbatim
            "1,She has taught mathematics for ten years.,nurse,1",  # verbatim
            "4,His bakery opens at five.,baker,0",  # verbatim
        ),
        say("Two texts that one person has judged: 1 for biased, 0 for not biased."),
    ),
}
"""Every sample by the uploader it belongs to."""
