"""Step 2: the model, or a column with its answers."""

import streamlit as st

from core.data.guess_outcome import good_answer
from core.language.told import retold, say
from core.models import ModelSource
from core.models.endpoint.source import ModelEndpoint
from core.models.in_memory import ObjectInMemory
from core.models.inspection import ModelReport
from core.models.predictions import PredictionColumns
from core.sources.upload.uploaded import UploadedTable
from core.workflows.examples import Example
from dashboard import forms, session, stepper
from dashboard.draft import Draft
from dashboard.messages import guarded
from dashboard.text import literal
from dashboard.views.model import address, direction, file, introduction, predictions, proof
from dashboard.views.model import report as model_report
from dashboard.views.model.preview import preview_of

WAYS = {
    "file": say("A model file"),
    "column": say("A column with predictions"),
    "address": say("A model behind an address"),
    "sample": say("A sample model"),
}
_MISSING = {"address": address.MISSING}


def page() -> None:
    """Choose a model, see how it reads and answers the table."""
    draft = session.draft()
    if (place := stepper.header(draft, "model")) is None:
        return
    st.write(introduction.of_model(draft.roles))
    samples = file.samples_of(draft)
    ways = [way for way in WAYS if way != "sample" or samples]
    way = st.radio(
        say("What do you have?"),
        ways,
        index=ways.index(_way_of(draft)),
        format_func=lambda one: retold(WAYS[one]),
        horizontal=True,
        key="model.way",
    )
    model = _choose(draft, way, samples)
    if isinstance(model, str):
        _offer_decisions(draft)
        problem = model
    else:
        draft = _take(draft, model) if model != draft.model else draft
        problem = _inspect(draft, model)
    stepper.footer(place, draft, "model", problem)


def _offer_decisions(draft: Draft) -> None:
    """A way on for a table whose outcome was itself decided, by whomever, and is what shall be judged."""
    roles = draft.roles
    if roles.outcome is None or roles.text is not None or roles.predictions or roles.outcome_type == "number":
        return
    st.button(
        say("No model: “{outcome}” is the decision to be judged", outcome=literal(roles.outcome, 60)),
        key="model_decisions",
        icon=":material/gavel:",
        help=say("Nothing then says what really happened: groups are compared by who is decided favourably."),
        on_click=guarded()(_judge_decisions),
        args=(roles.outcome,),
    )


def _judge_decisions(outcome: str) -> None:
    forms.forget("roles")
    st.session_state["model.way"] = "column"
    now = session.draft().roles
    roles = now.model_copy(update={"outcome": None, "predictions": (outcome,)})
    session.change(roles=roles, roles_are="confirmed", model=None, tests=())


def _way_of(draft: Draft) -> str:
    """The way of the model that is chosen, or of what the table suggests."""
    if isinstance(draft.model, ModelEndpoint):
        return "address"
    is_column = isinstance(draft.model, PredictionColumns) or (draft.model is None and bool(draft.roles.predictions))
    return "column" if is_column else "file"


def _choose(draft: Draft, way: str, samples: dict[str, Example]) -> ModelSource | str:
    """The model as the widgets of this way say; while none is chosen, what is still to be said."""
    if way == "column":
        return predictions.choose(draft)
    found = file.bring(draft) if way == "file" else address.choose(draft) if way == "address" else None
    if way == "sample":
        found = file.choose_sample(samples)
    return found or retold(_MISSING.get(way, say("Choose a model, or a column with its predictions.")))


def _take(draft: Draft, model: ModelSource) -> Draft:
    """Another model, or other columns, may suit other tests, so these are proposed anew."""
    before = draft.model
    if before is not None and model.direction_confirmed and not _reads_alike(before, model):
        model = model.model_copy(update={"direction_confirmed": False})
    if before is None or _whose_answers(before) != _whose_answers(model):
        forms.forget("tests")
        if isinstance(draft.data, UploadedTable):
            session.change(data=draft.data.model_copy(update={"kept_marks": ()}))
        if draft.roles.judges_a_model:
            forms.forget("model.favourable")
            session.change(roles=draft.roles.model_copy(update={"favourable": None}))
        return session.change(model=model, tests=())
    return session.change(model=model)


def _whose_answers(model: ModelSource) -> object:
    """What tells one model from another, however it is read."""
    if isinstance(model, ModelEndpoint):
        return model.endpoint.identity
    if isinstance(model, ObjectInMemory):
        return model.fingerprint
    return model.kind, model.columns if isinstance(model, PredictionColumns) else model.file


def _reads_alike(one: ModelSource, other: ModelSource) -> bool:
    """Whether two give the same answers, whatever is known about them."""
    return one.model_copy(update=one.without_bearing) == other.model_copy(update=other.without_bearing)


def _inspect(draft: Draft, model: ModelSource) -> str:
    """How the model answers; returns why the next step is shut."""
    seen = preview_of(draft)
    if seen is None:
        return say("The model does not answer for this table yet.")
    if draft.data is not None and (read := draft.data.model_validate_json(seen.source)) != draft.data:
        session.change(data=read)
        st.rerun()
    report = seen.report
    if draft.roles.judges_a_model and (problem := _choose_good(draft, report)):
        return problem
    differs = proof.show(model, report)
    problem = differs or direction.ask(model, report) or predictions.ask_whether_copied(draft, model, report)
    predictions.show_cut(draft, model, report)
    model_report.show(draft.told(report), draft.roles.text)
    if report.direction is not None and not report.direction.against:
        direction.offer_turn(model, report)
    return say("The model gives answers that are not finite numbers.") if report.not_finite else problem


def _choose_good(draft: Draft, report: ModelReport) -> str:
    """Which answer is good for the person, where the table does not say it; returns what is still to be chosen."""
    kept = draft.roles.favourable or good_answer(report.classes)
    good = st.selectbox(
        say("Which answer is good for the person?"),
        report.classes,
        index=report.classes.index(kept) if kept in report.classes else None,
        key=forms.key_of("model.favourable"),
        help=say("Groups are compared by how often they get this answer."),
        placeholder=say("Choose one"),
    )
    if good is not None and good != draft.roles.favourable:
        session.change(roles=draft.roles.model_copy(update={"favourable": good}))
        st.rerun()
    return "" if good else say("Choose which answer is good for the person.")
