"""Measures how well Receh counts over time, on sessions played by the renderer."""
