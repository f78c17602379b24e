"""The page of case studies shows every stored table beside the printed numbers."""

from streamlit.testing.v1 import AppTest

from core.language.reader import speaking
from core.workflows.papers.outcome import stored


def app() -> None:
    from dashboard.views.papers import page as view

    view.page()


def test_the_first_stored_table_is_shown_with_its_verdicts_and_another_one_can_be_chosen() -> None:
    at = AppTest.from_function(app).run()
    assert not at.exception
    first, *_, last = stored().values()
    assert at.header[0].value == first.headline
    assert [list(row) for row in at.table[0].value.to_numpy()] == [list(row[1:]) for row in first.table.rows]
    at.selectbox[0].set_value(last.item.name).run()
    assert at.header[0].value == last.headline
    assert last.command in at.code[0].value


def test_an_address_opens_one_and_an_unknown_one_the_first() -> None:
    at = AppTest.from_function(app)
    at.query_params["name"] = "sensitivity-appendix-a"
    assert at.run().header[0].value == stored()["sensitivity-appendix-a"].headline
    at = AppTest.from_function(app)
    at.query_params["name"] = "unknown"
    assert at.run().header[0].value == next(iter(stored().values())).headline


def test_words_of_a_stored_outcome_are_the_readers() -> None:
    with speaking("de"):
        outcome = stored()["sensitivity-appendix-a"]
        assert outcome.item.title == "Anhang A: Haar, das das Geschlecht verrät"
        assert outcome.table.header[2] == "Gedruckt"
