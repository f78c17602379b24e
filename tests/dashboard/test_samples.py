"""The sample beside every uploader is a file that the uploader takes."""

import re
from pathlib import Path

import pytest

from core.audits.text_sensitivity.sheet import judged_table
from core.base.files import FileStore
from core.data.guess_roles import guess_roles
from core.metrics.files import read_matrix, read_pairs
from core.models.declared import read_encoding
from core.models.sniff import recognise
from core.sources.upload.uploaded import UploadedTable
from core.text.word_files import read_words
from dashboard.samples import SAMPLES

DASHBOARD = Path(__file__).parents[2] / "dashboard"


def table(kind: str, folder: Path):
    files = FileStore(folder)
    return UploadedTable(file=files.put(SAMPLES[kind].content(), SAMPLES[kind].name)).load(files)


def test_every_uploader_offers_one() -> None:
    for path in DASHBOARD.rglob("*.py"):
        text = path.read_text()
        assert len(re.findall(r"\bst\.file_uploader\(", text)) == len(re.findall(r"\bsamples\.offer\(", text)), path


def test_the_sample_table_is_read_and_its_roles_are_guessed(tmp_path: Path) -> None:
    people = table("table", tmp_path)
    guess = guess_roles(people)
    assert (len(people), guess.outcome, guess.predictions) == (400, "hired", ("prediction",))
    assert {"gender", "ethnicity"} <= set(guess.protected)


def test_small_samples_are_what_their_readers_take(tmp_path: Path) -> None:
    assert read_pairs(SAMPLES["pairs"].content()) == ((0, 11), (2, 7))
    assert read_matrix(SAMPLES["matrix"].content()).columns == ("age", "hours", "score")
    assert read_encoding(SAMPLES["preprocessing"].content(), "preprocessing.json").width == 4
    (tmp_path / "words").write_bytes(SAMPLES["words"].content())
    words = read_words(tmp_path / "words", "words.csv")
    assert (len(words.pairs), words.others) == (4, ("widow",))
    assert list(table("texts", tmp_path).columns) == ["text", "gender"]
    assert table("known_answers", tmp_path)["answer"].between(0, 1).all()
    judged, columns = judged_table(table("texts", tmp_path), "text", {"Anna": table("sheet", tmp_path)})
    assert judged[columns[0]].tolist()[::3] == [1, 0]


@pytest.mark.parametrize(("kind", "format"), [("model", "torch_mlp"), ("text_model", "text_lstm")])
def test_sample_models_are_recognised(kind: str, format: str, tmp_path: Path) -> None:
    path = tmp_path / SAMPLES[kind].name
    path.write_bytes(SAMPLES[kind].content())
    assert recognise(path, path.name) == format
