"""The papers' tables and figures again: what they print beside what Evenhand computes, with a verdict a cell."""
