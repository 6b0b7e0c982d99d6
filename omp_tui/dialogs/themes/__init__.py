"""Dialogs that change themes, each with a preview of what would come of it."""
