"""What the sensitivity test will measure, how long it takes and what it can find, before it is run."""

import math
from typing import Any

import pandas as pd
import streamlit as st

from core.audits.sensitivity import Sensitivity
from core.audits.sensitivity.planning import SensitivityPilot
from core.audits.sensitivity.reading import SensitivityReading
from core.audits.sensitivity.settings import ClassWeight
from core.plan import AuditPlan
from core.settings import name_of_choice
from core.status import NoStatus, StatusSource, TrainedStatus
from core.words import count, lower_first, number, percent
from dashboard import forms, session
from dashboard.answers import unpack
from dashboard.session import Draft
from dashboard.views import model, sensitivity_status
from dashboard.waiting import answer, duration

_POWER = 0.8
_EXCESS = 0.02
_NEEDS_STATUS = ("P2", "P3")


def facts(plan: AuditPlan) -> dict[str, str]:
    """What will be run, in words."""
    audit, reading = plan.audit, plan.reading
    if not isinstance(audit, Sensitivity) or not isinstance(reading, SensitivityReading):
        return {}
    words = audit.words.complete
    listed = f"{words.name}: {count(len(words.pairs), 'pair')}"
    found = {
        "Sensitivity test": f"{_judged(audit, reading)}, with {percent(1 - reading.alpha)} confidence",
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
        shown = forms.draw(Sensitivity, dict(draft.sensitivity), "review.sensitivity", fields=("texts_shown",))
        if shown is None:
            return {"sensitivity": None}
        return {"sensitivity": shown.model_copy(update={"weights": _weights(draft)})}


def show(draft: Draft) -> str:
    """The estimate of the test; returns why it cannot be run."""
    reading = draft.sensitivity_reading
    if reading.judged == "reference" and draft.sensitivity.reference is None:
        return "The verdict is to be about a second model, and none is chosen: choose one a step back, or judge swaps."
    no_status = isinstance(draft.sensitivity.status, NoStatus)
    if reading.judged == "reference" and no_status and reading.measure in _NEEDS_STATUS:
        name = name_of_choice(SensitivityReading, "measure", reading.measure)
        return f"“{name}” needs a model of the group, and none is chosen: choose one a step back, or another measure."
    _warn_of_weak(draft)
    arguments = session.about_model(draft) | {
        "audit": draft.sensitivity.model_dump(mode="json"),
        "seed": draft.seed,
    }
    tried = answer("pilot_sensitivity", arguments, "Trying the test on some texts")
    if tried is None:
        return "The test cannot be run like this yet."
    _show_pilot(draft, unpack(tried, SensitivityPilot))
    return ""


def _judged(audit: Sensitivity, reading: SensitivityReading) -> str:
    if reading.judged == "swaps":
        return (
            "how far answers move when words that name a group are exchanged; tolerated: "
            f"{100 * reading.delta:g} percentage points on average"
        )
    name = lower_first(name_of_choice(SensitivityReading, "measure", reading.measure))
    second = audit.reference.file.name if audit.reference is not None else "the second model"
    return f"how much more than {second} the model leans on {name}; tolerated: {number(reading.delta)}"


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
    field = Sensitivity.model_fields["weights"]
    seen = model.preview_of(draft)
    if seen is None:
        return draft.sensitivity.weights
    classes = seen.report.classes
    alike = st.toggle(
        "All classes count alike",
        value=not draft.sensitivity.weights,
        key="review.weights.alike",
        help=field.description,
    )
    if alike:
        return ()
    known = {weight.outcome: weight.weight for weight in draft.sensitivity.weights}
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
    from dashboard.previews import StatusPreview
    from dashboard.waiting import known

    if isinstance(draft.sensitivity.status, NoStatus) or not sensitivity_status.was_tried(draft):
        return
    found = known("train_status", sensitivity_status.arguments_of(draft))
    if found is not None and unpack(found, StatusPreview).report.weak:
        st.warning(
            "Warning: The model of the group is weak, so what it says about words should not be relied on. You can use "
            "the listed words instead, a step back.",
            icon=":material/warning:",
        )


def _show_pilot(draft: Draft, pilot: SensitivityPilot) -> None:
    reading = draft.sensitivity_reading
    training = isinstance(draft.sensitivity.status, TrainedStatus)
    texts, found = pilot.texts_for(reading), pilot.detectable(reading, _POWER)
    swaps = reading.judged == "swaps"
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
        needed = pilot.texts_needed(reading, _EXCESS, _POWER)
        st.caption(
            f"Estimated from {count(pilot.texts, 'text')}; found means found in four audits out of five. To find a "
            f"true movement of {100 * (reading.delta + _EXCESS):g} points so often, about "
            f"{count(needed, 'text')} like these would be needed."
        )
    else:
        st.caption(f"Estimated from {count(pilot.texts, 'text')}.")
    if swaps and reading.delta == SensitivityReading().delta:
        st.caption(
            "The tolerance of 5 percentage points is a proposal, no legal threshold; choose your own above, or when "
            "you see the result."
        )
