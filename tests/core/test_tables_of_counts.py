"""Tests that count people say of a table of counts, and of its people in any order, the same to the last digit."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

from core.audits import KINDS, AuditSettings
from core.audits.equalized_odds.settings import EqualizedOdds
from core.audits.group_fairness.settings import GroupFairness
from core.audits.transport.settings import Transport
from core.base.files import FileStore
from core.data.roles import Roles
from core.models.predictions import PredictionColumns
from core.records.codec import encode
from core.records.codec_frames import Arrays
from core.result import AuditResult
from core.run import find, run_audit
from tests.core.data.counts import people_of

ROLES = Roles(
    outcome="repaid", favourable="yes", protected=("sex", "age"), features=("band", "job"), predictions=("score",)
)
SCORES = PredictionColumns(columns=("score",), holds="probability")
AUDITS: dict[str, AuditSettings] = {
    "group fairness": GroupFairness(columns=("band", "job")),
    "equalized odds": EqualizedOdds(dummies=999),
    "transport": Transport(draws=200),
    "parity among people alike": EqualizedOdds(asks="demographic parity", given=("job",), dummies=999),
}


def table(seed: int, rows: int = 400) -> pd.DataFrame:
    """Kinds of people, some of them twice or of nobody: an age in 40 values, a band with gaps, a score in 7 values."""
    rng = np.random.default_rng(seed)
    found = pd.DataFrame(
        {
            "sex": rng.choice(["f", "m"], rows),
            "age": rng.integers(20, 60, rows),
            "band": rng.choice([1.0, 2.0, 3.0, 5.0, 8.0, 13.0, 21.0, 34.0, np.nan], rows),
            "job": rng.choice(["a", "b", "c"], rows),
            "score": rng.integers(1, 8, rows) / 8,
            "n": rng.integers(0, 12, rows),
        }
    )
    return found.assign(repaid=np.where(rng.random(rows) < found["score"], "yes", "no"))


def audited(frame: pd.DataFrame, roles: Roles, audit: AuditSettings) -> AuditResult:
    dataset = SCORES.dataset(frame, roles)
    return run_audit(SCORES.load(FileStore(), dataset), dataset, audit, seed=3)


def finding_of(result: AuditResult) -> Any:
    decision: Any = KINDS[result.audit.kind].decision
    return find(result, decision())


def bytes_of(result: AuditResult) -> tuple[Any, ...]:
    """What was found and what is claimed of it, as a record keeps it."""
    arrays = Arrays()
    tree = encode(result.detail, type(result.detail), arrays)
    finding = finding_of(result)
    kept = [(one.dtype.str, one.shape, one.tobytes()) for one in arrays]
    return tree, kept, repr(finding.claims), repr(finding.parts), repr(result.model), finding.sentence


@pytest.mark.parametrize("kind", AUDITS)
@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.long)])
def test_people_in_any_order_and_their_counts_give_the_same_bytes(kind: str, seed: int) -> None:
    counts = table(seed)
    people = people_of(counts, "n")
    shuffled = people.sample(frac=1, random_state=seed).reset_index(drop=True)
    twice = pd.concat([counts.assign(n=counts["n"] // 2), counts.assign(n=counts["n"] - counts["n"] // 2)])
    counted = ROLES.model_copy(update={"counts": "n"})
    found = bytes_of(audited(counts, counted, AUDITS[kind]))
    for frame, roles in ((people, ROLES), (shuffled, ROLES), (twice.reset_index(drop=True), counted)):
        assert bytes_of(audited(frame, roles, AUDITS[kind])) == found


@pytest.mark.parametrize("kind", AUDITS)
def test_a_hundred_million_people_are_audited_as_counts(kind: str) -> None:
    counts = table(0)
    many = counts.assign(n=counts["n"] * (10**8 // counts["n"].sum()))
    result = audited(many, ROLES.model_copy(update={"counts": "n"}), AUDITS[kind])
    assert result.data.rows_read > 9 * 10**7
    assert result.data.rows_audited + result.data.rows_left_out == result.data.rows_read
    finding = finding_of(result)
    claims = [one for one in finding.claims if one.judged]
    assert claims
    assert all(one.low <= one.estimate <= one.high for one in claims)


def test_groups_are_told_with_their_people_and_not_with_the_kinds_that_were_counted() -> None:
    people = people_of(table(0), "n")
    finding = finding_of(audited(people, ROLES, AUDITS["equalized odds"]))
    sex = next(one for one in finding.attributes if one.attribute == "sex")
    assert dict(zip(sex.groups, sex.people, strict=True)) == people["sex"].value_counts().to_dict()
