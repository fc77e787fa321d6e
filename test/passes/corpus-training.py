# RUN: %python %S/../support/check_passes.py training
"""Every pass over every graph of test/corpus/training: it verifies, prints and parses, and keeps its meaning."""
