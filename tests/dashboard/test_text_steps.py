"""The way of a reviewer with texts: table, model, words, exchanged texts, model of the group, what to expect."""

import re
from typing import Any

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from core.audits.text_sensitivity.decision import TextSensitivityDecision
from core.audits.text_sensitivity.settings import Edit, TextSensitivity
from core.base.errors import SettingsError
from core.protected_status import NoStatus, TrainedStatus
from core.text.word_lists import GENDER, Pair, WordList
from dashboard.audits.text_sensitivity.setup_swaps import marked
from dashboard.audits.text_sensitivity.word_table import list_of, rows_of
from tests.builders_text import make_archive
from tests.dashboard.walking import (
    assert_sound,
    click,
    draft_of,
    give_role,
    keys,
    named,
    settled,
    texts,
    upload,
)
from tests.dashboard.walking_texts import table_of_texts, with_text_model, with_texts, with_words
from tests.kinds import SHIPPED


def choose(app: AppTest, widgets: Any, key: str, value: Any) -> AppTest:
    named(widgets, key).set_value(value)
    return settled(app)


@pytest.fixture(scope="module")
def words() -> AppTest:
    return with_words()


def test_next_and_run_lead_from_texts_to_a_verdict() -> None:
    app = with_text_model()
    assert_sound(app)
    assert "Recurrent text classifier" in [value for table in app.table for value in table.value.iloc[:, 0]]
    click(app, "step_next")
    assert draft_of(app).tests == ("text_sensitivity",)
    assert "Does the model's answer to a text rely on words" in texts(app)
    click(app, "step_next")
    assert app.title[0].value == "Similar people or words"
    assert_sound(app)
    click(app, "step_next")
    assert_sound(app)
    found = {metric.label: metric.value for metric in app.metric}
    assert found["Texts to measure"] == "about 144"
    assert "5 percentage points" in texts(app)
    click(app, "run_audit")
    assert_sound(app)
    assert re.search("No violation found|Violation found|do not suffice|may (not )?settle it|are needed", texts(app))


def test_a_text_column_makes_the_other_roles_optional_and_says_so() -> None:
    app = with_texts()
    roles = draft_of(app).roles
    assert (roles.text, roles.outcome, roles.protected) == ("text", "job", ("gender",))
    assert "A text is enough to begin with" in texts(app)
    give_role(app, "none", "job")
    give_role(app, "none", "gender")
    assert_sound(app)
    assert draft_of(app).roles.roles is not None
    assert not app.button(key="step_next").disabled
    give_role(app, "none", "text")
    assert app.button(key="step_next").disabled
    assert "a column with decisions or predictions, or the features a model reads." in texts(app)


def test_without_groups_and_outcomes_only_what_can_be_said_is_said() -> None:
    app = with_texts()
    give_role(app, "none", "job")
    give_role(app, "none", "gender")
    upload(click(app, "step_next"), "model.file", "tiny.zip", make_archive())
    assert_sound(app)
    assert "nobody can say how often the model is right" in texts(app)
    assert "Accuracy" not in [metric.label for metric in app.metric]
    click(app, "step_next")
    shut = [
        one.key.rpartition("tests.")[2].partition("~")[0]
        for one in app.checkbox
        if "tests." in one.key and one.disabled
    ]
    why = dict(zip(shut, (one.value for one in app.info if "Not available here." in one.value), strict=True))
    assert sum("This test needs an outcome" in why[name] for name in SHIPPED if name in why) == 4
    click(app, "step_next")
    assert "no protected attribute, so nothing can be learned" in texts(app)
    assert isinstance(draft_of(app).settings(TextSensitivity).status, NoStatus)
    assert draft_of(app).decision(TextSensitivityDecision).measure == "P5"
    click(app, "step_next")
    assert_sound(app)
    assert {metric.label: metric.value for metric in app.metric}["Texts to measure"] == "about 240"


def test_predictions_with_texts_say_that_the_text_test_needs_the_model() -> None:
    labels = np.array(["doctor", "nurse", "teacher"])[np.arange(240) % 3]
    app = click(with_texts(table_of_texts(prediction=labels)), "step_next")
    choose(app, app.radio, "model.way", "A column with predictions")
    assert_sound(app)
    assert "which words an answer rests on: that needs the model itself" in texts(app)
    click(app, "step_next")
    assert "This test looks into a model that reads texts" in texts(app)
    assert named(app.checkbox, "tests.text_sensitivity").disabled


def test_the_words_are_counted_in_the_texts(words: AppTest) -> None:
    click(words, "step_similar")
    found = {metric.label: metric.value for metric in words.metric}
    assert found == {"Texts": "240", "Texts with a listed word": "240", "Texts with words to exchange": "240"}
    table = next(frame.value for frame in words.dataframe if "Counterpart" in frame.value)
    assert len(table) == len(GENDER.pairs)
    assert table.loc[0, "Texts with the word"] + table.loc[0, "Texts with the counterpart"] == 240


def test_a_list_of_ones_own_replaces_the_shipped_one_and_can_be_given_up(words: AppTest) -> None:
    click(words, "step_similar")
    choose(words, words.radio, "words.way.choice", "own")
    assert draft_of(words).settings(TextSensitivity).words.pairs == GENDER.pairs
    upload(words, named(words.file_uploader, "words.file").key, "ours.csv", b"woman,man\nnurse\n")
    assert_sound(words)
    kept = draft_of(words).settings(TextSensitivity).words
    assert kept == WordList(name="ours", pairs=(Pair(word="woman", counterpart="man"),), others=("nurse",))
    assert {metric.label: metric.value for metric in words.metric}["Texts with words to exchange"] != "240"
    choose(words, words.radio, "words.way.choice", "shipped")
    assert draft_of(words).settings(TextSensitivity).words == WordList()


def test_several_lists_are_put_together_and_say_for_whom_they_speak(words: AppTest) -> None:
    click(words, "step_similar")
    choose(words, words.radio, "words.way.choice", "several")
    named(words.multiselect, "words.lists").select("Race: terms").run()
    assert_sound(words)
    kept = draft_of(words).settings(TextSensitivity).words
    assert kept.pairs == GENDER.pairs
    assert [one.about for one in kept.sets] == ["Race"]


def test_texts_are_browsed_and_a_counterpart_is_corrected_and_restored(words: AppTest) -> None:
    click(words, "step_similar")
    assert words.button(key="swaps_previous").disabled
    click(words, "swaps_next")
    assert "Text 2 of 100, drawn at random from 240 texts" in texts(words)
    area = words.text_area[0]
    record = int(str(area.key).partition("~")[0].removeprefix("swap."))
    area.set_value("Somebody else.")
    settled(words)
    assert draft_of(words).settings(TextSensitivity).edits == (Edit(record=record, text="Somebody else."),)
    assert "corrected by hand" in texts(words)
    click(words, f"swap_undo_{record}")
    assert draft_of(words).settings(TextSensitivity).edits == ()
    words.text_area[0].set_value("   ")
    settled(words)
    assert "An empty counterpart is not used." in texts(words)
    assert draft_of(words).settings(TextSensitivity).edits == ()


def test_training_is_asked_for_and_shows_how_often_each_group_is_recognised(words: AppTest) -> None:
    click(words, "step_similar")
    assert isinstance(draft_of(words).settings(TextSensitivity).status, TrainedStatus)
    click(words, "status.train")
    assert_sound(words)
    assert "status.train" not in keys(words)
    table = next(table.value for table in words.table if "gender = female" in table.value.index)
    assert table.index.tolist() == ["gender = female", "gender = male"]
    assert any(all(" to " in str(told) for told in table[column]) for column in table)
    assert re.search(r"trained on 9\d texts of this table; 14\d texts left to measure", texts(words))


def test_a_second_model_leaves_the_verdict_to_the_exchanged_words(words: AppTest) -> None:
    click(words, "step_similar")
    choose(words, words.radio, "reference.way.choice", "own")
    assert words.button(key="step_next").disabled
    assert "Bring the second model, or choose none." in texts(words)
    uploader = named(words.file_uploader, "reference.model.file")
    upload(words, uploader.key, "second.zip", make_archive(seed=3))
    assert_sound(words)
    now = draft_of(words)
    assert now.settings(TextSensitivity).reference is not None
    decision = now.decision(TextSensitivityDecision)
    assert (decision.judged, decision.delta) == ("swaps", 0.05)
    assert "stays about exchanged words. Beside it the result will say how" in texts(words)
    choose(words, words.radio, "reference.way.choice", "none")
    now = draft_of(words)
    assert now.settings(TextSensitivity).reference is None
    decision = now.decision(TextSensitivityDecision)
    assert (decision.judged, decision.delta) == ("swaps", 0.05)


def test_no_model_of_the_group_means_that_the_listed_words_are_measured(words: AppTest) -> None:
    click(words, "step_similar")
    choose(words, words.radio, "status.way.choice", "none")
    assert isinstance(draft_of(words).settings(TextSensitivity).status, NoStatus)
    assert draft_of(words).decision(TextSensitivityDecision).measure == "P5"
    choose(words, words.radio, "status.way.choice", "trained")
    assert draft_of(words).decision(TextSensitivityDecision).measure == "P3"


@pytest.mark.long
def test_classes_may_count_unlike_each_other(words: AppTest) -> None:
    click(words, "step_review")
    assert draft_of(words).settings(TextSensitivity).weights == ()
    words.toggle(key="review.weights.alike").set_value(False)
    settled(words)
    assert_sound(words)
    assert [(one.outcome, one.weight) for one in draft_of(words).settings(TextSensitivity).weights] == [
        ("doctor", 1.0),
        ("nurse", 1.0),
        ("teacher", 1.0),
    ]
    words.toggle(key="review.weights.alike").set_value(True)
    settled(words)
    assert draft_of(words).settings(TextSensitivity).weights == ()


def test_nothing_of_a_text_is_obeyed_when_it_is_shown() -> None:
    text = 'She <script>alert(1)</script> & "he" $x^2$ **b** [l](http://a.b)'
    shown = marked(text, np.array([[0, 3]]))
    assert "<script>" not in shown
    assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;he&quot; $x^2$ **b** [l](http://a.b)" in shown
    assert re.sub(r"<[^>]*>", "", shown).startswith("She &lt;script&gt;")
    assert shown.count("<mark") == 1
    assert ">She</mark>" in shown


def test_an_edited_table_of_words_is_the_list_it_shows() -> None:
    words = WordList(name="ours", pairs=(Pair(word="she", counterpart="he"),), others=("ma",))
    table = rows_of(words, None)
    assert list_of(table, "ours") == words
    added = pd.concat([table, pd.DataFrame({"Word": [None, "aunt", ""], "Counterpart": [None, "uncle", "pa"]})])
    assert list_of(added, "ours") == WordList(
        name="ours", pairs=(*words.pairs, Pair(word="aunt", counterpart="uncle")), others=("ma", "pa")
    )
    table.loc[0, "Word"] = "two words"
    with pytest.raises(SettingsError, match="'two words' is not a single word"):
        list_of(table, "ours")
