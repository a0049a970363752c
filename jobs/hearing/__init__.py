"""Who hears of what, and when: the present states are held against what was said, and what is due is written.

Nothing here is sent and nothing is worded: rows of the outbox and questions say what they are about.
"""
