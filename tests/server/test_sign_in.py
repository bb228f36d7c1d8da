"""The ways in: by name, by address, by link; who is told what, and what ends when."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Literal

import pytest

from openplan.server.people import accounts, one_time_links, sign_in
from openplan.server.store import Tx
from tests.server.people import cheap_passwords, letters_to, recorded, text_of, token_in
from tests.server.running import Client, Running, VirtualClock, running

PASSWORD = "a long enough phrase"
NEW = "another phrase altogether"


class Site:
    def __init__(self, server: Running, clock: VirtualClock) -> None:
        self.server = server
        self.clock = clock
        self._number = 0

    def address(self) -> str:
        self._number += 1
        return f"person{self._number}@example.org"

    def member(self, address: str) -> Client:
        """Somebody with a confirmed address."""
        client = self.server.client()
        account = {"email": address, "password": PASSWORD, "name": "Ann"}
        client.ok("POST", "/api/session/sign-up", account)
        confirm = {"token": token_in(letters_to(self.server, address)[-1])}
        assert client.ok("POST", "/api/me/email/confirm", confirm)["kind"] == "member"
        return client

    def link(self, address: str, path: str, count: int) -> str:
        """The token of the newest of so many letters to an address."""
        self.server.client().ok("POST", path, {"email": address})
        return token_in(letters_to(self.server, address, count)[-1])


@pytest.fixture(scope="module")
def site(site_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    clock = VirtualClock()
    with (
        cheap_passwords(),
        running(tmp_path_factory.mktemp("site"), database=site_url, now=clock) as server,
    ):
        yield Site(server, clock)


def test_an_address_counts_when_it_is_confirmed(site: Site) -> None:
    address = site.address()
    ann = site.server.client("Ann")
    account = {"email": f" {address.upper()} ", "password": PASSWORD, "name": "Ann"}
    me = ann.ok("POST", "/api/session/sign-up", account)
    assert (me["kind"], me["email"], me["new_email"]) == ("guest", None, address)
    by_password = {"login": address, "password": PASSWORD}
    assert site.server.client().refused("POST", "/api/session/sign-in", by_password)[0] == 403
    (letter,) = letters_to(site.server, address)
    ann.ok("POST", "/api/me/email/confirm", {"token": token_in(letter)})
    me = ann.ok("GET", "/api/me")
    assert (me["kind"], me["email"], me["new_email"]) == ("member", address, None)
    assert site.server.client().ok("POST", "/api/session/sign-in", by_password)["id"] == me["id"]


def test_who_has_only_the_letter_does_not_move_into_anothers_account(site: Site) -> None:
    """Mallory signs up with Ann's address and waits for her to confirm it."""
    address = site.address()
    mallory = site.server.client()
    account = {"email": address, "password": PASSWORD, "name": "Mallory"}
    mallory.ok("POST", "/api/session/sign-up", account)
    token = token_in(letters_to(site.server, address)[0])
    ann = site.server.client("Ann")
    for client in (ann, site.server.client()):
        body = {"token": token}
        assert client.refused("POST", "/api/me/email/confirm", body) == (403, "password")
        body = {"token": token, "password": NEW}
        assert client.refused("POST", "/api/me/email/confirm", body) == (403, "password")
    assert mallory.ok("GET", "/api/me")["email"] is None
    # Whoever knows both comes in with them, from wherever.
    elsewhere = site.server.client()
    body = {"token": token, "password": PASSWORD}
    assert elsewhere.ok("POST", "/api/me/email/confirm", body)["email"] == address


def test_a_link_signs_in_once_and_not_by_being_looked_at(site: Site) -> None:
    address = site.address()
    member = site.member(address)
    token = site.link(address, "/api/session/link", 2)
    client = site.server.client()
    for method in ("GET", "HEAD", "OPTIONS"):
        client.http.request(method, f"/api/session/link/open?token={token}")
        client.http.request(method, f"/letter/sign-in?token={token}")
    assert client.ok("POST", "/api/session/link/open", {"token": token})["email"] == address
    again = site.server.client()
    assert again.refused("POST", "/api/session/link/open", {"token": token}) == (403, "link")
    # Other sessions go on: nothing was changed.
    assert member.ok("GET", "/api/me")["email"] == address


def test_of_two_who_use_a_link_at_once_one_comes_in(site: Site) -> None:
    address = site.address()
    site.member(address)
    for count in (2, 3):
        token = site.link(address, "/api/session/link", count)
        clients = [site.server.client() for _ in range(4)]

        def use(client: Client, token: str = token) -> int:
            status: int = client.ask("POST", "/api/session/link/open", {"token": token}).status_code
            return status

        with ThreadPoolExecutor(4) as threads:
            assert sorted(threads.map(use, clients)) == [200, 403, 403, 403]


@pytest.mark.parametrize(
    ("path", "then", "minutes"),
    [
        ("/api/session/link", "/api/session/link/open", 15),
        ("/api/session/reset", "/api/session/reset/set", 30),
    ],
)
def test_a_link_lasts_for_a_short_time(site: Site, path: str, then: str, minutes: int) -> None:
    address = site.address()
    site.member(address)
    body: dict[str, str] = {"password": NEW} if "reset" in path else {}
    late = {"token": site.link(address, path, 2), **body}
    site.clock.go_on(60 * minutes)
    assert site.server.client().refused("POST", then, late) == (403, "link")
    intime = {"token": site.link(address, path, 3), **body}
    site.clock.go_on(60 * minutes - 1)
    site.server.client().ok("POST", then, intime)


def test_a_link_is_of_one_kind_and_cannot_be_made_up(site: Site) -> None:
    address = site.address()
    site.member(address)
    token = site.link(address, "/api/session/link", 2)
    client = site.server.client()
    ident, _, mark = token.partition(".")
    body = {"token": token, "password": NEW}
    assert client.refused("POST", "/api/session/reset/set", body) == (403, "link")
    assert client.refused("POST", "/api/me/email/confirm", {"token": token}) == (403, "link")
    for wrong in (ident, f"{ident}.", f"{ident}.{mark[:-1]}0", f"{ident}x.{mark}", "", ".", "\0"):
        if wrong != token:
            body = {"token": wrong}
            assert client.refused("POST", "/api/session/link/open", body) == (403, "link")
    client.ok("POST", "/api/session/link/open", {"token": token})


def test_what_is_stored_opens_nothing(site: Site) -> None:
    """Whoever reads the database, its outbox included, has no link."""
    address = site.address()
    site.member(address)
    token = site.link(address, "/api/session/link", 2)

    def stored(tx: Tx) -> str:
        names = ("tickets", "outbox", "users", "sessions")
        return str([tx.rows(tuple, f"SELECT * FROM {name}") for name in names])

    everything = site.server.run(site.server.site.store.read(stored))
    assert token not in everything
    assert token.partition(".")[2] not in everything


def test_a_new_password_ends_every_session_and_every_other_link(site: Site) -> None:
    address = site.address()
    old = site.member(address)
    link = site.link(address, "/api/session/link", 2)
    token = site.link(address, "/api/session/reset", 3)
    table = old.ok("POST", "/api/tables", {"game": "human-resources"})["id"]
    with old.live(table) as live:
        live.recv(20)
        new = site.server.client()
        body = {"token": token, "password": "short"}
        assert new.refused("POST", "/api/session/reset/set", body) == (422, "password")
        new.ok("POST", "/api/session/reset/set", {"token": token, "password": NEW})
        assert '"gone"' in str(live.recv(20))
    assert new.ok("GET", "/api/me")["email"] == address
    assert old.refused("GET", "/api/me") == (401, "no-session")
    client = site.server.client()
    assert client.refused("POST", "/api/session/link/open", {"token": link}) == (403, "link")
    for password, status in ((PASSWORD, 403), (NEW, 200)):
        body = {"login": address, "password": password}
        assert client.ask("POST", "/api/session/sign-in", body).status_code == status
    assert "password was changed" in letters_to(site.server, address, 4)[-1]["Subject"]


def test_changing_the_password_needs_the_old_one_and_signs_out_elsewhere(site: Site) -> None:
    address = site.address()
    ann = site.member(address)
    other = site.server.client()
    other.ok("POST", "/api/session/sign-in", {"login": address, "password": PASSWORD})
    before = dict(ann.http.cookies)
    wrong = {"old": NEW, "new": NEW}
    assert ann.refused("POST", "/api/me/password", wrong) == (403, "password")
    ann.ok("POST", "/api/me/password", {"old": PASSWORD, "new": NEW})
    assert dict(ann.http.cookies) != before
    assert ann.ok("GET", "/api/me")["email"] == address
    assert other.refused("GET", "/api/me") == (401, "no-session")
    stale = site.server.client()
    stale.http.cookies.update(before)
    assert stale.refused("GET", "/api/me") == (401, "no-session")
    guest = site.server.client("Guest")
    assert guest.refused("POST", "/api/me/password", wrong) == (403, "guest")


def test_a_changed_address_is_confirmed_and_the_old_one_is_told(site: Site) -> None:
    old, new = site.address(), site.address()
    ann = site.member(old)
    link = site.link(old, "/api/session/link", 2)
    wrong = {"email": new, "password": NEW}
    assert ann.refused("POST", "/api/me/email", wrong) == (403, "password")
    me = ann.ok("POST", "/api/me/email", {"email": new, "password": PASSWORD})
    assert (me["email"], me["new_email"]) == (old, new)
    token = token_in(letters_to(site.server, new)[0])
    ann.ok("POST", "/api/me/email/confirm", {"token": token})
    assert ann.ok("GET", "/api/me")["email"] == new
    assert "new address" in letters_to(site.server, old, 3)[-1]["Subject"]
    client = site.server.client()
    assert client.refused("POST", "/api/session/link/open", {"token": link}) == (403, "link")


def test_an_address_is_one_accounts(site: Site) -> None:
    """Two ask for it at once; who confirms second is too late."""
    address = site.address()
    ann, bob = site.server.client(), site.server.client()
    for client, name in ((ann, "Ann"), (bob, "Bob")):
        account = {"email": address, "password": PASSWORD, "name": name}
        client.ok("POST", "/api/session/sign-up", account)
    first, second = map(token_in, letters_to(site.server, address, 2))
    ann.ok("POST", "/api/me/email/confirm", {"token": first})
    assert bob.refused("POST", "/api/me/email/confirm", {"token": second}) == (409, "email-taken")
    assert ann.ok("GET", "/api/me")["email"] == address


@pytest.mark.parametrize("kind", ["sign-in", "reset"])
def test_known_and_unknown_addresses_make_the_same_answer_and_work(
    site: Site, kind: Literal["sign-in", "reset"]
) -> None:
    known, unknown = site.address(), site.address()
    site.member(known)
    path = {"sign-in": "/api/session/link", "reset": "/api/session/reset"}[kind]
    answers = [
        site.server.client().ask("POST", path, {"email": address}) for address in (known, unknown)
    ]
    assert len({(answer.status_code, answer.text) for answer in answers}) == 1
    now = site.clock()
    works = [
        recorded(site.server, lambda tx, to=address: sign_in.send_link(tx, kind, to, now))
        for address in (known, unknown)
    ]
    assert works[0] == works[1]
    assert "no account" in text_of(letters_to(site.server, unknown)[0])
    assert "/letter/" not in text_of(letters_to(site.server, unknown)[0])


def test_signing_up_with_a_taken_address_looks_like_any_other(site: Site) -> None:
    known, unknown = site.address(), site.address()
    site.member(known)
    answers = []
    for address in (known, unknown):
        account = {"email": address, "password": PASSWORD, "name": "Eve"}
        answer = site.server.client().ask("POST", "/api/session/sign-up", account)
        told = answer.json() | {"id": "", "new_email": ""}
        answers.append((answer.status_code, told))
    assert answers[0] == answers[1]
    assert "already" in letters_to(site.server, known, 2)[-1]["Subject"]
    now = site.clock()
    works = []
    for address in (known, unknown):
        wish = sign_in.Account(None, address, "hash", "Eve")
        session = accounts.NewSession(accounts.new_id())
        works.append(
            recorded(
                site.server,
                lambda tx, s=session, w=wish: sign_in.sign_up(tx, None, s, w, now),
            )
        )
    assert works[0] == works[1]
    # And so does asking for it later.
    ann = site.member(site.address())
    for address in (known, site.address()):
        body = {"email": address, "password": PASSWORD}
        me = ann.ok("POST", "/api/me/email", body)
        assert me["new_email"] == address


def test_a_wrong_name_and_a_wrong_password_make_the_same_answer_and_work(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = site.address()
    site.member(address)
    checked: list[bool] = []
    real = accounts._HASHER.verify

    def verify(self: object, password: str, stored: str) -> bool:
        checked.append(True)
        return real(password, stored)

    monkeypatch.setattr(type(accounts._HASHER), "verify", verify)
    answers = set()
    for login in (address, "nobody@example.org", "nobody", "x\0y", ""):
        checked.clear()
        body = {"login": login, "password": NEW}
        answer = site.server.client().ask("POST", "/api/session/sign-in", body)
        answers.add((answer.status_code, answer.text))
        assert len(checked) == 1, login
    assert len(answers) == 1
    works = [
        recorded(site.server, lambda tx, who=login: sign_in.credentials(tx, who))
        for login in (address, "nobody@example.org")
    ]
    assert works[0] == works[1]


def test_a_planted_session_is_worth_nothing_after_coming_in(site: Site) -> None:
    """Mallory has Ann's browser use a session that Mallory knows; whichever way she comes in, it is
    not that one afterwards."""
    address = site.address()
    site.member(address)
    password = {"login": address, "password": PASSWORD}
    link = {"token": site.link(address, "/api/session/link", 2)}
    reset = {"token": site.link(address, "/api/session/reset", 3), "password": PASSWORD}
    ways: list[tuple[str, dict[str, Any]]] = [
        ("/api/session/sign-in", password),
        ("/api/session/link/open", link),
        ("/api/session/reset/set", reset),
        (
            "/api/session/sign-up",
            {"login": address.partition("@")[0], "password": PASSWORD, "name": "Ann"},
        ),
    ]
    for path, body in ways:
        mallory, ann = site.server.client("Mallory"), site.server.client()
        ann.http.cookies.update(dict(mallory.http.cookies))
        ann.ok("POST", path, body)
        assert mallory.refused("GET", "/api/me") == (401, "no-session"), path
        made_up = site.server.client()
        made_up.http.cookies.set("openplan", "chosen-by-mallory")
        assert made_up.refused("GET", "/api/me") == (401, "no-session")


def test_a_members_planted_session_ends_too(site: Site) -> None:
    mallory, address = site.member(site.address()), site.address()
    site.member(address)
    ann = site.server.client()
    ann.http.cookies.update(dict(mallory.http.cookies))
    ann.ok("POST", "/api/session/sign-in", {"login": address, "password": PASSWORD})
    assert mallory.refused("GET", "/api/me") == (401, "no-session")


def test_only_the_address_asked_for_last_can_be_confirmed(site: Site) -> None:
    first, second = site.address(), site.address()
    ann = site.member(site.address())
    for address in (first, second):
        ann.ok("POST", "/api/me/email", {"email": address, "password": PASSWORD})
    tokens = [token_in(letters_to(site.server, address)[0]) for address in (first, second)]
    body = {"token": tokens[0]}
    assert ann.refused("POST", "/api/me/email/confirm", body) == (403, "link")
    assert ann.ok("POST", "/api/me/email/confirm", {"token": tokens[1]})["email"] == second


def test_an_address_gets_only_so_many_letters_in_an_hour(site: Site) -> None:
    address = site.address()
    for _ in range(one_time_links.MOST + 3):
        site.server.client().ok("POST", "/api/session/link", {"email": address})
    site.server.run(site.server.site.sender.carry())
    assert len(letters_to(site.server, address, one_time_links.MOST)) == one_time_links.MOST
    site.clock.go_on(3601)
    site.server.client().ok("POST", "/api/session/link", {"email": address})
    letters_to(site.server, address, one_time_links.MOST + 1)


@pytest.mark.parametrize(
    "address",
    [
        "",
        "ann",
        "@example.org",
        "ann@",
        "ann@example",
        "a b@example.org",
        "ann@example.org\nBcc: x@example.org",
        "ann@example.org\r\n\r\nhello",
        "ann@example.org, bob@example.org",
        "ann@exa\0mple.org",
        "é@example.org",
        f"{'a' * 300}@example.org",
        "<ann@example.org>",
        "ann@-example.org",
        '"ann"@example.org',
    ],
)
def test_what_is_no_address_gets_no_letter(site: Site, address: str) -> None:
    client = site.server.client()
    assert client.refused("POST", "/api/session/link", {"email": address}) == (422, "email")
    account = {"email": address or "x", "password": PASSWORD, "name": "Ann"}
    assert client.refused("POST", "/api/session/sign-up", account) == (422, "email")


def test_a_name_is_taken_once(site: Site) -> None:
    login = f"login-{site.address().partition('@')[0]}"
    account = {"login": login, "password": PASSWORD, "name": "Ann"}
    assert site.server.client().ok("POST", "/api/session/sign-up", account)["kind"] == "member"
    refusal = site.server.client().refused("POST", "/api/session/sign-up", account)
    assert refusal == (409, "login-taken")
    nothing = {"password": PASSWORD, "name": "Ann"}
    assert site.server.client().refused("POST", "/api/session/sign-up", nothing)[0] == 422


def test_sessions_are_listed_and_ended(site: Site) -> None:
    address = site.address()
    ann = site.member(address)
    others = [site.server.client() for _ in range(3)]
    for number, client in enumerate(others):
        site.clock.go_on(1)
        client.http.headers["User-Agent"] = f"Browser {number} \u00ff"
        client.ok("POST", "/api/session/sign-in", {"login": address, "password": PASSWORD})
    listed = ann.ok("GET", "/api/me/sessions")
    assert len(listed) == 4
    assert [one["is_this"] for one in listed].count(True) == 1
    assert {"Browser 0", "Browser 1", "Browser 2"} <= {one["agent"].strip() for one in listed}
    bob = site.member(site.address())
    name = next(one["name"] for one in listed if one["agent"].startswith("Browser 1"))
    assert bob.refused("DELETE", f"/api/me/sessions/{name}") == (404, "missing")
    ann.ok("DELETE", f"/api/me/sessions/{name}")
    assert [client.ask("GET", "/api/me").status_code for client in others] == [200, 401, 200]
    ann.ok("DELETE", "/api/me/sessions")
    assert [client.ask("GET", "/api/me").status_code for client in others] == [401, 401, 401]
    assert len(ann.ok("GET", "/api/me/sessions")) == 1
    assert bob.ok("GET", "/api/me")


def test_sessions_and_links_that_are_over_are_cleared_away(site: Site) -> None:
    address = site.address()
    ann = site.member(address)
    site.link(address, "/api/session/link", 2)

    def count(tx: Tx) -> tuple[int, int]:
        (sessions,) = tx.rows(int, "SELECT COUNT(*) FROM sessions")
        (tickets,) = tx.rows(int, "SELECT COUNT(*) FROM tickets")
        return sessions, tickets

    store = site.server.site.store
    site.clock.go_on(accounts.LASTS // 1_000_000 - 10)
    site.server.run(site.server.site.sweep())
    assert ann.ok("GET", "/api/me")
    sessions, left = site.server.run(store.read(count))
    assert sessions >= 1
    assert left == 0
    bob = site.server.client("Bob")
    site.clock.go_on(11)
    assert ann.refused("GET", "/api/me") == (401, "no-session")
    site.server.run(site.server.site.sweep())
    assert site.server.run(store.read(count)) == (1, 0)
    assert bob.ok("GET", "/api/me")


def test_letters_are_private_files(site: Site) -> None:
    address = site.address()
    site.server.client().ok("POST", "/api/session/link", {"email": address})
    letters_to(site.server, address)
    folder = Path(site.server.site.settings.data, "letters")
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()} == {0o600}
