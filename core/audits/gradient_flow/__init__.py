"""The gradient-flow loss-ratio test (papers/gradient-flow-test.md)."""

from core.kind import Kind

KIND = Kind(
    name="gradient_flow",
    stem="GradientFlow",
    title="Gradient-flow test",
    asks=("If a person changed a little in what must not matter, how much worse could the model treat them?"),
    needs="the model itself, with gradients: a neural network or a linear model.",
    gives=(
        "how many times larger the model's error (its loss) becomes; more than 1.25 times is too much unless you "
        "say otherwise."
    ),
    about=(
        "For every audited person the test searches for a similar person, as the fair metric understands it, whom "
        "the model treats worse. It then compares the model's loss on the two. An average ratio of 1 means that "
        "no worse treatment was found."
    ),
    citation="Maity, Xue, Yurochkin and Sun, “Statistical inference for individual fairness”, ICLR 2021",
    topics=("statistic", "search", "metric", "data"),
)
