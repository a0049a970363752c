"""One situation for each condition of the decision table, named by the line that is meant to decide it."""

from pods.facts import PassFacts, PodFacts, Sight
from pods.phase import Phase
from pods.policy import Policy
from tests.pods.samples import a_pass, ago, ahead, exited, never_ran, running

KEEP_CARVE_OUT_OFF = Policy(never_ran_reaps_kept=False)
UNDER_WAY = {"provision_deadline": ahead(minutes=5)}
HEARTBEAT = {"heartbeat_at": ago(minutes=5)}
KEPT = {"kept_until": ahead(hours=1)}
YOUNG = {"created_at": ago(minutes=30), "create_called_at": ago(minutes=30, seconds=2)}
FENCE = {"fence_at": ago(seconds=1), "fence_notice_at": ago(minutes=31)}
LOST = {"phase": Phase.NO_RUNTIME, "nulls": 5, "nulls_since": ago(minutes=30)}
JUST_LOST = {"phase": Phase.NO_RUNTIME, "nulls": 4, "nulls_since": ago(minutes=29)}
RECENT = {"exited_since": ago(hours=1)}
FIRST_SIGHT = {"exited_since": ago(hours=1), "first_seen_exited": True}

SITUATIONS: dict[str, tuple[PodFacts, PassFacts]] = {
    "1 unreadable": (running(sight=Sight.UNREADABLE, phase=None), a_pass()),
    "2 missing": (running(sight=Sight.MISSING, phase=None), a_pass()),
    "3 gone": (running(phase=Phase.GONE), a_pass()),
    "4 cluster": (never_ran(cluster_member=True), a_pass()),
    "4 locked": (exited(locked=True), a_pass()),
    "5 ending": (never_ran(ending=True), a_pass()),
    "6 fence": (running(**FENCE), a_pass()),
    "6 fence, clock doubtful": (running(**FENCE), a_pass(clock_doubtful=True)),
    "6 fence, kept": (running(**FENCE, **KEPT), a_pass()),
    "6 fence, keep unreadable": (running(**FENCE, keep_unreadable=True), a_pass()),
    "7 under way": (never_ran(**YOUNG, **UNDER_WAY), a_pass()),
    "7 heartbeat": (never_ran(**YOUNG, **HEARTBEAT), a_pass()),
    "8 within grace": (never_ran(created_at=ago(minutes=20)), a_pass()),
    "8 too few looks": (never_ran(counting=4), a_pass()),
    "9 witness out": (never_ran(), a_pass(witness_out=True)),
    "9 clock doubtful": (never_ran(), a_pass(clock_doubtful=True)),
    "9 created missing": (never_ran(created_at=None), a_pass()),
    "9 created in the future": (never_ran(created_at=ahead(minutes=3)), a_pass()),
    "10 younger than the cap": (never_ran(**YOUNG), a_pass()),
    "10 at first listing": (never_ran(at_first_listing=True, watched_from_birth=False), a_pass()),
    "11 not watched": (never_ran(watched_from_birth=False), a_pass()),
    "12 under way, old": (never_ran(**UNDER_WAY), a_pass()),
    "12 heartbeat, old": (never_ran(**HEARTBEAT), a_pass()),
    "12 kept knowingly": (never_ran(**KEPT, knowing_until=ahead(hours=1)), a_pass()),
    "12 lapsed": (never_ran(kept_until=ago(hours=1), knowing_until=ago(hours=1)), a_pass()),
    "12 flag, young": (never_ran(**YOUNG, keep_on_failure=True), a_pass()),
    "12 flag, old": (never_ran(keep_on_failure=True), a_pass()),
    "12 keep unreadable": (never_ran(keep_unreadable=True), a_pass()),
    "13 never ran": (never_ran(), a_pass()),
    "13 allocating": (never_ran(phase=Phase.ALLOCATING), a_pass()),
    "13 kept": (never_ran(**KEPT), a_pass()),
    "13 kept, setting off": (never_ran(**KEPT), a_pass(policy=KEEP_CARVE_OUT_OFF)),
    "13 deed made": (never_ran(deed_in_episode=True), a_pass()),
    "16 kept": (exited(**KEPT), a_pass()),
    "16 keep unreadable": (exited(keep_unreadable=True), a_pass()),
    "17 failed": (running(failed_alive=True), a_pass()),
    "17 moved": (running(moved_or_copied=True), a_pass()),
    "17 failed, kept": (running(failed_alive=True, **KEPT), a_pass()),
    "17 failed, exited": (exited(failed_alive=True, **RECENT), a_pass()),
    "18 running": (running(), a_pass()),
    "18 under way": (running(**UNDER_WAY), a_pass()),
    "19 lost": (running(**LOST), a_pass()),
    "19 lost, kept": (running(**LOST, **KEPT), a_pass()),
    "19 just lost": (running(**JUST_LOST), a_pass()),
    "19 just lost, kept": (running(**JUST_LOST, **KEPT), a_pass()),
    "20 error": (running(phase=Phase.ERROR, error_since=ago(minutes=30)), a_pass()),
    "20 just in error": (running(phase=Phase.ERROR, error_since=ago(minutes=29)), a_pass()),
    "21 recently": (exited(**RECENT), a_pass()),
    "21 first sight": (exited(**FIRST_SIGHT), a_pass()),
    "21 text says longer": (exited(**FIRST_SIGHT, provider_exited_at=ago(hours=24)), a_pass()),
    "21 text says less": (exited(**FIRST_SIGHT, provider_exited_at=ago(hours=23)), a_pass()),
    "21 never counted": (exited(exited_since=None), a_pass()),
    "22 clock doubtful": (exited(), a_pass(clock_doubtful=True)),
    "22 stale": (exited(), a_pass()),
}
