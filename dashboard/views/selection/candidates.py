"""The candidates of a selection: fitted here, or brought as files and columns of predictions."""

import streamlit as st

from core.base.files import files_of
from core.base.settings import help_of, title_of
from core.contracts.model import AbstractModelSource
from core.language.told import retold, say
from core.models import MODEL_FORMATS, ModelSource
from core.models.predictions import PredictionColumns
from core.workflows.selection.run import named_models
from core.workflows.selection.settings import MOST_CANDIDATES, LogisticPath
from dashboard import forms, samples, uploads
from dashboard.draft import Draft
from dashboard.fields import name_of_mark
from dashboard.jobs.answers import unpack
from dashboard.tables import TableSummary
from dashboard.text import literal
from dashboard.views.model import columns as model_columns
from dashboard.views.selection.draft import SelectionDraft
from dashboard.waiting import answer

WAYS = {"logistic_path": say("Fit logistic regressions to this table"), "own_models": say("Models of my own")}


def show(draft: Draft, chosen: SelectionDraft) -> SelectionDraft:
    """The draft with the candidates as the widgets say."""
    way = st.radio(
        say("Where do the candidates come from?"),
        list(WAYS),
        index=list(WAYS).index(chosen.way),
        format_func=lambda name: retold(WAYS[name]),
        horizontal=True,
        key="selection.way",
    )
    chosen = chosen.model_copy(update={"way": way})
    return _fitted(chosen) if way == "logistic_path" else _own(draft, chosen)


def _fitted(chosen: SelectionDraft) -> SelectionDraft:
    st.caption(
        say(
            "A penalty on the coefficients (ℓ1) makes models that use few columns. They are fitted on a part "
            "of the rows, from a penalty so strong that no column is used to one so weak that all may be."
        )
    )
    with st.expander(say("Every setting of the fits"), icon=":material/tune:"):
        path = forms.draw(LogisticPath, dict(chosen.path), "selection.path")
    return chosen if path is None else chosen.model_copy(update={"path": path})


def _own(draft: Draft, chosen: SelectionDraft) -> SelectionDraft:
    st.caption(
        say(
            "PyTorch weights (.safetensors), ONNX, or scikit-learn saved with skops; and columns with "
            "predictions. Bring the simplest first: it wins where two are equally good."
        )
    )
    models = [*_uploaded(chosen), *_columns(draft, chosen)][:MOST_CANDIDATES]
    if models:
        field = AbstractModelSource.model_fields["trained_on"]
        trained = st.selectbox(
            title_of(field),
            ("not known", "other rows", "these rows"),
            index=("not known", "other rows", "these rows").index(models[0].trained_on),
            format_func=name_of_mark,
            help=help_of(field),
            key="selection.trained_on",
        )
        models = [model.model_copy(update={"trained_on": trained}) for model in models]
        names = [f"{number}. {literal(name, 60)}" for number, (name, _) in enumerate(named_models(tuple(models)), 1)]
        st.markdown("  \n".join(names))
    return chosen.model_copy(update={"models": tuple(models)})


def _uploaded(chosen: SelectionDraft) -> list[ModelSource]:
    """The files kept before and those that lie in the uploader now, each once."""
    files = st.file_uploader(say("Model files"), accept_multiple_files=True, key="selection.files")
    samples.offer("model")
    kept: list[ModelSource] = [model for model in chosen.models if not isinstance(model, PredictionColumns)]
    for file in files:
        ref = uploads.keep(file)
        if ref is None or any(ref in files_of(model) for model in kept):
            continue
        found = answer(
            "recognise_model", {"file": ref.model_dump(mode="json")}, say("Recognising {name}", name=file.name)
        )
        if found is not None:
            kept.append(MODEL_FORMATS[found["format"]](file=ref))
    if kept and not files and st.button(say("Leave all files out"), key="selection.clear", icon=":material/delete:"):
        return []
    return kept


def _columns(draft: Draft, chosen: SelectionDraft) -> list[ModelSource]:
    known = draft.roles.predictions
    if not known:
        return []
    before = [model.columns[0] for model in chosen.models if isinstance(model, PredictionColumns)]
    names = st.multiselect(
        say("Columns with predictions"),
        known,
        [name for name in before if name in known],
        format_func=draft.told,
        key="selection.columns",
        placeholder=say("Choose options"),
        help=say(
            "Columns that hold outcomes, or the probability of the favourable one. Scores need a threshold first."
        ),
    )
    read = answer("read_table", {"source": draft.about_table["source"]}, say("Reading the table"))
    if read is None:
        return [model for model in chosen.models if isinstance(model, PredictionColumns)]
    summary = unpack(read["summary"], TableSummary)
    outcomes = summary.column(str(draft.roles.outcome)).values
    found: list[ModelSource] = []
    for name in names:
        fields = model_columns.best_of((summary.column(name),), outcomes)
        if fields["holds"] == "score":
            st.warning(
                say(
                    "{name} holds a score. Turn it into decisions or probabilities to compare it here.",
                    name=literal(name),
                )
            )
        else:
            found.append(PredictionColumns(**fields))
    return found
