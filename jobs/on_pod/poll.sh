# Tells how one run stands. Prints `absent`, `running`, `exited <n>`, `dead` or `unknown`; then the size of
# its log in bytes; then the log from `offset` on, at most `limit` bytes.
# Given: provision run work offset limit
main() {
    base="$HOME/podkeeper/$provision/$run"
    claim="$base/$work.claim"
    log="$base/$work.log"
    if [ ! -d "$claim" ]; then
        echo absent
    elif [ -e "$base/$work.rc" ]; then
        exit_status
    elif alive; then
        echo running
    elif [ -e "$base/$work.rc" ]; then
        exit_status
    else
        echo dead
    fi
    if [ -f "$log" ]; then
        wc -c <"$log" | tr -d ' '
        tail -c "+$((offset + 1))" "$log" | head -c "$limit"
    else
        echo 0
    fi
}

exit_status() {
    rc=$(cat "$base/$work.rc")
    case $rc in
    [0-9][0-9][0-9])
        rc=${rc#0}
        echo "exited ${rc#0}"
        ;;
    *) echo unknown ;;
    esac
}

# Whether the runner is there. Without its number it is just being started; a number that another program
# has by now is not ours.
alive() {
    [ -s "$claim/pid" ] || return 0
    pid=$(cat "$claim/pid")
    kill -0 "$pid" 2>/dev/null || return 1
    [ ! -r "/proc/$pid/cmdline" ] || tr '\0' ' ' <"/proc/$pid/cmdline" | grep -qF "$claim/runner"
}
