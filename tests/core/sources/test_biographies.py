"""The generated corpus has the bias it is asked for, and no other."""

import hashlib
import re
from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binomtest, chi2_contingency

from core.base.files import FileStore
from core.data.dataset import Dataset
from core.inference.agreement import majority
from core.sources.simulated.biographies import ANNOTATIONS, LONGEST, SHORTEST, Biographies, stereotype
from core.sources.simulated.phrases import vocabulary

OCCUPATIONS = vocabulary().occupations
GENDERED = {word.lower().strip(".") for pair in vocabulary().gendered.values() for word in pair}


def load(**settings: object) -> pd.DataFrame:
    return Biographies.model_validate(settings).load(FileStore())


def gendered_words(text: str) -> list[str]:
    """The text's words that tell a gender (she, Mr, father, men's), in order and lower case."""
    return [word for word in re.findall(r"[a-z]+(?:'s)?", text.lower()) if word in GENDERED]


def p_value_of_independence(first: pd.Series, second: pd.Series) -> float:
    return float(chi2_contingency(pd.crosstab(first, second)).pvalue)


@pytest.fixture(scope="module")
def balanced() -> pd.DataFrame:
    return load(bias=0.0, rows=6_000)


@pytest.fixture(scope="module")
def biased() -> pd.DataFrame:
    return load(bias=1.0, rows=6_000)


def test_without_bias_gender_says_nothing_about_the_occupation(balanced: pd.DataFrame) -> None:
    assert p_value_of_independence(balanced["occupation"], balanced["gender"]) > 1e-3


def test_without_bias_gendered_words_say_nothing_about_the_occupation(balanced: pd.DataFrame) -> None:
    for word in ("she", "he", "husband", "father", "actress"):
        has = balanced["text"].map(lambda text, word=word: word in gendered_words(text))
        assert has.any()
        assert p_value_of_independence(balanced["occupation"], has) > 1e-3


def test_with_bias_the_shares_of_women_are_those_of_the_table(biased: pd.DataFrame) -> None:
    for occupation, entry in OCCUPATIONS.items():
        people = biased.loc[biased["occupation"] == occupation, "gender"]
        assert binomtest(int((people == "female").sum()), len(people), entry.women).pvalue > 1e-4


def test_the_phrases_on_file_make_the_corpus_they_always_made() -> None:
    """Models and records were made of this corpus, so a changed phrase must not pass unseen."""
    frame = load(rows=500, seed=9)
    assert hashlib.sha256(frame.to_csv().encode()).hexdigest() == (
        "6158bc1ce907978e66ba6309c16e6bc74c013d3ef89ffc129b3bc2b51f554a3e"
    )


def test_the_table_gives_both_genders_half_of_the_corpus(biased: pd.DataFrame) -> None:
    assert np.mean([entry.women for entry in OCCUPATIONS.values()]) == pytest.approx(0.5)
    assert binomtest(int((biased["gender"] == "female").sum()), len(biased), 0.5).pvalue > 1e-3


def test_association_grows_with_the_bias() -> None:
    strength = []
    for bias in (0.0, 0.25, 0.5, 0.75, 1.0):
        frame = load(bias=bias, rows=3_000)
        strength.append(chi2_contingency(pd.crosstab(frame["occupation"], frame["gender"])).statistic)
    assert strength == sorted(strength)
    assert strength[-1] > 20 * strength[0]


def test_gendered_words_always_agree_with_the_gender(biased: pd.DataFrame) -> None:
    for code, gender in enumerate(("female", "male")):
        texts = biased.loc[biased["gender"] == gender, "text"]
        used = Counter(word for text in texts for word in gendered_words(text))
        subject = {pair[code].lower().strip(".") for name, pair in vocabulary().gendered.items() if name != "spouse"}
        assert set(used) - {"husband", "wife"} <= subject
        assert texts.map(gendered_words).map(bool).all()


def test_phrases_name_no_gender_of_their_own() -> None:
    works = [entry.work for entry in OCCUPATIONS.values()] + list(vocabulary().families.values())
    phrases = [p for work in works for kind in (work.fields, work.deeds, work.places, work.past) for p in kind]
    phrases += [p for kind in vocabulary().slots.values() for p in kind]
    for table in (vocabulary().hobbies, vocabulary().causes, vocabulary().sentences):
        phrases += [p for _, kind in table for p in kind]
    for phrase in phrases:
        outside = " ".join(part.split("}")[-1] for part in phrase.split("{"))
        assert not gendered_words(outside), phrase


@pytest.mark.parametrize(("cues", "share"), [(0.0, 0.5), (0.5, 0.75), (1.0, 1.0)])
def test_hobbies_follow_the_gender_as_far_as_the_cues_say(cues: float, share: float) -> None:
    frame = load(cues=cues, bias=0.0, rows=4_000)
    follows = total = 0
    for gender, kind in (("female", "women"), ("male", "men")):
        texts = " ".join(frame.loc[frame["gender"] == gender, "text"])
        for whose in ("women", "men"):
            # These four words stand nowhere else in the phrases.
            count = sum(
                texts.count(word) for word in {"women": ("pilates", "quilting"), "men": ("rugby", "poker")}[whose]
            )
            total += count
            follows += count if whose == kind else 0
    assert binomtest(follows, total, share).pvalue > 1e-3 if share < 1 else follows == total


def test_lengths_stay_within_what_is_promised(biased: pd.DataFrame) -> None:
    words = biased["text"].map(lambda text: len(text.split()))
    assert words.min() >= SHORTEST
    assert words.max() <= LONGEST
    assert not biased["text"].str.contains(r"[{}|]").any()


def test_no_text_occurs_twice_and_the_parts_are_disjoint(balanced: pd.DataFrame) -> None:
    assert not balanced["text"].duplicated().any()
    train, test = (load(bias=0.0, rows=6_000, part=part) for part in ("train", "test"))
    assert (len(train), len(test)) == (4_800, 1_200)
    assert not set(train["text"]) & set(test["text"])
    assert set(train["text"]) | set(test["text"]) == set(balanced["text"])


def test_the_seed_decides_the_texts() -> None:
    first, again, other = (load(rows=200, seed=seed) for seed in (3, 3, 4))
    pd.testing.assert_frame_equal(first, again)
    assert not set(first["text"]) & set(other["text"])


def test_ambiguous_texts_fit_a_family_and_no_single_occupation() -> None:
    frame = load(ambiguous=1.0, rows=1_500, bias=0.0)
    own = {deed.split()[0] + " " + " ".join(deed.split()[1:3]) for deed in OCCUPATIONS["attorney"].work.deeds}
    for text in frame.loc[frame["occupation"] == "attorney", "text"]:
        assert not any(deed in text for deed in own)
    clear = load(ambiguous=0.0, rows=1_500, bias=0.0)
    said = clear.loc[clear["occupation"] == "attorney", "text"].map(lambda text: any(deed in text for deed in own))
    assert said.mean() > 0.5


def test_the_simulated_judgements_follow_who_is_taken_for_somebody_else() -> None:
    """Texts that leave the work open, of people whose gender suggests another occupation of the same family."""
    frame = load(annotate=True, rows=1_500, ambiguous=1.0, bias=0.0)
    gender = (frame["gender"] == "male").astype(int)
    taken_for = [stereotype(*one) for one in zip(frame["occupation"], gender, strict=True)]
    misread = frame["occupation"] != pd.Series(taken_for)
    judged = frame[list(ANNOTATIONS)]
    biased = majority(judged.to_numpy(float).T) == 1
    assert biased[misread].mean() == pytest.approx(0.75, abs=0.05)
    assert biased[~misread].mean() == pytest.approx(0.11, abs=0.03)
    assert (judged == 2).mean().to_list() == pytest.approx([0.05] * 3, abs=0.015)
    pd.testing.assert_frame_equal(frame.drop(columns=[*ANNOTATIONS]), load(rows=1_500, ambiguous=1.0, bias=0.0))
    clear = load(annotate=True, rows=500, ambiguous=0.0)[list(ANNOTATIONS)].to_numpy(float).T
    assert (majority(clear) == 1).mean() < 0.18


def test_a_stereotype_is_of_the_same_family() -> None:
    assert stereotype("surgeon", 0) == "nurse"
    assert stereotype("nurse", 1) == "surgeon"
    assert stereotype("poet", 1) == "journalist"


def test_its_roles_fit_its_table() -> None:
    source = Biographies(rows=200, annotate=True)
    frame = source.load(FileStore())
    roles = source.roles(frame)
    assert (roles.text, roles.outcome, roles.protected) == ("text", "occupation", ("gender",))
    assert set(roles.columns) == set(frame.columns)
    assert len(Dataset.build(frame, roles)) == 200


def test_occupations_are_those_of_the_real_biographies(real_data: Path) -> None:
    real = pd.read_csv(real_data / "bios" / "bios.csv")
    assert set(real["profession"]) == set(OCCUPATIONS)


def test_most_words_of_real_biographies_occur_in_the_corpus(real_data: Path, biased: pd.DataFrame) -> None:
    real = pd.read_csv(real_data / "bios" / "bios.csv")["hard_text"]
    known = set(biased["text"].str.lower().str.findall("[a-z]+").explode())
    words = real.str.lower().str.findall("[a-z]+").explode()
    assert words.isin(known).mean() > 0.75
