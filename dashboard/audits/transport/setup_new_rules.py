"""Rows of widgets that add a rule of the auditor's own to the transport test."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from core.audits.transport.settings import ForbiddenPair, LabelBudget, MassLimit
from core.base.settings import help_of, title_of
from core.language.told import say


def new_rules(groups: dict[str, tuple[str, ...]], labels: tuple[str, ...]) -> dict[str, Callable[[], Any]]:
    """What draws the row for each field that holds rules, and returns the rule; None while it is not complete.

    Args:
        groups: The groups of each protected attribute.
        labels: The outcomes.
    """
    return {
        "forbidden": lambda: _new_pair(groups),
        "limits": lambda: _new_limit(groups),
        "label_budgets": lambda: _new_budget(labels),
    }


def _new_pair(groups: dict[str, tuple[str, ...]]) -> ForbiddenPair | None:
    origin = _group(say("People of"), groups, "rules.forbidden.origin")
    if origin is None:
        return None
    attribute, name = origin
    targets = [group for group in groups[attribute] if group != name]
    target = st.selectbox(say("may not be compared with"), targets, key="rules.forbidden.target", index=0)
    return None if target is None else ForbiddenPair(attribute=attribute, origin=name, target=target)


def _new_limit(groups: dict[str, tuple[str, ...]]) -> MassLimit | None:
    chosen = _group(say("Group"), groups, "rules.limits.group")
    shares = {
        name: st.number_input(
            title_of(MassLimit.model_fields[name]),
            0.0,
            1.0,
            start,
            0.01,
            key=f"rules.limits.{name}",
            help=f"{help_of(MassLimit.model_fields[name])}",
        )
        for name, start in (("at_least", 0.0), ("at_most", 1.0))
    }
    if chosen is None or shares["at_least"] > shares["at_most"] or (shares["at_least"], shares["at_most"]) == (0, 1):
        return None
    return MassLimit(attribute=chosen[0], group=chosen[1], **shares)


def _new_budget(labels: tuple[str, ...]) -> LabelBudget | None:
    label = st.selectbox(say("True outcome"), labels, key="rules.label_budgets.label")
    budget = st.number_input(
        say("Budget"), min_value=0.0, value=None, key="rules.label_budgets.budget", placeholder=say("Mean cost")
    )
    return None if label is None or budget is None else LabelBudget(label=label, budget=float(budget))


def _group(label: str, groups: dict[str, tuple[str, ...]], key: str) -> tuple[str, str] | None:
    options = [(attribute, group) for attribute, names in groups.items() for group in names]
    chosen: tuple[str, str] | None = st.selectbox(
        label, options, format_func=lambda pair: f"{pair[0]}: {pair[1]}", key=key
    )
    return chosen
