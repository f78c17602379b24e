"""What a printed audit says of rows, model and groups, and the table of how each group is answered."""

from __future__ import annotations

import numpy as np
import pytest

from core import Audit, audit
from core.group_answers import answered
from tests.core.api.test_api_guesses import GIVEN, fitted, people


@pytest.fixture(scope="module")
def searched() -> Audit:
    model = fitted(["age", "sex", "region"])
    given = GIVEN | {"tests": "gradient_flow", "steps": 5, "metric_resamples": 2}
    return audit(people(), model=model, **given)


def test_a_printed_audit_says_what_was_audited_and_which_rows_taught_the_metric(searched: Audit) -> None:
    whom = repr(searched).split("\n")[1]
    assert whom.startswith("Audited: Pipeline (LogisticRegression (scikit-learn)); 400 rows in the table")
    assert whom.endswith("280 audited, 120 more taught the metric.")
    table = people().assign(pred=lambda rows: rows["insured"])
    named = audit(table, **GIVEN)
    assert repr(named).split("\n")[1].startswith("Audited: pred (Predictions in the table); 400 rows")


def test_a_printed_audit_tells_the_groups_where_no_test_compares_them(searched: Audit) -> None:
    assert "Among all people, " in repr(searched)
    assert "This is counted; whether it may be chance was not tested." in repr(searched)
    compared = audit(people(), model=fitted(["age", "sex", "region"]), **GIVEN)
    assert "This is counted" not in repr(compared)


def test_how_each_group_is_answered_is_a_frame_of_numbers(searched: Audit) -> None:
    frame, model = searched.answers, searched["gradient_flow"].result.model
    assert frame.index.tolist() == ["sex = f", "sex = m"]
    count, got, refused, wrongly = (frame[name].to_numpy() for name in frame)
    assert count.sum() == 280
    good = model.classes.index("yes")
    by_group = model.by_group
    np.testing.assert_allclose(got, by_group.shares(good))
    np.testing.assert_allclose(refused, 1 - by_group.shares(good, [good]))
    np.testing.assert_allclose(wrongly, by_group.shares(good, [1 - good]))
    table = answered(searched["gradient_flow"].result)
    assert table is not None
    assert table.header[1:] == tuple(frame.columns)
    assert table.rows[0][2] == f"{100 * got[0]:.1f}%"
