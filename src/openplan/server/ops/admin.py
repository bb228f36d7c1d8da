"""What `openplan admin` asks of a running server."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from openplan.server.ops.admin_socket import Act
from openplan.server.ops.backup import backup
from openplan.server.ops.replay import rebuild_ratings, release, replay_all
from openplan.server.people.complaints import close_complaint
from openplan.server.site import Site
from openplan.server.tables.workshop import withdraw


async def _act_replay_all(site: Site, _: Mapping[str, Any]) -> dict[str, Any]:
    found = await replay_all(site.store, now=site.now())
    return {"matches": found.matches, "differing": found.differing}


async def _act_backup(site: Site, asked: Mapping[str, Any]) -> dict[str, Any]:
    file = Path(asked["file"])
    await backup(site.settings.store_url, file)
    return {"bytes": (await asyncio.to_thread(file.stat)).st_size}


async def _act_release(site: Site, asked: Mapping[str, Any]) -> dict[str, Any]:
    table = str(asked["table"])
    await site.store.transact(lambda tx: release(tx, table, now=site.now()))
    return {}


async def _act_close_complaint(site: Site, asked: Mapping[str, Any]) -> dict[str, Any]:
    number = int(asked["number"])
    await site.store.transact(lambda tx: close_complaint(tx, number, now=site.now()))
    return {}


async def _act_withdraw_deck(site: Site, asked: Mapping[str, Any]) -> dict[str, Any]:
    deck = str(asked["deck"])
    await site.store.transact(lambda tx: withdraw(tx, deck))
    return {}


async def _act_rebuild_ratings(site: Site, _: Mapping[str, Any]) -> tuple[int, int]:
    return await rebuild_ratings(site.store)


ACTS: Final[dict[str, Act]] = {
    "replay-all": _act_replay_all,
    "backup": _act_backup,
    "release": _act_release,
    "close-report": _act_close_complaint,
    "withdraw-deck": _act_withdraw_deck,
    "rebuild-ratings": _act_rebuild_ratings,
}
