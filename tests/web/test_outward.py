"""Requests to addresses of others never lead inside, unless the host says so."""

from __future__ import annotations

import ipaddress
import socket

import pytest
from django.test import override_settings

from roundhouse.web import outward
from roundhouse.web.notices import outbox
from roundhouse.web.notices.models import Channel

from .endpoints import web_service

INSIDE = [
    "127.0.0.1", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1",
    "0.0.0.0", "224.0.0.1", "255.255.255.255", "[::1]", "[::]", "[fe80::1]", "[fc00::1]",
    "[ff02::1]",
    "[::ffff:127.0.0.1]", "[::ffff:10.0.0.1]", "[64:ff9b::7f00:1]", "[2002:7f00:1::]",
    "2130706433", "0x7f.1", "127.1", "localhost",
]  # fmt: skip


@pytest.mark.parametrize("host", INSIDE)
def test_no_way_of_writing_an_address_inside_is_spoken_to(host):
    with pytest.raises(outward.Unreachable):
        outward.post(f"https://{host}/", b"", {})


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org/", "ftp://example.org/", "https://", "https://example.org:25/", "//x",
        "", "https://user:word@example.org/", "https://example.org/a b",
        "https://example.org/\r\nX: 1",
        "https://example.org:99999/", "file:///etc/passwd", "https://[::1", "https://" + "a" * 300,
    ],
)  # fmt: skip
def test_what_is_no_public_address_is_refused_before_it_is_looked_up(url, monkeypatch):
    monkeypatch.setattr(socket, "getaddrinfo", None)
    with pytest.raises(outward.Unreachable) as fault:
        outward.post(url, b"", {})
    assert fault.value.lasting


def test_a_name_that_leads_inside_is_found_out(monkeypatch):
    """A name of somebody's own that points at the machine beside us."""

    def lookup(name, port, **more):
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("10.1.2.3", port))]

    monkeypatch.setattr(socket, "getaddrinfo", lookup)
    with pytest.raises(outward.Unreachable, match="not in the open network"):
        outward.post("https://innocent.example.org/", b"", {})


def test_a_host_may_allow_a_network_of_its_own():
    with web_service() as service:
        with pytest.raises(outward.Unreachable):
            outward.post(f"{service.address}/x", b"{}", {})
        with override_settings(OUTWARD=[ipaddress.ip_network("127.0.0.0/8")]):
            assert outward.post(f"{service.address}/x?y=1", b"{}", {}).status == 204
        with (
            override_settings(OUTWARD=[ipaddress.ip_network("10.0.0.0/8")]),
            pytest.raises(outward.Unreachable),
        ):
            outward.post(f"{service.address}/x", b"{}", {})
    assert [path for path, _, _ in service.got] == ["/x?y=1"]


def test_who_does_not_answer_is_not_waited_for(monkeypatch):
    monkeypatch.setattr(outward, "PATIENCE", 0.3)
    with socket.socket() as deaf, override_settings(OUTWARD=[ipaddress.ip_network("127.0.0.0/8")]):
        deaf.bind(("127.0.0.1", 0))
        deaf.listen()
        with pytest.raises(outward.Unreachable, match="does not answer") as fault:
            outward.post(f"http://127.0.0.1:{deaf.getsockname()[1]}/", b"", {})
        assert not fault.value.lasting


def test_few_pages_wait_for_others_at_once(user, client, monkeypatch):
    """Each holds a thread that all pages need."""
    channel = Channel.objects.create(user=user, way="hook", address="https://example.org/")
    answers = []

    def slow(to):
        answers.append(client.post(f"/notices/channel/{channel.pk}/test/").status_code)

    monkeypatch.setattr(outbox, "try_out", slow)
    assert client.post(f"/notices/channel/{channel.pk}/test/").status_code == 302
    assert answers == [429, 302]
    slow(channel)
    assert answers == [429, 302, 429, 302, 302]
