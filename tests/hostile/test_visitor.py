"""Who a visitor is: the browser's cookie, and nobody else's session."""

from streamlit.testing.v1 import AppTest

from dashboard import visitor
from dashboard.visitor import LOCAL

SECRET = "0123456789abcdef" * 2


def app() -> None:
    import streamlit as st

    from dashboard.visitor import visitor

    st.write(visitor())


def test_without_a_browser_there_is_one_visitor() -> None:
    assert visitor.visitor() == LOCAL
    assert AppTest.from_function(app).run().markdown[0].value == LOCAL


def test_a_browser_is_known_by_its_cookie_whatever_the_session() -> None:
    assert visitor._name(SECRET, "one") == visitor._name(SECRET, "two")
    assert visitor._name(SECRET, "one") != visitor._name(SECRET[::-1], "one")


def test_the_name_does_not_give_the_cookie_away() -> None:
    assert visitor._name(SECRET, "one") not in (SECRET, LOCAL)


def test_a_browser_without_a_cookie_or_with_an_invented_one_shares_nothing() -> None:
    names = {visitor._name(cookie, session) for cookie in (None, "", "local", LOCAL) for session in ("one", "two")}
    assert len(names) == 2
    assert LOCAL not in names
