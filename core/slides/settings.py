"""What a presenter may change of a deck: order, captions, and which slides are hidden; never what was found."""

from dataclasses import replace
from typing import Self

from core.base.errors import SettingsError
from core.base.settings import Settings, setting
from core.language.told import say, say_as
from core.slides.deck import Deck

LONGEST_CAPTION = 80


class SlideSettings(Settings):
    """One slide of a deck."""

    key: str = setting(label=say("Slide"), help=say("Which slide."), max_length=40)
    caption: str = setting(
        "", label=say_as("of a slide", "Caption"), help=say("Stands above the slide."), max_length=LONGEST_CAPTION
    )
    hidden: bool = setting(False, label=say("Hidden"), help=say("Whether the slide is left out."))


class DeckSettings(Settings):
    """The slides in their order; those that are not named follow as they are."""

    slides: tuple[SlideSettings, ...] = setting(
        (), label=say("Slides"), help=say("In the order in which they are shown.")
    )

    @classmethod
    def of(cls, deck: Deck) -> Self:
        """A deck as it is, under its own captions."""
        return cls(slides=tuple(SlideSettings(key=slide.key) for slide in deck.slides))

    def applied(self, deck: Deck) -> Deck:
        """The deck in this order with these captions, without hidden slides.

        Raises:
            SettingsError: All slides are hidden.
        """
        known = {slide.key: slide for slide in deck.slides}
        named = dict.fromkeys(one.key for one in self.slides)
        shown = [
            replace(known[one.key], caption=" ".join(one.caption.split()) or known[one.key].caption)
            for one in self.slides
            if one.key in known and not one.hidden
        ]
        slides = (*shown, *(slide for slide in deck.slides if slide.key not in named))
        if not slides:
            raise SettingsError(say("All slides are hidden."), advice=say("Show at least one of them."))
        return replace(deck, slides=slides)
