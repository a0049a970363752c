"""The kinds of messages that deeds give rise to, and the function that draws each."""

from bot.ends.told import deed_told
from bot.ends.warning import admin_ends
from jobs.outbox.kinds import Kind, Kinds

END_KINDS: Kinds = {
    "deed_told": Kind(deed_told, falls_back=True),
    "admin_ends": Kind(admin_ends, counts_if_here=True),
}
