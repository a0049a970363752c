"""The lines of the decision table in words for people: `evidence.rule` of `audit --json`, and cards."""

from collections.abc import Mapping
from types import MappingProxyType

RULE_TEXTS: Mapping[int, str] = MappingProxyType(
    {
        1: "nothing but its id could be read",
        2: "missing from the list of pods, and not explained",
        3: "gone",
        4: "part of a cluster, or locked",
        5: "we are ending it already",
        6: "made by us, and the time at which it ends by itself is over",
        7: "nothing ever ran on it; it is being set up or its agent is alive, and it is young",
        8: "nothing ever ran on it; it still has time, or we have looked too few times",
        9: "nothing ever ran on it; RunPod's word, the clock or the time of renting cannot be believed",
        10: "nothing ever ran on it; it is nobody's, and young or older than our memory",
        11: "nothing ever ran on it; we did not watch it all the time, or did not make it",
        12: "never ran, made by us; kept on purpose, or somebody is still at work on it",
        13: "never ran, made by us",
        14: "several people say that it is theirs",
        15: "nobody says that it is theirs",
        16: "kept",
        17: "setting it up failed, or it was moved or copied, and nobody has said what to do",
        18: "it runs",
        19: "it ran once and shows nothing now",
        20: "RunPod calls it broken",
        21: "stopped, but not for long as far as we have seen",
        22: "stopped for long, by our own watch",
    }
)
