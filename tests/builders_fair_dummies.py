"""Fair-dummies audits of simulated people: numbers, four classes and two, with as much of a violation as asked for."""

from itertools import pairwise
from typing import Any, Literal

import numpy as np

from core.audits.fair_dummies import Attribute, AttributeTest, FairDummies, FairDummiesDetail
from core.audits.fair_dummies.detail import AttributeCalibration, Strata
from core.audits.fair_dummies.reading import FairDummiesReading
from core.audits.fair_dummies.settings import Asks
from core.coverage.conformal import Coverage
from core.dataset import Roles
from core.encoder import CategoricalColumn, Encoder, NumericColumn
from core.errors import Notice
from core.files import FileRef
from core.models.predictions import PredictionColumns
from core.plan import AuditPlan
from core.result import DataSummary, FairDummiesResult, ModelSummary
from core.sources.uploaded import UploadedTable
from core.subgroups.candidates import Column
from core.subgroups.scan import SubgroupScan, compare
from tests.builders import HOSTILE, HOSTILE_FILE

Case = Literal["numbers", "four classes", "two classes"]
CASES: tuple[Case, ...] = ("numbers", "four classes", "two classes")
CLASSES: dict[Case, tuple[str, ...]] = {
    "numbers": (),
    "four classes": ("deny", "waiting list", "priority", "admit"),
    "two classes": ("no", "yes"),
}
SEXES = ("Female", "Male")
RACES = ("Asian", "Black", "White")
_TENTHS = 10


def make_fair_dummies_result(
    case: Case = "numbers",
    *,
    violation: float = 1.0,
    asks: Asks = "equalized odds",
    rows: int = 1_500,
    attributes: int = 2,
    small: bool = False,
    continuous: bool = False,
    coverage: bool = True,
    hostile: bool = False,
    dummies: int = 199,
    draws: int = 200,
    seed: int = 0,
) -> FairDummiesResult:
    """A whole result.

    Args:
        case: What the answers are: numbers, or probabilities of four or two classes.
        violation: How much worse women's answers are, in standard deviations of the answers' noise; 0 for none.
        asks: The question.
        rows: People n.
        attributes: Protected attributes, sex, or sex and race; race makes no difference.
        small: Whether twelve people are all there are of the first race.
        continuous: Whether age, a number, is a protected attribute too; it makes no difference.
        coverage: Whether there are prediction sets.
        hostile: Columns, groups, classes and file names that are markup.
        dummies: Fair dummies K.
        draws: Bootstrap draws B of subgroups.
        seed: Seed of the numbers.
    """
    rng = np.random.default_rng(seed)
    classes = CLASSES[case]
    people = _attributes(rng, rows, attributes, small=small, continuous=continuous, hostile=hostile)
    women = people[0].codes == 0
    if classes:
        outcome = rng.choice(len(classes), rows, p=np.arange(2, len(classes) + 2) / sum(range(2, len(classes) + 2)))
        answers = _probabilities(rng, outcome, len(classes), violation * women)
        outcome = outcome.astype(np.float64)
    else:
        outcome = rng.gamma(3.0, 10.0, rows)
        answers = (outcome + rng.normal(0, 6.0, rows) - 6.0 * violation * women)[:, None]
    named = ("<i>deny</i>", "$M$", ":red[x]", "`admit`")[: len(classes)] if hostile else classes
    strata = _strata(asks, outcome, answers, named)
    score = _score(asks, outcome, answers)
    detail = FairDummiesDetail(
        asks=asks,
        classes=named,
        favourable=1 if len(classes) == 2 else -1,
        outcome=outcome,
        answers=answers,
        attributes=people,
        strata=strata,
        tests=tuple(_test(rng, one, score, strata, dummies) for one in people),
        subgroups=_scan(rng, people, _harm(outcome, answers), draws),
        coverage=tuple(_coverage(rng, one, outcome, answers) for one in people) if coverage else (),
        seed=seed,
    )
    return FairDummiesResult(
        audit=FairDummies(asks=asks, dummies=dummies, draws=draws),
        data=DataSummary(
            fingerprint="d" * 64,
            rows_read=rows + 3,
            rows_left_out=3,
            cells_imputed=(),
            rows_audited=rows,
            outcome="rate" if not classes else "admission" if len(classes) > 2 else "hired",
            favourable="yes" if len(classes) == 2 and not hostile else "",
            protected=tuple(one.name for one in people),
        ),
        model=ModelSummary(
            name=HOSTILE_FILE if hostile else "answer",
            kind="Predictions in the table",
            fingerprint="e" * 64,
            encoder=Encoder(
                columns=(
                    NumericColumn(name="income", mean=40.0, scale=10.0),
                    CategoricalColumn(name="region", categories=("East", "North", "West")),
                )
            ),
            classes=named,
            confusion=_confusion(outcome, answers, len(classes)),
            error=float("nan") if classes else float(np.sqrt(np.mean((answers[:, 0] - outcome) ** 2))),
            spread=float("nan") if classes else float(np.std(outcome)),
        ),
        metric=None,
        detail=detail,
        notices=(Notice("info", "Left out 3 of 1,503 rows for missing cells."),),
        seed=seed,
        seconds=1.2,
        versions=(("python", "3.11.9"), ("numpy", "2.4.6"), ("scikit-learn", "1.9.1")),
    )


def make_fair_dummies_plan(result: FairDummiesResult, **changes: Any) -> AuditPlan:
    """The plan that could have given ``result``; ``changes`` replace its fields."""
    data, classes = result.data, result.model.classes
    columns = tuple(f"answer {i}" for i in range(len(classes))) if len(classes) > 2 else ("answer",)
    plan = AuditPlan(
        data=UploadedTable(file=FileRef(name="people.csv", sha256="c" * 64, bytes=61_440)),
        roles=Roles(
            outcome=data.outcome,
            outcome_type="classes" if classes else "number",
            favourable=data.favourable or (classes[-1] if classes else ""),
            protected=data.protected,
            features=result.model.encoder.features,
            predictions=columns,
        ),
        model=PredictionColumns(columns=columns),
        audit=result.audit,
        seed=result.seed,
        reading=FairDummiesReading(),
    )
    return plan.model_copy(update=changes)


def _attributes(
    rng: np.random.Generator, rows: int, attributes: int, *, small: bool, continuous: bool, hostile: bool
) -> tuple[Attribute, ...]:
    names = HOSTILE[:3] if hostile else ("sex", "race", "age")
    sexes = ("<i>Female</i>", "$M$ale") if hostile else SEXES
    unknown = np.full(rows, np.nan)
    race = rng.integers(1, 3, rows) if small else rng.integers(3, size=rows)
    if small:
        race[:12] = 0
    found = [Attribute(names[0], sexes, rng.integers(2, size=rows), unknown), Attribute(names[1], RACES, race, unknown)]
    found = found[:attributes]
    if continuous:
        age = rng.normal(40.0, 10.0, rows)
        edges = np.quantile(age, (0.25, 0.5, 0.75))
        bands = (
            f"below {edges[0]:.0f}",
            f"{edges[0]:.0f} to {edges[1]:.0f}",
            f"{edges[1]:.0f} to {edges[2]:.0f}",
            f"above {edges[2]:.0f}",
        )
        found.append(Attribute(names[2], bands, np.searchsorted(edges, age, side="right").astype(np.int64), age))
    return tuple(found)


def _probabilities(rng: np.random.Generator, outcome: np.ndarray, k: int, harm: np.ndarray) -> np.ndarray:
    """Probabilities that lean to the outcome; ``harm`` takes from the last class what it gives the first one."""
    scores = 2.0 * np.eye(k)[outcome] + rng.normal(0, 1.0, (len(outcome), k))
    scores[:, -1] -= harm
    scores[:, 0] += harm
    exponents = np.exp(scores)
    return exponents / exponents.sum(axis=1, keepdims=True)


def _strata(asks: Asks, outcome: np.ndarray, answers: np.ndarray, classes: tuple[str, ...]) -> Strata:
    if asks == "demographic parity":
        return Strata(("everybody",), np.zeros(len(outcome), dtype=np.int64), exact=True)
    if asks == "equalized odds" and classes:
        return Strata(classes, outcome.astype(np.int64), exact=True)
    given = outcome if asks == "equalized odds" else answers[:, -1]
    edges = np.quantile(given, np.linspace(0, 1, _TENTHS + 1)[1:-1])
    ends = (given.min(), *edges, given.max())
    names = tuple(f"{low:.3g} to {high:.3g}" for low, high in pairwise(ends))
    return Strata(names, np.searchsorted(edges, given, side="right").astype(np.int64), exact=False)


def _score(asks: Asks, outcome: np.ndarray, answers: np.ndarray) -> np.ndarray:
    if answers.shape[1] == 1:
        return outcome if asks == "calibration" else answers[:, 0]
    if asks == "calibration":
        return (outcome == answers.shape[1] - 1).astype(np.float64)
    return answers[np.arange(len(outcome)), outcome.astype(int)] if asks == "equalized odds" else answers[:, -1]


def _test(rng: np.random.Generator, one: Attribute, score: np.ndarray, strata: Strata, dummies: int) -> AttributeTest:
    """The mean of each group and stratum on the first half stands for r-hat; dummies permute within strata."""
    half, g = len(score) // 2, len(one.groups)
    cell = strata.codes * g + one.codes
    sums = np.bincount(cell[:half], score[:half], minlength=len(strata.names) * g)
    rows = np.bincount(cell[:half], minlength=len(strata.names) * g)
    guessed = np.where(rows > 0, sums / np.maximum(rows, 1), score[:half].mean())
    tested, within = score[half:], strata.codes[half:]

    def loss(codes: np.ndarray) -> float:
        return float(np.mean((tested - guessed[within * g + codes]) ** 2))

    def permuted() -> np.ndarray:
        codes = one.codes[half:].copy()
        for stratum in range(len(strata.names)):
            there = np.flatnonzero(within == stratum)
            codes[there] = codes[there][rng.permutation(len(there))]
        return codes

    statistic = loss(one.codes[half:])
    null = np.array([loss(permuted()) for _ in range(dummies)])
    calibration = None
    if not strata.exact:
        share = np.linspace(0.1, 0.9, 5)
        belongs = rng.binomial(60, share) / 60
        calibration = AttributeCalibration(
            np.repeat(np.arange(g), 5), np.tile(share, g), np.tile(belongs, g), np.full(5 * g, 60), 0.4
        )
    return AttributeTest(
        attribute=one.name,
        statistic=statistic,
        null=null,
        learned=half,
        tested=len(tested),
        left_out=0,
        single_strata=0,
        tiny_strata=0,
        learner="mean of each group and stratum",
        learner_r2=1 - statistic / float(np.var(tested)),
        resampling="permutation" if strata.exact else "conditional permutation",
        calibration=calibration,
        other_null=np.array([]) if strata.exact else null[: dummies // 2] + rng.normal(0, null.std() / 5, dummies // 2),
    )


def _harm(outcome: np.ndarray, answers: np.ndarray) -> np.ndarray:
    if answers.shape[1] == 1:
        return np.abs(answers[:, 0] - outcome)
    return (answers.argmax(axis=1) != outcome).astype(np.float64)


def _scan(rng: np.random.Generator, people: tuple[Attribute, ...], harm: np.ndarray, draws: int) -> SubgroupScan:
    """Every group, and every pair of groups of two attributes, with 30 people at least."""
    columns = tuple(Column(one.name, one.groups, one.codes) for one in people)
    return compare(columns, harm, shares=set(np.unique(harm)) <= {0.0, 1.0}, depth=2, draws=draws, rng=rng)


def _coverage(rng: np.random.Generator, one: Attribute, outcome: np.ndarray, answers: np.ndarray) -> Coverage:
    order = rng.permutation(len(outcome))
    calibrating, held = order[: len(order) // 2], order[len(order) // 2 :]
    numbers = answers.shape[1] == 1
    scores = np.abs(answers - outcome[:, None]) if numbers else 1 - answers
    own = scores[:, 0] if numbers else scores[np.arange(len(outcome)), outcome.astype(int)]

    def threshold(values: np.ndarray) -> float:
        place = int(np.ceil(0.9 * (len(values) + 1)))
        return float(np.sort(values)[place - 1]) if place <= len(values) else float("inf")

    def sizes(limit: np.ndarray) -> np.ndarray:
        found: np.ndarray = 2 * limit if numbers else (scores[held] <= limit[:, None]).sum(axis=1).astype(np.float64)
        return found

    limits = np.array([threshold(own[calibrating][one.codes[calibrating] == g]) for g in range(len(one.groups))])
    common = threshold(own[calibrating])
    each, shared = limits[one.codes[held]], np.full(len(held), common)
    return Coverage(
        attribute=one.name,
        groups=one.groups,
        level=0.9,
        codes=one.codes[held],
        calibrated=np.bincount(one.codes[calibrating], minlength=len(one.groups)),
        thresholds=limits,
        covered=own[held] <= each,
        sizes=sizes(each),
        common_threshold=common,
        common_covered=own[held] <= shared,
        common_sizes=sizes(shared),
    )


def _confusion(outcome: np.ndarray, answers: np.ndarray, k: int) -> np.ndarray:
    if not k:
        return np.zeros((0, 0), dtype=np.int64)
    return np.bincount(outcome.astype(int) * k + answers.argmax(axis=1), minlength=k * k).reshape(k, k)
