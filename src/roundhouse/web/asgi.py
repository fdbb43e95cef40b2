"""The ASGI application: ``uvicorn roundhouse.web.asgi:application``."""

from __future__ import annotations

import os

from django.core.asgi import get_asgi_application

from . import warm

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "roundhouse.web.settings")

application = get_asgi_application()
warm.start()
