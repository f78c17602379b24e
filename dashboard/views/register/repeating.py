"""The same work with new data: a draft that has every choice but the table."""

from typing import Any, NoReturn

from core.base.errors import RecordError
from core.language.told import say
from core.register.comparison import plan_of
from core.register.entry import Entry
from core.study import Study
from core.workflows.comparison.settings import ComparisonPlan
from core.workflows.mitigation.settings import MitigationPlan
from core.workflows.selection.settings import SelectionPlan
from dashboard import session
from dashboard.draft import Draft
from dashboard.pages import open_page


def begin(entry: Entry) -> NoReturn:
    """Open the first step of the same work, where the new table is asked for.

    Raises:
        RecordError: Another version of Evenhand wrote the entry.
    """
    plan: Any = plan_of(entry)
    page, name = entry.workflow, ""
    if isinstance(plan, Study):
        page, name = "data", session.begin(Draft.of(plan))
    elif isinstance(plan, SelectionPlan):
        from dashboard.views.selection import draft as selection_draft

        name = selection_draft.begin(plan)
    elif isinstance(plan, MitigationPlan):
        from dashboard.views.fairer import draft as mitigation_draft

        name = mitigation_draft.begin(plan)
    elif isinstance(plan, ComparisonPlan):
        page, name = "data", session.begin(Draft.of(plan.models[plan.place_of_baseline].study))
    else:
        raise RecordError(
            say("Another version of Evenhand wrote this entry; its settings cannot be read here."),
            advice=say("Set the work up again."),
        )
    session.save(name, session.load(name).model_copy(update={"data": None, "after": entry.id}))
    open_page(page, draft=name)
