"""Project documents under `_omp/`: people edit them, so every byte we did not change stays."""
