"""Every kind of message that leaves through the outbox, and the function that draws it: one line each."""

from jobs.outbox.kinds import Kind, Kinds

LETTERS: Kinds = dict[str, Kind]()
