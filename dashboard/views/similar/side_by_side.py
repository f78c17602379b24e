"""Two people of a pair beside each other, with what differs marked."""

import numpy as np
import pandas as pd
import streamlit as st

from core.language.phrases import count, number, whole
from core.language.told import say
from core.metrics.portrait import SimilarPairs


def show(pairs: SimilarPairs, i: int, key: str) -> None:
    """What differs between the two, then what does not, folded; and how far apart they are.

    Args:
        pairs: The pairs.
        i: Which of them.
        key: Prefix of the keys of what is drawn.
    """
    people = _people(pairs, i)
    differs = (people.iloc[:, 0] != people.iloc[:, 1]).to_numpy()
    marked = people[differs].rename(index=lambda name: f"≠ {name}")
    if len(marked):
        st.dataframe(marked, key=key, height="content")
    if (same := int((~differs).sum())) > 0:
        with st.expander(say("Alike in {columns}", columns=count(same, "column"))):
            st.dataframe(people[~differs].iloc[:, :1], key=f"{key}_same", height="content")
    st.caption(
        say(
            "Distance {distance}; two people drawn at random are typically {typical} apart.",
            distance=number(float(np.sqrt(pairs.distance[i]))),
            typical=number(float(np.sqrt(pairs.typical))),
        )
    )


def _people(pairs: SimilarPairs, i: int) -> pd.DataFrame:
    """A row a column, the protected ones first, and a column a person."""
    first = pd.concat([pairs.first_groups.iloc[i], pairs.first.iloc[i]]).astype(str)
    second = pd.concat([pairs.second_groups.iloc[i], pairs.second.iloc[i]]).astype(str)
    sides = [values[~values.index.duplicated()] for values in (first, second)]
    names = [say("Row {number}", number=whole(int(row) + 1)) for row in pairs.rows[i]]
    return pd.DataFrame(dict(zip(names, sides, strict=True)))
