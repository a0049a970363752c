#!/usr/bin/env bash
# The preflight that comes with the product. Prints `CHECK <name> PASS|FAIL <text>`, a line each, and ends
# with 1 if one failed. Stands in the run's folder, beside the bootstrap's log.
set -uo pipefail

failed=0
wait=${PODKEEPER_CHECK_WAIT:-60}
pass() { printf 'CHECK %s PASS %s\n' "$1" "$2"; }
fail() {
    printf 'CHECK %s FAIL %s\n' "$1" "$2"
    failed=1
}

# Runs a command for at most so many seconds, if the image has `timeout`; 124 means: it said nothing until then.
within() {
    if command -v timeout >/dev/null; then timeout -k 5 "$@"; else "${@:2}"; fi
}

last_line() { tr '\r' '\n' | grep -v '^ *$' | tail -n 1 | cut -c 1-300; }

check_gpus() {
    local ordered=${PODKEEPER_GPU_COUNT:-1} answer found rc
    if [[ ${PODKEEPER_GPU:-} == AMD* ]]; then
        pass gpus "AMD GPUs are not counted"
        return
    fi
    if ! command -v nvidia-smi >/dev/null; then
        fail gpus "nvidia-smi is not there: 0 GPUs instead of $ordered"
        return
    fi
    answer=$(within "$wait" nvidia-smi -L 2>&1)
    rc=$?
    found=$(printf '%s\n' "$answer" | grep -c '^GPU [0-9]')
    if [ $rc -eq 124 ]; then
        fail gpus "nvidia-smi ran for $wait s without a word"
    elif [ $rc -ne 0 ]; then
        fail gpus "nvidia-smi ended with $rc: $(printf '%s\n' "$answer" | last_line)"
    elif [ "$found" -lt "$ordered" ]; then
        fail gpus "$found GPUs instead of $ordered"
    else
        pass gpus "$found"
    fi
}

# Writes, reads back and compares a megabyte; first the folder must answer at all, and how fast tells a slow
# file system from a stuck command.
check_folder() {
    local name=$1 folder=$2 began=$SECONDS rc file told
    within "$wait" ls -ld "$folder" >/dev/null 2>&1
    rc=$?
    told="ls -ld took $((SECONDS - began)) s"
    if [ $rc -eq 124 ]; then
        fail "$name" "$folder does not answer: ls -ld ran for $wait s without a word"
        return
    elif [ $rc -ne 0 ]; then
        fail "$name" "$folder is not there"
        return
    elif [ $((SECONDS - began)) -ge 10 ]; then
        fail "$name" "$folder is slow, not stuck: $told"
        return
    fi
    file="$folder/.podkeeper-preflight.$$"
    told=$(within 120 bash -c 'head -c 1048576 /dev/urandom | tee "$1" | cksum >"$2" && cksum <"$1" | cmp - "$2"' \
        - "$file" "written.$$" 2>&1)
    rc=$?
    rm -f "$file" "written.$$"
    if [ $rc -eq 0 ]; then
        pass "$name" "$folder, written and read back"
    else
        fail "$name" "$folder could not be written and read back: $(printf '%s\n' "$told" | last_line)"
    fi
}

# The bootstrap may have ended well over a failure that leaves its work incomplete.
check_bootstrap_log() {
    local code pattern line
    [ -f bootstrap.log ] || {
        pass bootstrap_log "there is none"
        return
    }
    while IFS=$'\t' read -r code pattern; do
        [ -n "$pattern" ] || continue
        line=$(grep -aiEm 1 -e "$pattern" bootstrap.log | cut -c 1-300)
        if [ -n "$line" ]; then
            fail bootstrap_log "$code: $line"
            return
        fi
    done <<<"${PODKEEPER_KNOWN_FAILURES:-}"
    pass bootstrap_log "no known failure in it"
}

check_environment() {
    local venv="${PODKEEPER_CHECKOUT:-}/.venv"
    python=$(command -v python3)
    if [ -L "$venv" ] && [ ! -e "$venv" ]; then
        fail environment ".venv is a dangling link to $(readlink "$venv")"
    elif [ -x "$venv/bin/python" ]; then
        python="$venv/bin/python"
        pass environment "$python"
    elif [ -e "$venv" ]; then
        fail environment "$venv has no bin/python"
    else
        pass environment "no .venv; ${python:-no python3 either}"
    fi
}

# Really imported, each by itself: a package manager's clean check proves nothing.
check_imports() {
    local name began answer rc
    for name in ${PODKEEPER_PREFLIGHT_IMPORTS//,/ }; do
        if [ -z "$python" ]; then
            fail "import_$name" "there is no python to import it with"
            continue
        fi
        began=$SECONDS
        answer=$(cd "${PODKEEPER_CHECKOUT:-$HOME}" 2>/dev/null || cd "$HOME" || exit
            within "${PODKEEPER_IMPORT_WAIT:-240}" "$python" -c \
                'import importlib, sys; importlib.import_module(sys.argv[1])' "$name" 2>&1)
        rc=$?
        if [ $rc -eq 0 ]; then
            pass "import_$name" "$((SECONDS - began)) s"
        elif [ $rc -eq 124 ]; then
            began=$SECONDS
            within "$wait" ls -ld "${PODKEEPER_CHECKOUT:-$HOME}" >/dev/null 2>&1
            fail "import_$name" "ran until its time was over without a word; ls -ld took $((SECONDS - began)) s"
        else
            fail "import_$name" "$(printf '%s\n' "$answer" | last_line)"
        fi
    done
}

check_gpus
check_folder disk "${PODKEEPER_DISK:-$HOME}"
[ -z "${PODKEEPER_VOLUME:-}" ] || check_folder volume "$PODKEEPER_VOLUME"
check_bootstrap_log
check_environment
check_imports
exit $failed
