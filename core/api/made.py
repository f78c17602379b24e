"""One call from a table to models that are made or picked to be fair: trained for it, or chosen within a tolerance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd
from pydantic import ValidationError

from core.api.audited import Kept, frame_of
from core.api.beside import with_columns
from core.api.bringing import brought_table, files_named, owned_files, stated_in
from core.api.choices import Choices
from core.api.comparing import brought_or_column, each_planned
from core.api.planning import Read, read
from core.api.progress import bar
from core.api.roles import settled, told_of_roles
from core.base.device import choosing
from core.base.errors import SettingsError
from core.base.files import FileStore
from core.base.settings import help_of
from core.cluster.carrier import computing_on
from core.data.roles import Roles
from core.language.options import in_python
from core.language.phrases import listed
from core.language.settings_words import what_is_wrong
from core.records.repeat import repeat
from core.records.workflow import AbstractWorkflow, P, R, Record
from core.workflows.mitigation.record import MITIGATION
from core.workflows.mitigation.settings import METHODS, MitigationPlan
from core.workflows.selection.record import SELECTION
from core.workflows.selection.settings import SelectionPlan

_OF_THE_RUN = ("statement", "device", "progress", "scheduler")
_OF_AN_AUDIT = {"tests", "metric", "delta", "alpha", "settings"}
"""What :func:`core.audit` takes of tests; here plans have settings of their own."""
_NOT_NAMED = ("data", "roles", "methods")


@dataclass(frozen=True, repr=False, eq=False)
class MadeModels(Kept[P, R]):
    """Models that were trained to be fairer, or of which one was chosen.

    Attributes:
        guesses: What was not given and guessed of the table's columns, a sentence each.
    """

    guesses: tuple[str, ...]

    @property
    def headline(self) -> str:
        """What people repeat."""
        return self._repeated.record.workflow.told(self._repeated.plan, self._repeated.result)[0]

    @property
    def sentence(self) -> str:
        """The rest, a plain sentence or two."""
        return self._repeated.record.workflow.told(self._repeated.plan, self._repeated.result)[1]

    @property
    def tables(self) -> dict[str, pd.DataFrame]:
        """What the report shows of every model, by the title of its section."""
        page = self._repeated.record.workflow.page_of(self._repeated.plan, self._repeated.result)
        return {section.title: frame_of(table) for section in page.sections for table in section.tables}

    @property
    def files(self) -> dict[str, bytes]:
        """The models that can be files, and what else :meth:`write` puts beside the record, by name."""
        return dict(self._repeated.products)

    def __repr__(self) -> str:
        return f"{self.headline.removesuffix('.')}. {self.sentence}"


def fairer(
    table: object, *, methods: str | Mapping[str, Any] | Sequence[str | Mapping[str, Any]] = (), **choices: Any
) -> MadeModels[Any, Any]:
    """Train models that treat groups or similar people alike, beside one that is trained for accuracy alone.

    Args:
        table: As for :func:`core.audit`.
        methods: How fairness is bought: {methods}; or a dict with this ``kind`` and its settings. Fair dummies if
            empty.
        choices: What the columns are for, ``statement``, ``device``, ``progress`` and ``scheduler``, as for
            :func:`core.audit`; and further settings, of several parts as a dict.
            {settings}

    Raises:
        EvenhandError: Something is missing, wrong or refused: what, where, and what to do about it.

    Example:
        >>> from core import fairer, load_table
        >>> people = load_table("hiring").head(600)
        >>> f = fairer(
        ...     people, outcome="hired", favourable="yes", protected="gender", methods="reweighing", strengths=[1.0],
        ...     dummies=99, progress=False,
        ... )
        >>> sorted(f.files)
        ['plain.safetensors', 'reweighing-1.safetensors']
    """
    given = [methods] if isinstance(methods, str | Mapping) else methods
    own = {"methods": [{"kind": one} if isinstance(one, str) else one for one in given]} if given else {}
    return _made(MITIGATION, table, choices | own)


def choose(table: object, models: Sequence[object] = (), **choices: Any) -> MadeModels[Any, Any]:
    """Choose the most accurate model whose unfairness, by the transport test, stays within the tolerance.

    Args:
        table: As for :func:`core.audit`.
        models: The candidates, the simplest first: model files or objects as for :func:`core.audit`, and columns of
            the table with a model's answers. Without any, logistic regressions that are fitted here, from a strong to
            hardly any penalty.
        choices: What the columns are for, ``statement``, ``device``, ``progress`` and ``scheduler``, as for
            :func:`core.audit`; and further settings, of several parts as a dict: ``decision={{"delta": 0.05}}``.
            {settings}

    Raises:
        EvenhandError: Something is missing, wrong or refused: what, where, and what to do about it.

    Example:
        >>> from core import choose, load_table
        >>> from sklearn.linear_model import LogisticRegression
        >>> from sklearn.tree import DecisionTreeClassifier
        >>> taught, people = load_table("hiring")[:600], load_table("hiring")[600:1800]
        >>> columns = ["test score", "interview rating"]
        >>> models = [
        ...     DecisionTreeClassifier(max_depth=2).fit(taught[columns], taught["hired"]),
        ...     LogisticRegression(C=0.1).fit(taught[columns], taught["hired"]),
        ... ]
        >>> c = choose(
        ...     people, models, outcome="hired", favourable="yes", protected="gender",
        ...     audit={{"columns": [{{"name": "interview rating"}}]}}, progress=False,
        ... )
        >>> list(c.tables["The candidates"].index)
        ['DecisionTreeClassifier', 'LogisticRegression']
    """
    return _made(SELECTION, table, choices, models)


def _made(
    workflow: AbstractWorkflow[P, R], table: object, choices: Mapping[str, Any], models: Sequence[object] = ()
) -> MadeModels[P, R]:
    fields = workflow.plan.model_fields.keys() - {"data", "roles"}
    own, run = ({name: choices[name] for name in choices if name in kind} for kind in (fields, _OF_THE_RUN))
    of_table = {name: value for name, value in choices.items() if name not in own | run}
    if strange := of_table.keys() - (Choices.model_fields.keys() - _OF_AN_AUDIT):
        advice = f"Choose among {listed(sorted(fields))}, and what the columns of the table are for."
        raise SettingsError(f"There is no choice {min(strange)!r}.", where=min(strange), advice=advice)
    with in_python(), choosing(run.get("device")):
        files = owned_files()
        rows, named = with_columns(table, of_table)
        chosen = Choices.of(files_named(named, files))
        source = brought_table(rows, chosen, files)
        known = read(chosen, source, files)
        if models:
            roles, own["candidates"] = _candidates(models, chosen, known, files, table)
        else:
            roles = settled(chosen, known.people, known.guess, brought=True).model_copy(update={"predictions": ()})
        try:
            plan = workflow.plan.model_validate({"data": source, "roles": roles, **own})
        except ValidationError as error:
            first = error.errors()[0]
            name, wrong = str((first["loc"] or ("",))[0]), what_is_wrong(first)
            advice = help_of(workflow.plan.model_fields[name]) if name in fields else ""
            what = f"The choice {name} cannot be taken: {wrong}." if name else f"{wrong}."
            raise SettingsError(what, where=name, advice=advice) from error
        record = Record(workflow, plan, statement=stated_in(run.get("statement")))
        with computing_on(run.get("scheduler", "")), bar(shown=run.get("progress")) as on_progress:
            repeated = repeat(record, files.root, on_progress=on_progress)
    return MadeModels(repeated, files, tuple(told_of_roles(chosen, known.people, roles, known.guess)))


def _candidates(
    models: Sequence[object], chosen: Choices, known: Read, files: FileStore, table: object
) -> tuple[Roles, dict[str, Any]]:
    """What columns are for that all candidates share, and the candidates as audits of them read them."""
    if isinstance(models, Mapping):
        raise SettingsError("Candidates stand in an order.", where="models", advice="Give a list, the simplest first.")
    brought = [brought_or_column(one, known.frame, files, table) for one in models]
    named = [(f"model {place}", one) for place, one in enumerate(brought, start=1)]
    asked = chosen.model_copy(update={"tests": (SelectionPlan.model_fields["audit"].default,)})
    plans = [found.study.plans[0] for found in each_planned(asked, known, named, files)]
    shared = {
        "features": tuple(dict.fromkeys(name for one in plans for name in one.roles.features)),
        "predictions": tuple(one for one in brought if isinstance(one, str)),
    }
    return plans[0].roles.model_copy(update=shared), {"kind": "own_models", "models": [one.model for one in plans]}


for door, kind in ((fairer, MitigationPlan), (choose, SelectionPlan)):
    told = (f"{name}: {help_of(info)}" for name, info in kind.model_fields.items() if name not in _NOT_NAMED)
    door.__doc__ = str(door.__doc__).format(methods=", ".join(map(repr, METHODS)), settings="\n            ".join(told))
