"""The page on which a visitor acts as any of the people: one file, no address but this machine's own."""

from pathlib import Path

from aiohttp import web

PAGE = Path(__file__).with_name("page.html")


async def show(_: web.Request) -> web.StreamResponse:
    """The page itself; everything on it comes from `/_control`."""
    return web.FileResponse(PAGE, headers={"Cache-Control": "no-store"})
