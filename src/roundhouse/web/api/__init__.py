"""The interface for programs: tables, games and streams over HTTP, under ``/api/``.

Whatever changes a table goes through the same functions of ``tables/`` as the pages do; what is
here reads requests, asks who sent them, and writes answers.
"""
