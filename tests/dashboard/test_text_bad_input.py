"""Bad tables of texts, models and lists through the pages: each ends in sentences, and nothing of a stranger's runs."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from core.audits.text_sensitivity.decision import TextSensitivityDecision
from core.audits.text_sensitivity.settings import TextSensitivity
from core.base.files import FileStore
from core.base.progress import ignore_progress
from core.models.formats.lstm.network import write_archive
from core.protected_status import UploadedStatus
from dashboard.jobs.tasks import TASKS
from tests import builders_hugging_face as build
from tests.builders_text import make_archive, make_network, make_texts, make_tokeniser, tokeniser_json
from tests.dashboard.bad_files import GOOD, archive, evil_pickle, network
from tests.dashboard.walking import (
    assert_sound,
    click,
    draft_of,
    give_role,
    home_folder,
    keys,
    named,
    settled,
    texts,
    upload,
)
from tests.dashboard.walking_texts import table_of_texts, with_text_model, with_texts, with_words

ROWS = 120
SENTINEL = str(home_folder() / "ran")
"""A folder that the hostile pickle would make."""


def choose(app: AppTest, widgets: Any, key: str, value: Any) -> AppTest:
    named(widgets, key).set_value(value)
    return settled(app)


BACKTRACKS = tokeniser_json(
    pre_tokenizer={"type": "Split", "pattern": {"Regex": "(a+)+$"}, "behavior": "Isolated", "invert": False}
)


@pytest.fixture(scope="module")
def model_page() -> AppTest:
    """The second step, where no model was accepted yet."""
    return click(with_texts(table_of_texts(ROWS)), "step_next")


def bombing_tokeniser() -> bytes:
    """A tokeniser that makes 64 letters of every s, twenty times over."""
    longer = {"type": "Replace", "pattern": {"String": "s"}, "content": "s" * 64}
    return tokeniser_json(normalizer={"type": "Sequence", "normalizers": [longer] * 20})


def test_empty_texts_are_counted_and_left_out() -> None:
    frame = make_texts(ROWS)
    written = np.where(np.arange(ROWS) % 10 == 0, np.where(np.arange(ROWS) % 20 == 0, "", "   "), frame["text"])
    app = with_texts(table_of_texts(ROWS, text=written))
    if draft_of(app).roles.text is None:
        give_role(app, "text", "text")
    assert_sound(app)
    assert {metric.label: metric.value for metric in app.metric}["Rows to audit"] == "108"
    assert "12" in texts(app)


def test_judgements_that_are_neither_0_nor_1_are_refused_with_the_row() -> None:
    app = with_texts(table_of_texts(ROWS, judged=np.where(np.arange(ROWS) == 4, 7, np.arange(ROWS) % 2)))
    give_role(app, "annotation", "judged")
    assert_sound(app)
    assert "'7' is the first" in texts(app)
    assert "column 'judged', row 5" in texts(app)
    assert app.button(key="step_next").disabled


def test_a_corpus_of_one_class_can_be_tested_without_a_word_about_right_and_wrong() -> None:
    app = with_texts(table_of_texts(ROWS, job="nurse"))
    assert_sound(app)
    give_role(app, "none", "job")
    app = upload(click(app, "step_next"), "model.file", "tiny.zip", make_archive())
    assert_sound(app)
    assert "nobody can say how often the model is right" in texts(app)


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("notes.zip", lambda: archive({"notes.txt": b"hello"}), "no model file"),
        ("cut.zip", lambda: archive({"config.json": b"{}"})[:40], "damaged or cut off"),
        ("pickled.zip", lambda: archive({"config.json": b"{}", "pytorch_model.bin": evil_pickle(SENTINEL)}), "pickle"),
        ("code.zip", lambda: build.zipped(build.folder(build.network(), evil__py=b"import os")), "program code"),
        (
            "regex.zip",
            lambda: build.zipped(build.folder(build.network(), tokenizer__json=BACKTRACKS)),
            "expression of its own",
        ),
        ("lost.zip", lambda: build.zipped(build.folder(build.network(), tokenizer__json=None)), "no tokenizer.json"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_wrong_and_hostile_archives_end_in_a_sentence(
    model_page: AppTest, name: str, content: Callable[[], bytes], says: str
) -> None:
    app = upload(model_page, "model.file", name, content())
    assert_sound(app)
    assert says in texts(app)
    assert app.button(key="step_next").disabled
    assert not Path(SENTINEL).exists()


@pytest.mark.long
def test_a_tokeniser_that_explodes_ends_in_a_sentence(model_page: AppTest) -> None:
    content = build.zipped(build.folder(build.network(), tokenizer__json=bombing_tokeniser()))
    app = upload(model_page, "model.file", "bomb.zip", content)
    assert_sound(app)
    assert "okeniser" in texts(app)
    assert app.button(key="step_next").disabled


def test_a_model_of_several_labels_asks_for_one_and_lists_them() -> None:
    model = build.network(outputs=3)
    config = build.config_of(
        model, problem_type="multi_label_classification", id2label={"0": "kind", "1": "rude", "2": "x"}
    )
    app = with_texts(table_of_texts(ROWS))
    give_role(app, "none", "job")
    app = upload(click(app, "step_next"), "model.file", "labels.zip", build.zipped(build.folder(model, config)))
    assert_sound(app)
    assert "Choose the label to audit: kind, rude, x." in texts(app)
    named(app.text_input, "model.form.HuggingFaceFolder.label").set_value("rude")
    settled(app)
    assert_sound(app)
    assert not app.button(key="step_next").disabled
    assert "not rude" in str([table.value.to_dict() for table in app.table])


def test_a_model_of_columns_meets_a_table_of_texts_in_words(model_page: AppTest) -> None:
    app = upload(model_page, "model.file", "net.safetensors", network(2, 3))
    assert_sound(app)
    assert app.button(key="step_next").disabled
    assert "No column is chosen as a feature" in texts(app)


def test_a_text_model_meets_a_table_of_people_in_words() -> None:
    app = upload(click(with_texts(GOOD), "step_next"), "model.file", "tiny.zip", make_archive())
    assert_sound(app)
    assert "no column of the table is chosen as the text" in texts(app)
    assert app.button(key="step_next").disabled


def test_no_listed_word_in_any_text_is_said_and_shuts_the_step_without_a_model_of_the_group() -> None:
    app = with_words(table_of_texts(ROWS, text=[f"Dr Doe works in town number {row} of many." for row in range(ROWS)]))
    assert_sound(app)
    assert "None of these words occurs in any text" in texts(app)
    choose(app, app.radio, "status.way.choice", "none")
    assert app.button(key="step_next").disabled
    assert "None of the words occurs in any text, and no model says" in texts(app)


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("three.csv", b"she,he\naunt,uncle,cousin\n", "three.csv, line 2"),
        ("bad.json", b'[["she", 3]]', "bad.json, entry 1"),
        ("picture.txt", b"\x89PNG\r\n\x1a\n\x00\x00", "picture.txt"),
        ("empty.csv", b"", "holds no word"),
    ],
)
def test_a_bad_list_of_words_is_refused_with_its_line(
    words_page: AppTest, name: str, content: bytes, says: str
) -> None:
    app = click(words_page, "step_similar")
    choose(app, app.radio, "words.way.choice", "own")
    before = draft_of(app).settings(TextSensitivity).words
    upload(app, named(app.file_uploader, "words.file").key, name, content)
    assert_sound(app)
    assert says in texts(app)
    assert draft_of(app).settings(TextSensitivity).words == before


def test_a_list_of_words_without_counterparts_is_taken_and_what_it_cannot_do_is_said(words_page: AppTest) -> None:
    app = click(words_page, "step_similar")
    choose(app, app.radio, "words.way.choice", "own")
    upload(app, named(app.file_uploader, "words.file").key, "single.csv", b"she\nhe\nthe\n")
    assert_sound(app)
    assert draft_of(app).settings(TextSensitivity).words.others == ("she", "he", "the")
    assert "The words found have no counterpart, so nothing can be exchanged" in texts(app)


@pytest.fixture(scope="module")
def words_page() -> AppTest:
    return with_words(table_of_texts(ROWS))


def status_archive(**changes: Any) -> bytes:
    """A model of gender with another tokeniser than the tiny model's."""
    words = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "she", "he", "woman", "man", "the")
    return write_archive(make_network(tokeniser=make_tokeniser(words=words), **changes))


def test_a_model_of_the_group_with_another_tokeniser_is_used_and_found_weak(words_page: AppTest) -> None:
    app = click(words_page, "step_similar")
    choose(app, app.radio, "status.way.choice", "uploaded")
    assert app.button(key="step_next").disabled
    uploader = named(app.file_uploader, "status.model.file").key
    upload(app, uploader, "psm.zip", status_archive(classes=("female", "male")))
    assert_sound(app)
    assert isinstance(draft_of(app).settings(TextSensitivity).status, UploadedStatus)
    assert "This model is weak." in texts(app)
    click(app, "status.lists")
    assert_sound(app)
    assert draft_of(app).settings(TextSensitivity).status.kind == "none"
    assert draft_of(app).decision(TextSensitivityDecision).measure == "P5"


def test_a_model_of_other_groups_cannot_be_judged_and_says_so(words_page: AppTest) -> None:
    app = click(words_page, "step_similar")
    choose(app, app.radio, "status.way.choice", "uploaded")
    uploader = named(app.file_uploader, "status.model.file").key
    upload(app, uploader, "old.zip", status_archive(classes=("old", "young")))
    assert_sound(app)
    assert "How well it tells the groups apart is not known" in texts(app)


def test_a_zip_that_is_no_text_model_is_no_second_model(words_page: AppTest) -> None:
    app = click(words_page, "step_similar")
    choose(app, app.radio, "reference.way.choice", "own")
    uploader = named(app.file_uploader, "reference.model.file").key
    upload(app, uploader, "net.safetensors", network(2, 3))
    assert_sound(app)
    assert "one that reads texts is needed here" in texts(app)
    upload(app, uploader, "other.zip", make_archive(classes=("cook", "nurse", "teacher")))
    assert_sound(app)
    assert app.button(key="step_next").disabled
    assert "no class for the outcome 'doctor'" in texts(app)
    choose(app, app.radio, "reference.way.choice", "none")
    assert draft_of(app).settings(TextSensitivity).reference is None


def test_a_text_full_of_markup_is_shown_letter_by_letter() -> None:
    evil = "She <script>alert(1)</script> **is** :red[a] $x$ nurse"
    app = with_words(table_of_texts(ROWS, text=[f"{evil} {row}" for row in range(ROWS)]))
    assert_sound(app)
    shown = "".join(str(element.proto.body) for element in app.get("html"))
    assert "<script>" not in shown
    assert "&lt;script&gt;alert(1)&lt;/script&gt; **is** :red[a] $x$ nurse" in shown


def test_the_preview_trains_what_the_audit_then_uses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same report to the last digit, and the second training is only remembered."""
    from core.audits.text_sensitivity.settings import TextSensitivity
    from core.data.roles import Roles
    from core.models.formats.lstm.source import LstmArchive
    from core.plan import AuditPlan
    from core.protected_status import TrainedStatus
    from core.records.codec import load_result
    from core.sources.upload.uploaded import UploadedTable
    from core.study import Study
    from dashboard.audits.text_sensitivity.tasks import StatusPreview
    from dashboard.jobs.answers import unpack

    monkeypatch.setenv("EVENHAND_HOME", str(tmp_path))
    files = FileStore()
    plan = AuditPlan(
        data=UploadedTable(file=files.put(table_of_texts(ROWS), "texts.csv")),
        roles=Roles(text="text", protected=("gender",)),
        model=LstmArchive(file=files.put(make_archive(), "tiny.zip")),
        audit=TextSensitivity(status=TrainedStatus(epochs=2)),
        seed=3,
    )
    tree = json.loads(plan.model_dump_json())
    asked = {"source": tree["data"], "roles": tree["roles"], "model": tree["model"], "seed": 3}
    asked |= {"status": tree["audit"]["status"]}
    seen = unpack(TASKS["train_status"].run(asked, files, ignore_progress), StatusPreview)
    kept = {path.name for path in (tmp_path / "status").iterdir()}
    assert kept
    study = json.loads(Study(plans=(plan,)).model_dump_json())
    TASKS["audit"].run({"study": study}, files, ignore_progress)
    detail = load_result(tmp_path / "results" / plan.result_fingerprint).detail
    assert detail.status.name == seen.report.name
    np.testing.assert_array_equal(detail.status.accuracy, seen.report.accuracy)
    assert len(detail.label) == seen.measured
    assert {path.name for path in (tmp_path / "status").iterdir()} == kept


def test_a_text_model_is_unsuited_to_no_test_without_a_reason() -> None:
    app = with_text_model(
        table_of_texts(ROWS, job=np.array(["doctor", "nurse"])[np.arange(ROWS) % 2]), classes=("doctor", "nurse")
    )
    choose(app, app.radio, "model.way", "A model file")
    click(app, "step_data")
    choose(app, app.selectbox, "roles.favourable.job", "doctor")
    click(click(app, "step_next"), "step_next")
    assert_sound(app)
    assert texts(app).count("Not available here.") == 1
    assert "Not available here. This test changes columns of a table, and the model reads texts." in texts(app)
    assert "test_sensitivity" not in keys(app)
