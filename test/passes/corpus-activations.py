# RUN: %python %S/../support/check_passes.py activations
"""Every pass over every graph of test/corpus/activations: it verifies, prints and parses, and keeps its meaning."""
