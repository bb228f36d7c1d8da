"""Anonymous tables: nobody learns who sits where before the end, on the page, in letters, in lists
and in the audit log; the same for whoever else might sit there."""

from __future__ import annotations

import json
import re
from typing import Any

from tests.mail.conversation import Office, Step, office

OPTIONS = {
    "anonymous": True,
    "public": True,
    "clock": {"kind": "days", "days": 7, "grace": 24},
    "seats": [{"kind": "open"}] * 3,
}
PLACES = ("", "/chat", "/press", "/audit")
OTHERS = ("cy", "dan", "gert")
"""One who plays, one who looks on, and the game master."""
MADE_UP = re.compile(r'"(invite|commitment|id|at|created_at|began_at)": ("[^"]*"|[0-9]+)')


def told(post: Office, table: str) -> str:
    """All that they can ask for."""
    found: list[Any] = []
    for name in OTHERS:
        client = post.people[name]
        for place in PLACES:
            answer = client.ask("GET", f"/api/tables/{table}{place}")
            found.append((name, place, answer.status_code, answer.json()))
        found += [client.ok("GET", f"/api/{lists}") for lists in ("tables", "me/tables")]
    return MADE_UP.sub("...", json.dumps(found))


def played(first: str, second: str) -> str:
    """What they are told while `first` sits in S and `second` in P."""
    made = []
    with office() as post:
        for name in ("ann", "bea", *OTHERS):
            post.do(Step(f"{name}@example.org plays here", []))
        post.readers = frozenset(OTHERS)
        post.do(Step(f"gert makes cube-farm {json.dumps(OPTIONS)}", []))
        (table,) = post.tables
        ids = [post.people[name].ok("GET", "/api/me")["id"] for name in ("ann", "bea")]
        sent = len(post.carrier.carried)
        for name, seat in ((first, "S"), (second, "P"), ("cy", "T")):
            post.do(Step(f"{name} posts /join {json.dumps({'seat': seat})}", []))
            made.append(told(post, table))
        post.people[first].ok("POST", f"/api/tables/{table}/chat", {"text": "hello"})
        press = {"to": ["all"], "text": "Who am I?"}
        post.do(Step(f"{first} posts /press {json.dumps(press)}", []))
        post.do(Step("8 days pass", []))
        made.append(told(post, table))
        letters = [
            post.shown(mail)
            for mail in post.carrier.carried[sent:]
            if str(mail["To"]).partition("@")[0] in OTHERS
        ]
        assert len(letters) > 4
        text = "\n".join([*made, *letters])
        for secret in (*ids, "Ann", "Bea"):
            assert secret not in text
        for name in OTHERS:
            text = text.replace(post.people[name].ok("GET", "/api/me")["id"], name)
        return text.replace(table, "TABLE")


def test_who_sits_where_makes_no_difference_to_anybody_else() -> None:
    assert played("ann", "bea") == played("bea", "ann")


def test_at_the_end_everybody_is_named() -> None:
    with office() as post:
        for name in ("ann", "bea"):
            post.do(Step(f"{name}@example.org plays here", []))
        wish = {**OPTIONS, "clock": {"kind": "none"}, "seats": []}
        post.do(Step(f"ann makes human-resources {json.dumps(wish)}", []))
        (table,) = post.tables
        post.do(Step("bea posts /join {}", []))
        seen = post.people["bea"].ok("GET", f"/api/tables/{table}")
        own, other = sorted(seen["seats"], key=lambda seat: not seat["is_you"])
        assert (own["name"], other["name"]) == (own["called"], other["called"])
        assert (own["person"] is None, other["person"]) == (False, None)
        assert seen["duty"]["master"] is None  # she plays, and is not told from others
        made = post.do(Step("ann posts /resign", []))
        assert "Who played: " in " ".join(made.split())
        seen = post.people["bea"].ok("GET", f"/api/tables/{table}")
        assert {seat["name"] for seat in seen["seats"]} == {"Ann", "Bea"}
        assert all(seat["person"] for seat in seen["seats"])


def test_a_table_at_one_device_hides_nobody() -> None:
    with office() as post:
        post.do(Step("ann@example.org plays here", []))
        wish = {"game": "human-resources", "anonymous": True, "hot_seat": True}
        assert post.people["ann"].refused("POST", "/api/tables", wish) == (409, "anonymous")
