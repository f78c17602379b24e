"""Perceptrons with weights as safetensors."""
