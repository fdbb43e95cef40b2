"""``roundhouse serve``: lobby and table in the browser, in one process."""

from __future__ import annotations

import ipaddress
import os
from pathlib import Path

import click


@click.command()
@click.option("--port", default=8018, show_default=True, help="Port to listen on.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option(
    "--data",
    type=click.Path(file_okay=False, path_type=Path),
    help="Directory for games and settings (also ROUNDHOUSE_DATA).",
)
@click.option("--accounts", is_flag=True, help="Everybody signs in, also on this machine.")
@click.option("--workers", default=1, show_default=True, help="Processes that answer requests.")
def serve(port: int, host: str, data: Path | None, accounts: bool, workers: int) -> None:
    """Serve lobby and tables to the browser.

    On this machine's own address one plays at once, without an account. On any other address, or
    with --accounts, everybody signs in.
    """
    if data is not None:
        os.environ["ROUNDHOUSE_DATA"] = str(data.resolve())
    if accounts or not _is_loopback(host):
        os.environ["ROUNDHOUSE_ACCOUNTS"] = "1"
        os.environ.setdefault("ROUNDHOUSE_HOSTS", "*" if host in ("0.0.0.0", "::") else host)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "roundhouse.web.settings")
    try:
        import django

        from ..web import server
    except ImportError as error:
        raise click.ClickException(
            f"the server needs more packages ({error.name}): pip install 'roundhouse[web]'"
        ) from error
    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0, interactive=False)
    click.echo(f"Roundhouse: http://{f'[{host}]' if ':' in host else host}:{port}/")
    server.run(server.configuration(host, port, workers, ""))


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


if __name__ == "__main__":
    serve()
