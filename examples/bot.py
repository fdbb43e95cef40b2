"""A bot in thirty lines: sits down at tables, plays at random, agrees to everything.

python examples/bot.py https://play.example.org rh_… [TABLE …]
"""

from __future__ import annotations

import sys
from contextlib import suppress
from random import Random

from roundhouse.client import Client, NotAllowed, StaleVersion


def play(client: Client, table: int, rng: Random) -> None:
    """Act as long as the game waits for us."""
    while (told := client.choices(table)).my_turn and told.mine:
        choice = rng.choice(told.mine)
        action = choice.sample(rng)
        if choice.type == "run_routes":
            with suppress(NotAllowed):  # some tables help nobody
                action["routes"] = client.routes(table, choice.action["entity"]).routes
        try:
            client.act(table, action, told.version)
        except StaleVersion:
            continue  # somebody was faster: look again


def main(address: str, token: str, *tables: str) -> None:
    """Take seats, then play wherever it is our turn until the last game is over."""
    with Client(address, token) as client:
        for table in tables:
            client.join(int(table))
        for event in client.follow_account():
            if event.type == "question" and event.table:
                client.answer(event.table, True)
            elif event.type == "turn" and event.table:
                play(client, event.table, Random())
            elif event.type == "end" and not client.tables(whose="mine", status="running").tables:
                return


if __name__ == "__main__":
    main(*sys.argv[1:])
