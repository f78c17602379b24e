"""The pages' part of the text sensitivity test."""
