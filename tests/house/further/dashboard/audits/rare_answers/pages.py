"""The rare-answers test on the pages: the generic ones with a tab of its own."""

from dataclasses import replace

from core.audits.rare_answers import KIND
from core.audits.rare_answers.room import RareAnswersFinding

from core.language.phrases import whole
from core.language.told import say
from core.plan import AuditPlan
from dashboard.audits.generic import GenericView, generic
from dashboard.audits.pages import Expectation, Tile
from dashboard.draft import Draft
from dashboard.views.results.tables import show_charts_and_tables


class RareAnswersView(GenericView):
    """The answers in a tab of their own, beside all that the generic page shows."""

    tabs = (*GenericView.tabs, say("Answers"))

    def show(self, tab: str, plan: AuditPlan, finding: RareAnswersFinding) -> None:
        """See the base class."""
        if tab == self.tabs[0]:
            super().show(tab, plan, finding)
        else:
            show_charts_and_tables(finding, ("answers",))


def expectation(draft: Draft, pilot: object) -> Expectation:
    """How many answers there are, beside rows and time."""
    told = generic(KIND).expectation(draft, pilot)
    return replace(told, rows=(*told.rows, Tile(say("Different answers"), whole(pilot.answers))))


PAGES = replace(generic(KIND), view=RareAnswersView(KIND), expectation=expectation)
