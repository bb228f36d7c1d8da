"""Whoever is at no table: what a token in an answer of ours is good for, to whom and how long."""

from __future__ import annotations

from typing import Any

from tests.mail.conversation import Office, Step, office


def rows(post: Office, sql: str) -> list[tuple[Any, ...]]:
    store = post.server.site.store
    return post.server.run(store.read(lambda tx: tx.rows(tuple, sql)))


def said(post: Office, what: str, *lines: str) -> str:
    return post.do(Step(what, ["BEGIN", *lines, "END"] if lines else []))


def test_an_answer_proves_an_address_to_its_owner_alone_and_for_a_while() -> None:
    table = (
        '{"clock": {"kind": "none"}, "public": true, "seats": [{"kind": "open"}, {"kind": "open"}]}'
    )
    with office() as post:
        for name in ("gert", "ann", "bob"):
            said(post, f"{name}@example.org plays here")
        said(post, f"gert makes human-resources {table}")
        assert "show that it is" in said(post, "ann writes to the judge", "WATCH 1")
        # Somebody else's token is nobody's.
        anns = post.carrier.carried[-1]["Reply-To"]
        assert anns.startswith("orders+house-g-")
        said(post, "bob writes to the judge", "HELP")
        post.carrier.carried[-1].replace_header("Reply-To", anns)
        assert "the token is not" in said(post, "bob writes", "WATCH 1")
        assert "you will get the reports" in said(post, "ann writes", "WATCH 1")
        said(post, "29 days pass")
        assert "you will get the reports" in said(post, "ann writes", "WATCH 1")
        said(post, "31 days pass")
        assert "the token is not" in said(post, "ann writes", "WATCH 1")


def test_a_new_address_is_confirmed_only_by_who_got_the_letter_there() -> None:
    with office() as post:
        said(post, "ann@example.org plays here")
        said(post, "ann writes to the judge", "HELP")
        said(post, "ann writes", "ADDRESS new@example.org")
        assert "no new address" in said(post, "ann writes", "CONFIRM")
        assert "letter to" not in said(
            post, "ann writes to the judge from new@example.org", "CONFIRM"
        )
        confirmed = said(post, "ann writes from new@example.org", "CONFIRM")
        assert "your letters come to this address" in confirmed
        assert "letter to ann: address-changed" in confirmed
        (ann,) = rows(post, "SELECT id FROM users")
        assert set(rows(post, "SELECT person FROM mails")) == {ann}, "and no address that she left"
        said(post, "401 days pass")
        said(post, "ann writes to the judge from new@example.org", "HELP")
        assert rows(post, "SELECT person FROM mails") == [ann], "no mail is known for ever"
