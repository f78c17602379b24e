"""Rules an auditor may add to the transport test: who may not be compared, how many may be moved."""

from collections.abc import Callable
from typing import Any, TypeVar

import streamlit as st

from core.audits.transport.settings import ForbiddenPair, LabelBudget, MassLimit, Transport
from core.base.settings import help_of, title_of
from core.language.phrases import listed, number, percent
from core.language.told import say
from dashboard.audits.transport.previews import CellsLook
from dashboard.draft import Draft
from dashboard.text import literal

R = TypeVar("R", ForbiddenPair, MassLimit, LabelBudget)


def show(draft: Draft, seen: CellsLook | None) -> dict[str, Any]:
    """Fields of the transport test that hold its rules, as the widgets say.

    Args:
        draft: What was chosen so far.
        seen: The groups and outcomes there are; None while they are not known, so that rules can only be removed.
    """
    test = draft.settings(Transport)
    new = {} if seen is None else _new_rules({name: seen.kinds_of(name) for name in draft.roles.protected}, seen.labels)
    st.caption(say("For auditors who know more than the table says. The test is complete without rules of your own."))
    return {
        "forbidden": _rules("forbidden", test.forbidden, _tell_pair, new.get("forbidden")),
        "limits": _rules("limits", test.limits, _tell_limit, new.get("limits")),
        "label_budgets": _rules("label_budgets", test.label_budgets, _tell_budget, new.get("label_budgets")),
    }


def _rules(
    name: str, kept: tuple[R, ...], tell: Callable[[R], str], new: Callable[[], R | None] | None
) -> tuple[R, ...]:
    """The rules of one kind: each with a button that removes it, and a row of widgets that adds one."""
    field = Transport.model_fields[name]
    st.markdown(f"**{title_of(field)}**", help=help_of(field))
    left = list(kept)
    for place, rule in enumerate(kept):
        with st.container(horizontal=True, vertical_alignment="center", key=f"rule_{name}_{place}"):
            st.write(tell(rule))
            if st.button(say("Remove"), key=f"rules.{name}.remove.{place}", type="tertiary", icon=":material/delete:"):
                left.remove(rule)
    if new is not None:
        with st.container(horizontal=True, vertical_alignment="bottom", key=f"rule_{name}_new"):
            added = new()
            if st.button(say("Add"), key=f"rules.{name}.add", icon=":material/add:", disabled=added is None) and added:
                left.append(added)
    if tuple(left) == kept:
        return kept
    return tuple(dict.fromkeys(left))


def _tell_pair(rule: ForbiddenPair) -> str:
    return literal(
        say(
            "{attribute}: people of “{origin}” are never compared with people of “{target}”.",
            attribute=rule.attribute,
            origin=rule.origin,
            target=rule.target,
        )
    )


def _tell_limit(rule: MassLimit) -> str:
    parts = [
        *([say("at least {at_least}", at_least=percent(rule.at_least))] if rule.at_least > 0 else []),
        *([say("at most {at_most}", at_most=percent(rule.at_most))] if rule.at_most < 1 else []),
    ]
    share = listed(parts)
    return literal(
        say(
            "{attribute} = {group}: {share} of all people, all of this group, are compared with others.",
            attribute=rule.attribute,
            group=rule.group,
            share=share,
        )
    )


def _tell_budget(rule: LabelBudget) -> str:
    return literal(
        say(
            "People with the recorded outcome “{label}” have a budget of {budget} of their own.",
            label=rule.label,
            budget=number(rule.budget),
        )
    )


def _new_rules(groups: dict[str, tuple[str, ...]], labels: tuple[str, ...]) -> dict[str, Callable[[], Any]]:
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
