"""What the sensitivity test will measure, how long it takes and what it can find, before it is run."""

import math
from typing import Any

import pandas as pd
import streamlit as st

from core.audits.text_sensitivity.decision import TextSensitivityDecision
from core.audits.text_sensitivity.planning import SensitivityPilot
from core.audits.text_sensitivity.settings import ClassWeight, TextSensitivity
from core.phrases import count, lower_first, number, percent
from core.plan import AuditPlan
from core.protected_status import NoStatus, StatusSource, TrainedStatus
from core.settings import name_of_choice
from dashboard import forms, session
from dashboard.audits.text_sensitivity import setup_status as sensitivity_status
from dashboard.jobs.answers import unpack
from dashboard.session import Draft
from dashboard.views.model import page as model
from dashboard.waiting import answer, duration

_POWER = 0.8
_EXCESS = 0.02
_NEEDS_STATUS = ("P2", "P3")


def facts(plan: AuditPlan) -> dict[str, str]:
    """What will be run, in words."""
    audit, decision = plan.audit, plan.decision
    if not isinstance(audit, TextSensitivity) or not isinstance(decision, TextSensitivityDecision):
        return {}
    words = audit.words.complete
    listed = f"{words.name}: {count(len(words.pairs), 'pair')}"
    found = {
        "Sensitivity test": f"{_judged(audit, decision)}, with {percent(1 - decision.alpha)} confidence",
        "Words that name a group": f"{listed}, {count(len(words.others), 'other word')}" if words.others else listed,
        "Words that give the group away": _status(audit.status, plan.roles.protected),
    }
    if audit.edits:
        found["Counterparts corrected by hand"] = f"{len(audit.edits):,}"
    if audit.reference is not None:
        found["Second model"] = audit.reference.file.name
    return found


def settings(draft: Draft) -> dict[str, Any]:
    """The test's own settings as the widgets say; None where one is not valid."""
    with st.expander("Settings of the sensitivity test", icon=":material/tune:"):
        shown = forms.draw(TextSensitivity, dict(draft.text_sensitivity), "review.sensitivity", fields=("texts_shown",))
        if shown is None:
            return {"text_sensitivity": None}
        return {"text_sensitivity": shown.model_copy(update={"weights": _weights(draft)})}


def show(draft: Draft) -> str:
    """The estimate of the test; returns why it cannot be run."""
    decision = draft.text_sensitivity_decision
    if decision.judged == "reference" and draft.text_sensitivity.reference is None:
        return "The verdict is to be about a second model, and none is chosen: choose one a step back, or judge swaps."
    no_status = isinstance(draft.text_sensitivity.status, NoStatus)
    if decision.judged == "reference" and no_status and decision.measure in _NEEDS_STATUS:
        name = name_of_choice(TextSensitivityDecision, "measure", decision.measure)
        return f"“{name}” needs a model of the group, and none is chosen: choose one a step back, or another measure."
    _warn_of_weak(draft)
    arguments = session.about_model(draft) | {
        "audit": draft.text_sensitivity.model_dump(mode="json"),
        "seed": draft.seed,
    }
    tried = answer("pilot_sensitivity", arguments, "Trying the test on some texts")
    if tried is None:
        return "The test cannot be run like this yet."
    _show_pilot(draft, unpack(tried, SensitivityPilot))
    return ""


def _judged(audit: TextSensitivity, decision: TextSensitivityDecision) -> str:
    if decision.judged == "swaps":
        return (
            "how far answers move when words that name a group are exchanged; tolerated: "
            f"{100 * decision.delta:g} percentage points on average"
        )
    name = lower_first(name_of_choice(TextSensitivityDecision, "measure", decision.measure))
    second = audit.reference.file.name if audit.reference is not None else "the second model"
    return f"how much more than {second} the model leans on {name}; tolerated: {number(decision.delta)}"


def _status(status: StatusSource, protected: tuple[str, ...]) -> str:
    if isinstance(status, NoStatus):
        return "only the listed words"
    if not isinstance(status, TrainedStatus):
        return f"by the model {status.model.file.name}"
    if status.corpus is not None:
        return f"by a model of {status.corpus.attribute}, trained on {status.corpus.data.title}"
    attribute = status.attribute or (protected[0] if protected else "")
    return f"by a model of {attribute}, trained on {percent(status.share)} of the texts, which are not measured"


def _weights(draft: Draft) -> tuple[ClassWeight, ...]:
    """How much each class counts: all alike, or a number for each."""
    field = TextSensitivity.model_fields["weights"]
    seen = model.preview_of(draft)
    if seen is None:
        return draft.text_sensitivity.weights
    classes = seen.report.classes
    alike = st.toggle(
        "All classes count alike",
        value=not draft.text_sensitivity.weights,
        key="review.weights.alike",
        help=field.description,
    )
    if alike:
        return ()
    known = {weight.outcome: weight.weight for weight in draft.text_sensitivity.weights}
    st.caption("1 is the usual weight; 0 leaves a class out.")
    edited = st.data_editor(
        pd.DataFrame({"Class": classes, "Weight": [known.get(name, 1.0 if not known else 0.0) for name in classes]}),
        hide_index=True,
        disabled=["Class"],
        key="review.weights.table",
        column_config={"Weight": st.column_config.NumberColumn(min_value=0.0, max_value=1e6, required=True)},
    )
    weights = zip(classes, map(float, edited["Weight"]), strict=True)
    return tuple(ClassWeight(outcome=name, weight=weight) for name, weight in weights)


def _warn_of_weak(draft: Draft) -> None:
    """Say again that the model of the group is weak, where that is known already."""
    from dashboard.jobs.previews import StatusPreview
    from dashboard.waiting import known

    if isinstance(draft.text_sensitivity.status, NoStatus) or not sensitivity_status.was_tried(draft):
        return
    found = known("train_status", sensitivity_status.arguments_of(draft))
    if found is not None and unpack(found, StatusPreview).report.weak:
        st.warning(
            "Warning: The model of the group is weak, so what it says about words should not be relied on. You can use "
            "the listed words instead, a step back.",
            icon=":material/warning:",
        )


def _show_pilot(draft: Draft, pilot: SensitivityPilot) -> None:
    decision = draft.text_sensitivity_decision
    training = isinstance(draft.text_sensitivity.status, TrainedStatus)
    texts, found = pilot.texts_for(decision), pilot.detectable(decision, _POWER)
    swaps = decision.judged == "swaps"
    with st.container(horizontal=True, key="estimate_texts"):
        st.metric("Texts to measure", f"about {pilot.audited:,}", border=True)
        st.metric(
            "Texts the verdict rests on",
            f"about {texts:,}",
            border=True,
            help="Those with words to exchange." if swaps else "Those to which the measure applies.",
        )
        st.metric(
            "Time it will take",
            f"about {duration(pilot.seconds)}",
            border=True,
            help="The training of the model of the group comes on top, unless it was trained already."
            if training
            else None,
        )
        if math.isfinite(found):
            st.metric(
                "Smallest violation it will find",
                f"{number(100 * found)} points" if swaps else f"{number(found)} more",
                border=True,
                help=f"A true value of at least this is found with probability {_POWER:.0%}.",
            )
    if not texts:
        st.warning(
            "Warning: Among the texts tried there is none the verdict could rest on, so it will probably say that the "
            "texts do not suffice.",
            icon=":material/warning:",
        )
    elif math.isfinite(found) and swaps:
        needed = pilot.texts_needed(decision, _EXCESS, _POWER)
        st.caption(
            f"Estimated from {count(pilot.texts, 'text')}; found means found in four audits out of five. To find a "
            f"true movement of {100 * (decision.delta + _EXCESS):g} points so often, about "
            f"{count(needed, 'text')} like these would be needed."
        )
    else:
        st.caption(f"Estimated from {count(pilot.texts, 'text')}.")
    if swaps and decision.delta == TextSensitivityDecision().delta:
        st.caption(
            "The tolerance of 5 percentage points is a proposal, no legal threshold; choose your own above, or when "
            "you see the result."
        )
