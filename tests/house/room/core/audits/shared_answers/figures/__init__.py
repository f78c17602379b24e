"""Charts of the shared-answers test."""

from core.audits.shared_answers.verdict import SharedAnswersFinding

from core.figures import theme
from core.figures.chart import Chart, Drawing
from core.language.phrases import share_text


def shares(finding: SharedAnswersFinding) -> Drawing:
    """Two bars: people with an answer of their group's own, and the others; words and bars from the same rows."""
    rows = [("only in the own group", finding.estimate), ("in all groups", 1 - finding.estimate)]
    figure = theme.blank(160)
    figure.add_bar(x=[100 * share for _, share in rows], y=[name for name, _ in rows], orientation="h")
    figure.update_xaxes(title="people, in %")
    return Drawing(figure, "; ".join(f"{name}: {share_text(share)}" for name, share in rows))


CHARTS = {"shared answers": Chart("Whose answers are shared", "How many people's answers others get too.", shares)}
