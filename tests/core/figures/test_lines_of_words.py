"""Words in charts stand whole on a telephone: on as many lines as they need, tags and entities not counted."""

import html
import re

import pytest

from core.figures import theme
from core.figures.interval_rows import Axis, Row, figure_of

LONG = "Bevoelkerung = weniger Schwarze und Zuwanderung = weniger Zugewanderte"


def seen(words: str) -> list[str]:
    return [html.unescape(re.sub("<[^>]+>", "", line)) for line in words.split("<br>")]


@pytest.mark.parametrize(
    "words", [LONG, f"<b>{LONG}</b>", f"{LONG}<br>second, {LONG}", "&lt;" * 40 + " < and so on" * 3]
)
def test_no_word_is_lost_and_no_line_is_too_long(words: str) -> None:
    broken = theme.in_lines(words, 30)
    assert " ".join(seen(broken)).split() == " ".join(seen(words)).split()
    assert all(len(line) <= 30 or " " not in line for line in seen(broken))
    assert re.findall("</?b>", broken) == re.findall("</?b>", words)


def test_words_that_fit_stay_on_their_line_and_bold_ones_take_more_room() -> None:
    fits = "x" * 24 + " " + "x" * 24
    assert theme.in_lines(fits) == fits
    assert theme.in_lines(f"<b>{fits}</b>").count("<br>") == 1
    assert theme.in_lines("x" * 90) == "x" * 90, "a word is never torn"


def test_a_row_with_further_lines_is_as_much_higher() -> None:
    short, long = (figure_of([Row("a", value=1.0), Row(words, value=2.0)], Axis("")) for words in ("b", LONG))
    assert long.layout.annotations[1].text == theme.in_lines(LONG) != LONG
    assert long.layout.height > short.layout.height


def test_names_beside_rows_are_whole_and_their_rows_have_room_for_them() -> None:
    names = [theme.beside(name) for name in ("age", "African-American, Male, Less than 25")]
    assert seen(names[1]) == ["African-American,", "Male, Less than 25"]
    assert theme.row_height(names[:1], 26) == 26 < theme.row_height(names, 26)
    assert theme.least_width(names) <= 5 * 22


def test_what_an_axis_measures_is_broken_where_a_telephone_would_cut_it_and_has_room_below() -> None:
    what = "how much worse: shares that get the decision invited = yes, in percentage points"
    short, long = (figure_of([Row("a", value=1.0)], Axis(title)) for title in ("points", what))
    title = long.layout.xaxis.title.text
    assert seen(title) == ["how much worse: shares that get the decision", "invited = yes, in percentage points"]
    assert long.layout.height == short.layout.height + theme.LINE
