"""A text classifier fitted to a table: its embedding, answers, classes, and what a reader is told of its reading."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
import pytest
import torch

from core.base.errors import DataError, ModelError
from core.base.files import FileRef
from core.contracts.model import AbstractModel
from core.data.dataset import Dataset
from core.data.roles import Roles
from core.models import LstmArchive
from core.models import text as text_model
from core.models.formats.lstm.network import LstmNetwork
from core.models.inspection import inspect
from core.models.text import TextModel, fit_to_table, outputs, reading_caveats
from core.run import _summarise_model
from core.text.network import AbstractTextNetwork
from core.text.tokens import Tokens
from tests.builders_text import CLASSES, make_network, make_text_dataset, make_text_model, make_texts, make_tokeniser

SOURCE = LstmArchive(file=FileRef(name="tiny.zip", sha256="a" * 64, bytes=1))


class Renamed(AbstractTextNetwork):
    """A network whose file calls its outputs something else, or has a single logit."""

    def __init__(self, inner: LstmNetwork, classes: tuple[str, ...], *, single: bool = False) -> None:
        self.inner = inner
        self.vocabulary, self.width, self.unknown = inner.vocabulary, inner.width, inner.unknown
        self.pooled_width, self.classes = inner.pooled_width, classes
        self.last = inner.head()
        if single:
            self.last = torch.nn.Linear(inner.pooled_width, 1).requires_grad_(False)
            torch.nn.init.constant_(self.last.weight, 0.5)

    def read(self, texts: Sequence[str]) -> tuple[Tokens, ...]:
        return self.inner.read(texts)

    def word_embeddings(self, ids: torch.Tensor) -> torch.Tensor:
        return self.inner.word_embeddings(ids)

    def pooled(self, embeddings: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        return self.inner.pooled(embeddings, mask)

    def head(self) -> torch.nn.Module:
        return self.last


def fitted(classes: tuple[str, ...], dataset: Dataset, *, single: bool = False, declared: tuple[str, ...] = ()):
    network = Renamed(make_network(), classes, single=single)
    source = SOURCE.model_copy(update={"classes": declared})
    return fit_to_table(source, network, dataset, "tiny.zip", kind="Text classifier")


def table(texts: list[str]) -> Dataset:
    return Dataset.build(pd.DataFrame({"text": texts}), Roles(text="text"))


def one_by_one(network: AbstractTextNetwork, texts: Sequence[str]) -> np.ndarray:
    rows = []
    for text in texts:
        ids = torch.tensor(network.read([text])[0].ids)[None, :]
        pooled = network.pooled(network.word_embeddings(ids), torch.ones_like(ids, dtype=torch.bool))
        rows.append(network.head()(pooled).double().softmax(dim=1).numpy()[0])
    return np.array(rows)


@pytest.mark.parametrize("at_once", [1, 40, 8192])
def test_answers_are_those_of_each_text_alone(at_once: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_model, "TOKENS_AT_ONCE", at_once)
    dataset = make_text_dataset(30)
    model = make_text_model(dataset, pooling="max", directions=2)
    data = model.encode(dataset)
    assert data.x.dtype == np.float64
    assert data.x.shape == (30, 10)
    np.testing.assert_allclose(model.predict_proba(data), one_by_one(model.network, data.texts), atol=1e-6)


def test_batches_hold_texts_of_like_length_and_few_tokens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_model, "TOKENS_AT_ONCE", 64)
    seen: list[tuple[int, int, int]] = []
    model = make_text_model()
    inner = model.network.pooled

    def watched(embeddings: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        seen.append((len(mask), mask.shape[1], int(mask.sum(dim=1).min())))
        return inner(embeddings, mask)

    monkeypatch.setattr(model.network, "pooled", watched)
    texts = ["she is a nurse " * (1 + number % 7) for number in range(90)]
    model.embed(texts)
    assert sum(rows for rows, _, _ in seen) == 90
    assert all(rows * width <= 64 for rows, width, _ in seen)
    assert [width for _, width, _ in seen] == sorted((width for _, width, _ in seen), reverse=True)
    assert sum(shortest < width for _, width, shortest in seen) <= 6


def test_many_texts_are_read_block_by_block(monkeypatch: pytest.MonkeyPatch) -> None:
    model, texts = make_text_model(), make_texts(50)["text"].tolist()
    whole = model.embed(texts)
    monkeypatch.setattr(text_model, "_TEXTS_AT_ONCE", 7)
    np.testing.assert_allclose(model.embed(texts), whole, atol=1e-6)
    assert model.embed([]).shape == (0, 5)


def test_empty_texts_have_an_answer() -> None:
    network = make_network(tokeniser=make_tokeniser(closing=False))
    model = make_text_model(network=network)
    found = model.embed(["", "she", " \n"])
    assert (found[[0, 2]] == 0).all()
    assert (found[1] != 0).any()


def test_the_same_text_is_answered_alike_wherever_it_stands() -> None:
    model, texts = make_text_model(), make_texts(40)["text"].tolist()
    turned = model.embed(texts[::-1])[::-1]
    np.testing.assert_allclose(turned, model.embed(texts), atol=1e-6)


def test_encoded_texts_follow_their_rows() -> None:
    dataset = make_text_dataset()
    model = make_text_model(dataset)
    data = model.encode(dataset)
    rows = np.array([5, 3, 8])
    taken = data.take(rows)
    assert taken.texts == tuple(data.texts[row] for row in rows)
    np.testing.assert_allclose(taken.embed(taken.texts), taken.x, atol=1e-6)
    assert [CLASSES[code] for code in taken.y] == [dataset.frame["job"].iloc[row] for row in rows]
    assert model.reads == ("text",)
    assert data.encoder.is_embedding


def test_a_single_logit_counts_as_zero_and_itself() -> None:
    frame = make_texts().assign(job=lambda table: np.where(table["job"] == "nurse", "nurse", "other"))
    dataset = Dataset.build(frame, Roles(text="text", outcome="job", favourable="other"))
    model = fitted(("nurse", "other"), dataset, single=True)
    data = model.encode(dataset)
    z = (model.network.head().double()(torch.from_numpy(data.x))).numpy()[:, 0]
    np.testing.assert_allclose(model.predict_proba(data)[:, 1], 1 / (1 + np.exp(-z)), atol=1e-12)
    assert outputs(model.network) == 1


def test_classes_of_the_file_are_found_in_the_table_however_they_are_written() -> None:
    frame = make_texts().assign(job=lambda table: table["job"].str.upper().str.replace("NURSE", "Staff Nurse"))
    dataset = Dataset.build(frame, Roles(text="text", outcome="job"))
    model = fitted(("doctor", "staff_nurse", "teacher"), dataset)
    assert model.classes == ("DOCTOR", "Staff Nurse", "TEACHER")
    assert model.caveats == ()


def test_a_table_may_lack_some_of_the_classes() -> None:
    frame = make_texts(80).query("job != 'teacher'")
    model = make_text_model(Dataset.build(frame, Roles(text="text", outcome="job")))
    assert model.classes == CLASSES


def test_classes_without_a_name_are_those_of_the_table_and_it_is_told() -> None:
    for unnamed in ((), ("LABEL_0", "LABEL_1", "LABEL_2")):
        model = fitted(unnamed, make_text_dataset())
        assert model.classes == CLASSES
        (caveat,) = model.caveats
        assert caveat.level == "warning"
        assert "'job = doctor', 'job = nurse', 'job = teacher', in ascending order" in caveat.what
    declared = ("teacher", "nurse", "doctor")
    model = fitted((), make_text_dataset(), declared=declared)
    assert (model.classes, model.caveats) == (declared, ())


def test_classes_that_do_not_fit_the_table_are_an_error() -> None:
    for own in (("cook", "nurse", "teacher"), ("0", "1", "2")):
        with pytest.raises(ModelError, match="no class for the outcome 'doctor'"):
            fitted(own, make_text_dataset())
    two = Dataset.build(make_texts(80).query("job != 'teacher'"), Roles(text="text", outcome="job"))
    with pytest.raises(ModelError, match="3 classes and the table has 2 outcomes"):
        fitted((), two)


def test_without_an_outcome_the_classes_are_those_of_the_file() -> None:
    dataset = make_text_dataset(outcome=False)
    assert make_text_model(dataset).classes == CLASSES
    assert fitted((), dataset).classes == ("class 0", "class 1", "class 2")


def test_a_table_without_texts_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    frame = make_texts().assign(words=lambda table: table["text"].str.len())
    dataset = Dataset.build(
        frame, Roles(outcome="job", favourable="doctor", protected=("gender",), features=("words",))
    )
    with pytest.raises(ModelError, match="no column of the table is chosen as the text"):
        make_text_model(dataset)


def test_the_fingerprint_follows_file_classes_and_column() -> None:
    dataset = make_text_dataset()
    network = make_network()
    other = Dataset.build(make_texts().rename(columns={"text": "story"}), Roles(text="story"))

    def fingerprint(source: LstmArchive, of: Dataset = dataset) -> str:
        return fit_to_table(source, network, of, "tiny.zip", kind="k").fingerprint

    base = fingerprint(SOURCE)
    assert fingerprint(SOURCE.model_copy(update={"trained_on": "other rows"})) == base
    file = FileRef(name="tiny.zip", sha256="b" * 64, bytes=1)
    found = {
        base,
        fingerprint(SOURCE.model_copy(update={"file": file})),
        fingerprint(SOURCE.model_copy(update={"classes": CLASSES[::-1]})),
        fingerprint(SOURCE, other),
    }
    assert len(found) == 4


def told(network: LstmNetwork, texts: list[str]) -> list[tuple[str, str]]:
    return [(caveat.level, caveat.what) for caveat in reading_caveats(network, texts)]


def test_cut_texts_and_their_words_are_counted() -> None:
    """Six tokens hold [CLS], four words and [SEP]."""
    texts = ["she is a nurse", "she is a nurse and he is a doctor", "he is a doctor who", *["she works"] * 17]
    assert told(make_network(longest=6), texts) == [
        ("info", "2 of 20 texts are longer than the model reads: 6 words at their ends played no part.")
    ]
    assert told(make_network(longest=6), texts[:4])[0][0] == "warning"
    assert told(make_network(longest=32), texts) == []


def test_of_a_word_cut_in_the_middle_a_part_is_read() -> None:
    """ "nurses" is two pieces, "nurse" and "##s"; with four tokens only the first is read, with three none."""
    assert "1 word at their ends" in told(make_network(longest=3), ["she nurses"])[0][1]
    assert told(make_network(longest=4), ["she nurses"]) == []


def test_spaces_at_the_end_are_no_loss() -> None:
    assert told(make_network(longest=4), ["she is   \n\n"]) == []


def test_empty_texts_are_counted() -> None:
    texts = ["", " \u3000", "\x00\x01", "she is a nurse", "a doctor"]
    assert told(make_network(), texts) == [
        ("warning", "3 of 5 texts are empty, or hold nothing that the model can read; it answers them all alike.")
    ]


def test_another_language_is_noticed() -> None:
    foreign = ["Sie arbeitet seit Jahren als Krankenschwester", "👩‍⚕️ 🏥 🎓"]
    (caveat,) = told(make_network(), foreign)
    assert caveat[0] == "warning"
    assert "does not know 100% of what it reads (9 of 9 tokens" in caveat[1]
    assert told(make_network(), ["she is a kind nurse", "he is a tall doctor and a Pilot"]) == []


def test_the_model_carries_what_was_noticed() -> None:
    dataset = table(["she is a nurse", "sie arbeitet seit Jahren"] * 20)
    assert "does not know 50% of what it reads" in make_text_model(dataset).caveats[0].what


def check_law(model: AbstractModel, dataset: Dataset) -> None:
    """The module's softmax is the answer, as for every differentiable model."""
    data = model.encode(dataset)
    logits = model.module().double()(torch.from_numpy(data.x))
    np.testing.assert_allclose(logits.softmax(dim=1).detach().numpy(), model.predict_proba(data), atol=1e-12)


def test_the_module_gives_the_answers() -> None:
    dataset = make_text_dataset()
    check_law(make_text_model(dataset), dataset)


def test_inspection_with_an_outcome_shows_text_outcome_and_answer() -> None:
    dataset = make_text_dataset()
    model = make_text_model(dataset)
    report = inspect(model, dataset)
    assert list(report.examples.columns) == ["text", "job (true)", "job (predicted)", "job (probability)"]
    assert report.confusion.sum() == 60
    right = model.predict_proba(model.encode(dataset)).argmax(axis=1) == model.encode(dataset).y
    assert report.accuracy == pytest.approx(right.mean())


def test_inspection_without_an_outcome_has_no_accuracy_and_blames_nobody() -> None:
    dataset = make_text_dataset(outcome=False, protected=False)
    model = make_text_model(dataset)
    report = inspect(model, dataset)
    assert report.confusion.sum() == 0
    assert all(np.isnan([report.accuracy, report.majority_share, report.balanced_accuracy]))
    assert report.caveats == ()
    assert list(report.examples.columns) == ["text", "answer (predicted)", "answer (probability)"]
    best = model.predict_proba(model.encode(dataset))[:5]
    assert report.examples["answer (predicted)"].tolist() == [CLASSES[k] for k in best.argmax(axis=1)]
    np.testing.assert_allclose(report.examples["answer (probability)"], best.max(axis=1))


def test_the_summary_counts_no_text_without_an_outcome_as_the_last_class() -> None:
    dataset = make_text_dataset(outcome=False)
    model: TextModel = make_text_model(dataset)
    summary = _summarise_model(model, model.encode(dataset))
    assert summary.confusion.tolist() == [[0] * 3] * 3
    assert all(np.isnan([summary.accuracy, summary.balanced_accuracy, summary.majority_share]))
    with_outcome = make_text_dataset()
    assert _summarise_model(model, model.encode(with_outcome)).confusion.sum() == 60


def test_answers_that_are_not_numbers_are_located() -> None:
    network = make_network()
    with torch.no_grad():
        network.module["embedding"].weight[network.tokeniser.unknown] = float("nan")
    dataset = table(["she is a nurse"] * 30 + ["she is a Pilot"])
    model = make_text_model(dataset, network=network)
    with pytest.raises(ModelError, match=r"not a finite number for 1 of 31 rows.*row 31"):
        model.predict_proba(model.encode(dataset))
    assert inspect(model, dataset).not_finite == 1


def test_an_outcome_without_a_class_is_located() -> None:
    model = make_text_model()
    frame = make_texts().assign(job=lambda table: table["job"].where(table.index != 4, "pilot"))
    with pytest.raises(DataError, match=r"no class for the outcome 'pilot'.*row 5"):
        model.encode(Dataset.build(frame, Roles(text="text", outcome="job")))
