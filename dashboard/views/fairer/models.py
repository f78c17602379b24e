"""The fitted models: to take away, and to audit on rows that they never saw."""

from typing import Any

import streamlit as st
from pydantic import ValidationError
from streamlit.delta_generator import DeltaGenerator

from core.audits import KINDS
from core.base.errors import SettingsError
from core.base.files import FileRef
from core.language.phrases import whole
from core.language.told import say
from core.study import Study
from core.workflows.mitigation.evidence import told_first
from core.workflows.mitigation.result import MitigationResult, TriedModel
from core.workflows.mitigation.settings import MitigationPlan
from core.workflows.mitigation.unseen import beside_own, to_audit
from core.workflows.mitigation.wording import name, why_first
from dashboard import session
from dashboard.draft import Draft, RolesChoice
from dashboard.jobs.job import Needs
from dashboard.pages import open_page
from dashboard.text import literal
from dashboard.views.comparison import setup as comparison_setup
from dashboard.views.downloads import offer_model
from dashboard.waiting import answer


def show(plan: MitigationPlan, result: MitigationResult, rows: FileRef) -> None:
    """Choose a model; download it, or open its audit. It opens at the one that the summary tells first."""
    first = told_first(plan, result)
    place = st.selectbox(
        say("Model"),
        range(len(result.fits)),
        next(i for i, fit in enumerate(result.fits) if fit is first),
        format_func=lambda i: name(result.fits[i]),
        key="fairer_model",
    )
    fit = result.fits[place]
    if fit is first and not fit.is_baseline:
        st.caption(why_first(plan, result))
    if fit.model is None:
        st.info(f"{say('This model has no file.')} {literal(fit.why_not)}", icon=":material/info:")
    actions, beneath = st.container(horizontal=True, key="fairer_model_actions"), st.container()
    with actions:
        if st.button(say("Audit this model"), key="fairer_audit", type="primary", icon=":material/fact_check:"):
            open_page("tests", draft=session.begin(_to_audit(plan, result, fit, rows)))
        _offer_comparison(plan, result, fit, rows, beneath)
        if fit.model is not None:
            offer_model(fit.model, say("Model {name}", name=name(fit)), "fairer_file")
        elif fit.table is not None:
            about = say(
                "The rows that no model was fitted to with the model's answers, which can be uploaded for an audit."
            )
            offer_model(fit.table, say("Answers of {name}", name=name(fit)), "fairer_file", about)
        about = say("The rows of the table that no model was fitted to, to audit a model on them elsewhere.")
        offer_model(rows, say("Rows for an audit"), "fairer_rows", about)
    unseen = int(result.rows[1:, 0].sum())
    st.caption(
        say(
            "The audit offers every test that suits, on {unseen} rows that no model was fitted to: those held out and "
            "those of the chart. Its risk of being wrong, and that of a comparison, are divided by the {models} "
            "models, since a model that was chosen looks better on the rows it was chosen by.",
            unseen=whole(unseen),
            models=whole(len(result.fits)),
        )
    )


def tell_of_own(plan: MitigationPlan, result: MitigationResult, rows: FileRef) -> None:
    """Where one's own audited model is compared with a fitted one, if it can be."""
    fit = next((one for one in reversed(result.fits) if one.model is not None), None)
    audit = None if fit is None else _own(plan, result, fit, rows)
    if audit is not None:
        st.caption(
            say(
                "None of these models is {model}. The tab “Models” compares it with one of them, by the tests that "
                "suit both.",
                model=literal(audit.model, 60),
            )
        )


def _own(
    plan: MitigationPlan, result: MitigationResult, fit: TriedModel, rows: FileRef
) -> comparison_setup.FinishedAudit | None:
    """The newest audit of the same table whose model can stand beside a fitted one."""
    for audit in comparison_setup.finished():
        if audit.study.plans[0].data != plan.data:
            continue
        try:
            beside_own(plan, result, fit, rows, audit.study)
        except (ValidationError, SettingsError):
            continue
        return audit
    return None


def _offer_comparison(
    plan: MitigationPlan, result: MitigationResult, fit: TriedModel, rows: FileRef, beneath: DeltaGenerator
) -> None:
    """The way to a comparison with the model of the newest audit of the same table, by its tests that suit both."""
    audit = None if fit.model is None else _own(plan, result, fit, rows)
    reasons = None if audit is None else _reasons(plan, result, fit, rows, audit.study)
    if audit is None or reasons is None:
        return
    pairs = zip(audit.study.plans, audit.study.names, reasons, strict=True)
    left_out = [f"{name}: {why}" for _, name, why in pairs if why]
    both = tuple(test for test, why in zip(audit.study.plans, reasons, strict=True) if not why)
    if both and st.button(
        say("Compare with {model}", model=literal(audit.model, 60)),
        key="fairer_compare",
        icon=":material/compare_arrows:",
        help=say("Both are put to the tests of your audit, on the rows that no model was fitted to."),
    ):
        compared = beside_own(plan, result, fit, rows, Study(plans=both))
        comparison_setup.start(compared, Needs(memory=audit.memory))
    if left_out:
        told = (
            say("Left out of a comparison with {model}, as the fitted model cannot be put to it:", model=audit.model)
            if both
            else say("{model} cannot be compared with the fitted model by any test of your audit:", model=audit.model)
        )
        beneath.caption(literal(" ".join((told, *left_out))))


def _reasons(
    plan: MitigationPlan, result: MitigationResult, fit: TriedModel, rows: FileRef, own: Study
) -> list[str] | None:
    """Why a fitted model cannot be put to each test of an audit, empty where it can; None while that is looked up."""
    data, roles, model = to_audit(plan, fit, result.classes, rows)
    named = {"source": data, "roles": roles, "model": model}
    asked: dict[str, Any] = {name: one.model_dump(mode="json") for name, one in named.items()}
    asked["audits"] = [test.audit.model_dump(mode="json") for test in own.plans]
    asked["seed"] = own.plans[0].seed
    found = answer("unsuited_tests", asked, say("Looking which tests can be run for both models"))
    return None if found is None else list(found["reasons"])


def _to_audit(plan: MitigationPlan, result: MitigationResult, fit: TriedModel, rows: FileRef) -> Draft:
    data, roles, model = to_audit(plan, fit, result.classes, rows)
    draft = Draft(
        data=data,
        roles=RolesChoice(**dict(roles)),
        roles_are="confirmed",
        model=model,
        tests=tuple(KINDS),
        seed=plan.seed,
    )
    alpha = plan.alpha / len(result.fits)
    return draft.having(*(one.model_copy(update={"alpha": alpha}) for one in draft.decisions.values()))
