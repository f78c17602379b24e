"""A generated corpus of short biographies whose gender bias is known: how often which gender has which occupation.

Every biography is of an invented person, made of phrases of our own. Its occupation is drawn first, uniformly from the
28 of Bias in Bios (De-Arteaga et al., 2019); then its gender, female with probability

    p(female | occupation) = 1/2 + bias (women(occupation) - 1/2),

where the shares ``women`` are made up after common stereotypes and average one half; then its text. Given occupation
and gender, the sentences about work depend on the occupation alone and all others on the gender alone, so that at bias
0 neither the gender nor any word that tells it says anything about the occupation. The corpus describes nobody and
measures nothing about the world.
"""

import re
from functools import cache
from typing import Literal

import numpy as np
import pandas as pd

from core.base.files import FileStore
from core.base.settings import setting
from core.contracts.source import AbstractSource
from core.data.roles import Roles
from core.language.told import localized, say
from core.sources.public.split import PARTS, SPLIT_SEED, Part, part_of_rows
from core.sources.simulated.phrases import FreeTime, Phrases, Work, vocabulary

SHORTEST = 25
LONGEST = 80
"""Words of a biography."""

ANNOTATIONS = tuple(f"judged biased {place} (simulated)" for place in (1, 2, 3))  # verbatim
BIASED_WHERE_MISREAD, BIASED_ELSEWHERE = 0.8, 0.1
"""How often a model's answer looks biased: where its author is likely taken for somebody else, and elsewhere."""
AGREES, CANNOT_TELL = 0.9, 0.05
"""How often each simulated person sees that, and how often they cannot tell."""

_PLACE = re.compile(r"\{(\w+)\}")
_KINDS = {"field": "fields", "deed": "deeds", "place": "places", "past": "past", "study": "studies"}


class Biographies(AbstractSource):
    """Invented people: a biography each, an occupation, a gender."""

    kind: Literal["biographies"] = "biographies"
    rows: int = setting(
        6_000, label=say("Biographies"), unit=say("rows"), help=say("Number of texts."), ge=100, le=200_000
    )
    bias: float = setting(
        1.0,
        label=say("Gender bias of the corpus"),
        help=say(
            "0: every occupation has as many women as men. 1: occupations are tied to a gender as stereotypes have "
            "it. Values between lie on a straight line between the two."
        ),
        ge=0.0,
        le=1.0,
    )
    cues: float = setting(
        0.5,
        label=say("Subtle cues"),
        help=say(
            "How far hobbies and good causes follow the gender. 0: not at all. 1: entirely. Words such as she and "
            "father always agree with the gender."
        ),
        ge=0.0,
        le=1.0,
    )
    ambiguous: float = setting(
        0.35,
        label=say("Ambiguous texts"),
        help=say("Share of texts whose sentences about work fit several related occupations."),
        ge=0.0,
        le=1.0,
    )
    annotate: bool = setting(
        False,
        label=say("Simulated human judgement"),
        help=say(
            "Adds what three simulated people say of a model's answers: 1 biased, 0 not, 2 cannot tell. Biased is "
            "likely where a text leaves the work open and another occupation of its kind fits the gender better. There "
            "a model that leans on the gender errs."
        ),
    )
    seed: int = setting(0, label=say("Seed"), help=say("The same seed gives the same texts."), ge=0)
    part: Part = setting(
        "all",
        names=PARTS,
        label=say("Rows"),
        help=say("All texts, the four fifths a model is trained on, or the fifth it is judged on."),
    )
    split_seed: int = SPLIT_SEED

    @property
    def title(self) -> str:
        """Name with its bias."""
        return say("Invented biographies, gender bias {bias}", bias=localized(f"{self.bias:g}"))

    def load(self, files: FileStore) -> pd.DataFrame:
        """The biographies; nothing is fetched or read. No text occurs twice.

        Columns ``text``, ``occupation`` (28 names), ``gender`` ("female", "male") and, on request, the simulated
        judgements of three people (0, 1 or 2).
        """
        rng = np.random.default_rng(self.seed)
        names = list(vocabulary().occupations)
        occupation = [names[code] for code in rng.integers(len(names), size=self.rows)]
        gender = np.where(rng.random(self.rows) < np.array([self.share_of_women(name) for name in occupation]), 0, 1)
        ambiguous = rng.random(self.rows) < self.ambiguous
        judged = rng.random(self.rows)
        texts: dict[str, None] = {}
        for row, name in enumerate(occupation):
            while len(texts) <= row:
                texts[_Writer(rng, int(gender[row]), self.cues).biography(name, clear=not ambiguous[row])] = None
        frame = pd.DataFrame(
            {"text": list(texts), "occupation": occupation, "gender": np.array(["female", "male"])[gender]}
        )
        if self.annotate:
            taken_for = np.array([stereotype(name, code) for name, code in zip(occupation, gender, strict=True)])
            misread = ambiguous & (taken_for != np.array(occupation))
            biased = judged < np.where(misread, BIASED_WHERE_MISREAD, BIASED_ELSEWHERE)
            (people,) = rng.spawn(1)
            for name in ANNOTATIONS:
                seen = np.where(people.random(self.rows) < AGREES, biased, ~biased).astype(np.int64)
                frame[name] = np.where(people.random(self.rows) < CANNOT_TELL, 2, seen)
        return part_of_rows(frame, self.part, self.split_seed)

    def roles(self, frame: pd.DataFrame) -> Roles:
        """A model reads the text and tells the occupation; gender is protected; no occupation is favourable."""
        annotation = ANNOTATIONS if self.annotate else ()
        return Roles(text="text", outcome="occupation", protected=("gender",), annotation=annotation)

    def share_of_women(self, occupation: str) -> float:
        """p(female | occupation) at this bias."""
        return 0.5 + self.bias * (vocabulary().occupations[occupation].women - 0.5)


@cache
def stereotype(occupation: str, gender: int) -> str:
    """The occupation of the same family that goes most with a gender (0 female, 1 male)."""
    known = vocabulary().occupations
    family = [name for name, one in known.items() if one.family == known[occupation].family]
    return max(family, key=lambda name: (known[name].women, 1 - known[name].women)[gender])


class _Writer:
    """Writes the biography of one person; every choice is a draw from ``rng``."""

    def __init__(self, rng: np.random.Generator, gender: int, cues: float) -> None:
        self.rng = rng
        self.gender = gender
        self.cues = cues
        self.told: set[str] = set()
        self.phrases = vocabulary()
        self.surname = self._pick(self.phrases.slots["surname"])
        self.first = self._pick(self.phrases.slots["first"])

    def biography(self, occupation: str, *, clear: bool) -> str:
        """Between :data:`SHORTEST` and :data:`LONGEST` words; a clear one has two sentences that fit no other work."""
        entry, about = self.phrases.occupations[occupation], self.phrases.sentences
        shared = self.phrases.families[entry.family]
        own = entry.work if clear else shared
        sentences = [self._sentence(about.work, own), self._sentence(about.work, own)]
        rest = [(about.work, shared)]
        rest += [(kind, own) for kind in (about.studies, about.career, about.career, about.family, about.free_time)]
        words = sum(map(_length, sentences))
        at_least = int(self.rng.integers(SHORTEST, LONGEST - 20))
        for place in self.rng.permutation(len(rest)):
            sentence = self._sentence(*rest[place])
            if words + _length(sentence) <= LONGEST:
                sentences.append(sentence)
                words += _length(sentence)
            if words >= at_least:
                break
        return " ".join(sentences[place] for place in self.rng.permutation(len(sentences)))

    def _pick(self, phrases: Phrases) -> str:
        """A phrase this biography has not used yet."""
        left = [phrase for phrase in phrases if phrase not in self.told] or list(phrases)
        return left[int(self.rng.integers(len(left)))]

    def _sentence(self, sentences: Phrases, work: Work) -> str:
        sentence = self._pick(sentences)
        self.told.add(sentence)
        filled = self._fill(sentence, work)
        return filled[0].upper() + filled[1:]

    def _fill(self, phrase: str, work: Work) -> str:
        return _PLACE.sub(lambda place: self._place(place.group(1), work), phrase)

    def _place(self, name: str, work: Work) -> str:
        key = name.lower()
        if key in self.phrases.gendered:
            word = self.phrases.gendered[key][self.gender]
            return word.capitalize() if name[0].isupper() else word
        if key in ("surname", "first"):
            return self.surname if key == "surname" else self.first
        if key in ("hobby", "cause"):
            phrase = self._pick(self._free_time(self.phrases.hobbies if key == "hobby" else self.phrases.causes))
        else:
            phrase = self._pick(getattr(work, _KINDS[key]) if key in _KINDS else self.phrases.slots[key])
        self.told.add(phrase)
        return self._fill(phrase, work)

    def _free_time(self, phrases: FreeTime) -> Phrases:
        """One third anybody's phrases; else those of the person's gender with probability (1 + cues) / 2."""
        if self.rng.random() < 1 / 3:
            return phrases.both
        follows = self.rng.random() < (1 + self.cues) / 2
        return (phrases.women, phrases.men)[self.gender if follows else 1 - self.gender]


def _length(sentence: str) -> int:
    return len(sentence.split())
