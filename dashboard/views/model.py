"""Step 2: the model, or a column with its answers."""

from typing import Any

import streamlit as st
from pydantic import TypeAdapter

from core.files import FileRef, FileStore
from core.models import MODEL_FORMATS, ModelSource, PredictionColumns
from core.models.inspection import ModelReport
from core.words import percent
from dashboard import forms, session, stepper
from dashboard.answers import unpack
from dashboard.messages import show_notices
from dashboard.session import Draft
from dashboard.text import literal
from dashboard.waiting import answer

WAYS = ("A model file", "A column with predictions")


def page() -> None:
    """Choose a model, see how it reads and answers the table."""
    draft = session.draft()
    if (place := stepper.header(draft, "model")) is None:
        return
    st.title("Model or predictions")
    st.write("Bring the model itself where you can: the search for similar people who are treated worse needs it.")
    is_column = isinstance(draft.model, PredictionColumns)
    way = st.radio("What do you have?", WAYS, index=int(is_column), horizontal=True, key="model.way")
    draft = _file(draft) if way == WAYS[0] else _column(draft)
    problem = stepper.STEPS[1].problem(draft)
    if draft.model is not None:
        problem = _inspect(draft)
    stepper.footer(place, session.draft(), "model", problem)


def _file(draft: Draft) -> Draft:
    file = st.file_uploader(
        "Model",
        key="model.file",
        help="PyTorch weights as .safetensors, ONNX, or scikit-learn saved with skops. It stays on this machine.",
    )
    if file is not None:
        ref = FileStore().put(file.getvalue(), file.name)
        if st.session_state.get("model.seen") != file.file_id:
            found = answer("recognise_model", {"file": ref.model_dump(mode="json")}, "Recognising the file")
            if found is None:
                return draft.model_copy(update={"model": None})
            st.session_state["model.seen"] = file.file_id
            forms.forget("model.form")
            return session.change(model=MODEL_FORMATS[found["format"]](file=ref))
    if draft.model is None or isinstance(draft.model, PredictionColumns):
        st.caption("Pickle, joblib, TorchScript and .pt2 files can run code; they are refused, with a way to convert.")
        return draft.model_copy(update={"model": None})
    st.caption(f"Model file: {literal(draft.model.file.name)}")
    with st.expander("How the file is read", icon=":material/tune:"):
        chosen = _form(draft, type(draft.model), dict(draft.model))
    return session.change(model=chosen) if chosen is not None and chosen != draft.model else draft


def _column(draft: Draft) -> Draft:
    st.info(
        "With predictions alone Evenhand shows how accurate they are and checks the table. The search for similar "
        "people needs the model: it asks how the answer changes when a person changes. Export the model as "
        "safetensors, ONNX or skops for that.",
        icon=":material/info:",
    )
    roles = draft.roles.roles
    current = dict(draft.model) if isinstance(draft.model, PredictionColumns) else {"columns": roles.predictions}
    columns = tuple(dict.fromkeys((*roles.predictions, *current["columns"])))
    if not columns:
        st.warning("No column has the role of a prediction. Give one that role in the step before.")
        return draft.model_copy(update={"model": None})
    chosen = _form(draft, PredictionColumns, current, columns)
    if chosen is None:
        return draft.model_copy(update={"model": None})
    return session.change(model=chosen) if chosen != draft.model else draft


def _form(draft: Draft, kind: Any, values: dict[str, Any], columns: tuple[str, ...] = ()) -> Any:
    known = tuple(dict.fromkeys((*values.get("classes", ()), *_labels(draft))))
    return forms.draw(kind, values, f"model.form.{kind.__name__}", options={"classes": known, "columns": columns})


def _labels(draft: Draft) -> tuple[str, ...]:
    """The outcomes, as the examined table has them."""
    table = answer("read_table", {"source": _json(draft.data)}, "Reading the table")
    if table is None:
        return ()
    arguments = {"table": table["table"], "roles": _json(draft.roles.roles)}
    checked = answer("examine_table", arguments, "Checking the table")
    return tuple(checked["labels"]) if checked else ()


def _inspect(draft: Draft) -> str:
    """How the model answers; returns why the next step is shut."""
    arguments = {
        "source": _json(draft.data),
        "roles": _json(draft.roles.roles),
        "model": TypeAdapter(ModelSource).dump_python(draft.model, mode="json"),
    }
    inspected = answer("inspect_model", arguments, "Trying the model on every row")
    if inspected is None:
        return "The model does not answer for this table yet."
    report = unpack(inspected, ModelReport)
    show_report(report)
    if len(report.classes) == 2 and st.button(
        "Is the label turned round? Swap the classes",
        key="model.swap",
        icon=":material/swap_horiz:",
        help="Reads the model's first output as the outcome of its second, and the other way round.",
    ):
        forms.forget("model.form")
        session.change(model=draft.model.model_copy(update={"classes": report.classes[::-1]}))
        st.rerun()
    return "The model gives answers that are not finite numbers." if report.not_finite else ""


def show_report(report: ModelReport) -> None:
    """The inspection as a table of facts, what was noticed, and a few rows."""
    st.subheader("How the model answers")
    with st.container(horizontal=True, key="inspection"):
        st.metric("Accuracy", percent(round(report.accuracy, 3)), border=True)
        st.metric("Always the most frequent", percent(round(report.majority_share, 3)), border=True)
        st.metric("Balanced accuracy", percent(round(report.balanced_accuracy, 3)), border=True)
    show_notices(report.notices)
    facts = {
        "Format": report.kind,
        "Gives": report.gives,
        "Outcomes, in order": ", ".join(report.classes),
        "Columns read": f"{len(report.features)}, prepared as {report.width} numbers",
        "Rows tried": f"{report.rows:,}",
        "Search for similar people": "possible" if not report.no_gradients else report.no_gradients,
    }
    st.table({"": list(facts), "Found": [literal(value) for value in facts.values()]}, key="model.facts")
    with st.expander("Columns in the order the model reads them", icon=":material/view_column:"):
        st.write(", ".join(literal(name) for name in report.inputs))
    with st.expander("Some rows with the model's answers", icon=":material/table_rows:"):
        st.dataframe(report.examples, key="model.examples")


def _json(settings: Any) -> Any:
    return settings.model_dump(mode="json")
