"""The groups of a protected attribute: the same in every test of a table, whichever rows it reads."""

import numpy as np
import pandas as pd

from core.audits.gradient_flow.cells import cells_of
from core.data.attribute import attribute_of, in_bins
from core.data.dataset import Dataset
from core.data.roles import Roles


def people(n: int = 400) -> Dataset:
    rng = np.random.default_rng(8)
    age = rng.integers(18, 80, n)
    frame = pd.DataFrame(
        {
            "age": age,
            "sex": rng.choice(["woman", "man"], n),
            "income": np.where(age > 60, np.nan, rng.normal(30, 5, n).round(1)),
            "hired": rng.choice(["yes", "no"], n),
        }
    )
    roles = Roles(outcome="hired", favourable="yes", protected=("age", "sex"), features=("income",))
    return Dataset.build(frame, roles)


def test_every_test_has_the_groups_of_the_whole_table() -> None:
    whole = people().reading(())
    fewer = people()
    some = whole.take(np.arange(0, 400, 7))
    assert len(fewer) < len(whole) == 400
    quartiles = np.quantile(whole.frame["age"], [0.25, 0.5, 0.75])
    names = attribute_of(whole, "age").groups
    assert [int(name.split()[0]) for name in names[1:]] == [
        int(whole.frame.loc[whole.frame["age"] > cut, "age"].min()) for cut in quartiles
    ]
    for part in (fewer, some):
        own = attribute_of(part, "age")
        assert set(own.groups) <= set(names)
        for name, rows in own.members():
            low, high = map(int, (name.split()[0], name.split()[-1]))
            assert part.frame["age"].iloc[rows].between(low, high).all()
        assert cells_of(part, binned=True)[0].groups[0] == tuple(sorted(own.groups))
    assert in_bins(whole, "sex") is None
