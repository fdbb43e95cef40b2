"""Study: private branches of games to play on with, what one may know off turn, and what has
happened since one last looked. See ``docs/study.md``."""
