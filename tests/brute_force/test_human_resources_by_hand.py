"""The checker itself, against small positions thought through by hand from the clauses.

The cubicles of a drawn office get made-up cards (O1d, O2l, ...), so that every other card of a
position is one the test names. Unless told otherwise, A is to play with cards that do nothing.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from .human_resources import first_player, legal_moves, outcome, play
from .human_resources_office import Office, Position

PATTERNS = {
    "P01d": ["DD", "DL"],
    "P01l": ["LL", "LD"],
    "P02d": ["DDL"],
    "P03d": ["D.", "DL", ".D"],
    "P04d": ["DL"],
    "P05d": ["D.D"],
    "P06d": ["DDL"],
}
VALUES = {
    "P01d": 2,
    "P01l": 2,
    "P02d": 4,
    "P03d": 6,
    "P04d": 5,
    "P05d": 8,
    "P06d": 5,
    "Q01d": 3,
    "Q02d": 4,
    "Q03d": 2,
    "Q01l": 3,
    "Q02l": 5,
    "Q03l": 1,
    "X01d": 1,
    "X01l": 1,
    "X03d": 3,
    "X03l": 3,
}
FOUNDING = ["DL", "LD"]


def drawn(rows: list[str]) -> Office:
    office: Office = {}
    for y, row in enumerate(rows):
        for x, sign in enumerate(row):
            if sign != ".":
                office[x, y] = f"O{len(office) + 1}{sign.lower()}"
    return office


def colours(position: Position) -> dict[tuple[int, int], str]:
    return {square: card[-1] for square, card in position.office.items()}


def table_of(
    rows: list[str],
    hand_a: str,
    play_a: str = "",
    play_b: str = "",
    *,
    scored_a: str = "",
    scored_b: str = "",
    discard: str = "",
    deck: str = "M02d M02l M03d M03l M04d M04l",
) -> Position:
    return Position(
        office=drawn(rows),
        hands={"A": hand_a.split(), "B": ["M01l"]},
        patterns=PATTERNS,
        values=VALUES,
        play={"A": play_a.split(), "B": play_b.split()},
        scored={"A": scored_a.split(), "B": scored_b.split()},
        discard=discard.split(),
        deck=deck.split(),
    )


def hires(table: Position, card: str) -> set[str]:
    start = f"hire {card} "
    return {move.removeprefix(start) for move in legal_moves(table) if move.startswith(start)}


def test_hr_4_1_a_card_goes_beside_a_cubicle_by_edge() -> None:
    # The founding square has two free squares on each of its sides; corners do not touch.
    table = table_of(FOUNDING, "P01d")
    squares = {"N1", "E1N1", "W1", "W1S1", "E2", "E2S1", "S2", "E1S2"}
    assert legal_moves(table) == {f"place P01d {square}" for square in squares} | {"project P01d"}


def test_hr_3_1_overtime_is_only_a_cubicle_and_the_draw_ends_the_turn() -> None:
    # One cubicle has four free squares beside it.
    table = table_of(["D"], "X02l")
    assert legal_moves(table) == {f"place X02l {square}" for square in ("N1", "E1", "S1", "W1")}
    after = play(table, "place X02l W1")
    assert after.office == {(0, 0): "O1d", (-1, 0): "X02l"}
    assert after.hands["A"] == ["M02d"]
    assert after.deck == ["M02l", "M03d", "M03l", "M04d", "M04l"]
    assert (after.actor, after.to_act, after.phase) == ("B", "B", "turn")
    # The position played from is left alone.
    assert table.hands["A"] == ["X02l"]
    assert len(table.deck) == 6


def test_hr_3_2_the_last_draw_ends_the_game_after_scoring() -> None:
    table = table_of(["D"], "M01l", play_a="P04d", deck="M09d", scored_b="P01d")
    after = play(table, "place M01l E1")
    assert after.over
    assert after.scored["A"] == ["P04d"]
    assert legal_moves(after) == set()
    assert outcome(after) == "A"  # 5 points against 2


def test_hr_3_2_an_extra_draw_of_the_last_card_ends_the_game_at_once() -> None:
    # Two cards left: the extra draw takes one, the turn's own draw the last.
    assert play(table_of(["D"], "M03d", deck="P01d P02d"), "hire M03d draw").over
    after = play(table_of(["D"], "M03d", deck="P01d"), "hire M03d draw")
    assert after.over
    assert after.hands["A"] == ["P01d"]
    assert after.discard == ["M03d"]


def test_hr_5_2_a_pattern_that_stood_before_completes_only_when_formed_anew() -> None:
    # DL stands when the project comes into play. A light card far from a dark one affects no
    # match; one beside the dark forms a new one.
    table = table_of(["DL"], "P04d M01l")
    table = play(table, "project P04d")
    assert table.play["A"] == ["P04d"]
    assert table.scored["A"] == []
    table = replace(table, actor="A", to_act="A")
    assert play(table, "place M01l E2").scored["A"] == []
    assert play(table, "place M01l S1").scored["A"] == ["P04d"]


def test_hr_5_3_patterns_turn_but_do_not_flip() -> None:
    # P03d is D. / DL / .D: dark 0, dark S1, light E1S1, dark E1S2. Here its mirror image gets
    # finished by the last dark square, S2.
    table = table_of([".D", "LD"], "M01d", play_a="P03d")
    assert play(table, "place M01d S2").scored["A"] == []
    assert play(replace(table, mirror=True), "place M01d S2").scored["A"] == ["P03d"]
    # And turned by a quarter: .DD / DL. is the drawing turned clockwise.
    turned = table_of([".DD", ".L."], "M01d", play_a="P03d")
    assert play(turned, "place M01d S1").scored["A"] == ["P03d"]


def test_hr_5_3_squares_a_pattern_does_not_show_are_ignored() -> None:
    # D.D needs two dark cubicles one apart; what lies between is light here.
    table = table_of(["DL"], "M01d M01l", play_a="P05d")
    assert play(table, "place M01d E2").scored["A"] == ["P05d"]
    assert play(table, "place M01l E2").scored["A"] == []


def test_hr_5_4_a_block_shifted_as_a_whole_forms_nothing_by_itself() -> None:
    # DDL, slid as a block over light cubicles, is the same three cubicles as before: not new,
    # and there are no other dark ones for a second DDL.
    block = table_of(["DDL.", "LLLL"], "M04d", play_a="P02d")
    after = play(block, "hire M04d shift 0+E1+E2 east 1")
    assert {square for square, hue in colours(after).items() if hue == "d"} == {(1, 0), (2, 0)}
    assert after.scored["A"] == []
    # DL slid along a dark row: the block itself does not count, but its light half now lies on
    # the dark cubicle E2S1, which was not shifted: that DL is new.
    table = table_of(["DL.", "DDD"], "M04d", play_a="P04d")
    assert play(table, "hire M04d shift 0+E1 east 1").scored["A"] == ["P04d"]
    # Part block, part not: the D on 0 stays, and DL lands beside it after sliding west.
    joined = table_of(["D..DL", "LLLLL"], "M04d", play_a="P02d")
    assert play(joined, "hire M04d shift E3+E4 west 1").scored["A"] == []
    assert play(joined, "hire M04d shift E3+E4 west 2").scored["A"] == ["P02d"]


def test_hr_5_4_a_match_on_squares_that_keep_their_colours_is_not_new() -> None:
    # Two dark ones over a light one slide west by one: square 0 is dark as before and S1 light
    # as before, so DL standing upright there is not new, although the cubicle on 0 is another
    # one and was shifted. Nothing else pairs dark with light.
    table = table_of(["DD", "L."], "M04d", play_a="P04d")
    after = play(table, "hire M04d shift 0+E1 west 1")
    assert colours(after) == {(-1, 0): "d", (0, 0): "d", (0, 1): "l"}
    assert after.scored["A"] == []


def test_hr_5_4_a_swap_that_turns_the_same_pattern_round_is_new() -> None:
    table = table_of(["DL"], "M02d", play_a="P04d")
    assert hires(table, "M02d") == {"swap 0 E1"}
    after = play(table, "hire M02d swap 0 E1")
    assert colours(after) == {(0, 0): "l", (1, 0): "d"}
    assert after.scored["A"] == ["P04d"]


def test_hr_5_5_and_5_6_only_the_actor_scores_and_all_at_once() -> None:
    # DD + L forms DDL: P02d and P06d show it, and P04d's DL stands newly on its last two squares.
    table = table_of(["DD"], "M01l", play_a="P06d P02d P05d P04d", play_b="P03d P02d")
    after = play(table, "place M01l E2")
    assert after.scored == {"A": ["P06d", "P02d", "P04d"], "B": []}
    assert after.play == {"A": ["P05d"], "B": ["P03d", "P02d"]}


def test_hr_6_2_and_6_7_remove_keeps_the_office_whole_and_one_cubicle_in_it() -> None:
    # Of a row of three only the ends may go; a lone cubicle must stay. What still stands
    # afterwards (DL) was not formed by it (HR-5.7).
    table = table_of(["DLD"], "M05d", play_a="P04d")
    assert hires(table, "M05d") == {"remove 0", "remove E2"}
    after = play(table, "hire M05d remove E2")
    assert after.hands["A"] == ["O3d", "M02d"]
    assert after.discard == ["M05d"]
    assert after.scored["A"] == []
    assert hires(table_of(["D"], "M05d"), "M05d") == set()


def test_hr_6_3_move_needs_another_cubicle_to_lean_on() -> None:
    assert hires(table_of(["D"], "M01d"), "M01d") == set()
    # Of two cubicles each goes to the three free sides of the other, not back to its own square.
    assert hires(table_of(["DL"], "M01d"), "M01d") == {
        *("move 0 E2", "move 0 E1N1", "move 0 E1S1"),
        *("move E1 W1", "move E1 N1", "move E1 S1"),
    }
    # The middle of three may leave only to where the two ends are joined again: nowhere but its
    # own square touches both in a straight row.
    row = hires(table_of(["DLD"], "M01d"), "M01d")
    assert not any(move.startswith("move E1 ") for move in row)
    # In a bent row the middle (0) may go to the other corner of the bend.
    bend = hires(table_of(["DL", "D."], "M01d"), "M01d")
    assert {move for move in bend if move.startswith("move 0 ")} == {"move 0 E1S1"}


def test_hr_6_4_swap_only_between_different_neighbours() -> None:
    # DDL / ..D: the dark pair is alike; light E2 has dark W and dark S neighbours.
    assert hires(table_of(["DDL", "..D"], "M02l"), "M02l") == {"swap E1 E2", "swap E2 E2S1"}


def test_hr_6_6_shift_of_two_cubicles_by_hand() -> None:
    # Never both. Each alone: away from the other loses touch, towards it is blocked, and one
    # step sideways leaves only a corner: nothing.
    assert hires(table_of(["DL"], "M04d"), "M04d") == set()


def test_hr_6_6_shift_slides_any_distance_but_not_through() -> None:
    table = table_of(["D...", "LLLL"], "M04d")
    moves = hires(table, "M04d")
    # The lone dark one rides along the row, up to E3; at E4 only corners touch, and W1 likewise.
    # North it loses touch, south it is blocked by the row.
    assert {move for move in moves if move.startswith("shift 0 ")} == {
        *("shift 0 east 1", "shift 0 east 2", "shift 0 east 3"),
    }
    # With another cubicle on E2 the ride ends before it.
    blocked = hires(table_of(["D.D.", "LLLL"], "M04d"), "M04d")
    assert {move for move in blocked if move.startswith("shift 0 ")} == {"shift 0 east 1"}
    # Squares of a group are named row by row. The bent group of three, 0, S1 and E1S1,
    # cannot rise or sink by a row without losing E2S1 and E3S1, nor slide east, where E2S1 is in
    # the way; to the west it loses touch.
    assert not any(move.startswith("shift 0+S1+E1S1 ") for move in moves)
    # Nor S1 with E1S1: one row lower it loses E2S1, one row higher the dark one is in the way.
    assert not any(move.startswith("shift S1+E1S1 ") for move in moves)


def test_hr_6_6_groups_of_three_need_not_be_in_line_and_four_are_too_many() -> None:
    # The bend rides on the row until its lower square has left it behind; it cannot go down, and
    # up or to the west it loses touch. Named row by row, so E1 comes before S1.
    bend = hires(table_of(["DD...", "D....", "LLLLL"], "M04d"), "M04d")
    assert {move for move in bend if move.startswith("shift 0+E1+S1 ")} == {
        f"shift 0+E1+S1 east {distance}" for distance in (1, 2, 3, 4)
    }
    four = hires(table_of(["DDDD.", "LLLLL"], "M04d"), "M04d")
    assert max(move.count("+") for move in four) == 2
    assert "shift E1+E2+E3 east 1" in four  # 0 stays behind, on the row


def test_hr_6_6_the_office_may_be_in_pieces_on_the_way() -> None:
    # The dark cubicle at the end of the upper arm of a U flies to the lower arm: it crosses a
    # gap where it touches nothing (E2S1), and lands beside E1S3's end.
    #   LLD
    #   L..
    #   L..
    #   LL.
    moves = hires(table_of(["LLD", "L..", "L..", "LL."], "M04l"), "M04l")
    assert {move for move in moves if move.startswith("shift E2 ")} == {"shift E2 south 3"}
    # South 1 and 2 leave it touching no other cubicle; north and east as well; west is blocked.


def test_hr_6_8_exchange_names_another_card_and_equal_colours_complete_nothing() -> None:
    table = table_of(["DD"], "M06d M01l P01d", play_a="P04d")
    assert hires(table, "M06d") == {
        *("exchange M01l 0", "exchange M01l E1"),
        *("exchange P01d 0", "exchange P01d E1"),
    }
    after = play(table, "hire M06d exchange M01l E1")
    assert after.office == {(0, 0): "O1d", (1, 0): "M01l"}
    assert after.hands["A"] == ["P01d", "O2d", "M02d"]
    assert after.scored["A"] == ["P04d"]
    equal = table_of(["DL"], "M06d P01d", play_a="P04d")
    assert play(equal, "hire M06d exchange P01d 0").scored["A"] == []
    assert hires(table_of(["DD"], "M06d"), "M06d") == set()


def test_hr_6_9_two_plays_one_after_the_other() -> None:
    assert hires(table_of(["D"], "M07d"), "M07d") == set()  # no other card in hand
    table = play(table_of(["D"], "M07d P04d M01l X04d"), "hire M07d two-plays")
    assert (table.phase, table.plays_left, table.hiring, table.to_act) == (
        *("two-plays", 2, "M07d", "A"),
    )
    assert table.discard == []
    around = ("N1", "E1", "S1", "W1")
    # Nobody is hired, but anybody's card is a cubicle.
    assert legal_moves(table) == {"project P04d"} | {
        f"place {card} {square}" for card in ("P04d", "M01l", "X04d") for square in around
    }
    table = play(table, "project P04d")
    assert (table.phase, table.plays_left, table.to_act) == ("two-plays", 1, "A")
    assert len(table.deck) == 6  # no draw in between
    table = play(table, "place M01l E1")  # completes what the first play put down
    assert table.scored["A"] == ["P04d"]
    assert table.discard == ["M07d"]
    assert table.hands["A"] == ["X04d", "M02d"]
    assert (table.phase, table.plays_left, table.hiring, table.to_act) == ("turn", 0, None, "B")


def test_hr_6_9_and_7_2_the_second_play_falls_away_with_an_empty_hand() -> None:
    # After the hire Q02l is the only card in hand, so it may be played, and no card is left.
    table = play(table_of(["D"], "M07l Q02l"), "hire M07l two-plays")
    assert "quota Q02l" in legal_moves(table)
    table = play(table, "quota Q02l")
    assert table.scored["A"] == ["Q02l"]
    assert table.discard == ["M07l"]
    assert table.hands["A"] == ["M02d"]
    assert (table.phase, table.plays_left, table.actor) == ("turn", 0, "B")


def test_hr_6_10_take_any_discarded_card_but_not_the_manager_itself() -> None:
    assert hires(table_of(["D"], "M08d"), "M08d") == set()
    table = table_of(["D"], "M08d", discard="M01d M05l")
    assert hires(table, "M08d") == {"take M01d", "take M05l"}
    after = play(table, "hire M08d take M01d")
    assert after.hands["A"] == ["M01d", "M02d"]
    assert after.discard == ["M05l", "M08d"]


def test_hr_6_11_the_other_player_chooses_only_among_several() -> None:
    assert hires(table_of(["D"], "M09d", play_a="P01d"), "M09d") == set()
    one = play(table_of(["D"], "M09d", play_b="P01d"), "hire M09d pick-up")
    assert one.hands["B"] == ["M01l", "P01d"]
    assert (one.to_act, one.phase, one.discard) == ("B", "turn", ["M09d"])
    two = play(table_of(["D"], "M09d", play_b="P01d X01d"), "hire M09d pick-up")
    assert (two.actor, two.to_act, two.phase, two.hiring) == ("A", "B", "pick-up", "M09d")
    assert two.discard == []
    assert legal_moves(two) == {"pick-up P01d", "pick-up X01d"}
    after = play(two, "pick-up X01d")
    assert after.play["B"] == ["P01d"]
    assert after.hands == {"A": ["M02d"], "B": ["M01l", "X01d"]}  # it is A who draws
    assert (after.actor, after.to_act, after.discard) == ("B", "B", ["M09d"])


@pytest.mark.parametrize(
    ("hand", "scored_a", "scored_b", "allowed"),
    [
        ("Q01d M01d M02d", "", "", {"Q01d"}),  # itself is the third
        ("Q01d M01d", "", "", set()),
        ("Q01d M01d M02d P01l", "", "", set()),  # a light card in hand
        ("Q01l M01l P02l", "", "", {"Q01l"}),
        ("Q02d M01d M01l M02d M02l", "", "", {"Q02d"}),
        ("Q02d M01d M01l M02d", "", "", set()),
        ("Q02l", "", "", {"Q02l"}),
        ("Q02l M01d", "", "", set()),
        ("Q03d Q03l", "X01d", "", {"Q03d"}),  # a Crowdfunding card counts
        ("Q03d Q03l", "", "Q01d", {"Q03l"}),
        ("Q03d Q03l", "P05d", "Q01d", set()),  # cards are counted, not points
    ],
)
def test_hr_7_1_quotas(hand: str, scored_a: str, scored_b: str, allowed: set[str]) -> None:
    table = table_of(["D"], hand, scored_a=scored_a, scored_b=scored_b)
    offered = {move for move in legal_moves(table) if move.startswith("quota")}
    assert offered == {f"quota {card}" for card in allowed}


def test_hr_8_1_crowdfunding_scores_for_both() -> None:
    # A's light cubicle forms DDL (P02d worth 4, P06d worth 5) and DL (P04d worth 5) for B, who
    # has two cards: the two worth 5 are taken, P06d first because it lay longer.
    table = table_of(["DD"], "M01l", play_a="P04d", play_b="P02d X01l P06d X01d P04d P05d")
    after = play(table, "place M01l E2")
    assert after.scored == {"A": ["P04d", "X01l", "X01d"], "B": ["P06d", "P04d"]}
    assert after.play == {"A": [], "B": ["P02d", "P05d"]}
    # Played like a project; its owner's own action leaves it lying.
    own = table_of(["DD"], "M01l X01d", play_a="X01l P02d")
    assert "project X01d" in legal_moves(own)
    own = play(own, "place M01l E2")
    assert own.scored == {"A": ["P02d"], "B": []}
    assert own.play["A"] == ["X01l"]


def test_hr_8_2_overtime_only_with_a_completion_of_ones_own() -> None:
    # A light card beside the dark one completes P04d; a dark one does not, nor does Overtime
    # itself (light, and completing!) when it is the card placed. Hiring M01 is out: the cubicle
    # is alone (HR-6.3).
    table = table_of(["D"], "M01l M01d X02l", play_a="P04d")
    around = ("N1", "E1", "S1", "W1")
    with_overtime = {move for move in legal_moves(table) if "overtime" in move}
    assert with_overtime == {f"place M01l {square} overtime X02l" for square in around}
    after = play(table, "place M01l E1 overtime X02l")
    assert after.discard == ["X02l"]
    assert after.hands["A"] == ["M01d", "M02d"]  # the turn's draw comes first
    assert (after.actor, after.to_act, after.overtime_used) == ("A", "A", False)
    without = play(table, "place M01l E1")
    assert without.actor == "B"
    assert "X02l" in without.hands["A"]
    # Completing only by Crowdfunding for the other player gives no right to it.
    funded = table_of(["D"], "M01l X02l", play_a="P05d", play_b="P04d X01d")
    assert not any("overtime" in move for move in legal_moves(funded))
    # The draw that ends the game ends it.
    last = play(replace(table, deck=["M09l"]), "place M01l E1 overtime X02l")
    assert last.over


def test_hr_8_2_overtime_with_managers_must_be_in_hand_before() -> None:
    # Exchanging the dark cubicle for the light Overtime completes DL, but the card is used in
    # it; with the other Overtime in hand that one serves. The manager is discarded first.
    alone = table_of(["DD"], "M06d X02l", play_a="P04d")
    assert hires(alone, "M06d") == {"exchange X02l 0", "exchange X02l E1"}
    both = table_of(["DD"], "M06d X02l X02d", play_a="P04d")
    assert "exchange X02l E1 overtime X02d" in hires(both, "M06d")
    assert "exchange X02l E1 overtime X02l" not in hires(both, "M06d")
    assert not any(rest.startswith("exchange X02d E1 o") for rest in hires(both, "M06d"))
    after = play(both, "hire M06d exchange X02l E1 overtime X02d")
    assert after.discard == ["M06d", "X02d"]
    assert after.actor == "A"
    # An Overtime that comes out of the office by the very action was not in hand before it.
    table = table_of(["DD"], "M06d M01l", play_a="P04d")
    table.office[1, 0] = "X02d"
    assert not any("overtime" in rest for rest in hires(table, "M06d"))


def test_hr_8_2_one_overtime_a_turn_and_discarded_before_the_second_play() -> None:
    table = play(
        table_of(["D"], "M07d M01l P01d X02d X02l", play_a="P04d P02d"), "hire M07d two-plays"
    )
    table = play(table, "place M01l W1 overtime X02d")  # LD completes P04d
    assert table.scored["A"] == ["P04d"]
    assert table.discard == ["X02d"]
    assert table.overtime_used
    # LD and a dark one on the other side complete P02d, with X02l still in hand: once is enough.
    assert "place P01d E1" in legal_moves(table)
    assert not any("overtime" in move for move in legal_moves(table))
    table = play(table, "place P01d E1")
    assert table.scored["A"] == ["P04d", "P02d"]
    assert table.discard == ["X02d", "M07d"]
    assert (table.actor, table.overtime_used) == ("A", False)


def test_hr_8_3_acquisitions_takes_a_project_and_pays_with_itself() -> None:
    assert hires(table_of(["D"], "X03d"), "X03d") == set()
    # DL stands already: the taken project is not completed by that.
    table = table_of(["DL"], "X03d", play_a="P02d", play_b="P04d X01d")
    assert hires(table, "X03d") == {"acquire P04d", "acquire X01d"}
    after = play(table, "hire X03d acquire P04d")
    assert after.play == {"A": ["P02d", "P04d"], "B": ["X01d"]}
    assert after.scored == {"A": [], "B": ["X03d"]}
    assert after.discard == []
    assert after.actor == "B"


def test_hr_8_4_operations_arranges_the_top_of_the_deck() -> None:
    table = play(table_of(["D"], "X04d"), "hire X04d look")
    assert (table.phase, table.to_act, table.hiring) == ("arrange", "A", "X04d")
    assert len(legal_moves(table)) == 24
    assert "arrange M03l M03d M02l M02d" in legal_moves(table)
    after = play(table, "arrange M03l M03d M02l M02d")
    assert after.hands["A"] == ["M03l"]
    assert after.deck == ["M03d", "M02l", "M02d", "M04d", "M04l"]
    assert (after.discard, after.actor) == (["X04d"], "B")
    few = play(table_of(["D"], "X04d", deck="P01d P02d"), "hire X04d look")
    assert legal_moves(few) == {"arrange P01d P02d", "arrange P02d P01d"}
    # A single card leaves nothing to arrange, and drawing it ends the game.
    last = play(table_of(["D"], "X04d", deck="P01d"), "hire X04d look")
    assert last.over
    assert last.discard == ["X04d"]


@pytest.mark.parametrize(
    ("scored_a", "scored_b", "winner"),
    [
        ("P05d", "P04d", "A"),  # 8 to 5
        ("P04d", "P01d Q01d", "B"),  # 5 each, one card to two
        ("P04d Q03d", "P02d Q01l", "A"),  # 7 each with two cards, 5 beats 4
        ("P04d", "P06d", "draw"),
        ("", "", "draw"),
    ],
)
def test_hr_9_2_ties(scored_a: str, scored_b: str, winner: str) -> None:
    table = table_of(["D"], "", scored_a=scored_a, scored_b=scored_b)
    assert outcome(table) is None
    assert outcome(replace(table, over=True)) == winner


def test_hr_2_3_the_lower_hand_starts() -> None:
    # Managers and Overtime have no number; VP of Acquisitions has a 3.
    assert first_player({"A": ["M01d", "X02d"], "B": ["Q03l"]}, VALUES) == "A"
    assert first_player({"A": ["X03l"], "B": ["P01d", "M01d"]}, VALUES) == "B"
    assert first_player({"A": ["P02d"], "B": ["Q02d", "M01l"]}, VALUES) is None
