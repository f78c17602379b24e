"""The report in words and tables, before any layout: aggregates only, never a row of the table."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from core.base.errors import Caveat, each_once
from core.base.files import FileRef, files_of
from core.base.settings import field_words, help_of, title_of
from core.base.tables import NOT_GIVEN, Fact, Table
from core.caveats.assumptions import whose_tolerance
from core.claims_told import tolerance_number
from core.data.labels import condition
from core.finding import AbstractFinding
from core.group_answers import answered
from core.inference.estimate import Verdict
from core.language import phrases as words
from core.language.told import localized, retold, say, say_as
from core.plan import AuditPlan
from core.report.glossary import Term, glossary
from core.report.multiple_tests import Together
from core.report.names import system_of
from core.report.pictures import Picture, pictured, worst
from core.report.settings_table import SettingSection, as_text, setting_sections
from core.report.skeleton import Skeleton, skeleton
from core.report.stated import StatedField, named, signable, stated_fields
from core.report.statement import Statement, missing, required
from core.report.summary import how_sure, what_to_do, who_is_affected
from core.result import AuditResult, DataSummary, ModelSummary
from core.study import Study

T = TypeVar("T")


@dataclass(frozen=True)
class Section:
    """What a report says about one test.

    Attributes:
        key: Its place in the page.
        finding: What the test found, as it is told among all tests of the audit.
        alpha: The error rate of all tests together.
        name: What people call it, numbered where two are of one kind.
        verdict: Its verdict among all tests of the audit.
        headline: What people repeat of it under that.
        whose: Who chose its tolerance, or that Evenhand proposes it.
        reason: Why its tolerance is acceptable; empty where that is not stated of this test alone.
        picture: What it found; None where nothing shows it, or the page of who is affected does.
        sure: How often an audit like this says so wrongly.
        heeded: What forbids a claim, without what the first page says.
        settings: Its settings; those it shares with the first test stand there only.
    """

    key: str
    finding: AbstractFinding[Any, Any]
    alpha: float
    name: str
    verdict: Verdict
    headline: str
    whose: str
    reason: str
    picture: Picture | None
    sure: str
    heeded: tuple[Caveat, ...]
    settings: tuple[SettingSection, ...]

    @property
    def found(self) -> str:
        """The number that decides, with its unit."""
        claim = self.finding.headlined
        if claim is None or not claim.defined or self.finding.unclaimed:
            return NOT_GIVEN
        if claim.scale == "ratio":
            return say("a ratio of {ratio}", ratio=words.number(claim.estimate, 2))
        return claim.unit.text(claim.estimate, beside=claim.tolerance)

    @property
    def tolerated(self) -> str:
        """What is tolerated of it, in the same unit."""
        claim = self.finding.headlined
        if claim is None or claim.scale == "difference" or self.finding.unclaimed:
            return self.finding.tolerance
        return say("at least {ratio}", ratio=tolerance_number(claim))

    @property
    def error_rate(self) -> str:
        """How often it may be wrong."""
        return words.percent(self.alpha)

    @property
    def noted(self) -> tuple[Caveat, ...]:
        """Everything that a reader has to know of it."""
        return _noted(self.finding)

    @property
    def tolerance(self) -> tuple[Fact, ...]:
        """Tolerance and error rate, and what they mean."""
        fields = type(self.finding.decision).model_fields
        alpha = as_text(self.alpha, field_words(fields["alpha"]).unit)
        return tuple(
            Fact(f"{title_of(info)} {field_words(info).symbol}".strip(), f"{value}. {help_of(info)}")
            for value, info in ((self.finding.tolerance, fields["delta"]), (alpha, fields["alpha"]))
        )

    @property
    def rows(self) -> str:
        """How many rows it rests on."""
        data, model = self.finding.result.data, self.finding.result.model
        if not data.outcome:
            return say("{rows} audited.", rows=data.rows)
        if not model.classes:
            return say(
                "{rows} audited; root mean squared error of the predictions {error}.",
                rows=data.rows,
                error=words.number(model.error),
            )
        return say(
            "{rows} audited; the model is right on {accuracy} of them.",
            rows=data.rows,
            accuracy=words.percent(round(model.accuracy, 3)),
        )

    @property
    def probes(self) -> Table | None:
        """How well the protected attributes can be told from the features; None unless a metric was learned."""
        metric = self.finding.result.metric
        if metric is None or not metric.probes:
            return None
        rows = tuple(
            (
                probe.attribute,
                localized(f"{probe.auc:.3f}"),
                say(
                    "{low} to {high}",
                    low=localized(f"{probe.auc_low:.3f}"),
                    high=localized(f"{probe.auc_high:.3f}"),
                ),
                words.whole(int(probe.held_out.sum())),
            )
            for probe in metric.probes
        )
        header = (say("Protected attribute"), say("Area under the curve"), say("95% interval"), say("Rows never seen"))
        return Table(say("How well the features give each protected attribute away (0.5 is guessing)"), header, rows)


@dataclass(frozen=True)
class Report:
    """Everything a report says, in the order in which it says it.

    Attributes:
        system: What people call what was audited.
        title: Names it.
        skeleton: Its headings.
        stated: What people state, by the field's name.
        decided: The fields of the decision that apply to it.
        open: What still has to be filled in before it may be signed, a sentence each.
        together: What all tests found.
        reason: Why the tolerances of all tests are acceptable; empty where each has a reason of its own.
        beyond: Reasons that are stated of tests which this audit has not.
        forbidding: What forbids the claim of the first page, or a claim of every test, besides what qualifies the
            headline and stands in its box.
        weakening: What else weakens the findings, each once, with its test's name where it is not of all.
        picture: Who is affected; None where nothing shows it.
        affected: Who is treated worse, and whom the audit is about.
        steps: What to do next.
        comparison: The tests beside each other; None for a single one.
        tested: What was tested and on whom.
        accuracy: How well the model does on the audited rows; empty without an outcome.
        left_out: Who was left out for missing values, a table for each protected attribute.
        answered: How each group is answered, in a table; empty where no answer is favourable.
        noted: What a reader has to know of all of several tests.
        assumed: What all of several tests assume and cannot say.
        tests: The tests.
        fingerprints: What identifies inputs and results.
        versions: Libraries, and how long the runs took.
        command: How to repeat the audit.
        files: Uploaded files that the command needs.
        terms: The glossary entries of the symbols used.
    """

    system: str
    title: str
    skeleton: Skeleton
    stated: dict[str, StatedField]
    decided: tuple[str, ...]
    open: tuple[str, ...]
    together: Together
    reason: str
    beyond: tuple[Fact, ...]
    forbidding: tuple[Caveat, ...]
    weakening: tuple[Caveat, ...]
    picture: Picture | None
    affected: tuple[str, ...]
    steps: tuple[str, ...]
    comparison: Table | None
    tested: tuple[Fact, ...]
    accuracy: tuple[Fact, ...]
    left_out: tuple[Table, ...]
    answered: tuple[Table, ...]
    noted: tuple[Caveat, ...]
    assumed: tuple[str, ...]
    tests: tuple[Section, ...]
    fingerprints: tuple[Fact, ...]
    versions: tuple[Fact, ...]
    command: str
    files: tuple[FileRef, ...]
    terms: tuple[Term, ...]


def build(
    study: Study,
    together: Together,
    statement: Statement | None = None,
    record: str = "record.json",
    *,
    signed: bool = False,
) -> Report:
    """The report of a study's findings.

    Args:
        study: What was run.
        together: What it found.
        statement: What people state about it; nothing if None.
        record: The name of the record's file.
        signed: Whether the audit was signed, so that nothing is left to be filled in.
    """
    stated = statement or Statement()
    results, files = tuple(finding.result for finding in together.findings), files_of(study)
    topics = {topic for finding in together.findings for topic in finding.kind.topics}
    settings = [
        setting_sections(plan, finding.tolerance) for plan, finding in zip(study.plans, together.findings, strict=True)
    ]
    of = signable(study, violation=together.verdict is Verdict.VIOLATION)
    lacking = {} if signed else missing(stated, of)
    heeded, qualifying = _forbidding(together), together.qualifying
    beside = {one.what for one in heeded}
    shown, by = _who_is_shown(together)
    return Report(
        system=(system := system_of(stated.system, study, results[0].model.name)),
        title=say("{notions} of {model}", notions=_notions(together), model=system),
        skeleton=skeleton(stated.standard),
        stated=stated_fields(stated, lacking),
        decided=_decided(stated, required(stated, of)),
        open=tuple(lacking.values()),
        together=together,
        reason=stated.tolerance_reason.strip(),
        beyond=tuple(
            Fact(named(key), reason) for key, reason in stated.tolerance_reasons.items() if key not in study.keys
        ),
        forbidding=tuple(one for one in heeded if qualifying is None or one.what != qualifying.what),
        weakening=tuple(one for one in together.noted(beside) if one.forbids == "nothing"),
        picture=shown,
        affected=who_is_affected(together),
        steps=what_to_do(together),
        comparison=comparison(together) if len(results) > 1 else None,
        tested=_tested(study.plans[0], together.names, results),
        accuracy=_right(results[0]),
        left_out=tuple(_left_out(together.names, results)),
        answered=tuple(filter(None, [answered(together.findings[0].result)])),
        noted=_of_all([_noted(finding) for finding in together.findings]),
        assumed=_of_all([finding.assumptions for finding in together.findings]),
        tests=tuple(
            Section(
                key=f"test-{place + 1}",
                finding=told,
                alpha=together.alphas[place],
                name=together.names[place],
                verdict=together.verdicts[place],
                headline=together.headline_of(place),
                whose=whose_tolerance(finding.decision, stated.chooses(study.keys[place]))
                if finding.decision.tolerates_like(study.ran.plans[place].decision)
                else say("tried after the run"),
                reason=stated.reason_of(study.keys[place]),
                picture=_picture(told, seen=place == by),
                sure=how_sure(together)[place],
                heeded=tuple(one for one in _heeded(finding) if one.forbids != "nothing" and one.what not in beside),
                settings=tuple(one for one in settings[place] if not place or one not in settings[0]),
            )
            for place, (finding, told) in enumerate(zip(together.findings, together.shown, strict=True))
        ),
        fingerprints=_fingerprints(study, results),
        versions=(
            *(Fact(name, version) for name, version in results[0].versions),
            Fact(
                say("Run time"),
                say("{seconds} seconds", seconds=words.number(sum(result.seconds for result in results))),
            ),
        ),
        command=_command(files, record),
        files=files,
        terms=tuple(term for term in glossary() if term.topic == "verdict" or (term.symbol and term.topic in topics)),
    )


def _decided(stated: Statement, asked: frozenset[str]) -> tuple[str, ...]:
    """The fields of the decision: why a system with a violation is used is said of no other."""
    told = {"despite": "despite" in asked, "conditions": "conditions" in asked or bool(stated.conditions.strip())}
    return ("decision", *(name for name, applies in told.items() if applies), "rationale")


def _notions(together: Together) -> str:
    """The kinds of fairness the tests are about: ``Individual fairness and group fairness``."""
    first, *others = dict.fromkeys(finding.kind.notion for finding in together.findings)
    return words.listed((first, *map(words.lower_first, others)))


def _noted(finding: AbstractFinding[Any, Any]) -> tuple[Caveat, ...]:
    return each_once((*finding.reasons, *finding.of_the_run))


def _of_all(each: Sequence[tuple[T, ...]]) -> tuple[T, ...]:
    """What is said of all of several tests."""
    first, *others = each
    return tuple(one for one in first if others and all(one in other for other in others))


def _heeded(finding: AbstractFinding[Any, Any]) -> tuple[Caveat, ...]:
    """What forbids a claim of a test, or may mislead."""
    return tuple(one for one in _noted(finding) if one.forbids != "nothing" or one.level == "serious")


def _forbidding(together: Together) -> tuple[Caveat, ...]:
    """What stands beside the verdict: what forbids a claim of the tests that decide, or of all, and what qualifies the
    headline.
    """
    each = [{one.what: one for one in _heeded(finding) if one.forbids != "nothing"} for finding in together.findings]
    shared = [one for what, one in each[0].items() if all(what in other for other in each)]
    deciding = [
        one
        for finding, own in zip(together.findings, each, strict=True)
        for one in own.values()
        if finding in together.deciding
    ]
    return each_once((*shared, *deciding, *_heeded(together.findings[together.place])))


def _who_is_shown(together: Together) -> tuple[Picture | None, int]:
    """The picture of who is affected, and the place of its test: of one that decides and names somebody first."""

    def rank(place: int) -> tuple[bool, bool, bool]:
        finding, picture = together.findings[place], pictures[place]
        tiles = picture is None or picture.spans is None
        return finding not in together.deciding, not finding.named, tiles

    pictures = {place: pictured(finding, "who") for place, finding in enumerate(together.shown)}
    shown = min((place for place, picture in pictures.items() if picture is not None), key=rank, default=-1)
    return pictures.get(shown), shown


def _picture(finding: AbstractFinding[Any, Any], *, seen: bool) -> Picture | None:
    """The picture of what a test found; None where its only one was ``seen`` as who is affected."""
    who = pictured(finding, "who")
    return pictured(finding, "sure") or (None if seen else worst(who) or who)


def comparison(together: Together) -> Table:
    """Verdict, p-value and adjusted p-value of each test."""
    rows = tuple(
        (name, verdict.words, words.p_value(one.p_value), words.p_value(p))
        for name, verdict, one, p in zip(
            together.names, together.verdicts, together.findings, together.adjusted, strict=True
        )
    )
    header = (say("Test"), say("Verdict"), say("p-value"), say("Adjusted p-value (Holm)"))
    return Table(say("The tests of this audit"), header, rows)


def _tested(plan: AuditPlan, names: tuple[str, ...], results: tuple[AuditResult, ...]) -> tuple[Fact, ...]:
    data, model = results[0].data, results[0].model

    def each(told: Callable[[DataSummary], str]) -> str:
        return words.by_name(names, [told(result.data) for result in results])

    audited = [", ".join(filter(None, (one.data.rows, one.taught))) for one in results]

    return (
        Fact(say("Model"), f"{model.name} ({retold(model.kind)})"),
        Fact(say("Data"), plan.data.title),
        Fact(say("Rows in the table"), data.read if data.rows_counted else words.whole(data.rows_read)),
        Fact(say("Left out for missing values"), each(lambda one: one.lost)),
        Fact(say("Missing values filled in"), each(lambda one: one.filled)),
        Fact(say("Audited"), words.by_name(names, audited)),
        Fact(say("Outcome"), _outcome(data, model)),
        Fact(say("Protected attributes"), ", ".join(data.protected) or say_as("no attributes", "none")),
        *_right(results[0]),
    )


def _left_out(names: tuple[str, ...], results: tuple[AuditResult, ...]) -> Iterator[Table]:
    """Who was left out, by protected attribute and outcome; of each test where not all left out the same people."""
    each = [
        tuple(one.table for one in data.left_out if one.outcome == data.outcome)
        for data in (result.data for result in results)
    ]
    if len(set(each)) == 1:
        yield from each[0]
        return
    for name, tables in zip(names, each, strict=True):
        yield from (replace(table, caption=f"{name}: {words.lower_first(table.caption)}") for table in tables)


def _right(result: AuditResult) -> tuple[Fact, ...]:
    data, model = result.data, result.model
    return _closeness(model) if not model.classes else _accuracy(model) if data.outcome else ()


def _outcome(data: DataSummary, model: ModelSummary) -> str:
    if not data.outcome:
        if not (data.decision and data.favourable):
            return say("none: whether answers are right was not asked")
        return say(
            "none: whether answers are right was not asked; {favourable} is favourable",
            favourable=condition(data.decision, data.favourable),
        )
    if not model.classes:
        return say("{outcome}, a number", outcome=data.outcome)
    return (
        say("{outcome}; {favourable} is the favourable value", outcome=data.outcome, favourable=data.favourable)
        if data.favourable
        else data.outcome
    )


def _accuracy(model: ModelSummary) -> tuple[Fact, ...]:
    return (
        Fact(
            say("Accuracy on the audited rows"),
            say(
                "{accuracy}; always answering the most frequent outcome reaches {majority_share}",
                accuracy=words.percent(round(model.accuracy, 3)),
                majority_share=words.percent(round(model.majority_share, 3)),
            ),
        ),
        Fact(say("Balanced accuracy"), words.percent(round(model.balanced_accuracy, 3))),
    )


def _closeness(model: ModelSummary) -> tuple[Fact, ...]:
    decimals = words.precision(*sorted((model.error, model.spread)))
    return (
        Fact(
            say("Root mean squared error on the audited rows"),
            say(
                "{error}; always answering the mean of the outcome reaches {spread}",
                error=words.number(model.error, decimals),
                spread=words.number(model.spread, decimals),
            ),
        ),
        Fact(say("Share of the outcome's variance explained (R²)"), words.number(model.fit.explained, 2)),
    )


def _fingerprints(study: Study, results: tuple[AuditResult, ...]) -> tuple[Fact, ...]:
    names = (
        [say("Everything that decides the result")]
        if len(results) == 1
        else [say("Everything that decides the result of test {place}", place=i + 1) for i in range(len(results))]
    )
    return (
        Fact(say("Rows and roles"), results[0].data.fingerprint),
        Fact(say("Model"), results[0].model.fingerprint),
        *(Fact(name, plan.result_fingerprint) for name, plan in zip(names, study.plans, strict=True)),
        *(Fact(say("File {name}", name=ref.name), ref.sha256) for ref in files_of(study)),
        Fact(say("Seed"), ", ".join(dict.fromkeys(str(result.seed) for result in results))),
    )


def _command(files: tuple[FileRef, ...], record: str) -> str:
    given = " ".join(f"--file FILE_{number}" for number in range(1, len(files) + 1))  # verbatim
    return f"python -m core run {record} --out repeated {given}".strip()  # verbatim
