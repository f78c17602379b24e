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
from core.language.told import localized, say
from core.phrases import p_value, percent
from dashboard.text import literal
from dashboard.views.results.tables import show_facts


def frame(finding: GroupFairnessFinding, places: np.ndarray) -> pd.DataFrame:
    """The subgroups at ``places``, a row each."""
    scan, judged = finding.result.detail.subgroups, finding.judged

    def in_unit(values: np.ndarray) -> list[float]:
        return [round(shown(scan, float(values[place])), 2) for place in places]

    return pd.DataFrame(
        {
            "Subgroup": [described(scan, place) for place in places],
            "What is said": [state_told(judged, place) for place in places],
            "People": scan.rows[places],
            f"Excess, {unit(scan)}": in_unit(scan.excess),
            "At least": in_unit(judged.low),
            "At most": in_unit(judged.high),
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
            "What is said": state_told(judged, place),
            "People": say(
                "{people} of {people2} ({people3})",
                people=localized(f"{people:,}"),
                people2=localized(f"{scan.people:,}"),
                people3=percent(people / scan.people),
            ),
            f"{harm_name(scan)}: inside": harm_text(scan, float(scan.inside[place])),
            f"{harm_name(scan)}: everybody else": harm_text(scan, float(scan.outside[place])),
            f"Excess, {unit(scan)}": excess_text(scan, judged, place),
            "What the bounds mean": say(
                "Each side holds for all {scan} subgroups together with {confidence} confidence",
                scan=localized(f"{len(scan):,}"),
                confidence=confidence,
            ),
            f"p-value of “at most {tolerance_text(scan, decision.delta)} worse”, on its own": p_value(
                float(judged.p_values[place]), alpha=decision.alpha
            ),
        },
        say("About this subgroup"),
    )
