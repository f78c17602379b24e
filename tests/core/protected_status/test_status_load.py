from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import torch

from core.base.errors import CancelledError, DataError, ModelError
from core.base.files import FileStore
from core.base.progress import Progress, ignore_progress
from core.data.dataset import Dataset
from core.data.roles import Roles
from core.models.formats.hugging_face.source import HuggingFaceFolder
from core.models.formats.lstm.network import write_archive
from core.models.formats.lstm.source import LstmArchive
from core.models.text import TextModel
from core.protected_status import NoStatus, TrainedStatus, UploadedStatus
from core.protected_status.judging import accuracy
from core.protected_status.load import load_status
from core.protected_status.model import StatusModel
from core.protected_status.settings import Corpus
from core.protected_status.training import logits_of
from core.sources.upload.uploaded import UploadedTable
from core.text.data import EncodedTexts
from tests import builders_hugging_face as library
from tests.builders_status import MARKS, encode, make_corpus

QUICK = TrainedStatus(epochs=20)


def load(source, model: TextModel, data: EncodedTexts, files: FileStore, seed: int = 0, **given) -> StatusModel:  # type: ignore[no-untyped-def]
    on_progress = given.get("on_progress", ignore_progress)
    found = load_status(source, model, data, np.random.default_rng(seed), on_progress, files)
    assert found is not None
    return found


def weights(status: StatusModel) -> dict[str, torch.Tensor]:
    return dict(status.network.module.state_dict())


def same(first: StatusModel, second: StatusModel) -> bool:
    one, other = weights(first), weights(second)
    return one.keys() == other.keys() and all(torch.equal(one[name], other[name]) for name in one)


@pytest.fixture(scope="module")
def learned(model: TextModel, tmp_path_factory: pytest.TempPathFactory) -> tuple[EncodedTexts, StatusModel]:
    data = encode(make_corpus(240), model)
    return data, load(QUICK, model, data, FileStore(tmp_path_factory.mktemp("files")))


def test_the_one_word_that_tells_the_gender_decides_the_answer(learned: tuple[EncodedTexts, StatusModel]) -> None:
    """Without that word the answer is open; without any other it stays.

    The gradient is no such law: where one word decides, the network is saturated there, and |∂g/∂x| is largest at words
    that could become it. Here the word carries 0.08 of v among eight words.
    """
    data, status = learned
    assert status.report.accuracy.min() > 0.9
    assert status.report.weak == ""
    moved_by_mark, moved_by_others = [], []
    for row in status.measured[:40]:
        (tokens,) = status.network.read([data.texts[row]])
        ids = torch.from_numpy(tokens.ids)[None].repeat(len(tokens) + 1, 1)
        embedded = status.network.word_embeddings(ids).clone()
        embedded[range(len(tokens)), range(len(tokens))] = 0
        pooled = status.network.pooled(embedded, torch.ones_like(ids, dtype=torch.bool))
        answers = torch.softmax(status.network.head()(pooled), dim=1)[:, 1]
        moved = (answers[:-1] - answers[-1]).abs().numpy()
        marked = np.array(
            [data.texts[row][a:b] in MARKS.values() for a, b in zip(tokens.start, tokens.end, strict=True)]
        )
        moved_by_mark.append(moved[marked].sum())
        moved_by_others.append(moved[~marked].mean())
    assert np.median(moved_by_mark) > 0.3
    assert np.median(moved_by_others) < 0.05


def test_what_is_measured_was_not_learned_from_and_judges(learned: tuple[EncodedTexts, StatusModel]) -> None:
    data, status = learned
    report = status.report
    assert report.learned_from == 96
    assert len(status.measured) == 240 - 96
    assert report.texts.tolist() == [72, 72]
    codes, groups = data.dataset.groups("gender")
    assert report.groups == groups
    tokens = status.network.read([data.texts[row] for row in status.measured])
    with torch.no_grad():
        predicted = np.array([int(logits_of(status.network, [each]).argmax()) for each in tokens])
    for group in (0, 1):
        of_group = codes[status.measured] == group
        assert report.accuracy[group] == np.mean(predicted[of_group] == group)
    assert (report.origin, report.attribute) == ("trained", "gender")
    assert "96 texts" in report.name
    assert 1 <= report.epochs <= 20
    assert any("not measured" in caveat.what for caveat in status.caveats)


def test_the_network_is_frozen_and_reads_the_models_tokens(
    learned: tuple[EncodedTexts, StatusModel], model: TextModel
) -> None:
    _, status = learned
    assert status.network.vocabulary == model.network.vocabulary
    assert status.network.classes == status.report.groups
    assert not any(parameter.requires_grad for parameter in status.network.module.parameters())
    assert not status.network.module.training


@pytest.mark.parametrize("architecture", ["small", "as the model"])
def test_with_or_without_the_memo_the_bytes_are_the_same(
    architecture: str, model: TextModel, files: FileStore, memo_at: Callable[[str], Path]
) -> None:
    source = TrainedStatus(architecture=architecture, epochs=2)
    data = encode(make_corpus(80), model)
    before, random_state, threads = (
        {name: value.clone() for name, value in model.network.module.state_dict().items()},
        torch.get_rng_state(),
        torch.get_num_threads(),
    )
    folder = memo_at("first")
    first = load(source, model, data, files)
    assert len(list(folder.iterdir())) == 1
    phases: list[str] = []
    again = load(source, model, data, files, on_progress=lambda progress: phases.append(progress.phase))
    assert not any("epoch" in phase for phase in phases)
    memo_at("second")
    anew = load(source, model, data, files)
    assert same(first, again)
    assert same(first, anew)
    assert first.report.epochs == again.report.epochs == anew.report.epochs
    assert np.array_equal(first.report.accuracy, again.report.accuracy)
    assert not same(first, load(source, model, data, files, seed=1))
    assert torch.equal(torch.get_rng_state(), random_state)
    assert torch.get_num_threads() == threads
    assert all(torch.equal(before[name], value) for name, value in model.network.module.state_dict().items())
    assert not any(parameter.requires_grad for parameter in model.network.module.parameters())


def test_a_damaged_memo_is_trained_again(model: TextModel, files: FileStore, memo_at: Callable[[str], Path]) -> None:
    source, data, folder = TrainedStatus(epochs=1), encode(make_corpus(80), model), memo_at("home")
    first = load(source, model, data, files)
    (kept,) = folder.iterdir()
    kept.write_bytes(kept.read_bytes()[:50])
    assert same(first, load(source, model, data, files))


def test_the_order_of_the_table_changes_nothing(model: TextModel, files: FileStore) -> None:
    frame = make_corpus(80)
    order = np.random.default_rng(3).permutation(80)
    source = TrainedStatus(epochs=1)
    first = load(source, model, encode(frame, model), files)
    other = load(source, model, encode(frame.iloc[order], model), files)
    assert same(first, other)
    assert set(first.measured) == set(order[other.measured])


def test_shuffled_groups_make_a_weak_model_that_says_so(model: TextModel, files: FileStore) -> None:
    frame = make_corpus(240)
    frame["gender"] = np.random.default_rng(1).permutation(frame["gender"])
    status = load(TrainedStatus(epochs=4), model, encode(frame, model), files)
    assert "guessing gets 50%" in status.report.weak
    serious = [caveat for caveat in status.caveats if caveat.level == "serious"]
    assert len(serious) == 1
    assert "P4, P5" in serious[0].advice


def test_a_model_that_knows_one_group_better_says_so(
    model: TextModel, files: FileStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    uneven = accuracy(np.array([732, 797]), np.array([800, 800]))
    monkeypatch.setattr("core.protected_status.load.judge", lambda *_: uneven)
    status = load(TrainedStatus(epochs=1), model, encode(make_corpus(60), model), files)
    assert status.report.weak == ""
    (warning,) = [caveat for caveat in status.caveats if caveat.level == "warning"]
    assert "91.5% of the texts of 'female'" in warning.what
    assert "P4, P5" in warning.advice


def test_as_the_model_keeps_the_models_word_embeddings(model: TextModel, files: FileStore) -> None:
    status = load(TrainedStatus(architecture="as the model", epochs=2), model, encode(make_corpus(80), model), files)
    ids = torch.arange(model.network.tokeniser.size)[None]
    assert torch.equal(status.network.word_embeddings(ids), model.network.word_embeddings(ids))
    assert status.network.width == model.network.width
    assert "word embeddings kept" in status.report.name
    assert not torch.equal(status.network.module["lstm"].weight_hh_l0, model.network.module["lstm"].weight_hh_l0)


def test_it_can_be_stopped_between_batches_and_leaves_torch_as_it_was(model: TextModel, files: FileStore) -> None:
    data, threads, state = encode(make_corpus(80), model), torch.get_num_threads(), torch.get_rng_state()
    phases: list[str] = []

    def stop(progress: Progress) -> None:
        phases.append(progress.phase)
        if "epoch 2, held-out loss" in progress.phase:
            raise CancelledError("Stopped.")

    with pytest.raises(CancelledError):
        load(QUICK, model, data, files, seed=77, on_progress=stop)
    assert sum("epoch 2" in phase for phase in phases) == 1
    assert torch.get_num_threads() == threads
    assert torch.equal(torch.get_rng_state(), state)


def test_no_status_is_none(model: TextModel, files: FileStore) -> None:
    data = encode(make_corpus(40), model)
    assert load_status(NoStatus(), model, data, np.random.default_rng(0), ignore_progress, files) is None


def test_a_table_without_protected_attribute_cannot_teach_one(model: TextModel, files: FileStore) -> None:
    data = encode(make_corpus(40), model, protected=())
    with pytest.raises(DataError, match="no protected attribute") as raised:
        load(QUICK, model, data, files)
    assert "word lists" in raised.value.advice
    with pytest.raises(DataError, match="'age' is no protected attribute"):
        load(TrainedStatus(attribute="age"), model, encode(make_corpus(40), model), files)


def corpus(files: FileStore, frame: pd.DataFrame, **columns: str) -> Corpus:
    table = UploadedTable(file=files.put(frame.to_csv(index=False).encode(), "others.csv"))
    return Corpus(data=table, **({"text": "text", "attribute": "gender"} | columns))


def test_transfer_measures_every_text_and_is_judged_by_the_tables_own_groups(
    model: TextModel, files: FileStore
) -> None:
    others = make_corpus(240, seed=9)
    source = QUICK.model_copy(update={"corpus": corpus(files, others)})
    frame = make_corpus(60).assign(gender=lambda table: table["gender"].str.upper())
    status = load(source, model, encode(frame, model), files)
    assert np.array_equal(status.measured, np.arange(60))
    assert (status.report.origin, status.report.attribute) == ("transferred", "gender")
    assert status.report.texts.tolist() == [30, 30]
    assert status.report.groups == ("female", "male")
    assert status.report.accuracy.min() > 0.9
    assert "others.csv" in status.report.name


def test_transfer_to_a_table_without_the_groups_is_judged_on_the_other_texts_and_says_so(
    model: TextModel, files: FileStore
) -> None:
    source = QUICK.model_copy(update={"corpus": corpus(files, make_corpus(240, seed=9))})
    status = load(source, model, encode(make_corpus(60), model, protected=()), files)
    assert np.array_equal(status.measured, np.arange(60))
    assert status.report.texts.tolist() == [72, 72]
    assert any("judged by other texts" in caveat.what for caveat in status.caveats)


def test_texts_that_both_tables_hold_do_not_judge(model: TextModel, files: FileStore) -> None:
    frame = make_corpus(240, seed=9)
    source = TrainedStatus(epochs=1, corpus=corpus(files, frame))
    status = load(source, model, encode(frame, model), files)
    assert status.report.texts.sum() == 240 - 96
    assert any("learned from 96 of 240 texts" in caveat.what for caveat in status.caveats)
    assert len(status.measured) == 240


def test_a_corpus_is_checked(model: TextModel, files: FileStore) -> None:
    data, frame = encode(make_corpus(40), model), make_corpus(60)
    with pytest.raises(DataError, match="no column 'sex'"):
        load(TrainedStatus(corpus=corpus(files, frame, attribute="sex")), model, data, files)
    with pytest.raises(DataError, match="'female', so there is nothing to tell apart"):
        load(TrainedStatus(corpus=corpus(files, frame.assign(gender="female"))), model, data, files)


def uploaded(files: FileStore, status: StatusModel, **changes: object) -> UploadedStatus:
    file = files.put(write_archive(status.network), "group.zip")
    return UploadedStatus(model=LstmArchive(file=file, **changes))


def test_an_uploaded_model_is_judged_by_every_text_of_the_table(
    learned: tuple[EncodedTexts, StatusModel], model: TextModel, files: FileStore
) -> None:
    _, trained = learned
    frame = make_corpus(90, seed=4)
    frame.loc[:9, "gender"] = "not said"
    status = load(uploaded(files, trained, trained_on="other rows"), model, encode(frame, model), files)
    assert same(status, trained)
    report = status.report
    assert (report.origin, report.name, report.learned_from, report.epochs) == ("uploaded", "group.zip", 0, 0)
    assert report.texts.tolist() == [40, 40]
    assert np.array_equal(status.measured, np.arange(90))
    assert [caveat.what for caveat in status.caveats if "10 of 90 texts" in caveat.what]


@pytest.mark.parametrize(
    ("trained_on", "level"), [("not known", "info"), ("these rows", "warning"), ("other rows", "")]
)
def test_an_uploaded_model_that_may_know_the_texts_is_told(
    trained_on: str, level: str, learned: tuple[EncodedTexts, StatusModel], model: TextModel, files: FileStore
) -> None:
    data, trained = learned
    status = load(uploaded(files, trained, trained_on=trained_on), model, data, files)
    assert [caveat.level for caveat in status.caveats if "overstated" in caveat.what] == ([level] if level else [])


def test_an_uploaded_model_without_a_group_to_judge_it_by_is_not_called_good(
    learned: tuple[EncodedTexts, StatusModel], model: TextModel, files: FileStore
) -> None:
    _, trained = learned
    status = load(uploaded(files, trained), model, encode(make_corpus(40), model, protected=()), files)
    assert "not known" in status.report.weak
    assert status.report.attribute == ""
    assert np.isnan(status.report.accuracy).all()


def test_the_groups_of_an_uploaded_model_are_as_declared(
    learned: tuple[EncodedTexts, StatusModel], model: TextModel, files: FileStore
) -> None:
    data, trained = learned
    turned = load(uploaded(files, trained, classes=("male", "female")), model, data, files)
    assert turned.report.groups == ("male", "female")
    assert turned.report.accuracy.max() < 0.1
    with pytest.raises(ModelError, match="has 2 outputs") as raised:
        load(uploaded(files, trained, classes=("male", "female", "other")), model, data, files)
    assert raised.value.where == "group.zip: male, female, other"


def test_a_transformer_lends_its_layers_and_its_tokens(files: FileStore) -> None:
    rng = np.random.default_rng(0)
    words = np.array(["nurse", "surgeon", "lawyer", "doctor", "works", "in", "town", "and", "is", "a", "the", "likes"])
    texts = [" ".join([*rng.choice(words, 6), ("she", "he")[row % 2]]) for row in range(120)]
    frame = pd.DataFrame({"text": texts, "gender": ["female", "male"] * 60})
    file = files.put(library.zipped(library.folder(library.network(outputs=2))), "bert.zip")
    dataset = Dataset.build(frame, Roles(text="text", protected=("gender",)))
    model = HuggingFaceFolder(file=file).load(files, dataset)
    data = model.encode(dataset)
    before = {name: value.clone() for name, value in model.network.body.state_dict().items()}
    for architecture in ("small", "as the model"):
        status = load(TrainedStatus(architecture=architecture, epochs=2), model, data, files)
        assert status.network.vocabulary == model.network.vocabulary
        assert status.report.texts.sum() == len(status.measured) == 72
    assert torch.equal(
        status.network.body.get_input_embeddings().weight, model.network.body.get_input_embeddings().weight
    )
    assert all(torch.equal(before[name], value) for name, value in model.network.body.state_dict().items())
    assert any(not torch.equal(before[name], value) for name, value in status.network.body.state_dict().items())
    assert not status.network.body.training
