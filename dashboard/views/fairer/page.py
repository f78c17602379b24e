"""What a fairer model would cost: set up, running, or found; found again by the id in the address."""

from core.files import FileRef
from core.workflows.mitigation.result import FairerResult
from core.workflows.mitigation.settings import FairerPlan
from dashboard.views.fairer import draft as fairer_draft
from dashboard.views.fairer import results as fairer_results
from dashboard.views.fairer import setup as fairer_setup
from dashboard.views.one_plan import OnePlan

_FAIRER = OnePlan(
    name="fairer",
    job="fairer",
    plan=FairerPlan,
    result=FairerResult,
    about="comparison",
    title="What would a fairer model cost?",
    phase="Fitting the models",
    failed="The models were not all fitted.",
    setup=fairer_setup.show,
    show=lambda plan, result, job: fairer_results.show(plan, result, FileRef.model_validate(job.answer["rows"])),
    begin=fairer_draft.begin,
)


def page() -> None:
    """Show the comparison named in the address as it stands, or the form that sets one up."""
    _FAIRER.page()
