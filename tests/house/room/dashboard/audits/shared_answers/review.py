"""The shared-answers test on the review page."""

from core.audits.shared_answers.planning import SharedAnswersPilot
from core.audits.shared_answers.settings import SharedAnswers

from core.plan import AuditPlan
from dashboard import forms
from dashboard.draft import Draft
from dashboard.views.review.expectation import Expectation, Tile


def facts(plan: AuditPlan) -> dict[str, str]:
    """What will be run, in words."""
    return {"Shared answers test": "whether every answer is given to people of all groups"}


def settings(draft: Draft) -> SharedAnswers | None:
    """How finely answers are told apart."""
    return forms.draw(SharedAnswers, dict(draft.settings(SharedAnswers)), "review.shared_answers")


def problem(draft: Draft) -> str:
    """Nothing speaks against trying the test."""
    return ""


def expectation(draft: Draft, pilot: SharedAnswersPilot) -> Expectation:
    """People and time."""
    return Expectation(rows=(Tile("People", f"{pilot.audited:,}"),), seconds=pilot.seconds)
