"""What every test says of its tolerance and its error rate."""

from core.audits import KINDS
from core.caveats.assumptions import chosen_tolerance, is_proposed, whose_tolerance


def test_only_a_tolerance_that_somebody_moved_was_chosen() -> None:
    for kind in KINDS.values():
        decision = kind.decision()
        moved = decision.model_copy(update={"delta": decision.delta + 0.5})
        assert (is_proposed(decision), is_proposed(moved)) == (True, False)
        assert "is the one that Evenhand proposes" in chosen_tolerance("so much", decision)
        assert "is not the one that Evenhand proposes" in chosen_tolerance("so much", moved)


def test_whoever_gives_a_reason_chooses_the_tolerance_also_the_one_that_is_proposed() -> None:
    for kind in KINDS.values():
        decision = kind.decision()
        moved = decision.model_copy(update={"delta": decision.delta + 0.5})
        assert whose_tolerance(decision) == "proposed by Evenhand; no reason given yet"
        assert whose_tolerance(decision, "Ada Ruiz") == "chosen by Ada Ruiz, as Evenhand proposes"
        assert whose_tolerance(moved) == "chosen for this audit; no reason given yet"
        assert whose_tolerance(moved, "Ada Ruiz") == "chosen by Ada Ruiz"
