"""Which tests are ticked until somebody chooses."""

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, cast

import pytest

from core.audits import KINDS
from core.data.roles import Roles
from core.workflows.proposing import proposed


@dataclass(frozen=True)
class Told:
    """Settings of a test that can be run, or the reason why they have to be completed first."""

    missing: str = ""

    def is_compatible(self, model: Any, dataset: Any) -> str:
        return self.missing


def proposals(unsuited: set[str], incomplete: frozenset[str], roles: Roles) -> tuple[str, ...]:
    audits = {kind: cast(Any, Told("choose something" if kind in incomplete else "")) for kind in KINDS}
    return proposed(audits, dict.fromkeys(unsuited, "no"), cast(Any, None), cast(Any, SimpleNamespace(roles=roles)))


ALL = frozenset(KINDS)
ABOUT_COLUMNS = frozenset({"column_sensitivity"})
PARITY = ("equalized_odds", "group_fairness")
JUDGED = Roles(outcome="y", favourable="1", protected=("sex",), features=("age",))
DECIDED = Roles(protected=("sex",), features=("age",))


@pytest.mark.parametrize(
    ("unsuited", "incomplete", "roles", "expected"),
    [
        (frozenset(), frozenset(), JUDGED, ("text_sensitivity",)),
        ({"text_sensitivity"}, frozenset(), JUDGED, ("gradient_flow",)),
        ({"text_sensitivity", "gradient_flow"}, frozenset(), JUDGED, ("transport", *PARITY)),
        (ALL - ABOUT_COLUMNS - {*PARITY}, frozenset(), JUDGED, ("column_sensitivity",)),
        (ALL - ABOUT_COLUMNS - {*PARITY}, frozenset(), DECIDED, ("column_sensitivity", *PARITY)),
        (ALL - ABOUT_COLUMNS - {*PARITY}, ABOUT_COLUMNS, DECIDED, PARITY),
        (ALL - ABOUT_COLUMNS, ABOUT_COLUMNS, DECIDED, ("column_sensitivity",)),
        (ALL, frozenset(), JUDGED, ()),
    ],
    ids=["all", "tables", "predictions", "columns", "no outcome", "nothing to change", "only one", "none"],
)
def test_what_asks_most_of_the_model_is_proposed_with_what_stands_beside_it(
    unsuited: set[str], incomplete: frozenset[str], roles: Roles, expected: tuple[str, ...]
) -> None:
    assert proposals(set(unsuited), incomplete, roles) == expected
