"""Where the protected status model comes from: trained here, brought, learned from other texts, or none."""

from typing import Any

import streamlit as st

from core.audits.text_sensitivity.decision import TextSensitivityDecision
from core.audits.text_sensitivity.settings import TextSensitivity
from core.base.settings import title_of
from core.language.told import retold, say
from core.protected_status import NoStatus, StatusSource, TrainedStatus, UploadedStatus
from dashboard import forms, session
from dashboard.audits.text_sensitivity import setup_corpus
from dashboard.draft import Draft
from dashboard.views.model import text_file

WAYS = {
    "trained": (say("Learn it from this table"), say("A part of the texts is learned from; the rest is measured.")),
    "uploaded": (say("Bring a model"), say("A text classifier of the protected attribute, as a zip file.")),
    "other": (
        say("Learn it from other texts"),
        say("All texts of this table are measured; another table is learned from."),
    ),
    "none": (say("No model"), say("Only the listed words count as giving the group away.")),
}


def choose(draft: Draft) -> tuple[StatusSource, str]:
    """The protected status model as the widgets say, and what is still missing, one sentence."""
    st.caption(
        say(
            "Names, jobs and habits give a group away too. A second model that guesses the group from the "
            "text (a “protected status model”) finds these words; the test then asks how far the audited "
            "model leans on them."
        )
    )
    now = draft.settings(TextSensitivity).status
    ways = [way for way in WAYS if way != "trained" or draft.roles.protected]
    if "trained" not in ways:
        st.info(
            say(
                "The table has no protected attribute, so nothing can be learned from it. Choose one in the first "
                "step, or bring a model."
            ),
            icon=":material/info:",
        )
    way = st.radio(
        say("Where does the model of the group come from?"),
        ways,
        index=ways.index(current) if (current := _way(now)) in ways else len(ways) - 1,
        format_func=lambda name: retold(WAYS[name][0]),
        captions=[retold(WAYS[name][1]) for name in ways],
        key=forms.key_of("status.way.choice"),
    )
    if way == "none":
        return NoStatus(), ""
    if way == "uploaded":
        return _uploaded(now)
    return _trained(draft, now) if way == "trained" else _other(now)


def _way(status: StatusSource) -> str:
    if isinstance(status, TrainedStatus):
        return "trained" if status.corpus is None else "other"
    return "uploaded" if isinstance(status, UploadedStatus) else "none"


def _trained(draft: Draft, now: StatusSource) -> tuple[StatusSource, str]:
    values = dict(now) | {"corpus": None} if isinstance(now, TrainedStatus) else {}
    protected = draft.roles.protected
    attribute = protected[0]
    if len(protected) > 1:
        chosen = values.get("attribute")
        attribute = st.selectbox(
            title_of(TrainedStatus.model_fields["attribute"]),
            protected,
            index=protected.index(chosen) if chosen in protected else 0,
            key=forms.key_of("status.attribute"),
        )
    values["attribute"] = "" if attribute == protected[0] else attribute
    return _settings(values, ("architecture", "share", "epochs"), now)


def _settings(values: dict[str, Any], fields: tuple[str, ...], now: StatusSource) -> tuple[StatusSource, str]:
    with st.expander(say("How it is trained"), icon=":material/tune:"):
        drawn = forms.draw(TrainedStatus, values, "status.trained", fields=fields)
    return (now, say("A setting of the training is not valid yet.")) if drawn is None else (drawn, "")


def _uploaded(now: StatusSource) -> tuple[StatusSource, str]:
    model = text_file.bring(now.model if isinstance(now, UploadedStatus) else None, "status.model")
    if model is None:
        return now, say("Bring the model of the group, or choose another way.")
    return UploadedStatus(model=model), ""


def _other(now: StatusSource) -> tuple[StatusSource, str]:
    values = dict(now) if isinstance(now, TrainedStatus) else {}
    corpus, missing = setup_corpus.choose(values.get("corpus"))
    if corpus is None:
        return now, missing
    return _settings(values | {"corpus": corpus, "attribute": ""}, ("architecture", "epochs"), now)


def keep(draft: Draft, **values: Any) -> Draft:
    """The draft with these fields of its sensitivity test."""
    return session.keep(draft, draft.settings(TextSensitivity).model_copy(update=values))


def take_status(draft: Draft, status: Any) -> Draft:
    """The draft with another protected status model; without one, the listed words are what is measured by."""
    before, decision = draft.settings(TextSensitivity).status, draft.decision(TextSensitivityDecision)
    draft, without = keep(draft, status=status), isinstance(status, NoStatus)
    if isinstance(before, NoStatus) == without and not (without and decision.measure in ("P2", "P3")):
        return draft
    return session.keep(draft, decision.model_copy(update={"measure": "P5" if without else "P3"}))
