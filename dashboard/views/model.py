"""Step 2: the model, or a column with its answers."""

from typing import Any

import streamlit as st

from core.errors import SettingsError
from core.examples import EXAMPLES, Example, open_example
from core.files import FileStore
from core.models import MODEL_FORMATS, ModelSource
from core.models.inspection import ModelReport
from core.models.predictions import PredictionColumns
from dashboard import forms, session, stepper
from dashboard.answers import unpack
from dashboard.session import Draft
from dashboard.text import literal
from dashboard.views import model_report
from dashboard.waiting import answer

WAYS = ("A model file", "A column with predictions", "A sample model")


def page() -> None:
    """Choose a model, see how it reads and answers the table."""
    draft = session.draft()
    if (place := stepper.header(draft, "model")) is None:
        return
    st.title("Model or predictions")
    st.write("Bring the model itself where you can: the search for similar people who are treated worse needs it.")
    samples = _samples(draft)
    ways = WAYS if samples else WAYS[:2]
    is_column = isinstance(draft.model, PredictionColumns)
    way = st.radio("What do you have?", ways, index=int(is_column), horizontal=True, key="model.way")
    if way == WAYS[2]:
        model: ModelSource | None = _sample(samples)
    else:
        model = _file(draft) if way == WAYS[0] else _column(draft)
    if model is not None and model != draft.model:
        draft = session.change(model=model)
    problem = "Choose a model, or a column with its predictions." if model is None else _inspect(table_of(draft), model)
    stepper.footer(place, draft, "model", problem)


def table_of(draft: Draft) -> dict[str, Any]:
    """The draft's table and its roles, as tasks take them."""
    if draft.data is None or draft.roles.roles is None:
        raise SettingsError("The table is not chosen yet.", advice="Go back to the first step.")
    return {"source": draft.data.model_dump(mode="json"), "roles": draft.roles.roles.model_dump(mode="json")}


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
        st.caption(
            "PyTorch weights (.safetensors), ONNX, or scikit-learn saved with skops. It stays on this machine. Pickle, "
            "joblib, TorchScript and .pt2 files can run code; they are refused, with a way to convert."
        )
        return None
    st.caption(f"Model file: {literal(draft.model.file.name)}")
    kind = type(draft.model)
    known = forms.draw(kind, dict(draft.model), f"model.form.{kind.__name__}", fields=("trained_on",))
    with st.expander("How the file is read", icon=":material/tune:"):
        rest = tuple(name for name in forms.drawable(kind) if name != "trained_on")
        return None if known is None else _form(draft, kind, dict(known), fields=rest)


def _samples(draft: Draft) -> dict[str, Example]:
    """The examples whose model was trained for the draft's table, by key."""
    return {
        example.key: example for example in EXAMPLES if draft.data is not None and example.data.kind == draft.data.kind
    }


def _sample(samples: dict[str, Example]) -> ModelSource:
    chosen = st.selectbox(
        "Sample model",
        list(samples),
        format_func=lambda key: f"{samples[key].title} ({samples[key].model})",
        key="model.sample",
    )
    st.caption(literal(samples[chosen].story))
    return open_example(chosen, FileStore()).model


def _column(draft: Draft) -> ModelSource | None:
    st.info(
        "With predictions alone Evenhand shows how accurate they are and checks the table. The search for similar "
        "people needs the model: it asks how the answer changes when a person changes. Export the model as "
        "safetensors, ONNX or skops for that.",
        icon=":material/info:",
    )
    known = draft.roles.predictions
    current = dict(draft.model) if isinstance(draft.model, PredictionColumns) else {"columns": known[:1]}
    columns = tuple(dict.fromkeys((*known, *current["columns"])))
    if not columns:
        st.warning("No column has the role of a prediction. Give one that role in the step before.")
        return None
    return _form(draft, PredictionColumns, current, columns)


def _form(
    draft: Draft,
    kind: Any,
    values: dict[str, Any],
    columns: tuple[str, ...] = (),
    fields: tuple[str, ...] | None = None,
) -> ModelSource | None:
    known = tuple(dict.fromkeys((*values.get("classes", ()), *_labels(draft))))
    options = {"classes": known, "columns": columns}
    drawn: ModelSource | None = forms.draw(kind, values, f"model.form.{kind.__name__}", fields=fields, options=options)
    return drawn


def _labels(draft: Draft) -> tuple[str, ...]:
    """The outcomes, as the examined table has them."""
    table = table_of(draft)
    read = answer("read_table", {"source": table["source"]}, "Reading the table")
    if read is None:
        return ()
    checked = answer("examine_table", {"table": read["table"], "roles": table["roles"]}, "Checking the table")
    return tuple(checked["labels"]) if checked else ()


def _inspect(table: dict[str, Any], model: ModelSource) -> str:
    """How the model answers; returns why the next step is shut."""
    arguments = table | {"model": model.model_dump(mode="json")}
    inspected = answer("inspect_model", arguments, "Trying the model on every row")
    if inspected is None:
        return "The model does not answer for this table yet."
    report = unpack(inspected, ModelReport)
    model_report.show(report)
    if len(report.classes) == 2:
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
