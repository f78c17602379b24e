"""A text sensitivity test, from a text model and texts to what it keeps."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from core.audits.text_sensitivity.alike import about_families, families_of
from core.audits.text_sensitivity.corpus_words import CorpusWords, frequent_words
from core.audits.text_sensitivity.counterparts import Counterparts
from core.audits.text_sensitivity.decision import MEASURES
from core.audits.text_sensitivity.own_caveats import TextCounts
from core.audits.text_sensitivity.reach import left_by, reach_of, sides_of
from core.audits.text_sensitivity.result import TextScores, TextSensitivityDetail
from core.audits.text_sensitivity.scoring import SubjectModel, TextScoring, blocks, read, written
from core.audits.text_sensitivity.settings import TextSensitivity
from core.audits.text_sensitivity.shown import Reader
from core.audits.text_sensitivity.subjects import audited_model, second_model
from core.base.errors import AuditError, Caveat
from core.base.files import FileStore
from core.base.grouping import Grouping
from core.base.parts import in_parts
from core.base.progress import OnProgress, consecutive_parts, ignore_progress
from core.base.thresholds import DRAWS, FEWEST_ROWS
from core.contracts.audit import Given
from core.inference.agreement import majority
from core.language.phrases import whole
from core.language.told import say, say_count
from core.models.text import TextModel
from core.protected_status.load import load_status
from core.text.copies import same_texts
from core.text.data import EncodedTexts
from core.text.words import spans


def run(
    audit: TextSensitivity, given: Given[TextModel, EncodedTexts]
) -> tuple[TextSensitivityDetail, tuple[Caveat, ...]]:
    """Get the protected status model, then measure every text by the audited model and by the second one.

    Derivatives are taken at the models' own precision, float32; everything after them in float64. There is no metric,
    and so there are no rows that one was learned from.

    Raises:
        SettingsError: A class weight or the second model's classes do not fit the model.
        DataError: The table cannot teach a protected status model.
        ModelError: A model file is refused, or a model fails on a text.
        AuditError: A derivative is not a finite number, or too few texts are left to be measured.
        CancelledError: ``on_progress`` asked to stop.
    """
    model, data, rng = given.model, given.data, given.rng
    on_progress, files = given.on_progress, given.files
    seed = int(rng.integers(2**63))
    status_rng, reader_rng = rng.spawn(2)
    files = files or FileStore()
    counterparts = Counterparts.of_settings(audit.words, audit.edits)
    audited = audited_model(audit, model, counterparts)
    second = second_model(audit, audited, data.dataset, files)
    work = [1.0 if audit.status.kind == "trained" else 0.01, 1.0, 1.0 if second else 0.01]
    training, measuring = consecutive_parts(on_progress, [work[0], work[1] + work[2]])

    status = load_status(audit.status, model, data, rng=status_rng, on_progress=training, files=files)
    if status is not None:
        data = data.take(status.measured)
        audited = replace(audited, status=status.network)
        second = second and replace(second, status=status.network)
    if len(data) < FEWEST_ROWS:
        raise AuditError(
            say_count(
                "Only {n} text is left to be measured; an interval needs at least {fewest}.",
                "Only {n} texts are left to be measured; an interval needs at least {fewest}.",
                len(data),
                fewest=FEWEST_ROWS,
            ),
            advice=say("Bring more texts, learn from a smaller share or from other texts, or use word lists only."),
        )
    texts, records = data.texts, data.dataset.frame.index.to_numpy(dtype=np.int64) + 1
    counts, reader = TextCounts(), Reader(len(data), audit.texts_shown, reader_rng)
    words = CorpusWords(frequent_words(texts), len(model.classes), counterparts.words)
    turned, second_counts = np.full(len(data), np.nan), TextCounts()

    def turn(one: TextScoring) -> None:
        turned[one.words.row] = one.turned

    visitors = [(counts.add, reader.add, words.add, turn), (second_counts.add,)]
    scores, compared = _measured((audited, second), texts, records, visitors, measuring)
    same = same_texts(texts, counterparts.words)
    if data.clusters is not None:
        same = np.unique(np.stack([same, data.clusters]), axis=1, return_inverse=True)[1].ravel()
    repeated = len(texts) - int(same.max()) - 1
    judged = _judgements(data)
    memberships = tuple(_membership(data, attribute) for attribute in data.dataset.roles.protected)
    families = families_of(texts, counterparts.words, data.clusters, independent=audit.alike == "independent")

    detail = TextSensitivityDetail(
        classes=model.classes,
        audited=scores,
        reference=compared,
        status=status.report if status else None,
        matched=audited.matched,
        memberships=memberships,
        label=data.y,
        annotation=_majority(judged, len(data)),
        shown=reader.texts(),
        words=words.scores(),
        listed_texts=counts.listed,
        exchanged_texts=counts.exchanged,
        cut_texts=counts.cut_texts,
        cut_words=counts.cut_words,
        draws=DRAWS,
        seed=seed,
        same=same if repeated else None,
        turned=turned if status else None,
        reach=reach_of(
            memberships,
            sides_of(texts, counterparts.words),
            scores.exchanged,
            sides_of(texts, left_by(counterparts.words)),
            same if data.dataset.clusters is None else data.dataset.clusters,
        ),
        families=families,
        lengths=np.array([len(spans(text)) for text in texts], dtype=np.int64),
        annotators=data.dataset.roles.annotation,
        judged=judged,
        records=records,
    )
    return detail, (
        *_about_copies(repeated, len(texts)),
        *about_families(families),
        *(status.caveats if status else ()),
        *(second.model.caveats if second else ()),
        *counts.caveats(model.name),
        *(second_counts.caveats(second.model.name) if second else ()),
        *counts.caveats_of_texts(with_status=status is not None, by_words=audited.matched == "words"),
        *counterparts.caveats(dict(zip(records.tolist(), texts, strict=True))),
    )


def score(
    audit: TextSensitivity, model: TextModel, data: EncodedTexts, files: FileStore
) -> tuple[TextScores, TextScores | None]:
    """How the model and the second one, if there is one, score some texts, without a protected status model.

    Raises:
        ModelError: A model file is refused, or a model fails on a text.
        AuditError: A derivative is not a finite number.
    """
    audited = audited_model(audit, model, Counterparts.of_settings(audit.words, audit.edits))
    second = second_model(audit, audited, data.dataset, files)
    records = data.dataset.frame.index.to_numpy(dtype=np.int64) + 1
    return _measured((audited, second), data.texts, records, [(), ()], ignore_progress)


CANNOT_TELL = 2.0
"""What people write who cannot tell whether an answer is biased."""
Visit = Callable[[TextScoring], None]
"""Looks at a text once."""


def _about_copies(repeated: int, texts: int) -> Iterator[Caveat]:
    if repeated:
        yield Caveat(
            "warning" if repeated > texts / 10 else "info",
            say(
                "{repeated} of {texts} measured texts repeat another one, or are its counterpart. Each different "
                "text counts once in means, intervals and tests, with the mean of its copies.",
                repeated=whole(repeated),
                texts=whole(texts),
            ),
            say("If some texts stand for many people, look at them one by one."),
        )


def _measured(
    subjects: tuple[SubjectModel, SubjectModel | None],
    texts: tuple[str, ...],
    records: np.ndarray,
    visitors: Sequence[tuple[Visit, ...]],
    on_progress: OnProgress,
) -> tuple[TextScores, TextScores | None]:
    """Every text's scores by each model, in blocks; each text is shown to the model's visitors and then forgotten."""
    models = [one for one in subjects if one is not None]
    found = [_ScoresOnTheWay(one, len(texts), visitors[place]) for place, one in enumerate(models)]
    parts = [(scores, first) for scores in found for first in blocks(len(texts))]

    def measured(place: int, told: OnProgress) -> tuple[_ScoresOnTheWay, list[TextScoring]]:
        scores, first = parts[place]
        return scores, scores.subject.sensitivities(texts, records, told, first)

    def received(place: int, told: dict[str, Any]) -> tuple[_ScoresOnTheWay, list[TextScoring]]:
        scores = parts[place][0]
        return scores, read(told, texts, records, scores.subject.counterparts.words)

    def take(block: tuple[_ScoresOnTheWay, list[TextScoring]]) -> None:
        for one in block[1]:
            block[0].add(one)

    in_parts(len(parts), measured, take, on_progress, write=lambda block: written(block[1]), read=received)
    own, *other = [one.whole for one in found]
    return own, other[0] if other else None


class _ScoresOnTheWay:
    """The scores of n texts by one model, on the way.

    Args:
        subject: The model.
        texts: n.
        visitors: What looks at every text.
    """

    def __init__(self, subject: SubjectModel, texts: int, visitors: tuple[Visit, ...]) -> None:
        self.subject, self._visitors = subject, visitors
        self._measures, self._signed = np.full((texts, len(MEASURES)), np.nan), np.full((texts, 2), np.nan)
        self._flipped, self._predicted = np.zeros(texts, dtype=bool), np.zeros(texts, dtype=np.int64)
        self._confidence = np.zeros(texts)

    def add(self, one: TextScoring) -> None:
        """Take the scoring of one text."""
        row = one.words.row
        self._measures[row], self._signed[row], self._flipped[row] = one.measures, one.signed, one.flipped
        self._predicted[row], self._confidence[row] = one.probabilities.argmax(), one.probabilities.max()
        for pooled in one.pooled:
            self.subject.model.remember(one.words.text, pooled)
        for visit in self._visitors:
            visit(one)

    @property
    def whole(self) -> TextScores:
        """All of them."""
        name = self.subject.model.name
        return TextScores(name, self._measures, self._signed, self._flipped, self._predicted, self._confidence)


def _judgements(data: EncodedTexts) -> np.ndarray | None:
    """What each person said of each text, shape (a, n); None where nobody was asked."""
    columns = list(data.dataset.roles.annotation)
    return data.dataset.frame[columns].to_numpy(dtype=np.float64).T if columns else None


def _majority(judged: np.ndarray | None, texts: int) -> np.ndarray:
    """1 where most people found the answer biased, 0 where most did not, NaN elsewhere; shape (n,)."""
    if judged is None:
        return np.full(texts, np.nan)
    most = majority(judged)
    return np.where(most < CANNOT_TELL, most, np.nan)


def _membership(data: EncodedTexts, attribute: str) -> Grouping:
    codes, groups = data.dataset.groups(attribute)
    return Grouping(attribute, groups, codes.astype(np.int64))
