"""The ASGI application: ``uvicorn roundhouse.web.asgi:application``."""

from __future__ import annotations

import os
import sys
import threading

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "roundhouse.web.settings")
django.setup(set_prefix=False)

from django.conf import settings  # noqa: E402 - the settings come first

from . import garbage, live, warm_up  # noqa: E402
from .threads import RequestThreads  # noqa: E402

#: Seconds a thread may keep the interpreter that others want. A request gives it up at each of its
#: statements to the database, and gets it back so much later where others work.
sys.setswitchinterval(0.001)

application = RequestThreads(settings.THREADS)
if threading.current_thread() is threading.main_thread():
    live.end_with_server()
    garbage.start()
warm_up.start()
