"""The shaded text: what it says, that nothing in it is obeyed, and that letters stand out on every shade."""

from html.parser import HTMLParser

import numpy as np
import pytest

from core.audits.text_sensitivity.wording import text_share
from core.text.words import spans
from dashboard.audits.text_sensitivity import shaded_text
from dashboard.audits.text_sensitivity.marked_text import counterpart
from dashboard.audits.text_sensitivity.read_words import ReadWords
from dashboard.audits.text_sensitivity.shaded_text import (
    STATUS_HUE,
    STRONGEST,
    TASK_HUE,
    render,
    strength,
)
from tests.builders_sensitivity import HOSTILE_WORDS, make_sensitivity_detail
from tests.core.audits.gradient_flow.test_result_figures import contrast

PAGES = {"light": ("#FFFFFF", "#31333F"), "dark": ("#0E1117", "#FAFAFA"), "dark, warm": ("#1A1A17", "#F5F5F0")}
"""Background and letters of Streamlit's pages."""


class Seen(HTMLParser):
    """Tags, their attributes and the text between them."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.told: list[str] = []
        self.text = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        self.told += [value or "" for name, value in attrs if name == "data-told"]

    def handle_data(self, data: str) -> None:
        self.text += data


def read_of(text: str, **changes: object) -> ReadWords:
    found = spans(text)
    n = len(found)
    fields: dict[str, object] = {
        "task": np.full(n, 1 / n),
        "task_size": np.full(n, 0.5),
        "status": np.full(n, 1 / n),
        "listed": np.zeros(n, dtype=bool),
        "cut": np.zeros(n, dtype=bool),
    }
    return ReadWords(text=text, found=found, **{**fields, **changes})  # type: ignore[arg-type]


@pytest.mark.parametrize("hue", [TASK_HUE, STATUS_HUE])
@pytest.mark.parametrize("page", PAGES)
def test_letters_stand_out_on_every_shade_of_both_models(hue: tuple[int, int, int], page: str) -> None:
    """WCAG 2.2 asks 4.5:1 of text (success criterion 1.4.3)."""
    back, ink = PAGES[page]
    behind = [int(back[i : i + 2], 16) for i in (1, 3, 5)]
    for cover in np.linspace(0, STRONGEST, 20):
        mixed = [round(cover * h + (1 - cover) * b) for h, b in zip(hue, behind, strict=True)]
        assert contrast(ink, "#" + "".join(f"{channel:02X}" for channel in mixed)) >= 4.5


def test_shades_grow_with_the_square_root_of_the_share_within_the_text() -> None:
    found = strength(np.array([0.16, 0.04, 0.0, np.nan]))
    assert found == pytest.approx([STRONGEST, STRONGEST / 2, 0.0, 0.0])
    assert strength(np.zeros(3)) == pytest.approx(np.zeros(3))


@pytest.mark.parametrize("hostile", [False, True])
def test_every_word_stands_in_the_page_with_its_numbers(hostile: bool) -> None:
    shown = make_sensitivity_detail(hostile=hostile).shown
    for place, text in enumerate(shown.texts):
        read = ReadWords.of(shown, place)
        page = render(read)
        seen = Seen(page)
        assert seen.text.startswith(text)
        assert len(seen.told) == len(read.words)
        for word, told, share in zip(read.words, seen.told, read.task, strict=True):
            assert f"“{word}”" in told
            assert text_share(share) in told
        assert seen.tags <= {"div", "p", "span", "s"}
        assert seen.attributes <= {"class", "style", "data-told", "dir", "aria-hidden"}


@pytest.mark.parametrize(
    "text", [*HOSTILE_WORDS, '"><img src=x onerror=alert(1)>', "a' onmouseover='alert(1)", "x &lt;b&gt; y"]
)
def test_markup_in_a_text_or_its_counterpart_is_shown_letter_by_letter(text: str) -> None:
    read = read_of(f"She said {text} aloud")
    page = render(read) + shaded_text.legend(read)
    made = counterpart(read.text, f"He said {text} aloud")
    for seen in (Seen(page), Seen(made.html)):
        assert f"said {text} aloud" in seen.text
        assert seen.tags <= {"div", "p", "span", "ins"}


def test_marks_that_turn_the_direction_of_text_are_named() -> None:
    page = render(read_of("name \u202eevil\u202c end"))
    assert "\u202e" not in page
    assert "&lt;U+202E&gt;" in page


def test_words_that_the_model_does_not_read_are_struck_out_and_have_no_shade() -> None:
    shown = make_sensitivity_detail(cut=True).shown
    read = ReadWords.of(shown, 0)
    assert read.cut.sum() == len(read.words) - 12
    assert np.nansum(read.task) == pytest.approx(1.0)
    page = render(read)
    assert page.count("<s>") == read.cut.sum()
    assert page.count("linear-gradient") == 2 * 12
    assert page.count("not read by the model") == read.cut.sum()
    assert "struck out" in shaded_text.legend(read)


def test_listed_words_are_underlined_and_said_to_name_a_group() -> None:
    read = read_of("She works", listed=np.array([True, False]))
    page = render(read)
    assert page.count("ev-listed") == 1
    assert page.count("names a group") == 1
    assert "underlined" in shaded_text.legend(read)
    assert "underlined" not in shaded_text.legend(read_of("It works"))


def test_the_legend_says_which_share_each_shade_stands_for() -> None:
    read = read_of("She works here", task=np.array([0.64, 0.2, 0.16]), status=np.full(3, np.nan))
    legend = Seen(shaded_text.legend(read)).text
    for share in ("4%", "16%", "36%", "64%"):
        assert share in legend
    assert "protected status model" not in legend


def test_without_a_status_model_nothing_is_said_of_it() -> None:
    read = ReadWords.of(make_sensitivity_detail(status="none").shown, 0)
    assert "status" not in render(read)


def test_a_model_that_leans_on_no_word_is_shown_without_shades() -> None:
    read = read_of("She works", task=np.zeros(2))
    assert "leans on no word" in shaded_text.legend(read)
    render(read)


def test_a_counterpart_marks_what_differs_whoever_wrote_it() -> None:
    made = counterpart("She met her at work.", "He met him at the workshop.")
    assert made.changes == (("She", "He"), ("her", "him"), ("work", "the workshop"))
    assert made.html.count("<ins>") == 3
    assert counterpart("She left.", "She left.").changes == ()
    assert counterpart("She left early.", "She left.").changes == (("early", ""),)


def test_a_text_without_words_is_shown_as_it_is() -> None:
    empty = ReadWords(" \n ", np.empty((0, 2), dtype=np.int64), *[np.empty(0)] * 3, *[np.empty(0, dtype=bool)] * 2)
    assert render(empty).count("<span") == 0


@pytest.mark.parametrize(
    ("value", "told"), [(0.0, "0%"), (0.00004, "< 0.01%"), (0.0123, "1.2%"), (0.5, "50%"), (1.0, "100%")]
)
def test_shares_are_told_with_the_digits_that_matter(value: float, told: str) -> None:
    assert text_share(value) == told
