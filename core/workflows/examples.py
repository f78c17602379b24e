"""Ready-made audits for the home page, from ``assets/examples.toml``: a table, a model and tests, one story each.

What is told of them stands in :mod:`core.workflows.examples_told`.
"""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd
from pydantic import TypeAdapter

from core.audits import AuditSettings
from core.base.errors import DataError
from core.base.files import FileStore
from core.data.roles import Roles
from core.language.told import say
from core.models import ModelSource
from core.models.predictions import PredictionColumns
from core.models.sniff import recognise
from core.plan import AuditPlan
from core.sources import DataSource
from core.study import Study
from core.workflows.examples_told import WRITTEN, ToldExample, in_words

_REPOSITORY = Path(__file__).resolve().parents[2]
SAMPLE_MODELS = _REPOSITORY / "sample_models"
"""Where the sample models' files lie."""

_MODEL: TypeAdapter[ModelSource] = TypeAdapter(ModelSource)


@dataclass(frozen=True, kw_only=True)
class Example(ToldExample):
    """One click on the home page, with all that it runs.

    Attributes:
        data: Where the table comes from.
        audits: The settings of each test.
        files: Fields of the tests that hold sample models: ``{"sample": file name}`` stands for each.
    """

    data: DataSource
    audits: tuple[AuditSettings, ...]
    files: dict[str, Any] = field(default_factory=dict)

    @property
    def roles(self) -> Roles:
        """What the columns of its table are for."""
        roles = self.data.roles(pd.DataFrame())
        if roles is None:
            raise DataError(
                say("The table of the example {key} has no roles.", key=repr(self.key)),
                advice=say("Take a built-in table."),
            )
        return roles


EXAMPLES = tuple(map(in_words, TypeAdapter(tuple[Example, ...]).validate_python(WRITTEN)))
"""Every example in the order in which they are shown."""


def example(key: str) -> Example:
    """The example with this key.

    Raises:
        DataError: There is none.
    """
    for candidate in EXAMPLES:
        if candidate.key == key:
            return candidate
    raise DataError(
        say("There is no example {key}.", key=repr(key)),
        advice=say("Choose one of {names}.", names=", ".join(known.key for known in EXAMPLES)),
    )


def open_example(key: str, files: FileStore) -> Study:
    """A complete study, with the sample models' files put into ``files``. Nothing is fetched or computed yet.

    Args:
        key: Which of :data:`EXAMPLES`.
        files: Where uploads are kept.

    Raises:
        DataError: There is no such example, or a sample model is not installed.
    """
    chosen = example(key)
    roles = chosen.roles
    model = _file(chosen.model, files) if chosen.model else _answers(roles)
    return Study(
        plans=tuple(
            AuditPlan(data=chosen.data, roles=roles, model=model, audit=_with_files(audit, chosen, files))
            for audit in chosen.audits
        )
    )


def _with_files(audit: AuditSettings, chosen: Example, files: FileStore) -> AuditSettings:
    """The audit with the sample models that it reads itself."""
    named = {name: _filled(value, files) for name, value in chosen.files.items() if name in type(audit).model_fields}
    return type(audit).model_validate({**audit.model_dump(), **named}) if named else audit


def _filled(value: dict[str, Any], files: FileStore) -> dict[str, Any]:
    """The value with a file in the place of every sample model."""
    if "sample" in value:
        return _file(value["sample"], files).model_dump()
    return {name: _filled(part, files) if isinstance(part, dict) else part for name, part in value.items()}


def _answers(roles: Roles) -> ModelSource:
    return PredictionColumns(columns=roles.predictions, trained_on="other rows")  # verbatim


def _file(name: str, files: FileStore) -> ModelSource:
    path = SAMPLE_MODELS / name
    if not path.is_file():
        script = "texts.py" if path.suffix == ".zip" else "train.py"
        raise DataError(
            say("The sample model {name} is not installed.", name=name),
            where=str(SAMPLE_MODELS),
            advice=say(
                "Get it from the project's repository, or train it with python sample_models/{script}.", script=script
            ),
        )
    file = files.put(path.read_bytes(), path.name)
    return _MODEL.validate_python({"kind": recognise(path, name), "file": file, "trained_on": "other rows"})  # verbatim
