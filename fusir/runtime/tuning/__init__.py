"""Measured choices, made while a program is compiled."""
