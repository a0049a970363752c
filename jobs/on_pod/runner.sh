# Runs one script with its log, and moves its exit status into place when it is whole.
# Called with the claim folder and the kind of work; stands in the run's folder.
claim=$1
work=$2
echo $$ >"$claim/pid"

# A script that signals its whole process group must not take its exit status with it.
trap : INT TERM

. "$claim/environment"
if [ -f "$claim/token" ]; then
    cat >"$claim/askpass" <<'EOF'
#!/bin/sh
case $1 in
Username*) echo x-access-token ;;
*) cat "${0%askpass}token" ;;
esac
EOF
    chmod 700 "$claim/askpass"
    export GIT_ASKPASS="$claim/askpass"
fi
export GIT_TERMINAL_PROMPT=0

if [ "$(head -c 2 "$claim/script")" = '#!' ]; then
    "$claim/script" </dev/null >"$work.log" 2>&1
else
    bash "$claim/script" </dev/null >"$work.log" 2>&1
fi
rc=$?

rm -f "$claim/token" "$claim/askpass"
# Written over the bytes that are there already: this succeeds on a full disk.
printf '%03d\n' "$rc" 1<>"$claim/rc"
mv -f "$claim/rc" "$work.rc"
