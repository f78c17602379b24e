"""The glossary page shows every term and narrows it to what is typed."""

from streamlit.testing.v1 import AppTest

from core.report.glossary import glossary


def app() -> None:
    from dashboard.views.glossary import page as view

    view.page()


def shown(at: AppTest) -> str:
    return "\n".join(element.value for element in at.markdown)


def test_every_term_is_shown_at_first() -> None:
    at = AppTest.from_function(app).run()
    assert not at.exception
    assert all(f"**{term.name}**" in shown(at) for term in glossary())


def test_a_symbol_narrows_the_list() -> None:
    at = AppTest.from_function(app).run()
    at.text_input[0].input("κ").run()
    assert "**Stability number**" in shown(at)
    assert "**Seed**" not in shown(at)


def test_nothing_found_says_what_to_try() -> None:
    at = AppTest.from_function(app).run()
    at.text_input[0].input("zebra").run()
    assert shown(at) == ""
    assert "Try a shorter word" in at.caption[0].value
