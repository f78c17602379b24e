"""A synthetic sensitivity audit with the shape of a real one: deterministic, built without a model or an engine.

Short biographies are put together from templates; the measures follow from made-up sensitivities of their words by the
formulas of papers/prediction-sensitivity.md, so that texts, words and corpus agree with each other.
"""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from core.audits.text_sensitivity.decision import TextSensitivityDecision
from core.audits.text_sensitivity.reach import GroupReach
from core.audits.text_sensitivity.result import (
    ShownTexts,
    TextScores,
    TextSensitivityDetail,
    TextSensitivityResult,
    WordScores,
)
from core.audits.text_sensitivity.settings import TextSensitivity
from core.base.errors import Caveat
from core.base.files import FileRef
from core.base.grouping import Grouping
from core.data.dataset import Roles
from core.data.encoder import Encoder, NumericColumn
from core.models.formats.hugging_face.source import HuggingFaceFolder
from core.models.formats.lstm.source import LstmArchive
from core.plan import AuditPlan
from core.protected_status.model import StatusReport
from core.protected_status.settings import NoStatus, TrainedStatus
from core.result import DataSummary, ModelSummary
from core.sources.upload.uploaded import UploadedTable
from core.study import Study
from core.text.swaps import exchange, listed
from core.text.word_lists import WordList
from core.text.words import spans
from tests.builders import HOSTILE
from tests.made_once import made_once

Status = Literal["good", "weak", "none"]

OCCUPATIONS = (
    "accountant",
    "architect",
    "attorney",
    "chiropractor",
    "comedian",
    "composer",
    "dentist",
    "dietitian",
    "filmmaker",
    "journalist",
    "model",
    "nurse",
    "painter",
    "paralegal",
    "pastor",
    "photographer",
    "physician",
    "poet",
    "professor",
    "psychologist",
    "rapper",
    "surgeon",
    "teacher",
    "trainer",
    "engineer",
    "designer",
    "dancer",
    "yoga-teacher",
)
HOSTILE_CLASSES = ("<script>alert(1)</script>", "$nurse$ **bold**", "[poet](http://evil.example)", "=cmd|' /C calc'!A0")
HOSTILE_MODEL = "<img src=x onerror=alert(1)> *$m$*.zip"
HOSTILE_WORDS = ("<b>bold</b>", "$\\alpha$", "[link](javascript:alert(1))", "</script><script>alert(2)</script>", "😀")

ATTRIBUTES = ("gender", "region")
GROUPS = (("Female", "Male"), ("East", "Island", "North", "South", "West"))
HOSTILE_GROUPS = (("<i>Female</i>", "$M$ale"), GROUPS[1])

FEWEST_TEXTS = 5
"""Words in fewer texts are not kept."""

WIDTH = 16
"""Numbers in a made-up word embedding, D."""

_LEANING = {"nursing": 0.7, "choir": 0.6, "engine": -0.8, "army": -0.9, "caring": 0.5, "chess": -0.4, "dance": 0.8}
_STUDIES = ("law", "nursing", "medicine", "history", "engine design", "biology", "painting", "dance")
_PLACES = ("Leeds", "Porto", "Turin", "Ghent", "Oslo", "Lyon", "Graz")
_JOYS = ("chess", "the choir", "long walks", "old films", "dance", "caring for bees", "rowing", "cooking")
_NAMES = (("Anna", "Ruth", "Mei", "Sara"), ("Paul", "Omar", "Ivan", "Jonas"))


@made_once
def make_sensitivity_result(
    *,
    texts: int = 120,
    classes: int = 4,
    bias: float = 1.0,
    reference: bool = True,
    status: Status = "good",
    annotation: bool = True,
    attributes: Literal[0, 1, 2] = 1,
    labels: bool = True,
    exchanged: bool = True,
    cut: bool = False,
    long: bool = False,
    shown: int = 40,
    hostile: bool = False,
    draws: int = 999,
    seed: int = 0,
) -> TextSensitivityResult:
    """A whole result.

    Args:
        texts: Measured texts n.
        classes: Classes K, 2 to 28.
        bias: How much the model's answers hang on words that name a group; 1 is a violation at delta = 0.05, 0 is none.
        reference: Whether a second, balanced model was measured on the same texts.
        status: A protected status model that tells the groups apart well, hardly, or none at all.
        annotation: Whether people judged the answers (nine texts in ten).
        attributes: Protected attributes: none, gender, or gender and region (one region has three texts only).
        labels: Whether the table says the true class.
        exchanged: Whether texts hold words that name a group; nine in ten do, or none.
        cut: The model reads 12 words of a text only.
        long: Texts of some 400 words instead of 30.
        shown: Texts kept for reading, at most n.
        hostile: Texts, words, classes, groups and file names that are markup.
        draws: Bootstrap draws.
        seed: Seed of the synthetic texts and numbers.
    """
    detail = make_sensitivity_detail(
        texts=texts,
        classes=classes,
        bias=bias,
        reference=reference,
        status=status,
        annotation=annotation,
        attributes=attributes,
        labels=labels,
        exchanged=exchanged,
        cut=cut,
        long=long,
        shown=shown,
        hostile=hostile,
        draws=draws,
        seed=seed,
    )
    confusion = np.zeros((classes, classes), dtype=np.int64)
    if labels:
        np.add.at(confusion, (detail.label, detail.audited.predicted), 1)
    return TextSensitivityResult(
        audit=make_sensitivity_settings(reference=reference, status=status, hostile=hostile),
        data=DataSummary(
            fingerprint="d" * 64,
            rows_read=texts + 12,
            rows_left_out=12,
            cells_imputed=(),
            rows_audited=texts,
            outcome="occupation" if labels else "",
            favourable=detail.classes[0] if labels else "",
            protected=tuple(one.name for one in detail.memberships),
        ),
        model=ModelSummary(
            name=detail.audited.name,
            kind="Text classifier (Hugging Face, bert)",
            fingerprint="e" * 64,
            encoder=Encoder(columns=tuple(NumericColumn(name=f"embedding {i + 1}") for i in range(WIDTH))),
            classes=detail.classes,
            confusion=confusion,
        ),
        metric=None,
        detail=detail,
        caveats=(Caveat("info", "Left out 12 of 132 rows for missing cells."),),
        seed=seed,
        seconds=2.41,
        versions=(("python", "3.11.9"), ("torch", "2.13.0"), ("numpy", "2.4.6")),
    )


def make_sensitivity_study(**changes: Any) -> Study:
    """A study of the one plan that :func:`make_sensitivity_plan` makes."""
    return Study(plans=(make_sensitivity_plan(**changes),))


def make_sensitivity_plan(
    *,
    reference: bool = True,
    status: Status = "good",
    annotation: bool = True,
    attributes: Literal[0, 1, 2] = 1,
    labels: bool = True,
    hostile: bool = False,
    **changes: Any,
) -> AuditPlan:
    """The plan that could have given :func:`make_sensitivity_result`; ``changes`` replace its fields."""
    plan = AuditPlan(
        data=UploadedTable(file=FileRef(name="biographies.csv", sha256="c" * 64, bytes=61_440)),
        roles=Roles(
            text="biography",
            outcome="occupation" if labels else "",
            favourable=(HOSTILE_CLASSES if hostile else OCCUPATIONS)[0] if labels else "",
            annotation=("biased",) if annotation else (),
            protected=ATTRIBUTES[:attributes],
        ),
        model=HuggingFaceFolder(
            file=FileRef(name=HOSTILE_MODEL if hostile else "occupations.zip", sha256="e" * 64, bytes=1_204_224)
        ),
        audit=make_sensitivity_settings(reference=reference, status=status, hostile=hostile),
        seed=0,
        decision=TextSensitivityDecision(),
    )
    return plan.model_copy(update=changes)


def make_sensitivity_settings(
    *, reference: bool = True, status: Status = "good", hostile: bool = False, **changes: Any
) -> TextSensitivity:
    """The settings of :func:`make_sensitivity_result`; ``changes`` replace their fields."""
    second = LstmArchive(
        file=FileRef(name=HOSTILE[0] if hostile else "balanced.zip", sha256="f" * 64, bytes=812_032),
    )
    settings = TextSensitivity(
        status=NoStatus() if status == "none" else TrainedStatus(), reference=second if reference else None
    )
    return settings.model_copy(update=changes)


def make_sensitivity_detail(
    *,
    texts: int = 120,
    classes: int = 4,
    bias: float = 1.0,
    reference: bool = True,
    status: Status = "good",
    annotation: bool = True,
    attributes: Literal[0, 1, 2] = 1,
    labels: bool = True,
    exchanged: bool = True,
    cut: bool = False,
    long: bool = False,
    shown: int = 40,
    hostile: bool = False,
    draws: int = 999,
    seed: int = 0,
) -> TextSensitivityDetail:
    """What such an audit found; see :func:`make_sensitivity_result` for the arguments."""
    rng = np.random.default_rng(seed)
    names = _classes(classes, hostile)
    gender = rng.integers(2, size=texts)
    label = rng.integers(classes, size=texts)
    written = [
        _biography(rng, names[c], int(g), exchanged=exchanged, long=long, hostile=hostile)
        for c, g in zip(label, gender, strict=True)
    ]
    read = 12 if cut else None
    corpus = _Corpus.of(tuple(written), read, classes, status, rng)
    audited, task = _scores(
        rng, corpus, label, classes=classes, bias=bias, name=HOSTILE_MODEL if hostile else "occupations.zip"
    )
    second = _scores(
        rng, corpus, label, classes=classes, bias=0.2 * bias, name=HOSTILE[0] if hostile else "balanced.zip"
    )[0]
    p2, cf = audited.measures[:, 1], np.nan_to_num(audited.measures[:, 5])
    felt = 2.0 * cf / (cf.mean() or 1.0) + rng.normal(size=texts)
    judged = np.where(rng.random(texts) < 0.9, (felt > np.median(felt)).astype(float), np.nan)
    by = (gender, np.where(np.arange(texts) < 3, 1, rng.choice([0, 2, 3, 4], size=texts)))
    groups = HOSTILE_GROUPS if hostile else GROUPS
    most = np.argsort(np.nan_to_num(p2, nan=0.0), kind="stable")[::-1][: shown // 2]
    rest = rng.permutation(np.setdiff1d(np.arange(texts), most))[: min(shown, texts) - len(most)]
    return TextSensitivityDetail(
        classes=names,
        audited=audited,
        reference=second if reference else None,
        status=_report(status, groups[0], hostile),
        matched="" if status == "none" else "words",
        memberships=tuple(Grouping(ATTRIBUTES[i], groups[i], by[i].astype(np.int64)) for i in range(attributes)),
        label=label.astype(np.int64) if labels else np.full(texts, -1, dtype=np.int64),
        annotation=judged if annotation else np.full(texts, np.nan),
        shown=corpus.shown(np.sort(np.r_[most, rest]).astype(np.int64), task),
        words=corpus.word_scores(task, classes),
        listed_texts=sum(bool(found.any()) for found in corpus.listed),
        exchanged_texts=sum(bool(text) for text in corpus.exchanged),
        cut_texts=0 if read is None else sum(len(found) > read for found in corpus.spans),
        cut_words=0 if read is None else sum(max(len(found) - read, 0) for found in corpus.spans),
        draws=draws,
        seed=seed,
        records=np.arange(1, texts + 1),
        reach=tuple(
            GroupReach(ATTRIBUTES[i], group, int(own.sum()), int(own.sum()), 0.99, 0.97, 1.0)
            for i in range(attributes)
            for code, group in enumerate(groups[i])
            if (own := by[i] == code).any()
        ),
    )


@dataclass(frozen=True)
class _Corpus:
    """The texts in words; ``status`` are the words' shares of v, ``size`` their embeddings' mean size and sign."""

    texts: tuple[str, ...]
    exchanged: tuple[str, ...]
    spans: tuple[np.ndarray, ...]
    listed: tuple[np.ndarray, ...]
    cut: tuple[np.ndarray, ...]
    codes: tuple[np.ndarray, ...]
    vocabulary: tuple[str, ...]
    by_class: np.ndarray
    status: tuple[np.ndarray, ...]
    size: np.ndarray
    sign: np.ndarray

    @classmethod
    def of(
        cls, texts: tuple[str, ...], read: int | None, classes: int, status: Status, rng: np.random.Generator
    ) -> "_Corpus":
        words = WordList()
        found = tuple(spans(text) for text in texts)
        lowered = [[text[a:b].lower() for a, b in places] for text, places in zip(texts, found, strict=True)]
        vocabulary = tuple(sorted({word for text in lowered for word in text}))
        place = {word: i for i, word in enumerate(vocabulary)}
        codes = tuple(np.array([place[word] for word in text], dtype=np.int64) for text in lowered)
        marked = tuple(listed(text, places, words) for text, places in zip(texts, found, strict=True))
        cut = tuple(np.arange(len(one)) >= (len(one) if read is None else read) for one in codes)
        lean = np.array([0.15 + 2.0 * abs(_LEANING.get(word, 0.0)) for word in vocabulary])
        weights = [
            (lean[c] + 5.0 * m) if status == "good" else np.ones(len(c)) for c, m in zip(codes, marked, strict=True)
        ]
        shares = [np.where(c, 0.0, w * rng.gamma(4.0, 0.25, len(w))) for w, c in zip(weights, cut, strict=True)]
        swapped = [exchange(text, words) for text in texts]
        return cls(
            texts=texts,
            exchanged=tuple(one.text if len(one.before) else "" for one in swapped),
            spans=found,
            listed=marked,
            cut=cut,
            codes=codes,
            vocabulary=vocabulary,
            by_class=rng.gamma(0.7, 0.4, size=(len(vocabulary), classes)),
            status=tuple(
                np.where(c, np.nan, s / s.sum()) if status != "none" else np.full(len(s), np.nan)
                for s, c in zip(shares, cut, strict=True)
            ),
            size=rng.uniform(0.2, 0.6, len(vocabulary)),
            sign=rng.uniform(-1.0, 1.0, len(vocabulary)),
        )

    def shown(self, rows: np.ndarray, task: list[np.ndarray]) -> ShownTexts:
        def joined(parts: tuple[np.ndarray, ...] | list[np.ndarray]) -> np.ndarray:
            return np.concatenate([parts[row] for row in rows]) if len(rows) else np.concatenate(parts)[:0]

        places = joined(self.spans)
        return ShownTexts(
            rows=rows,
            records=rows + 1 + rows // 10,
            texts=tuple(self.texts[row] for row in rows),
            exchanged=tuple(self.exchanged[row] for row in rows),
            first=np.r_[0, np.cumsum([len(self.codes[row]) for row in rows])].astype(np.int64),
            start=places[:, 0],
            end=places[:, 1],
            task=joined(task),
            status=joined(self.status),
            listed=joined(self.listed),
            cut=joined(self.cut),
        )

    def word_scores(self, task: list[np.ndarray], classes: int) -> WordScores:
        total = np.zeros((len(self.vocabulary), 2))
        count = np.zeros(len(self.vocabulary), dtype=np.int64)
        for codes, cut, own, status in zip(self.codes, self.cut, task, self.status, strict=True):
            kept, share = codes[~cut], own[~cut] / own[~cut].sum()
            np.add.at(total, kept, np.column_stack([share, status[~cut]]))
            count[np.unique(kept)] += 1
        means = total / np.maximum(count, 1)[:, None]
        often = np.flatnonzero(count >= FEWEST_TEXTS)
        order = often[np.argsort(-means[often, 0], kind="stable")][:200]
        words = WordList()
        return WordScores(
            words=tuple(self.vocabulary[i] for i in order),
            texts=count[order],
            task=means[order, 0],
            status=means[order, 1],
            by_class=0.4 * self.by_class[order],
            listed=np.array([self.vocabulary[i] in words.listed for i in order], dtype=bool),
        )


def _scores(
    rng: np.random.Generator, corpus: _Corpus, label: np.ndarray, *, classes: int, bias: float, name: str
) -> tuple[TextScores, list[np.ndarray]]:
    """One model's scores, and wᵀJ of every word of every text."""
    n = len(corpus.texts)
    confidence = 1 / classes + (1 - 1 / classes) * rng.beta(5.0, 1.5, size=n)
    unsure = 4 * confidence * (1 - confidence) + 0.05
    predicted = np.where(rng.random(n) < 0.8, label, rng.integers(classes, size=n)).astype(np.int64)
    measures, signed, task = np.full((n, 6), np.nan), np.full((n, 2), np.nan), []
    for i, (codes, marked, cut) in enumerate(zip(corpus.codes, corpus.listed, corpus.cut, strict=True)):
        own = (
            unsure[i]
            * corpus.by_class[codes].mean(axis=1)
            * (1 + 2 * bias * marked)
            * rng.lognormal(0, 0.4, len(codes))
        )
        task.append(np.where(cut, np.nan, own))
        own, kept, named = own[~cut], codes[~cut], marked[~cut]
        size, sign, status = corpus.size[kept], corpus.sign[kept], corpus.status[i][~cut]
        measures[i, 0] = own.mean() / WIDTH
        measures[i, 1:3] = (own * status).sum() / WIDTH, (own * status * size).sum() / WIDTH
        signed[i, 0] = (own * status * size * sign).sum() / WIDTH
        if named.any():
            measures[i, 3:5] = own[named].mean() / WIDTH, (own * size)[named].mean() / WIDTH
            signed[i, 1] = (own * size * sign)[named].mean() / WIDTH
        if corpus.exchanged[i]:
            measures[i, 5] = 1 - np.exp(-bias * unsure[i] * rng.gamma(0.8, 0.25)) if bias else 0.0
    flipped = np.nan_to_num(measures[:, 5]) > 0.6 * confidence
    return TextScores(name, measures, signed, flipped, predicted, confidence), task


def _report(status: Status, groups: tuple[str, ...], hostile: bool) -> StatusReport | None:
    if status == "none":
        return None
    weak = status == "weak"
    accuracy = np.array([0.58, 0.51]) if weak else np.array([0.95, 0.91])
    half = 0.08 if weak else 0.04
    name = "Small recurrent network, trained on 210 texts of " + (HOSTILE[1] if hostile else "biographies.csv")
    return StatusReport(
        name=name,
        origin="trained",
        attribute=ATTRIBUTES[0],
        groups=groups,
        texts=np.array([64, 71]),
        accuracy=accuracy,
        accuracy_low=accuracy - half,
        accuracy_high=np.minimum(accuracy + half, 0.99),
        learned_from=210,
        epochs=14,
        weak=f"It recognises only 51% of the texts of {groups[1]}, hardly more than guessing." if weak else "",
    )


def _classes(count: int, hostile: bool) -> tuple[str, ...]:
    return (HOSTILE_CLASSES + OCCUPATIONS)[:count] if hostile else OCCUPATIONS[:count]


def _biography(
    rng: np.random.Generator, occupation: str, gender: int, *, exchanged: bool, long: bool, hostile: bool
) -> str:
    name = str(rng.choice(_NAMES[gender]))
    neutral = not exchanged or rng.random() < 0.1
    they, their = ("they", "their") if neutral else (("she", "her") if gender == 0 else ("he", "his"))

    def sentence() -> str:
        study, place, joy = (str(rng.choice(choices)) for choices in (_STUDIES, _PLACES, _JOYS))
        return f"{they.capitalize()} studied {study} in {place}, and {their} evenings belong to {joy}."

    text = " ".join([f"{name} works as {occupation}.", *(sentence() for _ in range(27 if long else 2))])
    return f"{text} {rng.choice(HOSTILE_WORDS)} & more." if hostile else text
