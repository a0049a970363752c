"""Whether a request really is Slack's, judged before anything else reads it.

Source: docs.slack.dev, "Verifying requests from Slack". A timestamp that is no number, a signature that is
not ASCII and a body that is not UTF-8 make slack_sdk's verifier raise; they are refusals like any other.
"""

from collections.abc import Mapping

from slack_sdk.signature import SignatureVerifier


def is_genuine(signing_secret: str, body: bytes, headers: Mapping[str, str]) -> bool:
    """Signed with our secret, by the machine's own clock at most five minutes ago."""
    given = {name.lower(): value for name, value in headers.items()}
    try:
        return bool(SignatureVerifier(signing_secret).is_valid_request(body, given))
    except (ValueError, TypeError):
        return False
