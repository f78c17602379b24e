"""Uploaded tables of texts come out as they went in: languages, signs, line breaks, long cells, a single column."""

from pathlib import Path

import pandas as pd
import pytest

from core.base.errors import DataError
from core.base.files import FileStore
from core.data.dataset import Dataset
from core.sources.upload.uploaded import UploadedTable

TEXTS = [f'Er sagt: "ja, gern"; sie | er\nZweite Zeile 👩🏽‍⚕️ 漢字 <b>{place}</b>, $x$' for place in range(40)]
GENDERS = ["f", "m"] * 20


def upload(content: bytes, tmp_path: Path, name: str = "texts.csv") -> tuple[pd.DataFrame, UploadedTable]:
    files = FileStore(tmp_path)
    source = UploadedTable(file=files.put(content, name))
    return source.load(files), source


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
@pytest.mark.parametrize("columns", [("text",), ("text", "gender")])
def test_texts_come_out_as_they_went_in(separator: str, columns: tuple[str, ...], tmp_path: Path) -> None:
    table = pd.DataFrame({"text": TEXTS, "gender": GENDERS})[list(columns)]
    frame, source = upload(table.to_csv(index=False, sep=separator).encode(), tmp_path)
    assert frame["text"].tolist() == TEXTS
    roles = source.roles(frame)
    assert roles is not None
    assert (roles.text, roles.protected) == ("text", columns[1:])
    assert len(Dataset.build(frame, roles)) == 40


def test_a_list_of_sentences_is_a_table_of_one_column(tmp_path: Path) -> None:
    sentences = [f"She met him, and they agreed on number {place}" for place in range(40)]
    frame, source = upload("\n".join(["sentence", *sentences]).encode(), tmp_path, "sentences.txt.csv")
    assert frame["sentence"].tolist() == sentences
    roles = source.roles(frame)
    assert roles is not None
    assert roles.text == "sentence"


def test_a_single_column_of_numbers_or_words_is_still_no_table(tmp_path: Path) -> None:
    for cells in (["1", "2", "3"], ["yes", "no", "yes"]):
        with pytest.raises(DataError, match="one column"):
            upload("\n".join(["age", *cells]).encode(), tmp_path)


def test_a_text_of_twenty_thousand_words_is_read_and_a_longer_cell_is_named(tmp_path: Path) -> None:
    long = "word " * 20_000
    frame, _ = upload(pd.DataFrame({"text": [long, *TEXTS[1:]], "g": GENDERS}).to_csv(index=False).encode(), tmp_path)
    assert len(frame.loc[0, "text"].split()) == 20_000
    endless = pd.DataFrame({"text": [*TEXTS[:5], long * 2, *TEXTS[6:]], "g": GENDERS})
    with pytest.raises(DataError, match="longer than 131,072 characters") as caught:
        upload(endless.to_csv(index=False).encode(), tmp_path)
    assert caught.value.where == "record 6"


def test_marks_of_missing_texts_are_missing_and_counted(tmp_path: Path) -> None:
    texts = ["NA", "null", "", "   ", *(f"Text number {place} is here" for place in range(36))]
    frame, source = upload(pd.DataFrame({"text": texts, "gender": GENDERS}).to_csv(index=False).encode(), tmp_path)
    roles = source.roles(frame)
    assert roles is not None
    assert Dataset.build(frame, roles).texts_empty == 4


def test_the_real_bios_come_out_of_an_upload_as_from_the_source(real_data: Path, tmp_path: Path) -> None:
    frame, _ = upload((real_data / "bios" / "bios.csv").read_bytes(), tmp_path, "bios.csv")
    expected = pd.read_csv(real_data / "bios" / "bios.csv", keep_default_na=False)
    pd.testing.assert_frame_equal(frame, expected)
