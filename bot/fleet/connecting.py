"""`/pod ssh NAME`: how to connect."""

from bot.fleet.lines import phase_in_words
from bot.fleet.naming import meant, the_pod
from bot.fleet.views import PodView
from bot.slack.answering import Declined, answer
from bot.table import Typed
from bot.text import code, word
from jobs.house import House
from pods.phase import Phase
from storage.ssh import keys_of


async def run_ssh(house: House, typed: Typed) -> None:
    """The command line that connects, or why there is none."""
    if len(typed.words) != 1:
        raise Declined("Name one pod, please, like `/pod ssh train-7b`.")
    name, now = typed.words[0], house.clock.now()
    found = await house.db.read(lambda session: meant(session, name, now, house.policy.claim_settle))
    pod = the_pod(found, name)
    has_key = await house.db.read(lambda session: bool(keys_of(session, typed.user)))
    await answer(house, typed, how_to_connect(pod, has_key=has_key))


def how_to_connect(pod: PodView, *, has_key: bool) -> str:
    """What to type, and what it takes."""
    if pod.ssh is None or pod.phase is not Phase.RUNNING:
        state = phase_in_words(pod.phase)
        return f"*{word(pod.name)}* shows no SSH port ({state}); there is nothing to connect to."
    hint = (
        ""
        if has_key
        else ("\nI have no SSH key of yours. `/pod key add` puts one on pods that you ask for from then on.")
    )
    return f"{code(f'ssh root@{pod.ssh.host} -p {pod.ssh.port}')} connects to *{word(pod.name)}*.{hint}"
