"""Tables opened and people invited by mail: what is refused, to whom, and how much of it is too
much. How it goes when all is well is in tests/mail/golden/opening.txt."""

from __future__ import annotations

import re

from openplan.server.mailing.open_by_mail import MOST_WAITING
from openplan.server.tables.invitations import MOST_INVITATIONS, MOST_TO_ONE
from tests.mail.conversation import Office, Step, office


def said(post: Office, what: str, *lines: str) -> str:
    """What comes of it, on one line."""
    made = post.do(Step(what, ["BEGIN", *lines, "END"] if lines else []))
    return re.sub(r"\s+\|?\s*", " ", made)


def proved(post: Office, *names: str) -> None:
    """Members who have a letter of ours to answer."""
    for name in names:
        said(post, f"{name}@example.org plays here")
        said(post, f"{name} writes to the judge", "LIST")


def invited(made: str) -> int:
    return len(re.findall(r"letter to \S+: invitation", made))


def test_nobody_has_more_than_so_many_tables_waiting() -> None:
    with office() as post:
        proved(post, "ann")
        made = said(post, "ann writes", *["OPEN human-resources"] * (MOST_WAITING + 2))
        assert len(post.tables) == MOST_WAITING
        assert made.count("have not started yet; close one first") == 2
        assert "is called off" in said(post, "ann writes", "CLOSE 3")
        assert "name the game" in said(post, "ann writes", "INVITE bob@example.org")
        assert "is open as game" in said(post, "ann writes", "OPEN human-resources")


def test_an_address_gets_and_a_host_sends_so_many_invitations_in_a_day_and_no_more() -> None:
    with office() as post:
        proved(post, "ann", "bea")
        lines = [
            line for n in range(1, 6) for line in ("OPEN cube-farm", f"INVITE x@y.example GAME {n}")
        ]
        made = said(post, "ann writes", *lines)
        assert invited(made) == MOST_TO_ONE
        assert made.count("enough invitations for today") == 5 - MOST_TO_ONE
        # Whoever else invites: it is the address that is spared.
        made = said(post, "bea writes", "OPEN cube-farm", "INVITE X@y.example")
        assert (invited(made), "enough invitations" in made) == (0, True)
        said(post, "25 hours pass")
        assert invited(said(post, "bea writes", "INVITE x@y.example")) == 1
        # The site's own way is held to the same.
        refused = post.people["bea"].refused(
            "POST", f"/api/tables/{post.tables[-1]}/invite", {"email": "x@y.example"}
        )
        assert refused == (409, "invited")
        # Nor does one person send more than so many.
        proved(post, "cy")
        lines = [f"INVITE guest{n}@example.org" for n in range(MOST_INVITATIONS + 3)]
        made = said(post, "cy writes", "OPEN cube-farm", *lines)
        assert invited(made) == MOST_INVITATIONS
        assert made.count("you can send at most") == 3


def test_whoever_shuns_the_host_or_wants_no_letters_gets_none_and_no_host_is_told() -> None:
    with office() as post:
        proved(post, "ann", "bea", "cy", "dan")
        host = post.people["ann"].ok("GET", "/api/me")["id"]
        post.people["bea"].ok("PUT", f"/api/me/shunned/{host}", {"kind": "block"})
        silent = dict.fromkeys(("turn", "reminder", "end", "message"), False)
        post.people["cy"].ok("PATCH", "/api/me", {"wishes": silent})
        lines = [f"INVITE {name}@example.org" for name in ("bea", "cy", "dan")]
        made = said(post, "ann writes", "OPEN cube-farm", *lines)
        assert made.count("is on its way to") == 3
        assert re.findall(r"letter to (\S+): invitation", made) == ["dan"]


def test_only_who_opened_a_table_or_leads_it_invites_and_only_before_it_begins() -> None:
    with office() as post:
        proved(post, "ann", "bea", "cy")
        said(post, "ann writes", "OPEN human-resources", "OPEN human-resources public")
        no_such = "not found"
        assert no_such in said(post, "bea writes", "INVITE x@y.example GAME 1")
        assert no_such in said(post, "bea writes", "INVITE x@y.example GAME 77")
        assert "made the table" in said(post, "bea writes", "INVITE x@y.example GAME 2")
        assert "made the table" in said(post, "bea writes", "CLOSE 2")
        made = said(post, "bea writes", "JOIN 2")
        assert "letter to ann: welcome" in made
        assert "has already started" in said(post, "ann writes", "INVITE x@y.example GAME 2")
        # Nor does a slip of anybody's end what is played.
        assert "has already started" in said(post, "ann writes", "CLOSE 2")
        assert "made the table" in said(post, "bea writes", "CLOSE 2")


def test_without_a_token_nothing_is_opened_and_nobody_invited() -> None:
    with office() as post:
        proved(post, "ann")
        lines = ("OPEN cube-farm", "INVITE x@y.example", "CLOSE 1")
        made = said(post, "ann writes to the judge", *lines)
        assert made.count("show that it is you") == 4
        assert (post.tables, invited(made)) == ([], 0)
        assert "letter to" not in said(post, "eve writes to the judge", *lines)


def test_a_stranger_is_written_to_in_the_hosts_language_and_keeps_it() -> None:
    with office() as post:
        said(post, "gert@example.org plays here de Europe/Berlin")
        said(post, "gert writes to the judge", "LIST")
        assert "lädt dich" in said(post, "gert writes", "OPEN cube-farm", "INVITE x@example.org")
        assert "das ist kein Befehl" in said(post, "x writes", "hallo?")
        assert "du hast einen Platz" in said(post, "x writes", "JOIN")
        # With the same letter, now that there is an account.
        assert "ist offen als Spiel 2" in said(post, "x writes", "OPEN human-resources")
