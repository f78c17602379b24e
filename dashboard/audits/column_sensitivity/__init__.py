"""The pages' part of the column sensitivity test."""
