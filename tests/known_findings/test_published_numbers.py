"""The numbers of the known findings, worked out from the rows with numpy alone, and as their sources print them."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from tests.known_findings.tables import KNOWN, WITHIN, Known, compas


def favourable(known: Known, rows: pd.DataFrame) -> tuple[np.ndarray, np.ndarray, pd.DataFrame]:
    """Whether each person gets the favourable answer, who is of the group, and the rows that are asked about."""
    roles = known.roles
    if roles.outcome:
        rows = rows[rows[roles.outcome] == roles.favourable]
    good = (rows[roles.predictions[0]] == roles.favourable).to_numpy(dtype=np.float64)
    return good, (rows[known.attribute] == known.group).to_numpy(), rows


@pytest.fixture(params=KNOWN, ids=lambda known: known.name)
def known(request: pytest.FixtureRequest) -> Known:
    return request.param


@pytest.fixture
def folder(known: Known, request: pytest.FixtureRequest) -> Path:
    """Where real data lie, asked for only where the table is one of them."""
    return request.getfixturevalue("real_data") if known.name.startswith(("COMPAS", "Adult")) else Path()


def test_the_shares_are_those_of_the_rows(known: Known, folder: Path) -> None:
    good, inside, _ = favourable(known, known.frame(folder))
    assert (good[inside].mean(), good[~inside].mean()) == pytest.approx(known.chosen, abs=6e-5)


def test_the_source_prints_them(known: Known, folder: Path) -> None:
    good, inside, _ = favourable(known, known.frame(folder))
    shares = [side.mean() for side in (good[inside], good[~inside])]
    for printed in known.published:
        digits = len(printed.rstrip("%").partition(".")[2])
        assert printed in {f"{100 * share:.{digits}f}%" for one in shares for share in (one, 1 - one)}


@pytest.mark.parametrize("known", WITHIN, ids=lambda known: known.name)
def test_the_difference_within_columns_that_may_matter(known: Known, folder: Path) -> None:
    """Mantel and Haenszel's risk difference, by hand."""
    good, inside, rows = favourable(known, known.frame(folder))
    strata = rows.groupby(list(known.within)).ngroup().to_numpy()
    table = pd.DataFrame({"good": good, "inside": inside, "stratum": strata})
    counts = table.groupby(["stratum", "inside"])["good"].agg(["sum", "size"]).unstack(fill_value=0)
    a, b = counts["sum"][True], counts["sum"][False]
    n, m = counts["size"][True], counts["size"][False]
    both = (n > 0) & (m > 0)
    weight = (n * m / (n + m))[both]
    found = float((weight * (a / n - b / m)[both]).sum() / weight.sum())
    assert found == pytest.approx(known.chosen_within, abs=6e-5)


def test_what_propublica_printed(real_data: Path) -> None:
    """Of those not charged again 44.9% and 23.5% are rated risky, of those charged again 28.0% and 47.7% are not."""
    rows = compas(real_data)
    risky = (rows["score_text"] == "charged").groupby([rows["two_year_recid"], rows["race"]]).mean()
    false_positives = [100 * risky["not charged", race] for race in ("African-American", "Caucasian")]
    false_negatives = [100 * (1 - risky["charged", race]) for race in ("African-American", "Caucasian")]
    assert false_positives == pytest.approx([44.85, 23.45], abs=0.01)
    assert false_negatives == pytest.approx([27.99, 47.72], abs=0.01)
