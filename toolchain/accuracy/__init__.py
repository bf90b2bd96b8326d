"""Measures how well Receh counts photographs that its training never saw."""
