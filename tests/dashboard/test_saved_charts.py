"""A chart that is saved says what it shows, of which test, model and rows."""

from importlib.metadata import version

from core.run import find
from dashboard.views.results.chart import saved_title
from tests.dashboard.results_made import groups


def test_a_saved_chart_names_test_model_and_rows() -> None:
    plan, result = groups(case="two classes")
    told = saved_title(find(result, plan.decision), "How groups fare")
    whose = f"{result.model.name}, {result.data.rows}"
    assert told == f"How groups fare · Group fairness test, {whose} · Evenhand {version('evenhand')}"
