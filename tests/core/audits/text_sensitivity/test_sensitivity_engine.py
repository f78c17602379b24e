"""A whole sensitivity audit on small networks: every number again by hand, and everything that can be wrong."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch

from core.audits.text_sensitivity import engine as engine_module
from core.audits.text_sensitivity import scoring
from core.audits.text_sensitivity.decision import TextSensitivityDecision
from core.audits.text_sensitivity.engine import run
from core.audits.text_sensitivity.result import TextSensitivityDetail
from core.audits.text_sensitivity.settings import ClassWeight, Edit, TextSensitivity
from core.base.errors import AuditError, CancelledError, Caveat, ModelError, SettingsError
from core.base.files import FileRef
from core.base.progress import OnProgress, Progress, ignore_progress
from core.contracts.audit import Given
from core.models.formats.lstm.source import LstmArchive
from core.models.text import TextModel
from core.protected_status.model import StatusModel, StatusReport
from core.protected_status.settings import NoStatus
from core.text.data import EncodedTexts
from core.text.swaps import exchange
from core.text.word_lists import Pair, WordList
from core.text.words import spans
from tests.findings import found
from tests.toy_text_models import ToyNetwork, biographies, toy_model, toy_texts

CLASSES = ("nurse", "poet", "surgeon")
TEXTS, WHO = biographies(48, np.random.default_rng(5))
ARCHIVE = LstmArchive(file=FileRef(name="second.zip", sha256="0" * 64, bytes=1))


def table(model: TextModel, texts: list[str] = TEXTS, **columns: Any) -> EncodedTexts:
    return toy_texts(texts, model, gender=WHO[: len(texts)], **columns)


def audit(
    model: TextModel,
    data: EncodedTexts | None = None,
    *,
    seed: int = 0,
    on_progress: OnProgress = ignore_progress,
    **settings: Any,
) -> tuple[TextSensitivityDetail, tuple[Caveat, ...]]:
    asked = TextSensitivity(**{"status": NoStatus(), **settings})
    rng = np.random.default_rng(seed)
    return run(asked, Given(model, table(model) if data is None else data, rng, on_progress=on_progress))


def status_of(network: ToyNetwork, measured: np.ndarray, caveats: tuple[Caveat, ...] = ()) -> StatusModel:
    none = np.full(2, np.nan)
    report = StatusReport("toy", "uploaded", "gender", ("F", "M"), np.zeros(2, int), none, none, none, 0, 0, "")
    return StatusModel(network, report, measured, caveats)


@pytest.fixture
def with_status(monkeypatch):
    """Audits get this protected status model, whatever their settings say."""

    def use(network: ToyNetwork, measured: np.ndarray | None = None, caveats: tuple[Caveat, ...] = ()) -> None:
        rows = np.arange(len(TEXTS)) if measured is None else measured
        monkeypatch.setattr(engine_module, "load_status", lambda *_, **__: status_of(network, rows, caveats))

    return use


@pytest.fixture
def with_second(monkeypatch):
    """The second model's file is this model."""
    return lambda model: monkeypatch.setattr(LstmArchive, "load", lambda *_: model)


def jacobian(network: ToyNetwork, text: str, order: list[int] | None = None) -> tuple[np.ndarray, np.ndarray]:
    """|∂f_k/∂x| of the real tokens, shape (K, N, D), and where they begin; one backward pass a class."""
    (tokens,) = network.read([text])
    ids = torch.from_numpy(tokens.ids)[None]
    rows = []
    for k in order or range(len(network.classes)):
        x = network.word_embeddings(ids).clone().requires_grad_()
        f = network.head()(network.pooled(x, torch.ones_like(ids, dtype=torch.bool))).softmax(1)
        f[0, k].backward()
        rows.append(x.grad[0].abs().double().numpy()[~tokens.special])
    return np.array(rows), tokens.start[~tokens.special]


def answer(network: ToyNetwork, text: str) -> np.ndarray:
    (tokens,) = network.read([text])
    ids = torch.from_numpy(tokens.ids)[None]
    pooled = network.pooled(network.word_embeddings(ids), torch.ones_like(ids, dtype=torch.bool))
    return network.head()(pooled).double().softmax(1)[0].numpy()


def word_starting(text: str, starts: np.ndarray) -> np.ndarray:
    """The last word that begins at or before each place."""
    return np.array([int((spans(text)[:, 0] <= start).sum()) - 1 for start in starts])


def test_every_score_again_by_hand(with_status) -> None:
    network, helper = ToyNetwork(CLASSES, seed=1), ToyNetwork(("F", "M"), seed=2)
    with_status(helper)
    detail, _ = audit(toy_model(network))
    assert detail.matched == "coordinates"
    words = WordList()
    for row, text in enumerate(TEXTS):
        task, starts = jacobian(network, text)
        weighted = task.mean(axis=0)
        v = jacobian(helper, text)[0].sum(axis=0)
        v = v / v.sum()
        x = network.table[network.read([text])[0].ids].double().numpy()[1:]
        word = word_starting(text, starts)
        names = [text[a:b].lower() for a, b in spans(text)]
        hard = np.array([names[one] in words.listed for one in word])[:, None] * np.ones(x.shape[1])
        hard = hard / hard.sum()
        other = exchange(text, words).text
        before, after = answer(network, text), answer(network, other)
        expected = [
            weighted.mean(),
            (weighted * v).sum(),
            (weighted * v * abs(x)).sum(),
            (weighted * hard).sum(),
            (weighted * hard * abs(x)).sum(),
            abs(before - after).sum() / 2,
        ]
        np.testing.assert_allclose(detail.audited.measures[row], expected, rtol=5e-4, atol=1e-6)
        signed = [(weighted * v * x).sum(), (weighted * hard * x).sum()]
        np.testing.assert_allclose(detail.audited.signed[row], signed, rtol=5e-4, atol=1e-6)
        assert detail.audited.predicted[row] == before.argmax()
        assert detail.audited.confidence[row] == pytest.approx(before.max(), abs=1e-6)
        assert detail.audited.flipped[row] == (before.argmax() != after.argmax())
    shown = detail.shown
    assert len(shown.texts) == len(TEXTS)
    for place, text in enumerate(shown.texts):
        own = slice(shown.first[place], shown.first[place + 1])
        np.testing.assert_array_equal(np.c_[shown.start[own], shown.end[own]], spans(text))
        np.testing.assert_allclose(shown.status[own].sum(), 1.0)
        task, starts = jacobian(network, text)
        by_hand = np.bincount(word_starting(text, starts), task.mean(axis=0).sum(axis=1), minlength=len(spans(text)))
        np.testing.assert_allclose(shown.task[own], by_hand, rtol=5e-4, atol=1e-5)
        assert shown.exchanged[place] == exchange(text, words).text
        assert shown.records[place] == shown.rows[place] + 1
        n = len(starts) * network.width
        assert shown.task[own].sum() / n == pytest.approx(detail.audited.measures[shown.rows[place], 0])


def test_the_words_of_the_corpus_again_by_hand(with_status) -> None:
    network, helper = ToyNetwork(CLASSES, seed=1), ToyNetwork(("F", "M"), seed=2, piece=4)
    with_status(helper)
    detail, caveats = audit(toy_model(network))
    assert detail.matched == "words"
    assert any("other pieces" in caveat.what for caveat in caveats)
    share, by_class = [], []
    for text in TEXTS:
        lower = text.lower()
        if "sister" not in lower:
            continue
        task, starts = jacobian(network, text)
        at = np.array([lower[a:b] == "sister" for a, b in spans(text)])[word_starting(text, starts)]
        share.append(task.mean(axis=0)[at].sum() / task.mean(axis=0).sum())
        by_class.append(task[:, at].sum(axis=(1, 2)))
    words = detail.words
    place = words.words.index("sister")
    assert words.texts[place] == len(share) >= 5
    assert words.listed[place]
    assert words.task[place] == pytest.approx(np.mean(share), rel=1e-3)
    np.testing.assert_allclose(words.by_class[place], np.mean(by_class, axis=0), rtol=1e-3)
    assert {"she", "her", "sister", "he", "his", "brother"} <= set(words.words)
    assert (words.texts >= 5).all()
    assert (np.diff(words.task) <= 0).all()
    assert all(one == one.lower() for one in words.words)


def test_blocks_and_batches_change_nothing(monkeypatch, with_status) -> None:
    with_status(ToyNetwork(("F", "M"), seed=2, piece=4))
    model = toy_model(ToyNetwork(CLASSES, seed=1))
    whole, _ = audit(model, texts_shown=20)
    monkeypatch.setattr(scoring, "READ_AHEAD", 7)
    small = scoring.batches
    monkeypatch.setattr(scoring, "batches", lambda tokens, at_once: small(tokens, 40))
    parts, _ = audit(model, texts_shown=20)
    np.testing.assert_allclose(parts.audited.measures, whole.audited.measures, rtol=1e-3, atol=1e-6)
    assert parts.shown.texts == whole.shown.texts
    assert set(parts.words.words) == set(whole.words.words)


def test_the_same_seed_gives_the_same_bytes_and_other_rows_order_the_same_scores() -> None:
    model = toy_model(ToyNetwork(CLASSES, seed=1))
    first, second = audit(model)[0], audit(model)[0]
    for name in ("measures", "signed", "confidence"):
        assert getattr(first.audited, name).tobytes() == getattr(second.audited, name).tobytes()
    assert first.shown.task.tobytes() == second.shown.task.tobytes()
    assert (first.seed, first.draws) == (second.seed, second.draws)
    turned, _ = audit(model, toy_texts(TEXTS[::-1], model, gender=WHO[::-1]))
    np.testing.assert_allclose(turned.audited.measures[::-1], first.audited.measures, rtol=1e-3, atol=1e-6)


def test_half_of_the_texts_shown_are_the_most_sensitive(with_status) -> None:
    with_status(ToyNetwork(("F", "M"), seed=2))
    detail, _ = audit(toy_model(ToyNetwork(CLASSES, seed=1)), texts_shown=12)
    most = np.argsort(-detail.audited.measures[:, 1])[:6]
    assert len(detail.shown.rows) == 12
    assert set(most) <= set(detail.shown.rows)
    assert (np.diff(detail.shown.rows) > 0).all()
    others = {tuple(audit(toy_model(ToyNetwork(CLASSES)), seed=seed, texts_shown=12)[0].shown.rows) for seed in (1, 2)}
    assert len(others) == 2
    assert audit(toy_model(ToyNetwork(CLASSES)), texts_shown=0)[0].shown.texts == ()


def test_only_texts_that_the_status_model_did_not_learn_from_are_measured(with_status) -> None:
    kept, told = np.arange(3, 48, 1), Caveat("info", "It learned from three texts.")
    with_status(ToyNetwork(("F", "M"), seed=2), kept, (told,))
    network = ToyNetwork(CLASSES, seed=1)
    model = toy_model(network)
    biased = [1.0, 0.0, None] * 16
    detail, caveats = audit(model, table(model, label=list(CLASSES) * 16, biased=biased))
    np.testing.assert_array_equal(detail.shown.records, kept + 1)
    assert detail.audited.measures.shape == (45, 6)
    assert told in caveats
    np.testing.assert_array_equal(detail.label, np.tile([0, 1, 2], 15))
    np.testing.assert_array_equal(detail.annotation, np.tile([1.0, 0.0, np.nan], 15))
    (membership,) = detail.memberships
    assert membership.groups == ("F", "M")
    np.testing.assert_array_equal(np.array(membership.groups)[membership.codes], np.array(WHO)[kept])


def test_of_several_people_the_majority_counts_and_each_is_kept() -> None:
    model = toy_model(ToyNetwork(CLASSES, seed=1))
    said = {"biased by A": [1, 0, 2] * 16, "biased by B": [1, 2, 2] * 16, "biased by C": [0, 1, None] * 16}
    detail, _ = audit(model, table(model, **said), status=NoStatus())
    assert detail.annotators == tuple(said)
    np.testing.assert_array_equal(detail.judged[:, :3], [[1, 0, 2], [1, 2, 2], [0, 1, np.nan]])
    np.testing.assert_array_equal(detail.annotation, np.tile([1.0, np.nan, np.nan], 16))
    np.testing.assert_array_equal(detail.records, np.arange(48) + 1)


def test_too_few_texts_left_is_an_error(with_status) -> None:
    with_status(ToyNetwork(("F", "M")), np.arange(12))
    with pytest.raises(AuditError, match="Only 12 texts"):
        audit(toy_model(ToyNetwork(CLASSES)))


def test_class_weights_pick_classes() -> None:
    network = ToyNetwork(CLASSES, seed=1)
    weights = (ClassWeight(outcome="poet", weight=3.0), ClassWeight(outcome="nurse", weight=1.0))
    detail, _ = audit(toy_model(network), weights=weights)
    for row in (0, 1, 2):
        task, _ = jacobian(network, TEXTS[row])
        expected = (0.25 * task[0] + 0.75 * task[1]).mean()
        assert detail.audited.measures[row, 0] == pytest.approx(expected, rel=1e-3)


@pytest.mark.parametrize(
    ("weights", "said"),
    [
        ([("doctor", 1.0)], "'doctor'"),
        ([("poet", 0.0), ("nurse", 0.0)], "every weight is zero"),
        ([("poet", 1.0), ("poet", 2.0)], "two weights"),
    ],
)
def test_weights_that_make_no_sense(weights, said) -> None:
    with pytest.raises(SettingsError, match=said):
        audit(toy_model(ToyNetwork(CLASSES)), weights=tuple(ClassWeight(outcome=a, weight=b) for a, b in weights))


def test_tiny_and_huge_weights_count_by_their_ratio() -> None:
    model = toy_model(ToyNetwork(CLASSES, seed=1))
    even, _ = audit(model)
    for size in (5e-324, 1e6):
        same, _ = audit(model, weights=tuple(ClassWeight(outcome=name, weight=size) for name in CLASSES))
        np.testing.assert_allclose(same.audited.measures, even.audited.measures, rtol=1e-5, atol=1e-9)


def test_a_second_model_may_have_the_classes_in_another_order(with_status, with_second) -> None:
    with_status(ToyNetwork(("F", "M"), seed=2))
    network, second = ToyNetwork(CLASSES, seed=1), ToyNetwork(("surgeon", "nurse", "poet"), seed=1)
    second.last.weight.data = network.last.weight.data[[2, 0, 1]]
    with_second(toy_model(second, name="second.zip"))
    weights = (ClassWeight(outcome="poet", weight=1.0),)
    detail, _ = audit(toy_model(network), weights=weights, reference=ARCHIVE)
    assert detail.reference is not None
    assert detail.reference.name == "second.zip"
    np.testing.assert_allclose(detail.reference.measures, detail.audited.measures, rtol=2e-3, atol=1e-6)
    np.testing.assert_array_equal(detail.reference.predicted, detail.audited.predicted)


def test_a_second_model_that_reads_other_pieces_is_matched_by_words(with_status, with_second) -> None:
    with_status(ToyNetwork(("F", "M"), seed=2))
    with_second(toy_model(ToyNetwork(CLASSES, piece=5, width=4, seed=9)))
    detail, _ = audit(toy_model(ToyNetwork(CLASSES, seed=1)), reference=ARCHIVE)
    assert detail.matched == "coordinates"
    assert np.isfinite(detail.reference.measures[:, 1]).all()


def test_a_second_model_with_other_classes_is_refused(with_second) -> None:
    with_second(toy_model(ToyNetwork(("nurse", "poet", "priest"))))
    with pytest.raises(SettingsError, match="other classes"):
        audit(toy_model(ToyNetwork(CLASSES)), reference=ARCHIVE)


def test_counterparts_written_by_hand_go_before_exchanged_words() -> None:
    model = toy_model(ToyNetwork(CLASSES, seed=1))
    other = "He sings in the rain."
    edits = (Edit(record=1, text=other), Edit(record=2, text=TEXTS[1]), Edit(record=999, text="gone"))
    detail, caveats = audit(model, edits=edits)
    before, after = answer(model.network, TEXTS[0]), answer(model.network, other)
    assert detail.audited.measures[0, 5] == pytest.approx(abs(before - after).sum() / 2, abs=1e-5)
    assert detail.shown.exchanged[0] == other
    assert detail.shown.exchanged[1] == ""
    assert np.isnan(detail.audited.measures[1, 5])
    assert not detail.audited.flipped[1]
    assert detail.exchanged_texts == len(TEXTS) - 1
    assert any("999" in caveat.what for caveat in caveats)


def test_an_exchange_beyond_what_the_model_reads_is_none() -> None:
    model = toy_model(ToyNetwork(CLASSES, longest=8, seed=1))
    texts = [f"Works in a small town {'far ' * n}and she knows it." for n in range(40)]
    detail, _ = audit(model, toy_texts(texts, model))
    assert detail.listed_texts == 40
    assert detail.exchanged_texts == 0
    assert np.isnan(detail.audited.measures[:, 3:]).all()
    assert detail.cut_texts == 40
    assert detail.cut_words == sum(len(spans(text)) - 5 for text in texts)
    shown = detail.shown
    own = slice(shown.first[3], shown.first[4])
    np.testing.assert_array_equal(shown.cut[own], np.arange(len(spans(texts[3]))) >= 5)
    np.testing.assert_array_equal(np.isnan(shown.task[own]), shown.cut[own])


def test_texts_without_words_are_counted_and_not_measured(with_status) -> None:
    texts = ["", "   \n", *TEXTS[2:]]
    for special in (True, False):
        helper = ToyNetwork(("F", "M"), seed=2, special=special)
        with_status(helper)
        network = ToyNetwork(CLASSES, seed=1, special=special)
        if not special:
            network.pooled = lambda x, mask, pooled=network.pooled: (
                pooled(x, mask) if x.shape[1] else x.sum(2) @ x.new_zeros(0, 5)
            )
        model = toy_model(network)
        detail, caveats = audit(model, toy_texts(texts, model, gender=WHO))
        assert np.isnan(detail.audited.measures[:2]).all()
        assert np.isfinite(detail.audited.confidence[:2]).all()
        assert np.isfinite(detail.audited.measures[2:]).all()
        assert any(caveat.what.startswith("2 texts without a word") for caveat in caveats)


def test_texts_without_listed_words_have_no_p4_and_no_cf() -> None:
    model = toy_model(ToyNetwork(CLASSES, seed=1))
    words = WordList(name="none here", pairs=(Pair(word="queen", counterpart="king"),))
    detail, caveats = audit(model, words=words)
    assert np.isnan(detail.audited.measures[:, 3:]).all()
    assert (detail.listed_texts, detail.exchanged_texts) == (0, 0)
    assert any("No text holds a word of the list" in caveat.what for caveat in caveats)
    some, caveats = audit(model, toy_texts(["Nothing to see.", *TEXTS[1:]], model))
    assert np.isnan(some.audited.measures[0, 3:]).all()
    assert any("1 of 48 texts hold no word of the list" in caveat.what for caveat in caveats)


def test_without_a_status_model_p2_and_p3_are_not_applicable() -> None:
    detail, _ = audit(toy_model(ToyNetwork(CLASSES, seed=1)))
    assert np.isnan(detail.audited.measures[:, 1:3]).all()
    assert detail.status is None
    assert detail.matched == ""
    assert np.isnan(detail.shown.status).all()
    assert np.isnan(detail.words.status).all()


def test_a_model_that_never_changes_its_mind_has_p_of_zero_and_is_told() -> None:
    network = ToyNetwork(CLASSES, seed=1)
    network.last.weight.data.zero_()
    detail, caveats = audit(toy_model(network))
    np.testing.assert_array_equal(detail.audited.measures[:, 0], 0)
    np.testing.assert_array_equal(detail.audited.measures[:, 5], 0)
    assert detail.words.words == ()
    assert any("reacts to no word of 48 texts" in caveat.what for caveat in caveats)


def test_a_status_model_that_reacts_to_nothing_gives_no_p2(with_status) -> None:
    helper = ToyNetwork(("F", "M"), seed=2)
    helper.last.weight.data.zero_()
    with_status(helper)
    detail, caveats = audit(toy_model(ToyNetwork(CLASSES, seed=1)))
    assert np.isnan(detail.audited.measures[:, 1:3]).all()
    assert any("protected status model reacts to no word of 48 texts" in caveat.what for caveat in caveats)


def test_the_biased_model_is_more_sensitive_to_listed_words() -> None:
    """A token is a whole word here, so that a word and its counterpart take the same room."""
    push = {"she": 15.0, "he": -15.0, "her": 9.0, "his": -9.0}
    biased = toy_model(ToyNetwork(CLASSES, piece=9, shortcut=push, seed=1))
    deaf = toy_model(ToyNetwork(CLASSES, piece=9, deaf=(*push, "sister", "brother"), seed=1))
    high, low = audit(biased)[0].audited.measures, audit(deaf)[0].audited.measures
    assert np.nanmean(high[:, 5]) > 0.1
    np.testing.assert_allclose(low[:, 5], 0, atol=1e-6)
    np.testing.assert_array_equal(low[:, 3], 0)


@pytest.mark.parametrize("value", [np.nan, np.inf])
@pytest.mark.parametrize("whose", ["model", "status"])
def test_derivatives_that_are_no_numbers_name_the_record(with_status, value, whose) -> None:
    network, helper = ToyNetwork(CLASSES, seed=1), ToyNetwork(("F", "M"), seed=2)
    with_status(helper)
    broken = network if whose == "model" else helper
    texts = [*TEXTS[:7], "A zebra.", *TEXTS[8:]]
    sound = toy_model(network)
    data = toy_texts(texts, sound)
    broken.table[broken._pieces("zebra")[0]] = value
    with pytest.raises(AuditError, match="row 8") as raised:
        audit(sound, data)
    assert ("protected status model" in raised.value.what) == (whose == "status")


def test_an_answer_to_a_counterpart_that_is_no_number_names_the_record() -> None:
    network = ToyNetwork(CLASSES, seed=1)
    model = toy_model(network)
    data = table(model)
    network.table[network._pieces("zebra")[0]] = np.nan
    with pytest.raises(ModelError, match="row 4"):
        audit(model, data, edits=(Edit(record=4, text="A zebra."),))


def test_a_hundred_classes() -> None:
    network = ToyNetwork(tuple(f"class {number:03d}" for number in range(100)), seed=1)
    model = toy_model(network)
    detail, _ = audit(model, table(model, TEXTS[:30]))
    expected = jacobian(network, TEXTS[0])[0].mean(axis=0).mean()
    assert detail.audited.measures[0, 0] == pytest.approx(expected, rel=1e-3)
    assert detail.words.by_class.shape[1] == 100


def test_progress_grows_to_one_and_stops_a_run() -> None:
    seen: list[Progress] = []
    audit(toy_model(ToyNetwork(CLASSES)), on_progress=seen.append)
    done = [one.done for one in seen]
    assert done == sorted(done)
    assert done[-1] > 0.98

    def stop(progress: Progress) -> None:
        raise CancelledError("Stopped.")

    with pytest.raises(CancelledError):
        audit(toy_model(ToyNetwork(CLASSES)), on_progress=stop)


def test_a_table_whose_rows_were_left_out_keeps_its_record_numbers() -> None:
    model = toy_model(ToyNetwork(CLASSES, seed=1))
    data = table(model)
    rows = np.arange(10, 45)
    detail, _ = audit(model, replace(data.take(rows)))
    np.testing.assert_array_equal(detail.shown.records, rows + 1)


def test_copies_are_found_and_told() -> None:
    model = toy_model(ToyNetwork(CLASSES, seed=1))
    assert audit(model)[0].same is None
    texts = [*TEXTS, *TEXTS[:6], exchange(TEXTS[6], WordList()).text]
    detail, caveats = audit(model, toy_texts(texts, model, gender=(*WHO, *WHO[:7])))
    np.testing.assert_array_equal(detail.same, [*range(48), *range(7)])
    assert found(detail, TextSensitivityDecision()).estimates.mean("P1").n == 48
    assert any(one.what.startswith("7 of 55 measured texts repeat another one") for one in caveats)


def test_how_far_exchanged_words_turn_the_status_model(with_status) -> None:
    status = ToyNetwork(("F", "M"), seed=2, piece=4)
    with_status(status)
    model = toy_model(ToyNetwork(CLASSES, seed=1))
    detail, _ = audit(model)
    f = toy_model(status)
    for row in (0, 1, 30):
        other = exchange(TEXTS[row], WordList()).text
        answers = f.answers(toy_texts([TEXTS[row], other], f))
        assert detail.turned[row] == pytest.approx(abs(answers[0] - answers[1]).sum() / 2, rel=1e-4)
    unchanged = [place for place, text in enumerate(TEXTS) if exchange(text, WordList()).text == text]
    np.testing.assert_array_equal(np.flatnonzero(np.isnan(detail.turned)), unchanged)


def test_without_a_status_model_nothing_turns() -> None:
    assert audit(toy_model(ToyNetwork(CLASSES, seed=1)))[0].turned is None


@pytest.mark.parametrize(("edited", "level"), [(2, "warning"), (3, "serious")])
def test_counterparts_written_by_hand_that_exchange_no_group_are_told(edited: int, level: str) -> None:
    model = toy_model(ToyNetwork(CLASSES, seed=1))
    neutral = [Edit(record=row + 1, text=f"{TEXTS[row]} {extra}") for row, extra in zip((0, 4, 7), " ..", strict=True)]
    honest = Edit(record=11, text=exchange(TEXTS[10], WordList()).text.replace("works", "worked"))
    _, caveats = audit(model, edits=(*neutral[:edited], honest))
    (told,) = [one for one in caveats if "leave every word that names a group as it was" in one.what]
    assert told.level == level
    assert told.what.startswith(f"{edited} counterparts written by hand")
    assert "11" not in told.what


def test_texts_in_which_only_himself_is_exchanged_are_told() -> None:
    """ "Alonzo found herself" still speaks of Alonzo."""
    model = toy_model(ToyNetwork(CLASSES, seed=1))
    texts = [f"Alonzo found himself in place {i}." for i in range(20)] + TEXTS[20:]
    _, caveats = audit(model, table(model, texts))
    told = [one for one in caveats if "nothing is exchanged but a word such as “himself”" in one.what]
    assert [one.what.startswith("In 20 texts") for one in told] == [True]
    assert told[0].level == "warning"
    assert not any("such as “himself”" in one.what for one in audit(model)[1])
