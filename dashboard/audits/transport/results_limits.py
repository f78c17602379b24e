"""What the auditor's own limits change: the value with and without them, and how far each is used."""

import numpy as np
import pandas as pd
import streamlit as st

from core.audits.transport.flow_wording import people_text
from core.audits.transport.loss_units import LOSS_UNITS, amount
from core.audits.transport.maps import Moves
from core.audits.transport.verdict import TransportFinding
from core.inference.transport.constraints import Constraints
from core.language.phrases import number, percent
from core.language.told import retold, say
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
                "With them the {rise} is {with_them}, without them it would be {without}.",
                rise=LOSS_UNITS[finding.loss].rise,
                with_them=amount(finding.on_the_same_people, finding.loss),
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
        least, most = percent(one.at_least), percent(min(one.at_most, 1.0))
        names.append(say("Moved out of {group}", group=one.name))
        allowed.append(
            say("at least {at_least}, at most {at_most} of all people", at_least=least, at_most=most)
            if one.at_least > 0
            else say("at most {at_most} of all people", at_most=most)
        )
        moved.append(say("{share}, {n} people", share=percent(round(out / people, 4)), n=people_text(out)))
    for own in limits.budgets:
        out = found.only(np.isin(found.source, own.cells)).total
        names.append(say("Budget of {people}", people=retold(own.name)))
        allowed.append(say("a mean cost of {budget}", budget=number(own.budget)))
        moved.append(say("{n} people moved", n=people_text(out)))
    columns = {say("Allowed"): list(map(literal, allowed)), say("In this plan"): list(map(literal, moved))}
    return pd.DataFrame(columns, index=pd.Index(list(map(literal, names)), name=say("Limit")))
