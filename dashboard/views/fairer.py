"""What a fairer model would cost: set up, running, or found; found again by the id in the address."""

from core.fairer.result import FairerResult
from core.fairer.settings import FairerPlan
from core.files import FileRef
from dashboard.views import fairer_draft, fairer_results, fairer_setup
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
