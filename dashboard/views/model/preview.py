"""How the draft's model answers, and which tests suit it."""

from core.language.told import say
from dashboard.draft import Draft
from dashboard.jobs.answers import unpack
from dashboard.jobs.previews import ModelPreview
from dashboard.waiting import answer


def preview_of(draft: Draft) -> ModelPreview | None:
    """How the draft's model answers and which tests suit it; None while that is being found out."""
    if draft.model is None:
        return None
    inspected = answer("inspect_model", draft.about_model, say("Trying the model on every row"))
    return None if inspected is None else unpack(inspected, ModelPreview)
