"""Two entries beside each other: what each found, and whether they are about the same rows under the same settings."""

from dataclasses import dataclass

from pydantic import ValidationError

from core.base.errors import EvenhandError
from core.base.settings import Settings
from core.base.tables import NOT_GIVEN, Table
from core.language.phrases import listed
from core.language.told import say
from core.register.entry import Entry, Outcome, verdict_words
from core.report.settings_table import setting_sections
from core.study import Study


@dataclass(frozen=True)
class EntriesCompared:
    """What two entries have in common, and where they differ.

    Attributes:
        cautions: What has to be known before one number is held against the other, a sentence each.
        tests: For each test that either has, the numbers of both under its title.
        settings: Settings that differ; None where those of one cannot be read.
    """

    cautions: tuple[str, ...]
    tests: tuple[tuple[str, Table], ...]
    settings: Table | None


def compare(first: Entry, second: Entry) -> EntriesCompared:
    """Both entries, ``first`` before ``second``."""
    settings = _settings(first, second)
    return EntriesCompared(tuple(_cautions(first, second, settings)), tuple(_tests(first, second)), settings)


def _cautions(first: Entry, second: Entry, settings: Table | None) -> list[str]:
    told = []
    one, other = first.summary, second.summary
    if first.workflow != second.workflow:
        told.append(say("These are different kinds of work, so that their numbers cannot be held against each other."))
    if not (one.rows_fingerprint and other.rows_fingerprint):
        told.append(say("Of one of them the rows are not known, so that it cannot be said whether both used the same."))
    elif one.rows_fingerprint != other.rows_fingerprint:
        told.append(
            say(
                "They are about different rows, or about other roles of the columns: a difference between them "
                "may be one of the people in the tables, and not of the model."
            )
        )
    if one.fingerprint_of_model != other.fingerprint_of_model:
        told.append(say("The models, or their predictions, differ."))
    if settings is None:
        told.append(say("The settings of one cannot be read by this version, so that they are not compared."))
    elif settings.rows:
        told.append(say("The settings differ: {settings}.", settings=listed([row[0] for row in settings.rows[:8]])))
    return told


def _tests(first: Entry, second: Entry) -> list[tuple[str, Table]]:
    """Outcomes of the same title beside each other; row by row where the numbers have the same headings."""
    ours = {one.title: one for one in first.summary.outcomes}
    theirs = {one.title: one for one in second.summary.outcomes}
    found = []
    for title in dict.fromkeys((*ours, *theirs)):
        left, right = _rows(ours.get(title)), _rows(theirs.get(title))
        labels = dict.fromkeys((*left, *right))
        rows = tuple((label, left.get(label, NOT_GIVEN), right.get(label, NOT_GIVEN)) for label in labels)
        found.append((title, Table(title, ("", say("First"), say("Second")), rows)))
    return found


def _rows(outcome: Outcome | None) -> dict[str, str]:
    """Label and value of everything a test found; a value of several columns names them."""
    if outcome is None:
        return {say("Verdict"): say("not tested")}
    told = {
        say("Verdict"): verdict_words(outcome.verdict),
        say("In words"): outcome.headline,
        say("Tolerance"): outcome.caption,
    }
    rows = {label: value for label, value in told.items() if value}
    if len(outcome.header) == 2:
        rows[say("Measured as")] = outcome.header[1]
    for label, *values in outcome.rows:
        if label == "Verdict":
            continue
        named = zip(outcome.header[1:], values, strict=False)
        rows[label] = values[0] if len(values) == 1 else "; ".join(f"{name}: {value}" for name, value in named)
    return rows


def _settings(first: Entry, second: Entry) -> Table | None:
    """Settings that differ, by what people call them; a table and files are told apart by their fingerprints."""
    plans = [plan_of(first), plan_of(second)]
    if None in plans:
        return None
    left, right = (_told(plan) for plan in plans if plan is not None)
    labels = [label for label in dict.fromkeys((*left, *right)) if left.get(label) != right.get(label)]
    rows = tuple((label, left.get(label, NOT_GIVEN), right.get(label, NOT_GIVEN)) for label in labels)
    return Table(say("Settings that differ"), (say("Setting"), say("First"), say("Second")), rows)


def plan_of(entry: Entry) -> Settings | None:
    """The plan of an entry; None where another version wrote it."""
    from core.workflows.table import WORKFLOWS

    workflow = next((one for one in WORKFLOWS if one.key == entry.workflow), None)
    if workflow is None:
        return None
    try:
        plan: Settings = workflow.plan.model_validate(workflow.upgraded_plan(entry.plan))
    except (ValidationError, KeyError, TypeError, EvenhandError):
        return None
    return plan


def _told(plan: Settings) -> dict[str, str]:
    plans = dict(zip(plan.names, plan.plans, strict=True)) if isinstance(plan, Study) else {"": plan}
    found = {}
    for name, one in plans.items():
        for section in setting_sections(one):
            for row in section.rows:
                place = f"{row.label} ({section.title.lower()})"
                found[f"{name}: {place}" if len(plans) > 1 else place] = row.value
    return found
