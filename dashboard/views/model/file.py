"""A model as a file: brought, or one of the samples."""

from typing import Any

import streamlit as st

from core.base.errors import ModelError
from core.base.files import FileStore
from core.data.roles import Roles
from core.language.told import retold, say
from core.models import MODEL_FORMATS, ModelSource
from core.models.endpoint.source import ModelEndpoint
from core.models.in_memory import ObjectInMemory
from core.models.predictions import PredictionColumns
from core.workflows.examples import EXAMPLES, Example, open_example
from dashboard import deleting, forms, uploads
from dashboard.draft import Draft, RolesChoice
from dashboard.messages import show_failure
from dashboard.text import literal
from dashboard.views.model import bringing, form, preprocessing, text_file
from dashboard.waiting import answer

_OF_CLASSES = ("classes", "output")
"""Settings of model files that mean something where the outcome holds classes only."""

_ASKED_ELSEWHERE = ("direction_confirmed", "own_answers", "other_system")


def bring(draft: Draft) -> ModelSource | None:
    """The model in the uploader, or the one that was brought before, as the widgets say it is read."""
    ref = bringing.new_file(say("Model"), "model")
    if ref is not None:
        found = answer("recognise_model", {"file": ref.model_dump(mode="json")}, say("Recognising the file"))
        if found is None:
            return None
        if not found["format"]:
            _refuse(ref.name, found)
            return None
        bringing.note_read("model")
        forms.forget("model.form")
        draft = draft.model_copy(update={"model": MODEL_FORMATS[found["format"]](file=ref)})
    if draft.model is None or isinstance(draft.model, PredictionColumns | ModelEndpoint | ObjectInMemory):
        formats = say(
            "XGBoost (.json, .ubj), LightGBM (.txt), scikit-learn (.skops), ONNX, or PyTorch weights (.safetensors)."
        )
        st.caption(
            say(
                "{formats} {how_large} {lifetime} Pickle, joblib, TorchScript and .pt2 files can run code; they "
                "are refused, with a way to convert.",
                formats=formats if draft.roles.text is None else retold(text_file.FORMATS),
                how_large=bringing.how_large(),
                lifetime=uploads.lifetime(),
            )
        )
        uploads.warn_of_missing_walls()
        return None
    st.caption(say("Model file: {name}", name=literal(draft.model.file.name)))
    deleting.offer(say("Delete this file"), "delete_model")
    if deleting.ask_about_model(draft.model.file, "delete_model"):
        forms.forget("model")
        forms.forget("tests")
        st.rerun()
    kind, values = type(draft.model), dict(draft.model)
    reads_columns = draft.roles.text is None
    asked = ("trained_on", "label", *(("numbers",) if draft.model.encoder is None else ()))
    first = tuple(name for name in asked if name in kind.model_fields)
    rest = tuple(name for name in forms.drawable(kind) if name not in (*first, "numbers", *_ASKED_ELSEWHERE))
    if draft.roles.outcome_type == "number":
        rest = tuple(name for name in rest if name not in _OF_CLASSES)
        values |= {name: kind.model_fields[name].get_default() for name in _OF_CLASSES if name in kind.model_fields}
    known = forms.draw(kind, values, f"model.form.{kind.__name__}", fields=first)
    if known is not None and reads_columns:
        known = preprocessing.ask(draft, known)
    with st.expander(say("How the file is read"), icon=":material/tune:"):
        return None if known is None else form.draw(draft, kind, dict(known), fields=rest)


def _refuse(name: str, found: dict[str, Any]) -> None:
    """Say why a file is not opened, and how whoever made it converts it."""
    what = say("Have it converted where it was made: these lines do that for exactly this file.")
    show_failure(ModelError(found["refused"], where=name, advice=what))
    st.code("\n".join(found["lines"]), language="python", wrap_lines=True)
    st.caption(say("Evenhand's command line does the same where the file is trusted: `python -m core convert`."))


def samples_of(draft: Draft) -> dict[str, Example]:
    """The examples whose model was trained for the draft's table, by key."""
    return {
        example.key: example
        for example in EXAMPLES
        if example.model
        and draft.data is not None
        and example.data.kind == draft.data.kind
        and _reads(example.roles) == _reads(draft.roles)
    }


def _reads(roles: Roles | RolesChoice) -> tuple[str, tuple[str, ...]]:
    """What a model reads of a table with these roles: its text alone, or its features."""
    return (roles.text, ()) if roles.text else ("", roles.features)


def choose_sample(samples: dict[str, Example]) -> ModelSource:
    """The model of one of the examples."""
    chosen = st.selectbox(
        say("Sample model"),
        list(samples),
        format_func=lambda key: f"{samples[key].title} ({samples[key].model})",
        key="model.sample",
    )
    st.caption(literal(samples[chosen].story))
    return open_example(chosen, FileStore()).plans[0].model
