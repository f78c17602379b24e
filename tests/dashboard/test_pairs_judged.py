"""Two people side by side: what is said of them teaches the metric, is kept, and can be taken along."""

import pytest
from streamlit.testing.v1 import AppTest

from core.metrics.comparable_pairs import ComparablePairs
from tests.dashboard.walking import assert_sound, click, draft_of, named, settled, texts, with_tests


@pytest.fixture
def app() -> AppTest:
    app = with_tests()
    named(app.radio, "metric.kind").set_value("comparable_pairs")
    return settled(app)


def pairs_of(app: AppTest) -> tuple:
    metric = draft_of(app).audits["gradient_flow"].metric
    return metric.pairs if isinstance(metric, ComparablePairs) else ()


def test_the_step_begins_with_a_question_and_two_people(app: AppTest) -> None:
    assert_sound(app)
    assert "Which differences must not matter?" in texts(app)
    assert "Are these two similar?" in texts(app)
    assert "Judge some pairs" in texts(app)
    assert any("≠" in name for frame in app.dataframe for name in map(str, frame.value.index))


def test_similar_pairs_teach_the_metric_others_do_not_and_none_is_asked_twice(app: AppTest) -> None:
    for said in ("similar", "not_similar", "skipped", "similar"):
        click(app, f"metric.pairs.judge_{said}")
        assert_sound(app)
    assert "4 pairs judged: 2 similar, 1 not, 1 skipped" in texts(app)
    assert "Pair 5 of 60" in texts(app)
    pairs = pairs_of(app)
    assert len(pairs) == 2
    assert len({row for pair in pairs for row in pair}) == 4


def test_judgements_outlive_the_page_and_can_be_begun_again(app: AppTest) -> None:
    click(app, "metric.pairs.judge_similar")
    assert len(pairs_of(app)) == 1
    click(click(app, "step_back"), "step_next")
    assert "1 pair judged: 1 similar" in texts(app)
    click(app, "metric.pairs.judge_again")
    assert "Pair 1 of 60" in texts(app)
    assert "Judge some pairs" in texts(app)
