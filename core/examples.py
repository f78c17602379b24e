"""Ready-made audits for the home page: a table, a sample model and a metric that tell one story each."""

from dataclasses import dataclass
from pathlib import Path

import pandas as pd
from pydantic import TypeAdapter

from core.audits import AuditSettings
from core.audits.equalized_odds.settings import EqualizedOdds
from core.audits.gradient_flow.settings import GradientFlow
from core.audits.groups.settings import Groups
from core.audits.text_sensitivity.settings import TextSensitivity
from core.audits.transport.settings import CellColumn, Transport
from core.data.roles import Roles
from core.errors import DataError
from core.files import FileStore
from core.metrics.expert import Expert
from core.metrics.sensitive_subspace import SensitiveSubspace
from core.models import ModelSource
from core.models.predictions import PredictionColumns
from core.models.sniff import recognise
from core.plan import AuditPlan
from core.sources.public.adult import Adult
from core.sources.public.compas import FAITH_FEATURES, Compas
from core.sources.public.diabetes import Diabetes
from core.sources.simulated.biographies import Biographies
from core.sources.simulated.hiring import Hiring
from core.sources.simulated.screening import EDUCATION_LEVELS, EXPERIENCE_LIMITS, SCORE_LIMITS
from core.sources.simulated.two_slopes import TwoSlopes
from core.study import Study

SAMPLE_MODELS = Path(__file__).resolve().parent.parent / "sample_models"
"""Where the sample models' files lie."""

_MODEL: TypeAdapter[ModelSource] = TypeAdapter(ModelSource)

HIRING = Hiring(rows=20_000, part="test")
ADULT = Adult(part="test")
COMPAS = Compas(part="test")
DIABETES = Diabetes(part="test")
TWO_SLOPES = TwoSlopes(part="test")
COMPAS_FAITH = Compas(part="test", preparation="FaiTH paper", split_seed=17)
"""The rows the sample models are audited on; ``part="train"`` of the same settings is what they were trained on.

Of 50 splits, number 17 moves the same people over 45 as Fig. 2 of papers/faith.md, 31 Black and 19 white men.
"""

SCREENED_UNFAIRLY = Hiring(fair=True, rows=10_000, screening="biased")
SCREENED_FAIRLY = SCREENED_UNFAIRLY.model_copy(update={"screening": "fair"})
"""Everybody was hired on merit; a program with or without a bias would have sorted people before."""

BIOGRAPHIES = Biographies(rows=800, bias=0.0, seed=1)
"""As many women as men of every occupation, none of them written for training: what differs lies in the model."""

HELD_OUT = GradientFlow(metric=SensitiveSubspace(), regularisation=50.0, steps=500, step_size=0.01)
"""The settings of App. F.4, with the metric learned on rows that are not audited, which keeps the test exact."""

HUSBANDS_AND_WIVES = GradientFlow(metric=Expert(free=("relationship",)), regularisation=50.0, steps=500, step_size=0.01)
"""The settings of App. F.4 with a declared metric: to be called husband, wife or neither must not matter.

A subspace learned on Adult's held-out rows depends much on which rows those are, because race is hard to predict there:
over six splits T_n ran from 1.11 to 2.89.
"""

COMPAS_AUDIT = GradientFlow(metric=SensitiveSubspace(), regularisation=100.0, steps=200, step_size=0.005)
"""The settings behind Table 4; the columns sex and race are features, and free as well."""

FAITH = Transport(columns=tuple(CellColumn(name=name) for name in FAITH_FEATURES), space="all groups")
"""Section 5.1 of papers/faith.md: people who differ only in sex and race are the same; the model is asked."""

FAITH_OF_SCREENING = Transport(
    columns=(
        CellColumn(name="experience (years)", edges=EXPERIENCE_LIMITS),
        CellColumn(name="education", merged=tuple(EDUCATION_LEVELS.items())),
        CellColumn(name="test score", edges=SCORE_LIMITS),
        CellColumn(name="gender"),
        CellColumn(name="ethnicity"),
    )
)
"""Only the program's answers are known, so people are compared with people who are in the table."""


EQUAL_ODDS = EqualizedOdds()
"""Do people with the same outcome get the same answers in every group (papers/fair-dummies.md)?"""

EQUAL_ODDS_OF_FEW = EqualizedOdds(learner="linear", share=0.3)
"""For 310 people: the model is linear, and so is what looks for differences, which needs few of them to learn.

Over 16 ways to part the rows the verdict was a violation 12 times and insufficient evidence 4 times; in all of them
predictions given outcome and sex rose with age.
"""

GROUPS = Groups()
"""How groups and subgroups fare, beside the test of equalized odds."""

LEANINGS = TextSensitivity()
"""The shipped list of gendered words; the model of the group is put in from :attr:`Example.status`."""


@dataclass(frozen=True)
class Example:
    """One click on the home page.

    Attributes:
        key: Short name for addresses and tests.
        title: What people read on the button.
        story: One sentence: who decides about whom, and what the audit finds.
        needs_network: Whether the table has to be fetched once (unless ``EVENHAND_DATA`` names a folder with it).
        model: File name below ``sample_models``; empty where the table holds a model's answers.
        data: Where the table comes from.
        audits: The settings of each test.
        status: File name below ``sample_models`` of the model of the protected attribute; empty where none is asked
            for.
        reference: File name below ``sample_models`` of a second model to compare with; empty where there is none.
    """

    key: str
    title: str
    story: str
    needs_network: bool
    model: str
    data: Adult | Biographies | Compas | Diabetes | Hiring | TwoSlopes
    audits: tuple[AuditSettings, ...]
    status: str = ""
    reference: str = ""


EXAMPLES = (
    Example(
        "hiring-baseline",
        "A hiring model that picked up old habits",
        "A company trained a network on past decisions that disadvantaged women and minorities: people who differ "
        "only in what gives their group away get very different answers.",
        needs_network=False,
        model="hiring_baseline.safetensors",
        data=HIRING,
        audits=(HELD_OUT,),
    ),
    Example(
        "hiring-sensr",
        "The same hiring data, a fairer model",
        "Trained on the same biased decisions, but made to treat similar applicants alike: the same audit finds no "
        "violation.",
        needs_network=False,
        model="hiring_sensr.safetensors",
        data=HIRING,
        audits=(HELD_OUT,),
    ),
    Example(
        "adult-baseline",
        "Who earns more than $50,000?",
        "A network predicts income from census records without seeing sex or race, and still answers very differently "
        "for people who differ only in being somebody's husband, wife or neither.",
        needs_network=True,
        model="adult_baseline.safetensors",
        data=ADULT,
        audits=(HUSBANDS_AND_WIVES,),
    ),
    Example(
        "compas-baseline",
        "Who will be charged again?",
        "A network predicts whether a defendant will be charged again within two years; people who differ only in sex, "
        "race and what goes with them get different answers.",
        needs_network=True,
        model="compas_baseline.safetensors",
        data=COMPAS,
        audits=(COMPAS_AUDIT,),
    ),
    Example(
        "hiring-predictions",
        "A screening program, known by its answers only",
        "Nobody may look inside the program that sorts applicants; a column of its answers is enough to show that it "
        "turns away women and Black and Hispanic applicants whom it would invite if they were white men.",
        needs_network=False,
        model="",
        data=SCREENED_UNFAIRLY,
        audits=(FAITH_OF_SCREENING,),
    ),
    Example(
        "hiring-predictions-fair",
        "The same applicants, a program without bias",
        "It gives the same points for experience, education and test score to everybody: no comparison with similar "
        "applicants of other groups finds anybody treated better.",
        needs_network=False,
        model="",
        data=SCREENED_FAIRLY,
        audits=(FAITH_OF_SCREENING,),
    ),
    Example(
        "compas-faith",
        "Who is flagged, and who would be in another group?",
        "A logistic regression predicts whether a defendant will be charged again. Men over 45 with many prior charges "
        "are flagged who would not be if they were women; young people are cleared who would not be if they were "
        "Black men.",
        needs_network=True,
        model="compas_faith_logistic.skops",
        data=COMPAS_FAITH,
        audits=(FAITH,),
    ),
    Example(
        "texts-biased",
        "A reader of biographies that learned stereotypes",
        "A small language model tells people's occupations from short biographies. It learned from texts in which "
        "nearly all nurses are women and nearly all surgeons men: exchange she for he, and its answer moves.",
        needs_network=False,
        model="bios_bert_biased.zip",
        data=BIOGRAPHIES,
        audits=(LEANINGS,),
        status="bios_bert_status.zip",
        reference="bios_bert_balanced.zip",
    ),
    Example(
        "texts-balanced",
        "The same biographies, a reader without stereotypes",
        "Trained on texts in which every occupation has as many women as men: words such as she and he hardly move its "
        "answers.",
        needs_network=False,
        model="bios_bert_balanced.zip",
        data=BIOGRAPHIES,
        audits=(LEANINGS,),
        status="bios_bert_status.zip",
    ),
    Example(
        "example-1-1",
        "One model for two groups that differ",
        "A linear model follows the nine people of ten for whom one number matters, and errs about the tenth, for whom "
        "another does: among people with the same outcome, the minority gets other predictions.",
        needs_network=False,
        model="two_slopes_linear.skops",
        data=TWO_SLOPES,
        audits=(EQUAL_ODDS, GROUPS),
    ),
    Example(
        "example-1-1-fair",
        "The same two groups, a model that was held to fairness",
        "A linear model of the same people, fitted so that predictions do not tell the groups apart among people with "
        "the same outcome. The same audit finds no difference that could not be chance, but the minority has too few "
        "people to show that there is none.",
        needs_network=False,
        model="two_slopes_fair.safetensors",
        data=TWO_SLOPES,
        audits=(EQUAL_ODDS, GROUPS),
    ),
    Example(
        "diabetes",
        "How far will the disease go?",
        "A ridge regression predicts how far diabetes goes within a year. Among people in whom it went equally far, "
        "older ones get higher predictions than younger ones. Whether sex matters too cannot be said.",
        needs_network=False,
        model="diabetes_ridge.skops",
        data=DIABETES,
        audits=(EQUAL_ODDS_OF_FEW, GROUPS),
    ),
)


def example(key: str) -> Example:
    """The example with this key.

    Raises:
        DataError: There is none.
    """
    for candidate in EXAMPLES:
        if candidate.key == key:
            return candidate
    raise DataError(
        f"There is no example {key!r}.", advice=f"Choose one of {', '.join(known.key for known in EXAMPLES)}."
    )


def open_example(key: str, files: FileStore) -> Study:
    """A complete study, with the sample models' files put into ``files``. Nothing is fetched or computed yet.

    Args:
        key: Which of :data:`EXAMPLES`.
        files: Where uploads are kept.

    Raises:
        DataError: There is no such example, or a sample model is not installed.
    """
    chosen = example(key)
    roles = chosen.data.roles(pd.DataFrame())
    model = _file(chosen.model, files) if chosen.model else _answers(roles)
    return Study(
        plans=tuple(
            AuditPlan(data=chosen.data, roles=roles, model=model, audit=_with_files(audit, chosen, files))
            for audit in chosen.audits
        )
    )


def _with_files(audit: AuditSettings, chosen: Example, files: FileStore) -> AuditSettings:
    """The audit with the sample models that it reads itself."""
    if not isinstance(audit, TextSensitivity):
        return audit
    named: dict[str, object] = {}
    if chosen.status:
        named["status"] = {"kind": "uploaded", "model": _file(chosen.status, files).model_dump()}
    if chosen.reference:
        named["reference"] = _file(chosen.reference, files).model_dump()
    return TextSensitivity.model_validate({**audit.model_dump(), **named})


def _answers(roles: Roles) -> ModelSource:
    return PredictionColumns(columns=roles.predictions, trained_on="other rows")


def _file(name: str, files: FileStore) -> ModelSource:
    path = SAMPLE_MODELS / name
    if not path.is_file():
        script = "texts.py" if path.suffix == ".zip" else "train.py"
        raise DataError(
            f"The sample model {name} is not installed.",
            where=str(SAMPLE_MODELS),
            advice=f"Get it from the project's repository, or train it with python sample_models/{script}.",
        )
    file = files.put(path.read_bytes(), path.name)
    return _MODEL.validate_python({"kind": recognise(path, name), "file": file, "trained_on": "other rows"})
