# Tells what is checked out: four lines `branch`, `head`, `detached`, `remote`, each with its value or `-`.
# Given: environment requested token
main() {
    eval "$environment"
    branch=- head=- detached=no remote=-
    cd "$PODKEEPER_CHECKOUT" 2>/dev/null && read_checkout
    printf 'branch %s\nhead %s\ndetached %s\nremote %s\n' "$branch" "$head" "$detached" "$remote"
}

read_checkout() {
    head=$(ours rev-parse --verify --quiet HEAD) || { head=-; return; }
    # Not `--short`: beside a tag of the same name that says `heads/<branch>`.
    if branch=$(ours symbolic-ref --quiet HEAD); then
        branch=${branch#refs/heads/}
    else
        branch=- detached=yes
        [ -z "$requested" ] || remote=$(at_the_remote)
    fi
}

ours() {
    git -c "safe.directory=$PODKEEPER_CHECKOUT" "$@" 2>/dev/null </dev/null
}

# The commit that the asked-for name resolves to at the repository: a branch, else a tag.
at_the_remote() {
    answer=$(GIT_TERMINAL_PROMPT=0 ask ls-remote "$PODKEEPER_REPO" \
        "refs/heads/$requested" "refs/tags/$requested" "refs/tags/$requested^{}")
    for ref in "refs/heads/$requested" "refs/tags/$requested^{}" "refs/tags/$requested"; do
        commit=$(printf '%s\n' "$answer" | awk -v ref="$ref" '$2 == ref { print $1; exit }')
        if [ -n "$commit" ]; then
            echo "$commit"
            return
        fi
    done
    echo -
}

# git, with the repository's token in its hands for this one question.
ask() {
    if [ -z "$token" ]; then
        ours "$@"
        return
    fi
    umask 077
    folder=$(mktemp -d) || return
    printf '%s\n' "$token" >"$folder/token"
    printf '#!/bin/sh\ncase $1 in\nUsername*) echo x-access-token ;;\n*) cat "%s/token" ;;\nesac\n' "$folder" >"$folder/askpass"
    chmod 700 "$folder/askpass"
    GIT_ASKPASS="$folder/askpass" ours "$@"
    rm -rf "$folder"
}
