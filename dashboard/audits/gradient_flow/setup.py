"""Who counts as similar, said by a fair metric."""

import streamlit as st

from core.audits.gradient_flow.settings import GradientFlow
from core.language.told import retold, say
from dashboard import session
from dashboard.audits.gradient_flow import setup_preview as metric_preview
from dashboard.draft import Draft
from dashboard.views.similar import metric

_MISSING = say("Say who counts as similar.")


def show(draft: Draft) -> str:
    """Choose the fair metric of the test and look at it; returns why the next step is shut."""
    st.write(say("Who counts as similar? The test looks for similar people who are treated worse, so this decides it."))
    audit = draft.settings(GradientFlow)
    chosen = metric.choose(draft, audit.metric, "metric")
    draft = session.tell_missing(draft, GradientFlow, "" if chosen is not None else retold(_MISSING))
    if chosen is None:
        return retold(_MISSING)
    return metric_preview.show(session.keep(draft, audit.model_copy(update={"metric": chosen})), chosen)
