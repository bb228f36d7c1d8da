"""Writes the letters about an account, in the reader's language."""

from __future__ import annotations

from typing import Final, NamedTuple

from openplan.mail.outbound.letter import Letter, Plain, Words
from openplan.server.notify.letters import AccountLetter
from openplan.server.people import one_time_links


class Phrase(NamedTuple):
    subject: str
    text: str


# A name in braces is filled in from what was posted
# with the letter; `link` leads to the page that uses the letter's ticket, `site` to the front door.
ENGLISH: Final = {
    "sign-in": Phrase(
        "Your link to sign in",
        "This link signs you in. It works once, within 15 minutes:\n\n{link}\n\n"
        "If you did not ask for it, do nothing: without the link nobody gets in.\n",
    ),
    "reset": Phrase(
        "A new password",
        "With this link you choose a new password. It works once, within half an"
        " hour:\n\n{link}\n\n"
        "If you did not ask for it, do nothing: your password stays as it is.\n",
    ),
    "confirm": Phrase(
        "Is this your address?",
        "Somebody, probably you, gave this address for an account. To confirm it, within three"
        " days:\n\n{link}\n\n{by_mail}"
        "If it was not you, do nothing: the address will not be used.\n",
    ),
    "no-account": Phrase(
        "No account with this address",
        "Somebody, probably you, wanted to sign in with this address. There is no account with it"
        " here. Perhaps you used another one, or you would like to make one:\n\n{site}\n",
    ),
    "address-taken": Phrase(
        "You have an account already",
        "Somebody, probably you, gave this address for a new account. There is one with it"
        " already; you can sign in to it:\n\n{site}\n\n"
        "If it was not you, do nothing: your account stays as it is.\n",
    ),
    "address-changed": Phrase(
        "Your account has a new address",
        "Your account now belongs to another mail address, and this one is no longer used.\n\n"
        "If it was not you, tell whoever runs the site:\n\n{site}\n",
    ),
    "password-changed": Phrase(
        "Your password was changed",
        "The password of your account was changed, and everybody signed in to it was signed"
        " out.\n\nIf it was not you, ask for a new password:\n\n{site}\n",
    ),
}
GERMAN: Final = {
    "sign-in": Phrase(
        "Dein Link zum Anmelden",
        "Dieser Link meldet dich an. Er gilt einmal, eine Viertelstunde lang:\n\n{link}\n\n"
        "Wenn du ihn nicht verlangt hast, tu nichts: Ohne den Link kommt niemand hinein.\n",
    ),
    "reset": Phrase(
        "Ein neues Passwort",
        "Mit diesem Link wählst du ein neues Passwort. Er gilt einmal, eine halbe Stunde"
        " lang:\n\n{link}\n\n"
        "Wenn du ihn nicht verlangt hast, tu nichts: Dein Passwort bleibt, wie es ist.\n",
    ),
    "confirm": Phrase(
        "Ist das deine Adresse?",
        "Jemand, wahrscheinlich du, hat diese Adresse für ein Konto angegeben. Zum Bestätigen,"
        " binnen drei Tagen:\n\n{link}\n\n{by_mail}"
        "Wenn du es nicht warst, tu nichts: Die Adresse wird nicht benutzt.\n",
    ),
    "no-account": Phrase(
        "Kein Konto mit dieser Adresse",
        "Jemand, wahrscheinlich du, wollte sich mit dieser Adresse anmelden. Hier gibt es kein"
        " Konto damit. Vielleicht war es eine andere, oder du möchtest eines anlegen:\n\n{site}\n",
    ),
    "address-taken": Phrase(
        "Du hast schon ein Konto",
        "Jemand, wahrscheinlich du, hat diese Adresse für ein neues Konto angegeben. Es gibt schon"
        " eines damit; du kannst dich anmelden:\n\n{site}\n\n"
        "Wenn du es nicht warst, tu nichts: Dein Konto bleibt, wie es ist.\n",
    ),
    "address-changed": Phrase(
        "Dein Konto hat eine neue Adresse",
        "Dein Konto gehört jetzt zu einer anderen Mailadresse, und diese wird nicht mehr"
        " benutzt.\n\nWenn du es nicht warst, sag es denen, die die Seite betreiben:\n\n{site}\n",
    ),
    "password-changed": Phrase(
        "Dein Passwort wurde geändert",
        "Das Passwort deines Kontos wurde geändert, und alle, die damit angemeldet waren, wurden"
        " abgemeldet.\n\nWenn du es nicht warst, verlange ein neues Passwort:\n\n{site}\n",
    ),
}
LETTERS: Final = {"en": ENGLISH, "de": GERMAN}
_BY_MAIL: Final = {
    "en": "Or reply to this letter with 'CONFIRM' between BEGIN and END.\n\n",
    "de": "Oder antworte auf diesen Brief mit 'CONFIRM' zwischen BEGIN und END.\n\n",
}


def phrased(queued: AccountLetter, language: str, *, site: str, secret: bytes) -> Letter:
    """The same each time."""
    phrase = LETTERS[language][queued.kind]
    known = {"site": site, "by_mail": _BY_MAIL[language] if queued.reply_to else ""}
    if queued.ticket:
        token = one_time_links.token(secret, queued.ticket)
        known["link"] = f"{site}/letter/{queued.kind}#{token}"
    text = phrase.text.format_map(known).strip()
    # A link stands on a line of its own, however long it is.
    parts = text.split("\n\n")
    blocks = [Plain(part) if part.startswith("http") else Words(part) for part in parts]
    return Letter(queued.kind, phrase.subject.format_map(known), blocks)
