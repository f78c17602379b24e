"""UCI Communities and Crime, an outcome that is a number, as in section 4.1 of the fair-dummies paper."""

from typing import ClassVar, Literal

import numpy as np
import pandas as pd

from core.base.files import FileStore
from core.base.settings import setting
from core.data.roles import Roles
from core.language.told import say
from core.sources.public.fetch import AbstractPublished, PublicFile, fetch
from core.sources.public.split import PARTS, SPLIT_SEED, Part, part_of_rows

_FILE = PublicFile(
    "communities",
    "communities.data",
    "https://archive.ics.uci.edu/ml/machine-learning-databases/communities/communities.data",
    "09e0b5c07eae24c1efab19b2edee05e160e7f5743b6f31e31eec3d73624da2ea",
)
_NAMES = """
state county community communityname fold population householdsize racepctblack racePctWhite racePctAsian racePctHisp
agePct12t21 agePct12t29 agePct16t24 agePct65up numbUrban pctUrban medIncome pctWWage pctWFarmSelf pctWInvInc pctWSocSec
pctWPubAsst pctWRetire medFamInc perCapInc whitePerCap blackPerCap indianPerCap AsianPerCap OtherPerCap HispPerCap
NumUnderPov PctPopUnderPov PctLess9thGrade PctNotHSGrad PctBSorMore PctUnemployed PctEmploy PctEmplManu PctEmplProfServ
PctOccupManu PctOccupMgmtProf MalePctDivorce MalePctNevMarr FemalePctDiv TotalPctDiv PersPerFam PctFam2Par PctKids2Par
PctYoungKids2Par PctTeen2Par PctWorkMomYoungKids PctWorkMom NumIlleg PctIlleg NumImmig PctImmigRecent PctImmigRec5
PctImmigRec8 PctImmigRec10 PctRecentImmig PctRecImmig5 PctRecImmig8 PctRecImmig10 PctSpeakEnglOnly PctNotSpeakEnglWell
PctLargHouseFam PctLargHouseOccup PersPerOccupHous PersPerOwnOccHous PersPerRentOccHous PctPersOwnOccup
PctPersDenseHous PctHousLess3BR MedNumBR HousVacant PctHousOccup PctHousOwnOcc PctVacantBoarded PctVacMore6Mos
MedYrHousBuilt PctHousNoPhone PctWOFullPlumb OwnOccLowQuart OwnOccMedVal OwnOccHiQuart RentLowQ RentMedian RentHighQ
MedRent MedRentPctHousInc MedOwnCostPctInc MedOwnCostPctIncNoMtg NumInShelters NumStreet PctForeignBorn
PctBornSameState PctSameHouse85 PctSameCity85 PctSameState85 LemasSwornFT LemasSwFTPerPop LemasSwFTFieldOps
LemasSwFTFieldPerPop LemasTotalReq LemasTotReqPerPop PolicReqPerOffic PolicPerPop RacialMatchCommPol PctPolicWhite
PctPolicBlack PctPolicHisp PctPolicAsian PctPolicMinor OfficAssgnDrugUnits NumKindsDrugsSeiz PolicAveOTWorked LandArea
PopDens PctUsePubTrans PolicCars PolicOperBudg LemasPctPolicOnPatr LemasGangUnitDeploy LemasPctOfficDrugUn
PolicBudgPerPop ViolentCrimesPerPop
"""  # verbatim
_INCOMPLETE = """
OtherPerCap LemasSwornFT LemasSwFTPerPop LemasSwFTFieldOps LemasSwFTFieldPerPop LemasTotalReq LemasTotReqPerPop
PolicReqPerOffic PolicPerPop RacialMatchCommPol PctPolicWhite PctPolicBlack PctPolicHisp PctPolicAsian PctPolicMinor
OfficAssgnDrugUnits NumKindsDrugsSeiz PolicAveOTWorked PolicCars PolicOperBudg LemasPctPolicOnPatr LemasGangUnitDeploy
PolicBudgPerPop
"""  # verbatim
"""A single community lacks the first; 1,675 communities did not answer the police survey, the other 22."""
_COLUMNS = tuple(_NAMES.split())
_IDENTIFIERS = _COLUMNS[:5]
_RACE = "racepctblack"
_LIMIT = 0.1
OUTCOME = "ViolentCrimesPerPop"
PROTECTED = "Black residents"  # verbatim
MANY, FEW = "share above 0.1", "share at most 0.1"  # verbatim
"""Values of the protected attribute: 784 and 1,210 communities."""
FEATURES = tuple(name for name in _COLUMNS if name not in {*_IDENTIFIERS, *_INCOMPLETE.split(), _RACE, OUTCOME})
"""The 98 columns without a missing cell that are neither identifier, protected attribute nor outcome."""


class Communities(AbstractPublished):
    """1,994 communities of the USA: how many violent crimes are there for each resident?

    The rows are communities, not people; all numbers were scaled to lie between 0 and 1 by those who published them,
    and extreme ones were cut off at the ends. Section 4.1 of papers/fair-dummies.md uses "race information as a binary
    sensitive attribute", which is no feature. Which column and which limit it does not say; in the authors' code it is
    ``racepctblack`` (the scaled share of Black residents), at most 0.1 or above, and so it is here. The other columns
    about race stay features, as there. The authors put 0 into empty cells; here the 23 incomplete columns are left out,
    and no row is.
    """

    title: ClassVar[str] = "UCI Communities and Crime"  # verbatim
    published: ClassVar[tuple[PublicFile, ...]] = (_FILE,)

    kind: Literal["communities"] = "communities"
    part: Part = setting(
        "test",
        names=PARTS,
        label=say("Rows"),
        help=say(
            "All 1,994 communities, the 60% that a model is trained on, or the 40% on which it is judged: half of "
            "these to learn where to look for differences, half to test, as in the paper."
        ),
    )
    split_seed: int = SPLIT_SEED

    def load(self, files: FileStore) -> pd.DataFrame:
        """The 98 features, the protected attribute and the outcome; no cell is empty.

        Raises:
            SourceError: The file could not be fetched, or is not the published one.
        """
        raw = pd.read_csv(fetch(_FILE), header=None, names=_COLUMNS, na_values="?")
        race = pd.Series(np.where(raw[_RACE] > _LIMIT, MANY, FEW), name=PROTECTED)
        table = pd.concat([raw[list(FEATURES)], race, raw[[OUTCOME]]], axis=1)
        return part_of_rows(table, self.part, self.split_seed, share=0.6)

    def roles(self, frame: pd.DataFrame) -> Roles:
        """The crime rate is a number; the share of Black residents is protected and no feature."""
        return Roles(outcome=OUTCOME, outcome_type="number", protected=(PROTECTED,), features=FEATURES)
