"""Tables and models whose true value is known, for every kind of test: what ``test_boundaries.py`` audits."""

from collections.abc import Callable
from functools import cache, partial
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import torch
from scipy.stats import lognorm, norm, qmc

from core.audits import KINDS
from core.audits.column_sensitivity.settings import ColumnSensitivity
from core.audits.equalized_odds.settings import EqualizedOdds
from core.audits.gradient_flow.settings import GradientFlow
from core.audits.group_fairness.settings import GroupFairness
from core.audits.text_sensitivity.settings import TextSensitivity
from core.audits.transport.settings import CellColumn, Transport
from core.base.files import FileStore
from core.contracts.model import AbstractModel, Origin
from core.data.dataset import Dataset
from core.data.encoded import EncodedDataset
from core.data.encoder import CategoricalColumn, Encoder, NumericColumn
from core.data.roles import GoodEnd, Roles
from core.inference.estimate import Verdict
from core.metrics.expert import Expert
from core.models.module import ModuleModel
from core.models.predictions import PredictionColumns
from core.models.text import TextModel
from core.protected_status.settings import NoStatus
from core.result import AuditResult
from core.run import find, run_audit
from core.text.network import AbstractTextNetwork
from core.text.tokens import Tokens
from core.text.word_lists import WordList, WordSet

VIOLATION, CLEAR = Verdict.VIOLATION, Verdict.NO_VIOLATION
Random = np.random.Generator


class Audited(NamedTuple):
    """An audit whose truth is known.

    Attributes:
        result: What was found.
        truth: The true value.
        none: The value of no effect.
        unit: What a tolerance of 1 is in the truth's units.
        read: Other decision settings.
        good_end: Which end of numbers is good.
    """

    result: AuditResult[Any, Any, Any]
    truth: float
    none: float = 0.0
    unit: float = 1.0
    read: dict[str, Any] = {}  # noqa: RUF012
    good_end: GoodEnd = "not said"

    def verdict(self, effect: float, alpha: float) -> Verdict:
        """At a tolerance of so many times the true effect."""
        delta = (self.none + effect * (self.truth - self.none)) / self.unit
        decision = KINDS[self.result.audit.kind].decision(delta=delta, alpha=alpha, **self.read)
        return find(self.result, decision, self.good_end).verdict


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


def yes_where(right: np.ndarray) -> np.ndarray:
    return np.where(right, "yes", "no")


SAYS = PredictionColumns(columns=("says",))
PROBABILITY = PredictionColumns(columns=("says",), holds="probability")
NUMBER = PredictionColumns(columns=("says",), holds="number")


def audited(
    audit: Any, model: Any, rng: Random, roles: dict[str, Any], **table: np.ndarray
) -> AuditResult[Any, Any, Any]:
    """Audit a model, or what a column of the table says it answered."""
    number = {"outcome": "good", "outcome_type": "number"} if model is NUMBER else {}
    classes = {"outcome": "good" if "good" in table else "", "favourable": "yes"}
    answers = {"predictions": ("says",)} if "says" in table else {}
    given = {"protected": ("race",), **(number or classes), **answers, **roles}
    dataset = Dataset.build(pd.DataFrame(table), Roles(**given))
    loaded = model(dataset) if callable(model) else model.load(FileStore(), dataset)
    return run_audit(loaded, dataset, audit, seed=int(rng.integers(2**31)))


def labels(rng: Random, n: int, shape: Shape) -> Audited:
    """Three outcomes; of those that are "b" 10 points more of the groups ahead are called "c" instead of "b"."""
    codes, ahead = shape.draw(rng, n)
    outcome, where = rng.choice(3, n, p=[0.5, 0.3, 0.2]), rng.random(n)
    next_one = 0.2 + 0.1 * ahead * (outcome == 1)
    answer = (outcome + np.where(where < next_one, 1, np.where(where < next_one + 0.2, 2, 0))) % 3
    table = {"race": named(codes), "good": named(outcome), "says": named(answer)}
    return Audited(audited(EqualizedOdds(dummies=99), SAYS, rng, {"favourable": "a"}, **table), 0.1)


def scores(rng: Random, n: int, shape: Shape) -> Audited:
    """Scores whose shares above .9 differ by 10 points; with heavy tails lognormal odds, 10 points apart at most."""
    codes, ahead = shape.draw(rng, n)
    outcome = rng.random(n) < 0.3
    if shape.heavy:
        odds = np.exp(2 * rng.standard_normal(n) + outcome + 4 * norm.ppf(0.55) * ahead)
        score = odds / (1 + odds)
    else:
        score = np.where(rng.random(n) < 0.05 + 0.1 * ahead, 0.9 + 0.1 * rng.random(n), 0.9 * rng.random(n))
    table = {"race": named(codes), "good": yes_where(outcome), "says": score}
    return Audited(audited(EqualizedOdds(dummies=99), PROBABILITY, rng, {}, **table), 0.1)


def numbers(rng: Random, n: int, shape: Shape) -> Audited:
    """Predicted salaries .3 too low for the groups ahead, whose salaries lie higher; residuals skewed where heavy."""
    codes, ahead = shape.draw(rng, n)
    salary = rng.standard_normal(n) + 0.5 * ahead
    noise = (rng.lognormal(0, 1, n) - np.exp(0.5)) / 2 if shape.heavy else 0.5 * rng.standard_normal(n)
    table = {"race": named(codes), "good": salary, "says": np.tanh(salary) - 0.3 * ahead + noise}
    found = audited(EqualizedOdds(dummies=99, splits=1), NUMBER, rng, {}, **table)
    return Audited(found, 0.3, unit=found.detail.spread)


def parity(rng: Random, n: int, shape: Shape) -> Audited:
    """Decisions by licence, which goes with the group; of the second of three licences 10 points fewer are let in."""
    codes, ahead = shape.draw(rng, n)
    licence = np.minimum(rng.integers(3, size=n) + (ahead * (rng.random(n) < 0.4)).astype(int), 2)
    chance = np.array([0.1, 0.45, 0.9])[licence] - 0.1 * ahead * (licence == 1)
    table = {"race": named(codes), "licence": named(licence), "says": yes_where(rng.random(n) < chance)}
    audit = EqualizedOdds(asks="demographic parity", given=("licence",), dummies=99)
    return Audited(audited(audit, SAYS, rng, {"features": ("licence",)}, **table), 0.1)


def groups(rng: Random, n: int, shape: Shape) -> Audited:
    """Of people who deserve it nine in ten are chosen, and fewer of the groups ahead: the worst is 10 points below."""
    codes, ahead = shape.draw(rng, n)
    others = (shape.shares @ shape.ahead - shape.shares[0]) / (1 - shape.shares[0])
    good = rng.random(n) < 0.5
    chosen = rng.random(n) < np.where(good, 0.9 - 0.1 / (1 - others) * ahead, 0.2)
    table = {"race": named(codes), "sex": named(rng.integers(2, size=n))}
    table |= {"good": yes_where(good), "says": yes_where(chosen)}
    return Audited(audited(GroupFairness(), SAYS, rng, {"protected": ("race", "sex")}, **table), 0.1)


def errors(rng: Random, n: int, shape: Shape) -> Audited:
    """Answers with exponential errors, or lognormal ones, which lie lower for the groups ahead: low ones are a harm.

    In the other direction a group that is not ahead differs by more from all others.
    """
    codes, ahead = shape.draw(rng, n)
    missed = rng.lognormal(-0.5, 1, n) if shape.heavy else rng.exponential(size=n)
    true = rng.standard_normal(n)
    share, first = shape.shares @ shape.ahead, shape.shares[0]
    says = true + missed * rng.choice([-1, 1], n) - 0.3 * ahead / (1 - (share - first) / (1 - first))
    table = {"race": named(codes), "sex": named(rng.integers(2, size=n)), "good": true, "says": says}
    found = audited(GroupFairness(), NUMBER, rng, {"protected": ("race", "sex")}, **table)
    return Audited(found, 0.3, unit=float(found.detail.outcome.std()), good_end="high")


JOBS, MOST = np.array([0.4, 0.3, 0.2, 0.1]), 12.0
BY_JOB = Transport(columns=(CellColumn(name="job"),), draws=600)


def decided(rng: Random, n: int, shape: Shape, towns: int = 1) -> Audited:
    """One answer for each kind of person: in the third job those of the first group who are good are turned down.

    Where the jobs are in several towns, few are of a kind, and a small group lacks in many.
    """
    codes, _ = shape.draw(rng, n)
    job, good = rng.choice(4, n, p=JOBS), rng.random(n) < 0.6
    yes = (job < 2) | ((job == 2) & (codes > 0))
    place = np.char.add(named(job), rng.integers(towns, size=n).astype(str))
    table = {"race": named(codes), "job": place, "good": yes_where(good), "says": yes_where(yes)}
    # Whoever is good in that job may be judged like the first group; whoever is not in it, of that group, like others.
    worse = 0.6 * (1 - shape.shares[0]) + 0.4 * shape.shares[0]
    return Audited(audited(BY_JOB, SAYS, rng, {"features": ("job",)}, **table), float(JOBS[2] * worse))


def chances(rng: Random, n: int, shape: Shape) -> Audited:
    """Decisions that are wrong by chance, more often in the groups ahead; with heavy tails a lognormal log loss."""
    codes, ahead = shape.draw(rng, n)
    job, good = rng.choice(4, n, p=JOBS), rng.random(n) < 0.5
    table = {"race": named(codes), "job": named(job), "good": yes_where(good)}
    rate, moved = np.array([0.1, 0.3, 0.2, 0.15]), 1 - shape.shares @ shape.ahead
    if not shape.heavy:
        says = yes_where(good != (rng.random(n) < rate[job] + 0.15 * ahead))
        return Audited(audited(BY_JOB, SAYS, rng, {"features": ("job",)}, **table, says=says), float(0.15 * moved))
    right = np.exp(-np.minimum(rate[job] * (1 + 2 * ahead) * rng.lognormal(0, 1.2, n), MOST))
    table["says"] = np.where(good, right, 1 - right)
    rise = JOBS @ (capped(3 * rate, 1.2, MOST) - capped(rate, 1.2, MOST))
    found = audited(BY_JOB, PROBABILITY, rng, {"features": ("job",)}, **table)
    return Audited(found, float(rise * moved), read={"loss": "log"})


def capped(scale: np.ndarray, deviation: float, most: float) -> np.ndarray:
    """Mean of a lognormal number of median ``scale``, where larger ones count as ``most``."""
    place = np.log(most / scale) / deviation
    inside = scale * np.exp(deviation**2 / 2) * norm.cdf(place - deviation)
    return np.asarray(inside + most * norm.sf(place))


def jumps(levels: np.ndarray, heavy: bool) -> np.ndarray:
    """Quantiles of how far an answer jumps: uniform, or lognormal and cut at .45, so that no decision changes."""
    return np.minimum(0.03 * lognorm.ppf(levels, 1.5), 0.45) if heavy else 0.2 * levels


class Jump(AbstractModel):
    """A probability of .02, and more in the groups ahead by what the late digits of a number say."""

    name, kind, fingerprint, no_gradients = "jump", "formula", "0" * 64, "A jump has no slope."

    def __init__(self, dataset: Dataset, shape: Shape) -> None:
        groups = CategoricalColumn(name="race", categories=tuple(sorted(dataset.frame["race"].unique())))
        self.encoder, self.classes = Encoder(columns=(NumericColumn(name="by"), groups)), dataset.labels
        self._heavy, self._ahead = (
            shape.heavy,
            np.array([shape.ahead["abcdef".index(one)] for one in groups.categories]),
        )

    def answers(self, data: EncodedDataset) -> np.ndarray:
        chance = 0.02 + jumps(1_000 * data.x[:, 0] % 1, self._heavy) * (data.x[:, 1:] @ self._ahead)
        return np.column_stack([1 - chance, chance])


def columns(rng: Random, n: int, shape: Shape) -> Audited:
    """Jumps that no part of the table is more exposed to than another, but for a group of 3%."""
    codes, _ = shape.draw(rng, n)
    table = {"race": named(codes), "by": rng.random(n), "good": yes_where(rng.random(n) < 0.1)}
    model = lambda dataset: Jump(dataset, shape)  # noqa: E731
    found = audited(ColumnSensitivity(), model, rng, {"features": ("by", "race")}, **table)
    mean = float(capped(np.array(0.03), 1.5, 0.45)) if shape.heavy else 0.1
    return Audited(found, mean * shape.elsewhere)


NAMES, WORDS, UNLIKELY = ("Annie", "Bella", "Clara", "Doris", "Emily", "Fiona"), 4_000, float(np.log(0.02 / 0.98))


class Bag(AbstractTextNetwork):
    """The same for texts: a probability of .02, and more by the second word if the first names a group ahead."""

    vocabulary, width, pooled_width, classes = "bag", 2, 1, ()

    def __init__(self, shape: Shape, sizes: np.ndarray) -> None:
        table = np.zeros((len(NAMES) + WORDS, 2))
        table[: shape.groups, 0] = shape.ahead
        table[len(NAMES) :, 1] = np.log((0.02 + sizes) / (0.98 - sizes)) - UNLIKELY
        self._table, self._head = torch.from_numpy(table).float(), torch.nn.Linear(1, 1).requires_grad_(False)
        self._head.weight.data, self._head.bias.data = torch.tensor([[1.0]]), torch.tensor([UNLIKELY])

    def read(self, texts: Any) -> tuple[Tokens, ...]:
        """Words of five letters each."""
        at, none = np.arange(6) * 6, np.zeros(6, dtype=bool)
        words = [[NAMES.index(one[:5]), *(len(NAMES) + int(word[1:]) for word in one.split()[1:])] for one in texts]
        return tuple(Tokens(np.array(one), at, at + 5, none, 35) for one in words)

    def word_embeddings(self, ids: torch.Tensor) -> torch.Tensor:
        return self._table[ids]

    def pooled(self, embeddings: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        return (embeddings[:, 0, 0] * embeddings[:, 1, 1])[:, None]

    def head(self) -> torch.nn.Module:
        return self._head


def texts(rng: Random, n: int, shape: Shape) -> Audited:
    """A name, a word by which the answer jumps with the name, and four more words that keep texts apart."""
    codes, _ = shape.draw(rng, n)
    sizes, words = jumps((np.arange(WORDS) + 0.5) / WORDS, shape.heavy), rng.integers(WORDS, size=(n, 5))
    written = [" ".join([NAMES[g], *(f"w{word:04d}" for word in row)]) for g, row in zip(codes, words, strict=True)]
    table = {"text": np.array(written), "race": named(codes), "good": yes_where(rng.random(n) < 0.1)}
    groups = {"sides": tuple("abcdef"[: shape.groups]), "rows": (NAMES[: shape.groups],)}
    listed = WordList(name="names", sets=(WordSet(about="race", **groups),))
    audit = TextSensitivity(status=NoStatus(), words=listed, texts_shown=0)

    def model(dataset: Dataset) -> TextModel:
        return TextModel(Bag(shape, sizes), "text", dataset.labels, "bag", Origin("bag", "0" * 64))

    return Audited(audited(audit, model, rng, {"text": "text"}, **table), float(sizes.mean()) * shape.elsewhere)


class Product(torch.nn.Module):
    """One logit: a number that is held, and one that may differ times a third, which is held."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return (x[:, 0] + x[:, 1] * x[:, 2])[:, None]


REACTS = ("held", "free", "slope")
SEARCH = GradientFlow(metric=Expert(free=("free",)), regularisation=1e4, steps=20, step_size=0.02, precision="float64")


@cache
def true_ratios(heavy: bool, share: float) -> tuple[float, float]:
    """Mean ratio of losses and ratio of error rates of whom is worse off of the two, outcomes integrated exactly."""
    points = norm.ppf(qmc.Sobol(3, seed=1).random_base2(18 if heavy else 16))
    ratio, wrong = 0.0, np.zeros(2)
    for ahead, weight in ((False, 1 - share), (True, share)):
        x = located(points, np.full(len(points), ahead), heavy)
        for sign in (-1, 1):
            own, other = (sign * (x[:, 0] + free * x[:, 2]) for free in (x[:, 1], -x[:, 1]))
            worse = np.minimum(own, other)
            chance = weight / (1 + np.exp(-own)) / len(points)
            ratio += chance @ (np.logaddexp(0, -worse) / np.logaddexp(0, -own))
            wrong += chance @ (own < 0), chance @ (worse < 0)
    return float(ratio), float(wrong[1] / wrong[0])


def located(drawn: np.ndarray, ahead: np.ndarray, heavy: bool) -> np.ndarray:
    """Standard normal numbers as the three columns, of which the second has two values.

    The groups ahead react more, and with heavy tails some do far. Several people are at each end, so that all of them
    could have the other value of the second.
    """
    held, react = np.clip(drawn[:, [0, 2]], -1.5, 1.5).T
    return np.column_stack(
        [held + 0.3 * ahead, np.sign(drawn[:, 1]) / 4, np.exp((0.6 if heavy else 0.2) * react + 0.4 * ahead)]
    )


def flow(rng: Random, n: int, shape: Shape, statistic: str = "loss ratio") -> Audited:
    """Outcomes drawn from the model itself, which leans on the column that may differ, more in the groups ahead."""
    codes, ahead = shape.draw(rng, n)
    x = located(rng.standard_normal((n, 3)), ahead, shape.heavy)
    good = rng.random(n) < 1 / (1 + np.exp(-x[:, 0] - x[:, 1] * x[:, 2]))
    encoder = Encoder(columns=tuple(NumericColumn(name=name) for name in REACTS))
    model = ModuleModel(Product(), encoder, ("no", "yes"), "product")
    table = dict(zip(REACTS, x.T, strict=True)) | {"race": named(codes), "good": yes_where(good)}
    found = audited(SEARCH, lambda _: model, rng, {"features": REACTS}, **table)
    truths = true_ratios(shape.heavy, float(shape.shares @ shape.ahead))
    return Audited(found, truths[statistic != "loss ratio"], none=1.0, read={"statistic": statistic})


DESIGNS: dict[str, Callable[[Random, int, Shape], Audited]] = {
    "gradient flow, losses": flow,
    "gradient flow, error rates": partial(flow, statistic="error-rate ratio"),
    "transport, one answer a kind": decided,
    "transport, many kinds": partial(decided, towns=5),
    "transport, answers by chance": chances,
    "text sensitivity": texts,
    "column sensitivity": columns,
    "equalized odds, labels": labels,
    "equalized odds, scores": scores,
    "equalized odds, numbers": numbers,
    "conditional parity": parity,
    "groups, decisions": groups,
    "groups, errors of numbers": errors,
}
