"""``roundhouse serve``: lobby and table in the browser."""

from __future__ import annotations

import ipaddress
import os
import signal
import sys
import tempfile
from pathlib import Path
from typing import Any

import click

from .site import data_option, prepare


@click.command()
@click.option("--port", default=8018, show_default=True, help="Port to listen on.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@data_option
@click.option("--name", "names", multiple=True, help="Name it is reached by; may be repeated.")
@click.option("--accounts", is_flag=True, help="Everybody signs in, also on this machine.")
@click.option("--workers", default=1, show_default=True, help="Processes that answer requests.")
@click.option("--tasks", default=1, show_default=True, help="Processes for bots, imports, mail.")
@click.option(
    "--engine",
    "engines",
    multiple=True,
    metavar="NAME=COMMAND",
    help="A program that may play at tables; may be repeated.",
)
def serve(
    port: int,
    host: str,
    data: Path | None,
    names: tuple[str, ...],
    accounts: bool,
    workers: int,
    tasks: int,
    engines: tuple[str, ...],
) -> None:
    """Serve lobby and tables to the browser.

    On this machine's own address one plays at once, without an account. On any other address, or
    with --accounts, everybody signs in.
    """
    if accounts or names or not _is_loopback(host):
        os.environ["ROUNDHOUSE_ACCOUNTS"] = "1"
        os.environ["ROUNDHOUSE_HOSTS"] = _names(host, names)
    if not names and not os.environ.get("ROUNDHOUSE_HOSTS", "").replace("127.0.0.1", ""):
        shown = f"[{host}]" if ":" in host else host
        os.environ.setdefault("ROUNDHOUSE_URL", f"http://{shown}:{port}")
    if engines:
        os.environ["ROUNDHOUSE_ENGINES"] = "\n".join(engines)
    prepare(data, migrate=True)
    from ..web import server
    from ..web.worker import Keeper

    click.echo(f"Roundhouse: http://{f'[{host}]' if ':' in host else host}:{port}/")
    signal.signal(signal.SIGTERM, _end)
    keeper = Keeper(tasks)
    keeper.start()
    proxies = os.environ.get("ROUNDHOUSE_PROXIES", "")
    try:
        with tempfile.TemporaryDirectory(prefix="roundhouse-metrics-") as counts:
            if workers > 1:
                os.environ["PROMETHEUS_MULTIPROC_DIR"] = counts
            server.run(server.configuration(host, port, workers, proxies))
    except KeyboardInterrupt:
        pass
    finally:
        keeper.end()


def _names(host: str, names: tuple[str, ...]) -> str:
    """The names the server answers to. Raises :class:`click.UsageError` if there are none."""
    known = [*names, *os.environ.get("ROUNDHOUSE_HOSTS", "").split(",")]
    if host not in ("0.0.0.0", "::", "localhost"):
        known.append(f"[{host}]" if ":" in host else host)
    known = [n for n in known if n]
    if "*" in known or not (known or _is_loopback(host)):
        raise click.UsageError(
            f"on {host} the server needs the names it is reached by, for its letters and against"
            " forged ones: --name play.example.org (or ROUNDHOUSE_HOSTS)"
        )
    return ",".join(dict.fromkeys(known))


def _end(number: int, frame: Any) -> None:
    sys.exit(0)


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


if __name__ == "__main__":
    serve()
