"""Models beside each other: set up, running, or found; found again by the id in the address."""

from core.language.told import say
from core.workflows.comparison.record import COMPARISON
from core.workflows.comparison.result import ComparisonResult
from dashboard.views.comparison import results as comparison_results
from dashboard.views.comparison import setup as comparison_setup
from dashboard.views.one_plan import OnePlan

ONE_PLAN = OnePlan(
    workflow=COMPARISON,
    job="compare",
    result=ComparisonResult,
    about="comparison",
    unknown=say("There is no comparison of this name on this machine. It may have been run somewhere else."),
    foreign=(
        say("Another version of Evenhand made this comparison; its settings cannot be read here."),
        say("Set the comparison up again, or repeat it from its record with the version that wrote it."),
    ),
    this=say("this comparison"),
    title=say("Compare models"),
    phase=say("Auditing the models"),
    failed=say("The models were not compared."),
    setup=comparison_setup.show,
    show=lambda plan, result, job, ways: comparison_results.show(plan, result, ways),
    begin=comparison_setup.begin,
)


def page() -> None:
    """Show the comparison named in the address as it stands, or the form that sets one up."""
    ONE_PLAN.page()
