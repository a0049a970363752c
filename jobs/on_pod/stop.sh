# Stops one run: asks, waits for `grace` seconds, then insists. Prints `stopped`, or `absent` if nothing ran.
# Given: provision run work grace
main() {
    base="$HOME/podkeeper/$provision/$run"
    claim="$base/$work.claim"
    pid=$(cat "$claim/pid" 2>/dev/null)
    if [ -z "$pid" ] || [ -e "$base/$work.rc" ] || ! kill -0 "$pid" 2>/dev/null; then
        echo absent
        return
    fi
    signal TERM
    waited=0
    while [ ! -e "$base/$work.rc" ] && [ "$waited" -lt "$grace" ]; do
        sleep 1
        waited=$((waited + 1))
    done
    [ -e "$base/$work.rc" ] || signal KILL
    rm -f "$claim/token"
    echo stopped
}

signal() {
    kill -s "$1" -- "-$pid" 2>/dev/null || kill -s "$1" "$pid" 2>/dev/null
}
