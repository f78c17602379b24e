"""One call from a table and a model to an audit that has run."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
import pandas as pd

from core.api.audited import Audit
from core.api.beside import with_columns
from core.api.bringing import brought_model, brought_table, files_named, owned_files, stated_in, trust_files
from core.api.choices import Choices
from core.api.planning import plan, read
from core.api.progress import bar
from core.audits import KINDS, AuditSettings
from core.base.device import Choice as Device
from core.base.device import choosing
from core.base.settings import help_of
from core.cluster.address import Scheduler
from core.cluster.carrier import computing_on
from core.data.encoder import Encoder
from core.data.roles import GoodEnd, Missing, OutcomeType
from core.language.options import in_python
from core.language.reader import SOURCE, speaking
from core.metrics import Metric
from core.models.prepared import Numbers
from core.models.reading import Holds
from core.records.audits import AUDITS
from core.records.repeat import repeat
from core.records.workflow import Record
from core.report.statement import Statement
from core.sources.upload.limits import MISSING_MARKS

Several = str | Sequence[str]
Column = str | pd.Series | np.ndarray
Columns = Several | pd.Series | pd.DataFrame | np.ndarray


def audit(
    table: object,
    *,
    model: object = None,
    predictions: Columns = (),
    outcome: Column = "",
    no_outcome: bool = False,
    outcome_type: OutcomeType | None = None,
    favourable: object = "",
    good_end: GoodEnd | None = None,
    protected: Columns = (),
    features: Several = (),
    text: str = "",
    annotation: Columns = (),
    belongs_to: Column = "",
    counts: Column = "",
    no_count: bool = False,
    numeric: Several = (),
    categorical: Several = (),
    missing: Missing | None = None,
    labels: Several | Mapping[str, Any] = (),
    separator: Literal["auto", ",", ";", "\t", "|", " "] = "auto",
    encoding: Literal["auto", "utf-8", "utf-16", "cp1252", "latin-1"] = "auto",
    decimal: Literal["auto", ".", ","] = "auto",
    sheet: str = "",
    missing_marks: Sequence[str] = MISSING_MARKS,
    ranges: Several | Mapping[str, Sequence[float]] = (),
    sample: int = 0,
    holds: Holds | None = None,
    threshold: float | None = None,
    high_means: object = "",
    answer_means: Several | Mapping[Any, Any] = (),
    by_people: bool = False,
    classes: Sequence[Any] | np.ndarray = (),
    numbers: Numbers | None = None,
    encoder: str | os.PathLike[str] | Encoder | None = None,
    label: str = "",
    trained_on: Literal["other rows", "these rows", "not known"] = "not known",
    direction_confirmed: bool = False,
    other_system: Several = (),
    known_answers: object = None,
    tests: str | AuditSettings | Sequence[str | AuditSettings] = (),
    metric: Metric | None = None,
    delta: float | Mapping[str, float] | None = None,
    alpha: float | None = None,
    seed: int = 0,
    statement: str | os.PathLike[str] | Statement | None = None,
    trust_file: Sequence[str | os.PathLike[str]] = (),
    device: Device | None = None,
    progress: bool | None = None,
    scheduler: str | Scheduler = "",
    **settings: Any,
) -> Audit:
    """Audit a model, or answers that are in a table: does it treat similar people similarly?

    What is not given is guessed, and :attr:`Audit.guesses` says so. What no guess may decide is asked for by an error
    that names the keyword.

    Args:
        table: A DataFrame, or a CSV, Parquet or Excel file: one row a person or text. Also a built-in table's name, or
            a folder with the Parquet files of one table of up to 10^9 rows, which are counted where they lie.
            Outcome, predictions, protected attributes, belongs_to and counts are names of its columns, or arrays with
            one entry a row beside it.
        model: A model file, read in a confined process; or an object of this process: a fitted scikit-learn estimator,
            a torch module that gives logits, a transformers pipeline or (model, tokenizer), or a function that takes a
            DataFrame (texts: a list) and returns class probabilities, answers or numbers. Without one, predictions.
        {choices}
        statement: What people state about the audit for record and report: a JSON file.
        trust_file: Model files to open even where this system cannot confine the library that reads them.
        device: Where networks compute: "auto", on an accelerator (CUDA, MPS) where torch sees one and the work is worth
            it; "processor"; or "accelerator", which refuses to run without one. None: as EVENHAND_DEVICE says, else
            auto. An accelerator's last digits differ, and the record names it.
        progress: Whether a bar is shown; None for only where somebody watches.
        scheduler: Where Dask's workers compute: ``tls://HOST:PORT``, or a ``Scheduler`` with certificates; else
            ``EVENHAND_SCHEDULER``, else here.
        settings: Further settings of the tests, by their names: those of ``core.audits`` and of how they are judged.
            One that several tests have may be given as a dict, by the kind of test.
            {tests}

    Raises:
        EvenhandError: Something is missing, wrong or refused: what, where, and what to do about it.

    Example:
        >>> from core import audit, load_table
        >>> people = load_table("hiring").head(600)
        >>> people["invited"] = (people["test score"] > 60).map({{True: "yes", False: "no"}})
        >>> a = audit(
        ...     people, predictions="invited", outcome="hired", favourable="yes", protected="gender",
        ...     tests="group_fairness", progress=False,
        ... )
        >>> a.verdict.value
        'insufficient evidence'
        >>> len(a.claims.to_frame()) == len(a.claims)
        True
    """
    given = {name: value for name, value in locals().items() if name in Choices.model_fields}
    given["settings"] = settings
    with in_python(), choosing(device):
        trust_files(trust_file)
        files = owned_files()
        rows, named = with_columns(table, given)
        chosen = Choices.of(files_named(named, files))
        source = brought_table(rows, chosen, files)
        planned = plan(chosen, read(chosen, source, files), brought_model(model, files, table), files)
        record = Record(AUDITS, planned.study, statement=stated_in(statement))
        with computing_on(scheduler), bar(shown=progress) as on_progress:
            repeated = repeat(record, files.root, on_progress=on_progress)
    return Audit(repeated, files, planned.told, planned.left_out)


def _documented() -> str:
    """The docstring with the help of every choice and the settings of every test, from where they are declared."""
    indent = "\n        "
    with speaking(SOURCE):
        own = [f"{name}: {help_of(info)}" for name, info in Choices.model_fields.items() if name != "settings"]
        settings = {kind: {*known.settings.model_fields, *known.decision.model_fields} for kind, known in KINDS.items()}
        of_tests = [f"{kind}: {', '.join(sorted(names - {'kind'}))}." for kind, names in settings.items()]
    return str(audit.__doc__).format(choices=indent.join(own), tests=f"{indent}    ".join(of_tests))


audit.__doc__ = _documented()
