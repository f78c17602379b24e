"""Pages do not shout: caveats are grouped by what to do about them, and nothing that forbids a claim is folded."""

import re

from streamlit.testing.v1 import AppTest

from core.base.errors import Caveat, by_advice
from tests.dashboard.walking import texts

MEND, GROUP, LOOK, CHOOSE, NOTHING = "Mend it.", "Group rare values.", "Look at it.", "Choose again.", ""


def many() -> list[Caveat]:
    """Fifty-two of them, as a wide table has."""
    return [
        *(Caveat("info", f"Column {k} never varies.", NOTHING) for k in range(20)),
        *(Caveat("warning", f"Column {k} has many categories.", GROUP) for k in range(24)),
        Caveat("info", "A remark.", LOOK),
        Caveat("warning", "Another thing.", CHOOSE),
        *(Caveat("serious", f"Column {k} is broken.", MEND) for k in range(6)),
    ]


def test_caveats_with_the_same_advice_are_one_group_the_most_serious_first() -> None:
    groups = by_advice(many())
    assert [(group[0].advice, len(group)) for group in groups] == [
        (MEND, 6),
        (GROUP, 24),
        (CHOOSE, 1),
        (NOTHING, 20),
        (LOOK, 1),
    ]
    assert sorted(map(repr, many())) == sorted(repr(one) for group in groups for one in group)


def test_what_forbids_a_claim_comes_first_and_apart() -> None:
    forbids = Caveat("warning", "Too few rows.", GROUP, "any claim")
    groups = by_advice([*many(), forbids, forbids])
    assert groups[0] == (forbids,)
    assert len(groups[2]) == 24


def page_of_many() -> None:
    from dashboard.messages import show_caveats
    from tests.dashboard.test_caveats_shown import many

    show_caveats(many())


def test_at_most_three_boxes_are_open_and_the_fold_says_how_many_more() -> None:
    app = AppTest.from_function(page_of_many).run()
    boxes = [box.value for box in (*app.error, *app.warning, *app.info)]
    assert len(boxes) == 3
    assert boxes[0].replace("\\", "").startswith("**Serious: Mend it.**")
    assert boxes[0].count("\n- ") == 4
    assert "3 more, below" in boxes[0]
    assert boxes[2].replace("\\", "") == "Warning: Another thing. Choose again."
    (fold,) = app.expander
    assert fold.label == "45 more remarks"
    assert all(one.what in texts(app) for one in many())


def page_of_what_forbids() -> None:
    from core.base.errors import Caveat
    from dashboard.messages import show_caveats

    show_caveats(
        [
            *(Caveat("serious", f"Broken {k}.", f"Mend {k}.") for k in range(5)),
            *(Caveat("warning", f"Forbidden {k}.", f"Look at {k % 2}.", "clearing") for k in range(8)),
        ]
    )


def test_what_forbids_a_claim_is_never_folded() -> None:
    app = AppTest.from_function(page_of_what_forbids).run()
    warnings = "\n".join(box.value for box in app.warning).replace("\\", "")
    assert all(f"Forbidden {k}." in warnings for k in range(8))
    assert len(app.warning) == 2
    assert len(app.error) == 1
    assert [fold.label for fold in app.expander] == ["4 more remarks"]


def page_of_one() -> None:
    from core.base.errors import Caveat
    from dashboard.messages import show_caveats

    show_caveats([Caveat("info", "A remark with *stars*.")])


def test_a_single_caveat_is_a_sentence_and_its_marks_are_not_obeyed() -> None:
    app = AppTest.from_function(page_of_one).run()
    assert app.info[0].value == r"Note: A remark with \*stars\*."
    assert not app.expander


def page_of_a_card() -> None:
    from core.base.errors import Caveat
    from core.inference.estimate import Verdict
    from dashboard.views.results.card import Card

    told = Caveat("serious", "2 of 900 people would be decided otherwise.", "Bring more rows.", "any claim")
    other = Caveat("serious", "2 of 900 people would be decided otherwise.", "Look at them.")
    headline = "Nothing is decided: 2 of 900 people would be decided otherwise"
    Card(switch=False).fill(Verdict.INSUFFICIENT, headline, (told, other), (), steps=("Bring more rows.",))


def test_a_card_says_once_what_its_headline_and_its_first_step_say() -> None:
    app = AppTest.from_function(page_of_a_card).run()
    assert not app.exception
    assert not app.warning
    assert "Keep in mind" not in app.info[0].value, "the headline says it"
    assert "Look at them" in app.expander[0].markdown[0].value, "what it advises stands nowhere else"


def page_of_steps() -> None:
    from core.inference.estimate import Verdict
    from core.language.told import say
    from dashboard.views.results.card import Card

    needed = "about 900 people instead of 120 may settle it"
    steps = (say("Bring more {plural}: {needed}.", plural="people", needed=needed), "Read another attribute: sex")
    Card(switch=False).fill(Verdict.INSUFFICIENT, f"Open for sex; {needed}", (), (), steps=steps)


def test_a_step_goes_only_where_the_headline_says_what_it_needs() -> None:
    card = AppTest.from_function(page_of_steps).run().info[0].value
    assert card.count("about 900 people") == 1
    assert re.search("Read another attribute.*sex", card), "that a word of it stands in the headline says nothing"
