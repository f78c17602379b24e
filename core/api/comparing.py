"""One call from a table and several models to a comparison: the same tests on the same rows, and paired differences."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import pandas as pd
from pydantic import ValidationError

from core.api import notebook
from core.api.audited import Audit, Kept
from core.api.beside import with_columns
from core.api.bringing import brought_model, brought_table, files_named, owned_files, stated_in
from core.api.choices import Choices
from core.api.folder import read_together
from core.api.planning import Planned, Read, plan, read
from core.api.progress import bar
from core.api.roles import guessed
from core.base.device import Choice as Device
from core.base.device import choosing
from core.base.errors import SettingsError, located
from core.base.files import FileStore
from core.claims import Claim, to_frame
from core.cluster.address import Scheduler
from core.cluster.carrier import computing_on
from core.inference.estimate import Verdict
from core.language.options import in_python, option
from core.language.phrases import quoted
from core.language.settings_words import what_is_wrong
from core.models import ModelSource
from core.plan import AuditPlan
from core.records.audits import AUDITS
from core.records.repeat import Repeat, repeat
from core.records.workflow import Record
from core.report.statement import Statement
from core.sources.folder.table import FolderTable
from core.workflows.comparison import rates, tests
from core.workflows.comparison.overview import overview
from core.workflows.comparison.page import rates_tables, tests_tables
from core.workflows.comparison.record import COMPARISON
from core.workflows.comparison.result import ComparisonResult
from core.workflows.comparison.settings import ComparedModel, ComparisonPlan
from core.workflows.comparison.wording import headline, sentence

_OF_FILES = {name: Choices.model_fields[name].default for name in ("numbers", "label", "encoder", "known_answers")}
"""What is chosen of model files, and means nothing for a column."""


def planned(
    chosen: Choices, table: Read, models: Mapping[str, ModelSource | str], files: FileStore, baseline: str = ""
) -> tuple[ComparisonPlan, dict[str, tuple[str, ...]]]:
    """The plan of a comparison, and what was guessed of each model on the way.

    Args:
        chosen: What was chosen for all of them.
        table: The table.
        models: Each model by its name: as it was brought, or the name of the column that holds its answers.
        files: Where files lie.
        baseline: The name of the model with which the others are compared; the first if empty.

    Raises:
        EvenhandError: A model does not fit, or they cannot be compared.
    """
    if isinstance(table.source, FolderTable) and not all(isinstance(column, str) for column in models.values()):
        raise SettingsError(
            "On the rows of a folder models are compared by columns that hold their answers.",
            where=table.source.title,
            advice="Name the column of each model, or draw rows at random into one file.",
        )
    compared, told = [], {}
    for (name, _), found in zip(models.items(), each_planned(chosen, table, models.items(), files), strict=True):
        compared.append(ComparedModel(name=name, study=found.study))
        told[name] = found.told
    if isinstance(table.source, FolderTable):
        compared, line = _on_one_folder(compared, files)
        told = {name: (*lines, line) if name == compared[0].name else lines for name, lines in told.items()}
    alpha = {} if chosen.alpha is None else {"alpha": chosen.alpha}
    try:
        return ComparisonPlan(models=tuple(compared), baseline=baseline, **alpha), told
    except ValidationError as error:
        raise SettingsError(f"The models cannot be compared: {what_is_wrong(error.errors()[0])}.") from error


def each_planned(
    chosen: Choices, table: Read, models: Iterable[tuple[str, ModelSource | str]], files: FileStore
) -> Iterator[Planned]:
    """The audit of each of several models, which sees no other model's column; arguments as of :func:`planned`.

    Raises:
        EvenhandError: A model does not fit (says which).
    """
    named = [*models]
    columns = {column for _, column in named if isinstance(column, str)}
    for name, model in named:
        column, brought = (model, None) if isinstance(model, str) else ("", model)
        own = chosen.model_copy(update=_OF_FILES | {"predictions": (column,)}) if column else chosen
        with located(of=name):
            yield plan(own, _without(table, columns - {column}, own), brought, files, as_read=True)


def _on_one_folder(models: Sequence[ComparedModel], files: FileStore) -> tuple[list[ComparedModel], str]:
    """The models on the rows of a folder read once, in the columns of all of them; and what is said of that."""
    sources = [one.study.plans[0].data for one in models]
    source, counts, line = read_together([one for one in sources if isinstance(one, FolderTable)], files)

    def put(plan: AuditPlan) -> AuditPlan:
        roles = plan.roles.model_copy(update={"counts": counts if plan.roles.counts else ""})
        return plan.model_copy(update={"data": source, "roles": roles})

    studies = [one.study.model_copy(update={"plans": tuple(map(put, one.study.plans))}) for one in models]
    return [ComparedModel(name=one.name, study=study) for one, study in zip(models, studies, strict=True)], line


def by_name(models: Sequence[str], columns: Sequence[str], files: FileStore) -> dict[str, ModelSource | str]:
    """Models as they are named on a command line: files, each perhaps behind a name of its own, and columns.

    Args:
        models: ``FILE`` or ``NAME=FILE``.
        columns: Columns with a model's answers each.
        files: Where files are put.

    Raises:
        EvenhandError: A file cannot be read or is no model, two have one name, or there are fewer than two.
    """
    named = [(Path(name).name or Path(file).stem, file) for name, _, file in (one.rpartition("=") for one in models)]
    names = [name for name, _ in named] + [*columns]
    if twice := next((one for one in names if names.count(one) > 1), ""):
        raise SettingsError(f"Two models are called {quoted(twice)}.", advice="Name them: --model NAME=FILE.")
    found: dict[str, ModelSource | str] = {}
    for name, (_, file) in zip(names, named, strict=False):
        with located(of=name):
            found[name] = brought_or_column(file, pd.DataFrame(), files, None)
    _require_some(found | dict.fromkeys(columns, ""))
    return found | {column: column for column in columns}


def _without(table: Read, columns: set[str], chosen: Choices) -> Read:
    """The table without the answers of the other models, which no model may read."""
    frame, people = (one.drop(columns=[*columns]) for one in (table.frame, table.people))
    return replace(table, frame=frame, people=people, guess=guessed(chosen, people))


def compare(
    table: object,
    models: Mapping[str, object],
    *,
    baseline: str = "",
    statement: str | os.PathLike[str] | Statement | None = None,
    device: Device | None = None,
    progress: bool | None = None,
    scheduler: str | Scheduler = "",
    **choices: Any,
) -> Comparison:
    """Audit several models on the same rows, and say by how much each differs from one of them.

    Args:
        table: As for :func:`core.audit`.
        models: Each model by its name: a column of the table with its answers, or a model file or object as for
            :func:`core.audit`.
        baseline: The name of the model with which the others are compared; the first if empty.
        statement: What people state about the comparison for record and report: a JSON file.
        device: Where networks compute, as for :func:`core.audit`.
        progress: Whether a bar is shown; None for only where somebody watches.
        scheduler: Where Dask's workers compute: ``tls://HOST:PORT``, or a ``Scheduler`` with certificates; else
            ``EVENHAND_SCHEDULER``, else here.
        choices: Every other choice of :func:`core.audit`, for all models alike.

    Raises:
        EvenhandError: Something is missing, wrong or refused: what, where, and what to do about it.

    Example:
        >>> from core import compare, load_table
        >>> people = load_table("hiring").head(600)
        >>> people["strict"] = (people["test score"] > 65).map({True: "yes", False: "no"})
        >>> people["lenient"] = (people["test score"] > 55).map({True: "yes", False: "no"})
        >>> c = compare(
        ...     people, {"strict": "strict", "lenient": "lenient"}, outcome="hired", favourable="yes",
        ...     protected="gender", tests="group_fairness", progress=False,
        ... )
        >>> c.differences[["who", "against", "what", "estimate", "p_value"]].shape[1]
        5
    """
    given: dict[str, Any] = {name: value for name, value in choices.items() if name in Choices.model_fields}
    given["settings"] = {name: value for name, value in choices.items() if name not in Choices.model_fields}
    with in_python(), choosing(device):
        _require_some(models)
        files = owned_files()
        rows, named = with_columns(table, given)
        chosen = Choices.of(files_named(named, files))
        source = brought_table(rows, chosen, files)
        known = read(chosen, source, files)
        brought = {name: brought_or_column(model, known.frame, files, table) for name, model in models.items()}
        study, told = planned(chosen, known, brought, files, baseline)
        record = Record(COMPARISON, study, statement=stated_in(statement))
        with computing_on(scheduler), bar(shown=progress) as on_progress:
            repeated = repeat(record, files.root, on_progress=on_progress)
    return Comparison(repeated, files, told)


def _require_some(models: Mapping[str, object]) -> None:
    """Check that there is something to compare.

    Raises:
        SettingsError: There is not.
    """
    if not isinstance(models, Mapping) or len(models) < 2:
        raise SettingsError(
            "A comparison takes two models or more.",
            where=option("models"),
            advice='Give them by name: {"old": "old_answers", "new": "new_answers"}.',
        )


def brought_or_column(model: object, frame: pd.DataFrame, files: FileStore, table: object) -> ModelSource | str:
    """A model as it was brought, or the name of the column with its answers.

    Args:
        model: What the caller gives.
        frame: The table as it was read.
        files: Where files are kept.
        table: The caller's table.

    Raises:
        EvenhandError: There is none, or it cannot be read.
    """
    if isinstance(model, str) and model in frame:
        return model
    brought = brought_model(model, files, table)
    if brought is None:
        raise SettingsError("A model is missing.", where=option("models"), advice="Give a model, or a column's name.")
    return brought


@dataclass(frozen=True, repr=False, eq=False)
class Comparison(Kept[ComparisonPlan, ComparisonResult], Mapping[str, Audit]):
    """Models beside each other; ``comparison["name"]`` is the audit of one of them.

    Attributes:
        guesses: What was not given and guessed of each model, a sentence each.
    """

    guesses: dict[str, tuple[str, ...]]

    @property
    def headline(self) -> str:
        """On which side of its tolerance each model is, and how much less often one is right."""
        return headline(self._repeated.plan, self._repeated.result)

    @property
    def sentence(self) -> str:
        """In what models are shown to differ, one thought a sentence."""
        return sentence(self._repeated.plan, self._repeated.result)

    @cached_property
    def _tested(self) -> tuple[tests.Tested, ...]:
        return tests.tested(self._repeated.plan, self._repeated.result)

    @property
    def verdicts(self) -> dict[str, Verdict]:
        """Each model's verdict; no violation holds for a model that was picked among all of them, too."""
        return {one.name: one.verdict for one in self._tested}

    @property
    def differences(self) -> pd.DataFrame:
        """One line a difference from the baseline, on the same people; p-values are adjusted for all (Holm).

        ``shown`` says which of them the headline counts. ``key`` is of groups "SPD" (statistical parity difference: how
        much more often one group gets the favourable answer than another), "EOD" (equal opportunity difference: the
        same among people with the favourable outcome) or "AOD" (average odds difference: the mean of that and the same
        among all others). Other columns are those of :meth:`Claims.to_frame`; ``here`` is the model, ``there`` the
        baseline.
        """
        alpha = self._repeated.plan.alpha
        found = rates.differences(self._repeated.result, alpha)
        frame = _frame([(rate.key, claim) for rate, claim in found])
        frame.insert(1, "shown", frame["p_value"] <= alpha)
        return frame

    @property
    def rates(self) -> pd.DataFrame:
        """One line a model and rate, such as accuracy, with an interval of its own."""
        found = rates.rate_claims(self._repeated.result, self._repeated.plan.alpha)
        return _frame([(rate.key, claim) for rate, claims in found for claim in claims])

    @property
    def differences_of_tests(self) -> pd.DataFrame:
        """One line a test and model: how its estimate differs from the baseline's; bounds hold together."""
        result = self._repeated.result
        return _frame(list(tests.differences(self._tested, result.baseline, self._repeated.plan.alpha)))

    def __getitem__(self, name: str) -> Audit:
        for model, audits in zip(self._repeated.plan.models, self._repeated.result.audits, strict=True):
            if model.name == name:
                study = model.study
                alone = Repeat(Record(AUDITS, study), study, audits, {}, None, ())
                return Audit(alone, self._files, self.guesses[name])
        raise KeyError(f"There is no model {name!r}; there are {', '.join(self)}.")

    def __iter__(self) -> Iterator[str]:
        return iter(self._repeated.result.names)

    def __len__(self) -> int:
        return len(self._repeated.result.names)

    def __repr__(self) -> str:
        return f"{self.headline}. {self.sentence}"

    def _repr_html_(self) -> str:
        one = self._repeated
        tables = (
            overview(one.plan, one.result),
            *tests_tables(one.plan, one.result, self._tested),
            *rates_tables(one.plan, one.result),
        )
        return notebook.told(self.headline, self.sentence, map(notebook.table_of, tables))


def _frame(found: Sequence[tuple[str, Claim]]) -> pd.DataFrame:
    frame = to_frame([claim for _, claim in found]).drop(
        columns=["said", "tolerance", "judged", "one_sided", "decides"]
    )
    frame.insert(0, "key", [key for key, _ in found])
    return frame
