"""The fair-dummies test of equalized odds, with the groups around it (papers/fair-dummies.md)."""

from core.audits.fair_dummies.detail import Attribute, AttributeTest, FairDummiesDetail
from core.audits.fair_dummies.settings import FairDummies

__all__ = ["Attribute", "AttributeTest", "FairDummies", "FairDummiesDetail"]
