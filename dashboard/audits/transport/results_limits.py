"""What the auditor's own limits change: the value with and without them, and how far each is used."""

import numpy as np
import pandas as pd
import streamlit as st

from core.audits.transport.flow_wording import people_text
from core.audits.transport.loss_units import LOSS_UNITS, amount
from core.audits.transport.maps import Moves
from core.audits.transport.verdict import TransportFinding
from core.inference.transport.constraints import Constraints
from core.phrases import number, percent
from dashboard.text import literal


def show(finding: TransportFinding) -> None:
    """Nothing where there are no limits."""
    constrained, part = finding.detail.constrained, finding.part
    if constrained is None:
        return
    without = float(part.envelope.value(part.sample.masses, finding.budget))
    st.header("What your limits change", anchor=False)
    st.markdown(
        literal(
            f"With them the rise of {LOSS_UNITS[finding.loss].name} is "
            f"{amount(finding.on_the_same_people, finding.loss)}, "
            f"without them it would be {amount(without, finding.loss)}."
        )
    )
    st.table(used(constrained.limits, finding.moves, part.sample.n), border="horizontal")


def used(limits: Constraints, found: Moves, people: int) -> pd.DataFrame:
    """Each limit with what it allows and how far the plan goes, as Markdown."""
    names, allowed, moved = [], [], []
    for one in limits.leaving:
        out = found.only(np.isin(found.source, one.cells)).total
        least = f"at least {percent(one.at_least)}, " if one.at_least > 0 else ""
        names.append(f"Moved out of {one.name}")
        allowed.append(f"{least}at most {percent(min(one.at_most, 1.0))} of all people")
        moved.append(f"{percent(round(out / people, 4))}, {people_text(out)} people")
    for own in limits.budgets:
        out = found.only(np.isin(found.source, own.cells)).total
        names.append(f"Budget of {own.name}")
        allowed.append(f"a mean cost of {number(own.budget)}")
        moved.append(f"{people_text(out)} people moved")
    columns = {"Allowed": list(map(literal, allowed)), "In this plan": list(map(literal, moved))}
    return pd.DataFrame(columns, index=pd.Index(list(map(literal, names)), name="Limit"))
