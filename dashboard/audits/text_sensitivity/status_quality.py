"""How good the protected status model is: tried when somebody asks, and said again where the test is reviewed."""

from typing import Any

import streamlit as st

from core.audits.text_sensitivity.report import recognised
from core.audits.text_sensitivity.settings import TextSensitivity
from core.language.phrases import count
from core.language.told import retold, say
from core.protected_status import NoStatus, TrainedStatus
from dashboard import forms, session
from dashboard.audits.text_sensitivity.setup_status import take_status
from dashboard.audits.text_sensitivity.tasks import StatusPreview
from dashboard.draft import Draft
from dashboard.jobs import queue as jobs
from dashboard.jobs.answers import unpack
from dashboard.messages import show_caveats
from dashboard.text import literal
from dashboard.views.results.tables import show_table
from dashboard.waiting import answer, known

_TASK = "train_status"


def show(draft: Draft) -> str:
    """How good the chosen model is, trained only when somebody asks for it; returns why the next step is shut."""
    status = draft.settings(TextSensitivity).status
    if isinstance(status, NoStatus):
        return ""
    arguments, trained = _arguments(draft), isinstance(status, TrainedStatus)
    if trained and not jobs.was_asked(_TASK, arguments):
        with st.container(horizontal=True, vertical_alignment="center", key="status_train"):
            if st.button(say("Train it now"), key="status.train", icon=":material/model_training:"):
                jobs.submit(_TASK, arguments)
                st.rerun()
            st.caption(
                say("To see how good it is. Otherwise the test trains it when it runs; it is never trained twice.")
            )
        return ""
    waiting = say("Training the model of the group") if trained else say("Trying the model of the group")
    found = answer(_TASK, arguments, waiting)
    if found is None:
        return "" if trained else say("The model of the group cannot be used yet.")
    _show_report(unpack(found, StatusPreview))
    return ""


def warn(draft: Draft) -> None:
    """Say that the model of the group is weak, where that is known already."""
    if isinstance(draft.settings(TextSensitivity).status, NoStatus):
        return
    arguments = _arguments(draft)
    found = known(_TASK, arguments) if jobs.was_asked(_TASK, arguments) else None
    if found is not None and unpack(found, StatusPreview).report.weak:
        st.warning(
            say(
                "Warning: The model of the group is weak, so what it says about words should not be relied on. You can "
                "use the listed words instead, a step back."
            ),
            icon=":material/warning:",
        )


def _arguments(draft: Draft) -> dict[str, Any]:
    """What the worker needs to make the model as the audit will."""
    return draft.about_model | {
        "status": draft.settings(TextSensitivity).status.model_dump(mode="json"),
        "seed": draft.seed,
    }


def _show_report(preview: StatusPreview) -> None:
    report = preview.report
    st.caption(
        say(
            "{name}; {texts} left to measure.",
            name=literal(retold(report.name)),
            texts=count(preview.measured, "text"),
        )
    )
    show_caveats(preview.caveats)
    if report.texts.sum():
        st.markdown(say("**How often it recognises the group, on texts it did not learn from**"))
        show_table(recognised(report))
    if not report.weak:
        st.success(say("It tells the groups apart well enough to rely on."), icon=":material/check_circle:")
        return
    st.warning(
        say(
            "Warning: This model is weak. {weak} What it says about words should not be relied on. Words from a list "
            "are the better choice then.",
            weak=literal(retold(report.weak)),
        ),
        icon=":material/warning:",
    )
    if st.button(say("Use the listed words instead"), key="status.lists", icon=":material/list:", type="primary"):
        forms.forget("status.way")
        take_status(session.draft(), NoStatus())
        st.rerun()
