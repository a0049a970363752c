"""How the house opens connections to the outside."""

import aiohttp


def connector() -> aiohttp.TCPConnector:
    """Names are looked up by the system itself, so that what an administrator set for it holds here too.

    (aiohttp otherwise takes a resolver of its own as soon as some package happens to bring one.)
    """
    return aiohttp.TCPConnector(resolver=aiohttp.ThreadedResolver())
