# RUN: %python %S/../support/check_passes.py convolutions
"""Every pass over every graph of test/corpus/convolutions: it verifies, prints and parses, and keeps its meaning."""
