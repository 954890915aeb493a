"""Kinds of walks with the alerts wanted, beside those of the corpus."""
