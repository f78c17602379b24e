"""What the wall's child says of a skops file: a stranger's word, checked before it is used."""

from typing import Annotated, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, model_validator

from core.language.told import unpacked_from_a_stranger

MOST_COLUMNS = 100_000
MOST_CLASSES = 1_000
MOST_VERSIONS = 100
MOST_CATEGORIES = 10_000
"""Of a column; of one with more nothing is told."""
_MOST_LAYERS = 200

_Text = Annotated[str, StringConstraints(max_length=10_000)]
_Reason = Annotated[str, StringConstraints(max_length=2_000), AfterValidator(unpacked_from_a_stranger)]
_Name = Annotated[str, StringConstraints(pattern=r"^\w+$", max_length=200)]
_Version = Annotated[str, StringConstraints(pattern=r"^[\w.+-]+$", max_length=20)]
_Place = Annotated[int, Field(ge=0, lt=MOST_COLUMNS)]
_Number = Annotated[float, Field(allow_inf_nan=False)]
_Spread = Annotated[float, Field(gt=0, allow_inf_nan=False)]


class _Said(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class ReadColumn(_Said):
    """One column that layers read.

    Attributes:
        place: Among the model's columns, from 0.
        scaled: Centre and scale of a number that is standardised; None for one that is read as it is.
        categories: Of indicators, one each, in order; empty for a number.
    """

    place: _Place
    scaled: tuple[_Number, _Spread] | None = None
    categories: tuple[_Text, ...] = Field((), max_length=MOST_CATEGORIES)

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if len(set(self.categories)) < len(self.categories):
            raise ValueError("a category that is listed twice")
        return self


class Layers(_Said):
    """A linear model or perceptron; its weights and offsets are arrays called ``weights_0``, ``offsets_0``, ….

    Attributes:
        activation: Between two layers; ``one-vs-rest`` for linear models that each know one class.
        layers: How many.
        read: What the first layer reads, in order.
    """

    activation: Literal["relu", "tanh", "sigmoid", "identity", "one-vs-rest"]
    layers: int = Field(ge=1, le=_MOST_LAYERS)
    read: tuple[ReadColumn, ...] = Field(min_length=1, max_length=MOST_COLUMNS)


class NoLayers(_Said):
    """Why a model has no gradients, as the subject and reason of a sentence."""

    why: _Reason


_PREPARE = frozenset(
    {
        *("StandardScaler", "MinMaxScaler", "MaxAbsScaler", "RobustScaler", "Normalizer", "PowerTransformer"),
        *("QuantileTransformer", "KBinsDiscretizer", "SplineTransformer", "SimpleImputer", "KNNImputer"),
        *("ColumnTransformer", "OneHotEncoder", "OrdinalEncoder", "TargetEncoder"),
    }
)
_SPLIT = ("DecisionTree", "ExtraTree", "RandomForest", "GradientBoosting", "HistGradientBoosting")
"""What comes first in models that take numbers as they stand in a table, and how the names of others begin."""


class SklearnSaid(_Said):
    """An estimator.

    Attributes:
        model: Type of the estimator that answers.
        versions: Of scikit-learn, that wrote the file's parts.
        gives: What it answers with.
        classes: As people write them, in the order of its outputs; empty for a model that answers with a number.
        truths: Whether the classes are true and false.
        width: How many columns it was trained on; None where it does not say.
        columns: Names of those it reads, in order; None where it was trained on plain numbers.
        categories: Of each column it reads, what its encoders know; None where it reads a number, or they are too many.
        numbers_only: Whether what comes first reads no text.
        first: Type of what comes first.
        own_threshold: Whether it decides by a threshold of its own.
        gradients: Its layers; None for a model that answers with a number.
    """

    model: _Name
    versions: tuple[_Version, ...] = Field(max_length=MOST_VERSIONS)
    gives: Literal["probabilities", "labels", "numbers"]
    classes: tuple[_Text, ...] = Field(max_length=MOST_CLASSES)
    truths: bool
    width: Annotated[int, Field(ge=1, le=MOST_COLUMNS)] | None
    columns: tuple[_Text, ...] | None = Field(max_length=MOST_COLUMNS)
    categories: tuple[tuple[_Text, ...] | None, ...] = Field(max_length=MOST_COLUMNS)
    numbers_only: bool
    first: _Name
    own_threshold: bool
    gradients: Layers | NoLayers | None

    @property
    def takes_raw_numbers(self) -> bool:
        """Whether what comes first prepares numbers itself, or splits them, so that they were not prepared before."""
        return self.first in _PREPARE or self.first.startswith(_SPLIT)

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if (self.gives == "numbers") != (not self.classes) or len(self.classes) == 1:
            raise ValueError("answers that do not fit the classes")
        if len(self.categories) != (self.width or 0 if self.columns is None else len(self.columns)):
            raise ValueError("categories of other columns than it reads")
        if self.columns is not None and len(set(self.columns)) < len(self.columns):
            raise ValueError("a column that is named twice")
        if self.truths and set(self.classes) != {"False", "True"}:
            raise ValueError("truth values of other names")
        if isinstance(self.gradients, Layers):
            places = [one.place for one in self.gradients.read]
            if len(set(places)) != len(places) or max(places) >= len(self.categories):
                raise ValueError("layers that read a column twice, or one that is not there")
        return self
