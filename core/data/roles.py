"""What each column of a table is for, and what people see in place of its name and of its values."""

from collections.abc import Iterable
from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, model_validator
from pydantic.functional_serializers import PlainSerializer

from core.base.settings import Settings, setting
from core.language.phrases import quoted
from core.language.told import say

LONGEST_LABEL = 80
"""Characters of a label."""


class Label(Settings):
    """What a column, or one value of a column, is called wherever people read of it."""

    column: str = setting(label=say("Column"), help=say("The column's name in the table."), min_length=1)
    value: str = setting(
        "", label=say("Value"), help=say("A value of it, as text. Left empty: the label is the column's.")
    )
    label: str = setting(
        label=say("Label"), help=say("What people read instead."), min_length=1, max_length=LONGEST_LABEL
    )


def what_clashes(labels: Iterable[Label]) -> str:
    """Why these labels cannot stand together, one sentence without its stop; empty if they can."""
    known: dict[tuple[str, str], str] = {}
    for one in labels:
        if (one.column, one.value) in known:
            return say("{name} is given two labels", name=quoted(one.value or one.column))
        known[one.column, one.value] = one.label
    told = [(column if value else "", label) for (column, value), label in known.items()]
    twice = next((label for place, (of, label) in enumerate(told) if (of, label) in told[:place]), "")
    return say("The label {label} is given twice", label=quoted(twice)) if twice else ""


Missing = Literal["leave out", "median and most frequent", "own category"]  # verbatim
OutcomeType = Literal["classes", "number"]
GoodEnd = Literal["not said", "high", "low"]


def _names(value: Any) -> Any:
    """A name, or none, as a tuple of names."""
    return ((value,) if value else ()) if value is None or isinstance(value, str) else value


def _as_written(names: tuple[str, ...]) -> str | tuple[str, ...]:
    return names if len(names) > 1 else "".join(names)


Annotations = Annotated[
    tuple[str, ...], BeforeValidator(_names), PlainSerializer(_as_written, when_used="json-unless-none")
]
"""Columns with judgements of people; JSON has one as a name, as it did when there could be no more."""

NOT_SELECTED, SELECTED = "not selected", "selected"  # verbatim
"""What a score decides, where there is nothing but scores."""
MODELS_ANSWER = "model's answer"
"""What is judged in a table that has neither outcomes nor decisions."""


class Roles(Settings):
    """What each column is for. Columns named nowhere are ignored."""

    outcome: str = setting(
        "",
        label=say("Outcome"),
        help=say(
            "The column that holds what really happened, or the right decision. Texts may do without, and so "
            "may decisions that are compared between groups only."
        ),
    )
    outcome_type: OutcomeType = setting(
        "classes",
        label=say("The outcome holds"),
        help=say("Classes, such as hired or not; or a number that a model estimates, such as a cost or a crime rate."),
        names={"classes": say("Classes"), "number": say("A number")},
    )
    favourable: str = setting(
        "",
        label=say("Favourable value"),
        help=say(
            "The value of the outcome, or without one of the decision, that is good for the person, as text; "
            "where there is neither, the model's answer that is. Texts and outcomes that are numbers have "
            "none."
        ),
    )
    good_end: GoodEnd = setting(
        "not said",  # verbatim
        label=say("Answers that are numbers: which end is good for the person"),
        help=say(
            "Which end of an outcome that is a number is good for people: high numbers, as of pay, or low ones, as of "
            "crimes. Where it is not said, nobody is named as harmed, and differences count in both directions."
        ),
        names={"not said": say("not said"), "high": say("high numbers"), "low": say("low numbers")},
        exclude_if=lambda end: end == "not said",  # verbatim
    )
    protected: tuple[str, ...] = setting(
        (),
        label=say("Protected attributes"),
        help=say("Columns such as sex or race that must not make a difference. Texts may do without."),
    )
    text: str = setting(
        "", label=say("Text"), help=say("The column that holds a text a row, for models that read texts.")
    )
    annotation: Annotations = setting(
        (),
        label=say("Judged biased by people"),
        help=say(
            "Columns of 0, 1 and 2, one a person who judged: whether the model's answer to a text is biased (1), not "
            "biased (0), or could not be told (2)."
        ),
    )
    belongs_to: str = setting(
        "",
        label=say("Belongs to"),
        help=say(
            "The column that names the person, household, template or document a row belongs to, where "
            "several rows may belong to one. Rows of one are not independent: every test counts them "
            "together."
        ),
    )
    counts: str = setting(
        "",
        label=say("Counts people"),
        help=say(
            "The column that says how many people each row stands for, as a table of counts has it. Each of them is "
            "audited. A sampling weight is no count."
        ),
    )
    features: tuple[str, ...] = setting(
        (),
        label=say("Features"),
        help=say("Columns the model reads. Order matters for models that take plain numbers."),
    )
    predictions: tuple[str, ...] = setting(
        (), label=say("Prediction or score columns"), help=say("Columns that hold a model's answers.")
    )
    numeric: tuple[str, ...] = setting(
        (),
        label=say("Read as numbers"),
        help=say("Text columns to read as numbers; a cell that is no number counts as missing."),
    )
    categorical: tuple[str, ...] = setting(
        (),
        label=say("Read as categories"),
        help=say("Columns of numbers or mixed text whose values are names, such as codes."),
    )
    missing: Missing = setting(
        "leave out",  # verbatim
        label=say("Missing values"),
        help=say(
            "What happens to features with an empty cell; always counted and shown. Leave out: the row goes from tests "
            "that read the column. "
            "Median and most frequent: numbers get the median, categories the most frequent value. Own "
            "category: numbers get the median, categories the value (missing). A missing outcome or "
            "prediction is never filled, nor is a missing protected attribute, except by the group (missing)."
        ),
        names={
            "leave out": say("leave out"),  # verbatim
            "median and most frequent": say("median and most frequent"),  # verbatim
            "own category": say("own category"),  # verbatim
        },
    )

    labels: tuple[Label, ...] = setting(
        (),
        label=say("Labels"),
        help=say("What people read in place of names of columns and of their values. They decide no number."),
        empty=say("names as in the table"),
    )

    @model_validator(mode="after")
    def _labels_do_not_clash(self) -> Self:
        if clash := what_clashes(self.labels):
            raise ValueError(f"{clash}.")
        return self

    @model_validator(mode="after")
    def _roles_do_not_clash(self) -> Self:
        number = self.outcome_type == "number"
        judged = self.outcome or self.decision
        answers = not judged and self.features
        if not self.text and not (self.protected and (answers or (judged and (self.favourable or number)))):
            raise ValueError(
                say(
                    "A table without texts needs a protected attribute, and an outcome or a column of decisions with "
                    "its favourable value, or features that a model reads."
                )
            )
        if number and (self.favourable or self.text or not self.outcome or self.outcome in self.categorical):
            raise ValueError(
                say(
                    "An outcome that is a number is a column of numbers, has no favourable value and goes with no text."
                )
            )
        if self.good_end != "not said" and not number:
            raise ValueError(
                say("The outcome holds classes, of which none is a good end; one of them is the favourable value.")
            )
        if self.favourable and not judged and not answers:
            raise ValueError(say("A favourable value needs an outcome."))
        single = [name for name in (self.text, *self.annotation, self.outcome) if name]
        if len(set(single)) < len(single):
            raise ValueError(say("Text, judgements of people and outcome are different columns."))
        if self.belongs_to and self.belongs_to in (*single, *self.protected, *self.predictions, *self.features):
            raise ValueError(
                say(
                    "The column {name} says which rows belong together, so it can have no other role; choose another "
                    "one, or bring the column twice under two names.",
                    name=quoted(self.belongs_to),
                )
            )
        taken = (*single, self.belongs_to, *self.protected, *self.predictions, *self.features)
        if self.counts and self.counts in taken:
            raise ValueError(
                say("The column {name} counts people, so it can have no other role.", name=quoted(self.counts))
            )
        for names, role in (
            (self.features, say("a feature")),
            (self.protected, say("a protected attribute")),
            (self.predictions, say("a prediction")),
        ):
            if clash := next((name for name in single if name in names), ""):
                raise ValueError(say("{column} cannot also be {role}.", column=self._called(clash), role=role))
            if len(set(names)) < len(names):
                raise ValueError(say("A column is named twice as {role}.", role=role))
        if both := set(self.numeric) & set(self.categorical):
            raise ValueError(
                say("{name} is to be read as numbers and as categories; choose one.", name=quoted(min(both)))
            )
        return self

    def _called(self, single: str) -> str:
        """The column that alone has its role, as a sentence begins with it."""
        name = quoted(single)
        if single == self.outcome:
            return say("The outcome {name}", name=name)
        return say("The text {name}", name=name) if single == self.text else say("The judgement {name}", name=name)

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the roles as such, whatever columns are called and however results are read."""
        return self.fingerprint_without("labels", "good_end")

    @classmethod
    def idle(cls, *, numbers: bool) -> frozenset[str]:
        """See the base class."""
        return frozenset({"favourable" if numbers else "good_end"})

    @property
    def without_outcome(self) -> bool:
        """Whether there are only decisions to judge, of a column or of a model: nobody knows which were right."""
        return not self.outcome and not self.text

    @property
    def decision(self) -> str:
        """The column of decisions or scores that is all there is to judge: the first of the predictions, in a table
        without outcome and texts; empty in others.
        """
        return self.predictions[0] if self.predictions and self.without_outcome else ""

    @property
    def judges_a_model(self) -> bool:
        """Whether there is neither an outcome nor a decision, so that only a model's own answers can be judged."""
        return self.without_outcome and not self.decision

    def reading(self, columns: Iterable[str]) -> "Roles":
        """The roles of a test that reads these columns, among others those that every test reads.

        Every test reads outcomes or, without them, decisions, protected attributes and texts; other features and other
        predictions have no role in it.
        """
        read = {*columns, self.decision}
        features, predictions = (tuple(n for n in names if n in read) for names in (self.features, self.predictions))
        if (features, predictions) == (self.features, self.predictions):
            return self
        return self.model_copy(update={"features": features, "predictions": predictions})

    @property
    def read_as_numbers(self) -> tuple[str, ...]:
        """The columns whose cells are numbers or missing: those so declared, and an outcome that is a number."""
        return (*self.numeric, self.outcome) if self.outcome_type == "number" else self.numeric

    @property
    def columns(self) -> tuple[str, ...]:
        """Every column that says something of a person, once, in order: features, protected, predictions, text,
        judgements, outcome, and the one that says which rows belong together. The one that counts people says of none.
        """
        single = (name for name in (self.text, *self.annotation, self.outcome, self.belongs_to) if name)
        return tuple(dict.fromkeys((*self.features, *self.protected, *self.predictions, *single)))
