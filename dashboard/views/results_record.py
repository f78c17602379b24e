"""Record: every setting and fingerprint, the downloads, and the command that repeats the audit."""

import re

import pandas as pd
import streamlit as st

from core.plan import AuditPlan
from core.report.record import files_of, to_json
from core.report.settings_table import setting_sections
from core.result import AuditResult
from core.words import percent
from dashboard.text import literal

_FINGERPRINT = re.compile(r"\b([0-9a-f]{12})[0-9a-f]{52}\b")
COMMAND = "python -m core run audit.json --out results"


def show(plan: AuditPlan, result: AuditResult) -> None:
    """The whole tab; ``plan`` carries the reading as it stands on the page."""
    _downloads(plan, result)
    st.subheader("Every setting", anchor=False)
    st.table(_settings(plan), border="horizontal")
    st.subheader("What was audited, and with what", anchor=False)
    st.table(_facts(result), border="horizontal")
    st.subheader("Fingerprints (SHA-256)", anchor=False)
    st.code(_fingerprints(plan, result), language=None, wrap_lines=True)


def _downloads(plan: AuditPlan, result: AuditResult) -> None:
    """Both files are written when somebody asks for them, under the reading as it then stands."""
    from core.report.html import render

    with st.container(horizontal=True):
        st.download_button(
            "Report (HTML)",
            lambda: render(plan, result),
            "audit.html",
            "text/html",
            icon=":material/description:",
            on_click="ignore",
        )
        st.download_button(
            "Record (JSON)",
            lambda: to_json(plan, result),
            "audit.json",
            "application/json",
            icon=":material/data_object:",
            on_click="ignore",
        )
    st.caption("The report needs no network and holds no person's row. The record repeats the audit to the last digit:")
    st.code(COMMAND, language="bash")


def _settings(plan: AuditPlan) -> pd.DataFrame:
    """All settings in one table, each part under its own heading; long fingerprints are cut, as they stand below."""
    symbols = st.session_state.get("symbols", False)
    labels, values = [], []
    for section in setting_sections(plan):
        labels.append(f"**{literal(section.title)}**")
        values.append("")
        for row in section.rows:
            labels.append(literal(f"{row.label} {row.symbol}" if symbols and row.symbol else row.label))
            values.append(literal(_FINGERPRINT.sub(r"\1…", row.value), 400))
    return pd.DataFrame({"Value": values}, index=pd.Index(labels, name="Setting"))


def _facts(result: AuditResult) -> pd.DataFrame:
    data, model, metric = result.data, result.model, result.metric
    facts = {
        "Rows": f"{data.rows_audited:,} audited; {data.rows_read:,} read, {data.rows_left_out:,} left out",
        "Cells filled": ", ".join(f"{name}: {cells:,}" for name, cells in data.cells_imputed) or "none",
        "Model": f"{model.name} ({model.kind})",
        "Accuracy": f"{percent(round(model.accuracy, 4))}, balanced {percent(round(model.balanced_accuracy, 4))}; "
        f"always answering the most frequent outcome: {percent(round(model.majority_share, 4))}",
        "Fair metric": metric.name + (f", learned from {metric.learned_on:,} rows" if metric.learned_on else ""),
        "Run time": f"{result.seconds:.1f} s, {result.detail.gradient_evaluations:,} gradients a row",
        "Versions": ", ".join(f"{name} {version}" for name, version in result.versions),
    }
    return pd.DataFrame(
        {"Value": [literal(value, 400) for value in facts.values()]}, index=pd.Index(list(facts), name="What")
    )


def _fingerprints(plan: AuditPlan, result: AuditResult) -> str:
    """One line each, the fingerprint first, as checksum tools write them."""
    named = {
        "rows and roles": result.data.fingerprint,
        "model": result.model.fingerprint,
        "settings that decide the result": plan.result_fingerprint,
        **{f"file {ref.name}": ref.sha256 for ref in files_of(plan)},
    }
    return "\n".join(f"{sha}  {name}" for name, sha in named.items())
