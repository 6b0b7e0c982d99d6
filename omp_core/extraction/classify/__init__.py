"""What a sentence states and about whom: kinds, slots, routes, confidence, by words alone."""
