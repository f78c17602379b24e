"""What a fairer model would cost: set up, running, or found; found again by the id in the address."""

from core.base.files import FileRef
from core.language.told import say
from core.workflows.mitigation.record import MITIGATION
from core.workflows.mitigation.result import MitigationResult
from dashboard.views.fairer import draft as mitigation_draft
from dashboard.views.fairer import results as mitigation_results
from dashboard.views.fairer import setup as mitigation_setup
from dashboard.views.one_plan import OnePlan

ONE_PLAN = OnePlan(
    workflow=MITIGATION,
    job="fairer",
    result=MitigationResult,
    about="comparison",
    unknown=say("There is no comparison of this name on this machine. It may have been run somewhere else."),
    foreign=(
        say("Another version of Evenhand made this comparison; its settings cannot be read here."),
        say("Set the comparison up again, or repeat it from its record with the version that wrote it."),
    ),
    this=say("this comparison"),
    title=say("What would a fairer model cost?"),
    phase=say("Fitting the models"),
    failed=say("The models were not all fitted."),
    setup=mitigation_setup.show,
    show=lambda plan, result, job, ways: mitigation_results.show(
        plan, result, FileRef.model_validate(job.answer["rows"]), ways
    ),
    begin=mitigation_draft.begin,
)


def page() -> None:
    """Show the comparison named in the address as it stands, or the form that sets one up."""
    ONE_PLAN.page()
