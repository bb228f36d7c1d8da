"""What counts and how: ratings and results are there once, with the end of the match."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations
from random import Random
from types import SimpleNamespace
from typing import Any, cast

import pytest
from openskill.models import PlackettLuce

from openplan.core.match import Match
from openplan.core.registry import game_named
from openplan.decks import shipped, shipped_text
from openplan.server.ops import replay
from openplan.server.people import reliability
from openplan.server.people.marks import marks_of
from openplan.server.people.ratings import Rating
from openplan.server.store import Tx
from openplan.server.tables.results import ending_of, places_of
from openplan.server.tables.weights import FEW
from tests.server.people import cheap_passwords, id_of, member
from tests.server.running import Client, Running, VirtualClock, running

GAME = "human-resources"
CLOCK = {"kind": "live", "bank": 600}
RATED = {"game": GAME, "public": True, "rated": True, "clock": CLOCK}


# Many matches, of which arithmetic is made: it is the same in both databases.
ONCE = pytest.mark.parametrize("site_url", ["sqlite"], indirect=True, scope="module")


@pytest.fixture(scope="module")
def clock() -> VirtualClock:
    return VirtualClock()


@pytest.fixture(scope="module")
def server(
    site_url: str, tmp_path_factory: pytest.TempPathFactory, clock: VirtualClock
) -> Iterator[Running]:
    folder = tmp_path_factory.mktemp("site")
    with cheap_passwords(), running(folder, database=site_url, now=clock) as site:
        yield site


def begun(ann: Client, bob: Client, *, is_fresh: bool = False, **wish: Any) -> str:
    """A match in which everybody has moved a few times, or nobody has."""
    table: str = ann.ok("POST", "/api/tables", {**RATED, **wish})["id"]
    bob.ok("POST", f"/api/tables/{table}/join", {})
    if not is_fresh:
        play_on(table, ann, bob)
    return f"/api/tables/{table}"


def play_on(table: str, ann: Client, bob: Client) -> None:
    """Until each has moved so often that the match counts."""
    people = {one.ok("GET", f"/api/tables/{table}")["you"]: one for one in (ann, bob)}
    made = dict.fromkeys(people, 0)
    while min(made.values()) < FEW:
        (code,) = ann.ok("GET", f"/api/tables/{table}")["to_act"]
        version = people[code].ok("GET", f"/api/tables/{table}")["version"]
        number = sum(made.values())
        move = people[code].some_move(table, Random(number))
        people[code].play(table, move, version, f"on-{number}")
        made[code] += 1


def rating(client: Client) -> int | None:
    found = client.ok("GET", f"/api/people/{id_of(client)}")["ratings"]
    return found[0]["rating"] if found else None


def stored(server: Running, sql: str) -> list[tuple[Any, ...]]:
    return server.run(server.site.store.read(lambda tx: tx.rows(tuple, sql)))


def test_a_rated_match_is_rated_once_for_both(server: Running) -> None:
    ann, bob = member(server, "Ann"), member(server, "Bob")
    at = begun(ann, bob)
    assert (rating(ann), rating(bob)) == (None, None)
    bob.ok("POST", f"{at}/resign")
    model = PlackettLuce()
    teams = [[model.rating()], [model.rating()]]
    for _ in range(2):
        teams = model.rate(teams, ranks=[1, 2])
    (first,), (second,) = model.rate([[model.rating()], [model.rating()]], ranks=[1, 2])
    shown = [round(1000 + 40 * (one.mu - 3 * one.sigma)) for one in (first, second)]
    assert [rating(ann), rating(bob)] == shown
    assert shown[0] > shown[1]
    again = begun(ann, bob)
    bob.ok("POST", f"{again}/resign")
    assert rating(ann) == round(1000 + 40 * (teams[0][0].mu - 3 * teams[0][0].sigma))
    results = ann.ok("GET", f"/api/people/{id_of(bob)}/results")
    assert [(one["place"], one["rated"], one["rating"]) for one in results] == [
        (2, True, rating(bob)),
        (2, True, shown[1]),
    ]
    older = ann.ok("GET", f"/api/people/{id_of(bob)}/results?before={results[0]['number']}")
    assert older == results[1:]
    assert [one["person"] for one in results[0]["all"]] == [id_of(ann), id_of(bob)]
    names = [one["name"] for one in ann.ok("GET", f"/api/ratings/{GAME}")]
    assert names.index("Ann") < names.index("Bob")


def test_of_two_ends_at_once_one_is_rated(server: Running) -> None:
    for _ in range(3):
        ann, bob = member(server, "Ann"), member(server, "Bob")
        at = begun(ann, bob)
        with ThreadPoolExecutor(4) as threads:
            asked = [threads.submit(one.ask, "POST", f"{at}/resign") for one in (ann, bob) * 2]
        answers = [one.result().status_code for one in asked]
        assert sorted(answers) == [200, 409, 409, 409]
        table = at.rsplit("/", 1)[1]
        places = stored(server, f"SELECT place FROM results WHERE table_id = '{table}'")
        assert sorted(places) == [(1,), (2,)]
        assert stored(server, f"SELECT matches FROM ratings WHERE user_id = '{id_of(ann)}'") == [
            (1,)
        ]


def test_matches_of_one_person_that_end_at_once_are_rated_one_after_the_other(
    server: Running,
) -> None:
    """And computed again they give the same."""
    ann = member(server, "Ann")
    others = [member(server, f"Other {number}") for number in range(4)]
    tables = [begun(ann, other) for other in others]
    with ThreadPoolExecutor(4) as threads:
        list(
            threads.map(
                lambda pair: pair[0].ok("POST", f"{pair[1]}/resign"),
                zip(others, tables, strict=True),
            )
        )
    (found,) = stored(server, f"SELECT matches FROM ratings WHERE user_id = '{id_of(ann)}'")
    assert found == (4,)
    figures = "SELECT user_id, game, mu, sigma, matches FROM ratings ORDER BY user_id"
    history = "SELECT table_id, seat, user_id, place, is_rated, mu, sigma, at FROM results"
    before = stored(server, figures), sorted(stored(server, history), key=str)
    matches, changed = server.run(replay.rebuild_ratings(server.site.store))
    assert matches >= 4
    assert changed == 0
    assert before == (stored(server, figures), sorted(stored(server, history), key=str))


def test_wrong_ratings_are_found_and_put_right(server: Running) -> None:
    ann, bob = member(server, "Ann"), member(server, "Bob")
    bob.ok("POST", f"{begun(ann, bob)}/resign")
    right = rating(ann)

    def spoil(tx: Tx) -> None:
        tx.execute("UPDATE ratings SET mu = mu + 1 WHERE user_id = ?", id_of_ann)
        tx.execute("DELETE FROM ratings WHERE user_id = ?", id_of_bob)

    id_of_ann, id_of_bob = id_of(ann), id_of(bob)
    server.run(server.site.store.transact(spoil))
    assert rating(ann) != right
    assert server.run(replay.rebuild_ratings(server.site.store))[1] == 2
    assert rating(ann) == right


def test_running_out_of_time_counts_and_calling_off_does_not(
    server: Running, clock: VirtualClock
) -> None:
    ann, bob = member(server, "Ann"), member(server, "Bob")
    ann.ok("POST", f"{begun(ann, bob, is_fresh=True)}/abort")
    assert rating(ann) is None
    at = begun(ann, bob)
    clock.go_on(601)
    server.run(server.site.look_at_clocks())
    server.run(server.site.expire(at.rsplit("/", 1)[1]))  # if the server's own look has claimed it
    assert ann.ok("GET", at)["outcome"]["reason"] == "flag"
    assert None not in (rating(ann), rating(bob))
    assert rating(ann) != rating(bob)


def test_a_casual_match_has_a_result_and_no_rating(server: Running) -> None:
    ann, bob, guest = member(server, "Ann"), member(server, "Bob"), server.client("Guest")
    bob.ok("POST", f"{begun(ann, bob, rated=False)}/resign")
    hidden = ann.ok("POST", "/api/tables", {"game": GAME})
    invite = ann.ok("GET", f"/api/tables/{hidden['id']}")["invite"]
    guest.ok("POST", f"/api/tables/{hidden['id']}/join", {"invite": invite})
    ann.ok("POST", f"/api/tables/{hidden['id']}/resign")
    assert rating(ann) is None
    path = f"/api/people/{id_of(ann)}/results"
    own, others = ann.ok("GET", path), bob.ok("GET", path)
    assert [(one["place"], one["rated"], one["rating"]) for one in own] == [
        (2, False, None),
        (1, False, None),
    ]
    assert own[1:] == others, "of a private table nobody else is told"
    assert server.client().ok("GET", path) == others


@pytest.mark.parametrize(
    "wish",
    [
        {"seats": [{"kind": "me"}, {"kind": "bot", "bot": "random"}]},
        {"hot_seat": True, "seats": [{"kind": "me"}, {"kind": "me", "name": "Other"}]},
        {"hot_seat": True},
        {"hints": True},
        {"take_back": "friendly"},
        {"clock": {"kind": "none"}},
        {"deck_text": "own"},
    ],
    ids=str,
)
def test_a_rated_table_refuses_what_does_not_count(server: Running, wish: dict[str, Any]) -> None:
    ann = member(server, "Ann")
    if "deck_text" in wish:
        game = game_named(GAME)
        wish = {"deck_text": shipped_text(game, shipped(game)[0])}
    assert ann.refused("POST", "/api/tables", {**RATED, **wish}) == (409, "rated")
    ann.ok("POST", "/api/tables", {**RATED, **wish, "rated": False})


def test_guests_are_not_rated(server: Running) -> None:
    ann, guest = member(server, "Ann"), server.client("Guest")
    assert guest.refused("POST", "/api/tables", RATED) == (409, "rated")
    table = ann.ok("POST", "/api/tables", RATED)["id"]
    assert guest.refused("POST", f"/api/tables/{table}/join", {}) == (403, "members")
    account = {"login": f"grown-{table.lower()[:8].strip('-_')}x", "password": "long enough"}
    guest.ok("POST", "/api/session/sign-up", {**account, "name": "Grown"})
    assert guest.ok("POST", f"/api/tables/{table}/join", {})["rated"] is True


def test_nothing_is_rolled_back_in_a_rated_match(server: Running) -> None:
    ann, bob = member(server, "Ann"), member(server, "Bob")
    at = begun(ann, bob, is_fresh=True)
    (code,) = ann.ok("GET", at)["to_act"]
    mover = {"A": ann, "B": bob}[code]
    move = mover.some_move(at.rsplit("/", 1)[1], Random(1))
    mover.play(at.rsplit("/", 1)[1], move, 0, "s")
    assert ann.refused("POST", f"{at}/roll-back", {"number": 1}) == (409, "rated")


def test_what_was_rolled_back_does_not_count(server: Running) -> None:
    """A game master may do so at any table."""
    ann, bob = member(server, "Ann"), member(server, "Bob")
    at = begun(ann, bob, is_fresh=True, rated=False)
    table = at.rsplit("/", 1)[1]
    (code,) = ann.ok("GET", at)["to_act"]
    mover = {"A": ann, "B": bob}[code]
    mover.play(table, mover.some_move(table, Random(1)), 0, "s")
    for client in (ann, bob):
        client.ok("POST", f"{at}/roll-back", {"number": 1})
    server.run(
        server.site.store.transact(
            lambda tx: tx.execute(
                "UPDATE tables SET options = REPLACE(options, '\"rated\":false', '\"rated\":true')"
                " WHERE id = ?",
                table,
            )
        )
    )
    bob.ok("POST", f"{at}/resign")
    assert rating(ann) is None
    (result, *_) = ann.ok("GET", f"/api/people/{id_of(ann)}/results")
    assert (result["place"], result["rated"]) == (1, False)


def test_a_rematch_is_rated_as_the_match_was(server: Running) -> None:
    ann, bob = member(server, "Ann"), member(server, "Bob")
    at = begun(ann, bob, entry={"members": True})
    bob.ok("POST", f"{at}/resign")
    again = ann.ok("POST", f"{at}/rematch")["id"]
    seen = ann.ok("GET", f"/api/tables/{again}")
    assert seen["rated"] is True
    assert seen["entry"]["members"] is True


def test_a_table_asks_something_of_whoever_sits_down(server: Running) -> None:
    ann, bob, guest = member(server, "Ann"), member(server, "Bob"), server.client("Guest")
    wish = {"game": GAME, "public": True}

    def join(client: Client, **entry: Any) -> int:
        table = ann.ok("POST", "/api/tables", {**wish, "entry": entry})["id"]
        status: int = client.ask("POST", f"/api/tables/{table}/join", {}).status_code
        return status

    assert (join(guest), join(guest, members=True), join(bob, members=True)) == (200, 403, 200)
    # Nothing is known of Bob yet: 1000 points are 1000, and nobody is unreliable unheard.
    assert (join(bob, rating_from=1001), join(bob, rating_from=1000)) == (403, 200)
    assert (join(bob, rating_to=999), join(bob, rating_to=1000)) == (403, 200)
    assert join(bob, reliable=100) == 200
    table, user = ann.ok("POST", "/api/tables", wish)["id"], id_of(bob)

    def note(tx: Tx) -> None:
        for what in ("on_time", "on_time", "on_time", "late"):
            reliability.note(tx, user, table, what, 1)
        reliability.note(tx, user, table, "reminded", 1)

    server.run(server.site.store.transact(note))
    found = bob.ok("GET", f"/api/people/{user}")["reliability"]
    assert found == {"on_time": 3, "reminded": 1, "late": 1, "abandoned": 0, "percent": 75}
    assert (join(bob, reliable=76), join(bob, reliable=75)) == (403, 200)
    bad = {**wish, "entry": {"rating_from": 5, "rating_to": 4}}
    assert ann.refused("POST", "/api/tables", bad) == (409, "entry")
    assert ann.refused("POST", "/api/tables", {**wish, "entry": {"reliable": 101}})[0] == 422


def test_no_rating_without_its_match(server: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rating fails: then the match is not over either, and nobody is told that it is."""
    ann, bob = member(server, "Ann"), member(server, "Bob")
    at = begun(ann, bob)
    with monkeypatch.context() as patch:
        patch.setattr("openplan.server.people.ratings._model", lambda: 1 / 0)
        assert bob.ask("POST", f"{at}/resign").status_code == 500
    assert ann.ok("GET", at)["state"] == "playing"
    assert rating(ann) is None
    bob.ok("POST", f"{at}/resign")
    assert rating(ann) is not None


# -- Places ----------------------------------------------------------------------------------


def ended(winners: list[int], points: list[int], *log: tuple[str, int]) -> Match:
    outcome = SimpleNamespace(winners=winners, points=points)
    entries = [SimpleNamespace(kind=kind, seat=seat) for kind, seat in log]
    game = SimpleNamespace(seats="ABCD"[: len(points)])
    stands = SimpleNamespace(outcome=outcome, log=entries, game=game, in_force=list)
    return cast(Match, stands)


@pytest.mark.parametrize(
    ("match", "left", "places"),
    [
        (ended([1], [30, 20]), [], [2, 1]),  # whoever won, not whoever has more
        (ended([], [30, 20]), [], [1, 1]),
        (ended([0, 2], [9, 5, 9]), [], [1, 3, 1]),
        (ended([0], [9, 5, 7]), [], [1, 3, 2]),
        (ended([0], [9, 5, 5]), [], [1, 2, 2]),
        (ended([0], [9, 5, 7], ("resign", 2)), [], [1, 2, 3]),
        (ended([0], [9, 5, 7], ("resign", 2), ("seat", 2)), [], [1, 3, 2]),
        (ended([0], [9, 5, 7]), [2], [1, 2, 3]),
        (ended([0], [9, 5, 7]), [0], [3, 2, 1]),  # the winner only stood in
        (ended([], [9, 5, 7]), [1], [1, 3, 1]),
    ],
)
def test_places(match: Match, left: list[int], places: list[int]) -> None:
    assert places_of(ending_of(match), left) == places


def test_what_is_shown_never_falls_below_nothing() -> None:
    assert Rating(25.0, 25 / 3, 0).shown == 1000
    assert Rating(-50.0, 8.0, 9).shown == 0


# -- Puppets ---------------------------------------------------------------------------------


def ladder(server: Running) -> list[str]:
    return [one["person"] for one in server.client().ok("GET", f"/api/ratings/{GAME}")]


def honest(server: Running, wins: int) -> Client:
    """Somebody who has won against different people, each with a browser of their own, who have
    played with each other."""
    ann = member(server, "Honest")
    others = [member(server, f"Beaten {number}") for number in range(max(wins, 4))]
    for one, other in combinations(others, 2):
        if (others.index(other) - others.index(one)) % len(others) in (1, 2, len(others) - 1):
            other.ok("POST", f"{begun(one, other)}/resign")
    for other in others[:wins]:
        other.ok("POST", f"{begun(ann, other)}/resign")
    return ann


@ONCE
def test_forty_puppets_who_resign_do_not_lead_the_ladder(server: Running) -> None:
    ann, cheat = honest(server, 2), member(server, "Cheat")
    puppets = [member(server, f"Puppet {number}") for number in range(40)]
    for puppet in puppets:
        table = cheat.ok("POST", "/api/tables", RATED)["id"]
        puppet.ok("POST", f"/api/tables/{table}/join", {})
        puppet.ok("POST", f"/api/tables/{table}/resign")
    order = ladder(server)
    assert id_of(ann) in order
    assert id_of(cheat) not in order
    assert cheat.ok("GET", f"/api/people/{id_of(cheat)}")["lessened"] == {"short": 40}
    # Who gives up pays for it all the same: nobody shuns an opponent for nothing.
    assert (rating(puppets[0]) or 0) < 1000


@ONCE
def test_a_ring_of_puppets_who_play_on_does_not_lead_the_ladder(server: Running) -> None:
    """They share a browser, and the one for whom they lose has another: then they are one."""
    ann, cheat = honest(server, 6), member(server, "Cheat")
    browser = server.client()
    for number in range(12):
        puppet = member(server, f"Ring {number}", browser)
        puppet.ok("POST", f"{begun(cheat, puppet)}/resign")
        browser.ok("DELETE", "/api/session")
    order = ladder(server)
    assert order.index(id_of(ann)) < order.index(id_of(cheat))
    shown = cheat.ok("GET", f"/api/people/{id_of(cheat)}")
    assert shown["lessened"] == {"repeated": 9}
    assert shown["ratings"][0]["matches"] == 6


@ONCE
def test_forty_puppets_from_forty_places_do_not_lead_the_ladder(server: Running) -> None:
    """Nothing ties them together, and each plays a while; but nobody else knows them."""
    club = [member(server, f"Club {number}") for number in range(5)]
    for _ in range(2):
        for number, winner in enumerate(club):
            for other in club[number + 1 :]:
                other.ok("POST", f"{begun(winner, other)}/resign")
    cheat = member(server, "Cheat")
    puppets = [member(server, f"Apart {number}") for number in range(40)]
    for puppet in puppets:
        puppet.ok("POST", f"{begun(cheat, puppet)}/resign")
    order = ladder(server)
    assert order.index(id_of(club[0])) < order.index(id_of(cheat))
    shown = cheat.ok("GET", f"/api/people/{id_of(cheat)}")
    assert shown["lessened"] == {"new": 37}
    assert shown["ratings"][0]["matches"] == 6
    # For them it counts: whoever is new here has to begin with somebody.
    assert (rating(puppets[-1]) or 0) < 1000
    # And whoever has played with others is new no longer, nor is the match with them lessened.
    for other in club[:3]:
        other.ok("POST", f"{begun(puppets[0], other)}/resign")
    puppets[0].ok("POST", f"{begun(cheat, puppets[0])}/resign")
    assert cheat.ok("GET", f"/api/people/{id_of(cheat)}")["lessened"] == {"new": 37}


def test_two_accounts_of_one_browser_do_not_count(server: Running) -> None:
    ann = member(server, "Ann")
    second = server.client()
    second.http.cookies.set("openplan-device", ann.http.cookies["openplan-device"])
    puppet = member(server, "Second", second)
    puppet.ok("POST", f"{begun(ann, puppet)}/resign")
    assert (rating(ann), rating(puppet)) == (None, None)
    shown = ann.ok("GET", f"/api/people/{id_of(ann)}")
    assert shown["lessened"] == {"device": 1}


def test_rated_matches_that_are_called_off_show(server: Running) -> None:
    ann, bob = member(server, "Ann"), member(server, "Bob")
    table = ann.ok("POST", "/api/tables", RATED)["id"]
    bob.ok("POST", f"/api/tables/{table}/join", {})
    ann.ok("POST", f"/api/tables/{table}/abort")
    for one in (ann, bob):
        assert one.ok("GET", f"/api/people/{id_of(one)}")["lessened"] == {"called-off": 1}


def test_an_address_counts_only_where_it_tells_people_apart() -> None:
    assert marks_of(b"k", "", "192.168.0.7") == marks_of(b"k", "", "127.0.0.1") == ()
    assert marks_of(b"k", "", "nonsense") == ()
    (one,), (other,) = marks_of(b"k", "", "8.8.8.8"), marks_of(b"k", "", "8.8.4.4")
    assert one != other
    assert one not in marks_of(b"another key", "", "8.8.8.8")
    net = [marks_of(b"k", "", f"2001:4860:4860::{last}") for last in ("8888", "8844")]
    assert net[0] == net[1] != ()
