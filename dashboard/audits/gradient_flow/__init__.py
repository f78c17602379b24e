"""The pages' part of the gradient flow test."""
