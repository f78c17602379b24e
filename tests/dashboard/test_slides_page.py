"""The page of the slides: order, captions, hiding, and an address that nobody wrote."""

from streamlit.testing.v1 import AppTest


def page() -> AppTest:
    def script() -> None:
        import datetime

        from core.records.audits import AUDITS
        from core.report.names import FileNames
        from dashboard.views.slides import page as slides
        from tests.core.slides.made import audit

        names = FileNames.of("model", "audit", datetime.date(2026, 11, 23))
        slides.show(slides.Presented(AUDITS, *audit("gradient_flow"), names, job="somebody"))

    app = AppTest.from_function(script, default_timeout=60)
    app.session_state["slides_arranging"] = True
    return app.run()


def keys(app: AppTest) -> list[str]:
    """The slides in the frame, in their order."""
    return [part.partition('"')[0] for part in frame(app).split('<section class="slide" id="')[1:]]


def frame(app: AppTest) -> str:
    return str(app.get("iframe")[0].proto.srcdoc)


def test_slides_are_moved_renamed_and_hidden() -> None:
    app = page()
    assert keys(app) == ["verdict", "question", "sure-1", "who-1", "doubts", "proposal"]
    app.text_input(key="slide_caption_verdict").input("What we <b>found</b>")
    app.button(key="slide_down_verdict").click().run()
    app.toggle(key="slide_shown_doubts").set_value(False).run()
    assert keys(app) == ["question", "verdict", "sure-1", "who-1", "proposal"]
    assert "What we &lt;b&gt;found&lt;/b&gt;" in frame(app)
    assert not app.exception
    for key in ("question", "verdict", "sure-1", "who-1", "proposal"):
        app.toggle(key=f"slide_shown_{key}").set_value(False).run()
    assert "All slides are hidden" in app.error[0].value
    assert not app.get("iframe")


def test_an_address_of_nothing_says_so() -> None:
    def script() -> None:
        from dashboard.views.slides import page as slides

        slides.page()

    app = AppTest.from_function(script, default_timeout=60).run()
    assert "no finished result" in app.info[0].value
