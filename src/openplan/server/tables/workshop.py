"""Decks that people make: each its owner's to change, and others' to look at, play with and copy if
it is shared. A table takes a deck's content along, so that nothing done here changes a match."""

from __future__ import annotations

from typing import Final, Literal

import msgspec

from openplan.core.deck import DeckError, Fault, read_csv, read_table
from openplan.core.game import AnyGame, Illegal, Stale
from openplan.core.registry import game_named
from openplan.decks import shipped, shipped_text
from openplan.server.clock import MINUTE
from openplan.server.errors import Forbidden, Missing
from openplan.server.people import complaints
from openplan.server.people.accounts import Person, new_id
from openplan.server.people.marks import same_address
from openplan.server.refusals import refused
from openplan.server.store import Tx
from openplan.server.store.rows import columns
from openplan.server.texts import TOKEN

Sharing = Literal["private", "link", "public"]

MOST: Final = 100
MOST_OF_A_GUEST: Final = 5
MOST_OF_GUESTS: Final = 50
"""And all guests together who come from one address."""
MOST_VERSIONS: Final = 50
"""Of one deck."""
MOST_BYTES: Final = 8 << 20
"""Of all versions that somebody has; the oldest go first."""
PAUSE: Final = MINUTE
"""Whoever comes back to a deck after so long finds later how it was before."""
MOST_LISTED: Final = 200
UNTITLED: Final = "My deck"
_LONGEST_TITLE: Final = 400


class DeckRow(msgspec.Struct, frozen=True, gc=False):
    id: str
    user_id: str
    maker_id: str | None
    game: str
    title: str
    shared: str
    text: str
    faults: int
    edit: int
    changed_at: int


class DeckLine(msgspec.Struct, frozen=True):
    """A deck in a list."""

    id: str
    game: str
    title: str
    shared: str
    faults: int
    changed_at: int
    owner: str
    owner_name: str
    maker: str | None
    maker_name: str | None


class DeckVersion(msgspec.Struct, frozen=True):
    number: int
    at: int


_LINE: Final = (
    "SELECT decks.id, game, title, shared, faults, changed_at, user_id AS owner,"
    " owners.name AS owner_name, maker_id AS maker, makers.name AS maker_name FROM decks"
    " JOIN users AS owners ON owners.id = user_id LEFT JOIN users AS makers ON makers.id = maker_id"
)


# -- Finding ---------------------------------------------------------------------------------


def own(tx: Tx, person: Person) -> list[DeckLine]:
    return tx.rows(
        DeckLine,
        f"{_LINE} WHERE user_id = ? ORDER BY changed_at DESC, decks.id",
        person.id,
    )


def listed(tx: Tx, game: str) -> list[DeckLine]:
    """Decks for everybody, those changed last first; none that cannot be played with."""
    return tx.rows(
        DeckLine,
        f"{_LINE} WHERE shared = 'public' AND faults = 0 AND game = ?"
        " ORDER BY changed_at DESC, decks.id LIMIT ?",
        game,
        MOST_LISTED,
    )


def find(tx: Tx, person: Person | None, deck: str) -> DeckRow:
    """A deck of one's own or one that is shared; anything else is not there."""
    row = None
    if TOKEN.fullmatch(deck):
        row = tx.row(DeckRow, f"SELECT {columns(DeckRow)} FROM decks WHERE id = ?", deck)  # noqa: S608
    if row is None or (row.shared not in ("link", "public") and not is_own(row, person)):
        raise Missing
    return row


def is_own(row: DeckRow, person: Person | None) -> bool:
    return person is not None and person.id == row.user_id


def line(tx: Tx, deck: str) -> DeckLine:
    (found,) = tx.rows(DeckLine, f"{_LINE} WHERE decks.id = ?", deck)
    return found


def find_own(tx: Tx, person: Person, deck: str) -> DeckRow:
    row = find(tx, person, deck)
    if not is_own(row, person):
        raise refused(Forbidden, "not-owner", "not-your-deck")
    return row


def versions(tx: Tx, deck: str) -> list[DeckVersion]:
    """The newest first."""
    select = "SELECT number, at FROM deck_versions WHERE deck_id = ? ORDER BY number DESC"
    return tx.rows(DeckVersion, select, deck)


# -- What a new deck begins with -------------------------------------------------------------


def begun(game: AnyGame, source: str, text: str) -> str:
    """The text of a deck that begins as the house's, as a blank, or as a file."""
    if source == "csv":
        form = game.deck_form({"title": UNTITLED} | read_csv(text, "deck"))
        if form is None:
            raise refused(Illegal, "deck", "no-rows", title=game.title)
        return game.deck_text(form)
    if source == "toml":
        table = read_table(text, "deck")
        if table.get("game") != game.name:
            fault = f"a deck of {table.get('game')!r:.60}, not of {game.name!r}"
            raise DeckError([Fault("deck", "", fault)])
    else:
        text = shipped_text(game, shipped(game)[0]) if source == "house" else game.deck_template()
        table = read_table(text, "deck") | {"title": UNTITLED}
    form = game.deck_form(table)
    return text if form is None else game.deck_text(form)


def title_of(text: str) -> str:
    try:
        title = read_table(text, "deck").get("title")
    except DeckError:
        return ""
    return title[:_LONGEST_TITLE] if isinstance(title, str) else ""


# -- Changing --------------------------------------------------------------------------------


def make(tx: Tx, person: Person, game: str, text: str, faults: int, now: int) -> str:
    return _insert(tx, person, game, text, faults, None, now)


def copy(tx: Tx, person: Person, deck: str, now: int) -> str:
    """One's own of a deck that one may see. Whose it was first is told with it for ever."""
    row = find(tx, person, deck)
    maker = row.maker_id or (None if is_own(row, person) else row.user_id)
    return _insert(tx, person, row.game, row.text, row.faults, maker, now)


def _insert(
    tx: Tx, person: Person, game: str, text: str, faults: int, maker: str | None, now: int
) -> str:
    _check_quota(tx, person)
    # As long as a token: whoever has it may see a deck that is shared by link, so no log has it.
    deck = new_id(24)
    tx.execute(
        "INSERT INTO decks (id, user_id, maker_id, game, title, shared, text, size, faults, edit,"
        " created_at, changed_at) VALUES (?, ?, ?, ?, ?, 'private', ?, ?, ?, 0, ?, ?)",
        deck,
        person.id,
        maker,
        game_named(game).name,
        title_of(text),
        text,
        len(text.encode()),
        faults,
        now,
        now,
    )
    return deck


def _check_quota(tx: Tx, person: Person) -> None:
    is_guest = person.kind == "guest"
    most = MOST_OF_A_GUEST if is_guest else MOST
    (number,) = tx.rows(int, "SELECT COUNT(*) FROM decks WHERE user_id = ?", person.id)
    if number >= most:
        said = "too-many-decks-of-guests" if is_guest else "too-many-decks"
        raise refused(Forbidden, "too-many-decks", said, most=most)
    if not is_guest:
        return
    kin = sorted(same_address(tx, person.id))
    (number,) = tx.rows(
        int,
        "SELECT COUNT(*) FROM decks JOIN users ON users.id = user_id AND kind = 'guest'"  # noqa: S608
        f" WHERE user_id IN ({', '.join('?' * len(kin))})",
        *kin,
    )
    if number >= MOST_OF_GUESTS:
        raise refused(Forbidden, "too-many-decks", "too-many-decks-of-guests", most=MOST_OF_A_GUEST)


def save(
    tx: Tx, person: Person, deck: str, text: str, faults: int, edit: int | None, now: int
) -> int:
    """The deck is like this from now on; the number of this edit. `edit` is the one it was made
    upon, so that two windows do not undo each other's work; without one, an older version comes
    back, and what is there now becomes a version."""
    row = find_own(tx, person, deck)
    if edit is not None and edit != row.edit:
        raise refused(Stale, "deck-changed")
    if text == row.text:
        return row.edit
    if edit is None or now - row.changed_at >= PAUSE:
        _keep_version(tx, row)
    tx.change(
        "decks",
        {"id": deck},
        {
            "text": text,
            "title": title_of(text),
            "size": len(text.encode()),
            "faults": faults,
            "edit": row.edit + 1,
            "changed_at": now,
        },
    )
    return row.edit + 1


def _keep_version(tx: Tx, row: DeckRow) -> None:
    tx.execute(
        "INSERT INTO deck_versions (deck_id, number, user_id, text, size, at)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        row.id,
        row.edit,
        row.user_id,
        row.text,
        len(row.text.encode()),
        row.changed_at,
    )
    tx.execute(
        "DELETE FROM deck_versions WHERE deck_id = ? AND number NOT IN (SELECT number"
        " FROM deck_versions WHERE deck_id = ? ORDER BY number DESC LIMIT ?)",
        row.id,
        row.id,
        MOST_VERSIONS,
    )
    kept = 0
    for deck, number, size in tx.rows(
        tuple[str, int, int],
        "SELECT deck_id, number, size FROM deck_versions WHERE user_id = ?"
        " ORDER BY at DESC, deck_id, number DESC",
        row.user_id,
    ):
        kept += size
        if kept > MOST_BYTES:
            tx.execute("DELETE FROM deck_versions WHERE deck_id = ? AND number = ?", deck, number)


def version(tx: Tx, person: Person, deck: str, number: int) -> tuple[DeckRow, str]:
    """What it was then."""
    row = find_own(tx, person, deck)
    select = "SELECT text FROM deck_versions WHERE deck_id = ? AND number = ?"
    text = tx.row(str, select, deck, number)
    if text is None:
        raise Missing
    return row, text


def share(tx: Tx, person: Person, deck: str, shared: Sharing) -> None:
    """Only a deck that can be played with is listed for all."""
    row = find_own(tx, person, deck)
    if row.shared == "withdrawn":
        raise refused(Forbidden, "deck-withdrawn")
    if shared == "public" and row.faults:
        raise refused(Illegal, "deck-faulty")
    tx.change("decks", {"id": deck}, {"shared": shared})


def withdraw(tx: Tx, deck: str) -> None:
    """By whoever runs the site: nobody but its owner sees it any more."""
    changing = "UPDATE decks SET shared = 'withdrawn' WHERE id = ? RETURNING id"
    if not TOKEN.fullmatch(deck) or not tx.rows(str, changing, deck):
        raise refused(Illegal, "deck", "no-deck")


def delete(tx: Tx, person: Person, deck: str) -> None:
    """Matches with it go on, and copies stay. What bots found out about it is gone by now
    (`deck_trials.delete_deck`)."""
    find_own(tx, person, deck)
    tx.execute("DELETE FROM deck_versions WHERE deck_id = ?", deck)
    tx.execute("DELETE FROM decks WHERE id = ?", deck)


def complain(tx: Tx, person: Person, deck: str, text: str, now: int) -> None:
    """About a deck, which is to say about its owner."""
    row = find(tx, person, deck)
    about = f"/decks/{row.id}\n{text.strip()}" if text.strip() else ""
    complaints.complain(tx, person, row.user_id, "", about, now)
