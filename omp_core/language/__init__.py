"""What is known of text itself: tokens, language, safety on a terminal."""
