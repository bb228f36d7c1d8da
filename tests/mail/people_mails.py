"""Mails of the corpus as people write them who have not read how: what must be understood of each,
and which of them no person wrote."""

from __future__ import annotations

import base64
from collections.abc import Iterator

from tests.mail.desk import token
from tests.mail.pieces import headers, page, part, quoted, text, whole_page
from tests.mail.special_mails import ADDRESS, THREE

Mail = tuple[str, bytes, list[str]]
ORDERS = ["1: card 23 N2 turn 1 employee E1", "2: card 17 N3", "3: employee E2"]
PLAIN = "Content-Type: text/plain; charset=utf-8"
HTML = "Content-Type: text/html; charset=utf-8"
SAID = "On Thu, 12 Nov 2026 at 20:00, Open Plan wrote:"
HEADED = ["From: Open Plan <judge@example.net>", "Sent: Thursday", "Subject: turn 1", ""]
FORM = [
    "# Phase 1, top floor",
    "1: card 23 at N2 turn 1",
    "1: employee E1",
    "2: card 17 at N3 turn 0",
    "2: employee ____",
    "3: card ____ at ____ turn 0",
    "3: employee E2",
]
FILLED = [
    "order 1 = 1: card 23 N2 turn 1",
    "order 1 = 1: employee E1",
    "order 2 = 2: card 17 N3",
    "blank | 2: employee ____",
    "blank | 3: card ____ at ____ turn 0",
    "order 3 = 3: employee E2",
]


def plain(lines: list[str], *fields: str, subject: str = "Re: turn 1", to: str = ADDRESS) -> bytes:
    return headers(to, *fields, PLAIN, subject=subject) + b"\r\n" + text(lines).encode()


def html(inside: str, *fields: str) -> bytes:
    return headers(ADDRESS, *fields, HTML) + b"\r\n" + whole_page(inside).encode()


def people(letter: list[str]) -> Iterator[Mail]:
    yield from _without_an_envelope(letter)
    yield from _in_the_quotation(letter)
    yield from _shapes()
    yield from _other_words()
    yield from _large_providers()
    yield from _robots_after_all(letter)


def _without_an_envelope(letter: list[str]) -> Iterator[Mail]:
    """Above the quotation, by somebody who shows a token."""
    below = {
        "nothing": [],
        "marks": [SAID, *quoted(letter)],
        "bars": [SAID, *quoted(letter, "| ")],
        "no-marks": [*HEADED, *letter],
        "original": ["-----Original Message-----", *HEADED, *letter],
        "signature": ["--", "Sal", "1: not an order", SAID, *quoted(letter)],
    }
    for name, rest in below.items():
        yield f"people-above-{name}", plain([*ORDERS, "", *rest]), THREE
    talk = ["Hi,", "", *ORDERS, "", "I hope that is right. Help yourself to coffee!", "Sal"]
    yield "people-above-talk", plain([*talk, SAID, *quoted(letter)]), THREE
    page_of = page([*talk, SAID]) + f"<blockquote>{page(letter)}</blockquote>"
    yield "people-above-html", html(page_of), THREE
    yield (
        "people-above-wrong",
        plain(["1: card 23 N2", "2: crad 17 N3", "", SAID, *quoted(letter)]),
        ["order 1 = 1: card 23 N2", "refused unreadable | 2: crad 17 N3"],
    )
    yield (
        "people-above-command",
        plain(["WAIT", "", SAID, *quoted(letter)]),
        ["command WAIT"],
    )
    yield (
        "people-above-small-word",
        plain(["Wait, I am not sure yet.", "wait", "", SAID, *quoted(letter)]),
        ["trouble quoted-begin"],
    )
    yield (
        "people-above-no-token",
        plain(ORDERS, to="orders@example.net"),
        ["trouble no-begin"],
    )
    yield "people-above-thanks", plain(["Thanks!", *quoted(letter)]), ["trouble quoted-begin"]


def _in_the_quotation(letter: list[str]) -> Iterator[Mail]:
    """The form filled in where it stands, with marks before it."""
    head = letter[: letter.index(f"BEGIN {token()}") + 1]
    filled = [*head, *FORM, "END"]
    ways = {
        "plain": plain(["See below.", SAID, *quoted(filled)]),
        "bare": plain(quoted(filled)),
        "close-marks": plain([SAID, *quoted(filled, ">")]),
        "bars": plain([SAID, *quoted(filled, "| ")]),
        "initials": plain([SAID, *quoted(filled, "OP> ")]),
        "html": html(page([SAID]) + f"<blockquote>{page(filled)}</blockquote>"),
    }
    for name, raw in ways.items():
        mark = {"close-marks": ">", "bars": "| ", "initials": "OP> "}.get(name, "> ")
        label = [line.replace("blank | ", f"blank | {mark}") for line in FILLED]
        yield f"people-form-{name}", raw, label
    more = [*head, *FORM, "I would also like the corner office", "END"]
    yield "people-form-more", plain([SAID, *quoted(more)]), ["trouble quoted-begin"]
    twice = quoted(quoted(filled))
    yield "people-form-older", plain(["Thanks!", SAID, *twice]), ["trouble quoted-begin"]
    strange = [line.replace(f"BEGIN {token()}", "BEGIN") for line in filled]
    yield "people-form-no-token", plain([SAID, *quoted(strange)]), ["trouble quoted-begin"]
    yield "people-form-blank", plain([SAID, *quoted(letter)]), ["trouble quoted-begin"]


def _shapes() -> Iterator[Mail]:
    flowed = f"{PLAIN}; format=flowed"
    for name, lines in {
        "before-begin": ["Here they are: ", "BEGIN", *ORDERS, "END"],
        "stuffed": [" BEGIN", *(f" {order}" for order in ORDERS), " END"],
        "before-end": ["BEGIN", *ORDERS[:2], f"{ORDERS[2]} ", "END"],
        "after-markers": ["BEGIN ", *ORDERS, "END "],
    }.items():
        raw = headers(ADDRESS, flowed) + b"\r\n" + text(lines).encode()
        yield f"people-flowed-{name}", raw, THREE
    whole = "\n".join(["BEGIN", *ORDERS, "END"])
    for name, opening, closing in [
        ("pre", "<pre>", "</pre>"),
        ("pre-wrap", '<div style="white-space: pre-wrap">', "</div>"),
        ("pre-wrap-span", '<p><span style="color:red;white-space:pre-wrap;">', "</span></p>"),
        ("pre-line", "<div style='white-space:pre-line'>", "</div>"),
        ("break-spaces", '<td style="white-space: break-spaces">', "</td>"),
    ]:
        yield f"people-html-{name}", html(f"{opening}{whole}\n{closing}<p>Sal</p>"), THREE
    names, data = part(text(["BEGIN", *ORDERS, "END"]), encoding="base64")
    yield "people-base64", headers(ADDRESS, *names) + b"\r\n" + data, THREE


def _other_words() -> Iterator[Mail]:
    want = ["order 1 = 1: card 23 E1S2 turn 1 employee W2N1"]
    for name, order in {
        "row-first": "1: card 23 S2E1 turn 1 employee N1W2",
        "spaced": "1: card 23 E1 S2 turn 1 employee W2 N1",
        "row-first-spaced": "1: card 23 at s2 e1 turned 1, employee at n1 w2",
        "german": "1: Karte 23 auf E1S2 drehen 1 Mitarbeiter W2N1",
        "german-2": "Phase 1: Karte 23 auf O1S2, gedreht 1, Mitarbeiterin auf W2N1",
        "german-3": "1: lege Karte 23 auf O1 S2 drehen 1 und dann Mitarbeiter auf W2 N1",
    }.items():
        yield f"people-words-{name}", plain(["BEGIN", order, "END"]), want
    yield (
        "people-words-german-envelope",
        plain(["Hallo,", "BEGINN", "1: Karte 23 auf E1S2 drehen 1 Mitarbeiter W2N1", "ENDE", "LG"]),
        want,
    )
    yield (
        "people-words-german-nothing",
        plain(["Beginn", "nichts", "Ende"]),
        ["order all = nothing"],
    )


def _large_providers() -> Iterator[Mail]:
    """Personal mail with what robots also put in."""
    lines = ["BEGIN", *ORDERS, "END"]
    for name, field in {
        "feedback": "Feedback-ID: 1:personal:mail:example",
        "suppress-all": "X-Auto-Response-Suppress: All",
        "suppress-some": "X-Auto-Response-Suppress: DR, RN, NRN, OOF, AutoReply",
    }.items():
        yield f"people-provider-{name}", plain(lines, field), THREE
        why = "robot" if name == "feedback" else "suppressed"
        yield (
            f"robot-{name}-no-token",
            plain(lines, field, to="orders@example.net"),
            [f"silent {why}"],
        )
    for name, field, why in [
        ("auto", "Auto-Submitted: auto-replied", "auto-submitted"),
        ("list", "List-Id: <players.example.org>", "list"),
        ("bulk", "Precedence: bulk", "precedence"),
    ]:
        yield f"robot-strong-{name}", plain(lines, "Feedback-ID: 1:x", field), [f"silent {why}"]


def _robots_after_all(letter: list[str]) -> Iterator[Mail]:
    """Answers of those who are away: the subject encoded, our form quoted with or without marks."""
    for name, subject in {
        "en": "Automatic reply: turn 1",
        "en-2": "I'm out of the office Re: turn 1",
        "de": "Automatische Antwort: Cube Farm, Runde 1",
        "de-2": "Abwesend: Urlaub bis Montag",
        "de-3": "Nicht im Büro: turn 1",
        "fr": "Réponse automatique : turn 1",
        "es": "Respuesta automática: turn 1",
        "sv": "Autosvar: turn 1",
        "pl": "Odpowiedź automatyczna: turn 1",
        "ru": "Автоматический ответ: turn 1",
        "zh": "自动回复: turn 1",
        "ja": "自動応答: turn 1",
    }.items():
        encoded = base64.b64encode(subject.encode()).decode()
        away = ["I am away until Monday.", ""]
        for how, rest in {"marks": quoted(letter), "no-marks": letter}.items():
            raw = plain([*away, *rest], subject=f"=?utf-8?B?{encoded}?=")
            yield f"robot-encoded-{name}-{how}", raw, ["silent away"]
    yield (
        "robot-encoded-q",
        plain(["Away.", *letter], subject="=?iso-8859-1?Q?R=E9ponse_automatique_:_turn_1?="),
        ["silent away"],
    )
