# Starts one numbered run of one kind of work, once, detached from this connection. Prints one line:
# `started`, `already`, or `failed` with a sentence.
# Given: provision run work script runner environment token
main() {
    trap '' HUP PIPE
    umask 077
    base="$HOME/podkeeper/$provision/$run"
    claim="$base/$work.claim"
    staged="$base/.$work.$$"
    if [ -d "$claim" ]; then
        echo already
        return
    fi
    if ! stage 2>/dev/null; then
        rm -rf "$staged"
        echo "failed the script could not be written to $base; is the disk full?"
        return
    fi
    if ! mkdir "$claim" 2>/dev/null; then
        rm -rf "$staged"
        echo already
        return
    fi
    mv "$staged"/* "$claim"/
    rmdir "$staged"
    cd "$base" || return
    detached=
    command -v setsid >/dev/null && detached=setsid
    $detached nohup sh "$claim/runner" "$claim" "$work" </dev/null >/dev/null 2>&1 &
    echo started
}

# Everything that the run needs, its exit file included: a full disk must not keep it from telling.
stage() {
    mkdir -p "$base" && mkdir "$staged" &&
        printf '%s' "$script" >"$staged/script" && chmod 700 "$staged/script" &&
        printf '%s' "$environment" >"$staged/environment" &&
        printf '%s' "$runner" >"$staged/runner" &&
        printf '000\n' >"$staged/rc" &&
        if [ -n "$token" ]; then printf '%s\n' "$token" >"$staged/token"; fi
}
