"""The pages' part of the transport test."""
