"""Every kind of message that tells of a provision, and the function that draws it."""

from bot.provision.going_on import draw_question
from bot.provision.head import draw_head
from bot.provision.news import draw_damaged, draw_end, draw_gone, draw_news
from jobs.outbox.kinds import Kind, Kinds

PROVISION_KINDS: Kinds = {
    "provision_head": Kind(draw_head),
    "provision_news": Kind(draw_news),
    "provision_end": Kind(draw_end, falls_back=True),
    "provision_gone": Kind(draw_gone),
    "provision_damaged": Kind(draw_damaged),
    "order_question": Kind(draw_question, falls_back=True),
}
