"""Which of the kept texts is read: the widgets of order, filters and number."""

from collections.abc import Callable
from typing import TypeVar

import streamlit as st

from core.audits.text_sensitivity.result import TextSensitivityDetail
from core.audits.text_sensitivity.verdict import TextSensitivityFinding
from core.language.told import say, say_count
from core.plan import AuditPlan
from dashboard.audits.text_sensitivity.results_order import ANY, ORDERS, Filter, Order, places
from dashboard.messages import guarded
from dashboard.pager import previous_and_next
from dashboard.views.results.widgets import widget_key

T = TypeVar("T")


def choose(plan: AuditPlan, finding: TextSensitivityFinding) -> int | None:
    """The place among the kept texts of the one that is read; None, and a word about it, if none is as asked for."""
    found = places(finding, _order(plan, finding), _filter(plan, finding.detail))
    if not len(found):
        st.info(say("No kept text is like that. Take a filter away."), icon=":material/filter_alt:")
        return None
    return int(found[_place(plan, len(found)) - 1])


def _order(plan: AuditPlan, finding: TextSensitivityFinding) -> Order:
    measure = finding.decision.measure
    names: dict[Order, str] = {
        "measure": say("{measure}, largest first", measure=measure),
        "CF": say("Effect of exchanged words, largest first"),
        "unsure": say("Least confident first"),
        "record": say("As in the file"),
    }
    offered = [one for one in ORDERS if one != "CF" or measure != "CF"]
    key = widget_key("order", plan)
    if st.session_state.get(key, offered[0]) not in offered:
        st.session_state[key] = offered[0]
    return _choice(plan, "order", say("Order"), offered, names.__getitem__, width=320)


def _filter(plan: AuditPlan, detail: TextSensitivityDetail) -> Filter:
    """What a text has to be; each filter only where it can tell texts apart."""
    groups = [(ANY, ANY)] + [
        (m, g) for m, membership in enumerate(detail.memberships) for g in range(len(membership.groups))
    ]
    changes = bool(detail.audited.flipped[detail.shown.rows].any())
    with st.expander(say("Choose which texts to read"), icon=":material/filter_alt:"):
        with st.container(horizontal=True):
            group = (
                _choice(plan, "read-group", say("Group"), groups, lambda one: _group_name(detail, one))
                if len(groups) > 1
                else groups[0]
            )
            true = predicted = ANY
            classes = [ANY, *range(len(detail.classes))]
            if (detail.label >= 0).any():
                true = _choice(plan, "read-true", say("True class"), classes, lambda one: _class_name(detail, one))
            predicted = _choice(
                plan, "read-predicted", say("Predicted class"), classes, lambda one: _class_name(detail, one)
            )
        changed = changes and st.toggle(
            say("Only texts whose predicted class changes when words are exchanged"),
            key=widget_key("changed", plan),
            on_change=_first,
            args=(plan,),
            bind="query-params",
        )
    return Filter(max(group[0], 0), group[1], true, predicted, bool(changed))


def _choice(
    plan: AuditPlan, field: str, label: str, options: list[T], name: Callable[[T], str], *, width: int = 240
) -> T:
    """One of the options; another one begins at the first text."""
    chosen: T = st.selectbox(
        label,
        options,
        format_func=name,
        key=widget_key(field, plan),
        on_change=_first,
        args=(plan,),
        bind="query-params",
        width=width,
    )
    return chosen


def _group_name(detail: TextSensitivityDetail, one: tuple[int, int]) -> str:
    if one[0] == ANY:
        return say("All groups")
    membership = detail.memberships[one[0]]
    return f"{membership.name} = {membership.groups[one[1]]}"


def _class_name(detail: TextSensitivityDetail, one: int) -> str:
    return say("All classes") if one == ANY else detail.classes[one]


@guarded()
def _first(plan: AuditPlan) -> None:
    """Begin at the first text whenever order or filter change."""
    st.session_state[widget_key("text", plan)] = 1


def _place(plan: AuditPlan, texts: int) -> int:
    """Which of the texts found is read, from 1; the buttons and the number keep it in the address."""
    key = widget_key("text", plan)
    if key in st.session_state:
        st.session_state[key] = min(max(int(st.session_state[key] or 1), 1), texts)
    with st.container(horizontal=True, vertical_alignment="center"):
        back, forth = st.empty(), st.empty()
        now: int = st.number_input(
            say("Number of the text"), 1, texts, key=key, bind="query-params", label_visibility="collapsed", width=130
        )
        st.markdown(say_count("of {n} text", "of {n} texts", texts), width="content")
    previous_and_next(key, now, texts, first=1, into=(back, forth))
    return now
