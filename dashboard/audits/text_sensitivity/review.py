"""What the sensitivity test will measure, how long it takes and what it can find, before it is run."""

import math
from dataclasses import replace

import pandas as pd
import streamlit as st

from core.audits.text_sensitivity.corners import CORNERS
from core.audits.text_sensitivity.decision import TextSensitivityDecision
from core.audits.text_sensitivity.measures import unit_of
from core.audits.text_sensitivity.planning import TextSensitivityPilot
from core.audits.text_sensitivity.settings import ClassWeight, TextSensitivity
from core.base.settings import help_of, name_of_choice
from core.base.thresholds import POWER
from core.language.phrases import count, listed, lower_first, percent, share_text, whole
from core.language.told import retold, say
from core.language.units import POINTS
from core.plan import AuditPlan
from core.protected_status import NoStatus, StatusSource, TrainedStatus
from core.text.shipped_lists import shown
from dashboard import forms
from dashboard.audits.pages import Expectation, Tile, proposal, so_many
from dashboard.audits.text_sensitivity import status_quality
from dashboard.draft import Draft
from dashboard.views.model.preview import preview_of

_EXCESS = 0.02
_FAMILIES = say(
    "Texts that belong together, or differ from another in one word, are not independent: a family "
    "of them counts together. In the settings of the test you can say that they are independent all "
    "the same."
)
_NEEDS_STATUS = ("P2", "P3")


def facts(plan: AuditPlan) -> dict[str, str]:
    """What will be run, in words."""
    audit, decision = plan.audit, plan.decision
    if not isinstance(audit, TextSensitivity) or not isinstance(decision, TextSensitivityDecision):
        return {}
    words = audit.words.complete
    held = [count(len(words.pairs), "pair"), *(shown(one.about) for one in words.sets)]
    if words.others:
        held.append(count(len(words.others), "other word"))
    found = {
        say("Text sensitivity test"): say(
            "{what}, with {confidence} confidence",
            what=_judged(audit, decision),
            confidence=percent(1 - decision.alpha),
        ),
        say("Words that name a group"): f"{shown(words.name)}: {', '.join(held)}",
        say("Words that give the group away"): _status(audit.status, plan.roles.protected),
    }
    if decision.judged == "swaps":
        found[say("Parts looked into beside the groups")] = say(
            "by {corners} (the longest and the shortest texts); all at once, so that a small part in which "
            "the model is biased is not lost in the mean",
            corners=listed([retold(one) for one in CORNERS]),
        )
    if audit.edits:
        found[say("Counterparts corrected by hand")] = whole(len(audit.edits))
    if audit.reference is not None:
        found[say("Second model")] = audit.reference.file.name
    return found


def settings(draft: Draft) -> TextSensitivity | None:
    """The test's own settings as the widgets say; None where one is not valid."""
    audit = draft.settings(TextSensitivity)
    with st.expander(say("Settings of the sensitivity test"), icon=":material/tune:"):
        drawn = forms.draw(TextSensitivity, dict(audit), "review.sensitivity", fields=("alike", "texts_shown"))
        return None if drawn is None else drawn.model_copy(update={"weights": _choose_weights(draft)})


def problem(draft: Draft) -> str:
    """Why the test cannot be tried: what the verdict is to be about was not chosen."""
    audit, decision = draft.settings(TextSensitivity), draft.decision(TextSensitivityDecision)
    if decision.judged == "reference" and audit.reference is None:
        return say(
            "The verdict is to be about a second model, and none is chosen: choose one a step back, or judge swaps."
        )
    if decision.judged == "reference" and isinstance(audit.status, NoStatus) and decision.measure in _NEEDS_STATUS:
        name = name_of_choice(TextSensitivityDecision, "measure", decision.measure)
        return say(
            "“{name}” needs a model of the group, and none is chosen: choose one a step back, or another measure.",
            name=name,
        )
    status_quality.warn(draft)
    return ""


def expectation(draft: Draft, pilot: TextSensitivityPilot) -> Expectation:
    """What the pilot says of the test."""
    audit, decision = draft.settings(TextSensitivity), draft.decision(TextSensitivityDecision)
    texts, found = pilot.texts_for(decision), pilot.detectable(decision, POWER)
    swaps, known, unit = decision.judged == "swaps", math.isfinite(found), unit_of(decision.verdict_measure)
    training = say("The training of the model of the group comes on top, unless it was trained already.")
    rests_on = say("Those with words to exchange.") if swaps else say("Those to which the measure applies.")
    told = Expectation(
        rows=(
            Tile(say("Texts to measure"), say("about {n}", n=whole(pilot.audited))),
            Tile(say("Texts the verdict rests on"), say("about {n}", n=whole(texts)), rests_on),
            *(
                (
                    Tile(
                        say("Families of texts"),
                        say("about {n}", n=whole(round(texts * pilot.independent))),
                        retold(_FAMILIES),
                    ),
                )
                if pilot.independent < 1
                else ()
            ),
        ),
        seconds=pilot.seconds,
        seconds_help=training if isinstance(audit.status, TrainedStatus) else "",
        found=(unit.text(found) if swaps else say("{found} more", found=unit.text(found))) if known else "",
        found_help=say("A true value of at least this is found with probability {power}.", power=share_text(POWER, 0)),
        proposal=proposal(decision, unit.tolerance(decision.delta)) if swaps else "",
    )
    if not texts:
        return replace(
            told,
            warning=say(
                "Warning: Among the texts tried there is none the verdict could rest on, so it will probably say "
                "that the texts do not suffice."
            ),
        )
    needed = ""
    if known and swaps:
        needed = say(
            "To find a true mean change of {change} so often, {texts} like these would be needed.",
            change=unit.tolerance(decision.delta + _EXCESS),
            texts=so_many(pilot.texts_needed(decision, _EXCESS, POWER), texts, "text"),
        )
    return replace(told, tried=count(pilot.texts, "text"), needed=needed)


def _judged(audit: TextSensitivity, decision: TextSensitivityDecision) -> str:
    if decision.judged == "swaps":
        return say(
            "how far answers move when words that name a group are exchanged; tolerated: {tolerance} on average",
            tolerance=POINTS.tolerance(decision.delta),
        )
    name = lower_first(name_of_choice(TextSensitivityDecision, "measure", decision.measure))
    second = audit.reference.file.name if audit.reference is not None else say("the second model")
    tolerated = unit_of(decision.measure).tolerance(decision.delta)
    return say(
        "how much more than {second} the model leans on {words}; tolerated: {tolerance}",
        second=second,
        words=name,
        tolerance=tolerated,
    )


def _status(status: StatusSource, protected: tuple[str, ...]) -> str:
    if isinstance(status, NoStatus):
        return say("only the listed words")
    if not isinstance(status, TrainedStatus):
        return say("by the model {name}", name=status.model.file.name)
    if status.corpus is not None:
        return say(
            "by a model of {attribute}, trained on {title}",
            attribute=status.corpus.attribute,
            title=status.corpus.data.title,
        )
    attribute = status.attribute or (protected[0] if protected else "")
    return say(
        "by a model of {attribute}, trained on {share} of the texts, which are not measured",
        attribute=attribute,
        share=percent(status.share),
    )


def _choose_weights(draft: Draft) -> tuple[ClassWeight, ...]:
    """How much each class counts: all alike, or a number for each."""
    kept, seen = draft.settings(TextSensitivity).weights, preview_of(draft)
    if seen is None:
        return kept
    classes = seen.report.classes
    alike = st.toggle(
        say("All classes count alike"),
        value=not kept,
        key="review.weights.alike",
        help=help_of(TextSensitivity.model_fields["weights"]),
    )
    if alike:
        return ()
    before = {weight.outcome: weight.weight for weight in kept}
    st.caption(say("1 is the usual weight; 0 leaves a class out."))
    edited = st.data_editor(
        pd.DataFrame({"Class": classes, "Weight": [before.get(name, 1.0 if not before else 0.0) for name in classes]}),
        hide_index=True,
        disabled=["Class"],
        key="review.weights.table",
        column_config={
            "Class": st.column_config.TextColumn(say("Class")),
            "Weight": st.column_config.NumberColumn(say("Weight"), min_value=0.0, max_value=1e6, required=True),
        },
    )
    weights = zip(classes, map(float, edited["Weight"]), strict=True)
    return tuple(ClassWeight(outcome=name, weight=weight) for name, weight in weights)
