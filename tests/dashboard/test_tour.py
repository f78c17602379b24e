"""The tour of an example: five captions in the words of the result, closed once and for all by each visitor."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.inference.estimate import Verdict
from core.report.multiple_tests import Together
from core.study import Study
from dashboard.views.results import tour
from tests.dashboard.results_made import several


def page(**address: str) -> AppTest:
    def script() -> None:
        from dashboard.views.results import page as results
        from tests.dashboard.results_made import several

        results.show(*several(excess=0.6, bias=1.0))

    app = AppTest.from_function(script, default_timeout=30)
    for name, value in address.items():
        app.query_params[name] = value
    return app.run()


def shown(app: AppTest) -> str:
    return "".join(one.value for one in app.markdown if "This audit in five captions" in one.value)


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EVENHAND_HOME", str(tmp_path))


def test_who_ran_an_example_gets_a_tour_that_stays_closed() -> None:
    assert not shown(page()), "only who comes from an example"
    app = page(tour="yes")
    assert not app.exception
    told = shown(app)
    assert [f"{n}. **" in told for n in range(1, 7)] == [True] * 5 + [False]
    assert not app.get("dialog")
    app.button(key="tour_close").click().run()
    assert not app.exception
    assert not shown(app)
    assert not shown(page(tour="yes")), "and in every later session"


@pytest.mark.parametrize(("excess", "bias"), [(0.6, 1.0), (0.0, 0.0)])
def test_captions_are_short_and_say_what_the_page_says(excess: float, bias: float) -> None:
    told = dict(tour.captions(Together.of(*several(excess=excess, bias=bias))))
    assert list(told) == ["What was asked?", "Of whom?", "How much?", "How sure?", "What next?"]
    for said in told.values():
        assert said.endswith((".", "?"))
        assert max(len(sentence.split()) for sentence in said.split(". ")) <= 30


def test_a_test_alone_that_stays_open_says_what_to_do_next() -> None:
    study, results = several(excess=0.6, bias=1.0)[:2]
    alone = Study(plans=study.plans[:1])
    (claim, *_) = Together.of(alone, results[:1]).findings[0].claims
    at_the_estimate = alone.plans[0].decision.model_copy(update={"delta": claim.estimate})
    together = Together.of(alone.read((at_the_estimate,)), results[:1])
    assert together.verdict is Verdict.INSUFFICIENT
    assert dict(tour.captions(together))["What next?"].startswith(
        "Compare how often each group gets the favourable answer"
    )
