"""Readable labels: they stand wherever a name is said as a whole, and nothing else changes."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
import pytest
from pydantic import ValidationError

from core.data.attribute import Attribute
from core.data.dataset import Dataset
from core.data.labels import Alone, compared_with, condition, conditions, labelled, whom
from core.data.left_out import LeftOut
from core.data.roles import Label, Roles
from core.language.phrases import all_at_once, listed, quoted
from core.language.told import say
from core.models.predictions import PredictionColumns

LABELS = (
    Label(column="phist", label="bad credit record"),
    Label(column="phist", value="yes", label="on record"),
    Label(column="deny", value="yes", label="denied"),
)
ROLES = Roles(outcome="deny", favourable="no", protected=("phist",), features=("income",), labels=LABELS)


def test_without_labels_nothing_is_touched() -> None:
    tree = (Attribute("phist", ("no", "yes"), np.zeros(2), np.zeros(2)),)
    assert labelled(tree, ()) is tree
    assert labelled(tree[0], (Label(column="other", label="another"),)) is tree[0]


def test_a_value_takes_the_label_of_the_column_beside_it_or_of_the_outcome() -> None:
    told = labelled(Attribute("phist", ("no", "yes"), np.zeros(2), np.zeros(2)), LABELS, "deny")
    assert (told.name, told.groups) == ("bad credit record", ("no", "on record"))
    assert labelled(("no", "yes"), LABELS, "deny") == ("no", "denied")
    assert labelled(("yes", "yesterday"), LABELS) == ("yes", "yesterday")


def test_a_value_of_an_unlabelled_column_never_takes_the_label_of_another() -> None:
    columns = ("phist", "deny", "staff")
    staff = Attribute("staff", ("no", "yes"), np.zeros(2), np.zeros(2))
    assert labelled(staff, LABELS, "deny", columns) is staff
    said = say("{who} of {column}", who=quoted("yes"), column=quoted("staff"))
    assert labelled(said, LABELS, "deny", columns) == "'yes' of 'staff'"
    assert (
        labelled(say("{a}: {b}", a="deny = no", b="staff = yes"), LABELS, "deny", columns) == "deny = no: staff = yes"
    )
    cells = pd.DataFrame({"staff": ["yes"], "phist": ["yes"]})
    assert labelled(cells, LABELS, "deny", columns).to_numpy().tolist() == [["yes", "on record"]]
    out = LeftOut("staff", ("no", "yes"), "deny", ("no", "yes"), (), ())
    told = labelled(out, LABELS, "deny", columns)
    assert (told.groups, told.outcomes) == (("no", "yes"), ("no", "denied"))


def test_sentences_say_labels_in_names_conditions_and_lists_and_not_in_other_words() -> None:
    names = listed([quoted("phist"), quoted("income")])
    said = say("{names} and {who}: {n} rows", names=names, who=quoted("phist = yes"), n="yes")
    assert labelled(said, LABELS) == "'bad credit record' and 'income' and 'on record': on record rows"
    assert labelled(all_at_once(["phist = yes", "deny = yes"]), LABELS) == "on record and denied"
    assert labelled(say("The phist of the phists"), LABELS) == "The phist of the phists"
    assert labelled(say("{what}", what="phistory 'phists'"), LABELS) == "phistory 'phists'"


def test_a_label_that_does_not_say_alone_who_somebody_is_stands_beside_its_column() -> None:
    labels = (
        Label(column="afam", label="Race"),
        Label(column="afam", value="1", label="Yes"),
        Label(column="afam", value="2", label="Other"),
        Label(column="faith", value="0", label="Other"),
        Label(column="faith", value="1", label="Buddhists"),
    )
    told = [labelled(one, labels) for one in ("afam = 1", "afam = 2", "afam = 3", "faith = 0", "faith = 1")]
    assert told == ["Race = Yes", "Race = Other", "Race = 3", "faith = Other", "Buddhists"]
    race = labelled(Attribute("afam", ("1", "2"), np.zeros(2), np.zeros(2)), labels)
    faith = labelled(Attribute("faith", ("0", "1"), np.zeros(2), np.zeros(2)), labels)
    said = [condition(one.name, group) for one in (race, faith) for group in one.groups]
    assert said == ["Race = Yes", "Race = Other", "faith = Other", "Buddhists"]


def test_tables_say_labels_in_headings_and_cells() -> None:
    people = pd.DataFrame({"phist": ["yes", "no"], "deny": ["no", "yes"], "age": [1, 2]})
    told = labelled(people, LABELS)
    assert list(told) == ["bad credit record", "deny", "age"]
    assert told.to_numpy().tolist() == [["on record", "no", 1], ["no", "denied", 2]]
    listing = pd.DataFrame({"attribute": ["phist", "phist"], "group": ["yes", "no"], "rows": [3, 4]})
    assert labelled(listing, LABELS, "deny").to_numpy().tolist() == [
        ["bad credit record", "on record", 3],
        ["bad credit record", "no", 4],
    ]
    codes = pd.DataFrame({"phist": [1.0, 0.0, np.nan]})
    assert labelled(codes, (Label(column="phist", value="1", label="on record"),))["phist"].iloc[0] == "on record"


def test_combinations_of_groups_are_written_in_the_order_of_their_columns() -> None:
    @dataclass(frozen=True)
    class Kinds:
        groups: tuple[str, ...]
        protected: tuple[str, ...]

    told = labelled(Kinds(("yes, yes", "no, yes"), ("phist", "deny")), LABELS)
    assert told.groups == ("on record, denied", "no, denied")
    assert told.protected == ("bad credit record", "deny")


def test_labels_decide_no_number_and_change_no_fingerprint_of_the_rows() -> None:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {"phist": rng.choice(["yes", "no"], 60), "deny": rng.choice(["yes", "no"], 60), "income": rng.normal(size=60)}
    )
    plain = ROLES.model_copy(update={"labels": ()})
    assert Dataset.build(frame, ROLES).fingerprint == Dataset.build(frame, plain).fingerprint


def test_labels_that_cannot_be_told_apart_are_refused() -> None:
    same = (*LABELS, Label(column="phist", value="no", label="on record"))
    with pytest.raises(ValidationError, match="The label 'on record' is given twice"):
        Roles(**{**dict(ROLES), "labels": same})
    with pytest.raises(ValidationError, match="'phist' is given two labels"):
        Roles(**{**dict(ROLES), "labels": (*LABELS, Label(column="phist", label="other"))})


def test_words_of_settings_stay_whatever_columns_are_called() -> None:
    model = PredictionColumns(columns=("score",), holds="score", threshold=1.0)
    told = labelled(model, (Label(column="score", label="risk of arrest"),))
    assert (told.columns, told.holds) == (("risk of arrest",), "score")


def test_classes_are_outcomes_whatever_column_is_named_before_them() -> None:
    @dataclass(frozen=True)
    class Fitted:
        attribute: str
        groups: tuple[str, ...]
        classes: tuple[str, ...]

    told = labelled(Fitted("phist", ("yes", "no"), ("yes", "no")), LABELS, "deny")
    assert (told.groups, told.classes) == (("on record", "no"), ("denied", "no"))


def test_people_of_several_labels_are_told_as_people() -> None:
    black, single = ("afam", Alone("Black applicants")), ("single", "yes")
    assert whom(conditions((single, ("afam", "yes")))) == "people with single = yes and afam = yes"
    assert whom(conditions((single, black))) == "Black applicants with single = yes"
    women = ("sex", Alone("women"))
    assert whom(conditions((black, women))) == "Black applicants who are also women"
    assert whom(conditions((black, single, women))) == "Black applicants who are also women with single = yes"
    told = say("Among {people} it is more.", people=whom("phist = yes"))
    assert told == "Among people with phist = yes it is more."
    assert labelled(told, LABELS) == "Among on record it is more."


def test_whoever_is_compared_within_a_column_is_told_without_it() -> None:
    assert compared_with("sex = Female", "sex = Male") == "Male"
    assert compared_with("sex = Female", "race = Black") == "race = Black"
    assert compared_with("sex = Female", "everybody else") == "everybody else"
    assert compared_with("sex = F and race = B", "sex = M and race = B") == "sex = M and race = B"
    assert compared_with(Alone("women"), Alone("men")) == "men"


def test_a_label_in_a_list_of_groups_still_stands_without_its_column() -> None:
    groups = pd.DataFrame({"attribute": ["race", "race"], "group": ["no", "yes"]})
    told = labelled(groups, (Label(column="race", value="no", label="White applicants"),), "deny", ("race",))
    assert [condition(*row) for row in told.itertuples(index=False)] == ["White applicants", "race = yes"]
