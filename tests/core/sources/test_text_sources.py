"""The real tables of texts are the published ones, and their columns say what they are said to."""

from pathlib import Path

import pandas as pd
import pytest

from core.base.errors import SourceError
from core.base.files import FileStore
from core.data.dataset import Dataset
from core.data.table_caveats import caveats_of
from core.sources.public.bios import Bios
from core.sources.public.fetch import PublicFile, fetch
from core.sources.public.madlibs import NOBODY, Madlibs
from core.sources.public.winogender import Winogender
from core.sources.simulated.phrases import vocabulary


def test_the_bios_are_the_files(real_data: Path) -> None:
    """1,278 rows, 1,008 of accountants and ten of each other occupation: the data folder's own description."""
    table = Bios().load(FileStore())
    counts = table["profession"].value_counts()
    assert (len(table), counts.pop("accountant")) == (1_278, 1_008)
    assert (len(counts), set(counts)) == (27, {10})
    assert set(counts.index) | {"accountant"} == set(vocabulary().occupations)
    dataset = Dataset.build(table, Bios().roles(table))
    assert (len(dataset), len(dataset.labels), caveats_of(dataset)) == (1_278, 28, ())
    assert dataset.groups("gender")[1] == ("Female", "Male")


def test_winogender_has_its_120_templates_in_three_pronouns_for_two_participants(real_data: Path) -> None:
    """Rudinger et al. (2018): 60 occupations, 120 templates, 720 sentences."""
    table = Winogender().load(FileStore())
    assert (len(table), table["occupation"].nunique()) == (720, 60)
    assert dict(table["gender"].value_counts()) == {"female": 240, "male": 240, "neutral": 240}
    assert (table["participant"] == "someone").sum() == 360
    assert table.groupby(["occupation", "pronoun of"]).ngroups == 120
    words = table["sentence"].str.lower().str.findall("[a-z]+").map(set)
    for gender, pronouns in {
        "female": {"she", "her"},
        "male": {"he", "his", "him"},
        "neutral": {"they", "their", "them"},
    }.items():
        assert words[table["gender"] == gender].map(lambda found, p=pronouns: bool(found & p)).all()
    dataset = Dataset.build(table, Winogender().roles(table))
    assert (len(dataset), dataset.labels) == (720, ())


def test_winogenders_whom_the_pronoun_is_of_agrees_with_the_templates(real_data: Path) -> None:
    templates = pd.read_csv(real_data / "winogender" / "winogender_templates.tsv", sep="\t")
    templates.columns = pd.Index(["occupation", "participant", "answer", "sentence"])
    table = Winogender().load(FileStore())
    neutral = table[(table["gender"] == "neutral") & (table["participant"] != "someone")]
    assert len(neutral) == len(templates) == 120
    of = {0: "occupation", 1: "participant"}
    columns = (templates[name].tolist() for name in ("occupation", "answer", "participant"))
    wanted = {(occupation, of[answer], participant) for occupation, answer, participant in zip(*columns, strict=True)}
    assert set(zip(neutral["occupation"], neutral["pronoun of"], neutral["participant"], strict=True)) == wanted


@pytest.fixture(scope="module")
def madlibs(real_data: Path) -> pd.DataFrame:
    return Madlibs(rows=76_564).load(FileStore())


def test_madlibs_are_all_sentences_in_the_files_order(real_data: Path, madlibs: pd.DataFrame) -> None:
    raw = pd.read_csv(real_data / "madlibs" / "bias_madlibs_77k.csv")
    assert madlibs["Text"].tolist() == raw["Text"].tolist()
    assert madlibs["Label"].tolist() == raw["Label"].tolist()
    assert (madlibs["Label"] == "BAD").mean() == 0.5


def test_each_of_the_50_groups_is_named_equally_often(madlibs: pd.DataFrame) -> None:
    """76,564 = 864 sentences about occupations + 50 x 1,514, half of each group's BAD: the corpus is balanced so."""
    counts = madlibs["identity"].value_counts()
    assert counts.pop(NOBODY) == (madlibs["Template"] == "you_occupation").sum() == 864
    assert (len(counts), set(counts)) == (50, {1_514})
    assert set((madlibs["Label"] == "BAD").groupby(madlibs["identity"]).mean()) == {0.5}
    assert set(madlibs.loc[madlibs["identity"] == NOBODY, "identity kind"]) == {NOBODY}
    pairs = madlibs[["identity", "identity kind"]].drop_duplicates()
    assert len(pairs) == 51


def test_the_identity_ends_the_short_sentences(madlibs: pd.DataFrame) -> None:
    short = madlibs[madlibs["Template"].isin(["verb_adj", "am_hate_adj"])]
    assert len(short) == 500
    assert all(text.endswith(f" {identity}") for text, identity in zip(short["Text"], short["identity"], strict=True))


def test_some_madlibs_are_drawn_by_the_seed(madlibs: pd.DataFrame) -> None:
    first, again, other = (Madlibs(seed=seed).load(FileStore()) for seed in (1, 1, 2))
    pd.testing.assert_frame_equal(first, again)
    assert not first.equals(other)
    assert not first.duplicated().any()
    assert set(first["Text"]) < set(madlibs["Text"])
    dataset = Dataset.build(first, Madlibs().roles(first))
    assert (len(dataset), dataset.labels) == (3_000, ("BAD", "NOT_BAD"))
    assert len(dataset.groups("identity kind")[1]) == 7


def test_a_file_without_an_address_says_where_to_put_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EVENHAND_DATA", str(tmp_path))
    with pytest.raises(SourceError, match="no public address") as caught:
        Bios().fetch()
    assert "bios/ below the folder" in caught.value.advice
    assert "bring a table" in caught.value.advice
    with pytest.raises(SourceError):
        Bios().load(FileStore())


def test_another_file_of_the_same_name_is_refused_without_an_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EVENHAND_DATA", str(tmp_path))
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "notes.csv").write_text("a\n1\n")
    with pytest.raises(SourceError, match="not the published file") as caught:
        fetch(PublicFile("notes", "notes.csv", "", "0" * 64))
    assert "0" * 64 in caught.value.advice
