"""The answer to HELP: the commands that somebody may write, in their language."""

from __future__ import annotations

from textwrap import wrap
from typing import Final

from openplan.mail.commands.grammar import VERBS, Verb
from openplan.mail.commands.port import Role
from openplan.mail.sentences.letters import spoken_in
from openplan.mail.widths import PROSE

_GERMAN: Final = {
    "HELP": ("[Befehl]", "wie man uns schreibt"),
    "LIST": ("", "deine Spiele, und alle, die laufen oder auf jemanden warten"),
    "GAME": ("n", "wie ein Spiel steht, soweit es alle wissen dürfen"),
    "RULES": ("[Spiel, Klausel oder Wort]", "die Regeln, oder was sie dazu sagen"),
    "HISTORY": ("von-bis [GAME n]", "die Berichte dieser Runden noch einmal"),
    "WATCH": ("n", "die Berichte eines Spiels als Zuschauer bekommen"),
    "JOIN": ("[n] [Platz]", "einen Platz nehmen; auf eine Einladung genügt JOIN"),
    "STANDBY": ("n", "bereitstehen, falls dort ein Platz frei wird"),
    "OPEN": (
        "Spiel [n DAYS] [AT hh:mm] [PUBLIC] [MASTER]",
        "ein neuer Tisch mit n Tagen je Runde (7); PUBLIC: für alle; MASTER: du leitest nur",
    ),
    "INVITE": (
        "a@example.org [GAME n]",
        "jemanden an einen Tisch bitten, den du in dieser Mail oder früher eröffnet hast",
    ),
    "CLOSE": ("n", "einen Tisch absagen, den du eröffnet hast und der noch nicht spielt"),
    "CLEAR": ("[Phase]", "die vorliegenden Züge zurücknehmen, oder die einer Phase"),
    "FORECAST": ("", "deine Züge auf dem Tisch, wie er steht, mit Wertung"),
    "STATUS": ("", "wessen Züge da sind, die Frist, was von dir vorliegt"),
    "HAND": ("", "deine Karten"),
    "MAP": ("", "der Tisch als Text und Bild"),
    "PRESS": (
        "[GREY] TO Plätze, ALL oder MASTER",
        "eine Nachricht an einige; mit GREY ohne Unterschrift",
    ),
    "BROADCAST": ("[GREY]", "eine Nachricht an alle"),
    "DIARY": ("", "eine Notiz, die sonst niemand sieht; ohne Text alle Notizen"),
    "WAIT": ("", "keine Ausführung vor der Frist, auch wenn alle Züge da sind"),
    "NOWAIT": ("", "das Ende von WAIT"),
    "ABSENCE": ("Tag [to Tag]", "Tage, an denen du nicht spielen kannst"),
    "RESIGN": ("Platz", "aufgeben; der Platz wird genannt, damit es kein Versehen ist"),
    "LANGUAGE": ("en oder de", "die Sprache deiner Briefe"),
    "ZONE": ("Gebiet/Stadt", "die Zeitzone, in der deine Briefe Fristen nennen"),
    "CONFIRM": ("", "sagen, dass eine neue Adresse deine ist, als Antwort auf den Brief dort"),
    "ADDRESS": (
        "a@example.org",
        "Post anderswohin bekommen, sobald es von dort bestätigt ist",
    ),
    "PROCESS": ("Runde", "diese Runde jetzt ausführen"),
    "PREVIEW": ("", "was PROCESS vorfände: wer da ist, wer fehlt"),
    "PAUSE": ("", "die Uhr anhalten"),
    "RESUME": ("", "sie wieder laufen lassen"),
    "DEADLINE": (
        "Tag hh:mm, oder +24h, +2d",
        "die Frist dieser Runde setzen, in deiner Zeitzone",
    ),
    "ROLLBACK": (
        "Runde",
        "vom Beginn dieser Runde an neu spielen; alle schicken ihre Züge neu",
    ),
    "EJECT": ("Platz", "jemandem den Platz nehmen"),
    "SEAT": ("Platz a@example.org, oder Platz BOT Name", "einen leeren Platz besetzen"),
    "BECOME": ("Platz", "was folgt, ist für diesen Platz geschrieben; es wird dort gesagt"),
    "TERMINATE": ("Runde", "das Spiel in dieser Runde beenden"),
    "ANNOUNCE": ("", "eine Nachricht an alle, von der Spielleitung"),
}
_TEXT: Final = {
    "en": "then the text, then END{word}; or all in one line after a :",
    "de": "dann der Text, dann END{word}; oder alles in einer Zeile nach :",
}


def help_lines(role: Role, topic: str = "", language: str = "en") -> list[str]:
    """The commands of somebody, or the one asked for. Behind a bar, so that none of it is ever
    read as one."""
    # Whoever has shown nothing yet does so by answering the letter in which this stands.
    roles = {role, Role.GUEST} if role is Role.KNOWN else {role}
    verbs = [verb for verb in VERBS.values() if roles & {*verb.whose}]
    verbs = [verb for verb in verbs if verb.word == topic.upper()] or verbs
    language = spoken_in(language)
    lines = []
    for verb in verbs:
        form, meaning = _in_words(verb, language)
        lines.append(f"| {verb.word} {form}".rstrip())
        lines += wrap(meaning, PROSE, initial_indent="|     ", subsequent_indent="|     ")
        if verb.has_text:
            lines.append(f"|     {_TEXT[language].format(word=verb.word)}")
    return lines


def how(verb: Verb, language: str) -> str:
    """How a command is written."""
    return f"{verb.word} {_in_words(verb, spoken_in(language))[0]}".rstrip()


def _in_words(verb: Verb, language: str) -> tuple[str, str]:
    return _GERMAN[verb.word] if language == "de" else (verb.form, verb.meaning)
