"""The results page of a made result, as Streamlit runs it."""

from dataclasses import dataclass
from typing import Any

from streamlit.testing.v1 import AppTest

from core.study import Study
from dashboard.views.results.widgets import widget_key
from tests.dashboard import results_made
from tests.dashboard.results_text import unescaped, written


@dataclass(frozen=True)
class ResultsPage:
    """The page of what one function of :mod:`tests.dashboard.results_made` makes.

    Attributes:
        made: The function's name.
        tab: The tab that is open where no other is asked for.
    """

    made: str
    tab: str = "Why"

    def __call__(self, tab: str = "", decision: object = None, **shape: Any) -> AppTest:
        """The page, not run yet: of a result of this shape, read under these decision settings or the plan's own."""

        def script(made: str, decision: object, shape: dict[str, object]) -> None:
            from core.study import Study
            from dashboard.views.results import page as results
            from tests.dashboard import results_made

            plan, result = getattr(results_made, made)(**shape)
            read = plan if decision is None else plan.model_copy(update={"decision": decision})
            results.show(Study(plans=(read,)), (result,))

        app = AppTest.from_function(script, default_timeout=60, args=(self.made, decision, shape))
        app.session_state[self.key("view", **shape)] = tab or self.tab
        return app

    def key(self, field: str, **shape: Any) -> str:
        """The key of the widget of a decision setting."""
        plan = getattr(results_made, self.made)(**shape)[0]
        return widget_key(field, Study(plans=(plan,)) if field == "alpha" else plan)


def assert_escaped(app: AppTest) -> None:
    """No mark of a hostile table has any effect."""
    left = unescaped(written(app))
    for mark in ("<b", "<i", "<img", "](", "$", ":red", "~~", "`"):
        assert mark not in left
