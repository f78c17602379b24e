"""What group fairness says of tables about which a finding is published: who, in which direction, how much, what not.

Percentages are looked for in everything a person reads first: headline, sentence, and who is affected. A share may be
told as the share that is chosen or the share that is turned away.
"""

import re
import warnings
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from core.audits import KINDS
from core.audits.group_fairness.decision import GroupFairnessDecision
from core.base.files import FileStore
from core.data.dataset import Dataset
from core.inference.estimate import Verdict
from core.models.predictions import PredictionColumns
from core.report.multiple_tests import Together
from core.run import find, run_audit
from core.study import adjusted
from core.workflows.proposing import begun, proposed, unsuited
from tests.known_findings.tables import KNOWN, WITHIN, Known, compas

BY_NAME = {one.name: one for one in KNOWN}


def loaded(known: Known, folder: Path) -> tuple[Any, Dataset]:
    """The table with its column of answers."""
    dataset = Dataset.build(known.frame(folder), known.roles)
    return PredictionColumns(columns=known.roles.predictions, holds="labels").load(FileStore(), dataset), dataset


@cache
def finding_of(known: Known, folder: Path) -> Any:
    """What the test of groups finds at the settings with which it begins."""
    model, dataset = loaded(known, folder)
    audit = begun(model, dataset)["group_fairness"]
    return find(run_audit(model, dataset, audit, seed=0), GroupFairnessDecision())


@cache
def together(known: Known, folder: Path) -> Together:
    """All the tests that nobody had to choose."""
    model, dataset = loaded(known, folder)
    audits = begun(model, dataset)
    kinds = proposed(audits, unsuited(audits, model, dataset), model, dataset)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        findings = tuple(
            find(run_audit(model, dataset, audits[kind], seed=0), KINDS[kind].decision()) for kind in kinds
        )
    p_values = adjusted(tuple(one.p_value for one in findings))
    names = tuple(KINDS[kind].title for kind in kinds)
    return Together(names, findings, p_values, tuple(one.decision.alpha for one in findings))


def first_read(finding: Any) -> str:
    """Headline, sentence, and who is affected."""
    return " ".join((finding.headline, finding.sentence, finding.affected))


def tells_share(text: str, share: float) -> bool:
    """Whether the share, or that of those who do not get the answer, stands in a text, to the digits printed."""
    for number in re.findall(r"(\d+(?:\.\d+)?)%", text):
        half = 0.5 * 10.0 ** -len(number.partition(".")[2])
        if any(abs(float(number) - 100 * one) <= half + 0.006 for one in (share, 1 - share)):
            return True
    return False


def names_none_of(known: Known, named: str) -> bool:
    """Whether nobody is named who must not be."""
    parts = {one.strip() for one in re.split(r"[=,;:()]| and ", named)}
    return not {one.rpartition(" = ")[2] for one in known.never} & parts


def claim_about(finding: Any, known: Known, scale: str) -> Any:
    """The claim about the group beside everybody else."""
    who = f"{known.attribute} = {known.group}"
    return next(one for one in finding.claims if one.who == who and one.scale == scale)


def settled(claim: Any) -> Verdict:
    """What a single claim says."""
    if claim.beyond:
        return Verdict.VIOLATION
    return Verdict.NO_VIOLATION if claim.within else Verdict.INSUFFICIENT


@pytest.fixture(params=KNOWN, ids=lambda known: known.name)
def known(request: pytest.FixtureRequest) -> Known:
    return request.param


@pytest.fixture
def folder(known: Known, request: pytest.FixtureRequest) -> Path:
    """Where real data lie, asked for only where the table is one of them."""
    return request.getfixturevalue("real_data") if known.name.startswith(("COMPAS", "Adult")) else Path()


@pytest.fixture
def finding(known: Known, folder: Path) -> Any:
    return finding_of(known, folder)


def test_the_verdict(known: Known, finding: Any) -> None:
    assert finding.verdict is known.verdict, first_read(finding)


def test_who_is_named(known: Known, finding: Any) -> None:
    assert known.named in finding.named if known.named else not finding.named
    assert known.named in finding.headline


def test_nobody_else_is_named(known: Known, finding: Any) -> None:
    assert names_none_of(known, finding.named)


def test_an_accusation_names_somebody(finding: Any) -> None:
    assert finding.verdict is not Verdict.VIOLATION or finding.named


def test_both_shares_are_told(known: Known, finding: Any) -> None:
    """Of whoever is compared first; where nothing is wrong it is enough that the claims hold them."""
    text = first_read(finding)
    if known.verdict is not Verdict.NO_VIOLATION:
        assert all(tells_share(text, share) for share in known.chosen), text


def test_the_claim_holds_the_shares(known: Known, finding: Any) -> None:
    claim = claim_about(finding, known, "difference")
    assert (claim.here, claim.there) == pytest.approx(known.chosen, abs=6e-5)
    assert claim.estimate == pytest.approx(known.chosen[1] - known.chosen[0], abs=1.1e-4)
    assert claim.low < claim.estimate < claim.high or not claim.judged


def test_the_ratio_is_settled_or_said_to_be_open(known: Known, finding: Any) -> None:
    assert settled(claim_about(finding, known, "ratio")) is known.ratio
    if known.ratio is Verdict.INSUFFICIENT and finding.verdict is Verdict.NO_VIOLATION:
        assert "ratio" in finding.headline


@pytest.mark.parametrize("known", WITHIN, ids=lambda known: known.name)
def test_the_same_claim_within_columns_that_may_matter(known: Known, finding: Any) -> None:
    within = claim_about(finding.under(within=known.within), known, "difference")
    assert within.estimate == pytest.approx(-known.chosen_within, abs=0.01)


def test_the_headline_says_where_people_alike_fare_otherwise(known: Known, finding: Any) -> None:
    if known.turned:
        assert all(column in finding.headline for column in known.within), finding.headline
    else:
        assert "alike in" not in finding.headline


def test_the_audit_names_nobody_else(known: Known, folder: Path) -> None:
    """All proposed tests together: whom the headline names, and that the favoured are not named by any of them."""
    found = together(known, folder)
    assert all(names_none_of(known, one.named) for one in found.findings)
    if known.verdict is Verdict.VIOLATION and known.survives_holm:
        assert found.verdict is Verdict.VIOLATION
        assert known.named in found.headline


def test_propublicas_two_numbers_against_the_reference_group(real_data: Path) -> None:
    """44.8% of African-American and 23.5% of Caucasian defendants who were not charged again."""
    finding = finding_of(BY_NAME["COMPAS"], real_data).under(reference=("race = Caucasian",))
    assert finding.named == "race = African-American"
    assert all(tells_share(first_read(finding), share) for share in (0.4485, 0.2345)), first_read(finding)


def test_errors_in_a_persons_favour_are_no_harm(real_data: Path) -> None:
    """White defendants who were charged again are rated low more often: told by nobody as harm to them."""
    rows = compas(real_data)
    charged = rows[rows["two_year_recid"] == "charged"]
    later = (charged["score_text"] != "charged").groupby(charged["race"]).mean()
    assert later["Caucasian"] > 1.5 * later["African-American"]
    assert not any("Caucasian" in one.who for one in finding_of(BY_NAME["COMPAS"], real_data).claims if one.beyond)
