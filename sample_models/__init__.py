"""Small models to try Evenhand with, their cards, and the script that trained them."""
