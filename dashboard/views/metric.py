"""Step 3: who counts as similar."""

from typing import Any

import streamlit as st

from core.metrics import METRICS
from core.metrics.comparable_pairs import ComparablePairs
from core.metrics.expert import Expert
from dashboard import forms, session, stepper
from dashboard.session import Draft
from dashboard.views import metric_files, metric_preview

CHOICES = {
    "sensitive_subspace": (
        "Learn it from the data",
        "What gives a protected attribute away, taken together in a straight line, may differ freely. "
        "The published method; a good start.",
    ),
    "expert": (
        "Say it yourself",
        "You name the columns that may differ freely, and how much the others count.",
    ),
    "protected_status": (
        "Learn it with a small network",
        "As the first, for attributes that only combinations of columns give away.",
    ),
    "comparable_pairs": (
        "Show pairs of comparable people",
        "You bring pairs of people who deserve the same answer; what differs between them may differ freely.",
    ),
}


def page() -> None:
    """Choose a fair metric and look at what it calls similar."""
    draft = session.draft()
    if (place := stepper.header(draft, "metric")) is None:
        return
    st.title("Fair metric")
    st.write("Who counts as similar? The test looks for similar people who are treated worse, so this decides it.")
    draft = _choose(draft)
    problem = stepper.STEPS[2].problem(draft)
    if not problem:
        problem = metric_preview.show(draft)
    elif draft.metric is not None:
        st.info(problem, icon=":material/info:")
    stepper.footer(place, session.draft(), "metric", problem)


def _choose(draft: Draft) -> Draft:
    current = draft.metric.kind if draft.metric is not None else "sensitive_subspace"
    name = st.radio(
        "How do you want to say it?",
        list(CHOICES),
        index=list(CHOICES).index(current),
        format_func=lambda kind: CHOICES[kind][0],
        captions=[said for _, said in CHOICES.values()],
        key="metric.kind",
    )
    kind: Any = METRICS[name]
    values = dict(draft.metric) if draft.metric is not None and draft.metric.kind == name else {}
    options = {"free": draft.roles.features, "protected": draft.roles.protected}
    main = st.container()
    if kind is Expert:
        values |= metric_files.expert(draft, values)
    elif kind is ComparablePairs:
        values |= metric_files.pairs(values)
        if "pairs" not in values:
            return session.change(metric=None) if draft.metric is not None else draft
    direct = tuple(field for field in forms.drawable(kind) if field in ("free", "protected"))
    with main:
        chosen = _draw(kind, values, options, direct)
    return session.change(metric=chosen) if chosen is not None and chosen != draft.metric else draft


def _draw(kind: Any, values: dict[str, Any], options: dict[str, tuple[str, ...]], direct: tuple[str, ...]) -> Any:
    """The fields everybody needs, and the others behind a fold."""
    key = f"metric.{kind.__name__}"
    if direct:
        first = forms.draw(kind, values, key, fields=direct, options=options)
        if first is None:
            return None
        values = dict(first)
    rest = tuple(name for name in forms.drawable(kind) if name not in direct)
    if not rest:
        return kind(**values)
    with st.expander("More settings", icon=":material/tune:"):
        return forms.draw(kind, values, key, fields=rest, options=options)
