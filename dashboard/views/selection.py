"""Choosing a model under a fairness constraint: set up, running, or chosen; found again by the id in the address."""

from core.selection.result import SelectionResult
from core.selection.settings import SelectionPlan
from dashboard.views import selection_draft, selection_results, selection_setup
from dashboard.views.one_plan import OnePlan

_SELECTION = OnePlan(
    name="selection",
    job="select",
    plan=SelectionPlan,
    result=SelectionResult,
    about="selection",
    title="Choose a model",
    phase="Choosing a model",
    failed="No model was chosen.",
    setup=selection_setup.show,
    show=lambda plan, result, job: selection_results.show(plan, result),
    begin=selection_draft.begin,
)


def page() -> None:
    """Show the selection named in the address as it stands, or the form that sets one up."""
    _SELECTION.page()
