"""The fitted models: to take away, and to audit on rows that they never saw."""

import streamlit as st

from core.errors import SourceError
from core.files import FileRef, FileStore
from core.study import Study
from core.workflows.mitigation.evidence import mended
from core.workflows.mitigation.result import MitigationResult, TriedModel
from core.workflows.mitigation.settings import MitigationPlan
from core.workflows.mitigation.unseen import audits_of
from core.workflows.mitigation.wording import name
from dashboard.jobs import queue as jobs
from dashboard.messages import show_failure
from dashboard.pages import open_page
from dashboard.text import literal


def show(plan: MitigationPlan, result: MitigationResult, rows: FileRef) -> None:
    """Choose a model; download it, or open its audit."""
    first = mended(result, plan.alpha) or result.fits[0]
    place = st.selectbox(
        "Model",
        range(len(result.fits)),
        next(i for i, fit in enumerate(result.fits) if fit is first),
        format_func=lambda i: name(result.fits[i]),
        key="fairer_model",
    )
    fit = result.fits[place]
    if fit.model is None:
        st.info(f"This model has no file. {literal(fit.why_not)}", icon=":material/info:")
        return
    with st.container(horizontal=True, key="fairer_model_actions"):
        if st.button("Audit this model", key="fairer_audit", type="primary", icon=":material/fact_check:"):
            study = Study(plans=audits_of(plan, fit.model, rows))
            job = jobs.submit("audit", {"study": study.model_dump(mode="json")}, again=True)
            open_page("audit", audit=job.id)
        _offer_file(fit, fit.model)
    unseen = int(result.rows[1:, 0].sum())
    st.caption(
        f"The audit asks for equalized odds, and how groups fare, on {unseen:,} rows that no model was fitted to: "
        "those held out and those of the chart. Whoever chose the model by the chart should audit it on other rows as "
        "well, since a chosen model looks better on the rows it was chosen by."
    )


def _offer_file(fit: TriedModel, file: FileRef) -> None:
    try:
        content = FileStore().path(file).read_bytes()
    except SourceError as error:
        show_failure(error)
        return
    st.download_button(
        f"Model {name(fit)} (safetensors)",
        content,
        file.name,
        "application/octet-stream",
        icon=":material/download:",
        on_click="ignore",
        key="fairer_file",
        help="Weights and preprocessing in one file, which can be uploaded for an audit.",
    )
