"""Records: adding, changing and deleting them under the write rule."""
