"""A model behind an address: where it is, how it is asked, a try with a few rows, and then all of them."""

from datetime import UTC, datetime
from typing import Any

import pandas as pd
import streamlit as st

from core.base.settings import Settings
from core.language.phrases import whole
from core.language.told import localized, say
from core.models.endpoint.address import line_to_set, refusal
from core.models.endpoint.settings import EndpointSettings, FieldName
from core.models.endpoint.source import ModelEndpoint
from core.models.inspection import examples_told
from dashboard import forms, session
from dashboard.draft import Draft
from dashboard.fields import label_of, tip_of
from dashboard.jobs.answers import unpack
from dashboard.jobs.previews import EndpointTrial
from dashboard.messages import show_failure
from dashboard.tables import shortened
from dashboard.text import literal
from dashboard.views.model import form
from dashboard.waiting import answer, duration

MISSING = say("Try the model, then send it all rows.")
_PAGE, _TRIAL = "endpoint", "model.trial"
_MAIN = {
    "open inference": ("model", "version", "answer", "rows_as"),
    "mlflow": ("model", "answer"),
    "plain": ("model", "rows_field", "answer"),
}
_MATRIX = ("input_name", "datatype")
_PACE = ("batch_rows", "requests_per_second", "seconds", "minutes", "retries")
_HOLDS = ("probability", "class probabilities", "labels")


class EndpointDraft(Settings):
    """What was filled in last, whether the model was asked or not."""

    source: ModelEndpoint | None = None


def choose(draft: Draft) -> ModelEndpoint | None:
    """The model behind the address as the widgets say, once it was tried; None before."""
    asked = draft.model if isinstance(draft.model, ModelEndpoint) else None
    begun = asked or session.load_of_page(_PAGE, EndpointDraft).source
    st.caption(
        say(
            "Rows of your table are sent to this server and nowhere else. Columns sent: {columns}. If the model "
            "needs another column, also a protected one, make it a feature in the first step.",
            columns=", ".join(literal(name) for name in draft.roles.features),
        )
    )
    endpoint = _endpoint(dict(begun.endpoint) if begun is not None else {}, draft)
    if endpoint is None:
        return None
    source = _source(draft, endpoint, dict(begun) if begun is not None else {})
    if source is None:
        return None
    session.save_of_page(_PAGE, EndpointDraft(source=source))
    if asked is not None and _same_but_for_the_mark(asked.endpoint, endpoint):
        return _asked(source.model_copy(update={"endpoint": asked.endpoint}))
    if (refused := refusal(endpoint)) is not None:
        show_failure(refused)
        st.code(line_to_set(endpoint), language="bash", wrap_lines=True)
        return None
    return _try(draft, source)


def _endpoint(known: dict[str, Any], draft: Draft) -> EndpointSettings | None:
    """Where and how the model is asked; None while that is not valid."""
    key, field = "model.form.address", EndpointSettings.model_fields["url"]
    url = st.text_input(
        label_of(field),
        value=known.get("url", ""),
        key=forms.key_of(f"{key}.url"),
        help=tip_of(field),
        placeholder="https://models.example.org",
    )
    if not url.strip():
        st.caption(say("Type the address of the server that the model runs on."))
        return None
    known = {**known, "url": url, "asked_as_of": ""}
    first = forms.draw(EndpointSettings, known, key, fields=("protocol",))
    if first is None:
        return None
    drawn = forms.draw(EndpointSettings, dict(first), f"{key}.{first.protocol}", fields=_MAIN[first.protocol])
    if drawn is None:
        return None
    with st.expander(say("Secret, names of columns, pace"), icon=":material/tune:"):
        values = dict(drawn) | {"fields": _fields(drawn.fields, draft.roles.features, f"{key}.fields")}
        matrix = _MATRIX if drawn.protocol == "open inference" and drawn.rows_as == "matrix" else ()
        return forms.draw(EndpointSettings, values, key, fields=("secret", "secret_header", *matrix, *_PACE))


def _fields(known: tuple[FieldName, ...], features: tuple[str, ...], key: str) -> tuple[FieldName, ...]:
    """Under which name the model knows each column, where it is another."""
    other = {one.column: one.field for one in known}
    st.caption(say("If the model knows a column by another name, write that name beside it."))
    table = pd.DataFrame({"column": features, "field": [other.get(name, name) for name in features]})
    edited = st.data_editor(
        table,
        key=forms.key_of(key),
        hide_index=True,
        disabled=["column"],
        height="content",
        column_config={"column": say("Column"), "field": say("Name in the model")},
    )
    pairs = zip(features, edited["field"].fillna("").astype(str), strict=True)
    return tuple(FieldName(column=name, field=field) for name, field in pairs if field and field != name)


def _source(draft: Draft, endpoint: EndpointSettings, known: dict[str, Any]) -> ModelEndpoint | None:
    """How its answers are read; None while that is not valid."""
    values, key = {**known, "endpoint": endpoint}, "model.form.ModelEndpoint"
    if draft.roles.outcome_type == "number":
        return forms.draw(ModelEndpoint, {**values, "holds": "number", "classes": ()}, key, fields=("trained_on",))
    if values.get("holds") == "number":
        del values["holds"]
    first = forms.draw(ModelEndpoint, values, key, fields=("holds", "trained_on"), options={"holds": _HOLDS})
    if first is None or first.holds == "labels":
        return first
    if first.holds == "probability":
        return forms.draw(ModelEndpoint, dict(first), key, fields=("high_scores",))
    known_classes = tuple(dict.fromkeys((*first.classes, *form.labels_of(draft))))
    return forms.draw(ModelEndpoint, dict(first), key, fields=("classes",), options={"classes": known_classes})


def _asked(source: ModelEndpoint) -> ModelEndpoint:
    """A model that was asked, with a button to ask it again."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(say("The answers of {asked_as_of} are saved.", asked_as_of=literal(source.endpoint.asked_as_of)))
        if st.button(
            say("Ask again"),
            key="model.afresh",
            icon=":material/refresh:",
            help=say("Sends all rows again. The earlier answers stay, so that finished audits can be repeated."),
        ):
            session.change(model=_marked(source, _now()))
            st.rerun()
    return source


def _try(draft: Draft, source: ModelEndpoint) -> ModelEndpoint | None:
    """Ask about a few rows on demand, show what comes, and then about all."""
    if st.button(say("Try it"), key="model.try", icon=":material/play_arrow:", help=say("Sends the first five rows.")):
        st.session_state[_TRIAL] = f"trial {_now()}"  # verbatim
        st.session_state[f"{_TRIAL}.of"] = source.fingerprint
    if st.session_state.get(f"{_TRIAL}.of") != source.fingerprint:
        return None
    tried = _marked(source, st.session_state[_TRIAL]).model_dump(mode="json")
    found = answer("try_endpoint", draft.about_table | {"model": tried}, say("Asking the model about five rows"))
    if found is None:
        return None
    trial = unpack(found, EndpointTrial)
    st.dataframe(shortened(examples_told(trial.examples)), key="model.trial.rows")
    low, high = (duration(seconds) for seconds in trial.seconds_for_all(source.endpoint))
    span = say("about {low}", low=low) if low == high else say("between {low} and {high}", low=low, high=high)
    st.write(
        say(
            "The model answered. Four rows took {seconds} seconds; all {rows} rows will take {span}.",
            seconds=localized(f"{trial.seconds:.2f}"),
            rows=whole(trial.rows),
            span=span,
        )
    )
    if st.button(say("Send all rows"), key="model.ask", type="primary", icon=":material/send:"):
        return _marked(source, _now())
    return None


def _same_but_for_the_mark(one: EndpointSettings, other: EndpointSettings) -> bool:
    return one.model_copy(update={"asked_as_of": ""}) == other.model_copy(update={"asked_as_of": ""})


def _marked(source: ModelEndpoint, mark: str) -> ModelEndpoint:
    return source.model_copy(update={"endpoint": source.endpoint.model_copy(update={"asked_as_of": mark})})


def _now() -> str:
    return f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S} UTC"  # verbatim
