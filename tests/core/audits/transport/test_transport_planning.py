"""Before a transport test: its spread by hand, whom it tries, and what it asks for."""

import dataclasses
import math

import numpy as np
import pandas as pd
import pytest

from core.audits.transport.decision import TransportDecision
from core.audits.transport.planning import PILOT_PEOPLE, TransportPilot, pilot
from core.audits.transport.settings import MassLimit, Transport
from core.base.errors import AuditError
from core.base.files import FileStore
from core.contracts.audit import Given
from core.data.dataset import Dataset, Roles
from core.inference.power import rows_needed
from core.models import PredictionColumns

WOMEN = 0.3


def try_out(people: int = 1_000, *, mixed: bool = False, copies: int = 1, **settings: object) -> TransportPilot:
    """A pilot where all deserve a yes and no man gets it: each woman loses by becoming a man, nobody else does.

    With ``mixed`` every second man gets it too.
    """
    women = np.arange(people) < WOMEN * people
    yes = women | (mixed & (np.arange(people) % 2 == 0))
    frame = pd.DataFrame(
        {
            "sex": np.where(women, "woman", "man"),
            "answer": np.where(yes, "yes", "no"),
            "outcome": np.where(np.arange(people) % 997 == 996, "no", "yes"),
        }
    )
    roles = Roles(outcome="outcome", favourable="yes", protected=("sex",), predictions=("answer",))
    if copies > 1:
        frame = pd.concat([frame.assign(person=np.arange(people))] * copies, ignore_index=True)
        roles = roles.model_copy(update={"belongs_to": "person"})
    dataset = Dataset.build(frame, roles)
    model = PredictionColumns(columns=("answer",)).load(FileStore(), dataset)
    return pilot(
        Transport.model_validate(settings),
        Given(model, model.encode(dataset), np.random.default_rng(0)),
        TransportDecision(),
    )


def test_the_spread_is_that_of_the_gains_by_hand() -> None:
    # Gain 1 for each of the women who deserve a yes, 0 for everybody else: a coin with their share.
    found = try_out()
    assert found.spread == pytest.approx(math.sqrt(WOMEN * (1 - WOMEN)), rel=1e-3)
    assert found.mixed == 0.0
    assert (found.people, found.audited) == (1_000, 1_000)


def test_what_can_be_found_and_what_it_takes_belong_together() -> None:
    found = try_out()
    smallest = found.detectable(0.0365, 0.05)
    assert found.rows_needed(smallest - 0.0365, 0.05) == pytest.approx(found.audited, abs=1)
    assert found.rows_needed(0.02, 0.05) == rows_needed(0.02, found.spread, 0.05, 0.8)
    assert found.rows_needed(5.0, 0.05) == 30, "no verdict rests on fewer people"
    assert dataclasses.replace(found, audited=4_000).detectable(0, 0.05) == pytest.approx(smallest / 2 - 0.01825)


def test_of_many_people_some_are_tried_and_the_time_is_that_of_all() -> None:
    found = try_out(4 * PILOT_PEOPLE)
    assert (found.people, found.audited) == (PILOT_PEOPLE, 4 * PILOT_PEOPLE)
    assert found.seconds > 0
    assert found.spread == pytest.approx(math.sqrt(WOMEN * (1 - WOMEN)), rel=0.1)


def test_people_of_one_kind_with_different_losses_are_counted() -> None:
    assert try_out(mixed=True).mixed == pytest.approx(0.7, abs=0.01)


def test_limits_are_tried_on_everybody_and_those_that_cannot_be_met_are_named() -> None:
    met = try_out(4 * PILOT_PEOPLE, limits=[MassLimit(attribute="sex", group="woman", at_most=0.1)])
    assert met.people == met.audited
    with pytest.raises(AuditError, match="cannot all be met"):
        try_out(limits=[MassLimit(attribute="sex", group="woman", at_least=0.9)])


def test_more_kinds_of_people_ask_for_more_memory() -> None:
    found = try_out()
    assert found.memory > 0
    assert try_out(draws=200).memory < found.memory


def test_people_three_times_say_as_much_as_once() -> None:
    assert try_out(copies=3).detectable(0.0365, 0.05) == pytest.approx(try_out().detectable(0.0365, 0.05), rel=0.01)
