"""Choosing a model under a fairness constraint: set up, running, or chosen; found again by the id in the address."""

from core.language.told import say
from core.workflows.selection.record import SELECTION
from core.workflows.selection.result import SelectionResult
from dashboard.views.one_plan import OnePlan
from dashboard.views.selection import draft as selection_draft
from dashboard.views.selection import results as selection_results
from dashboard.views.selection import setup as selection_setup

ONE_PLAN = OnePlan(
    workflow=SELECTION,
    job="select",
    result=SelectionResult,
    about="selection",
    unknown=say("There is no selection of this name on this machine. It may have been run somewhere else."),
    foreign=(
        say("Another version of Evenhand made this selection; its settings cannot be read here."),
        say("Set the selection up again, or repeat it from its record with the version that wrote it."),
    ),
    this=say("this selection"),
    title=say("Choose a model"),
    phase=say("Choosing a model"),
    failed=say("No model was chosen."),
    setup=selection_setup.show,
    show=lambda plan, result, job, ways: selection_results.show(plan, result, job.needs, ways),
    begin=selection_draft.begin,
)


def page() -> None:
    """Show the selection named in the address as it stands, or the form that sets one up."""
    ONE_PLAN.page()
