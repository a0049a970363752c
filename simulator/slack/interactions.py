"""What a person's hand does in Slack: typing, pressing, submitting, opening."""

from __future__ import annotations

from dataclasses import dataclass

from simulator.slack import answers, payloads, posting
from simulator.slack.conversations import Channel, Message
from simulator.slack.delivery.dispatch import Acknowledgement, Dispatcher
from simulator.slack.escaping import escaped
from simulator.slack.jsontypes import JsonObject, true_at
from simulator.slack.office import Office
from simulator.slack.users import SLACKBOT, User
from simulator.slack.viewstate import View

_TROUBLE = "the app did not answer"


@dataclass(frozen=True)
class Done:
    """How an act went: Slack's error as the person sees it, and the seconds to the acknowledgement."""

    error: str | None = None
    seconds: float | None = None


@dataclass
class Interactions:
    office: Office
    dispatcher: Dispatcher

    async def command(self, user: User, channel: Channel, text: str) -> Done:
        """A slash command. Whatever goes wrong is told to the person privately."""
        command, _, rest = text.partition(" ")
        known = self.office.workspace.manifest.command(command)
        if known is None:
            line = f"{command} is not a valid command."
            posting.ephemeral(self.office, channel.id, user.id, SLACKBOT, line)
            return Done("not_a_command")
        rest = escaped(self.office.workspace, rest.strip(), should_escape=known.should_escape)
        payload = payloads.slash_command(self.office, user, channel, command, rest)
        got = await self.dispatcher.request("slash_commands", payload)
        if got.error is not None:
            answers.tell_privately(self.office, channel.id, user.id, command, got.error)
            return Done(got.error, got.seconds)
        return Done(
            answers.command_answer(self.office, channel.id, user.id, command, got.answer), got.seconds
        )

    async def message(self, user: User, channel: Channel, text: str, thread: str | None) -> Done:
        """A plain message. The app's own Messages tab can be closed or read-only."""
        workspace = self.office.workspace
        manifest = workspace.manifest
        with_app = channel.kind == "im" and workspace.app.bot_user_id in channel.members
        if with_app and (not manifest.messages_tab or manifest.messages_tab_read_only):
            return Done("messages_tab_disabled")
        text = escaped(workspace, text, should_escape=True)
        posting.post(self.office, Message(workspace.next_ts(), channel.id, user.id, text, thread_ts=thread))
        return Done()

    async def press(self, user: User, surface: Message | View, action: JsonObject) -> Done:
        """A click or choice on a message, modal or Home."""
        if not self.office.workspace.manifest.interactivity:
            return self._trouble(user, "not_configured_for_interactivity", None)
        if isinstance(surface, Message):
            key = (surface.channel, surface.ts, user.id)
            values = self.office.workspace.choices.get(key, {})
            payload = payloads.message_action(self.office, user, surface, action, values)
        else:
            payload = payloads.view_action(self.office, user, surface, action)
        return self._felt(user, await self.dispatcher.request("interactive", payload))

    async def forge(self, user: User, action: JsonObject, surface: Message | None) -> Done:
        """A click that no button was there for."""
        if surface is not None:
            return await self.press(user, surface, action)
        payload = payloads.bare_action(self.office, user, action)
        return self._felt(user, await self.dispatcher.request("interactive", payload))

    async def submit(self, user: User, view: View) -> Done:
        view.errors = {}
        payload = payloads.view_submission(self.office, user, view)
        got = await self.dispatcher.request("interactive", payload)
        error = got.error or answers.submission_answer(self.office, view, got.answer)
        return self._trouble(user, error, got.seconds) if error else Done(None, got.seconds)

    async def close(self, user: User, view: View) -> Done:
        """Closes the view on top; the app hears of it if the view says so."""
        stack = self.office.workspace.modals.get(user.id, [])
        cleared = true_at(view.body, "clear_on_close")
        stack[:] = [] if cleared else [each for each in stack if each is not view]
        self.office.workspace.changes.happened()
        if not true_at(view.body, "notify_on_close"):
            return Done()
        payload = payloads.view_closed(self.office, user, view, cleared=cleared)
        return self._felt(user, await self.dispatcher.request("interactive", payload))

    async def open_app(self, user: User, tab: str) -> Done:
        """Opens the app's Home or Messages tab."""
        workspace = self.office.workspace
        manifest = workspace.manifest
        if not (manifest.home_tab if tab == "home" else manifest.messages_tab):
            return Done("not_enabled")
        if "app_home_opened" not in manifest.bot_events:
            return Done()
        channel = workspace.direct_message(user.id, workspace.app.bot_user_id)
        event: JsonObject = {
            "type": "app_home_opened",
            "user": user.id,
            "channel": channel.id,
            "tab": tab,
            "event_ts": workspace.next_ts(),
        }
        home = workspace.homes.get(user.id)
        if tab == "home" and home is not None:
            event["view"] = payloads.shown_view(self.office, home)
        self.office.event(event)
        return Done()

    def _felt(self, user: User, got: Acknowledgement) -> Done:
        return self._trouble(user, got.error, got.seconds) if got.error else Done(None, got.seconds)

    def _trouble(self, user: User, error: str, seconds: float | None) -> Done:
        self.office.workspace.warn(user.id, _TROUBLE, error)
        return Done(error, seconds)
