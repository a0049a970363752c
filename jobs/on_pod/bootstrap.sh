#!/usr/bin/env bash
# The bootstrap that comes with the product: clone the repository, check out the branch, make the
# environment with uv if it is there, else with venv. Anything that goes wrong ends it with a sentence.
set -euo pipefail

say() { printf '%s %s\n' "$(date -u +%H:%M:%S)" "$*"; }
die() {
    say "$1"
    exit "${2:-1}"
}

main() {
    if [ -z "${PODKEEPER_REPO:-}" ]; then
        say "no repository was asked for; nothing to do"
        return
    fi
    command -v git >/dev/null || die "git is not installed in this image" 127
    # On a network volume the checkout may belong to another user, which git refuses by default.
    export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.directory GIT_CONFIG_VALUE_0="$PODKEEPER_CHECKOUT"
    export GIT_SSH_COMMAND="${GIT_SSH_COMMAND:-ssh -o BatchMode=yes -o StrictHostKeyChecking=accept-new}"
    get_repository
    cd "$PODKEEPER_CHECKOUT"
    if [ -n "${PODKEEPER_BRANCH:-}" ]; then
        check_out "$PODKEEPER_BRANCH"
    fi
    say "checked out $(git rev-parse HEAD)"
    make_environment
    say "done"
}

get_repository() {
    if git -C "$PODKEEPER_CHECKOUT" rev-parse --git-dir >/dev/null 2>&1; then
        say "fetching into $PODKEEPER_CHECKOUT"
        git -C "$PODKEEPER_CHECKOUT" remote set-url origin "$PODKEEPER_REPO"
        git -C "$PODKEEPER_CHECKOUT" fetch --tags --force --prune origin
        return
    fi
    if [ -d "$PODKEEPER_CHECKOUT" ] && [ -n "$(ls -A "$PODKEEPER_CHECKOUT")" ]; then
        die "$PODKEEPER_CHECKOUT is there, is not empty and is no repository; move it away"
    fi
    say "cloning $PODKEEPER_REPO into $PODKEEPER_CHECKOUT"
    mkdir -p "$(dirname "$PODKEEPER_CHECKOUT")"
    local part="$PODKEEPER_CHECKOUT.part"
    rm -rf "$part"
    git clone -- "$PODKEEPER_REPO" "$part"
    [ ! -d "$PODKEEPER_CHECKOUT" ] || rmdir "$PODKEEPER_CHECKOUT"
    mv "$part" "$PODKEEPER_CHECKOUT"
}

# Exactly what was asked for, or nothing: never silently another branch.
check_out() {
    local name=$1
    if git rev-parse --verify --quiet "refs/remotes/origin/$name" >/dev/null; then
        if git rev-parse --verify --quiet "refs/heads/$name" >/dev/null; then
            git checkout "$name" --
            git merge --ff-only "refs/remotes/origin/$name"
        else
            git checkout -b "$name" --track "refs/remotes/origin/$name"
        fi
    elif git rev-parse --verify --quiet "refs/tags/$name" >/dev/null; then
        git checkout --detach "refs/tags/$name"
    elif [[ $name =~ ^[0-9a-f]{40}$ ]] && { git cat-file -e "$name^{commit}" 2>/dev/null || git fetch origin "$name"; }; then
        git checkout --detach "$name"
    else
        case $name in
        *[!0-9a-f]*) die "branch $name does not exist at the remote" ;;
        *) die "branch $name does not exist at the remote; a commit is asked for by its whole id" ;;
        esac
    fi
}

make_environment() {
    local venv=.venv
    if [ -L .venv ] && [ ! -e .venv ]; then
        say "the link .venv leads nowhere: a stop wiped the disk that it led to; making it again"
        rm .venv
    fi
    if [ ! -f pyproject.toml ] && [ ! -f requirements.txt ]; then
        say "no pyproject.toml and no requirements.txt; no environment to make"
        return
    fi
    if [ "${PODKEEPER_OVERLAY_VENV:-no}" = yes ]; then
        venv="$HOME/.venvs/$(basename "$PODKEEPER_CHECKOUT")"
        say "making the environment on the container's own disk: $venv"
    fi
    install_into "$venv"
    [ "$venv" = .venv ] || link_to "$venv"
}

install_into() {
    local venv=$1
    if command -v uv >/dev/null; then
        export UV_PROJECT_ENVIRONMENT="$venv"
        if [ -f uv.lock ]; then
            uv sync --locked
        elif [ -f pyproject.toml ] && [ ! -f requirements.txt ]; then
            uv sync
        else
            uv venv --allow-existing "$venv"
            uv pip install --python "$venv/bin/python" -r requirements.txt
        fi
        return
    fi
    command -v python3 >/dev/null || die "neither uv nor python3 is installed in this image" 127
    python3 -m venv "$venv"
    if [ -f requirements.txt ]; then
        "$venv/bin/python" -m pip install -r requirements.txt
    else
        "$venv/bin/python" -m pip install -e .
    fi
}

# The old environment is moved aside, not deleted: deleting a full one on a network volume takes minutes.
# UV_NO_SYNC, because a bare `uv run` would resolve everything again on the volume and hang.
link_to() {
    if [ -e .venv ] && [ ! -L .venv ]; then
        mv .venv ".venv.before-overlay.$(date -u +%Y%m%d%H%M%S)"
    fi
    ln -sfn "$1" .venv
    local line='export UV_NO_SYNC=1  # the environment is on the container disk'
    grep -qxF "$line" "$HOME/.bashrc" 2>/dev/null || printf '%s\n' "$line" >>"$HOME/.bashrc"
    say "linked .venv to $1; use UV_NO_SYNC=1 uv run, or .venv/bin/python"
}

main
