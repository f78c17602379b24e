"""The form of a fair metric: what may differ between people who count as similar."""

from typing import Any

import streamlit as st

from core.language.told import retold, say
from core.metrics import METRICS, Metric
from core.metrics.comparable_pairs import ComparablePairs
from core.metrics.expert import Expert
from core.models.text import TextModelSource
from dashboard import forms
from dashboard.draft import Draft
from dashboard.views.similar import metric_files

CHOICES = {
    "sensitive_subspace": (
        say("Learn it from the data"),
        say(
            "What gives a protected attribute away, taken together in a straight line, may differ freely. "
            "The published method; a good start."
        ),
    ),
    "expert": (
        say("Say it yourself"),
        say("You name the columns that may differ freely, and how much the others count."),
    ),
    "protected_status": (
        say("Learn it with a small network"),
        say("As the first, for attributes that only combinations of columns give away."),
    ),
    "comparable_pairs": (
        say("Show pairs of comparable people"),
        say("You bring pairs of people who deserve the same answer; what differs between them may differ freely."),
    ),
    "text_swaps": (
        say("Learn it from exchanged words"),
        say("Words that name a group are exchanged in the texts; what that changes for the model may differ freely."),
    ),
}
_FOR_TEXTS = ("text_swaps", "sensitive_subspace", "protected_status", "comparable_pairs")
_FOR_COLUMNS = ("sensitive_subspace", "expert", "protected_status", "comparable_pairs")


def choose(draft: Draft, current: Metric | None, key: str) -> Metric | None:
    """The fair metric as the widgets say; the current one while they are not valid, None while a file is missing.

    Args:
        draft: The columns there are.
        current: What is chosen so far.
        key: Prefix of the widgets' keys.
    """
    kinds = _FOR_TEXTS if isinstance(draft.model, TextModelSource) else _FOR_COLUMNS
    name = st.radio(
        say("How do you want to say it?"),
        kinds,
        index=kinds.index(current.kind) if current is not None and current.kind in kinds else 0,
        format_func=lambda kind: retold(CHOICES[kind][0]),
        captions=[retold(CHOICES[kind][1]) for kind in kinds],
        key=f"{key}.kind",
    )
    kind: Any = METRICS[name]
    values = dict(current) if current is not None and current.kind == name else {}
    options = {"free": draft.roles.features, "protected": draft.roles.protected}
    main = st.container()
    if kind is Expert:
        values |= metric_files.expert(draft, values, key)
    elif kind is ComparablePairs:
        values |= metric_files.pairs(values, key)
        if "pairs" not in values:
            return None
    direct = tuple(field for field in forms.drawable(kind) if field in ("free", "protected"))
    with main:
        chosen: Metric | None = _draw(kind, values, options, direct, key)
    return current if chosen is None else chosen


def _draw(
    kind: Any, values: dict[str, Any], options: dict[str, tuple[str, ...]], direct: tuple[str, ...], prefix: str
) -> Any:
    """The fields everybody needs, and the others behind a fold."""
    key = f"{prefix}.{kind.__name__}"
    if direct:
        first = forms.draw(kind, values, key, fields=direct, options=options)
        if first is None:
            return None
        values = dict(first)
    rest = tuple(name for name in forms.drawable(kind) if name not in direct)
    if not rest:
        return kind(**values)
    with st.expander(say("More settings"), icon=":material/tune:"):
        return forms.draw(kind, values, key, fields=rest, options=options)
