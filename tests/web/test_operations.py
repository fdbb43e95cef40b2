"""What a host does and sees: names, proxies, https, health, metrics, logs."""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys

import pytest
from django.template import engines
from django.test import Client, override_settings

from roundhouse.titles.title import all_titles, find_title
from roundhouse.web import warm_up
from roundhouse.web.page.summary import summary_of

from .browser import clean_environment, free_port, server
from .visitor import Visitor


def run(tmp_path, *command, **env):
    clean = clean_environment()
    clean.pop("DATABASE_URL", None)
    return subprocess.run(
        [sys.executable, "-m", *command],
        env=clean | {"ROUNDHOUSE_DATA": str(tmp_path)} | env,
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip


def test_djangos_checks_of_a_deployment_find_nothing(tmp_path):
    env = {"ROUNDHOUSE_HTTPS": "1", "ROUNDHOUSE_ACCOUNTS": "1", "ROUNDHOUSE_HOSTS": "a.example"}
    told = run(tmp_path, "roundhouse.web", "check", "--deploy", "--fail-level", "WARNING", **env)
    assert told.returncode == 0, told.stderr
    assert "no issues" in told.stdout


def test_a_public_address_needs_names(tmp_path):
    told = run(tmp_path, "roundhouse", "serve", "--host", "0.0.0.0", "--port", str(free_port()))
    assert told.returncode == 2
    assert "--name" in told.stderr
    told = run(tmp_path, "roundhouse", "serve", "--host", "0.0.0.0", ROUNDHOUSE_HOSTS="*")
    assert told.returncode == 2


def test_only_names_that_were_given_are_answered_to(tmp_path):
    import urllib.request

    with server(tmp_path, "--name", "play.example.org") as address:

        def ask(host):
            request = urllib.request.Request(f"{address}/account/login/", headers={"Host": host})
            try:
                with urllib.request.urlopen(request, timeout=20) as answer:
                    return answer.status
            except urllib.error.HTTPError as error:
                return error.code

        assert ask("play.example.org") == 200
        assert ask("evil.example") == 400
        assert ask("play.example.org.evil.example") == 400


def test_local_mode_refuses_what_comes_through_a_proxy(tmp_path):
    import urllib.request

    with server(tmp_path) as address:
        assert Visitor(address).status("/") == 200
        request = urllib.request.Request(address, headers={"X-Forwarded-For": "203.0.113.5"})
        with pytest.raises(urllib.error.HTTPError, match="403"):
            urllib.request.urlopen(request, timeout=20)


def test_https_mode_sends_everybody_there_and_says_so():
    settings = {"SECURE_SSL_REDIRECT": True, "SECURE_HSTS_SECONDS": 31536000}
    with override_settings(**settings):
        answer = Client().get("/account/login/")
        assert (answer.status_code, answer["Location"][:8]) == (301, "https://")


def test_health_and_metrics(client, hotseat, monkeypatch):
    answer = client.get("/health")
    assert (answer.status_code, answer.json()["status"]) == (200, "ok")
    client.get(f"/table/{hotseat.pk}/")
    text = client.get("/metrics").content.decode()
    assert 'roundhouse_requests_total{method="GET",status="200",view="table"}' in text
    assert "roundhouse_tables_running 1.0" in text
    stranger = Client(REMOTE_ADDR="203.0.113.5")
    assert stranger.get("/metrics").status_code == 403
    through = client.get("/metrics", headers={"X-Forwarded-For": "203.0.113.5"})
    assert through.status_code == 403
    with monkeypatch.context() as known:
        known.setenv("ROUNDHOUSE_METRICS", "wörd")
        for word, status in (("wörd", 200), ("word", 403), ("\xff", 403)):
            sent = f"Bearer {word}".encode().decode("latin-1")  # as servers hand it on
            told = stranger.get("/metrics", HTTP_AUTHORIZATION=sent)
            assert told.status_code == status


def test_a_request_is_a_line_with_id_user_and_duration(client, user, caplog):
    with caplog.at_level(logging.INFO, "roundhouse.requests"):
        answer = client.get("/", headers={"X-Request-Id": "abcd-1234"})
        assert answer["X-Request-Id"] == "abcd-1234"
        assert client.get("/", headers={"X-Request-Id": "new\nline"})["X-Request-Id"] != "new\nline"
        client.get("/nothing%0aINFO%20roundhouse.requests:%20GET%20/admin/%20200")
    assert len(caplog.messages[-1].splitlines()) == 1
    first = caplog.records[0]
    assert (first.request, first.user, first.status) == ("abcd-1234", user.pk, 200)
    assert first.milliseconds >= 0


def test_logs_may_be_json(tmp_path):
    code = (
        "import django; django.setup(); import logging;"
        "logging.getLogger('roundhouse.requests').info('GET /', extra={'user': 5})"
    )
    env = {"ROUNDHOUSE_LOG": "json", "DJANGO_SETTINGS_MODULE": "roundhouse.web.settings"}
    told = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"ROUNDHOUSE_DATA": str(tmp_path)} | env,
        capture_output=True, text=True,
    )  # fmt: skip
    line = json.loads(told.stderr.splitlines()[-1])
    assert (line["level"], line["user"]) == ("INFO", 5)


def test_a_server_that_has_warmed_up_reads_no_template_for_the_first_page(monkeypatch, db):
    parts = engines["jinja2"].env
    parts.cache.clear()
    summary_of.cache_clear()
    assert sum(1 for _ in warm_up._pieces()) > 100
    read = [name for name in parts.list_templates() if name.startswith("roundhouse/panels/")]
    monkeypatch.setattr(parts, "compile", lambda *_: pytest.fail("a template is read"))
    assert [parts.get_template(name).name for name in read] == read
    assert summary_of.cache_info().currsize == len({find_title(t).page for t in all_titles()})
    assert summary_of("") == ""  # a title of one's own may have no page
