"""What is asked before something that waits is answered."""
