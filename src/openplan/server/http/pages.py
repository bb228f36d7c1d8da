"""The web client as files: the page, which finds its own way by its address, and what it loads.

They are read once, at the start, and kept as they are sent: packed, with a name that changes with
the content, so that a browser may keep them for good. Only the page itself is asked for each time.
"""

from __future__ import annotations

import hashlib
import json
import mimetypes
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from litestar import Request, Response, get
from litestar.datastructures import State
from litestar.params import FromPath

import openplan
from openplan.server.errors import Missing
from openplan.server.http import previews
from openplan.server.http.previews import head_of
from openplan.server.http.routes.wire import Invite

Req = Request[Any, Any, State]

ADDRESSES: Final = (
    "/",
    "/new",
    "/account",
    "/table/{table:str}/master",
    "/person/{person:str}",
    "/rules/{game:str}",
    "/cases/{game:str}",
    "/cards/{game:str}",
    "/cards/{game:str}/{deck:str}",
    "/decks",
    "/decks/{deck:str}",
    "/learn/{game:str}",
    "/letter/{kind:str}",
    "/ladder/{game:str}",
    "/operator",
    "/unsubscribe/{token:str}",
)
AT_THE_ROOT: Final = (
    *("icon.svg", "icon-192.png", "icon-512.png", "icon-mask.png", "badge.png"),
    *("app.webmanifest", "worker.js", "offline.html", "offline.css"),
)
MOST_SHOWN: Final = 10
"""From so many on, an icon only says that there are more."""
FOREVER: Final = "public, max-age=31536000, immutable"
PACKED: Final = ".gz"
STAMP: Final = "stamp"
SOURCES: Final = ("web/src", "web/public", "docs/rules", "docs/reference")
FILES: Final = (
    *(f"web/{name}" for name in ("index.html", "package-lock.json", "svelte.config.js")),
    *(f"web/{name}" for name in ("tsconfig.json", "vite.config.ts")),
    "scripts/web.py",
)


KINDS: Final = {".webmanifest": "application/manifest+json", ".js": "text/javascript"}
"""Where not every machine knows what they are."""
NOT_BUILT: Final = b"""<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Open Plan</title>
<h1>Open Plan</h1>
<p>The server runs, but its pages are not built: run <code>make build</code> and start it again.
Programs find what can be asked in <a href="/openapi.json">the description of its API</a>.</p>
</html>
"""


@dataclass(frozen=True, slots=True)
class File:
    kind: str
    plain: bytes
    packed: bytes | None = None

    def answer(self, request: Req, keep: str) -> Response[bytes]:
        headers = {"Cache-Control": keep, "Vary": "Accept-Encoding"}
        if self.packed is not None and "gzip" in request.headers.get("accept-encoding", ""):
            headers["Content-Encoding"] = "gzip"
            return Response(self.packed, media_type=self.kind, headers=headers)
        return Response(self.plain, media_type=self.kind, headers=headers)


class Pages:
    """All files of the client by their paths; without them one page that says what to do."""

    def __init__(self, folder: Path) -> None:
        self._files = {
            file.relative_to(folder).as_posix(): _file(file)
            for file in sorted(folder.rglob("*"))
            if file.is_file() and file.suffix != PACKED
        }
        self.index = self._files.pop("index.html", File("text/html", NOT_BUILT))
        manifest = self._files.pop("manifest.json", None)
        self._made_of = {} if manifest is None else json.loads(manifest.plain)

    def at(self, path: str, head: bytes = b"") -> File:
        """The page for an address: with what messengers show of it, and with what it is made of, so
        that a browser asks for all of it at once and not for one thing after the other."""
        lines = [*filter(None, [head]), *self._hints(path)]
        if not lines:
            return self.index
        told = b"".join(b"    " + line + b"\n" for line in lines)
        return File(self.index.kind, self.index.plain.replace(b"  </head>", told + b"  </head>", 1))

    def _hints(self, path: str) -> list[bytes]:
        """By the first part of an address, which names its page; a game's may be the second."""
        page, _, rest = path.strip("/").partition("/")
        game = rest.partition("/")[0].replace("-", "_")
        wanted = [f"src/pages/{page.capitalize()}.svelte"]
        if page in ("learn", "cards"):
            wanted.append(f"src/games/{game}/index.ts")
        found: dict[str, None] = {}
        for name in wanted:
            self._gather(name, found)
        known = self.index.plain.decode()
        return [
            f'<link rel="preload" as="style" crossorigin href="/{name}" />'.encode()
            if name.endswith(".css")
            else f'<link rel="modulepreload" crossorigin href="/{name}" />'.encode()
            for name in found
            if name not in known
        ]

    def _gather(self, name: str, found: dict[str, None]) -> None:
        part = self._made_of.get(name)
        if part is None or part["file"] in found:
            return
        found.update(dict.fromkeys([part["file"], *part.get("css", [])]))
        for other in part.get("imports", []):
            self._gather(other, found)

    def __getitem__(self, path: str) -> File:
        if path not in self._files:
            raise Missing
        return self._files[path]


def built_folder() -> Path:
    """Where `make build` puts the client; an installed wheel brings its own."""
    found = _checkout()
    if found is not None:
        return found / "build" / "web"
    return Path(openplan.__file__).resolve().parent / "_web"


def _checkout() -> Path | None:
    """The folder of the sources, if this runs from them."""
    package = Path(openplan.__file__).resolve().parent
    found = package.parent.parent
    is_one = package.parent.name == "src" and (found / "pyproject.toml").is_file()
    return found if is_one else None


def is_older_than_its_sources(root: Path | None = None) -> bool:
    """Whether the client was built from other sources than those beside it. Such a page may ask for
    what this server no longer answers."""
    root = root or _checkout()
    stamp = None if root is None else root / "build" / "web" / STAMP
    if root is None or stamp is None or not stamp.is_file():
        return False
    return stamp.read_text() != made_from(root)


def made_from(root: Path) -> str:
    """What the client is built from, as a hash: the pages show the rules, the notation and the
    games' drawings too."""
    sources = [file for name in SOURCES for file in sorted((root / name).rglob("*"))]
    sources += sorted(root.glob("src/openplan/games/*/drawings/*.svg"))
    found = hashlib.sha256()
    for file in (*(root / name for name in FILES), *filter(Path.is_file, sources)):
        data = file.read_bytes()
        found.update(f"{file.relative_to(root).as_posix()} {len(data)}\n".encode())
        found.update(data)
    return found.hexdigest()


def _file(path: Path) -> File:
    kind = KINDS.get(path.suffix) or mimetypes.guess_type(path.name)[0]
    kind = kind or "application/octet-stream"
    packed = path.with_name(path.name + PACKED)
    return File(kind, path.read_bytes(), packed.read_bytes() if packed.is_file() else None)


def _pages(request: Req) -> Pages:
    pages: Pages = request.app.state.pages
    return pages


@get(list(ADDRESSES), include_in_schema=False)
async def page(request: Req) -> Response[bytes]:
    """The same page at every address that it knows."""
    return _pages(request).at(request.url.path).answer(request, "no-cache")


@get("/table/{table:str}", include_in_schema=False)
async def table_page(request: Req, table: FromPath[str], invite: Invite = "") -> Response[bytes]:
    """The same with what messengers show of it."""
    head = await head_of(request, table, invite)
    return _pages(request).at("/table", head).answer(request, "no-cache")


@get("/table/{table:str}/at/{number:int}", include_in_schema=False)
async def moment_page(
    request: Req, table: FromPath[str], number: FromPath[int], invite: Invite = ""
) -> Response[bytes]:
    head = await head_of(request, table, invite, number)
    return _pages(request).at("/table", head).answer(request, "no-cache")


@get("/assets/{name:str}", include_in_schema=False)
async def asset(request: Req, name: FromPath[str]) -> Response[bytes]:
    return _pages(request)[f"assets/{name}"].answer(request, FOREVER)


@get([f"/{name}" for name in AT_THE_ROOT], include_in_schema=False)
async def at_the_root(request: Req) -> Response[bytes]:
    """What has to be found under its own name: icons, and what makes an app of the site."""
    return _pages(request)[request.url.path.removeprefix("/")].answer(request, "no-cache")


@get([f"/icon-{number}.svg" for number in range(1, MOST_SHOWN + 1)], include_in_schema=False)
async def icon_with_number(request: Req) -> Response[bytes]:
    """The icon with how many games wait."""
    number = int(request.url.path.removeprefix("/icon-").removesuffix(".svg"))
    icon = _pages(request)["icon.svg"]
    shown = str(number) if number < MOST_SHOWN else f"{MOST_SHOWN - 1}+"
    size = 17 if len(shown) == 1 else 13
    badge = (
        '<circle cx="21.5" cy="21.5" r="10.5" fill="#b3261e"/>'
        f'<text x="21.5" y="{21.5 + size * 0.36:.1f}" font-family="sans-serif" font-weight="700"'
        f' font-size="{size}" fill="#fff" text-anchor="middle">{shown}</text></svg>'
    )
    told = icon.plain.replace(b"</svg>", badge.encode(), 1)
    return File(icon.kind, told).answer(request, "public, max-age=86400")


def is_for_a_reader(request: Req) -> bool:
    """Whether somebody has followed a link, and not a program asked."""
    wants_page = "text/html" in request.headers.get("accept", "")
    return wants_page and not request.url.path.startswith(("/api/", "/assets/"))


def nowhere(request: Req) -> Response[bytes]:
    """The page also where there is none: it says so in the reader's words."""
    answer = _pages(request).index.answer(request, "no-cache")
    answer.status_code = 404
    return answer


PAGES: Final = [
    page,
    table_page,
    moment_page,
    asset,
    at_the_root,
    icon_with_number,
    *previews.ROUTES,
]
