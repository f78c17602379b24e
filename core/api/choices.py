"""What somebody may choose of an audit; everything else is guessed, and the guesses are said.

One list for the keywords of :func:`core.audit`, their help, and the options of ``python -m core audit``. Whatever is a
setting elsewhere takes its help from there.
"""

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any, Literal, Self

import numpy as np
import pandas as pd
from pydantic import Field, ValidationError

from core.audits import KINDS, AuditSettings
from core.base.errors import SettingsError
from core.base.files import FileRef
from core.base.settings import Settings, help_of, setting
from core.contracts.audit import AbstractAudit
from core.contracts.decision import DecisionSettings
from core.contracts.model import AbstractModelSource
from core.data.cells import write_cell
from core.data.encoder import Encoder
from core.data.roles import GoodEnd, Missing, OutcomeType, Roles
from core.language.options import option
from core.language.phrases import listed, quoted
from core.language.settings_words import what_is_wrong
from core.metrics import METRICS, Metric
from core.models.formats.hugging_face.source import HuggingFaceFolder
from core.models.predictions import PredictionColumns
from core.models.prepared import Numbers, PreparedSource
from core.models.reading import Holds
from core.plan import AuditPlan
from core.sources.upload.limits import MAXIMUM_ROWS, MISSING_MARKS
from core.sources.upload.uploaded import UploadedTable


def _as(kind: type[Settings], field: str, default: Any = None) -> Any:
    """A choice with label and help of a field of other settings."""
    info = kind.model_fields[field]
    return setting(default, label=info.title or "", help=info.description or "")


class Choices(Settings):
    """What is chosen of an audit; empty or None where it is left to be guessed."""

    outcome: str = _as(Roles, "outcome", "")
    no_outcome: bool = setting(False, label="No outcome", help="Nobody knows what really happened.")
    outcome_type: OutcomeType | None = _as(Roles, "outcome_type")
    favourable: str = _as(Roles, "favourable", "")
    good_end: GoodEnd | None = _as(Roles, "good_end")
    protected: tuple[str, ...] = _as(Roles, "protected", ())
    features: tuple[str, ...] = _as(Roles, "features", ())
    predictions: tuple[str, ...] = setting(
        (),
        label=Roles.model_fields["predictions"].title or "",
        help="The column with the model's answers; several only for one probability a class. Beside a model: its own "
        "answers, with which it is compared.",
    )
    text: str = _as(Roles, "text", "")
    annotation: tuple[str, ...] = _as(Roles, "annotation", ())
    belongs_to: str = _as(Roles, "belongs_to", "")
    counts: str = _as(Roles, "counts", "")
    no_count: bool = setting(False, label="No counts", help="Each row is one person.")
    numeric: tuple[str, ...] = _as(Roles, "numeric", ())
    categorical: tuple[str, ...] = _as(Roles, "categorical", ())
    missing: Missing | None = _as(Roles, "missing")
    labels: tuple[str, ...] | dict[str, Any] = setting(
        (),
        label=Roles.model_fields["labels"].title or "",
        help="What people read in place of a name: COLUMN=LABEL, COLUMN=VALUE:LABEL, or a JSON file with "
        '{"COLUMN": {"label": "LABEL", "values": {"VALUE": "LABEL"}}}, or in Python what such a file holds.',
    )
    separator: Literal["auto", ",", ";", "\t", "|", " "] = _as(UploadedTable, "separator", "auto")
    encoding: Literal["auto", "utf-8", "utf-16", "cp1252", "latin-1"] = _as(UploadedTable, "encoding", "auto")
    decimal: Literal["auto", ".", ","] = _as(UploadedTable, "decimal", "auto")
    sheet: str = _as(UploadedTable, "sheet", "")
    missing_marks: tuple[str, ...] = _as(UploadedTable, "missing_marks", MISSING_MARKS)
    ranges: tuple[str, ...] | dict[str, Any] = setting(
        (),
        label="Ranges",
        help="Where a column of numbers is cut when the rows of a folder of Parquet files are counted: COLUMN=30,45, "
        "or in Python a dict.",
    )
    sample: int = setting(
        0,
        label="Sample",
        help="Audit so many rows of a folder of Parquet files, drawn at random by the seed, instead of counting all.",
        ge=0,
        le=MAXIMUM_ROWS,
    )
    holds: Holds | None = _as(PredictionColumns, "holds")
    threshold: float | None = _as(PredictionColumns, "threshold")
    high_means: str = setting(
        "", label="High values mean", help="The outcome that a high score or probability stands for."
    )
    answer_means: dict[str, str] | tuple[str, ...] = setting(
        (),
        label="Answers mean",
        help="Which outcome a predicted label stands for, where it is not named as outcomes are: LABEL=OUTCOME, or in "
        "Python a dict.",
    )
    by_people: bool = _as(PredictionColumns, "by_people", False)
    classes: tuple[str, ...] = _as(AbstractModelSource, "classes", ())
    numbers: Numbers | None = _as(PreparedSource, "numbers")
    encoder: Encoder | None = _as(AbstractModelSource, "encoder")
    label: str = _as(HuggingFaceFolder, "label", "")
    trained_on: Literal["other rows", "these rows", "not known"] = _as(AbstractModelSource, "trained_on", "not known")
    direction_confirmed: bool = _as(AbstractModelSource, "direction_confirmed", False)
    other_system: tuple[str, ...] = _as(AbstractModelSource, "other_system", ())
    known_answers: FileRef | None = _as(AbstractModelSource, "known_answers")
    tests: tuple[str | AuditSettings, ...] = setting(
        (),
        label="Tests",
        help="Kinds of test, or all for every one that can be run; where none is named, the one that asks most of the "
        "model and can be run, with those that belong beside it. Each takes the settings that suit model and table, "
        "but for those that are given.",
    )
    metric: Metric | None = setting(
        None,
        label="Fair metric",
        help="Who counts as similar, for tests that compare similar people. By default directions that the rows teach, "
        "from which the protected attributes can be told (SensitiveSubspace).",
    )
    delta: float | dict[str, float] | None = setting(
        None,
        label="Tolerance δ",
        help="What is tolerated, in the unit of the test (0.05 is 5 percentage points); by the kind of test where "
        "there are several. Each test has a default.",
    )
    alpha: float | None = _as(DecisionSettings, "alpha")
    seed: int = setting(0, label="Seed", help=AuditPlan.model_fields["seed"].description or "", ge=0)
    settings: dict[str, Any] = Field(
        {}, description="Further settings of the tests, by their names; by the kind of test where several have one."
    )

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> Self:
        """The choices by their names; one where several may stand is the only one, and values are as a table has them.

        Raises:
            SettingsError: One is not what it should be, or there is no such choice (says which).
        """
        for name in given.get("settings", ()):
            _require_known(name)
        named = {name: _as_written(name, value) for name, value in given.items() if value is not None}
        try:
            return cls.model_validate(named)
        except ValidationError as error:
            first = error.errors()[0]
            place = str(first["loc"][0]) if first["loc"] else ""
            raise SettingsError(
                f"The choice {option(place)} cannot be taken: {what_is_wrong(first)}.",
                where=option(place),
                advice=_advice(place, named.get(place)),
            ) from error


_SEVERAL = frozenset(name for name, info in Choices.model_fields.items() if "tuple" in str(info.annotation))
_TEXTS = frozenset(name for name, info in Choices.model_fields.items() if info.annotation in (str, tuple[str, ...]))


def _advice(name: str, value: Any) -> str:
    """What to give as a choice in place of what cannot be taken."""
    told = help_of(Choices.model_fields[name]) if name in Choices.model_fields else ""
    if name != "metric" or not isinstance(value, str):
        return told
    known = listed([f"{one.__name__}(…)" for one in METRICS.values()])
    return f"Give an object of core, not a name, such as Expert(free=['age']); there are {known}."


def _as_written(name: str, value: Any) -> Any:
    """A choice with numbers as a table's text has them, in place of values and names of columns."""
    value = value.tolist() if isinstance(value, np.ndarray | np.generic | pd.Index) else value
    if name == "tests" and value is not None:
        value = [_test(one) for one in (value if isinstance(value, list | tuple) else (value,))]
    if name in _SEVERAL and (isinstance(value, str | int | float | Settings) or not hasattr(value, "__iter__")):
        value = (value,)
    if name in _TEXTS:
        return [_cell(one) for one in value] if isinstance(value, list | tuple) else _cell(value)
    if name == "answer_means" and isinstance(value, Mapping):
        return {_cell(label): _cell(outcome) for label, outcome in value.items()}
    return value


def _test(one: Any) -> Any:
    """A test by its kind where its class is given."""
    return one.model_fields["kind"].default if isinstance(one, type) and issubclass(one, AbstractAudit) else one


def _cell(value: Any) -> Any:
    return write_cell(value) if isinstance(value, int | float | np.generic) else value


def _require_known(name: str) -> None:
    """Check that a test has a setting of this name.

    Raises:
        SettingsError: None has.
    """
    tests = [{*kind.settings.model_fields, *kind.decision.model_fields} - {"kind"} for kind in KINDS.values()]
    known = set().union(*tests)
    if name in known:
        return
    if name in Choices.model_fields:
        raise SettingsError(
            f"The choice {quoted(name)} decides what is run.", where=option(name), advice="Audit again with it."
        )
    labelled = [one for one, info in Choices.model_fields.items() if name.casefold() in (info.title or "").casefold()]
    near = labelled or get_close_matches(name, sorted(known | Choices.model_fields.keys()), 3)
    raise SettingsError(
        f"There is no choice {quoted(name)}.",
        where=option(name),
        advice=f"Did you mean {' or '.join(near)}?" if near else "See the help of core.audit for what can be chosen.",
    )
