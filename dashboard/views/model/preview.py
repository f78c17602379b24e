"""How the draft's model answers, and which tests suit it."""

from dashboard import session
from dashboard.jobs.answers import unpack
from dashboard.jobs.previews import ModelPreview
from dashboard.session import Draft
from dashboard.waiting import answer


def preview_of(draft: Draft) -> ModelPreview | None:
    """How the draft's model answers and which tests suit it; None while that is being found out."""
    if draft.model is None:
        return None
    inspected = answer("inspect_model", session.about_model(draft), "Trying the model on every row")
    return None if inspected is None else unpack(inspected, ModelPreview)
