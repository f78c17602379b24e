"""Widgets on results: each has its result's own name in the address, and label and tooltip from the settings' field."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from core.contracts.decision import DecisionSettings
from core.language.reader import SOURCE, language
from core.plan import AuditPlan
from core.study import Study
from dashboard.fields import named, tip_of

_READ, _ANEW = "audit_read", "read_anew"
"""Where a session keeps which audit it reads, and whether its widgets have their other names."""
_OTHER = "."


def widget_key(field: str, read: AuditPlan | Study) -> str:
    """Key of a widget and its name in the address; each result has its own, so that no reading strays to another.

    One that begins anew has other names than the one before: a browser says again what widgets said that it had before.
    """
    return f"{field}-{read.result_fingerprint[:6]}{_OTHER if st.session_state.get(_ANEW) else ''}"


def begin_as_run(job: str, study: Study) -> None:
    """Forget how another audit with the same results is read; what the address says of this one is kept.

    An audit that is run again has the same results where its tests have not changed, and so the same widgets.
    """
    if st.session_state.get(_READ) != job:
        st.session_state[_READ] = job
        read: tuple[AuditPlan | Study, ...] = (study, *study.plans)
        named = tuple(f"-{one.result_fingerprint[:6]}{end}" for one in read for end in ("", _OTHER))
        if told := [key for key in st.query_params if key.endswith(named)]:
            st.session_state[_ANEW] = told[0].endswith(_OTHER)
        for key in [str(key) for key in st.session_state if str(key).endswith(named)]:
            if key not in st.query_params:
                del st.session_state[key]


def forget_reading() -> None:
    """Have the next audit that is opened read as it was run, unless its address says otherwise."""
    st.session_state.pop(_READ, None)
    st.session_state[_ANEW] = not st.session_state.get(_ANEW, False)


def label(kind: type[DecisionSettings], field: str) -> str:
    """The field's plain-language name, with its symbol where symbols are shown."""
    return named(kind.model_fields[field])


def slider_format(end: float, own: str | None = None) -> str | None:
    """How a slider that ends at ``end`` writes its numbers: in English by its ``own`` format.

    In other languages as the browser's language does, which takes three decimals at most: too few below 1.
    """
    return own if language() == SOURCE or (own and end < 1) else "localized"


def widget(
    drawn: Callable[..., Any],
    kind: type[DecisionSettings],
    read: AuditPlan | Study,
    field: str,
    *given: Any,
    more: str = "",
    key: str = "",
    **settings: Any,
) -> Any:
    """What a widget of one field says; the widget has the field's label and tip, and keeps its value in the address.

    Args:
        drawn: Draws it, for example ``st.slider``.
        kind: The type of the decision settings.
        read: What is read.
        field: The field.
        given: What ``drawn`` takes after the label.
        more: What follows the label.
        key: What the widget is called in the address, if not like the field.
        settings: What else ``drawn`` takes.
    """
    if drawn is st.slider:
        settings["format"] = slider_format(given[1], settings.get("format"))
    return drawn(
        label(kind, field) + more,
        *given,
        key=widget_key(key or field, read),
        help=tip_of(kind.model_fields[field]),
        bind="query-params",
        **settings,
    )
