"""Draws the digest's picture: figures as JSON on stdin, a PNG on stdout. Run as a program of its own, so that
the drawing library never lives in the service."""

import json
import sys

from matplotlib.figure import Figure

INK, IDLE = "#1f3b4d", "#d9822b"


def main() -> None:
    """`{"days": [...], "usd": [...], "idle": [...]}`: what each day cost, and how much of it for nothing."""
    given = json.load(sys.stdin)
    figure = Figure(figsize=(8, 3.2), dpi=120, layout="constrained")
    axes = figure.add_subplot()
    places = range(len(given["days"]))
    axes.bar(places, given["usd"], color=INK, label="all pods")
    axes.bar(places, given["idle"], color=IDLE, label="never ran or stopped")
    axes.set_xticks(list(places), given["days"], rotation=45, ha="right", fontsize=8)
    axes.set_ylabel("US$ a day")
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False, fontsize=8)
    figure.savefig(sys.stdout.buffer, format="png")


if __name__ == "__main__":
    main()
