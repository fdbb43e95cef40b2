"""The server: lobby and table in the browser. A Django project of one app.

It stands on the public API of the engine and knows no rule: everything that may be clicked comes
from ``game.choices()``, every action goes through ``game.apply``. Nothing of the engine imports it.
"""
