"""Every kind of test where the truth lies exactly at its tolerance, and at half and at twice of it: one table.

A design makes a table and a model whose true value is known: by arithmetic, or for the gradient flow by following the
flow in plain numpy at 262,144 Sobol points. It is audited through the front door (``run_audit`` and ``find``). Of one
audit the verdict is read at three tolerances: at the truth, where a violation is false and so is clearing, since the
tolerance may lie a hair to either side; at half of it, where a violation is to be found; and at twice, where
"no violation" is. What the truth is measured from is no effect: 0, or 1 of a ratio.

Of a hundred rates that are all 0.05 two or three exceed 0.05 + 2 Monte-Carlo errors. So each cell of the table is held
to the binomial tail at 0.05 over the number of judged cells (Bonferroni), and so are the sums over sizes and over
shapes. What is sharp is the sum over everything of a kind: where no rate may exceed 0.05, neither may their mean, which
is held to 0.05 + 2 Monte-Carlo errors.
"""

from collections.abc import Callable
from functools import cache
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pytest
import torch
from scipy.stats import binom, lognorm, norm, qmc

from core.audits import KINDS
from core.audits.column_sensitivity.settings import ColumnSensitivity
from core.audits.equalized_odds.settings import EqualizedOdds
from core.audits.gradient_flow.settings import GradientFlow
from core.audits.group_fairness.settings import GroupFairness
from core.audits.text_sensitivity.settings import TextSensitivity
from core.audits.transport.settings import CellColumn, Transport
from core.data.dataset import Dataset, EncodedDataset
from core.data.encoder import CategoricalColumn, Encoder, NumericColumn
from core.data.roles import Roles
from core.files import FileStore
from core.inference.estimate import Verdict
from core.metrics.expert import Expert
from core.model import AbstractModel
from core.models.module import ModuleModel
from core.models.predictions import PredictionColumns
from core.models.text import TextModel
from core.protected_status.settings import NoStatus
from core.result import AuditResult
from core.run import find, run_audit
from core.text.network import AbstractTextNetwork
from core.text.tokens import Tokens
from core.text.word_lists import WordList, WordSet

ALPHA = 0.05
Random = np.random.Generator


class Audited(NamedTuple):
    """An audit whose truth is known.

    Attributes:
        result: What was found.
        truth: The true value.
        none: The value of no effect.
        unit: What a tolerance of 1 is in the truth's units.
        read: Other decision settings.
    """

    result: AuditResult[Any, Any, Any]
    truth: float
    none: float = 0.0
    unit: float = 1.0
    read: dict[str, Any] = {}  # noqa: RUF012

    def verdict(self, effect: float, alpha: float) -> Verdict:
        """At a tolerance of so many times the true effect."""
        delta = (self.none + effect * (self.truth - self.none)) / self.unit
        decision = KINDS[self.result.audit.kind].decision(delta=delta, alpha=alpha, **self.read)
        return find(self.result, decision).verdict


class Shape(NamedTuple):
    """Who is in the table: equally large groups, the first of which may have 3% of the people instead."""

    groups: int = 2
    small: bool = False
    heavy: bool = False

    @property
    def shares(self) -> np.ndarray:
        first = 0.03 if self.small else 1 / self.groups
        return np.append(first, np.full(self.groups - 1, (1 - first) / (self.groups - 1)))

    @property
    def ahead(self) -> np.ndarray:
        """Which groups are treated worse, shape (groups,): every second one, a small one alone."""
        return np.arange(self.groups) % (self.groups if self.small else 2) == 0

    @property
    def elsewhere(self) -> float:
        """Chance that a person and another group, drawn at random, are treated differently."""
        others = (self.groups - self.ahead.sum(), self.ahead.sum())
        return float(self.shares @ np.where(self.ahead, *others)) / (self.groups - 1)

    def draw(self, rng: Random, n: int) -> tuple[np.ndarray, np.ndarray]:
        """Group of each person, and whether it is one that is treated worse."""
        codes = rng.choice(self.groups, n, p=self.shares)
        return codes, self.ahead[codes]


SHAPES = {
    "two groups": Shape(),
    "three groups": Shape(3),
    "six groups": Shape(6),
    "a group of 3%": Shape(3, small=True),
    "heavy tails": Shape(heavy=True),
    "heavy, 3%": Shape(3, small=True, heavy=True),
}


def named(codes: np.ndarray) -> np.ndarray:
    return np.array(list("abcdef"))[codes]


def audited(frame: pd.DataFrame, audit: Any, model: Any, rng: Random, **roles: Any) -> AuditResult[Any, Any, Any]:
    """Audit a model, or what a column of the table says it answered."""
    dataset = Dataset.build(frame, Roles(**{"protected": ("race",), **roles}))
    loaded = model.load(FileStore(), dataset) if isinstance(model, PredictionColumns) else model(dataset)
    return run_audit(loaded, dataset, audit, seed=int(rng.integers(2**31)))


SAYS = PredictionColumns(columns=("says",))
BINARY = {"outcome": "good", "favourable": "yes", "predictions": ("says",)}


def labels(rng: Random, n: int, shape: Shape) -> Audited:
    """Three outcomes; of those that are "b" 10 points more of the groups ahead are called "c" instead of "b"."""
    codes, ahead = shape.draw(rng, n)
    outcome, where = rng.choice(3, n, p=[0.5, 0.3, 0.2]), rng.random(n)
    next_one = 0.2 + 0.1 * ahead * (outcome == 1)
    answer = (outcome + np.where(where < next_one, 1, np.where(where < next_one + 0.2, 2, 0))) % 3
    frame = pd.DataFrame({"race": named(codes), "good": named(outcome), "says": named(answer)})
    roles = {"outcome": "good", "favourable": "a", "predictions": ("says",)}
    return Audited(audited(frame, EqualizedOdds(dummies=99), SAYS, rng, **roles), 0.1)


def scores(rng: Random, n: int, shape: Shape) -> Audited:
    """Scores whose shares above .9 differ by 10 points; with heavy tails lognormal odds, 10 points apart at most."""
    codes, ahead = shape.draw(rng, n)
    outcome = rng.random(n) < 0.3
    if shape.heavy:
        odds = np.exp(2 * rng.standard_normal(n) + outcome + 4 * norm.ppf(0.55) * ahead)
        score = odds / (1 + odds)
    else:
        score = np.where(rng.random(n) < 0.05 + 0.1 * ahead, 0.9 + 0.1 * rng.random(n), 0.9 * rng.random(n))
    frame = pd.DataFrame({"race": named(codes), "good": np.where(outcome, "yes", "no"), "says": score})
    model = PredictionColumns(columns=("says",), holds="probability")
    return Audited(audited(frame, EqualizedOdds(dummies=99), model, rng, **BINARY), 0.1)


def numbers(rng: Random, n: int, shape: Shape) -> Audited:
    """Predicted salaries .3 too low for the groups ahead, whose salaries lie higher; residuals skewed where heavy."""
    codes, ahead = shape.draw(rng, n)
    salary = rng.standard_normal(n) + 0.5 * ahead
    noise = (rng.lognormal(0, 1, n) - np.exp(0.5)) / 2 if shape.heavy else 0.5 * rng.standard_normal(n)
    frame = pd.DataFrame({"race": named(codes), "good": salary, "says": np.tanh(salary) - 0.3 * ahead + noise})
    model, roles = PredictionColumns(columns=("says",), holds="number"), {"outcome": "good", "outcome_type": "number"}
    found = audited(frame, EqualizedOdds(dummies=99, splits=1), model, rng, predictions=("says",), **roles)
    return Audited(found, 0.3, unit=found.detail.spread)


def parity(rng: Random, n: int, shape: Shape) -> Audited:
    """Decisions by licence, which goes with the group; of the second of three licences 10 points fewer are let in."""
    codes, ahead = shape.draw(rng, n)
    licence = np.minimum(rng.integers(3, size=n) + (ahead * (rng.random(n) < 0.4)).astype(int), 2)
    chance = np.array([0.1, 0.45, 0.9])[licence] - 0.1 * ahead * (licence == 1)
    says = np.where(rng.random(n) < chance, "yes", "no")
    frame = pd.DataFrame({"race": named(codes), "licence": named(licence), "says": says})
    audit = EqualizedOdds(asks="demographic parity", given=("licence",), dummies=99)
    roles = {"favourable": "yes", "features": ("licence",), "predictions": ("says",)}
    return Audited(audited(frame, audit, SAYS, rng, **roles), 0.1)


def subgroups(rng: Random, n: int, shape: Shape) -> Audited:
    """One decision in ten is wrong, and more of the groups ahead: the worst is 10 points above everybody else."""
    codes, ahead = shape.draw(rng, n)
    others = (shape.shares @ shape.ahead - shape.shares[0]) / (1 - shape.shares[0])
    good = rng.random(n) < 0.4
    wrong = rng.random(n) < 0.1 + 0.1 / (1 - others) * ahead
    frame = pd.DataFrame({"race": named(codes), "sex": named(rng.integers(2, size=n))})
    frame["good"], frame["says"] = np.where(good, "yes", "no"), np.where(good != wrong, "yes", "no")
    return Audited(audited(frame, GroupFairness(draws=400), SAYS, rng, **BINARY | {"protected": ("race", "sex")}), 0.1)


def errors(rng: Random, n: int, shape: Shape) -> Audited:
    """Numbers missed by exponential errors, or lognormal ones, which are half as large again in the groups ahead."""
    codes, ahead = shape.draw(rng, n)
    missed = rng.lognormal(-0.5, 1, n) if shape.heavy else rng.exponential(size=n)
    true = rng.standard_normal(n)
    says = true + missed * (1 + 0.5 * ahead) * rng.choice([-1, 1], n)
    frame = pd.DataFrame({"race": named(codes), "sex": named(rng.integers(2, size=n)), "good": true, "says": says})
    model, roles = PredictionColumns(columns=("says",), holds="number"), {"outcome": "good", "outcome_type": "number"}
    found = audited(
        frame, GroupFairness(draws=400), model, rng, predictions=("says",), **roles | {"protected": ("race", "sex")}
    )
    share, first = shape.shares @ shape.ahead, shape.shares[0]
    return Audited(found, 0.5 * (1 - (share - first) / (1 - first)) / (1 + 0.5 * share))


JOBS = np.array([0.4, 0.3, 0.2, 0.1])


def decided(rng: Random, n: int, shape: Shape) -> Audited:
    """One answer for each kind of person: in the third job those of the first group who are good are turned down."""
    codes, _ = shape.draw(rng, n)
    job, good = rng.choice(4, n, p=JOBS), rng.random(n) < 0.6
    yes = (job < 2) | ((job == 2) & (codes > 0))
    frame = pd.DataFrame({"race": named(codes), "job": named(job), "good": good, "says": yes}).astype(str)
    frame = frame.replace({"True": "yes", "False": "no"})
    audit, roles = Transport(columns=(CellColumn(name="job"),), draws=600), {**BINARY, "features": ("job",)}
    # Whoever is good in that job may be judged like the first group; whoever is not in it, of that group, like others.
    worse = 0.6 * (1 - shape.shares[0]) + 0.4 * shape.shares[0]
    return Audited(audited(frame, audit, SAYS, rng, **roles), float(JOBS[2] * worse))


MOST = 12.0


def chances(rng: Random, n: int, shape: Shape) -> Audited:
    """Decisions that are wrong by chance, more often in the groups ahead; with heavy tails a lognormal log loss."""
    codes, ahead = shape.draw(rng, n)
    job, good = rng.choice(4, n, p=JOBS), rng.random(n) < 0.5
    audit, roles = Transport(columns=(CellColumn(name="job"),), draws=600), {**BINARY, "features": ("job",)}
    frame = pd.DataFrame({"race": named(codes), "job": named(job), "good": np.where(good, "yes", "no")})
    rate, moved = np.array([0.1, 0.3, 0.2, 0.15]), 1 - shape.shares @ shape.ahead
    if not shape.heavy:
        wrong = rng.random(n) < rate[job] + 0.15 * ahead
        frame["says"] = np.where(good != wrong, "yes", "no")
        return Audited(audited(frame, audit, SAYS, rng, **roles), float(0.15 * moved))
    right = np.exp(-np.minimum(rate[job] * (1 + 2 * ahead) * rng.lognormal(0, 1.2, n), MOST))
    frame["says"] = np.where(good, right, 1 - right)
    model = PredictionColumns(columns=("says",), holds="probability")
    rise = JOBS @ (capped(3 * rate, 1.2, MOST) - capped(rate, 1.2, MOST))
    found = audited(frame, audit, model, rng, **roles)
    return Audited(found, float(rise * moved), read={"loss": "log"})


def capped(scale: np.ndarray, deviation: float, most: float) -> np.ndarray:
    """Mean of a lognormal number of median ``scale``, where larger ones count as ``most``."""
    place = np.log(most / scale) / deviation
    inside = scale * np.exp(deviation**2 / 2) * norm.cdf(place - deviation)
    return np.asarray(inside + most * norm.sf(place))


class Jump(AbstractModel):
    """A probability of .02, and more in the groups ahead by the number in a column."""

    name, kind, fingerprint, no_gradients = "jump", "formula", "0" * 64, "A jump has no slope."

    def __init__(self, dataset: Dataset, shape: Shape) -> None:
        groups = CategoricalColumn(name="race", categories=tuple(sorted(dataset.frame["race"].unique())))
        self.encoder, self.classes = Encoder(columns=(NumericColumn(name="by"), groups)), dataset.labels
        self._ahead = np.array([shape.ahead["abcdef".index(one)] for one in groups.categories])

    def answers(self, data: EncodedDataset) -> np.ndarray:
        chance = 0.02 + data.x[:, 0] * (data.x[:, 1:] @ self._ahead)
        return np.column_stack([1 - chance, chance])


def columns(rng: Random, n: int, shape: Shape) -> Audited:
    """Answers jump by a uniform number, or a lognormal one cut at .45, so that no decision changes."""
    codes, _ = shape.draw(rng, n)
    jump = np.minimum(0.03 * rng.lognormal(0, 1.5, n), 0.45) if shape.heavy else 0.2 * rng.random(n)
    mean = float(capped(np.array(0.03), 1.5, 0.45)) if shape.heavy else 0.1
    frame = pd.DataFrame({"race": named(codes), "by": jump, "good": np.where(rng.random(n) < 0.1, "yes", "no")})
    roles = {"outcome": "good", "favourable": "yes", "features": ("by", "race")}
    found = audited(frame, ColumnSensitivity(), lambda dataset: Jump(dataset, shape), rng, **roles)
    return Audited(found, mean * shape.elsewhere)


NAMES = ("Anna", "Bella", "Clara", "Dora", "Emma", "Flora")
WORDS = 4_000


class Bag(AbstractTextNetwork):
    """Adds up a number a word, and another one if a name of a group that is ahead stands there."""

    vocabulary, width, pooled_width, classes = "bag", 2, 2, ()

    def __init__(self, shape: Shape, jumps: np.ndarray) -> None:
        table = np.zeros((len(NAMES) + WORDS, 2))
        table[: shape.groups, 0] = shape.ahead
        table[len(NAMES) :, 1] = np.log((0.02 + jumps) / (0.98 - jumps)) - np.log(0.02 / 0.98)
        self._table = torch.from_numpy(table).float()
        self._head = torch.nn.Linear(2, 2).requires_grad_(False)
        self._head.weight.data = torch.tensor([[0.0, 0.0], [0.0, 1.0]])
        self._head.bias.data = torch.tensor([0.0, float(np.log(0.02 / 0.98))])

    def read(self, texts: Any) -> tuple[Tokens, ...]:
        return tuple(map(self._read, texts))

    def _read(self, text: str) -> Tokens:
        words = text.split()
        ids = [NAMES.index(one) if one in NAMES else len(NAMES) + int(one[1:]) for one in words]
        ends = np.cumsum([len(one) + 1 for one in words]) - 1
        starts = ends - [len(one) for one in words]
        return Tokens(np.array(ids), starts, ends, np.zeros(len(ids), dtype=bool), len(text))

    def word_embeddings(self, ids: torch.Tensor) -> torch.Tensor:
        return self._table[ids]

    def pooled(self, embeddings: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """The first number of the name times the second number of the word that follows."""
        name, word = embeddings[:, 0, 0], embeddings[:, 1, 1]
        return torch.stack([0 * (embeddings * mask[:, :, None]).sum(dim=(1, 2)), name * word], dim=1)

    def head(self) -> torch.nn.Module:
        return self._head


@cache
def jumps_of_words(heavy: bool) -> np.ndarray:
    """A jump for each word: quantiles of a uniform distribution, or of a lognormal one cut at .45."""
    levels = (np.arange(WORDS) + 0.5) / WORDS
    return np.minimum(0.03 * lognorm.ppf(levels, 1.5), 0.45) if heavy else 0.2 * levels


def texts(rng: Random, n: int, shape: Shape) -> Audited:
    """A name, a word by which the answer jumps with the name, and four more words that keep texts apart."""
    codes, _ = shape.draw(rng, n)
    jumps, words = jumps_of_words(shape.heavy), rng.integers(WORDS, size=(n, 5))
    written = [" ".join([NAMES[g], *(f"w{word}" for word in row)]) for g, row in zip(codes, words, strict=True)]
    frame = pd.DataFrame({"text": written, "race": named(codes), "good": np.where(rng.random(n) < 0.1, "yes", "no")})
    sides = tuple("abcdef"[: shape.groups])
    listed = WordList(name="names", sets=(WordSet(about="race", sides=sides, rows=(NAMES[: shape.groups],)),))
    audit = TextSensitivity(status=NoStatus(), words=listed, texts_shown=0)

    def model(dataset: Dataset) -> TextModel:
        return TextModel(Bag(shape, jumps), "text", dataset.labels, "bag", kind="bag", fingerprint="0" * 64)

    roles = {"outcome": "good", "favourable": "yes", "text": "text"}
    return Audited(audited(frame, audit, model, rng, **roles), float(jumps.mean()) * shape.elsewhere)


class Product(torch.nn.Module):
    """One logit: a number that is held, and one that may move times a third, which is held."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return (x[:, 0] + x[:, 1] * x[:, 2])[:, None]


HELD, STEPS, STEP = 20.0, 40, 0.02


@cache
def true_ratios(heavy: bool, share: float) -> tuple[float, float]:
    """Mean ratio of losses and ratio of error rates, by the flow written out (Euler), outcomes integrated exactly."""
    points = norm.ppf(qmc.Sobol(3, seed=1).random_base2(16))
    ratio, wrong = 0.0, np.zeros(2)
    for ahead, weight in ((False, 1 - share), (True, share)):
        start = located(points, np.full(len(points), ahead), heavy)
        for sign in (-1, 1):
            x = start.copy()
            for _ in range(STEPS):
                pull = -sign / (1 + np.exp(sign * (x[:, 0] + x[:, 1] * x[:, 2])))
                back = 2 * HELD * (x - start) * [1, 0, 1]
                x = x + STEP * (pull[:, None] * np.column_stack([np.ones(len(x)), x[:, 2], x[:, 1]]) - back)
            before, after = (sign * (one[:, 0] + one[:, 1] * one[:, 2]) for one in (start, x))
            chance = weight / (1 + np.exp(-before)) / len(points)
            ratio += chance @ (np.logaddexp(0, -after) / np.logaddexp(0, -before))
            wrong += chance @ (before < 0), chance @ (after < 0)
    return float(ratio), float(wrong[1] / wrong[0])


def located(drawn: np.ndarray, ahead: np.ndarray, heavy: bool) -> np.ndarray:
    """Standard normal numbers as the three columns; the groups ahead react more, and with heavy tails some do far."""
    react = np.exp((0.6 if heavy else 0.2) * drawn[:, 2] + 0.4 * ahead)
    return np.column_stack([drawn[:, 0] + 0.3 * ahead, drawn[:, 1], react])


def flow(rng: Random, n: int, shape: Shape, statistic: str = "loss ratio") -> Audited:
    """Outcomes drawn from the model itself, which leans on the column that may move, more in the groups ahead."""
    codes, ahead = shape.draw(rng, n)
    x = located(rng.standard_normal((n, 3)), ahead, shape.heavy)
    good = rng.random(n) < 1 / (1 + np.exp(-x[:, 0] - x[:, 1] * x[:, 2]))
    frame = pd.DataFrame(x, columns=["held", "free", "slope"]).assign(race=named(codes))
    frame["good"] = np.where(good, "yes", "no")
    encoder = Encoder(columns=tuple(NumericColumn(name=name) for name in ("held", "free", "slope")))
    audit = GradientFlow(
        metric=Expert(free=("free",)), regularisation=HELD, steps=STEPS, step_size=STEP, precision="float64"
    )
    model, roles = ModuleModel(Product(), encoder, ("no", "yes"), "product"), {"outcome": "good", "favourable": "yes"}
    found = audited(frame, audit, lambda _: model, rng, features=("held", "free", "slope"), **roles)
    truths = true_ratios(shape.heavy, float(shape.shares @ shape.ahead))
    return Audited(found, truths[statistic != "loss ratio"], none=1.0, read={"statistic": statistic})


def flow_of_errors(rng: Random, n: int, shape: Shape) -> Audited:
    return flow(rng, n, shape, "error-rate ratio")


Design = Callable[[Random, int, Shape], Audited]
DESIGNS: dict[str, Design] = {
    "gradient flow, losses": flow,
    "gradient flow, error rates": flow_of_errors,
    "transport, one answer a kind": decided,
    "transport, answers by chance": chances,
    "text sensitivity": texts,
    "column sensitivity": columns,
    "equalized odds, labels": labels,
    "equalized odds, scores": scores,
    "equalized odds, numbers": numbers,
    "conditional parity": parity,
    "subgroups, wrong decisions": subgroups,
    "subgroups, errors of numbers": errors,
}
REPEATS = {200: 120, 1_000: 120, 4_000: 60, 16_000: 30}
MARGINS = 2 * len(DESIGNS) * (len(SHAPES) + len(REPEATS))
CELLS = 2 * len(DESIGNS) * len(SHAPES) * len(REPEATS)


class Rates(NamedTuple):
    """What was said of so many tables.

    Attributes:
        tables: How many.
        violations: Of them called a violation where the truth lies at the tolerance.
        clearings: Called no violation there.
        found: Called a violation at half of the truth.
        cleared: Called no violation at twice the truth.
    """

    tables: int = 0
    violations: int = 0
    clearings: int = 0
    found: int = 0
    cleared: int = 0

    def with_another(self, one: Audited, alpha: float = ALPHA) -> "Rates":
        at, below, above = (one.verdict(effect, alpha) for effect in (1.0, 0.5, 2.0))
        yes, no = Verdict.VIOLATION, Verdict.NO_VIOLATION
        return self + Rates(1, at is yes, at is no, below is yes, above is no)

    def __add__(self, other: "Rates") -> "Rates":  # type: ignore[override]
        return Rates(*map(sum, zip(self, other, strict=True)))

    def __str__(self) -> str:
        return " | ".join((str(self.tables), *(f"{one / self.tables:.3f}" for one in self[1:])))

    @property
    def wrong(self) -> int:
        return max(self.violations, self.clearings)

    def too_often(self, judged: int) -> bool:
        """Whether so many errors of a kind are no chance at an error rate of 0.05, among so many judged rates."""
        return bool(binom.sf(self.wrong - 1, self.tables, ALPHA) < 0.05 / judged)


def simulated(kind: str, shape: str, n: int, tables: int, *, seed: int = 0, alpha: float = ALPHA) -> Rates:
    rng, found = np.random.default_rng([seed, n, *f"{kind}, {shape}".encode()]), Rates()
    for _ in range(tables):
        found = found.with_another(DESIGNS[kind](rng, n, SHAPES[shape]), alpha)
    return found


@pytest.mark.parametrize("kind", DESIGNS)
def test_a_table_of_each_shape_with_the_truth_at_the_tolerance_is_seldom_judged(kind: str) -> None:
    found = sum((simulated(kind, shape, 200, 1) for shape in SHAPES), Rates())
    assert not found.too_often(2 * len(DESIGNS)), found


def test_bounds_that_miss_too_often_are_noticed() -> None:
    """The same verdicts at an error rate of 40%, held to 5%."""
    assert simulated("column sensitivity", "two groups", 200, 25, alpha=0.4).too_often(CELLS)


@pytest.mark.long
@pytest.mark.parametrize("kind", DESIGNS)
def test_at_the_tolerance_no_claim_is_made_more_often_than_the_error_rate_says(kind: str) -> None:
    cells = {}
    for n, shape in product(REPEATS, SHAPES):
        tables = REPEATS[n] // (3 if kind == "text sensitivity" and n == max(REPEATS) else 1)
        cells[n, shape] = simulated(kind, shape, n, tables)
        print(f"{kind} | {shape} | {n:,} | {cells[n, shape]}", flush=True)
    margins = {
        one: sum((found for place, found in cells.items() if one in place), Rates()) for one in (*REPEATS, *SHAPES)
    }
    everything = sum(cells.values(), Rates())
    print(f"{kind} | all | all | {everything}", flush=True)
    judged = [(CELLS, cells), (MARGINS, margins)]
    assert not [(place, found) for many, rates in judged for place, found in rates.items() if found.too_often(many)]
    assert everything.wrong / everything.tables <= ALPHA + 2 * np.sqrt(ALPHA * (1 - ALPHA) / everything.tables)
