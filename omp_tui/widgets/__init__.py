"""Widgets that Textual does not carry."""
