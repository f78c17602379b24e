"""How often the roles of real tables are guessed right: ``python -m benchmarks.role_guessing --cache DIR``.

Adds the answers of a fitted model to each table of ``benchmarks.role_tables`` and compares the guess with what is
right. Nothing of the tables is kept in the project.
"""

import argparse
import time
import warnings
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.compose import make_column_transformer
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder, StandardScaler

from benchmarks.registry import table
from benchmarks.role_tables import BOOSTED, BOOSTING, LINEAR, LOGISTIC, TABLES, Case
from core.data.guess_roles import RolesGuess, guess_roles

MOST_ROWS = 4_000


@dataclass(frozen=True)
class Marks:
    """Which parts of a guess are right, and how the outcome was told."""

    outcome: bool
    protected: bool
    predictions: bool
    unread: bool
    asked: bool

    @property
    def whole(self) -> bool:
        """Whether everything is right."""
        return self.outcome and self.protected and self.predictions and self.unread


def table_of(case: Case, cache: Path) -> pd.DataFrame:
    """The table with the model's answers, always the same."""
    kept = cache / f"{case.package}-{case.name}-{hash_of(case)}.parquet"
    if not kept.exists():
        _with_answers(case, _load(case)).to_parquet(kept, index=False)
    return pd.read_parquet(kept)


def hash_of(case: Case) -> str:
    """A short name of everything that makes the table."""
    import hashlib

    return hashlib.sha256(repr(case).encode()).hexdigest()[:10]


def _load(case: Case) -> pd.DataFrame:
    frame = table(case.package, case.name, rownames=case.rownames)
    frame = frame.dropna(subset=[case.outcome or case.target])
    return frame.sample(min(len(frame), MOST_ROWS), random_state=0).sort_index().reset_index(drop=True)


def _with_answers(case: Case, frame: pd.DataFrame) -> pd.DataFrame:
    target = case.outcome or case.target
    hidden = {target, "rownames", *case.unread.split()}
    read = frame[[name for name in frame if name not in hidden]]
    answers = _answers(case, read, frame[target])
    rng = np.random.default_rng(1)
    if case.copy:
        frame[case.copy] = (
            np.log(frame[target]) if frame[target].dtype.kind in "if" else frame[target].map("as {}".format)
        )
    if case.extra:
        days = pd.to_datetime("2024-01-02") + pd.to_timedelta(rng.integers(0, 300, len(frame)), unit="D")
        frame["decided_on"] = days.astype(str)
        said = np.array(["called", "twice", "about", "it", "and", "came", "back", "later", "to", "ask", "once", "more"])
        frame["remarks"] = [" ".join(rng.permutation(said)[: rng.integers(4, 12)]) for _ in range(len(frame))]
    if not case.outcome:
        frame = frame.drop(columns=target)
    added = dict(zip(case.answers, answers, strict=False))
    if case.where == "first":
        return pd.DataFrame(added | dict(frame.items()))
    if case.where == "around":
        place = frame.columns.get_loc(target)
        names = list(frame.columns)
        order = [*names[:place], *list(added)[:1], *names[place:], *list(added)[1:]]
        return frame.assign(**added)[order]
    return frame.assign(**added)


def _answers(case: Case, read: pd.DataFrame, target: pd.Series) -> list[np.ndarray]:
    boosted = case.model in (BOOSTED, BOOSTING)
    numbers = [name for name in read if read[name].dtype.kind in "ifu"]
    words = [name for name in read if name not in numbers and read[name].astype(str).nunique() <= 60]
    read = read[numbers + words].astype(dict.fromkeys(words, str))
    if boosted:
        coder = OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1)
        prepared = make_column_transformer((coder, words), remainder="passthrough")
    else:
        filled = make_pipeline(SimpleImputer(), StandardScaler())
        prepared = make_column_transformer(
            (filled, numbers), (OneHotEncoder(min_frequency=5, handle_unknown="ignore"), words)
        )
    estimator = {
        LOGISTIC: LogisticRegression(max_iter=2_000),
        BOOSTING: HistGradientBoostingClassifier(max_iter=60, random_state=0),
        LINEAR: LinearRegression(),
        BOOSTED: HistGradientBoostingRegressor(max_iter=60, random_state=0),
    }[case.model]
    model = make_pipeline(prepared, estimator)
    rows = np.random.default_rng(2).permutation(len(read))[: int(0.7 * len(read))]
    model.fit(read.iloc[rows], target.iloc[rows])
    if case.model in (LINEAR, BOOSTED):
        return [np.round(model.predict(read), case.digits)]
    return [model.predict(read), np.round(model.predict_proba(read)[:, -1], case.digits)]


def mark(case: Case, guess: RolesGuess) -> Marks:
    """Compare a guess with what is right."""
    must, may = set(case.protected.split()), set(case.may.split())
    protected = {*guess.protected, *(name for name, _ in guess.offered)}
    unread = {
        *case.unread.split(),
        *([case.copy] if case.copy else []),
        *(["decided_on", "remarks"] if case.extra else []),
    }
    unread |= {"rownames"} if case.rownames else set()
    return Marks(
        outcome=(guess.outcome or "") == case.outcome,
        protected=must <= protected <= must | may,
        predictions=set(guess.predictions) == set(case.answers),
        unread=not unread & set(guess.features),
        asked=not guess.sure,
    )


def measure(cases: tuple[Case, ...], cache: Path, told: bool) -> None:
    """Print what is wrong in each table, and how many are right."""
    found, begun = [], 0.0
    for case in cases:
        frame = table_of(case, cache)
        started = time.perf_counter()
        guess = guess_roles(frame)
        begun += time.perf_counter() - started
        marks = mark(case, guess)
        found.append(marks)
        if told and not marks.whole:
            print(f"{case.package} {case.name}{' ASKS' if marks.asked else ''}")
            if not marks.outcome:
                print(f"    outcome {guess.outcome}, right {case.outcome or None}")
            if not marks.protected:
                taken = {*guess.protected, *(name for name, _ in guess.offered)} - set(case.may.split())
                print(f"    protected or offered {sorted(taken)}, right {case.protected.split()}")
            if not marks.predictions:
                print(f"    predictions {guess.predictions}, right {case.answers}")
            if not marks.unread:
                print(f"    features with something else among them: {guess.features}")
    counts = {
        part: sum(getattr(one, part) for one in found) for part in ("outcome", "protected", "predictions", "unread")
    }
    silent = sum(not one.outcome and not one.asked for one in found)
    print(
        f"{len(found)} tables: wholly right {sum(one.whole for one in found)}; "
        + ", ".join(f"{part} {value}" for part, value in counts.items())
        + f"; wrong outcome without asking {silent}; asked {sum(one.asked for one in found)}; {begun:.1f} s"
    )


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    parser = argparse.ArgumentParser()
    parser.add_argument("--cache", type=Path, required=True)
    parser.add_argument("--tables", choices=TABLES, nargs="+", default=list(TABLES))
    parser.add_argument("--count-only", action="store_true")
    given = parser.parse_args()
    given.cache.mkdir(parents=True, exist_ok=True)
    for part in given.tables:
        print(part)
        measure(TABLES[part], given.cache, told=not given.count_only)
