"""The shared-answers test: how many people get an answer that nobody of another group gets."""

from core.contracts.kind import Kind

KIND = Kind(
    name="shared_answers",
    stem="SharedAnswers",
    title="Shared answers test",
    asks="How many people get an answer that nobody of another group gets?",
    needs="only predictions.",
    gives="the share of people with an answer of their group's own.",
    about="The test looks whether every answer is given to people of all groups.",
    citation="none",
    topics=("data",),
)
