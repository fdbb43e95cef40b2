"""``python -m roundhouse``."""

from .cli.main import main

main(prog_name="roundhouse")
