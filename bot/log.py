"""The log: structlog's events and everybody else's records on one stream, as text or as JSON lines."""

import logging
import re
import sys
from typing import TextIO

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

_SECRET = re.compile(r"\b(xox[a-z]-|xapp-|whsec_|rpa_)[A-Za-z0-9_=+/-]{4,}")
_TALKATIVE = ("apscheduler", "asyncssh", "slack_bolt", "slack_sdk", "uvicorn", "aiohttp", "matplotlib")


def set_up(form: str | None, stream: TextIO | None = None) -> None:
    """Send the log to the stream, stderr by default. `form`: `text`, `json`, or None: text on a terminal.

    To be called before anything that would set up logging by itself, as the runpod package does on import.
    """
    to = stream or sys.stderr
    as_text = form == "text" or (form is None and to.isatty())
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
        _without_secrets,
    ]
    renderer: Processor = (
        structlog.dev.ConsoleRenderer(colors=to.isatty())
        if as_text
        else structlog.processors.JSONRenderer(ensure_ascii=False)
    )
    handler = logging.StreamHandler(to)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, renderer],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.INFO)
    for name in _TALKATIVE:
        logging.getLogger(name).setLevel(logging.WARNING)
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=False,
    )


def _without_secrets(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    return {
        key: _SECRET.sub(r"\1***", value) if isinstance(value, str) else value for key, value in event.items()
    }
