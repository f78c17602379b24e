"""The card of every example: a headline that can be repeated, few words below it, and easy ones."""

from pathlib import Path
from typing import Any

import pytest

from core.base.files import FileStore
from core.language.phrases import upper_first
from core.records.audits import AUDITS
from core.report.multiple_tests import Together
from core.report.summary import what_to_do
from core.run import find
from core.workflows.examples import EXAMPLES, open_example
from tests.core.workflows.test_examples import VERDICTS
from tests.reading import grade, sentences, words

QUICK = (
    "hiring-predictions",
    "hiring-predictions-fair",
    "hiring-decisions",
    "example-1-1",
    "example-1-1-fair",
    "diabetes",
)
LONGEST_HEADLINE = 30
LONGEST_SENTENCE = 25
MOST_WORDS = 60
HIGHEST_GRADE = 9


def card(together: Together) -> list[str]:
    """What a card says besides its headline: the verdict, what to do next, and the case, without the table's cells."""
    case = together.findings[together.place].case
    said = [f"{upper_first(together.verdict.words)}.", f"What to do next: {what_to_do(together)[0]}"]
    return said if case is None else [*said, f"{case.title}.", case.told]


def read(together: Together) -> dict[str, Any]:
    """Words of the headline, words below it, the longest sentence below it, and the grade of all."""
    below = card(together)
    return {
        "headline": max(len(words(one)) for one in sentences(together.headline)),
        "below": len(words("\n".join(below))),
        "longest": max(len(words(one)) for one in sentences("\n".join(below))),
        "grade": grade("\n".join((f"{together.headline}.", *below))),
    }


@pytest.mark.parametrize(
    "key",
    [pytest.param(one.key, marks=() if one.key in QUICK else pytest.mark.long) for one in EXAMPLES],
)
def test_an_example_tells_its_story_on_a_short_and_easy_card(key: str, tmp_path: Path) -> None:
    files = FileStore()
    study = open_example(key, files)
    results = AUDITS.run(study, files)
    assert find(results[0], study.plans[0].decision).verdict is VERDICTS[key]
    together = Together.of(study, results)
    found = read(together)
    assert found["headline"] <= LONGEST_HEADLINE, together.headline
    assert found["below"] <= MOST_WORDS
    assert found["longest"] <= LONGEST_SENTENCE
    assert found["grade"] <= HIGHEST_GRADE
    for word in ("p-value", "Holm", "test "):
        assert word not in together.headline


def test_reading_is_measured_as_it_is_defined() -> None:
    """ "The cat sat on the mat." has 6 words of one syllable: 0.39 · 6 + 11.8 - 15.59 = -1.45."""
    assert grade("The cat sat on the mat.") == pytest.approx(-1.45)
    assert words("People with sex = f: 28% against 1,204.5, or 'no'") == [
        "People", "with", "sex", "f", "28%", "against", "1,204.5", "or", "no",
    ]  # fmt: skip
    assert len(sentences("One. Two 2.5 three. Four\nfive")) == 4
