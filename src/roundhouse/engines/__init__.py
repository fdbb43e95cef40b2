"""Engines: programs that play, spoken to by lines of JSON (docs/engine-protocol.md).

:mod:`.messages` is what is said; :mod:`.service` our bots as an engine, :mod:`.naming` what it may
choose from; :mod:`.client` an engine of anybody's, :mod:`.program` its process; :mod:`.seat` such
an engine as a player of a table or match.
"""

from .client import Engine, EngineFault
from .seat import EnginePlayer
from .service import serve

__all__ = ["Engine", "EngineFault", "EnginePlayer", "serve"]
