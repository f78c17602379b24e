"""What the auditor's own limits change: the value with and without them, and how far each is used."""

import numpy as np
import pandas as pd
import streamlit as st

from core.audits.transport.flow_wording import people_text
from core.audits.transport.loss_units import LOSS_UNITS, amount
from core.audits.transport.maps import Moves
from core.audits.transport.verdict import TransportFinding
from core.inference.transport.constraints import Constraints
from core.language.told import say
from core.phrases import number, percent
from dashboard.text import literal


def show(finding: TransportFinding) -> None:
    """Nothing where there are no limits."""
    constrained, part = finding.detail.constrained, finding.part
    if constrained is None:
        return
    without = float(part.envelope.value(part.sample.masses, finding.budget))
    st.header(say("What your limits change"), anchor=False)
    st.markdown(
        literal(
            say(
                "With them the rise of {name} is {on_the_same_people}, without them it would be {without}.",
                name=LOSS_UNITS[finding.loss].name,
                on_the_same_people=amount(finding.on_the_same_people, finding.loss),
                without=amount(without, finding.loss),
            )
        )
    )
    st.table(used(constrained.limits, finding.moves, part.sample.n), border="horizontal")


def used(limits: Constraints, found: Moves, people: int) -> pd.DataFrame:
    """Each limit with what it allows and how far the plan goes, as Markdown."""
    names, allowed, moved = [], [], []
    for one in limits.leaving:
        out = found.only(np.isin(found.source, one.cells)).total
        least = say("at least {at_least}, ", at_least=percent(one.at_least)) if one.at_least > 0 else ""
        names.append(say("Moved out of {name}", name=one.name))
        allowed.append(
            say("{least}at most {at_most} of all people", least=least, at_most=percent(min(one.at_most, 1.0)))
        )
        moved.append(say("{out}, {out2} people", out=percent(round(out / people, 4)), out2=people_text(out)))
    for own in limits.budgets:
        out = found.only(np.isin(found.source, own.cells)).total
        names.append(say("Budget of {name}", name=own.name))
        allowed.append(say("a mean cost of {budget}", budget=number(own.budget)))
        moved.append(say("{out} people moved", out=people_text(out)))
    columns = {"Allowed": list(map(literal, allowed)), "In this plan": list(map(literal, moved))}
    return pd.DataFrame(columns, index=pd.Index(list(map(literal, names)), name="Limit"))
