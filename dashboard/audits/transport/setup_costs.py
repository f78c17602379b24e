"""What may differ between two people who count as similar: columns, a fair metric's distance, or an own table."""

import streamlit as st

from core.audits.transport.settings import ByMetric, CellColumn, DifferOnlyIn, OwnCost, Transport
from core.language.told import retold, say
from core.metrics.sensitive_subspace import SensitiveSubspace
from dashboard import forms, samples, session, uploads
from dashboard.draft import Draft
from dashboard.text import literal
from dashboard.views.similar import metric

Similarity = DifferOnlyIn | ByMetric | OwnCost

WAYS = {
    "differ_only_in": (
        say("They agree in the columns that tell people apart, but for the protected attributes"),
        say("In all other columns, and within a bin, they may differ. Nobody else is compared; the published choice."),
    ),
    "by_metric": (
        say("A fair metric calls them similar"),
        say("The less similar two kinds of people are, the more it costs to compare them; a budget limits the total."),
    ),
    "own_cost": (
        say("By a table of my own"),
        say("You bring what it costs to compare each kind of people with each other kind."),
    ),
}


def choose(draft: Draft, columns: tuple[CellColumn, ...]) -> tuple[Similarity, str]:
    """Who is similar, and what is still missing; the draft's own choice while something is.

    Args:
        draft: What was chosen so far.
        columns: The columns that tell people apart.
    """
    now = draft.settings(Transport).similarity
    way = st.radio(
        say("Two people count as similar when"),
        list(WAYS),
        index=list(WAYS).index(now.kind),
        format_func=lambda kind: retold(WAYS[kind][0]),
        captions=[retold(said) for _, said in WAYS.values()],
        key=forms.key_of("costs.way"),
    )
    of_each_way = session.of_each_kind("costs")
    of_each_way[now.kind] = now
    last = of_each_way.get(way, now)
    if way == "differ_only_in":
        return _differ(draft, last, columns), ""
    if way == "by_metric":
        return _by_metric(draft, now, last)
    return _own(now, last)


def _differ(draft: Draft, last: Similarity, columns: tuple[CellColumn, ...]) -> DifferOnlyIn:
    protected = draft.roles.protected
    names = tuple(dict.fromkeys((*protected, *(column.name for column in columns))))
    kept = last.columns if isinstance(last, DifferOnlyIn) else ()
    chosen = st.multiselect(
        say("Of the columns that tell people apart, they may differ in"),
        names,
        [name for name in (kept or protected) if name in names],
        format_func=draft.told,
        key=forms.key_of("costs.differ"),
        help=say("Two people are compared if they agree in every other column that tells people apart."),
        placeholder=say("The protected attributes"),
    )
    return DifferOnlyIn(columns=() if set(chosen) == set(protected) else tuple(chosen))


def _by_metric(draft: Draft, now: Similarity, last: Similarity) -> tuple[Similarity, str]:
    current = last.metric if isinstance(last, ByMetric) else SensitiveSubspace()
    with st.container(border=True):
        chosen = metric.choose(draft, current, "costs.metric", between_groups=True)
    if chosen is None:
        return now, say("Say who counts as similar.")
    if chosen.learns_from_rows:
        st.caption(
            say(
                "The metric is learned from some of the rows, and this test does not try how much other rows "
                "would change the result. So it shows a number and an interval, and gives no verdict. For a "
                "verdict, say who is similar yourself, or use the gradient-flow test."
            )
        )
    return ByMetric(metric=chosen), ""


def _own(now: Similarity, last: Similarity) -> tuple[Similarity, str]:
    st.caption(
        say(
            "A CSV file with one row and one column per kind of people, in the order of the list below: what "
            "it costs to compare a person of the row's kind with one of the column's. Empty or inf where it "
            "is forbidden. People with different recorded outcomes are never compared, whatever the table says."
        )
    )
    file = st.file_uploader(say("Table of costs"), key=forms.key_of("costs.file"), type=["csv", "txt", "tsv"])
    samples.offer("costs")
    if file is not None and (ref := uploads.keep(file)) is not None:
        return OwnCost(file=ref), ""
    if isinstance(last, OwnCost):
        st.caption(say("{name} is used.", name=literal(last.file.name)))
        return last, ""
    return now, say("Upload the table of costs, or choose another way.")
