"""A small policy that learns to play: the worked example of docs/environment.md."""
