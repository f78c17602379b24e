"""A table of texts is recognised, and a table of people with a remark is not taken for one."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from core.base.files import FileStore
from core.data.dataset import Dataset
from core.data.guess_roles import guess_roles
from core.data.roles import Roles
from core.sources.simulated.biographies import Biographies

ROWS = 300
LONG = [f"This is what person number {place} wrote about work and about life" for place in range(ROWS)]
SHORT = [f"hug {place}" for place in range(ROWS)]


def two(first: object, second: object) -> list[object]:
    return [first, second] * (ROWS // 2)


@pytest.mark.parametrize(
    "name", ["text", "bio", "Biography", "comment", "sentence", "hard_text", "CV", "resume", "review", "postText"]
)
def test_texts_are_recognised_by_name_even_if_short(name: str) -> None:
    guess = guess_roles(pd.DataFrame({name: SHORT, "gender": two("F", "M")}))
    assert guess.text == name
    assert guess.roles == Roles(text=name, protected=("gender",))


def test_long_texts_are_recognised_by_their_length() -> None:
    assert guess_roles(pd.DataFrame({"q7": LONG})).roles == Roles(text="q7")
    assert guess_roles(pd.DataFrame({"q7": SHORT})).text is None
    assert guess_roles(pd.DataFrame({"q7": LONG[:3] * (ROWS // 3)})).text is None


def test_the_longest_of_several_texts_is_taken() -> None:
    guess = guess_roles(pd.DataFrame({"comment": LONG, "text": SHORT, "phrase": [f"{text} again" for text in LONG]}))
    assert guess.text == "comment"
    assert {name for name, _ in guess.ignored} == {"text", "phrase"}


def test_a_table_of_people_with_a_remark_stays_a_table_of_people() -> None:
    rng = np.random.default_rng(1)
    people = {name: rng.normal(size=ROWS) for name in ("hours", "age", "gain", "loss")}
    guess = guess_roles(pd.DataFrame({**people, "comment": LONG, "sex": two("F", "M"), "hired": two(0, 1)}))
    assert (guess.text, guess.outcome, guess.favourable) == (None, "hired", "1")
    assert "comment" in dict(guess.ignored)


def test_many_classes_are_an_outcome_without_a_favourable_value() -> None:
    jobs = [f"job {place % 28}" for place in range(ROWS)]
    guess = guess_roles(pd.DataFrame({"bio": LONG, "profession": jobs, "gender": two("F", "M")}))
    assert (guess.outcome, guess.favourable, guess.protected) == ("profession", None, ("gender",))
    assert guess.roles == Roles(text="bio", outcome="profession", protected=("gender",))


def test_two_classes_have_a_favourable_value() -> None:
    guess = guess_roles(pd.DataFrame({"comment": LONG, "label": two("BAD", "NOT_BAD")}))
    assert (guess.outcome, guess.favourable) == ("label", "NOT_BAD")


@pytest.mark.parametrize("name", ["biased", "bias_sent", "annotation", "judged biased (simulated)"])
def test_judgements_are_recognised_if_they_are_0_1_and_perhaps_2(name: str) -> None:
    for said in (two(0, 1), [0.0, 1.0, None] * (ROWS // 3), [0, 1, 2] * (ROWS // 3)):
        assert guess_roles(pd.DataFrame({"comment": LONG, name: said})).annotation == (name,)
    other = guess_roles(pd.DataFrame({"comment": LONG, name: [0, 1, 3] * (ROWS // 3)}))
    assert other.annotation == ()
    assert "something else than 0, 1 and 2" in dict(other.ignored)[name]


def test_judgements_of_several_people_are_all_taken() -> None:
    frame = pd.DataFrame({"comment": LONG, "judged by A": two(0, 1), "judged by B": [0, 1, 2] * (ROWS // 3)})
    assert guess_roles(frame).annotation == ("judged by A", "judged by B")


def test_judgements_are_no_outcome() -> None:
    assert guess_roles(pd.DataFrame({"comment": LONG, "biased": two(0, 1)})).outcome is None


def test_every_column_of_a_table_of_texts_gets_one_role_or_a_reason() -> None:
    frame = pd.DataFrame(
        {
            "id": np.arange(ROWS),
            "text": LONG,
            "label": two(0, 1),
            "prob": np.linspace(0, 1, ROWS),
            "source": two("web", "mail"),
            "gender": two("F", "M"),
            "biased": two(1, 0),
        }
    )
    guess = guess_roles(frame)
    single = [guess.text, *guess.annotation, guess.outcome]
    given = [*single, *guess.protected, *guess.features, *guess.predictions, *(name for name, _ in guess.ignored)]
    assert sorted(map(str, given)) == sorted(frame.columns)
    assert guess.features == ()


def test_the_generated_corpus_is_guessed_as_it_is_declared() -> None:
    source = Biographies(rows=200, annotate=True)
    frame = source.load(FileStore())
    assert guess_roles(frame).roles == source.roles(frame)


@pytest.mark.parametrize(
    ("file", "roles"),
    [
        ("bios/bios.csv", Roles(text="hard_text", outcome="profession", protected=("gender",))),
        ("madlibs/bias_madlibs_77k.csv", Roles(text="Text", outcome="Label", favourable="NOT_BAD")),
        ("winogender/winogender_all_sentences.tsv", Roles(text="sentence")),
        ("redditbias/redditbias_gender_annotated.csv", Roles(text="comment", annotation=("bias_sent", "bias_phrase"))),
    ],
)
def test_real_texts_are_recognised(file: str, roles: Roles, real_data: Path) -> None:
    frame = pd.read_csv(real_data / file, sep="\t" if file.endswith("tsv") else ",")
    assert guess_roles(frame).roles == roles


def of_templates(rows: int = 600) -> pd.DataFrame:
    """Short sentences of a template, a person and a word, as audits of texts make them, among columns that say so."""
    rng = np.random.default_rng(2)
    person = rng.choice(["Anna", "Otto", "my sister", "this man", "Ines", "Emil"], rows)
    word = rng.choice(["glad", "angry", "afraid", "sad", "calm"], rows)
    place = np.array([f"in house {row}" for row in range(rows)])
    return pd.DataFrame(
        {
            "Sentence": [f"{one} feels {two} {three}." for one, two, three in zip(person, word, place, strict=True)],
            "Template": ["<person> feels <word> in <place>."] * (rows // 2) + ["<person> feels <word>."] * (rows // 2),
            "Person": person,
            "Emotion word": word,
            "Place": place,
            "Mood": pd.Series(word).map({"glad": "good", "calm": "good"}).fillna("bad"),
            "Season": rng.choice(["spring", "autumn"], rows),
            "Gender": np.where(np.isin(person, ["Anna", "my sister", "Ines"]), "female", "male"),
            "Race": np.where(np.isin(person, ["my sister", "this man"]), None, "white"),
        }
    ).assign(Race=lambda frame: frame["Race"].where(frame["Person"] != "Emil", "black"))


@pytest.mark.parametrize("name", ["Sentence", "Q1"])
def test_sentences_made_of_other_columns_are_texts_under_any_name(name: str) -> None:
    guess = guess_roles(of_templates().rename(columns={"Sentence": name}))
    assert (guess.text, guess.protected, guess.features) == (name, ("Gender", "Race"), ())
    assert "about 6 words" in dict(guess.reasons)[name]


def test_texts_without_a_group_are_kept_as_a_group_of_their_own() -> None:
    frame = of_templates()
    guess = guess_roles(frame)
    assert guess.missing == "own category"
    assert guess.roles is not None
    assert len(Dataset.build(frame, guess.roles)) == len(frame)
    assert guess_roles(frame.assign(Race="white")).missing == "leave out"
