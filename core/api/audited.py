"""An audit that has run: its verdict, claims, pictures, report and record."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, overload

import pandas as pd

from core.api import notebook
from core.api.choices import Choices
from core.api.tests_taken import decided
from core.base.errors import in_short
from core.base.files import FileStore
from core.base.tables import Table
from core.claims import Claim, to_frame
from core.contracts.model import AbstractModel
from core.data.dataset import Dataset
from core.finding import AbstractFinding
from core.group_answers import counted
from core.inference.estimate import Verdict
from core.language.options import in_python
from core.language.told import retold
from core.models.edited import Edited, edit
from core.records.audits import rows_told
from core.records.repeat import Repeat, keep_files, unwritable, write
from core.records.workflow import P, R
from core.report.multiple_tests import Together
from core.report.summary import answers_described
from core.result import AuditResult
from core.study import Study

if TYPE_CHECKING:
    import plotly.graph_objects as go


class Claims(Sequence[Claim]):
    """What is said: who, in what, by how much, within which tolerance; of a verdict or of its parts."""

    def __init__(self, claims: Sequence[tuple[str, Claim]]) -> None:
        self._claims = tuple(claims)

    def __len__(self) -> int:
        return len(self._claims)

    @overload
    def __getitem__(self, place: int) -> Claim: ...
    @overload
    def __getitem__(self, place: slice) -> Claims: ...
    def __getitem__(self, place: int | slice) -> Claim | Claims:
        return Claims(self._claims[place]) if isinstance(place, slice) else self._claims[place][1]

    def to_frame(self) -> pd.DataFrame:
        """One line a claim.

        - ``test``: the test that it is of.
        - ``who``: whom it is about ("Everybody" where nobody is singled out); ``against``: whom they are compared with,
          empty where nobody is; ``people`` and ``others``: how many these are, 0 where that is not told.
        - ``what``: the quantity; ``of``: the class that it is about, empty where it is about none; ``here`` and
          ``there``: the quantity among those and among the others, NaN where it is not known.
        - ``scale``: whether the claim is a difference, which grows with the harm and may be up to the tolerance, or a
          ratio, which shrinks with the harm and may be down to it.
        - ``estimate``: that difference or ratio, NaN where nothing can be said; ``error``: its standard error, NaN
          where none is told.
        - ``low`` and ``high``: one-sided bounds, each with the confidence of the audit; the lower one of a difference
          accuses and the upper one clears. ``interval_low`` and ``interval_high``: the two-sided interval, NaN where
          only the bounds are told.
        - ``p_value``: of "within the tolerance", adjusted for all claims of the test; ``tolerance``: what is tolerated.
        - ``said``: "beyond" the tolerance, "within" it, or "open" where the data show neither.
        - ``decides``: whether "no violation" takes this claim; others only accuse. ``judged``: whether anything may be
          shown of it; ``why``: the reason where not, or where there is no estimate.
        - ``one_sided``: whether it is known which direction is a harm; without, people are only treated differently.
          ``more``: whether a difference says how much larger the quantity is here than there, and not how much smaller.
        - ``factor`` and ``unit``: values times the factor are counted in the unit: 0.17 times 100 in percentage points.
        """
        frame = to_frame([claim for _, claim in self._claims])
        frame.insert(0, "test", [test for test, _ in self._claims])
        return frame

    def __repr__(self) -> str:
        return self.to_frame().to_string() if self else "No claims."

    def _repr_html_(self) -> str:
        return str(self.to_frame().to_html())


class Pictures(Mapping[str, "go.Figure"]):
    """The charts of a test as plotly figures, by name; each is drawn when it is asked for."""

    def __init__(self, finding: AbstractFinding[Any, Any]) -> None:
        self._finding = finding
        self._names = {_short(name, list(finding.charts)): name for name in finding.charts}

    def __getitem__(self, name: str) -> go.Figure:
        if (full := self._names.get(name, name)) not in self._finding.charts:
            raise KeyError(f"There is no picture {name!r}; there are {', '.join(self._names)}.")
        return self._finding.drawing(full).figure

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __repr__(self) -> str:
        return f"Pictures: {', '.join(self)}."


def _short(name: str, names: list[str]) -> str:
    """A chart's name without the words with which all of a test's begin."""
    words = [one.split() for one in names]
    shared = 0
    while all(len(one) > shared + 1 and one[shared] == words[0][shared] for one in words):
        shared += 1
    return " ".join(name.split()[shared:])


class Finding:
    """What one test found.

    Attributes:
        kind: The kind of test.
        title: What people call it.
        pictures: Plotly figures by name.
    """

    def __init__(self, finding: AbstractFinding[Any, Any], title: str) -> None:
        self._finding = finding
        self.title = title
        self.kind: str = finding.kind.name
        self.pictures = Pictures(finding)

    @property
    def verdict(self) -> Verdict:
        """Violation, no violation or insufficient evidence, by this test alone."""
        return self._finding.verdict

    @property
    def headline(self) -> str:
        """What people repeat: who, in which direction, two numbers and what is tolerated."""
        return self._finding.headline

    @property
    def sentence(self) -> str:
        """The verdict in one sentence."""
        return self._finding.sentence

    @property
    def p_value(self) -> float:
        """One-sided, of "within the tolerance"; NaN where it is undefined."""
        return self._finding.p_value

    @property
    def tolerance(self) -> str:
        """The tolerance as people read it."""
        return self._finding.tolerance

    @property
    def reasons(self) -> tuple[str, ...]:
        """What speaks against taking the verdict at its word."""
        return tuple(f"{one.what} {one.advice}".strip() for one in self._finding.reasons)

    @property
    def claims(self) -> Claims:
        """What the verdict is made of."""
        return Claims([(self.title, one) for one in self._finding.claims])

    @property
    def parts(self) -> dict[str, Claims]:
        """What is said besides of each group, statistic or attribute, by the name of the picture and table it is in."""
        found, names = self._finding.parts, list(self._finding.charts)
        return {
            _short(name, names) if name in names else name: Claims([(self.title, one) for one in claims])
            for name, claims in found.items()
        }

    @property
    def statistics(self) -> pd.DataFrame:
        """Estimate, interval, bounds and p-value, as a report shows them."""
        return frame_of(self._finding.statistics)

    @property
    def tables(self) -> dict[str, pd.DataFrame]:
        """Tables by the name of the picture they go with."""
        names = list(self._finding.charts)
        return {
            _short(name, names) if name in names else name: frame_of(one) for name, one in self._finding.tables.items()
        }

    @property
    def result(self) -> AuditResult:
        """Everything the test found, as arrays."""
        found: AuditResult = self._finding.result
        return found

    def __repr__(self) -> str:
        return self._finding.sentence

    def _repr_html_(self) -> str:
        found = self._finding
        return notebook.told(f"{self.title}: {found.headline}", found.explanation, [notebook.shown(found)])


def frame_of(table: Table) -> pd.DataFrame:
    """A table of texts as a data frame, its rows by their names."""
    frame = pd.DataFrame(list(table.rows), columns=list(table.header))
    return frame.set_index(frame.columns[0])


@dataclass(frozen=True, repr=False, eq=False)
class Kept(Generic[P, R]):
    """Work that has run, with the files it rests on."""

    _repeated: Repeat[P, R]
    _files: FileStore

    @property
    def record(self) -> str:
        """Every choice and every number as JSON.

        Written by :meth:`write` beside its files, ``python -m core run FOLDER/record.json --out OTHER`` repeats it on
        any machine, compares the numbers, and writes report and record anew. What was made of an object in memory is
        repeated by the same call; the record holds the fingerprint of its answers.
        """
        one = self._repeated
        return one.record.workflow.to_json(one.plan, one.result, one.record.statement)

    def report(self, path: str | Path) -> Path:
        """Write the report, one HTML file that needs no network.

        Raises:
            RecordError: The file cannot be written.
        """
        one, target = self._repeated, Path(path)
        page = one.record.workflow.page(one.plan, one.result, one.record.statement)
        try:
            target.write_text(page, encoding="utf-8")
        except OSError as error:
            raise unwritable(target, error) from error
        return target

    def write(self, folder: str | Path, *, slides: bool = False) -> Path:
        """Write record, report, results and the files they rest on; slides if asked for.

        ``python -m core run FOLDER/record.json --out OTHER`` repeats it, unless the model was an object in memory.

        Raises:
            RecordError: The folder cannot be written.
        """
        target = Path(folder)
        keep_files(self._repeated.plan, self._files, target)
        write(self._repeated, target, slides=slides)
        return target


@dataclass(frozen=True, repr=False, eq=False)
class Audit(Kept[Study, tuple[AuditResult, ...]], Mapping[str, Finding]):
    """Tests of one model on one table, judged together; ``audit["transport"]`` is what one of them found.

    Attributes:
        guesses: What was not given and guessed, a sentence each.
        left_out: Which tests were not run though nobody chose among them, by their titles, each with the reason.
    """

    guesses: tuple[str, ...]
    left_out: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def _together(self) -> Together:
        return Together.of(self._repeated.plan, self._repeated.result)

    @property
    def verdict(self) -> Verdict:
        """Violation, no violation or insufficient evidence, by all tests together."""
        return self._together.verdict

    @property
    def headline(self) -> str:
        """What people repeat: who, in which direction, two numbers and what is tolerated."""
        return self._together.headline

    @property
    def sentence(self) -> str:
        """The rest of the verdict, a plain sentence or two."""
        return self._together.sentence

    @property
    def claims(self) -> Claims:
        """What the verdict is made of, of all tests."""
        return Claims([(one.title, claim) for one in self.values() for claim in one.claims])

    @property
    def answers(self) -> pd.DataFrame:
        """How the model answers each group, whatever a test asks: counted of those audited, not tested.

        One line a group: how many people, the share that gets the favourable answer, and where outcomes are known the
        share that does not of those with the favourable outcome, and that does of all others. Empty where no answer is
        favourable.
        """
        columns = counted(self._together.findings[self._together.place].result)
        return pd.DataFrame(columns).set_index(next(iter(columns))) if columns else pd.DataFrame()

    @property
    def caveats(self) -> tuple[str, ...]:
        """What was noticed on the way, such as rows that were left out; a sentence or two each."""
        noticed = (f"{one.what} {one.advice}".rstrip() for result in self._repeated.result for one in result.caveats)
        return tuple(dict.fromkeys(noticed))

    @property
    def study(self) -> Study:
        """Everything that was chosen, as settings."""
        return self._repeated.plan

    def under(
        self, *, delta: float | Mapping[str, float] | None = None, alpha: float | None = None, **settings: Any
    ) -> Audit:
        """The same results under another tolerance, error rate or other decision settings; nothing is run again.

        What comes back is a trial, and its report and record say so: chosen is what was chosen before the run.

        Args:
            delta: The tolerance, by the kind of test where there are several.
            alpha: The error rate.
            settings: Further decision settings of the tests.

        Raises:
            SettingsError: A value is out of range, or a setting decides what is run.
        """
        with in_python():
            chosen = Choices.of({"delta": delta, "alpha": alpha, "settings": settings})
            plan = decided(self.study, chosen, runs=False)
        return replace(self, _repeated=replace(self._repeated, plan=plan))

    def edit(self, record: int, changes: Mapping[str, object] | None = None, *, test: str = "") -> Edited:
        """Ask the model about a person of the table, and about the same one with some values changed.

        Answers, fair distance and loss ratio follow at once; nothing is written down.

        >>> audit.edit(12, {"languages": 3}).ratio  # doctest: +SKIP

        Args:
            record: The person's number in the table (1-based).
            changes: New values by column, or the text of a model that reads texts.
            test: The test whose fair metric measures, one of those of the audit; if empty the first that has one.

        Raises:
            DataError: There is no such person or column, or a value is none that the column may hold.
            ModelError: The model answers only for the rows it came with.
            KeyError: There is no such test.
        """
        results = self._repeated.result
        if test:
            chosen = self._place(test)
        else:
            chosen = next((place for place, one in enumerate(results) if one.metric is not None), 0)
        model, dataset = self._asked
        plan, result = self.study.plans[chosen], results[chosen]
        floor = plan.audit.smallest_loss
        with in_python():
            return edit(
                model, plan.audit.rows(model, dataset), record, changes or {}, metric=result.metric, floor=floor
            )

    @cached_property
    def _asked(self) -> tuple[AbstractModel, Dataset]:
        """The model and the table, loaded to be asked again."""
        plan = self.study.plans[0]
        dataset = plan.model.dataset(plan.data.load(self._files), plan.roles).written_out()
        return plan.model.load(self._files, dataset), dataset

    def _place(self, test: str) -> int:
        """Which of the tests has this name.

        Raises:
            KeyError: None.
        """
        together = self._together
        for place, (name, finding) in enumerate(zip(together.names, together.findings, strict=True)):
            if test in (name, finding.kind.name):
                return place
        raise KeyError(f"There is no test {test!r}; there are {', '.join(self)}.")

    def __getitem__(self, test: str) -> Finding:
        together = self._together
        place = self._place(test)
        return Finding(together.findings[place], together.names[place])

    def __iter__(self) -> Iterator[str]:
        kinds = [one.audit.kind for one in self.study.plans]
        names = zip(kinds, self.study.names, strict=True)
        return iter([name if kinds.count(kind) > 1 else kind for kind, name in names])

    def __len__(self) -> int:
        return len(self.study.plans)

    def __repr__(self) -> str:
        told, sentence, noted = f"{self._together.told}.", self.sentence, self._together.noted()
        serious = (one for one in noted if one.level == "serious" and not one.is_in(f"{told} {sentence}"))
        shown = (replace(one, what=in_short([one]), advice="").line for one in serious)
        described = answers_described(self._together)
        return "\n".join((told, self._audited(), *shown, sentence, *described, *self._tests_run()))

    def _audited(self) -> str:
        """Which model or which column of answers, and on how many rows."""
        results = self._repeated.result
        rows, model = rows_told(self._together.names, results), results[0].model
        return f"Audited: {model.name} ({retold(model.kind)}); {rows}."

    def _tests_run(self) -> Iterator[str]:
        """Which tests were run, and a line a reason with those that it leaves out."""
        yield f"Tests run: {', '.join(self.study.names)}{'; left out:' if self.left_out else '.'}"
        for why in dict.fromkeys(self.left_out.values()):
            titles = [title for title, reason in self.left_out.items() if reason == why]
            yield f"  {', '.join(titles)} ({why.rstrip('.')})"

    def _repr_html_(self) -> str:
        findings = self._together.findings
        heads = [notebook.heading(f"{one.title}: {one.headline}") if len(findings) > 1 else "" for one in findings]
        parts = [head + notebook.shown(one) for head, one in zip(heads, findings, strict=True)]
        guessed = notebook.listed("What was guessed and noticed", (*self.guesses, *self.caveats))
        return notebook.told(self._together.told, self.sentence, [*parts, guessed])
