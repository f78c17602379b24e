"""Step 2: the model, or a column with its answers."""

from typing import Any

import pandas as pd
import streamlit as st

from core.data.roles import Roles
from core.examples import EXAMPLES, Example, open_example
from core.files import FileStore
from core.models import MODEL_FORMATS, ModelSource
from core.models.inspection import ModelReport
from core.models.predictions import PredictionColumns
from dashboard import forms, session, stepper
from dashboard.jobs.answers import unpack
from dashboard.jobs.previews import ModelPreview
from dashboard.session import Draft, RolesChoice
from dashboard.tables import TableSummary
from dashboard.text import literal
from dashboard.views.model import columns as model_columns
from dashboard.views.model import report as model_report
from dashboard.views.model import text_file as text_models
from dashboard.waiting import answer

_OF_CLASSES = ("classes", "output")
"""Settings of model files that mean something where the outcome holds classes only."""

_HELD_FOR_CLASSES = ("labels", "probability", "score", "class probabilities")

WAYS = ("A model file", "A column with predictions", "A sample model")


def page() -> None:
    """Choose a model, see how it reads and answers the table."""
    draft = session.draft()
    if (place := stepper.header(draft, "model")) is None:
        return
    st.title("Model or predictions")
    st.write(_intro(draft))
    samples = _samples(draft)
    ways = WAYS if samples else WAYS[:2]
    is_column = isinstance(draft.model, PredictionColumns) or (draft.model is None and bool(draft.roles.predictions))
    way = st.radio("What do you have?", ways, index=int(is_column), horizontal=True, key="model.way")
    if way == WAYS[2]:
        model: ModelSource | None = _sample(samples)
    else:
        model = _file(draft) if way == WAYS[0] else _column(draft)
    if model is not None and model != draft.model:
        draft = _take(draft, model)
    problem = "Choose a model, or a column with its predictions." if model is None else _inspect(draft, model)
    stepper.footer(place, draft, "model", problem)


def _intro(draft: Draft) -> str:
    if draft.roles.outcome_type == "number":
        return "Bring the model, or a column with the numbers it predicts: the fair-dummies test asks for no more."
    if draft.roles.text is None:
        return (
            "Bring the model itself where you can; a column with its predictions is enough for the transport and the "
            "fair-dummies test."
        )
    return (
        "Bring the model that reads the texts: the sensitivity test looks into it. A column with its predictions is "
        "enough for the transport test, where the table has outcomes and groups."
    )


def preview_of(draft: Draft) -> ModelPreview | None:
    """How the draft's model answers and which tests suit it; None while that is being found out."""
    if draft.model is None:
        return None
    inspected = answer("inspect_model", session.about_model(draft), "Trying the model on every row")
    return None if inspected is None else unpack(inspected, ModelPreview)


def _take(draft: Draft, model: ModelSource) -> Draft:
    """Another model, or other columns, may suit other tests, so these are proposed anew."""
    before = draft.model
    if before is None or (before.kind, _bytes_of(before)) != (model.kind, _bytes_of(model)):
        forms.forget("tests")
        return session.change(model=model, tests=())
    return session.change(model=model)


def _bytes_of(model: ModelSource) -> object:
    return model.columns if isinstance(model, PredictionColumns) else model.file


def _file(draft: Draft) -> ModelSource | None:
    file = st.file_uploader(
        "Model",
        key="model.file",
    )
    if file is not None and st.session_state.get("model.seen") != file.file_id:
        ref = FileStore().put(file.getvalue(), file.name)
        found = answer("recognise_model", {"file": ref.model_dump(mode="json")}, "Recognising the file")
        if found is None:
            return None
        st.session_state["model.seen"] = file.file_id
        forms.forget("model.form")
        draft = draft.model_copy(update={"model": MODEL_FORMATS[found["format"]](file=ref)})
    if draft.model is None or isinstance(draft.model, PredictionColumns):
        formats = "PyTorch weights (.safetensors), ONNX, or scikit-learn saved with skops."
        st.caption(
            f"{formats if draft.roles.text is None else text_models.FORMATS} It stays on this machine. Pickle, joblib, "
            "TorchScript and .pt2 files can run code; they are refused, with a way to convert."
        )
        return None
    st.caption(f"Model file: {literal(draft.model.file.name)}")
    kind, values = type(draft.model), dict(draft.model)
    first = tuple(name for name in ("trained_on", "label") if name in kind.model_fields)
    rest = tuple(name for name in forms.drawable(kind) if name not in first)
    if draft.roles.outcome_type == "number":
        rest = tuple(name for name in rest if name not in _OF_CLASSES)
        values |= {name: kind.model_fields[name].get_default() for name in _OF_CLASSES if name in kind.model_fields}
    known = forms.draw(kind, values, f"model.form.{kind.__name__}", fields=first)
    with st.expander("How the file is read", icon=":material/tune:"):
        return None if known is None else _form(draft, kind, dict(known), fields=rest)


def _samples(draft: Draft) -> dict[str, Example]:
    """The examples whose model was trained for the draft's table, by key."""
    return {
        example.key: example
        for example in EXAMPLES
        if example.model
        and draft.data is not None
        and example.data.kind == draft.data.kind
        and _reads(example.data.roles(pd.DataFrame())) == _reads(draft.roles)
    }


def _reads(roles: Roles | RolesChoice) -> tuple[str, tuple[str, ...]]:
    """What a model reads of a table with these roles: its text alone, or its features."""
    return (roles.text, ()) if roles.text else ("", roles.features)


def _sample(samples: dict[str, Example]) -> ModelSource:
    chosen = st.selectbox(
        "Sample model",
        list(samples),
        format_func=lambda key: f"{samples[key].title} ({samples[key].model})",
        key="model.sample",
    )
    st.caption(literal(samples[chosen].story))
    return open_example(chosen, FileStore()).plans[0].model


def _column(draft: Draft) -> ModelSource | None:
    number = draft.roles.outcome_type == "number"
    st.caption(
        "Predictions are enough: no test of outcomes that are numbers asks the model for more."
        if number
        else "Predictions are enough to compare similar people in the table (the transport test) and people with the "
        "same outcome (the fair-dummies test). Only the search for people who are not in the table needs the model "
        "itself."
    )
    if draft.roles.text is not None:
        st.info(
            "With predictions only, nobody can say which words an answer rests on: the sensitivity test needs the "
            "model itself.",
            icon=":material/info:",
        )
    known, chosen = draft.roles.predictions, draft.model
    kept = isinstance(chosen, PredictionColumns) and (chosen.holds == "number") == number
    current = dict(chosen) if chosen is not None and kept else _guess(draft)
    columns = tuple(dict.fromkeys((*known, *current["columns"])))
    if not columns:
        _name_column(draft)
        return None
    if number:
        return _form(draft, PredictionColumns, {**current, "classes": ()}, columns, fields=("columns", "trained_on"))
    scored = ("threshold", "high_scores") if current.get("holds") == "score" else ()
    main = ("columns", "holds", *scored, "trained_on")
    first = _form(draft, PredictionColumns, current, columns, fields=main)
    if first is None:
        return None
    if isinstance(first, PredictionColumns) and (first.holds == "score") != bool(scored):
        session.change(model=first)
        st.rerun()
    with st.expander("Order of the classes", icon=":material/tune:"):
        return _form(draft, PredictionColumns, dict(first), columns, fields=("classes",))


def _name_column(draft: Draft) -> None:
    """Ask which column holds the answers where none has that role yet, and give it the role."""
    others = [name for name in _unused(draft) if name not in draft.roles.protected]
    name = st.selectbox(
        "Which column holds the model's answers?",
        others,
        index=None,
        key=forms.key_of("model.answers"),
        placeholder="Choose one",
        help="It then no longer counts as a feature.",
    )
    if name is not None:
        forms.forget("roles")
        features = tuple(feature for feature in draft.roles.features if feature != name)
        session.change(roles=draft.roles.model_copy(update={"predictions": (name,), "features": features}))
        st.rerun()


def _unused(draft: Draft) -> tuple[str, ...]:
    """The columns that may turn out to hold answers: the features, or beside texts whatever has no other role."""
    if draft.roles.text is None:
        return draft.roles.features
    read = answer("read_table", {"source": session.about_table(draft)["source"]}, "Reading the table")
    names = () if read is None else unpack(read["summary"], TableSummary).names
    taken = (draft.roles.text, draft.roles.annotation, draft.roles.outcome)
    return tuple(name for name in names if name not in taken)


def _guess(draft: Draft) -> dict[str, Any]:
    """The column with predictions that is easiest to read and what it holds; nothing while the table is read."""
    read = answer("read_table", {"source": session.about_table(draft)["source"]}, "Reading the table")
    known = draft.roles.predictions
    if not known or read is None:
        return {"columns": known[:1]}
    summary = unpack(read["summary"], TableSummary)
    columns, outcome = tuple(summary.column(name) for name in known), draft.roles.outcome
    outcomes, number = summary.column(outcome).values if outcome else (), draft.roles.outcome_type == "number"
    return model_columns.best_of(columns, outcomes, number=number)


def _form(
    draft: Draft,
    kind: Any,
    values: dict[str, Any],
    columns: tuple[str, ...] = (),
    fields: tuple[str, ...] | None = None,
) -> ModelSource | None:
    known = tuple(dict.fromkeys((*values.get("classes", ()), *_labels(draft))))
    options = {"columns": columns, "holds": _HELD_FOR_CLASSES} | ({"classes": known} if known else {})
    drawn: ModelSource | None = forms.draw(kind, values, f"model.form.{kind.__name__}", fields=fields, options=options)
    return drawn


def _labels(draft: Draft) -> tuple[str, ...]:
    """The outcomes, as the examined table has them."""
    table = session.about_table(draft)
    read = answer("read_table", {"source": table["source"]}, "Reading the table")
    if read is None:
        return ()
    checked = answer("examine_table", {"table": read["table"], "roles": table["roles"]}, "Checking the table")
    return tuple(checked["labels"]) if checked else ()


def _inspect(draft: Draft, model: ModelSource) -> str:
    """How the model answers; returns why the next step is shut."""
    seen = preview_of(draft)
    if seen is None:
        return "The model does not answer for this table yet."
    report = seen.report
    model_report.show(report, draft.roles.text)
    if len(report.classes) == 2 and draft.roles.outcome:
        _offer_swap(model, report)
    return "The model gives answers that are not finite numbers." if report.not_finite else ""


def _offer_swap(model: ModelSource, report: ModelReport) -> None:
    """Open where the model does worse than a guess, folded away elsewhere."""
    doubtful = report.accuracy < report.majority_share
    with st.container() if doubtful else st.expander("Outcomes the wrong way round?", icon=":material/swap_horiz:"):
        if st.button(
            "Is the label turned round? Swap the classes",
            key="model.swap",
            icon=":material/swap_horiz:",
            help="Reads the model's first output as the outcome of its second, and the other way round.",
        ):
            forms.forget("model.form")
            session.change(model=model.model_copy(update={"classes": report.classes[::-1]}))
            st.rerun()
