"""Record: every setting and fingerprint, the downloads, and the command that repeats the audit."""

import re
from collections.abc import Iterable
from typing import Any

import pandas as pd
import streamlit as st

from core.base.files import files_of
from core.finding import AbstractFinding
from core.language.phrases import listed, number, percent, precision, whole
from core.language.told import retold, say
from core.models.endpoint.source import ModelEndpoint
from core.report.names import FileNames
from core.report.settings_table import SettingSection, setting_sections
from core.result import AuditResult, ModelSummary
from core.run import find
from core.study import Study
from dashboard.fields import symbols
from dashboard.messages import show_facts
from dashboard.text import literal
from dashboard.views.downloads import command, offer_answers
from dashboard.views.results.tables import show_folded

_FINGERPRINT = re.compile(r"\b([0-9a-f]{12})[0-9a-f]{52}\b")


def show(study: Study, results: tuple[AuditResult, ...], names: FileNames) -> None:
    """The whole tab; the plans carry the decision settings as they stand on the page."""
    if isinstance(model := study.plans[0].model, ModelEndpoint):
        offer_answers(model.endpoint)
    st.caption(say("Report and record hold no person's row. The record repeats the audit to the last digit:"))
    st.code(command(names), language="bash", wrap_lines=True)
    if files := files_of(study):
        named = listed([literal(ref.name) for ref in files])
        st.caption(
            say("The folder of the record has to hold {files} too; files elsewhere are named by --file.", files=named)
        )
    findings = [
        find(result, plan.decision, plan.roles.good_end) for plan, result in zip(study.plans, results, strict=True)
    ]
    sections = [setting_sections(plan, finding.tolerance) for plan, finding in zip(study.plans, findings, strict=True)]
    facts = list(map(facts_of, findings))
    shared = [section for section in sections[0] if all(section in one for one in sections)]
    alike = {label: told for label, told in facts[0].items() if all(one.get(label) == told for one in facts)}
    _show_settings(say("Every setting") if len(results) == 1 else say("Settings that all tests share"), shared)
    st.header(say("What was audited, and with what"), anchor=False)
    show_facts(alike, say("What"), say("Value"))
    for name, finding, settings, own in zip(study.names, findings, sections, facts, strict=True):
        if len(results) > 1:
            st.header(name, anchor=False)
            _show_settings(say("Settings of this test"), (one for one in settings if one not in shared))
            if rest := {label: told for label, told in own.items() if label not in alike}:
                show_facts(rest, say("What"), say("Value"))
        show_folded((one.table for one in finding.result.data.left_out), say("Who was left out for missing values"))
    with st.expander(say("Fingerprints (SHA-256)"), icon=":material/fingerprint:"):
        st.code(_fingerprints(study, results), language=None, wrap_lines=True)


def _show_settings(title: str, sections: Iterable[SettingSection]) -> None:
    """Settings in one folded table, each part under its own heading; long fingerprints are cut, as they stand below."""
    names, values = [], []
    for section in sections:
        names.append(f"**{literal(section.title)}**")
        values.append("")
        for row in section.rows:
            names.append(literal(f"{row.label} {row.symbol}" if symbols() and row.symbol else row.label))
            values.append(literal(_FINGERPRINT.sub(r"\1…", row.value), 400))
    with st.expander(title, icon=":material/tune:"):
        told = pd.DataFrame({say("Value"): values}, index=pd.Index(names, name=say("Setting")))
        st.table(told, border="horizontal")


def facts_of(finding: AbstractFinding[Any, Any]) -> dict[str, str]:
    """What was audited, and with what, by what people call it."""
    result, data, model = finding.result, finding.result.data, finding.result.model
    rows = say(
        "{rows} audited; {read} read, {left_out} left out",
        rows=data.rows,
        read=data.read if data.rows_counted else whole(data.rows_read),
        left_out=whole(data.rows_left_out),
    )
    return {
        say("Rows"): ", ".join(filter(None, (rows, result.taught))),
        **({say("Left out for missing values"): data.lost} if data.gaps else {}),
        say("Cells filled"): ", ".join(f"{name}: {whole(cells)}" for name, cells in data.cells_imputed) or say("none"),
        say("Model"): f"{model.name} ({retold(model.kind)})",
        **_right(model),
        **{fact.label: fact.value for fact in finding.similar},
        say("Run time"): say("{seconds} s", seconds=number(result.seconds, 1)),
        say("Versions"): ", ".join(f"{name} {version}" for name, version in result.versions),
    }


def _right(model: ModelSummary) -> dict[str, str]:
    """How often the model is right, or how far off it is, beside the simplest answer there is."""
    if model.classes:
        return {
            say("Accuracy"): say(
                "{accuracy}, balanced {balanced}; always answering the most frequent outcome: {majority}",
                accuracy=percent(round(model.accuracy, 4)),
                balanced=percent(round(model.balanced_accuracy, 4)),
                majority=percent(round(model.majority_share, 4)),
            )
        }
    decimals = precision(*sorted((model.error, model.spread)))
    return {
        say("Root mean squared error"): say(
            "{error}; always answering the mean of the outcome: {spread}",
            error=number(model.error, decimals),
            spread=number(model.spread, decimals),
        )
    }


def _fingerprints(study: Study, results: tuple[AuditResult, ...]) -> str:
    """One line each, the fingerprint first, as checksum tools write them."""
    decides = say("settings that decide the result")
    named = [(results[0].data.fingerprint, say("rows and roles")), (results[0].model.fingerprint, say("model"))]
    for name, plan in zip(study.names, study.plans, strict=True):
        named.append(
            (
                plan.result_fingerprint,
                decides if len(results) == 1 else say("settings that decide the result of the {test}", test=name),
            )
        )
    named += [(ref.sha256, say("file {name}", name=ref.name)) for ref in files_of(study)]
    return "\n".join(f"{sha}  {name}" for sha, name in named)
