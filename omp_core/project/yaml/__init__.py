"""YAML files that people edit too: parsed, changed by splicing, written whole."""
