"""Who counts as similar, said by a fair metric; how free it leaves each column, how good its probes are, real pairs."""

from dataclasses import replace
from typing import Any

import streamlit as st

from core.audits.gradient_flow.settings import GradientFlow
from core.data.labels import condition
from core.figures import metric as figures
from core.figures.theme import MOST_ROWS
from core.language.phrases import count, listed, whole
from core.language.told import retold, say
from core.metrics import Metric
from dashboard import pager, session
from dashboard.draft import Draft
from dashboard.drawings import show_drawing
from dashboard.jobs.answers import unpack
from dashboard.jobs.previews import MetricPreview
from dashboard.messages import show_caveats
from dashboard.text import literal
from dashboard.views.results.tables import show_folded
from dashboard.views.similar import side_by_side
from dashboard.views.similar.metric import choose
from dashboard.waiting import answer

_PAIR = "similar.pair"
_MISSING = say("Say who counts as similar.")


def show(draft: Draft) -> str:
    """Choose the fair metric of the test and look at it; returns why the next step is shut."""
    st.header(say("Which differences must not matter?"))
    st.write(
        say(
            "People who differ only in these are similar. The test looks for similar people who are misjudged more, so "
            "this decides it."
        )
    )
    audit = draft.settings(GradientFlow)
    chosen = choose(draft, audit.metric, "metric")
    draft = session.tell_missing(draft, GradientFlow, "" if chosen is not None else retold(_MISSING))
    if chosen is None:
        return retold(_MISSING)
    return _show_metric(session.keep(draft, audit.model_copy(update={"metric": chosen})), chosen)


def arguments(draft: Draft, metric: Metric) -> dict[str, Any]:
    """What the worker needs to fit a metric as the audit will."""
    return {**draft.about_model, "metric": metric.model_dump(mode="json"), "seed": draft.seed}


def _show_metric(draft: Draft, chosen: Metric) -> str:
    """What a metric calls similar; returns why the next step is shut."""
    st.header(say("What it calls similar"))
    fitted = answer("fit_metric", arguments(draft, chosen), say("Learning who counts as similar"))
    if fitted is None:
        return say("The metric cannot be used yet.")
    preview = draft.told(unpack(fitted, MetricPreview))
    metric = preview.metric
    learned = (
        say("Learned from {rows}", rows=count(metric.learned_on, "row"))
        if metric.learned_on
        else say("Declared, not learned")
    )
    st.caption(
        say(
            "{learned}; {audited} left to audit; {free} of {columns} may differ freely.",
            learned=learned,
            audited=count(preview.audited, "row"),
            free=count(len(metric.free), "direction"),
            columns=len(metric.columns),
        )
    )
    show_caveats(metric.caveats)
    left, right = st.columns(2)
    with left:
        if not preview.encoder.is_embedding:
            st.markdown(say("**How freely each column may differ**"))
            st.caption(say("100%: people who differ only here count as the same. 0%: every difference counts."))
            show_drawing(figures.draw_free_shares(metric, preview.encoder), "free_shares")
            if len(preview.encoder.features) > MOST_ROWS:
                every = figures.free_shares(metric, preview.encoder)
                show_folded([replace(every, caption=say("Every column ({n})", n=len(every.rows)))], "")
    with right:
        if metric.probes:
            st.markdown(say("**How well the protected attributes can be told from the other columns**"))
            st.caption(
                say(
                    "Diamond: AUC on rows not learned from; 0.5 is guessing, 1 is certain. Circles: share of each "
                    "group recognised. What cannot be told cannot be set free."
                )
            )
            show_drawing(figures.draw_probes(metric), "probes")
    _show_pairs(preview)
    if len(metric.spectrum) > 1:
        with st.expander(say("How much each learned direction carries"), icon=":material/show_chart:"):
            st.caption(
                say("The metric learned these mixtures of columns. People may differ freely along the filled ones.")
            )
            show_drawing(figures.draw_spectrum(metric), "spectrum")
    return ""


def _show_pairs(preview: MetricPreview) -> None:
    pairs = preview.pairs
    st.markdown(say("**People it calls nearly the same, although their groups differ**"))
    if not len(pairs.rows):
        st.caption(say("No two people of different groups are similar in this table."))
        return
    last = len(pairs.rows) - 1
    i = min(st.session_state.get(_PAIR, 0), last)
    one, other = pairs.rows[i]
    groups = [
        literal(", ".join(condition(str(name), str(value)) for name, value in frame.iloc[i].items()))
        for frame in (pairs.first_groups, pairs.second_groups)
    ]
    with st.container(horizontal=True, vertical_alignment="center"):
        if last:
            pager.previous_and_next(_PAIR, i, last, named="similar_pair")
        st.markdown(
            say(
                "Rows {one} and {other}: {groups}",
                one=whole(int(one) + 1),
                other=whole(int(other) + 1),
                groups=listed(groups),
            )
        )
    side_by_side.show(pairs, i, "similar_pair")
