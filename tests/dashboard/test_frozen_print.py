"""The PDF of a signed audit is the signed report on paper, with who signed it, when, and its hash on every page."""

import datetime

import pytest
from streamlit.testing.v1 import AppTest

from core.register.entry import Entry, Status, Summary
from core.report.statement import Statement
from dashboard.views.register import frozen

SIGNED_AT = 1.79e9


def entry(**values: object) -> Entry:
    kept = {
        "id": "e1",
        "owner": "anna",
        "job": "j1",
        "workflow": "audit",
        "made": 1.0,
        "plan": {},
        "summary": Summary(),
    }
    signed = {"status": Status.SIGNED, "signed": SIGNED_AT, "signed_by": "ben", "documents": {"report": "ab12" * 16}}
    return Entry.model_validate({**kept, **signed, "summary": Summary(), **values})


@pytest.mark.parametrize("report", ["<html><head></head><body>Signed by hand.</body></html>", "<p>old"])
def test_it_prints_the_bytes_that_were_signed(monkeypatch: pytest.MonkeyPatch, report: str) -> None:
    given: dict[str, object] = {}

    def printed(page: str, paper: str, **options: object) -> bytes:
        given.update(page=page, paper=paper, **options)
        return b"%PDF"

    monkeypatch.setattr(frozen, "to_pdf", printed)
    stated = Statement(reviewer="Rene Reviewer", standard="ll144")
    assert frozen.printed(entry(statement=stated), report.encode()) == b"%PDF"
    assert (given["page"], given["paper"]) == (report, "Letter")
    assert (
        given["foot"]
        == f"Rene Reviewer · 21 September 2026, 14:13 UTC\nSHA-256 of the report file (HTML): {'ab12' * 16}"
    )
    withdrawn = entry(statement=stated, status=Status.WITHDRAWN)
    frozen.printed(withdrawn, report.encode())
    assert str(given["foot"]).startswith("WITHDRAWN: what was signed here no longer holds.\nRene Reviewer")
    assert "_withdrawn_report" in frozen.file_name(withdrawn, "report", datetime.date(2026, 9, 21))


def test_whoever_reviews_it_gets_the_report_printed_once_where_a_browser_is(monkeypatch: pytest.MonkeyPatch) -> None:
    printed: list[str] = []

    def to_pdf(page: str, *_: object, foot: str) -> bytes:
        printed.append(page + foot)
        return b"%PDF"

    monkeypatch.setattr(frozen, "to_pdf", to_pdf)
    monkeypatch.setattr(frozen, "documents", lambda *_: {"record": b"{}", "report": b"<p>To review"})
    unsigned = entry(status=Status.IN_REVIEW, signed=0.0, signed_by="", documents={})
    monkeypatch.setattr(frozen, "chromium", lambda: None)
    assert list(frozen.to_review(unsigned)) == ["record", "report"]
    monkeypatch.setattr(frozen, "chromium", lambda: "/usr/bin/chromium")
    for _ in range(2):
        assert frozen.to_review(unsigned) == {"record": b"{}", "report": b"<p>To review", "print": b"%PDF"}
    assert printed == ["<p>To review"], "however many open the link"


def test_it_is_saved_in_the_place_of_the_button_that_printed_it_or_tried_again_there() -> None:
    def script() -> None:
        import streamlit as st

        from core.base.errors import SettingsError
        from dashboard.views.downloads import offer_printed

        def write() -> bytes:
            if st.session_state.setdefault("tries", 0) == 0:
                st.session_state["tries"] = 1
                raise SettingsError("No browser.")
            return b"%PDF"

        offer_printed("Report (PDF)", write, "report.pdf", key="pdf", help="The same on paper.")

    app = AppTest.from_function(script, default_timeout=30).run()
    app.button(key="pdf").click().run()
    assert [one.label for one in app.button] == ["Report (PDF): try again"]
    assert "No browser" in app.error[0].value
    app.button(key="pdf_again").click().run()
    assert not app.exception
    assert not [*app.error, *app.button]
    assert [one.proto.label for one in app.get("download_button")] == ["Report (PDF): ready to save"]
    (pressed,) = [one.proto.body for one in app.get("html")]
    assert ".st-key-pdf_save button" in pressed, "one click is enough"
