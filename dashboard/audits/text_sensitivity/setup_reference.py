"""A second model on the same texts: what it does stands beside the verdict, which stays about exchanged words."""

import streamlit as st

from core.audits.text_sensitivity.decision import TextSensitivityDecision
from core.audits.text_sensitivity.settings import TextSensitivity
from core.base.errors import EvenhandError
from core.base.files import FileStore
from core.language.told import retold, say, say_as
from core.models.formats.hugging_face.source import HuggingFaceFolder
from core.models.formats.lstm.source import LstmArchive
from core.workflows.examples import EXAMPLES, Example, open_example
from dashboard import forms, session
from dashboard.draft import Draft
from dashboard.messages import show_failure
from dashboard.text import literal
from dashboard.views.model import text_file
from dashboard.views.model.text_file import TextModelFile
from dashboard.waiting import answer

_WAYS = {"none": say_as("of a model", "None"), "own": say("Bring a model"), "sample": say("A sample model")}


def choose(draft: Draft) -> tuple[Draft, str]:
    """The draft with the second model as the widgets say, and why the next step is shut."""
    st.caption(
        say(
            "Optional. How much a model relies on words that reveal the group is hard to judge by itself. It "
            "is easier beside a second model, for example its predecessor or one trained on balanced texts."
        )
    )
    now, samples = draft.settings(TextSensitivity).reference, samples_of(draft)
    ways = [way for way in _WAYS if way != "sample" or samples]
    way = st.radio(
        say("Second model"),
        ways,
        index=ways.index("none" if now is None else "own"),
        format_func=lambda way: retold(_WAYS[way]),
        horizontal=True,
        key=forms.key_of("reference.way.choice"),
    )
    model = _sample(samples) if way == "sample" else None
    if way == "own":
        model = text_file.bring(now, "reference.model")
        if model is None:
            return take(draft, None), say("Bring the second model, or choose none.")
    draft = take(draft, model)
    return (draft, "") if model is None else (draft, _try(draft))


def take(draft: Draft, model: TextModelFile | None) -> Draft:
    """The draft with this second model; without one, the verdict is about exchanged words again."""
    if model == draft.settings(TextSensitivity).reference:
        return draft
    chosen: list[TextSensitivity | TextSensitivityDecision] = [
        draft.settings(TextSensitivity).model_copy(update={"reference": model})
    ]
    decision = draft.decision(TextSensitivityDecision)
    if model is None and decision.judged == "reference":
        forms.forget("review.reading")
        chosen.append(TextSensitivityDecision.model_validate({**dict(decision), "judged": "swaps", "delta": None}))
    return session.keep(draft, *chosen)


def samples_of(draft: Draft) -> dict[str, Example]:
    """The examples whose text model was trained for texts like the draft's, by key, each model once."""
    found = {
        example.model: example
        for example in EXAMPLES
        if draft.data is not None
        and example.model.endswith(".zip")
        and example.data.kind == draft.data.kind
        and example.roles.text == draft.roles.text
    }
    return {example.key: example for example in found.values()}


def _sample(samples: dict[str, Example]) -> TextModelFile | None:
    chosen = st.selectbox(
        say("Sample model"),
        list(samples),
        format_func=lambda key: f"{samples[key].title} ({samples[key].model})",
        key=forms.key_of("reference.sample"),
    )
    try:
        model = open_example(chosen, FileStore()).plans[0].model
    except EvenhandError as error:
        show_failure(error)
        return None
    return model if isinstance(model, HuggingFaceFolder | LstmArchive) else None


def _try(draft: Draft) -> str:
    """What is compared then; returns why the second model cannot be used."""
    second = draft.settings(TextSensitivity).reference
    if second is None or draft.model is None:
        return ""
    arguments = draft.about_model | {"reference": second.model_dump(mode="json")}
    fits = answer("try_reference", arguments, say("Trying the second model"))
    if fits is None:
        return say("The second model cannot be used yet.")
    st.success(
        say(
            "The verdict stays about exchanged words. Beside it the result will say how the audited model "
            "compares with {name}, text by text.",
            name=literal(second.file.name),
        ),
        icon=":material/compare_arrows:",
    )
    return ""
