"""What the wall's child says of a file of boosted trees: a stranger's word, checked before it is used."""

from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

MOST_FEATURES = 100_000
MOST_OUTPUTS = 1_000

Gives = Literal["probabilities", "logits", "labels", "numbers"]
_Text = Annotated[str, StringConstraints(max_length=10_000)]
_Place = Annotated[int, Field(ge=0, lt=MOST_FEATURES)]
_Code = Annotated[int, Field(ge=0, lt=2**31)]


class TreesSaid(BaseModel):
    """A model of boosted trees. Places are columns in the model's order, from 0.

    Attributes:
        library: Who wrote the file.
        objective: What it was trained for, as the library calls it.
        gives: What it answers with.
        outputs: Classes of a classifier, at least 2; 1 for a model that answers with a number.
        width: How many columns it reads.
        features: Their names, in order; empty where the file names none.
        lists: Values of columns of categories in the order of their numbers, a list a column, in the columns' order.
        possible: Places that such a list can belong to, ascending, and how many values it needs at least.
        coded: Places of columns of categories whose values the file may not list.
        codes: For such places the numbers of categories that training met, where the file says so.
        raw: Whether categories without a list were numbers in training, as in the table.
        rounds: Rounds of training that answer, and all of them, where it was stopped early.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    library: Literal["XGBoost", "LightGBM"]
    objective: _Text
    gives: Gives
    outputs: int = Field(ge=1, le=MOST_OUTPUTS)
    width: int = Field(ge=1, le=MOST_FEATURES)
    features: tuple[_Text, ...] = Field(max_length=MOST_FEATURES)
    lists: tuple[tuple[_Text, ...], ...] = Field(max_length=MOST_FEATURES)
    possible: tuple[tuple[_Place, _Code], ...] = Field(max_length=MOST_FEATURES)
    coded: tuple[_Place, ...] = Field(max_length=MOST_FEATURES)
    codes: tuple[tuple[_Place, tuple[_Code, ...]], ...] = Field((), max_length=MOST_FEATURES)
    raw: bool = False
    rounds: tuple[()] | tuple[_Code, _Code] = ()

    @model_validator(mode="after")
    def _fits(self) -> Self:
        places = (*self.coded, *(place for place, _ in (*self.possible, *self.codes)))
        if len(self.features) not in (0, self.width) or any(place >= self.width for place in places):
            raise ValueError("columns that are not as many as the model reads")
        if len(set(self.features)) < len(self.features):
            raise ValueError("a column that is named twice")
        if (self.gives == "numbers") != (self.outputs == 1):
            raise ValueError("answers that do not fit the outputs")
        return self
