"""Which subgroups are wronged more than the rest: bounds for all of them, false discoveries kept rare among flags."""
