"""Step 3: which tests, what each one asks, and what it needs."""

from dataclasses import dataclass
from typing import Literal

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dashboard import forms, session, stepper
from dashboard.previews import ModelPreview
from dashboard.session import TEST_KINDS, Draft, TestKind
from dashboard.text import literal
from dashboard.views import model


@dataclass(frozen=True)
class Told:
    """A test in plain words.

    Attributes:
        title: What people call it.
        asks: The question it answers.
        needs: What has to be brought.
        gives: What it says in the end.
    """

    title: str
    asks: str
    needs: str
    gives: str


TESTS: dict[TestKind, Told] = {
    "gradient_flow": Told(
        "Gradient-flow test",
        "If a person changed a little in what must not matter, how much worse could the model treat them?",
        "the model itself, with gradients: a neural network or a linear model.",
        "how many times larger the model's error (its loss) becomes; more than 1.25 times is too much unless you say "
        "otherwise.",
    ),
    "transport": Told(
        "Transport test (FaiTH)",
        "If people were judged like similar people of other groups in the table, how many more would be judged "
        "wrongly?",
        "only predictions; with the model itself it can ask about the same person in every other group.",
        "the rise of the error rate, and between which groups it runs; more than 3.65 percentage points is too much "
        "unless you say otherwise.",
    ),
}


def page() -> None:
    """Choose the tests among those that the model allows."""
    draft = session.draft()
    if (place := stepper.header(draft, "tests")) is None:
        return
    st.title("Tests")
    st.write("Which questions should be answered? What is ticked suits your model; press Next to go on with it.")
    seen = model.preview_of(draft)
    problem = "It is not known yet which tests suit the model."
    if seen is not None:
        draft, problem = _choose(draft, seen), ""
    stepper.footer(place, draft, "tests", problem)


def proposed(unsuited: dict[str, str]) -> tuple[TestKind, ...]:
    """The test a reviewer gets without a choice: the gradient-flow test where it suits the model, else transport."""
    suited = [kind for kind in TEST_KINDS if kind not in unsuited]
    return tuple(suited[:1])


def _choose(draft: Draft, seen: ModelPreview) -> Draft:
    unsuited = dict(seen.unsuited)
    now = tuple(kind for kind in draft.tests if kind not in unsuited) or proposed(unsuited)
    ticked = [
        kind
        for kind, place in zip(TEST_KINDS, st.columns(len(TEST_KINDS)), strict=True)
        if _show(kind, place, kind in now, unsuited.get(kind, ""))
    ]
    if len(ticked) > 1:
        st.caption("Two tests are two chances of a false alarm: the p-values are adjusted for that (Holm).")
    chosen = tuple(ticked)
    if not draft.tests:
        draft = session.change(transport=draft.transport.model_copy(update={"space": _space(draft, seen)}))
    return session.change(tests=chosen) if chosen != draft.tests else draft


def _space(draft: Draft, seen: ModelPreview) -> Literal["observed", "all groups"]:
    """With whom the transport test compares people unless somebody chooses otherwise."""
    from core.audits.transport.proposal import proposed_space

    roles = draft.roles.roles
    if roles is None:
        return "observed"
    return proposed_space(seen.report.features, roles, not seen.answers_only_here)


def _show(kind: TestKind, place: DeltaGenerator, ticked: bool, reason: str) -> bool:
    """One test as a card; returns whether it is ticked."""
    told = TESTS[kind]
    with place, st.container(border=True, key=f"test_{kind}", height="stretch"):
        chosen = st.checkbox(
            f"**{told.title}**", value=ticked, key=forms.key_of(f"tests.{kind}"), disabled=bool(reason)
        )
        st.write(f"**Asks:** {told.asks}")
        st.write(f"**Needs:** {told.needs}")
        st.write(f"**Says:** {told.gives}")
        if reason:
            st.info(f"Not available here. {literal(reason)}", icon=":material/block:")
    return chosen and not reason
