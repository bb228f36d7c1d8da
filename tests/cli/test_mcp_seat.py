"""A language model's program starts `openplan mcp` and plays by its tools alone."""

from __future__ import annotations

import asyncio
import sys
from random import Random
from typing import Any

import pytest
from mcp import ClientSession, StdioServerParameters, stdio_client

from tests.cli.command import openplan

OWN = ["-c", "from openplan.cli.main import main; main()", "mcp"]


async def played(*arguments: str, most: int) -> tuple[list[str], str, list[str]]:
    """The tools there are, what is seen in the end, and what bad moves are told."""
    parameters = StdioServerParameters(command=sys.executable, args=[*OWN, *arguments])
    rng = Random(1)
    async with stdio_client(parameters) as (read, write), ClientSession(read, write) as session:
        await session.initialize()

        async def call(tool: str, **values: Any) -> tuple[str, bool]:
            made = await session.call_tool(tool, values)
            text = "\n".join(part.text for part in made.content if part.type == "text")
            return text, bool(made.is_error)

        tools = [tool.name for tool in (await session.list_tools()).tools]
        wrong = []
        for move in ("nonsense", "place P01d E40"):
            text, refused = await call("play", move=move)
            assert refused
            wrong.append(text)
        seen, _ = await call("look")
        for _ in range(most):
            if "It is over" in seen or "moves" not in tools:
                break
            moves, _ = await call("moves")
            seen, refused = await call("play", move=rng.choice(moves.splitlines()))
            assert not refused, seen
        return tools, seen, wrong


def test_a_model_plays_a_match_to_its_end() -> None:
    play = played("human", "--bot", "random", "--seed", "4", most=100)
    tools, seen, wrong = asyncio.run(play)
    assert sorted(tools) == ["look", "moves", "play"]
    assert "You are A. It is over: " in seen
    assert "nonsense" in wrong[0]
    assert all("Traceback" not in text for text in wrong)


def test_legal_moves_are_optional_and_orders_have_a_seat_too() -> None:
    play = played("cube", "--seat", "P", "--bot", "greedy", "--no-moves", most=1)
    tools, seen, _ = asyncio.run(play)
    assert sorted(tools) == ["look", "play"]
    assert seen.endswith("You are P. It is your move.")


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["mcp", "human", "--seat", "Z"], "Human Resources has no seat 'Z'; there are: A, B"),
        (["mcp", "human", "--bot", "nobody"], "there is no bot 'nobody'"),
        (["mcp", "human", "--bot", "cmd:cat"], "another program cannot have a seat here"),
    ],
)
def test_what_is_wrong_is_said_before_anything_begins(
    arguments: list[str], reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    told = openplan(capsys, *arguments)
    assert told.status == 2
    assert reason in told.err
