"""From settings to a protected status model: trained, transferred from other texts, or uploaded, and judged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from core.base.errors import Caveat, ModelError
from core.base.files import FileStore
from core.base.progress import OnProgress, Progress, part_of
from core.language.phrases import count, whole
from core.language.told import retold, say
from core.models.text import outputs
from core.protected_status.judging import Accuracy, has_words, judge, known_groups, unknown, why_uneven, why_weak
from core.protected_status.labelled import LabelledTexts, other_texts, own_texts
from core.protected_status.model import StatusModel, StatusReport
from core.protected_status.settings import NoStatus, StatusSource, TrainedStatus, UploadedStatus
from core.protected_status.splitting import MOST_TEXTS, TextSplit, split_texts
from core.protected_status.training import Texts
from core.protected_status.weights import trained_network
from core.text.data import EncodedTexts
from core.text.network import AbstractTextNetwork

if TYPE_CHECKING:
    from core.models.text import TextModel
    from core.text.tokens import Tokens

_USE_LISTS = say(
    "Judge by the measures that use word lists (P4, P5) and by exchanged words (CF), or bring a better one."
)

_EVEN_OUT = say(
    "P2 and P3 may miss words of the group it knows less. Compare them with P4, P5 and CF, or let it learn from more "
    "texts of that group."
)


def load_status(  # noqa: PLR0917 - what an audit's run is given, in its order
    source: StatusSource,
    model: TextModel,
    data: EncodedTexts,
    rng: np.random.Generator,
    on_progress: OnProgress,
    files: FileStore,
) -> StatusModel | None:
    """The protected status model that the settings ask for; None if they ask for none.

    The same settings, model, texts and state of ``rng`` give the same weights to the last byte.

    Args:
        source: Where it comes from.
        model: The audited model; a trained one reads its tokens.
        data: The texts that may be measured.
        rng: Source of every random choice.
        on_progress: Told epoch and held-out loss; may raise to stop.
        files: Where uploads lie.

    Raises:
        DataError: There is no protected attribute to learn, or a group has too few texts.
        ModelError: The uploaded file is refused, or its outputs cannot be named.
        CancelledError: ``on_progress`` asked to stop.
    """
    if isinstance(source, NoStatus):
        return None
    if isinstance(source, UploadedStatus):
        return _uploaded(source, data, on_progress, files)
    return _trained(source, model, data, rng, on_progress=on_progress, files=files)


@dataclass(frozen=True)
class _Judged:
    """How good a model is, by which attribute.

    Attributes:
        attribute: The attribute; empty if it could not be judged.
        accuracy: Accuracy by output.
        caveats: What its reader has to know.
    """

    attribute: str
    accuracy: Accuracy
    caveats: tuple[Caveat, ...] = ()


def _uploaded(source: UploadedStatus, data: EncodedTexts, on_progress: OnProgress, files: FileStore) -> StatusModel:
    on_progress(Progress(0.0, say("Reading the protected status model")))
    network = source.model.load_network(files)
    groups = source.model.classes or network.classes
    name = source.model.file.name
    expected = max(2, outputs(network))
    if len(groups) != expected or len(set(groups)) < expected:
        raise ModelError(
            say(
                "The protected status model has {expected} outputs, and which group each of them stands for is "
                "not known.",
                expected=expected,
            ),
            where=f"{name}: {', '.join(groups[:8]) or say('no names')}",
            advice=say("Name the groups in the file, or declare the order of its classes, first output first."),
        )
    on_progress(Progress(0.5, say("Judging the protected status model")))
    judged = _judge_on_table(network, groups, data)
    judged = replace(judged, caveats=(*judged.caveats, *getattr(network, "caveats", ())))
    trained_on = source.model.trained_on
    if judged.attribute and trained_on != "other rows":
        seen = Caveat(
            "warning" if trained_on == "these rows" else "info",
            say("The protected status model learned from the texts it is judged by, so its accuracy may be overstated.")
            if trained_on == "these rows"
            else say(
                "The protected status model may have learned from the texts it is judged by, so its accuracy may be "
                "overstated."
            ),
            say("Judge it by texts it never saw."),
        )
        judged = replace(judged, caveats=(*judged.caveats, seen))
    return _finished(network, judged, groups, name=name, origin="uploaded", measured=np.arange(len(data)))


def _trained(
    source: TrainedStatus,
    model: TextModel,
    data: EncodedTexts,
    rng: np.random.Generator,
    *,
    on_progress: OnProgress,
    files: FileStore,
) -> StatusModel:
    own = source.corpus is None
    learning = own_texts(source, data) if source.corpus is None else other_texts(source.corpus, files)
    on_progress(Progress(0.0, say("Reading the texts that the protected status model learns from")))
    tokens = model.network.read(learning.texts)
    split = split_texts(
        learning.texts, has_words(tokens), learning.codes, groups=learning.groups, share=source.share, rng=rng
    )
    ready = trained_network(
        source,
        model,
        learning.groups,
        (_texts(tokens, learning.codes, split.trained), _texts(tokens, learning.codes, split.stopping)),
        seed=int(rng.integers(2**62)),
        on_progress=part_of(on_progress, 0.05, 0.9),
    )
    on_progress(Progress(0.9, say("Judging the protected status model")))
    seen = frozenset(learning.texts[place] for place in (*split.trained, *split.stopping))
    judged = None if own else _judge_on_table(ready.network, learning.groups, data, learning.attribute, seen)
    if judged is None or not judged.attribute:
        left = _texts(tokens, learning.codes, split.left)
        found = judge(ready.network, left.tokens, left.codes, len(learning.groups))
        judged = _Judged(learning.attribute, found, _judged_elsewhere(learning, own=own))
    finished = _finished(
        ready.network,
        replace(judged, caveats=(*_learned_from(split, learning, own=own), *judged.caveats)),
        learning.groups,
        name=say(
            "{name}, trained on {texts} of {title}",
            name=ready.name,
            texts=count(split.learned_from, "text"),
            title=learning.title,
        ),
        origin="trained" if own else "transferred",
        measured=split.left if own else np.arange(len(data)),
    )
    return replace(finished, report=replace(finished.report, learned_from=split.learned_from, epochs=ready.epochs))


def _finished(
    network: AbstractTextNetwork,
    judged: _Judged,
    groups: tuple[str, ...],
    *,
    name: str,
    origin: str,
    measured: np.ndarray,
) -> StatusModel:
    weak, uneven = why_weak(judged.accuracy, groups), why_uneven(judged.accuracy, groups)
    warned: tuple[Caveat, ...] = ()
    if weak:
        warned = (Caveat("serious", say("The protected status model is weak. {weak}", weak=weak), retold(_USE_LISTS)),)
    elif uneven:
        what = say("The protected status model knows one group better than another. {uneven}", uneven=uneven)
        warned = (Caveat("warning", what, retold(_EVEN_OUT)),)
    report = StatusReport(
        name=name,
        origin=origin,
        attribute=judged.attribute,
        groups=groups,
        texts=judged.accuracy.texts,
        accuracy=judged.accuracy.share,
        accuracy_low=judged.accuracy.low,
        accuracy_high=judged.accuracy.high,
        learned_from=0,
        epochs=0,
        weak=weak,
    )
    return StatusModel(network, report, measured, (*warned, *judged.caveats))


def _judge_on_table(
    network: AbstractTextNetwork,
    groups: tuple[str, ...],
    data: EncodedTexts,
    preferred: str = "",
    seen: frozenset[str] = frozenset(),
) -> _Judged:
    """Accuracy on the table's texts but those ``seen`` in training, by an attribute with two of the model's groups."""
    known = known_groups(data.dataset, groups, preferred)
    if known is None:
        return _Judged("", unknown(len(groups)))
    fresh = np.array([text not in seen for text in data.texts], dtype=bool)
    found = judge(network, network.read(data.texts), np.where(fresh, known.codes, -1), len(groups))
    caveats = []
    if foreign := int(np.count_nonzero(known.codes < 0)):
        what = say(
            "{foreign} of {texts} belong to groups of {attribute} that the protected status model does not "
            "know, and it was not judged by them. It knows {groups}.",
            foreign=whole(foreign),
            texts=count(len(data), "text"),
            attribute=repr(known.attribute),
            groups=", ".join(map(repr, groups[:8])),
        )
        caveats.append(Caveat("warning", what))
    if not fresh.all():
        what = say(
            "The protected status model learned from {some} of {texts} of this table, which the "
            "other table holds too; it was not judged by them.",
            some=whole(int(np.count_nonzero(~fresh))),
            texts=count(len(data), "text"),
        )
        caveats.append(Caveat("warning", what, say("Learn from other texts than those that are measured.")))
    return _Judged(known.attribute, found, tuple(caveats))


def _judged_elsewhere(learning: LabelledTexts, *, own: bool) -> tuple[Caveat, ...]:
    if own:
        return ()
    what = say(
        "The table has no protected attribute with the groups of {attribute} in {title}, so the "
        "protected status model was judged by other texts of that table. How well it does on these texts "
        "is not known.",
        attribute=repr(learning.attribute),
        title=learning.title,
    )
    return (Caveat("warning", what, say("Compare with the measures that use word lists (P4, P5).")),)


def _learned_from(split: TextSplit, learning: LabelledTexts, *, own: bool) -> tuple[Caveat, ...]:
    said = []
    if own:
        what = say(
            "The protected status model learned {attribute} from {texts}; they are not measured, and its "
            "accuracy is that on the texts that are.",
            attribute=repr(learning.attribute),
            texts=count(split.learned_from, "text"),
        )
        said.append(Caveat("info", what))
    if split.surplus:
        said.append(
            Caveat(
                "info",
                say(
                    "At most {most} different texts of each group are learned from; {surplus} more were not needed.",
                    most=whole(MOST_TEXTS),
                    surplus=count(split.surplus, "text"),
                ),
            )
        )
    return tuple(said)


def _texts(tokens: Sequence[Tokens], codes: np.ndarray, places: np.ndarray) -> Texts:
    return Texts([tokens[place] for place in places], codes[places])
