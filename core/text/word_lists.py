"""Words that name a group, and their counterparts: the vector v of P4 and P5, and the swaps of CF."""

from core.settings import Settings, setting


class Pair(Settings):
    """Two words that stand for each other in different groups; written as people write them, in lower case."""

    word: str
    counterpart: str


class WordList(Settings):
    """Words that name a group. Matching ignores case; a word of several words is not matched.

    An empty list means the shipped one (:data:`GENDER`).
    """

    name: str = setting("Gendered words", label="Name", help="What the list is about.")
    pairs: tuple[Pair, ...] = setting(
        (), label="Pairs", help="Words to exchange for each other.", empty="the shipped list of gendered words"
    )
    others: tuple[str, ...] = setting(
        (), label="Other words", help="Words that name a group and have no counterpart.", empty="none"
    )
