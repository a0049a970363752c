"""The state machine as a picture and the outcomes as a table, both made from the tables the code uses."""

from pods.provision.outcomes import ENDINGS, Outcome
from pods.provision.table import TABLE

BEGIN = "<!-- generated from the tables in pods/provision: begin -->"
END = "<!-- generated from the tables in pods/provision: end -->"


def mermaid() -> str:
    """The transitions as a Mermaid state diagram; an outcome is drawn with its exit code."""
    rows = ["stateDiagram-v2", "    [*] --> wished"]
    for stage, events in TABLE.items():
        by_target: dict[str, list[str]] = {}
        for event, target in events.items():
            name = f"exit_{ENDINGS[target].exit_code:d}" if isinstance(target, Outcome) else target.value
            by_target.setdefault(name, []).append(event.value)
        rows += [f"    {stage} --> {name}: {' / '.join(said)}" for name, said in by_target.items()]
    codes = sorted({ending.exit_code for ending in ENDINGS.values()})
    rows += [f"    exit_{code:d} --> [*]" for code in codes]
    return "\n".join(rows)


def outcome_table() -> str:
    """The outcomes as a Markdown table: exit code, stage, what becomes of the pod, last line."""
    rows = ["| outcome | exit | stage | the pod | says |", "| --- | --- | --- | --- | --- |"]
    for outcome, ending in ENDINGS.items():
        rows.append(
            f"| {outcome} | {ending.exit_code:d} | {ending.stage} | {ending.pod} | {_says(outcome)} |"
        )
    return "\n".join(rows)


def _says(outcome: Outcome) -> str:
    ending = ENDINGS[outcome]
    said = []
    if outcome is Outcome.READY:
        said.append("`BOOTSTRAP-OK`")
    if ending.failed:
        said.append("`BOOTSTRAP-FAILED`")
    if ending.clean_up:
        said.append(f"`-{ending.clean_up}`")
    if ending.refused:
        said.append(f"`PROVISION-REFUSED: reason={ending.refused}`")
    if ending.ended:
        said.append(f"`PROVISION-ENDED: reason={ending.ended}`")
    if ending.ssh:
        said.append("`SSH:` if it was reached")
    return ", ".join(said) or "nothing more"


def section() -> str:
    """The generated part of `docs/provision.md`, with its marks."""
    return "\n".join([BEGIN, "```mermaid", mermaid(), "```", "", outcome_table(), END])
