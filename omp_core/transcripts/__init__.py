"""Conversations between a person and an agent, read from whatever tool recorded them.

`TRANSCRIPTS` lists the shapes, `detect` tells which one a source has, `read` yields its turns.
"""

from omp_core.model import Speaker, Turn
from omp_core.transcripts.lines import TranscriptProblem
from omp_core.transcripts.registry import TRANSCRIPTS, Transcript, detect, read

__all__ = ["TRANSCRIPTS", "Speaker", "Transcript", "TranscriptProblem", "Turn", "detect", "read"]
