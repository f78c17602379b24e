"""Groups of texts are called texts."""

import pandas as pd

from core.figures.data import draw_group_sizes

GROUPS = pd.DataFrame(
    {"attribute": ["gender"] * 2, "group": ["female", "male"], "rows": [1, 40], "favourable": [0.5, 0.5]}
).assign(enough=[False, True])


def test_the_axis_and_the_words_count_texts_where_a_row_is_a_text() -> None:
    drawn = draw_group_sizes(GROUPS, texts=True)
    assert drawn.figure.layout.xaxis.title.text == "texts"
    assert list(drawn.figure.data[0].customdata) == ["1 text", "40 texts"]
    assert drawn.alt == "Texts in each protected group: gender = female: 1, gender = male: 40."


def test_elsewhere_they_count_people() -> None:
    drawn = draw_group_sizes(GROUPS)
    assert drawn.figure.layout.xaxis.title.text == "people"
    assert list(drawn.figure.data[0].customdata) == ["1 person", "40 people"]
