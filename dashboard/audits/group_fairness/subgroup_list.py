"""Subgroups as a list, and what is known about one of them."""

import numpy as np
import pandas as pd
import streamlit as st

from core.audits.group_fairness.verdict import GroupFairnessFinding
from core.audits.group_fairness.wording_subgroups import (
    described,
    excess_text,
    harm_name,
    harm_text,
    shown,
    state_told,
    tolerance_text,
    unit,
)
from core.language.told import say
from core.phrases import p_value, percent, whole
from dashboard.text import literal
from dashboard.views.results.tables import show_facts


def frame(finding: GroupFairnessFinding, places: np.ndarray) -> pd.DataFrame:
    """The subgroups at ``places``, a row each."""
    scan, judged = finding.result.detail.subgroups, finding.judged

    def in_unit(values: np.ndarray) -> list[float]:
        return [round(shown(scan, float(values[place])), 2) for place in places]

    return pd.DataFrame(
        {
            say("Subgroup"): [described(scan, place) for place in places],
            say("What is said"): [state_told(judged, place) for place in places],
            say("People"): scan.rows[places],
            say("Excess, {unit}", unit=unit(scan)): in_unit(scan.excess),
            say("At least"): in_unit(judged.low),
            say("At most"): in_unit(judged.high),
        }
    )


def show_one(finding: GroupFairnessFinding, place: int) -> None:
    """What is known about one subgroup."""
    scan, judged, decision = finding.result.detail.subgroups, finding.judged, finding.decision
    st.markdown(f"**{literal(described(scan, place))}**")
    people = int(scan.rows[place])
    confidence = percent(1 - decision.alpha)
    show_facts(
        {
            say("What is said"): state_told(judged, place),
            say("People"): say(
                "{n} of {all} ({share})",
                n=whole(people),
                all=whole(scan.people),
                share=percent(people / scan.people),
            ),
            say("{what}: inside", what=harm_name(scan)): harm_text(scan, float(scan.inside[place])),
            say("{what}: everybody else", what=harm_name(scan)): harm_text(scan, float(scan.outside[place])),
            say("Excess, {unit}", unit=unit(scan)): excess_text(scan, judged, place),
            say("What the bounds mean"): say(
                "Each side holds for all {n} subgroups together with {confidence} confidence",
                n=whole(len(scan)),
                confidence=confidence,
            ),
            say(
                "p-value of “at most {tolerance} worse”, on its own",
                tolerance=tolerance_text(scan.shares, decision.delta),
            ): p_value(float(judged.p_values[place]), alpha=decision.alpha),
        },
        say("About this subgroup"),
    )
