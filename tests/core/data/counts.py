"""Counts of people that tests read: those aboard the Titanic, as R's table of that name has them."""

import numpy as np
import pandas as pd

_FREQ = "0 0 35 0 0 0 17 0 118 154 387 670 4 13 89 3 5 11 13 0 1 13 14 0 57 14 75 192 140 80 76 20"
TITANIC = pd.DataFrame(
    [
        (klass, sex, age, survived)
        for survived in ("No", "Yes")
        for age in ("Child", "Adult")
        for sex in ("Male", "Female")
        for klass in ("1st", "2nd", "3rd", "Crew")
    ],
    columns=["Class", "Sex", "Age", "Survived"],
).assign(Freq=np.array(_FREQ.split(), dtype=np.int64))
"""As ``as.data.frame(Titanic)`` orders it: 32 rows for 2,201 people (Dawson, J. of Statistics Education 3, 1995)."""


def people_of(table: pd.DataFrame, counts: str = "Freq") -> pd.DataFrame:
    """A row for each of the people that a column counts."""
    return table.loc[table.index.repeat(table[counts])].drop(columns=counts).reset_index(drop=True)
