"""Record: every setting and fingerprint, the downloads, and the command that repeats the audit."""

import pandas as pd
import streamlit as st

from core.plan import AuditPlan
from core.report.settings_table import SettingRow, setting_sections
from core.result import AuditResult
from core.words import percent
from dashboard.text import literal

COMMAND = "python -m core run audit.json --out results"


def show(plan: AuditPlan, result: AuditResult) -> None:
    """The whole tab; ``plan`` carries the reading as it stands on the page."""
    _downloads(plan, result)
    for section in setting_sections(plan):
        st.subheader(literal(section.title), anchor=False)
        st.table(_settings(section.rows), border="horizontal")
    st.subheader("What was audited, and with what", anchor=False)
    st.table(_facts(plan, result), border="horizontal")


def _downloads(plan: AuditPlan, result: AuditResult) -> None:
    def report() -> str:
        from core.report.html import render

        return render(plan, result)

    def record() -> str:
        from core.report.record import to_json

        return to_json(plan, result)

    with st.container(horizontal=True):
        st.download_button(
            "Report (HTML)", report, "audit.html", "text/html", icon=":material/description:", on_click="ignore"
        )
        st.download_button(
            "Record (JSON)", record, "audit.json", "application/json", icon=":material/data_object:", on_click="ignore"
        )
    st.caption(
        "The report needs no network and holds no person's row. The record repeats the audit, to the last digit:"
    )
    st.code(COMMAND, language="bash")


def _settings(rows: tuple[SettingRow, ...]) -> pd.DataFrame:
    symbols = st.session_state.get("symbols", False)
    labels = [literal(f"{row.label} {row.symbol}" if symbols and row.symbol else row.label) for row in rows]
    return pd.DataFrame({"Value": [literal(row.value, 400) for row in rows]}, index=pd.Index(labels, name="Setting"))


def _facts(plan: AuditPlan, result: AuditResult) -> pd.DataFrame:
    data, model, metric = result.data, result.model, result.metric
    facts = {
        "Rows": f"{data.rows_audited:,} audited; {data.rows_read:,} read, {data.rows_left_out:,} left out",
        "Cells filled": ", ".join(f"{name}: {cells:,}" for name, cells in data.cells_imputed) or "none",
        "Data, SHA-256": data.fingerprint,
        "Model": f"{model.name} ({model.kind})",
        "Model, SHA-256": model.fingerprint,
        "Accuracy": f"{percent(round(model.accuracy, 4))}, balanced {percent(round(model.balanced_accuracy, 4))}; "
        f"always answering the most frequent outcome: {percent(round(model.majority_share, 4))}",
        "Fair metric": metric.name + (f", learned from {metric.learned_on:,} rows" if metric.learned_on else ""),
        "Result, SHA-256": plan.result_fingerprint,
        "Seed": str(result.seed),
        "Run time": f"{result.seconds:.1f} s, {result.detail.gradient_evaluations:,} gradients a row",
        "Versions": ", ".join(f"{name} {version}" for name, version in result.versions),
    }
    return pd.DataFrame(
        {"Value": [literal(value, 400) for value in facts.values()]}, index=pd.Index(list(facts), name="What")
    )
