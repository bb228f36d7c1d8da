"""The parts of reading, each by itself; the corpus shows them together."""

from __future__ import annotations

from string import Formatter

import pytest

from openplan.core.game import Unreadable
from openplan.core.registry import all_games
from openplan.decks import load_deck
from openplan.mail.commands.arguments import Opening
from openplan.mail.commands.grammar import VERBS, read_arguments
from openplan.mail.commands.help import help_lines, how
from openplan.mail.commands.judge import judge
from openplan.mail.inbound.html import text_of_html
from openplan.mail.inbound.lines import Envelope, plain, split_lines, without_comment
from openplan.mail.inbound.mime import only_address, read_parts, text_of
from openplan.mail.inbound.reading import read
from openplan.mail.inbound.robots import Bounce
from openplan.mail.inbound.tokens import message_id
from openplan.mail.sentences import say
from openplan.server.mailing.port import JudgesPort
from tests.mail.desk import KEY, Desk, token
from tests.mail.pieces import multi, part
from tests.mail.sending import mail


@pytest.mark.parametrize(
    ("header", "address"),
    [
        ("sal@example.org", "sal@example.org"),
        ("Sal <Sal@Example.ORG>", "sal@example.org"),
        ('"pat@example.org" <sal@example.org>', "sal@example.org"),
        ('"Sal \\" <pat@example.org>" <sal@example.org>', "sal@example.org"),
        ("sal@example.org (pat@example.org (nested))", "sal@example.org"),
        ("<sal@example.org> <pat@example.org>", ""),
        ("sal@example.org, pat@example.org", ""),
        ("sal@example.org@example.com", ""),
        ("sal@example.org <pat@example.org>", ""),
        ("alice@example.org)bob@example.com", ""),
        ("friends: sal@example.org;", ""),
        ("<sal@example.org", ""),
        ("sal", ""),
        ("", ""),
    ],
)
def test_a_sender_is_one_address_or_nobody(header: str, address: str) -> None:
    assert only_address(header) == address


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("<p>a</p><p>b</p>", "a\nb\n"),
        ("a<br>b<br/>c", "a\nb\nc"),
        ("<div>a <b>b</b>\n c</div>d", "a b c\nd"),
        ("<blockquote>a<blockquote>b</blockquote></blockquote>c<br>", "> a\n> > b\nc\n"),
        ("<pre>a\n  b</pre>", "a\n  b\n"),
        ("a &lt;b&gt; &nbsp;&#49;&bogus;", "a <b> \xa01&bogus;"),
        ("<style>a</style><script>b<c></script>d<!-- e -->f", "df"),
        ("<p>END</p", "END"),
        ("<b>END</b>", "END"),
        ("1 < 2", "1 < 2"),
        ("<div style='display:none'>a</div>b", "b"),
    ],
)
def test_a_page_is_read_as_it_is_seen(page: str, text: str) -> None:
    assert text_of_html(page) == text


def test_what_looks_alike_is_alike() -> None:
    assert (
        plain("\uff11\uff1a\u3000ca\u00adrd\u00a0\u0662\u0663 N\u2013\u2019\r\n")
        == "1: card 23 N-'\n"
    )
    assert plain("\x00") == "\ufffd"


def test_flowed_lines_are_joined_as_they_were_written() -> None:
    text = "> a \n> b\n c \nd\n-- \nEND \nx \n"
    lines = split_lines(text, 1, is_closed=True, flowed=True)
    assert [line.text for line in lines] == ["> a b", "c d", "--", "END", "x"]
    assert [line.is_ended for line in lines] == [True, True, True, True, False]
    lines = split_lines("a \nb\n", 1, is_closed=True, flowed=True, deletes=True)
    assert [line.text for line in lines] == ["ab"]


def test_a_comment_is_no_card() -> None:
    assert without_comment("1: card #23 N2 # here") == "1: card #23 N2"
    assert without_comment("# all of it") == ""
    assert without_comment("1: # card ____ at ____") == "1: # card ____ at ____"
    assert without_comment("# card ____ at ____") == ""


@pytest.mark.parametrize("cut", range(0, 60, 7))
def test_base64_that_may_go_on_has_no_certain_end(cut: int) -> None:
    body = b"QkVHSU4NCldBSVQNCkVORA==\r\n"
    head = b"Content-Transfer-Encoding: base64\r\n\r\n"
    assert text_of(read_parts(head + body)) == ("BEGIN\r\nWAIT\r\nEND", True)
    assert text_of(read_parts(head + body[: min(cut, 23)]))[1] is False


def test_a_bounce_names_the_letters_that_came_back() -> None:
    name = message_id(KEY, "report-17-1-s0", "example.net")
    status = b"Action: failed\r\nStatus: 5.1.1\r\n"
    raw = multi(
        "judge@example.net",
        "report; report-type=delivery-status",
        [
            part("failed\r\n"),
            (["Content-Type: message/delivery-status"], b"Reporting-MTA: dns; a\r\n\r\n" + status),
            (["Content-Type: message/rfc822"], f"Message-ID: {name}\r\n\r\nhello\r\n".encode()),
        ],
    )
    found = read(raw, KEY)
    assert found.silence
    assert found.bounce == Bounce(("report-17-1-s0",), "5.1.1", is_lasting=True)
    forged = read(raw.replace(b"17-1", b"17-2"), KEY)
    assert forged.silence
    assert forged.bounce is None


def test_the_recipient_that_the_mail_server_names_counts_first() -> None:
    raw = mail(["WAIT"], token(place="s1"))
    assert read(raw, KEY, [f"orders+{token()}@example.net"]).tokens == (token(), token(place="s1"))


def test_a_stray_return_does_not_end_the_headers_unless_all_lines_end_so() -> None:
    raw = mail(["WAIT"], token())
    assert read(raw.replace(b"\r\n\r\n", b"\r\n\r\r\nList-Id: <a>\r\n\r\n"), KEY).silence == "list"
    doubled = read(raw.replace(b"\r\n", b"\r\r\n"), KEY)
    assert doubled.silence == ""
    assert isinstance(doubled.envelope, Envelope)
    assert doubled.tokens == (token(),)


def test_a_mail_that_nobody_wants_back_is_a_robots() -> None:
    raw = mail(["WAIT"], token())
    assert read(raw, KEY, return_path="").silence == "empty-return-path"
    assert read(raw, KEY, return_path="sal@example.org").silence == ""


@pytest.mark.parametrize(
    ("header", "why"),
    [
        ("List-Id: <a.example>", "list"),
        ("Auto-Submitted: auto-replied", "auto-submitted"),
    ],
)
def test_an_empty_header_of_the_same_name_makes_no_person_of_a_robot(header: str, why: str) -> None:
    name = header.partition(":")[0]
    raw = f"From: sal@example.org\r\n{name}:\r\n{header}\r\n\r\nBEGIN\r\nHELP\r\nEND\r\n"
    assert read(raw.encode(), KEY).silence == why


@pytest.mark.parametrize("header", ["X-Auto-Response-Suppress: All", "Feedback-ID: 1:personal"])
def test_a_weak_hint_of_a_robot_counts_for_less_than_a_token(header: str) -> None:
    """Large providers put both into the mail of people."""
    for to, obeyed in ((f"orders+{token()}@example.net", True), ("orders@example.net", False)):
        raw = f"From: sal@example.org\r\nTo: {to}\r\n{header}\r\n\r\nBEGIN\r\nWAIT\r\nEND\r\n"
        house = Desk()
        found = judge(read(raw.encode(), KEY), house)
        assert (found.silence == "") is obeyed
        assert bool(house.acts) is obeyed


@pytest.mark.parametrize(
    ("text", "opening"),
    [
        ("cube-farm", Opening("cube-farm", 7)),
        ("Cube Farm", Opening("cube-farm", 7)),
        ("cube-farm 3 days at 8:00 public.", Opening("cube-farm", 3, "08:00", is_public=True)),
        ("cube-farm, master, public, 1day", Opening("cube-farm", 1, "", True, True)),
        ("human-resources 28 DAYS, AT 20:30", Opening("human-resources", 28, "20:30")),
        (
            "Cube Farm rated, 3 days, press all, Name The Lift at 8",
            Opening("cube-farm", 3, wishes=("rated", "press all", "Name The Lift at 8")),
        ),
    ],
)
def test_a_table_is_opened_in_a_few_words(text: str, opening: Opening) -> None:
    assert read_arguments(VERBS["OPEN"], text).opening == opening


@pytest.mark.parametrize("text", ["the window!", "to everybody", "chess"])
def test_prose_that_begins_like_a_command_opens_nothing(text: str) -> None:
    with pytest.raises(Unreadable, match="there is no game"):
        read_arguments(VERBS["OPEN"], text)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "no-game-name"),
        ("7 days", "no-game-name"),
        ("cube-farm 7", "no-wish"),
        ("cube-farm <b>", "no-wish"),
        ("cube-farm 0 days", "turn-days"),
        ("cube-farm 29 days", "turn-days"),
    ],
)
def test_an_opening_that_is_not_understood_says_why(text: str, why: str) -> None:
    with pytest.raises(Unreadable) as refused:
        read_arguments(VERBS["OPEN"], text)
    assert refused.value.reason == say(why, {"word": text, "most": 28})


@pytest.mark.parametrize(
    ("text", "who", "table"),
    [
        ("Bob@Example.org", "bob@example.org", ""),
        ("<bob@example.org> game 17", "bob@example.org", "17"),
        ("bob@example.org to game 17", "bob@example.org", "17"),
        ("bob@example.org 17", "bob@example.org", "17"),
        ("Bob Example <bob@example.org> 17", "bob@example.org", "17"),
        ("bob@example.org<mailto:bob@example.org> game 17", "bob@example.org", "17"),
        ("bob@example.org [mailto:bob@example.org]", "bob@example.org", ""),
        ("bob", None, ""),
        ("", None, ""),
        ("bob@example.org cy@example.org", None, ""),
        ("bob@example.org\tgame a-b", None, ""),
    ],
)
def test_an_invitation_names_an_address_and_perhaps_a_game(
    text: str, who: str | None, table: str
) -> None:
    if who is None:
        with pytest.raises(Unreadable):
            read_arguments(VERBS["INVITE"], text)
        return
    given = read_arguments(VERBS["INVITE"], text)
    assert (given.who, given.table) == (who, table)


def test_no_command_is_an_order_of_any_game() -> None:
    for game in all_games().values():
        deck = load_deck(game)
        for word in VERBS:
            assert game.read_orders(deck, [word]) == []
            assert game.read_orders(deck, [f"{word} 1"]) == []


def test_every_command_that_postal_players_expect_is_there() -> None:
    expected = """
        HELP LIST GAME WATCH JOIN RULES HISTORY REVIEW
        CLEAR FORECAST STATUS HAND MAP PRINT PRESS BROADCAST DIARY WAIT NOWAIT READY NOT ABSENCE
        RESIGN ADDRESS
        PROCESS PREVIEW PAUSE RESUME DEADLINE ROLLBACK EJECT SEAT ORDERS TERMINATE ANNOUNCE"""
    # For whoever has nothing but mail: what others do on the site.
    more = {"STANDBY", "LANGUAGE", "ZONE", "CONFIRM", "OPEN", "INVITE", "CLOSE", "NAME", "LEAVE"}
    assert set(VERBS) == {*expected.split(), *more}


def _blanks(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


def test_help_is_there_in_german_for_every_command() -> None:
    for verb in VERBS.values():
        english, german = (how(verb, language) for language in ("en", "de"))
        assert english.split()[0] == german.split()[0] == verb.word
        told = [help_lines(verb.whose[0], verb.word, language) for language in ("en", "de")]
        assert told[0][1:] != told[1][1:], verb.word
        assert _blanks(verb.en.done) == _blanks(verb.de.done), verb.word
        assert verb.done_by_port or not verb.en.done, verb.word
        assert not verb.en.done or verb.en.done != verb.de.done, verb.word


def test_whatever_the_port_does_is_a_command_and_the_other_way_round() -> None:
    done = {name.removeprefix("do_") for name in vars(JudgesPort) if name.startswith("do_")}
    assert done == {verb.word.lower() for verb in VERBS.values() if verb.done_by_port}
