"""Figures 1 to 5 of papers/fair-dummies.md."""

from functools import partial
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from core.base.files import FileStore
from core.base.progress import ignore_progress
from core.data.dataset import Dataset
from core.language.told import say
from core.sources.public.communities import Communities
from core.sources.public.nursery import Nursery
from core.sources.simulated.two_slopes import TwoSlopes
from core.workflows.mitigation.bench import prepare
from core.workflows.mitigation.settings import (
    AdversarialPenalty,
    Base,
    FairDummiesPenalty,
    HGRPenalty,
    Method,
    MitigationPlan,
)
from core.workflows.papers.cells import Cell, Ours, Printed, Said
from core.workflows.papers.items import Curve, Curves, Found, Given, Item, Piece, Results

PAPER = (
    "Romano, Bates and Candès, “Achieving equalized odds by resampling sensitive attributes”, NeurIPS 2020"  # verbatim
)
SPLITS = 20
METHODS = ("baseline", "adversarial", "HGR", "fair dummies")
BASES = ("linear", "network")
STRENGTH = 0.9
STRENGTH_OF_NURSERY = 0.99
"""At .9 no linear model errs as often as equalized odds demands on Nursery, so that none could pass."""
EXAMPLE = FairDummiesPenalty(gamma=0.3, epochs=200, batch=2_000, learning_rate=0.01, looks=2)
"""Algorithm 1 on the example of section 1.1, at λ = .99 as in the authors' notebook."""
PENALTIES: dict[str, Method] = {
    "adversarial": AdversarialPenalty(),
    "HGR": HGRPenalty(),
    "fair dummies": FairDummiesPenalty(),
}
NEEDS = {"communities": Communities.published, "nursery": Nursery.published, "two slopes": ()}  # verbatim


def fit_unit(given: Given) -> Found:
    """One model on one split (60, 20 and 20%): its error, the p-value of its test, and its prediction sets."""
    from core.workflows.mitigation.baseline import fit_baseline
    from core.workflows.mitigation.fitting import fit
    from core.workflows.mitigation.networks import Answering, Training
    from core.workflows.mitigation.thresholds import GroupThresholds

    data, method, split = str(given["data"]), str(given["method"]), int(given["split"])
    strength, epochs = float(given["strength"]), int(given["epochs"])
    if data == "two slopes":  # verbatim
        source: TwoSlopes | Communities | Nursery = TwoSlopes(seed=split, rows=int(given["rows"]))
    else:
        source = Communities(part="all") if data == "communities" else Nursery(part="all")
    penalty = EXAMPLE if data == "two slopes" else PENALTIES.get(method)  # verbatim
    if penalty is not None and epochs:
        penalty = penalty.model_copy(update={"epochs": epochs})
    base = Base(kind="network" if given["base"] == "network" else "linear")
    with TemporaryDirectory(prefix="evenhand-") as folder:
        files = FileStore(Path(folder))
        frame = source.load(files)
        plan = MitigationPlan(data=source, roles=source.roles(frame), base=base, seed=split, dummies=999)
        bench = prepare(plan, Dataset.build(frame, plan.roles))
        baseline = fit_baseline(bench.rows[0], base, split, ignore_progress, "")
        model: Answering | GroupThresholds = baseline
        if method != "baseline" and penalty is not None:
            model = fit(penalty, Training(bench.rows[0], baseline, strength, base, split))
        tried = bench.tried(model, strength, plan, files, ignore_progress)
    error = tried.losses[2] if bench.classes else np.sqrt(tried.losses[2])
    return {
        "error": [float(error[0])],
        "error by group": [float(one) for one in error[1:]],  # verbatim
        "error of the first group": [float(error[1])],  # verbatim
        "error of the second group": [float(error[2])],  # verbatim
        "p": [tried.p_value],
        "coverage of the first group": [float(tried.coverage[0])],  # verbatim
        "coverage of the second group": [float(tried.coverage[1])],  # verbatim
        "size": [float(np.mean(tried.sizes))],
    }


def _units(
    splits: int,
    quick: bool,
    *,
    data: str,
    methods: tuple[str, ...] = METHODS,
    bases: tuple[str, ...] = BASES,
    strengths: tuple[float, ...] = (STRENGTH,),
) -> tuple[Piece, ...]:
    more = {"epochs": 3 if quick else 0, "rows": 1_000 if quick else 10_000}
    return tuple(
        Piece(
            fit_unit,
            {"data": data, "base": base, "method": method, "strength": strength, "split": split, **more},
            NEEDS[data],
        )
        for split, base, method, strength in product(range(splits), bases, methods, strengths)
        if not (method == "baseline" and strength != strengths[0])
    )


# ------------------------------------------------------------------------------------------------ Figure 1


def _figure_1_cells(results: Results) -> tuple[Cell, ...]:
    where = "Section 1.1"
    printed = {
        "baseline": ("2.40", "1.79", "5.48", "0.001"),
        "fair dummies": ("3.40", "3.41", "3.31", "0.476"),
    }
    names = (say("RMSE"), say("RMSE, A = 0"), say("RMSE, A = 1"), say("p-value"))
    keys = ("error", "error of the first group", "error of the second group", "p")  # verbatim
    return tuple(
        Cell(
            _name(method),
            name,
            Printed(text, where),
            results.ours(key, data="two slopes", method=method),
            say("A p-value of a fair model is anything between 0 and 1.") if text == "0.476" else "",
        )
        for method, texts in printed.items()
        for name, key, text in zip(names, keys, texts, strict=True)
    )


def _name(method: str) -> str:
    return {
        "baseline": say("baseline"),
        "adversarial": say("adversarial debiasing"),
        "HGR": "HGR",
        "fair dummies": say("fair dummies"),
    }[method]


# ------------------------------------------------------------------------------------------------ Figures 2 to 5

_STRENGTH = say(
    "The authors tuned each method by hand, to a strength that is not printed. Ours are Evenhand's defaults at λ = .9."
)
_STRENGTH_OF_NURSERY = say(
    "The authors tuned each method by hand, to a strength that is not printed. Ours are Evenhand's defaults at λ = .99."
)
_FLOOR = say(
    "Under equalized odds at least 24.1% of the answers are wrong here, whatever the model. One that errs less often "
    "cannot pass, and the test has 2,592 rows to find that."
)
_MEPS = say(
    "The MEPS survey of 2016 is given out by its agency under terms that each user has to accept, so Evenhand has no "
    "copy."
)


def _row(base: str, method: str) -> str:
    return f"{_name(method)}, {say('linear') if base == 'linear' else say('network')}"


def _p_cells(results: Results, data: str, where: str) -> list[Cell]:
    """The share of splits in which a model is rejected: nearly all baselines, few fair models."""
    found = []
    for base, method in product(BASES, METHODS):
        p = results.values("p", data=data, base=base, method=method)
        rejected = Ours.of([float(one <= 0.05) for one in p])
        unfair = method == "baseline" or (data == "nursery" and base == "linear" and method == "adversarial")
        told = (
            Said(say("small p-values"), where, low=0.5)
            if unfair
            else Said(say("p-values spread over 0 to 1"), where, high=0.5)
        )
        reason = _STRENGTH if data == "communities" else _STRENGTH_OF_NURSERY
        found.append(Cell(_row(base, method), say("share of splits rejected at .05"), told, rejected, reason))
    return found


def _error_cells(results: Results, data: str, where: str) -> list[Cell]:
    """By how much a fair model errs more than the baseline of its kind: the paper says, by a little or by much."""
    found = []
    for base, method in product(BASES, METHODS[1:]):
        mine, plain = (results.values("error", data=data, base=base, method=one) for one in (method, "baseline"))
        more = Ours.of([a / b for a, b in zip(mine, plain, strict=False)])
        slightly = data == "communities"
        told = (
            Said(say("slightly larger"), where, 0.98, 1.3)
            if slightly
            else Said(say("significantly larger"), where, low=1.05)
        )
        reason = _STRENGTH if slightly else _STRENGTH_OF_NURSERY
        found.append(Cell(_row(base, method), say("error, over the baseline's"), told, more, reason))
    return found


def _figure_2_cells(results: Results) -> tuple[Cell, ...]:
    where = "Fig. 2 and section 4.1"  # verbatim
    meps = Cell("MEPS", say("all of the left panel"), Said(say("figure only"), where), None, _MEPS)
    return (*_p_cells(results, "communities", where), *_error_cells(results, "communities", where), meps)


def _figure_4_cells(results: Results) -> tuple[Cell, ...]:
    where = "Fig. 4 and section 4.2"  # verbatim
    return (*_p_cells(results, "nursery", where), *_error_cells(results, "nursery", where))


LAMBDAS = (0.3, 0.6, 0.9)


def _figure_3_cells(results: Results) -> tuple[Cell, ...]:
    where, row = "Fig. 3", say("fair dummies, network, on Communities instead of MEPS")
    each = [
        [
            results.values("p", data="communities", base="network", method="fair dummies", strength=one)
            for one in LAMBDAS
        ]
    ][0]
    rises = [b - a for a, b in zip(each[0], each[-1], strict=True)]
    return (
        Cell("MEPS", say("RMSE and p-value by λ"), Said(say("figure only"), where), None, _MEPS),
        Cell(row, say("p-value at λ = .9 less that at .3"), Said(say("rises with λ"), where, low=0.0), Ours.of(rises)),
    )


def _figure_3_curves(results: Results) -> tuple[Curves, ...]:
    lines = []
    for name, words in (("p", say("p-value")), ("error", say("RMSE"))):
        means = [
            results.values(name, data="communities", base="network", method="fair dummies", strength=one)
            for one in LAMBDAS
        ]
        if all(means):
            lines.append(Curve(words, list(LAMBDAS), [float(np.mean(one)) for one in means]))
    return (Curves(say("Error and p-value by λ"), say("Mean over splits of Communities."), "λ", "", tuple(lines)),)


def _figure_5_cells(results: Results) -> tuple[Cell, ...]:
    where = "Fig. 5 and section 5"  # verbatim
    found = []
    for base, method in product(BASES, METHODS):
        for group, words in (("first", say("first group")), ("second", say("second group"))):
            covered = results.values(f"coverage of the {group} group", data="nursery", base=base, method=method)
            column = say("coverage, {group}", group=words)
            told = Said(say("exactly 90%"), where, 0.88, 0.92)
            found.append(Cell(_row(base, method), column, told, Ours.of(covered)))
        size = results.ours("size", data="nursery", base=base, method=method)
        found.append(Cell(_row(base, method), say("mean size of the sets"), None, size))
    return tuple(found)


_of_nursery = partial(
    Item,
    paper=PAPER,
    minutes=14.0,
    units=partial(_units, data="nursery", strengths=(STRENGTH_OF_NURSERY,)),
    splits=SPLITS,
    printed=20,
)
ITEMS = (
    Item(
        name="fair-dummies-figure-1",
        title=say("Figure 1: a linear model of a simulated population"),
        paper=PAPER,
        minutes=2.0,
        units=partial(
            _units,
            data="two slopes",  # verbatim
            methods=("baseline", "fair dummies"),
            bases=("linear",),
            strengths=(0.99,),  # verbatim
        ),
        cells=_figure_1_cells,
        splits=10,
        quick=2,
    ),
    Item(
        name="fair-dummies-figure-2",
        title=say("Figure 2: predicting crime, eight models"),
        paper=PAPER,
        minutes=3.0,
        units=partial(_units, data="communities"),
        cells=_figure_2_cells,
        splits=SPLITS,
        printed=20,
        notes=(_MEPS,),
    ),
    Item(
        name="fair-dummies-figure-3",
        title=say("Figure 3: error and p-value against the strength of the penalty"),
        paper=PAPER,
        minutes=2.0,
        units=partial(_units, data="communities", methods=("fair dummies",), bases=("network",), strengths=LAMBDAS),
        cells=_figure_3_cells,
        curves=_figure_3_curves,
        splits=SPLITS,
        printed=20,
        notes=(_MEPS,),
    ),
    _of_nursery(
        name="fair-dummies-figure-4",
        title=say("Figure 4: ranking applications, eight models"),
        cells=_figure_4_cells,
        notes=(_FLOOR,),
    ),
    _of_nursery(
        name="fair-dummies-figure-5",
        title=say("Figure 5: prediction sets with equalized coverage"),
        cells=_figure_5_cells,
    ),
)
