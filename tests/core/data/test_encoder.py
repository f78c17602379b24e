"""The way into a model's numbers and back: scikit-learn is the oracle, the round trip is the law."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.compose import ColumnTransformer
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from core.base.errors import DataError
from core.data.encoder import BinaryColumn, CategoricalColumn, Encoder, NumericColumn

NUMBERS = st.floats(-1e9, 1e9, allow_subnormal=False)
WORDS = st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=6)


def table(rows: int = 200) -> pd.DataFrame:
    rng = np.random.default_rng(1)
    return pd.DataFrame(
        {
            "age": rng.integers(18, 90, rows),
            "job": rng.choice(["pilot", "cook", "clerk"], rows),
            "wage": rng.lognormal(9, 2, rows),
            "flag": rng.integers(0, 2, rows),
            "member": rng.random(rows) < 0.3,
            "grade": rng.choice([1.0, 1.5, 2.0], rows),
            "shift": rng.choice(["day", "night"], rows),
        }
    )


def test_the_encoding_is_scikit_learns() -> None:
    frame, later = table(), table(500).iloc[200:]
    encoder = Encoder.fit(frame, ("age", "wage", "job", "shift"))
    one_hot = OneHotEncoder(drop="if_binary", sparse_output=False)
    oracle = ColumnTransformer([("n", StandardScaler(), ["age", "wage"]), ("c", one_hot, ["job", "shift"])])
    oracle.fit(frame)
    for rows in (frame, later):
        np.testing.assert_allclose(encoder.transform(rows), oracle.transform(rows), rtol=0, atol=1e-12)
    assert encoder.names == ("age", "wage", "job = clerk", "job = cook", "job = pilot", "shift = night")
    assert encoder.columns[-1] == BinaryColumn(name="shift", categories=("day", "night"))


@given(st.lists(WORDS.filter(bool), min_size=1, max_size=12))
def test_any_words_are_encoded_as_scikit_learn_does(words: list[str]) -> None:
    frame = pd.DataFrame({"word": pd.Series(words, dtype="str")})
    oracle = OneHotEncoder(drop="if_binary", sparse_output=False).fit_transform(frame.astype(object))
    assert (Encoder.fit(frame, ("word",)).transform(frame) == oracle).all()


def test_two_categories_have_one_indicator_or_one_each_on_request() -> None:
    frame = table()
    encoder = Encoder.fit(frame, ("shift", "age", "job"))
    both = encoder.one_hot
    assert both.names == ("shift = day", "shift = night", "age", "job = clerk", "job = cook", "job = pilot")
    x, wide = encoder.transform(frame), both.transform(frame)
    assert encoder.sources.tolist() == [0, 1, 2, 2, 2]
    assert (wide[:, 1:] == x).all()
    assert (wide[:, 0] == 1 - x[:, 0]).all()
    assert both.one_hot == both


@given(st.lists(st.tuples(st.sampled_from(["no", "yes"]), st.floats(-0.49, 0.49)), min_size=2, max_size=30))
def test_an_indicator_that_moved_is_read_as_the_nearer_category(rows: list[tuple[str, float]]) -> None:
    encoder = Encoder(columns=(BinaryColumn(name="answer", categories=("no", "yes")),))
    frame = pd.DataFrame({"answer": [word for word, _ in rows]}, dtype="str")
    moved = encoder.transform(frame) + np.array([[move] for _, move in rows])
    assert encoder.inverse(moved)["answer"].tolist() == frame["answer"].tolist()
    assert encoder.inverse(encoder.transform(frame) + 5)["answer"].unique().tolist() == ["yes"]


def test_files_written_with_two_indicators_keep_them() -> None:
    written = '{"columns": [{"kind": "categorical", "name": "shift", "categories": ["day", "night"]}]}'
    encoder = Encoder.model_validate_json(written)
    assert encoder.transform(table()).shape == (200, 2)
    assert encoder.inverse(encoder.transform(table()))["shift"].tolist() == table()["shift"].tolist()


def test_the_order_of_the_features_is_the_callers() -> None:
    encoder = Encoder.fit(table(), ("job", "age", "flag"))
    assert encoder.features == ("job", "age", "flag")
    assert encoder.sources.tolist() == [0, 0, 0, 1, 2]
    assert encoder.width == len(encoder.names) == 5


def test_indicators_and_truth_values_stay_as_they_are() -> None:
    frame = table()
    x = Encoder.fit(frame, ("flag", "member")).transform(frame)
    assert (x == frame[["flag", "member"]].to_numpy(dtype=float)).all()
    assert x.dtype == np.float64


def test_a_constant_column_has_scale_one_and_encodes_to_zero() -> None:
    frame = pd.DataFrame({"x": [7.25] * 40, "job": ["cook"] * 40, "zero": [0] * 40})
    encoder = Encoder.fit(frame, ("x", "job", "zero"))
    assert encoder.columns[0] == NumericColumn(name="x", mean=7.25, scale=1.0)
    assert (encoder.transform(frame) == [0.0, 1.0, 0.0]).all()


def test_number_categories_are_written_the_same_in_every_part_of_a_table() -> None:
    encoder = Encoder(columns=(CategoricalColumn(name="grade", categories=("1", "1.5", "2")),))
    frame = table()
    whole = frame[frame["grade"] != 1.5]
    assert (encoder.transform(whole).sum(axis=1) == 1).all()


@given(st.lists(st.tuples(NUMBERS, WORDS, st.booleans(), st.sampled_from("ab")), min_size=1, max_size=25))
def test_decoding_undoes_encoding(rows: list[tuple[float, str, bool, str]]) -> None:
    frame = pd.DataFrame(rows, columns=["x", "word", "flag", "letter"]).astype({"word": "str", "letter": "str"})
    encoder = Encoder.fit(frame, ("x", "word", "flag", "letter"))
    back = encoder.inverse(encoder.transform(frame))
    spread = max(encoder.columns[0].scale, abs(encoder.columns[0].mean))  # type: ignore[union-attr]
    np.testing.assert_allclose(back["x"], frame["x"], rtol=1e-12, atol=1e-9 * spread)
    assert back["word"].tolist() == frame["word"].tolist()
    assert back["letter"].tolist() == frame["letter"].tolist()
    assert (back["flag"] == frame["flag"]).all()


@given(st.lists(NUMBERS, min_size=2, max_size=25))
def test_standardised_numbers_have_mean_zero_and_spread_one(values: list[float]) -> None:
    assume(np.std(values) > 1e-6 * max(1.0, float(np.max(np.abs(values)))))
    frame = pd.DataFrame({"x": values})
    assume(not set(values) <= {0.0, 1.0})
    x = Encoder.fit(frame, ("x",)).transform(frame)
    assert abs(x.mean()) < 1e-6
    assert abs(x.std() - 1) < 1e-6


@given(st.lists(WORDS, min_size=1, max_size=30))
def test_every_row_has_exactly_one_indicator_a_column(words: list[str]) -> None:
    frame = pd.DataFrame({"word": pd.Series(words, dtype="str")})
    x = Encoder.fit(frame, ("word",)).one_hot.transform(frame)
    assert set(np.unique(x)) <= {0.0, 1.0}
    assert (x.sum(axis=1) == 1).all()
    assert x.shape[1] == len(set(words))


def test_the_nearest_category_is_decoded_after_a_move() -> None:
    encoder = Encoder.fit(table(), ("job", "wage"))
    moved = encoder.transform(table()) + 0.3
    assert (encoder.inverse(moved)["job"] == table()["job"]).all()


def test_a_move_is_told_in_standard_deviations_and_in_shares_of_the_way_to_another_category() -> None:
    frame = pd.DataFrame({"age": [20.0, 40.0, 60.0], "work": ["desk", "field", "shop"], "sex": ["f", "m", "f"]})
    encoder = Encoder.fit(frame, ("age", "work", "sex"))
    start = encoder.transform(frame)
    there = start + 0.19 * (start[[1, 2, 0]] - start)
    moved = encoder.moved(start, there)
    scale = np.std(frame["age"])
    assert moved[:, 0] == pytest.approx(0.19 * np.array([20, 20, 40]) / scale)
    assert moved[:, 1:] == pytest.approx(0.19 * np.array([[1, 1], [1, 1], [1, 0]]))
    assert list(encoder.inverse(there)["work"]) == list(frame["work"])


def test_an_encoder_travels_as_json() -> None:
    encoder = Encoder.fit(table(), ("age", "job", "wage", "flag", "shift"))
    again = Encoder.model_validate_json(encoder.model_dump_json())
    assert again == encoder
    assert (again.transform(table()) == encoder.transform(table())).all()


class TestRefusals:
    encoder = Encoder.fit(table(), ("age", "job"))

    def refusal(self, frame: pd.DataFrame) -> DataError:
        with pytest.raises(DataError) as caught:
            self.encoder.transform(frame)
        return caught.value

    def test_a_missing_column(self) -> None:
        assert "'job'" in self.refusal(table().drop(columns="job")).what

    def test_a_third_category_in_a_column_of_two(self) -> None:
        encoder = Encoder.fit(table(), ("shift",))
        frame = table()
        frame.loc[6, "shift"] = "dawn"
        with pytest.raises(DataError) as caught:
            encoder.transform(frame)
        assert "'dawn'" in caught.value.what
        assert caught.value.where == "column 'shift', row 7"

    def test_an_unseen_category_with_its_row(self) -> None:
        frame = table().astype({"job": object})
        frame.loc[[8, 9], "job"] = "astronaut"
        error = self.refusal(frame)
        assert error.what.startswith("2 rows")
        assert "'astronaut'" in error.what
        assert error.where == "column 'job', row 9"

    @pytest.mark.parametrize(("value", "said"), [(np.nan, "an empty cell"), (np.inf, "'inf'"), ("old", "'old'")])
    def test_a_cell_that_is_no_finite_number_with_its_row(self, value: object, said: str) -> None:
        frame = table().astype({"age": object})
        frame.loc[4, "age"] = value
        error = self.refusal(frame)
        assert said in error.what
        assert error.where == "column 'age', row 5"

    def test_an_empty_cell_among_categories(self) -> None:
        frame = table().astype({"job": object})
        frame.loc[2, "job"] = None
        assert "an empty cell" in self.refusal(frame).what
        with pytest.raises(DataError, match="empty"):
            Encoder.fit(frame, ("job",))

    @pytest.mark.parametrize("values", [[1.0, np.nan], [1.0, np.inf], [1e200, -1e200]])
    def test_numbers_nothing_can_be_learned_from(self, values: list[float]) -> None:
        with pytest.raises(DataError):
            Encoder.fit(pd.DataFrame({"x": values}), ("x",))

    def test_no_features(self) -> None:
        with pytest.raises(DataError, match="nothing for a model to read"):
            Encoder.fit(table(), ())

    def test_a_feature_that_is_not_there(self) -> None:
        with pytest.raises(DataError, match="'size'"):
            Encoder.fit(table(), ("size",))
