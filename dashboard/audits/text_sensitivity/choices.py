"""Changes of the text sensitivity test in a draft."""

from typing import Any

from core.audits.text_sensitivity.decision import TextSensitivityDecision
from core.audits.text_sensitivity.settings import TextSensitivity
from core.protected_status import NoStatus
from dashboard import session
from dashboard.draft import Draft


def keep(draft: Draft, **values: Any) -> Draft:
    """The draft with these fields of its sensitivity test."""
    return session.keep(draft, draft.settings(TextSensitivity).model_copy(update=values))


def take_status(draft: Draft, status: Any) -> Draft:
    """The draft with another protected status model; without one, the listed words are what is measured by."""
    before, decision = draft.settings(TextSensitivity).status, draft.decision(TextSensitivityDecision)
    draft, without = keep(draft, status=status), isinstance(status, NoStatus)
    if isinstance(before, NoStatus) == without and not (without and decision.measure in ("P2", "P3")):
        return draft
    return session.keep(draft, decision.model_copy(update={"measure": "P5" if without else "P3"}))
