"""Tables opened and people invited by mail: what is refused, to whom, and how much of it is too
much. How it goes when all is well is in tests/mail/golden/opening.txt."""

from __future__ import annotations

import re

from msgspec import inspect

from openplan.core.registry import all_games
from openplan.mail.commands.arguments import Opening
from openplan.server.mailing import open_by_mail, table_options
from openplan.server.mailing.open_by_mail import MOST_WAITING
from openplan.server.mailing.table_options import MailOption
from openplan.server.tables.invitations import MOST_INVITATIONS, MOST_TO_ONE
from openplan.server.tables.options import TableOptions
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


def written(option: MailOption) -> str:
    """A wish for some other value than the usual one."""
    if option.choices:
        usual = {True: "yes", False: "no"}.get(option.default, option.default)
        others = [choice for choice in option.choices if choice != usual]
        return f"{option.words} {others[0]}"
    if isinstance(option.kind, inspect.IntType):
        return f"{option.words} 7"
    return f"{option.words} mon thu" if option.path[-1] == "weekdays" else f"{option.words} Some"


def test_every_option_of_a_table_can_be_wished_for_by_mail() -> None:
    """Also one that is new tomorrow: all are made from the struct."""
    for game in all_games().values():
        options = table_options.options_of(game)
        assert {option.path[0] for option in options} - {"deck"} == {
            *TableOptions.__struct_fields__
        }
        for option in options:
            found, value = table_options.wished(written(option), game)
            assert found == option
            assert value != option.default
            made = open_by_mail.as_wished(Opening(game.name, 3, wishes=(written(option),)), "UTC")
            there = getattr(made, option.path[0])
            for name in option.path[1:]:
                there = there[name] if isinstance(there, dict) else getattr(there, name)
            assert there == value


def test_a_table_is_opened_with_options_in_the_words_of_people() -> None:
    with office() as post:
        proved(post, "ann")
        made = said(
            post,
            "ann writes",
            "OPEN cube-farm 3 days at 20:00, press all, postal, absence standby, weekdays mon thu,"
            " name: The Lift, not starts when full, grace 12",
            "OPEN human-resources, take back, hints, memory yes, language de",
            "OPEN human-resources, chess clock",
            "OPEN human-resources, press loud",
            "OPEN human-resources, early",
        )
        assert "With: press all, postal, absence standby" in made
        seen = post.people["ann"].ok("GET", f"/api/tables/{post.tables[0]}")
        assert seen["press"] == {"rule": "all", "postal": True}
        assert (seen["absence"]["policy"], seen["name"]) == ("standby", "The Lift")
        assert (seen["clock"]["weekdays"], seen["clock"]["grace"]) == (["mon", "thu"], 12)
        assert not seen["starts_when_full"]
        seen = post.people["ann"].ok("GET", f"/api/tables/{post.tables[1]}")
        assert (seen["take_back"], seen["hints"], seen["language"]) == ("friendly", True, "de")
        assert seen["house"]["memory"] == "yes"
        assert len(post.tables) == 2
        assert "there is no option 'chess clock'; 'HELP OPEN' lists them" in made
        assert "it is written press rule: all, none, signed (signed)" in made
        told = said(post, "ann writes", "HELP OPEN")
        for option in table_options.options_of(all_games()["cube-farm"]):
            assert f" {option.words}" in told


def test_an_invitation_brings_a_note_and_tells_pace_and_seats() -> None:
    with office() as post:
        proved(post, "ann")
        made = said(
            post,
            "ann writes",
            "OPEN cube-farm, 3 days",
            "INVITE bob@example.org <mailto:bob@example.org>: Come, it's Friday!",
            "INVITE cy@example.org",
            "Two lines,",
            "BEGIN 3 END",
            "ENDINVITE",
            f"INVITE dan@example.org: {'x' * 501}",
            "INVITE eve",
            "INVITE eve@example.org",
            "INVITE fay@example.org",
            "One more.",
            "ENDINVITE",
        )
        assert "Ann writes: One more." in made
        assert "Ann writes: Come, it's Friday!" in made
        assert "Two lines, 'BEGIN' 3 END" in made
        assert "A turn has 3 days. The seats: - S, Sales & Marketing: Ann - P, Product" in made
        assert re.findall(r"letter to (\S+): invitation", made) == ["bob", "cy", "eve", "fay"]


def test_a_seat_is_wished_for_by_name_changed_and_given_back_before_the_start() -> None:
    with office() as post:
        proved(post, "ann", "bea", "cy")
        said(post, "ann writes", "OPEN cube-farm public")
        assert "you have a seat" in said(post, "bea writes", "JOIN 1 as Support")
        seen = post.people["bea"].ok("GET", f"/api/tables/{post.tables[0]}")
        names = {seat["called"]: seat["name"] for seat in seen["seats"]}
        assert names["Support & Training"] == "Bea"
        made = said(
            post,
            "bea writes",
            "NAME Beatrix II.",
            "JOIN 1 Produktentwicklung",
            "JOIN 1 boiler room",
        )
        assert "you are called Beatrix II. at every table that has not begun" in made
        assert "has no seat 'boiler room'; there are: S (Sales & Marketing), P (" in made
        seen = post.people["bea"].ok("GET", f"/api/tables/{post.tables[0]}")
        assert [seat["name"] for seat in seen["seats"]].index("Beatrix II.") == 1
        assert "you have left game 1" in said(post, "bea writes", "LEAVE 1")
        assert "no seat at this table" in said(post, "bea writes", "LEAVE 1")
        assert "you have a seat" in said(post, "bea writes", "JOIN 1")
        seen = post.people["bea"].ok("GET", f"/api/tables/{post.tables[0]}")
        assert "Beatrix II." in [seat["name"] for seat in seen["seats"]]


def test_whoever_takes_the_last_seat_may_answer_whatever_letter_came_last() -> None:
    """The one with the hand and the answer to JOIN come together, in any order."""
    with office() as post:
        proved(post, "ann")
        said(post, "ann writes", "OPEN human-resources", "INVITE bob@example.org")
        made = said(post, "bob writes", "NAME Bob the Second", "JOIN")
        assert made.index("letter to bob: welcome") < made.index("letter to bob: answer")
        assert "you are called Bob the Second" in made
        assert "B Bob the Second" in made
        assert "speaks for nobody" not in said(post, "bob writes", "STATUS")


def test_whoever_has_joined_answers_that_letter_to_leave_again() -> None:
    with office() as post:
        proved(post, "ann")
        said(post, "ann writes", "OPEN cube-farm", "INVITE bob@example.org")
        assert "you have a seat" in said(post, "bob writes", "JOIN support")
        assert "you have left game 1" in said(post, "bob writes", "LEAVE 1")


def test_no_word_of_a_stranger_is_in_the_subject_of_an_invitation() -> None:
    with office() as post:
        proved(post, "ann")
        ann = post.people["ann"]
        ann.ok("PATCH", "/api/me", {"name": "Win Money Now"})
        said(post, "ann writes", "OPEN human-resources", "INVITE x@y.example")
        (letter,) = [mail for mail in post.carrier.carried if mail["To"] == "x@y.example"]
        assert "Win Money Now" in letter.as_string()
        assert letter["Subject"] == "Human Resources: you are invited to a game"


def test_who_has_looked_at_a_table_by_mail_does_not_lead_it() -> None:
    """By GAME, by HISTORY of another's table, or by reports that come of themselves."""
    with office() as post:
        proved(post, "ann", "bea", "cy", "dan", "emil")
        wish = {"game": "human-resources", "public": True, "seats": [{"kind": "open"}] * 2}
        table = post.people["ann"].ok("POST", "/api/tables", wish)["id"]
        for name in ("Xan", "Yve"):
            post.server.client(name).ok("POST", f"/api/tables/{table}/join", {})
        at = f"/api/tables/{table}/master"
        invite = post.people["ann"].ok("POST", f"{at}/hand-over")["duty"]["master_invite"]
        for name, line in (("bea", "GAME 1"), ("cy", "HISTORY 1-2 GAME 1"), ("dan", "WATCH 1")):
            assert "game 1" in said(post, f"{name} writes", line).lower()
            refused = post.people[name].refused("POST", f"{at}/accept", {"invite": invite})
            assert refused == (403, "master-looked"), line
        post.people["emil"].ok("POST", f"{at}/accept", {"invite": invite})
