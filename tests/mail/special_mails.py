"""Mails of the corpus that are each of their own kind, with what must be understood."""

from __future__ import annotations

from collections.abc import Iterator

from openplan.mail.inbound.tokens import message_id
from tests.mail.desk import KEY, token
from tests.mail.pieces import SENDER, headers, multi, part, quoted, single, text

ADDRESS = f"orders+{token()}@example.net"
THREE = [
    "order 1 = 1: card 23 N2 turn 1 employee E1",
    "order 2 = 2: card 17 N3",
    "order 3 = 3: employee E2",
]


def specials(letter: list[str]) -> Iterator[tuple[str, bytes, list[str]]]:
    good = ["BEGIN", "1: card 23 N2 turn 1 employee E1", "2: card 17 N3", "3: employee E2", "END"]
    body = text(good).encode()

    def with_header(*fields: str, sender: str = SENDER, subject: str = "Re: turn 1") -> bytes:
        return headers(ADDRESS, *fields, sender=sender, subject=subject) + b"\r\n" + body

    # Robots, lists, bounces, our own letters: neither obeyed nor answered.
    for name, fields, why in [
        ("auto-replied", ["Auto-Submitted: auto-replied (vacation)"], "auto-submitted"),
        ("auto-generated", ["Auto-Submitted: auto-generated; owner-email=x"], "auto-submitted"),
        ("precedence-bulk", ["Precedence: bulk"], "precedence"),
        ("precedence-auto-reply", ["Precedence: auto_reply"], "precedence"),
        ("list", ["List-Id: Players <players.example.org>"], "list"),
        ("list-unsubscribe", ["List-Unsubscribe: <mailto:off@example.org>"], "list"),
        ("loop", ["X-Loop: judge@example.net"], "list"),
        ("vacation", ["X-Vacation: yes"], "robot"),
        ("autorespond", ["X-Autorespond: yes"], "robot"),
        (
            "own-letter",
            [f"Message-ID: {message_id(KEY, 'report-17-1', 'example.net')}"],
            "own-letter",
        ),
    ]:
        yield f"robot-{name}", with_header(*fields), [f"silent {why}"]
    yield (
        "robot-null-path",
        with_header().replace(b"<sal@example.org>\r\nFrom", b"<>\r\nFrom"),
        ["silent empty-return-path"],
    )
    for name, sender in [
        ("daemon", "MAILER-DAEMON@example.org"),
        ("postmaster", '"Mail System" <Postmaster@Example.org>'),
        ("no-reply", "No Reply <no-reply@example.org>"),
        ("bounces", "<players-bounces+sal=example.org@lists.example.org>"),
        ("owner", "owner-players@example.org"),
    ]:
        yield f"robot-from-{name}", with_header(sender=sender), ["silent nobody"]
    away = headers(ADDRESS, "Content-Type: text/plain", subject="Automatic reply: turn 1")
    yield "robot-away-subject", away + b"\r\nI am away until Monday.\r\n", ["silent away"]
    for name, subject in [
        ("de", "Abwesenheitsnotiz: turn 1"),
        ("de-2", "Automatische Antwort: turn 1"),
        ("fr", "Réponse automatique : turn 1"),
        ("es", "Respuesta automática: turn 1"),
        ("it", "Risposta automatica: turn 1"),
        ("ooo", "Out of Office Re: turn 1"),
        ("bounce", "Undelivered Mail Returned to Sender"),
    ]:
        out = headers(ADDRESS, "Content-Type: text/plain", subject=subject)
        yield (
            f"robot-away-{name}",
            out + b"\r\n" + text(["Away.", *quoted(letter)]).encode(),
            ["silent away"],
        )
    yield (
        "person-away-subject",
        with_header(subject="Out of office again, but here they are"),
        THREE,
    )
    status = text(["Reporting-MTA: dns; example.org", "", "Action: failed", "Status: 5.1.1"])
    yield (
        "robot-delivery-report",
        multi(
            ADDRESS,
            "report; report-type=delivery-status",
            [
                part("It failed.\r\n"),
                (["Content-Type: message/delivery-status"], status.encode()),
                (["Content-Type: message/rfc822"], body),
            ],
        ),
        ["silent report"],
    )
    yield (
        "robot-read-receipt",
        multi(
            ADDRESS,
            "report; report-type=disposition-notification",
            [
                part("It was read.\r\n"),
                (
                    ["Content-Type: message/disposition-notification"],
                    b"Disposition: automatic-action; displayed\r\n",
                ),
            ],
        ),
        ["silent report"],
    )

    # Nothing to be read, and why.
    empty = headers(ADDRESS, "Content-Type: text/plain")
    yield "no-text", empty + b"\r\n\r\n  \r\n", ["trouble no-text"]
    yield "no-body", empty, ["trouble no-text"]
    yield "no-begin", empty + b"\r\n1: card 23 N2\r\nEND\r\n", ["trouble no-begin"]
    yield "thanks", empty + b"\r\nThanks, will do at the weekend.\r\n", ["trouble no-begin"]
    yield "quoted-begin", empty + b"\r\n" + text(quoted(good)).encode(), ["trouble quoted-begin"]
    yield (
        "quoted-orders",
        empty
        + b"\r\nBEGIN\r\n> 1: card 23 N2\r\n| 2: card 17 N3\r\nSE> 3: employee E2\r\nWAIT\r\nEND"
        b"\r\n",
        ["command WAIT"],
    )
    yield "quoted-end", empty + b"\r\nBEGIN\r\n1: card 23 N2\r\n> END\r\n", ["trouble no-end"]
    yield "unended-end", empty + b"\r\nBEGIN\r\n1: card 23 N2\r\nEND", ["trouble no-end"]
    yield (
        "end-of-the-world",
        empty + b"\r\nBEGIN\r\n1: card 23 N2\r\nEND of the world\r\n",
        ["trouble no-end"],
    )
    yield (
        "two-begins",
        empty + b"\r\nBEGIN\r\n1: card 23 N2\r\nBEGIN\r\n2: card 17 N3\r\nEND\r\n",
        ["trouble no-end"],
    )
    yield "past-end", empty + b"\r\n" + body + b"WAIT\r\nBEGIN\r\nRESIGN S\r\nEND\r\n", THREE
    yield (
        "only-the-form",
        empty + b"\r\nSee below\r\n" + text(letter).encode(),
        [
            "blank | 1: card ____ at ____ turn 0",
            "blank | 1: employee ____",
            "blank | 2: card ____ at ____ turn 0",
            "blank | 2: employee ____",
            "blank | 3: card ____ at ____ turn 0",
            "blank | 3: employee ____",
        ],
    )
    yield "form-then-orders", empty + b"\r\n" + text([*letter, *good]).encode(), THREE
    yield (
        "pgp",
        multi(
            ADDRESS,
            "encrypted",
            [
                (["Content-Type: application/pgp-encrypted"], b"Version: 1\r\n"),
                (["Content-Type: application/octet-stream"], b"-----BEGIN PGP MESSAGE-----\r\n"),
            ],
        ),
        ["trouble encrypted"],
    )
    yield (
        "smime",
        single(
            ADDRESS,
            b"MIAGCSqGSIb3DQEHA6CA\r\n",
            "Content-Type: application/pkcs7-mime; smime-type=enveloped-data",
        ),
        ["trouble encrypted"],
    )
    yield (
        "forwarded",
        multi(
            ADDRESS,
            "mixed",
            [part("See this.\r\n"), (["Content-Type: message/rfc822"], with_header())],
        ),
        ["trouble no-begin"],
    )
    yield (
        "attached",
        multi(
            ADDRESS,
            "mixed",
            [
                part("Orders attached.\r\n"),
                (
                    [
                        "Content-Type: text/plain; name=orders.txt",
                        "Content-Disposition: attachment; filename=orders.txt",
                    ],
                    body,
                ),
            ],
        ),
        ["trouble no-begin"],
    )
    yield (
        "long-header",
        headers(ADDRESS, "X-Long: " + "a" * 17_000) + b"\r\n" + body,
        ["trouble header-too-large"],
    )
    deep = body
    for level in range(25):
        deep = (
            f"Content-Type: multipart/mixed; boundary=b{level}\r\n\r\n--b{level}\r\n".encode()
            + deep
            + f"\r\n--b{level}--\r\n".encode()
        )
    yield "too-deep", headers(ADDRESS) + deep, ["trouble too-deep"]
    crowd = [part(f"{n}\r\n") for n in range(201)]
    yield "too-many-parts", multi(ADDRESS, "mixed", crowd), ["trouble too-many-parts"]
    yield (
        "too-many-lines",
        empty + b"\r\nBEGIN\r\n" + b"x\r\n" * 1001 + b"END\r\n",
        ["trouble too-many-lines"],
    )
    yield (
        "too-long-line",
        empty + b"\r\nBEGIN\r\n" + b"x" * 2001 + b"\r\nEND\r\n",
        ["trouble too-long-line"],
    )

    # Odd, but readable.
    for name, fields, data in [
        ("unknown-charset", ["Content-Type: text/plain; charset=klingon-1"], body),
        ("charset-is-no-charset", ["Content-Type: text/plain; charset=zlib"], body),
        ("charset-punycode", ["Content-Type: text/plain; charset=punycode"], body),
        (
            "latin-1-called-utf-8",
            ["Content-Type: text/plain; charset=utf-8"],
            "Grüße\r\n".encode("latin-1") + body,
        ),
        ("no-content-type", [], body),
        ("broken-content-type", ['Content-Type: ;;;="; charset'], body),
        ("multipart-without-boundary", ["Content-Type: multipart/mixed"], body),
        ("doubtful-encoding", ["Content-Transfer-Encoding: 9bit"], body),
        ("byte-order-mark", ["Content-Type: text/plain; charset=utf-8"], b"\xef\xbb\xbf" + body),
        ("zeros", ["Content-Type: text/plain; charset=utf-8"], b"\x00\x00 hello\r\n" + body),
        ("form-feed", ["Content-Type: text/plain"], b"\x0c\r\n" + body),
        ("folded-header", ["Content-Type: text/plain;\r\n charset=utf-8;\r\n\tformat=fixed"], body),
        ("comma-in-name", ['X-To: "Sal, S" <a@b>, <>'], body),
    ]:
        yield f"odd-{name}", single(ADDRESS, data, *fields), THREE
    yield (
        "odd-mbox-line",
        b"From sal@example.org Thu Nov 12 20:15:00 2026\r\n" + with_header(),
        THREE,
    )
    yield (
        "odd-control-in-order",
        single(ADDRESS, body.replace(b"N2", b"N\x072")),
        ["refused unreadable | 1: card 23 N\ufffd2 turn 1 employee E1", *THREE[1:]],
    )
    yield (
        "odd-unclosed-boundary",
        multi(ADDRESS, "mixed", [part(text(good))]).rpartition(b"--")[0].rpartition(b"\r\n--")[0],
        THREE,
    )
    yield (
        "odd-cyrillic-look-alike",
        single(
            ADDRESS,
            body.decode().replace("E1", "\u04151").encode(),
            "Content-Type: text/plain; charset=utf-8",
        ),
        ["refused unreadable | 1: card 23 N2 turn 1 employee \u04151", *THREE[1:]],
    )

    # What orders may be mistaken for.
    for name, lines, label in [
        (
            "turn-or-phase",
            ["1: card 23 N2", "2 employee E1"],
            ["refused doubtful | 1: card 23 N2", "refused doubtful | 2 employee E1"],
        ),
        ("turn-at-the-break", ["1: card 23 N2 turn", "1 employee E1"], [THREE[0]]),
        (
            "all-in-pieces",
            ["phase", "1", "card", "23", "at", "N2", "turn", "1", "employee", "E1"],
            [
                "refused not-understood | phase",
                "refused not-understood | 1",
                "refused not-understood | card",
                "refused not-understood | 23",
                "refused not-understood | at",
                "refused not-understood | N2",
                "refused not-understood | turn",
                "refused not-understood | 1",
                "refused not-understood | employee",
                "refused not-understood | E1",
            ],
        ),
        (
            "pieces-after-a-phase",
            ["1:", "card", "23", "at", "N2", "turn", "1", "employee", "E1"],
            [THREE[0]],
        ),
        ("minus", ["1: card 23 -2"], ["refused unreadable | 1: card 23 -2"]),
        ("phase-4", ["4: card 23 N2"], ["refused not-understood | 4: card 23 N2"]),
        ("no-such-card", ["1: card 99 N2"], ["refused unknown-card | 1: card 99 N2"]),
        (
            "two-cards",
            ["1: card 23 N2 card 17 N3"],
            ["refused unreadable | 1: card 23 N2 card 17 N3"],
        ),
        (
            "then-a-word",
            ["1: card 23 N2", "please"],
            ["order 1 = 1: card 23 N2", "refused not-understood | please"],
        ),
        (
            "press-and-order",
            ["PRESS TO P: let us", "1: card 23 N2"],
            ["command PRESS", "order 1 = 1: card 23 N2"],
        ),
        (
            "press-that-goes-on",
            ["PRESS TO P: let us", "and share it", "", "1: card 23 N2"],
            [
                "refused endless | PRESS TO P: let us",
                "refused not-understood | and share it",
                "order 1 = 1: card 23 N2",
            ],
        ),
        (
            "press-without-end",
            ["PRESS TO P", "let us", "1: card 23 N2"],
            ["refused endless | PRESS TO P / let us / 1: card 23 N2"],
        ),
        (
            "press-in-press",
            ["PRESS TO P", "1: card 23 N2", "PRESS TO T", "hello", "ENDPRESS"],
            ["refused endless | PRESS TO P / 1: card 23 N2 / PRESS TO T / hello / ENDPRESS"],
        ),
        ("press-bare", ["PRESS", "1: card 23 N2"], ["command PRESS", "order 1 = 1: card 23 N2"]),
        (
            "press-with-token",
            ["PRESS TO P", f"mine is {token()}", "ENDPRESS"],
            [f"refused token | PRESS TO P / mine is {token()} / ENDPRESS"],
        ),
        (
            "wait-for-me",
            ["wait for me", "WAIT"],
            ["refused arguments | wait for me", "command WAIT"],
        ),
        ("help-me", ["Help me!", "help press"], ["command HELP", "command HELP"]),
        (
            "opening",
            [
                "OPEN Cube Farm, 7 days at 20:00, public",
                "INVITE <bob@example.org>",
                "invite cy@example.org<mailto:cy@example.org> game 17",
                "Close 17.",
            ],
            ["command OPEN", "command INVITE", "command INVITE", "command CLOSE"],
        ),
        (
            "opening-slips",
            ["OPEN", "OPEN cube-farm 7", "INVITE bob", "INVITE a@b.example c@d.example", "CLOSE"],
            [
                "refused arguments | OPEN",
                "refused arguments | OPEN cube-farm 7",
                "refused arguments | INVITE bob",
                "refused arguments | INVITE a@b.example c@d.example",
                "refused arguments | CLOSE",
            ],
        ),
        ("open-the-window", ["Open the window!"], ["refused unknown-game | Open the window!"]),
        ("resign-slip", ["RESIGN"], ["refused arguments | RESIGN"]),
        (
            "absence",
            [
                "ABSENCE 2026-12-24 to 2027-01-02",
                "absence 24.12.2026",
                "ABSENCE 24/12/2026",
                "ABSENCE 2027-02-30",
            ],
            [
                "command ABSENCE",
                "command ABSENCE",
                "refused arguments | ABSENCE 24/12/2026",
                "refused arguments | ABSENCE 2027-02-30",
            ],
        ),
    ]:
        yield f"line-{name}", single(ADDRESS, text(["BEGIN", *lines, "END"]).encode()), label
