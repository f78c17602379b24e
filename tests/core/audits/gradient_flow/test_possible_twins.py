"""A possible twin could stand in the table, is as similar as is said, and is told with numbers of its own."""

from itertools import combinations, product

import numpy as np
import pandas as pd
import pytest

from core.audits.gradient_flow import report
from core.audits.gradient_flow.cells import cells_of
from core.audits.gradient_flow.decision import GradientFlowDecision
from core.audits.gradient_flow.pair import SAME, columns, more, told
from core.audits.gradient_flow.pairing import Around
from core.audits.gradient_flow.people import taken_of
from core.audits.gradient_flow.report import case
from core.audits.gradient_flow.result import WorstPairs, in_turn
from core.data.dataset import Dataset, Roles
from core.data.encoder import Encoder
from core.data.possible import Possible, Values
from core.metrics import Expert
from core.models.module import ModuleModel
from core.result import AuditResult
from core.run import find, run_audit
from tests.core.audits.gradient_flow.cases import metric_of, perceptron, settings

FEATURES = ("languages", "salary", "rating", "school", "years at school", "sector", "remote")
SCHOOLS = {"none": 0, "basic": 9, "high": 12, "university": 16}


def people(n: int = 240, seed: int = 5) -> Dataset:
    """Whole numbers, one with one decimal, a flag, and two columns that say the same: school, and years at school."""
    rng = np.random.default_rng(seed)
    school = rng.choice(list(SCHOOLS), n)
    frame = pd.DataFrame(
        {
            "languages": rng.integers(1, 6, n),
            "salary": rng.integers(20_000, 90_000, n),
            "rating": rng.integers(10, 51, n) / 10,
            "school": school,
            "years at school": [SCHOOLS[one] for one in school],
            "sector": rng.choice(["care", "technology", "trade"], n),
            "remote": rng.integers(0, 2, n),
            "sex": rng.choice(["woman", "man"], n),
        }
    )
    frame["hired"] = np.where(frame["languages"] + frame["rating"] + rng.normal(size=n) > 5.5, "yes", "no")
    return Dataset.build(frame, Roles(outcome="hired", favourable="yes", protected=("sex",), features=FEATURES))


def audited(free: tuple[str, ...], **values: object) -> tuple[AuditResult, ModuleModel, Dataset]:
    data = people()
    encoder = Encoder.fit(data.frame, FEATURES)
    model = ModuleModel(perceptron(encoder.width, 8, 2, seed=2), encoder, ("no", "yes"), "test")
    audit = settings(metric=Expert(free=free), **{"steps": 60, "step_size": 0.05, "regularisation": 5.0, **values})
    return run_audit(model, data, audit, seed=0), model, data


@pytest.fixture(scope="module", params=[("sector", "languages"), ("sector",), ("rating", "school", "years at school")])
def found(request: pytest.FixtureRequest) -> tuple[AuditResult, ModuleModel, Dataset]:
    return audited(request.param)


def each(pairs: WorstPairs) -> list[tuple[int, int, int]]:
    """Index of the stopping time, person and row of the frames of every third twin."""
    shape = pairs.ratios.shape
    every = [(i, j, i * shape[1] + j) for i, j in product(*map(range, shape)) if not np.isnan(pairs.ratios[i, j])]
    return every[::3]


def test_every_value_of_a_twin_could_stand_in_the_table(found: tuple[AuditResult, ModuleModel, Dataset]) -> None:
    result, _, data = found
    pairs, frame = result.detail.pairs, data.frame
    assert each(pairs)
    for _, j, place in each(pairs):
        twin = pairs.after.iloc[place]
        for name in ("languages", "salary", "years at school"):
            assert float(twin[name]).is_integer()
        assert round(twin["rating"], 1) == twin["rating"]
        for name in ("languages", "salary", "rating", "years at school"):
            assert frame[name].min() <= twin[name] <= frame[name].max()
        assert twin["remote"] in {0, 1}
        assert twin["sector"] in set(frame["sector"])
        assert SCHOOLS[twin["school"]] == twin["years at school"]
        assert (twin != pairs.before.iloc[j]).any()


def test_what_is_told_of_a_twin_is_computed_from_the_possible_person(
    found: tuple[AuditResult, ModuleModel, Dataset],
) -> None:
    result, model, _ = found
    pairs, metric = result.detail.pairs, result.metric
    classes = list(model.classes)
    for i, j, place in each(pairs):
        x = model.encoder.transform(pd.concat([pairs.before.iloc[[j]], pairs.after.iloc[[place]]], ignore_index=True))
        logits = model.module()(_tensor(x)).numpy()
        chance = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
        before, after = chance[:, classes.index(pairs.outcome[j])]
        assert pairs.chance[j] == pytest.approx(before, rel=1e-9)
        assert pairs.chance_after[i, j] == pytest.approx(after, rel=1e-9)
        assert pairs.ratios[i, j] == pytest.approx(np.log(after) / np.log(before), rel=1e-9)
        assert pairs.ratios[i, j] > 1
        moved = x[1] - x[0]
        assert pairs.distance[i, j] == pytest.approx(moved @ metric.matrix @ moved, abs=1e-12)


def test_the_twin_is_the_worst_treated_of_everybody_possible_and_similar(
    found: tuple[AuditResult, ModuleModel, Dataset],
) -> None:
    """Oracle: everybody between the person and the end, and who differs in one column, checked against the rows."""
    result, model, data = found
    pairs, metric, frame = result.detail.pairs, result.metric, data.frame
    encoder, last = model.encoder, len(pairs.ratios) - 1
    x = encoder.transform(frame)
    for j, row in enumerate(pairs.rows[:2]):
        start, y = x[row], model.classes.index(pairs.outcome[j])
        end = _end(result, model, x[[row]], y)
        between = _between(frame, encoder, row, end)
        everybody = pd.concat([between, _with_one_other_value(frame, row)], ignore_index=True)
        at = encoder.transform(everybody)
        loss = _loss(model, at, y)
        square = metric.squared_distance(at, np.broadcast_to(start, at.shape))
        own = metric.squared_distance(end[None], start[None])[0]
        apart = metric.squared_distance(x, np.broadcast_to(start, x.shape))
        plain = between.attrs["plain"]
        rounded = metric.squared_distance(encoder.transform(plain), start[None])[0]
        worse = loss > _loss(model, start[None], y)[0]
        limit = max(own, min(rounded, apart[apart > 1e-8].min())) + 1e-8
        allowed = worse & (square <= limit)
        assert allowed.any()
        assert pairs.ratios[last, j] >= loss[allowed].max() / _loss(model, start[None], y)[0] * (1 - 1e-6)
        assert pairs.distance[last, j] <= limit
        assert pairs.as_similar[last, j] == (pairs.distance[last, j] <= own + 1e-8)


def test_of_columns_that_differ_no_single_one_is_only_counted(
    found: tuple[AuditResult, ModuleModel, Dataset], monkeypatch: pytest.MonkeyPatch
) -> None:
    finding = find(found[0], GradientFlowDecision())

    def first_columns(most: int) -> list[str]:
        monkeypatch.setattr(report, "_MOST", most)
        told = case(finding)
        assert told is not None
        assert told.beside is not None
        return [row[0] for row in told.beside.rows][:-3]

    every = first_columns(len(FEATURES))
    assert len(every) >= 2
    assert first_columns(len(every) - 1) == every
    assert first_columns(len(every) - 2) == [*every[:-2], "2 more columns"]


def test_the_real_person_is_the_nearest_of_the_audited_rows(found: tuple[AuditResult, ModuleModel, Dataset]) -> None:
    result, model, data = found
    pairs, metric = result.detail.pairs, result.metric
    x = model.encoder.transform(data.frame)
    for i, j, place in each(pairs):
        twin = model.encoder.transform(pairs.after.iloc[[place]])
        distance = metric.squared_distance(x, np.broadcast_to(twin, x.shape))
        distance[pairs.rows[j]] = np.inf
        real = pairs.real_rows[i, j]
        assert real != pairs.rows[j]
        assert distance[real] == pytest.approx(distance.min(), abs=1e-8)
        close = distance <= distance.min() + 1e-8
        assert np.square(x[real] - twin).sum() == pytest.approx(np.square(x[close] - twin).sum(axis=1).min())
        pd.testing.assert_series_equal(
            pairs.real.iloc[place], data.frame.loc[real, list(FEATURES)], check_names=False, check_dtype=False
        )


def test_a_search_read_early_shows_the_twin_of_that_time() -> None:
    long, short = (audited(("sector", "languages"), steps=steps)[0].detail for steps in (60, 20))
    at = long.at(20)
    assert long.steps[at] == 20
    shared = [
        (int(np.flatnonzero(long.pairs.rows == row)[0]), j)
        for j, row in enumerate(short.pairs.rows)
        if row in long.pairs.rows
    ]
    assert shared
    for i, j in shared:
        assert long.pairs.searched[at, i] == pytest.approx(short.pairs.searched[-1, j], rel=1e-9)
        np.testing.assert_allclose(long.pairs.ratios[at, i], short.pairs.ratios[-1, j], rtol=1e-9)


def test_words_name_what_differs_only_and_neither_shares_of_a_way_nor_broken_numbers(
    found: tuple[AuditResult, ModuleModel, Dataset],
) -> None:
    result = found[0]
    for i, j, _ in each(result.detail.pairs):
        for row in columns(result, i, j):
            assert "of the way" not in row.words
            if row.column in {"languages", "salary", "years at school"}:
                assert "." not in row.after + row.words
            assert row.changed == (row.before != row.after)
        assert ("search ended" in more(result, i, j) + told(result, i, j)) is not (
            result.detail.pairs.distance[i, j] <= SAME
        )


def test_who_has_no_possible_twin_comes_last_and_is_told_so() -> None:
    result, _, _ = audited((), regularisation=1e5, integrator="etd2rk")
    pairs = result.detail.pairs
    assert np.isnan(pairs.ratios).all()
    assert "No possible person as similar is misjudged more" in told(result, 0, pairs.ranked(0)[0])


def test_people_with_other_protected_values_take_turns(found: tuple[AuditResult, ModuleModel, Dataset]) -> None:
    order, kinds = np.array([3, 0, 4, 1, 2, 5]), np.array([0, 1, 2, 0, 1, 1])
    assert in_turn(order, kinds).tolist() == [3, 4, 2, 0, 1, 5]
    pairs = found[0].detail.pairs
    last = len(pairs.ratios) - 1
    shown = [i for i in pairs.ranked(last) if not np.isnan(pairs.ratios[last, i])]
    who = pairs.groups.iloc[shown].apply(tuple, axis=1).tolist()
    assert len(set(who)) > 1
    assert len(set(who[: len(set(who))])) == len(set(who))


def test_two_who_are_the_same_to_the_model_are_shown_once(found: tuple[AuditResult, ModuleModel, Dataset]) -> None:
    pairs = found[0].detail.pairs
    assert not pairs.before.assign(outcome=pairs.outcome).duplicated().any()


@pytest.mark.parametrize(
    ("values", "numbers", "nearest", "beyond"),
    [
        ([1, 2, 5, 2] * 3, [2.86, 9.0, -4.0, 3.4], [2, 5, 1, 2], [False, True, True, False]),
        (range(100), [2.86, 120.0, 99.4], [3, 99, 99], [False, True, False]),
        ([value / 10 for value in range(100)], [2.86, -1.0], [2.9, 0.0], [False, True]),
        ([0, 1, 1, 0], [0.4, 0.6, 3.66], [0, 1, 1], [False, False, True]),
    ],
)
def test_a_number_becomes_the_nearest_that_the_column_may_hold(values, numbers, nearest, beyond) -> None:
    column = Values.of(pd.Series(values, name="x"), ())
    assert column.nearest(np.array(numbers)) == pytest.approx(nearest)
    assert column.beyond(np.array(numbers)).tolist() == beyond


def test_measured_numbers_get_as_many_decimals_as_their_spread_asks_for() -> None:
    column = Values.of(pd.Series(np.random.default_rng(0).normal(0, 12, 500), name="x"), ())
    assert column.decimals == 1
    assert not column.whole


def test_values_go_together_if_a_row_has_both() -> None:
    data = people()
    possible = Possible(data.frame, Encoder.fit(data.frame, FEATURES))
    places = {name: FEATURES.index(name) for name in ("school", "years at school", "salary")}

    def together(one: str, value: str | float, other: str, against: str | float) -> bool:
        held = possible.held(np.arange(1))
        held[0, places[other]] = possible.holding(places[other], [against])[0]
        return possible.goes_with(places[one], possible.holding(places[one], [value]), held)[0, places[other]]

    assert together("school", "high", "years at school", 12.0)
    assert not together("school", "high", "years at school", 16.0)
    assert not together("years at school", 16.0, "school", "high")
    assert not together("school", "unheard of", "years at school", 16.0)
    assert not together("years at school", 16.0, "school", "unheard of")
    paid = data.frame.loc[data.frame["school"] == "high", "salary"]
    for salary in (paid.min(), paid.max(), paid.min() - 1, paid.max() + 1):
        within = paid.min() <= salary <= paid.max()
        assert together("school", "high", "salary", float(salary)) == within
        assert together("salary", float(salary), "school", "high") == within


def test_the_nearest_real_person_is_somebody_else() -> None:
    x = np.array([[0.0, 0.0], [0.0, 0.1], [3.0, 0.0], [5.0, 0.0], [5.0, 2.0]])
    metric = metric_of(np.diag([1.0, 0.0]))
    alone, together = Around(x, metric), Around(x, metric, np.array([7, 7, 7, 1, 2]))
    assert alone.nearest(np.array([[0.0, 0.0], [5.0, 1.9]]), np.array([0, 0])).tolist() == [1, 4]
    assert together.nearest(np.array([[0.0, 0.0]]), np.array([0])).tolist() == [3]
    assert alone.told_apart(np.array([0, 4])) == pytest.approx([9.0, 4.0])
    assert together.told_apart(np.array([0, 4])) == pytest.approx([25.0, 4.0])


def test_nobody_is_treated_worse_below_the_smallest_loss() -> None:
    result, _, _ = audited(("sector", "languages"), loss_floor=1.0)
    ratios = result.detail.pairs.ratios
    assert (ratios[~np.isnan(ratios)] > 1).all()


def test_changing_one_column_after_the_other_leads_to_the_worst_of_everybody_whom_a_free_column_allows() -> None:
    """Oracle: with two free columns all of their values are tried that a salary and a rating may stand beside."""
    result, model, data = audited(("sector", "languages"), steps=200)
    people, frame, encoder = result.detail.people, data.frame, model.encoder
    x, y = encoder.transform(frame), np.array([model.classes.index(one) for one in frame["hired"]])
    own = np.array([_loss(model, one[None], k)[0] for one, k in zip(x, y, strict=True)])
    worst = own.copy()
    for sector, languages in product(sorted(set(frame["sector"])), range(1, 6)):
        other = encoder.transform(frame.assign(sector=sector, languages=languages))
        losses = np.array([_loss(model, one[None], k)[0] for one, k in zip(other, y, strict=True)])
        worst = np.where(_within(frame, sector=sector, languages=languages), np.maximum(worst, losses), worst)
    found = np.isclose(people.ratio, worst / own, rtol=1e-2)
    assert found.mean() > 0.97, "one column after the other may miss a better pair"
    assert people.ratio.mean() == pytest.approx((worst / own).mean(), rel=5e-3)
    assert people.estimate("loss ratio").value == pytest.approx(people.ratio.mean(), rel=1e-12)
    answers = model.module()(_tensor(x)).numpy().argmax(axis=1)
    assert (people.wrong_start == (answers != y)).all()


def test_rows_are_taken_evenly_of_everybody_and_enough_of_every_group() -> None:
    rng = np.random.default_rng(4)
    sex = rng.choice(["woman", "man"], 5_000)
    sex[rng.choice(5_000, 150, replace=False)] = "other"
    frame = pd.DataFrame({"sex": sex, "age": rng.normal(40, 9, 5_000), "hired": rng.choice(["yes", "no"], 5_000)})
    roles = Roles(outcome="hired", favourable="yes", protected=("sex", "age"), features=("age",))
    cells, cell = cells_of(Dataset.build(frame, roles), binned=True)
    positions, taken = taken_of(cells, cell)
    assert taken[:, 0].sum() == 500
    assert np.diff(positions[taken[:, 0]]).max() <= 11
    for place, name in enumerate(cells.all_groups(), 1):
        inside = cells.members(*name)[cell[positions]]
        assert inside[taken[:, place]].all()
        assert taken[:, place].sum() >= 100
        if name[1] != "other":
            assert (taken[:, place] == (inside & taken[:, 0])).all(), "of everybody's rows where they are enough"
    assert taken_of(cells, np.zeros(0, dtype=np.int32))[1].shape == (0, 1 + len(cells.all_groups()))


def _within(frame: pd.DataFrame, **values: object) -> np.ndarray:
    """Of which rows salary and rating lie between those of people with these values, shape (n,), bool."""
    within = np.ones(len(frame), dtype=bool)
    for name, value in values.items():
        for number in ("salary", "rating"):
            such = frame.loc[frame[name] == value, number]
            within &= (frame[name] == value) | frame[number].between(such.min(), such.max())
    return within


def _with_one_other_value(frame: pd.DataFrame, row: int) -> pd.DataFrame:
    """Possible people who differ from a row in one column, among every value of it that occurs; of salaries, a few."""
    found, own = [], frame.loc[row, list(FEATURES)]
    for name in ("languages", "rating", "sector", "remote"):
        found += [{**own, name: value} for value in sorted(set(frame[name])) if value != own[name]]
    together = pd.DataFrame(found)
    held = [one for one in FEATURES if one != "salary"]
    pairs = [set(zip(frame[a], frame[b], strict=True)) for a, b in combinations(held, 2)]
    fits = [
        all((one[a], one[b]) in seen for (a, b), seen in zip(combinations(held, 2), pairs, strict=True))
        for one in found
    ]
    return together[fits]


def _tensor(x: np.ndarray):
    import torch

    return torch.from_numpy(x)


def _loss(model: ModuleModel, x: np.ndarray, y: int) -> np.ndarray:
    logits = model.module()(_tensor(x)).numpy()
    return np.log(np.exp(logits).sum(axis=1)) - logits[:, y]


def _end(result: AuditResult, model: ModuleModel, x: np.ndarray, y: int) -> np.ndarray:
    """The plain gradient flow of one person, step by step."""
    import torch

    audit, matrix = result.audit, torch.from_numpy(result.metric.matrix)
    start, at = _tensor(x), _tensor(x.copy())
    for _ in range(audit.steps):
        at = at.detach().requires_grad_()
        moved = at - start
        goal = torch.nn.functional.cross_entropy(model.module()(at), torch.tensor([y]))
        goal = goal - audit.regularisation * (moved @ matrix * moved).sum()
        at = at + audit.step_size * torch.autograd.grad(goal, at)[0]
    return at.detach().numpy()[0]


def _between(frame: pd.DataFrame, encoder: Encoder, row: int, end: np.ndarray) -> pd.DataFrame:
    """Everybody possible who has each column as the person has it, or as the end rounds it."""
    own, reached = frame.loc[row, list(FEATURES)], encoder.inverse(end[None]).iloc[0].to_dict()
    for name in ("languages", "years at school", "remote"):
        there = np.unique(frame[name])
        reached[name] = there[np.abs(there - reached[name]).argmin()]
    reached["salary"] = float(np.clip(round(reached["salary"]), frame["salary"].min(), frame["salary"].max()))
    reached["rating"] = float(np.clip(round(reached["rating"], 1), frame["rating"].min(), frame["rating"].max()))
    kept = [own]
    for taken in product((False, True), repeat=len(FEATURES)):
        one = pd.Series({name: reached[name] if new else own[name] for name, new in zip(FEATURES, taken, strict=True)})
        kept += [one] if _is_possible(frame, one, own) else []
    everybody = pd.DataFrame(kept).astype(frame.dtypes[list(FEATURES)].to_dict() | {"salary": float})
    everybody.attrs["plain"] = pd.DataFrame([reached])
    return everybody


def _is_possible(frame: pd.DataFrame, one: pd.Series, own: pd.Series) -> bool:
    few = [name for name in FEATURES if name not in {"salary", "rating"}]
    return all(
        ((frame[a] == one[a]) & (frame[b] == one[b])).any()
        for a in few
        for b in few
        if a < b and (one[a] != own[a] or one[b] != own[b])
    )
