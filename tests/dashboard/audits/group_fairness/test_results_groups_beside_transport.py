"""One audit with an equalized odds test and a transport test: Holm's adjustment wherever it stands."""

import json
import re

import pytest
from streamlit.testing.v1 import AppTest

from core import audits
from core.language.phrases import p_value
from core.records.audits import AUDITS
from core.report.html import render
from core.report.multiple_tests import Together
from dashboard.audits.generic import pages_of
from dashboard.text import literal
from dashboard.views.results.page import RECORD
from dashboard.views.results.widgets import widget_key
from tests.dashboard.results_made import groups_beside_transport
from tests.dashboard.results_text import told, verdict_boxes

KINDS = ("transport", "equalized_odds")
TRANSPORT, GROUPS = (audits.KINDS[kind].title for kind in KINDS)


def page(test: str = TRANSPORT, bias: float = 0.5) -> AppTest:
    def script(bias: float) -> None:
        from dashboard.views.results import page as results
        from tests.dashboard.results_made import groups_beside_transport

        results.show(*groups_beside_transport(bias))

    app = AppTest.from_function(script, default_timeout=30, args=(bias,))
    app.session_state[widget_key("test", groups_beside_transport(bias)[0])] = test
    return app


def by_hand(first: float, second: float) -> tuple[float, float]:
    """Holm (1979) for two: the smaller p-value twice, the larger one once but never below the other's."""
    low, high = sorted((first, second))
    smaller = min(2 * low, 1.0)
    larger = max(smaller, high)
    return (smaller, larger) if first <= second else (larger, smaller)


@pytest.fixture(scope="module", params=[0.5, 0.0], ids=["both find a violation", "neither does"])
def expected(request: pytest.FixtureRequest) -> tuple[float, tuple[float, ...], tuple[float, ...]]:
    """How much the answers look at race and sex, the p-values of both tests, and the same adjusted by hand."""
    study, results = groups_beside_transport(request.param)
    raw = tuple(test["numbers"]["p_value"] for test in json.loads(AUDITS.to_json(study, results))["tests"])
    return request.param, raw, by_hand(*raw)


def test_page_report_and_record_say_the_same_adjusted_p_values(
    expected: tuple[float, tuple[float, ...], tuple[float, ...]],
) -> None:
    bias, raw, adjusted = expected
    study, results = groups_beside_transport(bias)
    record = json.loads(AUDITS.to_json(study, results))
    assert [test["adjusted_p_value"] for test in record["tests"]] == pytest.approx(adjusted, rel=1e-12)
    table = next(one.value for one in page(bias=bias).run().table if "p-value" in one.value)
    for column, values in (("p-value", raw), ("Adjusted p-value (Holm)", adjusted)):
        shown = [cell.replace("\\", "").replace("\u00a0", " ") for cell in table[literal(column)]]
        assert shown == [p_value(value) for value in values]
    report = re.sub(r"<[^>]+>", " ", render(study, results))
    assert "adjusted for 2 tests (Holm)" in report
    for value in adjusted:
        assert f"adjusted p-value {p_value(value)}".replace("<", "&lt;").replace(">", "&gt;") in report


def test_the_smallest_p_value_counts_twice_and_the_other_once() -> None:
    """None of 400 transport draws leaves the tolerance, 7 of 1,999 of the gap do; the gap of two attributes is told."""
    assert Together.of(*groups_beside_transport()).adjusted == pytest.approx((2 / 401, 2 * 8 / 2000), rel=1e-12)
    (box, card), *_ = verdict_boxes(page().run())
    assert box == "error"
    assert "more in 100 would be judged wrongly" in card


@pytest.mark.parametrize("place", [0, 1])
def test_every_tab_of_both_tests_opens(place: int) -> None:
    app = page((TRANSPORT, GROUPS)[place])
    study, results = groups_beside_transport()
    for tab in pages_of(audits.KINDS[KINDS[place]]).view.tabs_of(results[place]):
        app.session_state[widget_key("view", study.plans[place])] = tab
        app.run()
        assert not app.exception
        assert f"Adjusted for 2 tests: **{('0.0050', '0.0080')[place]}**" in told(app)


def test_the_record_tells_the_settings_of_both() -> None:
    app = page(RECORD).run()
    assert not app.exception
    for own in ("Columns that tell people apart", "Fair dummies", TRANSPORT, GROUPS):
        assert own in told(app)
