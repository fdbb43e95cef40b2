"""Settings, all from the environment.

``ROUNDHOUSE_DATA``      directory for the database and the secret key (default: see ``data_dir``)
``DATABASE_URL``         another database, such as ``postgresql://…``
``ROUNDHOUSE_ACCOUNTS``  ``1``: everybody signs in; else one person at this machine plays at once
``ROUNDHOUSE_HOSTS``     names the server answers to, separated by commas
``ROUNDHOUSE_SECRET``    the secret key, where several processes share one database
``ROUNDHOUSE_HTTPS``     ``1``: cookies go over https only
``ROUNDHOUSE_THREADS``   requests a process works on at once
``ROUNDHOUSE_URL``       the address people reach the server at, for links in letters
``ROUNDHOUSE_VAPID``     the key to browsers' push services (default: made and kept)
``ROUNDHOUSE_OUTWARD``   networks inside that webhooks may lead to, separated by spaces
``ROUNDHOUSE_PROMISES_WAIT``  seconds after a move at which promises are looked at (``4-12``)
``ROUNDHOUSE_PULSE``     seconds between two looks of a worker for what has become due (``0.5``)
``ROUNDHOUSE_BOT_PAUSE``  how long bots take in live games: a part of the usual (``1``)
``ROUNDHOUSE_ENGINES``   programs that may play at tables, each ``name=command``, one a line
``ROUNDHOUSE_ENGINE_SECONDS``  after which an engine's answer is too late (``20``)
``ROUNDHOUSE_TALK``      ``1``: there is talk of everybody on the site
``ROUNDHOUSE_CLOCK``     a file that holds the time it is to be (``clock.py``)
``ROUNDHOUSE_POOLER``    ``1``: the database is behind a pooler in transaction mode
``ROUNDHOUSE_LISTEN``    address to listen for news at, if that is not ``DATABASE_URL``
``ROUNDHOUSE_ACT_RATE``  moves on pages, an account and each process: ``600/minute``
``ROUNDHOUSE_API_RATE``  requests programs may send, an account and each process: ``1200/minute``
``ROUNDHOUSE_API_RATE_ANYBODY``  … an address without a token: ``240/minute``
``ROUNDHOUSE_DOCUMENTS`` the site of the documents, if it is not beside the program
``ROUNDHOUSE_DEBUG``     ``1``: for working on the server itself
"""

from __future__ import annotations

import base64
import ipaddress
import os
import re
import secrets
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import dj_database_url
from django.core.exceptions import ImproperlyConfigured

HERE = Path(__file__).parent


def data_dir() -> Path:
    """Where everything is kept that is not code."""
    named = os.environ.get("ROUNDHOUSE_DATA")
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    path = Path(named) if named else Path(base) / "roundhouse"
    path.mkdir(parents=True, exist_ok=True, mode=0o700)
    return path


def kept_key(variable: str, name: str, made: Callable[[], str]) -> str:
    """A key of the environment, else one made on first use and kept beside the data."""
    if key := os.environ.get(variable):
        return key
    path = data_dir() / name
    try:
        with open(path, "x", opener=lambda p, flags: os.open(p, flags, 0o600)) as file:
            file.write(made())
    except FileExistsError:
        pass
    return path.read_text().strip()


def _p256_number() -> bytes:
    """A private key of the curve P-256: below its order, which begins with 32 ones."""
    return bytes([secrets.randbelow(255)]) + secrets.token_bytes(31)


def _flag(name: str) -> bool:
    return os.environ.get(name, "") not in ("", "0")


DEBUG = _flag("ROUNDHOUSE_DEBUG")
SECRET_KEY = kept_key("ROUNDHOUSE_SECRET", "secret.key", lambda: secrets.token_urlsafe(50))
LOCAL = not _flag("ROUNDHOUSE_ACCOUNTS")
LOOPBACK = ["localhost", "127.0.0.1", "[::1]"]
HTTPS = _flag("ROUNDHOUSE_HTTPS")
#: Reverse proxies whose word about client and scheme counts.
PROXIES = os.environ.get("ROUNDHOUSE_PROXIES", "")
NAMES = [h.strip() for h in os.environ.get("ROUNDHOUSE_HOSTS", "").split(",") if h.strip()]
ALLOWED_HOSTS = LOOPBACK + ([] if LOCAL else NAMES)
CSRF_TRUSTED_ORIGINS = [f"https://{h}" for h in ALLOWED_HOSTS if h not in LOOPBACK and h[0] != "."]

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django_htmx",
    "django_tasks",
    "django_tasks_db",
    "roundhouse.web",
    "django.contrib.admin",  # after ours, as it has pages for passwords, too
    "roundhouse.web.searches",
    "roundhouse.web.seats",
    "roundhouse.web.talk",
    "roundhouse.web.advice",
    "roundhouse.web.promises",
    "roundhouse.web.deals",
    "roundhouse.web.study",
    "roundhouse.web.charts",
    "roundhouse.web.sandbox",
    "roundhouse.web.banking",
    "roundhouse.web.puzzles",
    "roundhouse.web.explorer",
    "roundhouse.web.duplicate",
    "roundhouse.web.api",
    "roundhouse.web.clocks",
    "roundhouse.web.notices",
    "roundhouse.web.people",
]
MIDDLEWARE = [
    "roundhouse.web.monitoring.observed",
    "roundhouse.web.api.errors.as_json",
    "roundhouse.web.middleware.StaticFiles",
    "django.middleware.security.SecurityMiddleware",
    "roundhouse.web.middleware.Compress",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "roundhouse.web.visitors.Authentication",
    "roundhouse.web.middleware.local_player",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "roundhouse.web.middleware.content_policy",
    "django_htmx.middleware.HtmxMiddleware",
    "roundhouse.web.middleware.refusals",
]
ROOT_URLCONF = "roundhouse.web.urls"
ASGI_APPLICATION = "roundhouse.web.asgi.application"
TEMPLATES: list[dict[str, Any]] = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "roundhouse.web.middleware.surroundings",
            ],
        },
    },
    # The parts of a table, drawn at every act and update (``environment.py``).
    {
        "BACKEND": "django.template.backends.jinja2.Jinja2",
        "APP_DIRS": True,
        "OPTIONS": {
            "environment": "roundhouse.web.environment.environment",
        },
    },
]

#: Requests worked on at once by a process; each holds one connection to the database at most.
THREADS = int(os.environ.get("ROUNDHOUSE_THREADS", "8"))

_SQLITE = {
    "timeout": 20,
    "transaction_mode": "IMMEDIATE",
    # Readers and the one writer do not wait for each other; what is acknowledged is on the disk.
    "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL",
}
#: A few more than there are threads: streams, bots and the watch need one now and then.
_POOL = {"min_size": 1, "max_size": THREADS + 6, "timeout": 20}


def database() -> dict[str, Any]:
    """The database: that of the environment, else a file only its owner may read."""
    path = data_dir() / "roundhouse.sqlite3"
    found: dict[str, Any] = dict(dj_database_url.config(default=f"sqlite:///{path}"))
    if found["ENGINE"].endswith("sqlite3"):
        _keep_private(Path(found["NAME"]))
        # Threads are few and stay; so may what each has open.
        own = {"ENGINE": "roundhouse.web.sqlite3", "OPTIONS": _SQLITE, "CONN_MAX_AGE": None}
        return found | own
    pooler, own = _flag("ROUNDHOUSE_POOLER"), found.get("OPTIONS", {})
    options = {"prepare_threshold": None} if pooler else {"pool": _POOL, **_lasting(own)}
    return found | {
        "CONN_MAX_AGE": 0,
        "CONN_HEALTH_CHECKS": True,
        "DISABLE_SERVER_SIDE_CURSORS": pooler,
        "OPTIONS": own | options,
    }


def _lasting(options: dict[str, Any]) -> dict[str, str]:
    """What is acknowledged is on the disk, whatever the database does for others; a pooler does not
    take this with a connection."""
    return {"options": f"-c synchronous_commit=on {options.get('options', '')}".strip()}


def _keep_private(path: Path) -> None:
    """The files SQLite puts beside its own have the same mode."""
    if path.parent.is_dir() and str(path) != ":memory:":
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
        for name in (path, path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")):
            if name.exists():
                name.chmod(0o600)


DATABASES: dict[str, Any] = {"default": database()}
#: Where news are listened for, if a pooler stands before the database.
LISTEN_TO: dict[str, Any] = {}
if listen := os.environ.get("ROUNDHOUSE_LISTEN"):
    _direct: dict[str, Any] = dict(dj_database_url.parse(listen))
    _names = {"NAME": "dbname", "HOST": "host", "PORT": "port", "USER": "user",
              "PASSWORD": "password"}  # fmt: skip
    LISTEN_TO = {ours: _direct[name] for name, ours in _names.items() if _direct.get(name)}

#: What takes longer than an answer may: bots, imports, mail. Workers take it from the database.
TASKS = {"default": {"BACKEND": "django_tasks_db.DatabaseBackend", "QUEUES": []}}

AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = LOGOUT_REDIRECT_URL = "lobby"
#: Letters are sent by a worker (``web/mail.py``), who delivers them through this.
EMAIL_BACKEND = "roundhouse.web.mail.Queued"
EMAIL_HOST = os.environ.get("ROUNDHOUSE_SMTP_HOST", "")
EMAIL_PORT = int(os.environ.get("ROUNDHOUSE_SMTP_PORT", "587"))
EMAIL_HOST_USER = os.environ.get("ROUNDHOUSE_SMTP_USER", "")
EMAIL_HOST_PASSWORD = os.environ.get("ROUNDHOUSE_SMTP_PASSWORD", "")
EMAIL_USE_SSL = EMAIL_PORT == 465
EMAIL_USE_TLS = not EMAIL_USE_SSL and not _flag("ROUNDHOUSE_SMTP_PLAIN")
EMAIL_TIMEOUT = 20
DEFAULT_FROM_EMAIL = SERVER_EMAIL = os.environ.get("ROUNDHOUSE_SMTP_FROM", "roundhouse@localhost")
MAIL_DELIVERY = os.environ.get("ROUNDHOUSE_EMAIL_BACKEND") or (
    f"django.core.mail.backends.{'smtp' if EMAIL_HOST else 'console'}.EmailBackend"
)

#: The address people reach the server at, for links in letters.
SITE = os.environ.get("ROUNDHOUSE_URL", "").rstrip("/") or (
    f"http{'s' if HTTPS else ''}://{NAMES[0].lstrip('.')}" if NAMES else "http://127.0.0.1:8018"
)
#: Our key to push services: a number of 32 bytes in base 64; any will do, but it must stay.
VAPID_KEY = kept_key(
    "ROUNDHOUSE_VAPID", "vapid.key", lambda: base64.urlsafe_b64encode(_p256_number()).decode()
)
#: Networks beside the open one that webhooks may lead to.
OUTWARD = [ipaddress.ip_network(n) for n in os.environ.get("ROUNDHOUSE_OUTWARD", "").split()]

SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
SECURE_SSL_REDIRECT = HTTPS
#: The host's check of the process itself comes without a proxy.
SECURE_REDIRECT_EXEMPT = [r"^(health|metrics)$"]
SECURE_HSTS_SECONDS = 365 * 86400 if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = HTTPS
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
SESSION_ENGINE = "roundhouse.web.visitors"
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
#: A whole game file may be pasted, nothing larger.
DATA_UPLOAD_MAX_MEMORY_SIZE = 8 * 1024 * 1024
FILE_UPLOAD_MAX_MEMORY_SIZE = 8 * 1024 * 1024

LANGUAGE_CODE = "en"
USE_I18N = False
USE_TZ = True
TIME_ZONE = "UTC"
STATIC_URL = "/static/"
STATIC_ROOT = data_dir() / "static"
STATIC_ROOT.mkdir(exist_ok=True)
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = DEBUG
WHITENOISE_MAX_AGE = 3600
#: The documents as a site, which ``docs/build_site.py`` makes.
DOCUMENTS = Path(os.environ.get("ROUNDHOUSE_DOCUMENTS") or HERE.parent / "site")
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
#: Each request as a line, with its id, user and duration; ``json``: for programs to read.
LOG_FORMAT = os.environ.get("ROUNDHOUSE_LOG", "")
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "text": {"format": "%(levelname)s %(name)s: %(message)s"},
        "json": {
            "()": "pythonjsonlogger.json.JsonFormatter",
            "fmt": "%(asctime)s %(levelname)s %(name)s %(message)s",
            "rename_fields": {"asctime": "time", "levelname": "level", "name": "logger"},
        },
    },
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "formatter": "json" if LOG_FORMAT == "json" else "text",
        }
    },
    "root": {"handlers": ["console"], "level": "WARNING"},
    "loggers": {
        "roundhouse.requests": {"level": "INFO" if LOG_FORMAT else "WARNING"},
        "django.request": {"level": "ERROR"},
        # Requests for hosts that are not ours are refused and counted; strangers fill no logs.
        "django.security.DisallowedHost": {"level": "CRITICAL"},
    },
}

#: Whether there is talk of everybody on the site.
SITE_CHAT = _flag("ROUNDHOUSE_TALK")
#: A file that tells all processes what time it is (``clock.py``); empty: the machine's clock.
CLOCK = os.environ.get("ROUNDHOUSE_CLOCK", "")
#: Seconds after a move, from and to, at which promises are looked at (``promises/keeping.py``).
_WAIT = os.environ.get("ROUNDHOUSE_PROMISES_WAIT", "4-12").partition("-")
PROMISES_WAIT = (float(_WAIT[0]), float(_WAIT[2] or _WAIT[0]))
#: Seconds between two looks for what has become due (``pulse.py``).
PULSE = float(os.environ.get("ROUNDHOUSE_PULSE", "0.5"))
#: The part of the usual pauses bots make in live games (``tables/pauses.py``).
BOT_PAUSE = 0.0 if CLOCK else float(os.environ.get("ROUNDHOUSE_BOT_PAUSE", "1"))


def _engines(text: str) -> dict[str, tuple[str, ...]]:
    """Commands by the names of engines, from lines such as ``name=command argument``."""
    found = {}
    for line in filter(None, map(str.strip, text.splitlines())):
        name, _, command = line.partition("=")
        if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]{0,11}", name) or not command.strip():
            raise ImproperlyConfigured(
                f"ROUNDHOUSE_ENGINES: {line!r} is not name=command, with a name of at most twelve"
                " letters, digits, dots, dashes"
            )
        found[name] = tuple(shlex.split(command))
    return found


#: Programs that may be given a seat, and seconds after which an answer of theirs is too late.
ENGINES = _engines(os.environ.get("ROUNDHOUSE_ENGINES", ""))
ENGINE_SECONDS = float(os.environ.get("ROUNDHOUSE_ENGINE_SECONDS", "20"))
#: Who may make an account: anybody, who has the word of an invitation, or nobody.
REGISTRATION = os.environ.get("ROUNDHOUSE_REGISTRATION", "open")
INVITATION = os.environ.get("ROUNDHOUSE_INVITATION", "")
#: An address is to be confirmed before one plays.
CONFIRM_EMAIL = _flag("ROUNDHOUSE_CONFIRM_EMAIL")
#: A file with the terms of the house, in Markdown; who signs up agrees to them.
TERMS = os.environ.get("ROUNDHOUSE_TERMS", "")

#: Requests to the interface for programs: an account's, and those of an address without a token.
ACT_RATE = os.environ.get("ROUNDHOUSE_ACT_RATE", "600/minute")
API_RATE = os.environ.get("ROUNDHOUSE_API_RATE", "1200/minute")
API_RATE_ANYBODY = os.environ.get("ROUNDHOUSE_API_RATE_ANYBODY", "240/minute")
