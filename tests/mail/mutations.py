"""Mails changed by chance: what must hold of any of them, whatever they have become."""

from __future__ import annotations

import re
import time
from functools import cache
from random import Random

from openplan.core.game import Illegal
from openplan.mail.commands.judge import Judgement, Ruling
from openplan.mail.commands.port import Bearer
from openplan.mail.inbound.lines import plain, quoted_form
from tests.mail.build_corpus import FOLDER
from tests.mail.desk import Desk
from tests.mail.sending import judged

SLOW = 0.05


@cache
def corpus() -> list[tuple[str, bytes, tuple[str, ...]]]:
    return [
        (
            file.stem,
            file.read_bytes(),
            tuple(file.with_suffix(".txt").read_text("utf-8").splitlines()),
        )
        for file in sorted(FOLDER.glob("*.eml"))
        if file.stat().st_size < 20_000
    ]


class Pad(Desk):
    """Judges orders, but leaves the table as it is for the next mail."""

    def submit(self, who: Bearer, text: str) -> None:
        match = self.matches[who.table]
        assert who.seat is not None
        refusal = match.game.why_not(match.view(who.seat), match.game.parse_move(match.deck, text))
        if refusal is not None:
            raise Illegal(refusal.code, "", refusal.clause)
        self.acts.append(("submit", who.seat, text))


def run(seed: int, count: int) -> list[float]:
    """So many mails; the seconds that each took."""
    rng = Random(f"mails {seed}")
    pad = Pad()
    took = []
    for number in range(count):
        name, raw, label = rng.choice(corpus())
        kind = rng.choice(_KINDS)
        changed = kind(rng, raw)
        pad.acts.clear()
        pad.received.clear()
        pad.vain.clear()
        start = time.process_time()
        try:
            found = judged(changed, pad)
            took.append(time.process_time() - start)
            check(found, pad, label, changed, is_harmless=kind in _HARMLESS)
        except Exception as error:
            error.add_note(f"seed {seed}, mail {number}: {name} by {kind.__name__}\n{changed!r}")
            raise
    return took


def check(
    found: Judgement, pad: Pad, label: tuple[str, ...], raw: bytes, *, is_harmless: bool
) -> None:
    if found.silence or found.trouble is not None:
        assert not pad.acts, "a mail that is not read was obeyed"
    if found.silence:
        assert found.who is None, "an answer where there must be none"
    if re.search(rb"(?im)^(auto-submitted: auto|precedence: bulk|list-id: )", _head(raw)):
        assert found.silence, "a robot was answered"
    for verdict in found.verdicts:
        if verdict.ruling in (Ruling.UNDERSTOOD, Ruling.WARNED) and verdict.code != "marker":
            lines = [line.text for line in found.mail.lines[verdict.first - 1 : verdict.last]]
            first = lines[0].lstrip()
            if quoted_form(found.mail.lines) is None:
                assert not first.startswith((">", "|")), "a quoted line was obeyed"
            assert "____" not in first, "a blank was filled in by us"
    for act in pad.acts:
        if act[0] == "submit":
            text = str(act[2])
            explained(text, found)
            if is_harmless:
                words = {word for line in label for word in line.replace(";", "").split()}
                assert set(text.replace(";", "").split()) <= words, f"{text!r} is not {label}"


def explained(text: str, found: Judgement) -> None:
    """Every figure of the orders stands on a line that was understood as one."""
    written = " ".join(
        " ".join(line.text for line in found.mail.lines[verdict.first - 1 : verdict.last])
        for verdict in found.verdicts
        if verdict.ruling in (Ruling.UNDERSTOOD, Ruling.WARNED)
    )
    figures = {str(int(figure)) for figure in re.findall(r"[0-9]+", plain(written))}
    assert set(re.findall(r"[0-9]+", text)) <= figures | {"0"}, (
        f"{text!r} was never written: {written!r}"
    )


def _head(raw: bytes) -> bytes:
    return re.split(rb"\r?\n\r?\n", raw.lstrip(b"\r\n"), maxsplit=1)[0]


# -- Changes that leave what was written as it is --------------------------------------------


def more_headers(rng: Random, raw: bytes) -> bytes:
    more = [
        b"Received: from a (b [1.2.3.4])\r\n\tby c; Thu, 12 Nov 2026\r\n",
        b"X-Spam-Status: No, score=-1.9\r\n",
        b"Subject: BEGIN 1: card 9 N2 END\r\n",
        b"DKIM-Signature: v=1; b=" + b"A" * rng.randrange(900) + b"\r\n",
        b"Content-Language: de\r\n",
        b'Cc: a, b <c@d>, "e" <f@g>;;\r\n',
    ]
    return b"".join(rng.choices(more, k=rng.randrange(1, 5))) + raw


def line_ends(rng: Random, raw: bytes) -> bytes:
    return raw.replace(b"\r\n", b"\n")


def a_robot(rng: Random, raw: bytes) -> bytes:
    head = rng.choice(
        [b"Auto-Submitted: auto-replied\r\n", b"Precedence: bulk\r\n", b"List-Id: <a.b>\r\n"]
    )
    return head + bytes_changed(rng, raw, after=len(_head(raw)))


def trailing(rng: Random, raw: bytes) -> bytes:
    if not raw.endswith(b"\n"):
        return raw  # another line would end the last one
    return raw + rng.choice(
        [b"\r\n-- \r\nSal\r\n", b"\r\n> BEGIN\r\n> 1: card 5 N2\r\n> END\r\n", b"\x00" * 9]
    )


def cut(rng: Random, raw: bytes) -> bytes:
    return raw[: rng.randrange(len(raw) + 1)]


# -- Changes of any kind ---------------------------------------------------------------------


def bytes_changed(rng: Random, raw: bytes, after: int = 0) -> bytes:
    data = bytearray(raw)
    for _ in range(rng.choice([1, 1, 2, 5, 20, 100])):
        if len(data) <= after:
            break
        at = rng.randrange(after, len(data))
        how = rng.randrange(6)
        if how == 0:
            data[at] = rng.randrange(256)
        elif how == 1:
            del data[at : at + rng.choice([1, 1, 3, 20])]
        elif how == 2:
            data[at:at] = rng.choice(_PIECES)
        elif how == 3:
            end = min(len(data), at + rng.randrange(1, 60))
            data[at:at] = data[at:end]
        elif how == 4:
            data[at] ^= 1 << rng.randrange(8)
        else:
            other = rng.randrange(after, len(data))
            data[at], data[other] = data[other], data[at]
    return bytes(data)


def lines_shuffled(rng: Random, raw: bytes) -> bytes:
    lines = raw.split(b"\n")
    for _ in range(rng.randrange(1, 8)):
        one, other = rng.randrange(len(lines)), rng.randrange(len(lines))
        lines[one], lines[other] = lines[other], lines[one]
    return b"\n".join(lines)


def spliced(rng: Random, raw: bytes) -> bytes:
    _, other, _ = rng.choice(corpus())
    return raw[: rng.randrange(len(raw))] + other[rng.randrange(len(other)) :]


_PIECES = [
    *(
        b"\r\n",
        b"\n",
        b"\r",
        b">",
        b"> ",
        b"<",
        b"&",
        b"=",
        b"=\r\n",
        b"--",
        b'"',
        b"(",
        b";",
        b"\x00",
    ),
    *(b"\xff\xfe", b"\xef\xbb\xbf", b"BEGIN\r\n", b"END\r\n", b"\r\n\r\n", b"____", b"#", b"<!--"),
    *(
        b"<blockquote>",
        b"</div>",
        b"<pre>",
        b"charset=utf-16",
        b"boundary=",
        b"1: ",
        b"card ",
        b"PRESS TO P",
    ),
    *(b"\xe2\x80\xae", b"\xc2\xa0", b"=?utf-8?q?=", b"PRESS TO P", b"ENDPRESS\r\n"),
    *(b"WAIT\r\n", b" \r\n", b":: ", b"\x00"),
]
_HARMLESS = (more_headers, line_ends, trailing, cut)
_KINDS = (
    *_HARMLESS,
    a_robot,
    *(bytes_changed,) * 6,
    *(lines_shuffled,) * 2,
    *(spliced,) * 2,
)
