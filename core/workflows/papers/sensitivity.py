"""Tables 2 and 5, and Appendices A, B and D, of papers/prediction-sensitivity.md.

Its Tables 1 and 5 rest on people's judgements of Bias in Bios and of Jigsaw, which were not published. Imports torch
when it works, not when it is imported.
"""

from __future__ import annotations

from functools import partial
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from core.audits.column_sensitivity.settings import ColumnSensitivity
from core.base.files import FileStore
from core.base.progress import ignore_progress
from core.contracts.audit import Given as AuditGiven
from core.data.dataset import Dataset
from core.data.encoder import Encoder, NumericColumn
from core.data.roles import Roles
from core.language.told import say
from core.protected_status.settings import TrainedStatus
from core.protected_status.splitting import split_texts
from core.sources.public.bios import Bios
from core.sources.simulated.biographies import Biographies
from core.text.word_lists import WordList
from core.workflows.examples import SAMPLE_MODELS
from core.workflows.papers.cells import Cell, Ours, Printed, Said
from core.workflows.papers.items import Curve, Curves, Found, Given, Item, Piece, Results

if TYPE_CHECKING:
    from core.models.formats.hugging_face.source import HuggingFaceFolder
    from core.models.formats.lstm.source import LstmArchive
    from core.models.text import TextModel

PAPER = (
    "Krishna, Gupta, Verma, Dhamala, Pruksachatkun and Chang, “Measuring fairness of text classifiers via prediction "
    "sensitivity”, ACL 2022"  # verbatim
)
HIRING = ("education", "hair", "female")
NO_JUDGEMENTS = say("The people's judgements that these numbers rest on were not published.")


# ------------------------------------------------------------------------------------------------ Appendix A


def applicants(rows: int, seed: int) -> Dataset:
    """App. A: education uniform on 0..10, hair N(2, 10) for men and N(10, 10) for women (10 is the variance)."""
    rng = np.random.default_rng(seed)
    female = rng.integers(2, size=rows)
    education = rng.uniform(0, 10, rows)
    hair = np.where(female == 1, 10.0, 2.0) + np.sqrt(10.0) * rng.standard_normal(rows)
    hired = np.where(rng.random(rows) < 0.5, "yes", "no")
    frame = pd.DataFrame({"education": education, "hair": hair, "female": female, "hired": hired})
    return Dataset.build(frame, Roles(outcome="hired", favourable="yes", protected=("female",), features=HIRING))


def appendix_a_unit(given: Given) -> Found:
    """Both cases of Appendix A: what changes with gender, and P of the two classifiers."""
    from core.audits.column_sensitivity.engine import GroupChange, run
    from core.models.layers import linear
    from core.models.module import ModuleModel

    dataset = applicants(int(given["rows"]), int(given["seed"]))
    encoder = Encoder(columns=tuple(NumericColumn(name=name) for name in HIRING))

    def model(weights: tuple[float, float, float], intercept: float) -> ModuleModel:
        return ModuleModel(linear(np.array([weights]), np.array([intercept])), encoder, ("no", "yes"), "logistic")

    def p(one: ModuleModel, **settings: object) -> float:
        audit = ColumnSensitivity.model_validate(settings)
        detail, _ = run(audit, AuditGiven(one, one.encode(dataset), np.random.default_rng(1)))
        return float(detail.attributes[0].slope.mean())

    first, second = model((1.0, 1.0, 0.0), -11.0), model((1.0, 0.0, 0.0), -5.0)
    data = first.encode(dataset)
    change = np.diff(GroupChange.learned("female", ("education", "hair"), data, data).means, axis=0)[0]
    return {
        "education by gender": [float(change[0])],  # verbatim
        "hair by gender": [float(change[1])],  # verbatim
        "P without the chain rule": [p(first)],  # verbatim
        "P": [p(first, through=("education", "hair"))],
        "P of education": [p(second, through=("hair",))],  # verbatim
    }


def _appendix_a_units(splits: int, quick: bool) -> tuple[Piece, ...]:
    rows = 500 if quick else 10_000
    return tuple(Piece(appendix_a_unit, {"appendix": "A", "rows": rows, "seed": seed}) for seed in range(splits))


def _appendix_a_cells(results: Results) -> tuple[Cell, ...]:
    where = "Appendix A"  # verbatim
    first, second = say("case 1: education and hair"), say("case 2: education alone")
    swapped = say("The paper prints the two values the other way round; ours is the mean over all people.")
    return (
        Cell(
            first,
            say("change of hair with gender"),
            Printed("7.98", where),
            results.ours("hair by gender", appendix="A"),
            swapped,
        ),
        Cell(
            first,
            say("change of education with gender"),
            Printed("0.01", where),
            results.ours("education by gender", appendix="A"),
            swapped,
        ),
        Cell(
            first,
            say("P without the chain rule"),
            Said("0", where, 0.0, 0.0),
            results.ours("P without the chain rule", appendix="A"),
        ),
        Cell(first, "P", Said(say("not zero"), where, 0.05), results.ours("P", appendix="A")),
        Cell(second, "P", Said("0", where, 0.0, 0.0), results.ours("P of education", appendix="A")),
    )


# ------------------------------------------------------------------------------------------------ Appendix B

BOUNDS = (0.02, 0.04, 0.06, 0.08, 0.1, 0.12, 0.14, 0.16, 0.18, 0.2)


def constrained_slope(bound: float) -> float:
    """θ of least squares y ≈ θx under |θ| ≤ L (App. B), x uniform on 0..10 and y = 1 from 5 on."""
    x = (np.arange(2_000) + 0.5) / 200
    return float(np.clip(x @ (x >= 5) / (x @ x), -bound, bound))


def appendix_b_unit(given: Given) -> Found:
    """P of the constrained linear classifier for every bound L."""
    from core.audits.text_sensitivity.measures import measure

    found = []
    for bound in BOUNDS:
        derivative = np.full((1, 1), abs(constrained_slope(bound)))
        found.append(float(measure(derivative, derivative, np.ones((1, 1)), np.array([True]))[0][0]))
    return {"bounds": list(BOUNDS), "P": found}


def _appendix_b_cells(results: Results) -> tuple[Cell, ...]:
    where, row = "Appendix B, Fig. 1", say("linear classifier under |θ| ≤ L")  # verbatim
    ours = results.lists("P", appendix="B")
    follows = [max(abs(p - b) for p, b in zip(one, BOUNDS, strict=True) if b <= 0.1) for one in ours]
    why = say("The paper says 0.1. The unconstrained optimum is E[xy] / E[x²] = 0.1125, so P = min(L, 0.1125).")
    return (
        Cell(
            row,
            say("largest |P − L| up to L = 0.1"),
            Said(say("closely follows L"), where, high=1e-6),
            Ours.of(follows),
        ),
        Cell(row, say("P at L = 0.2"), Printed("0.1", where), Ours.of([one[-1] for one in ours]), why),
    )


def _appendix_b_curves(results: Results) -> tuple[Curves, ...]:
    lines = tuple(Curve("P", list(BOUNDS), one) for one in results.lists("P", appendix="B"))
    return (Curves(say("P against L"), say("Figure 1 of Appendix B."), "L", "P", lines),)


# ------------------------------------------------------------------------------------------------ Table 2

SENTENCE = (
    "he obtained his master's in architecture from the university of tehran and phd in architecture and "  # verbatim
    "landscape history at georgia institute of technology"
)
"""The example of Table 2 from Bias in Bios."""
GENDERED, WORK = frozenset({"he", "his"}), frozenset({"architecture", "landscape", "master", "phd"})


def table_2_unit(given: Given) -> Found:
    """How much of wᵀJ and of v lies on which words of the sentence, over what an even share would be."""
    from core.audits.text_sensitivity.counterparts import Counterparts
    from core.audits.text_sensitivity.scoring import SubjectModel

    with TemporaryDirectory(prefix="evenhand-") as folder:
        files = FileStore(Path(folder))
        model = _model(str(given["task"]), files)
        status = _source(str(given["status"]), files).load_network(files)
        subject = SubjectModel(
            model,
            np.arange(len(model.classes)),
            np.full(len(model.classes), 1 / len(model.classes)),
            status,
            Counterparts.of_settings(WordList(), ()),
        )
        (one,) = subject.sensitivities([SENTENCE], np.array([1]), ignore_progress)
    words = np.array(one.words.lower)

    def over_even(values: np.ndarray, these: frozenset[str]) -> float:
        mine = np.isin(words, list(these))
        return float(np.nansum(values[mine]) / np.nansum(values) / mine.mean())

    return {
        "v on gendered words": [over_even(one.status, GENDERED)],  # verbatim
        "wJ on words of work": [over_even(one.task, WORK)],  # verbatim
        "wJ on gendered words": [over_even(one.task, GENDERED)],  # verbatim
    }


def _source(name: str, files: FileStore) -> HuggingFaceFolder | LstmArchive:
    from core.models.formats.hugging_face.source import HuggingFaceFolder
    from core.models.formats.lstm.source import LstmArchive

    file = files.put((SAMPLE_MODELS / name).read_bytes(), name)
    return HuggingFaceFolder(file=file) if "bert" in name else LstmArchive(file=file)


def _model(name: str, files: FileStore) -> TextModel:
    """A sample model of the occupation."""
    corpus = Biographies(rows=100)
    frame = corpus.load(files)
    return _source(name, files).load(files, Dataset.build(frame, corpus.roles(frame)))


def _table_2_units(splits: int, quick: bool) -> tuple[Piece, ...]:
    kind = "lstm" if quick else "bert"
    return (Piece(table_2_unit, {"table": 2, "task": f"bios_{kind}_biased.zip", "status": f"bios_{kind}_status.zip"}),)


def _table_2_cells(results: Results) -> tuple[Cell, ...]:
    where, row = (
        "Table 2 and section 7.1",  # verbatim
        say("Bias in Bios: “he obtained his master's in architecture …”"),
    )
    mostly, weighs = say("mostly gendered words"), say("weighs on words of occupations")
    why = say("The models are Evenhand's, trained on simulated biographies; the paper's were not published.")
    jigsaw = say("No model of toxicity comes with Evenhand, and the paper's was not published.")
    return (
        Cell(
            row,
            say("v on “he” and “his”, over an even share"),
            Said(mostly, where, 1.0),
            results.ours("v on gendered words", table=2),
            why,
        ),
        Cell(
            row,
            say("wᵀJ on words of work, over an even share"),
            Said(weighs, where, 1.0),
            results.ours("wJ on words of work", table=2),
            why,
        ),
        Cell(say("Jigsaw: “gee maybe she …”"), "v", Said(mostly, where), None, jigsaw),
    )


# ------------------------------------------------------------------------------------------------ Appendix D, Table 5


def status_unit(given: Given) -> Found:
    """Recall of a protected status model for women and men, on texts of Bias in Bios that it never saw.

    It learns from a part of them of which a share of the women is left out (Appendix D), or from simulated biographies.
    """
    from core.protected_status.judging import has_words, judge
    from core.protected_status.training import Texts
    from core.protected_status.weights import trained_network

    seed, share = int(given["seed"]), float(given["women"])
    with TemporaryDirectory(prefix="evenhand-") as folder:
        model = _model("bios_lstm_biased.zip", FileStore(Path(folder)))
        texts = Bios().load(FileStore(Path(folder)))
        elsewhere = given["learned from"] != "Bias in Bios"  # verbatim
        learning = Biographies(rows=1_000, seed=seed).load(FileStore(Path(folder))) if elsewhere else texts
    column = "text" if elsewhere else "hard_text"
    read, codes = _read(model, learning[column], learning["gender"])
    rng = np.random.default_rng(seed)
    split = split_texts(tuple(learning[column]), has_words(read), codes, groups=("female", "male"), share=0.6, rng=rng)
    halves = tuple(
        Texts([read[place] for place in places], codes[places])
        for places in (_with_fewer_women(part, codes, share, rng) for part in (split.trained, split.stopping))
    )
    source = TrainedStatus(epochs=int(given["epochs"]))
    ready = trained_network(
        source, model, ("female", "male"), (halves[0], halves[1]), seed=seed, on_progress=ignore_progress
    )
    judged, true = (_read(model, texts["hard_text"], texts["gender"])) if elsewhere else (read, codes)
    places = np.arange(len(true)) if elsewhere else split.left
    found = judge(ready.network, [judged[place] for place in places], true[places], 2)
    return {"women": [float(found.share[0])], "men": [float(found.share[1])]}


def _read(model: TextModel, texts: pd.Series, genders: pd.Series) -> tuple[list, np.ndarray]:  # type: ignore[type-arg]
    codes = (genders.str.lower() == "male").to_numpy().astype(np.int64)
    return list(model.network.read(texts.tolist())), codes


def _with_fewer_women(places: np.ndarray, codes: np.ndarray, share: float, rng: np.random.Generator) -> np.ndarray:
    women = places[codes[places] == 0]
    kept = rng.permutation(women)[: max(1, round(share * len(women)))]
    return np.asarray(places[(codes[places] == 1) | np.isin(places, kept)])


def _status_units(splits: int, quick: bool, shares: tuple[float, ...], learned: str) -> tuple[Piece, ...]:
    epochs = 3 if quick else 30
    return tuple(
        Piece(
            status_unit,
            {"learned from": learned, "women": share, "epochs": epochs, "seed": seed},  # verbatim
            Bios.published,
        )
        for seed, share in product(range(splits), shares)
    )


def _appendix_d_cells(results: Results) -> tuple[Cell, ...]:
    where, row = "Appendix D", say("half of the women left out of the training")  # verbatim
    why = say(
        "Evenhand's status model weighs both groups alike while it learns, so that a smaller group costs less. Ours "
        "also learns from some 600 texts instead of 107,171."
    )

    def fewer(who: str) -> Ours | None:
        whole, half = (results.values(who, women=share) for share in (1.0, 0.5))
        return Ours.of([100 * (a - b) for a, b in zip(whole, half, strict=True)])

    about = Said(say("about 18"), where, 14.0, 22.0)
    same = Said(say("the same"), where, -3.0, 3.0)
    return (
        Cell(row, say("recall of women, points lost"), about, fewer("women"), why),
        Cell(row, say("recall of men, points lost"), same, fewer("men"), why),
        Cell(row, say("correlation of P with people's judgement"), Printed("0.259", where), None, NO_JUDGEMENTS),
    )


TABLE_5 = {
    "P5, Bias in Bios": ("0.363", "0.098"),  # verbatim
    "P3, Bias in Bios": ("0.441", "0.105"),  # verbatim
    "P3, Bias in Bios, learned from Jigsaw": ("0.365", "0.091"),  # verbatim
    "P5, Jigsaw": ("0.295", "0.061"),
    "P3, Jigsaw": ("0.374", "0.101"),
    "P3, Jigsaw, learned from Bias in Bios": ("0.238", "0.083"),  # verbatim
}


def _table_5_cells(results: Results) -> tuple[Cell, ...]:
    found = [
        Cell(row, column, Printed(text, f"Table 5, {row}"), None, NO_JUDGEMENTS)
        for row, texts in TABLE_5.items()
        for column, text in zip((say("correlation"), say("mutual information")), texts, strict=True)
    ]
    row = say("status model learned from simulated biographies, judged on Bias in Bios")
    why = say("What can be computed of the transfer: whether the status model still knows the groups elsewhere.")
    each = ((say("recall of women"), "women"), (say("recall of men"), "men"))
    return (*found, *(Cell(row, column, None, results.ours(who), why) for column, who in each))


ITEMS = (
    Item(
        name="sensitivity-2",
        title=say("Table 2: which words carry the sensitivity"),
        paper=PAPER,
        minutes=0.5,
        units=_table_2_units,
        cells=_table_2_cells,
    ),
    Item(
        name="sensitivity-5",
        title=say("Table 5: a status model learned from other texts"),
        paper=PAPER,
        minutes=3.0,
        units=partial(_status_units, shares=(1.0,), learned="simulated biographies"),  # verbatim
        cells=_table_5_cells,
        splits=3,
    ),
    Item(
        name="sensitivity-appendix-a",
        title=say("Appendix A: hair that carries gender"),
        paper=PAPER,
        minutes=0.3,
        units=_appendix_a_units,
        cells=_appendix_a_cells,
        splits=10,
        quick=2,
    ),
    Item(
        name="sensitivity-appendix-b",
        title=say("Appendix B: P of a classifier under a Lipschitz constraint"),
        paper=PAPER,
        minutes=0.1,
        units=lambda splits, quick: (Piece(appendix_b_unit, {"appendix": "B"}),),
        cells=_appendix_b_cells,
        curves=_appendix_b_curves,
    ),
    Item(
        name="sensitivity-appendix-d",
        title=say("Appendix D: a status model that knows fewer women"),
        paper=PAPER,
        minutes=5.0,
        units=partial(_status_units, shares=(1.0, 0.5), learned="Bias in Bios"),  # verbatim
        cells=_appendix_d_cells,
        splits=5,
    ),
)
