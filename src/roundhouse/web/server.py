"""The HTTP server: uvicorn, in one process or in several."""

from __future__ import annotations

import uvicorn
from uvicorn.supervisors import Multiprocess

#: Seconds for requests that are being answered when the server is told to stop.
GRACE = 10


def configuration(host: str, port: int, workers: int, proxies: str) -> uvicorn.Config:
    """How we run uvicorn. ``proxies``: addresses of reverse proxies whose word about client and
    scheme counts; empty: nobody's."""
    return uvicorn.Config(
        "roundhouse.web.asgi:application",
        host=host,
        port=port,
        workers=workers,
        log_config=None,
        log_level="warning",
        lifespan="off",
        proxy_headers=bool(proxies),
        forwarded_allow_ips=proxies or None,
        server_header=False,
        date_header=True,
        timeout_graceful_shutdown=GRACE,
        limit_max_requests=None,
        backlog=2048,
        timeout_keep_alive=75,
    )


def run(config: uvicorn.Config) -> None:
    """Serve until told to stop."""
    if config.workers == 1:
        uvicorn.Server(config).run()
    else:
        Multiprocess(config, sockets=[config.bind_socket()]).run()
