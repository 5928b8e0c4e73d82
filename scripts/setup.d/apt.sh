# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# Packages: installing the missing ones, and fetching others without installing them.
# Read by scripts/setup, which sets repo and has want().
# shellcheck disable=SC2154

cache=${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/fmp
# A directory that can't be written is no reason to fail: cache inside the clone then.
mkdir -p "$cache" 2>/dev/null && [ -w "$cache" ] || cache=$repo/build/vm/cache

# Two runs at once, of this clone or another, would trip over each other's files.
take_turns() {
    mkdir -p "$cache"
    exec 9>"$cache/lock"
    flock -n 9 || { echo "setup: waiting for another run"; flock 9; }
}

need_debian() {
    command -v apt-get >/dev/null && command -v dpkg-query >/dev/null ||
        die "this is not a Debian system; install what scripts/setup.d/packages.demo and scripts/setup.d/packages list by hand"
}

as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo "$@"
    else
        die "needs root (or sudo) for: $*"
    fi
}

# Networks fail now and then; three tries, each said.
retry() {
    for wait in 2 5 0; do
        "$@" && return 0
        [ "$wait" = 0 ] || { echo "setup: failed, trying again in $wait s: $*" >&2; sleep "$wait"; }
    done
    return 1
}

packages_listed() { # LIST...
    for list; do
        sed 's/[[:space:]]*#.*//; /^$/d' "$repo/scripts/setup.d/$list"
    done
}

packages_missing() { # LIST...
    # shellcheck disable=SC2016,SC2046
    dpkg-query -W -f '${db:Status-Status} ${Package}\n' $(packages_listed "$@") 2>/dev/null |
        sed -n 's/^installed //p' | sort -u >"$tmp_list"
    packages_listed "$@" | sort -u | comm -23 - "$tmp_list"
}

# apt_install PACKAGE...: what only some machines lack, so that it is in no list.
apt_install() {
    need_debian
    retry as_root apt-get -q -q update || die "apt-get update failed"
    retry as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -q -y -o Dpkg::Use-Pty=0 \
        install --no-install-recommends "$@" >"$cache/apt.log" 2>&1 || {
        cat "$cache/apt.log" >&2
        die "apt-get install failed"
    }
}

setup_packages() { # LIST...: files beside this one
    need_debian
    tmp_list=$(mktemp)
    list=$(packages_missing "$@")
    if [ -z "$list" ]; then
        rm -f "$tmp_list"
        return 0
    fi
    list=$(echo "$list" | tr '\n' ' ')
    want "packages: $list" "installing packages: $list" || return 0
    export DEBIAN_FRONTEND=noninteractive
    retry as_root apt-get -q -q update || die "apt-get update failed"
    updated=1
    # shellcheck disable=SC2086
    retry as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -q -y \
        -o Dpkg::Use-Pty=0 install --no-install-recommends $list >"$tmp_list" 2>&1 || {
        cat "$tmp_list" >&2
        die "apt-get install failed"
    }
    rm -f "$tmp_list"
}

# Fetching without installing. $apt_opts says which package lists: empty means the
# machine's own, otherwise those of a private directory.
apt_opts=
updated=

# The address of Debian 12's own archive as this machine knows it.
bookworm_uri() {
    # shellcheck disable=SC2016
    apt-get indextargets --format '$(CODENAME) $(RELEASE) $(REPO_URI)' 'Created-By: Packages' |
        awk '$1 == "bookworm" || $2 == "bookworm" { print $3; exit }'
}

machine_lists() {
    apt_opts=
    if [ "${1:-}" = fresh ] && [ -z "$updated" ]; then
        retry as_root apt-get -q -q update || die "apt-get update failed"
        updated=1
    fi
}

# Package lists of one suite of Debian, in a private directory: of this machine's architecture, or of those that are named.
suite_lists() { # SUITE [ARCHITECTURE...]
    [ "$(bookworm_uri)" ] || machine_lists fresh
    uri=$(bookworm_uri)
    [ "$uri" ] || die "no source of Debian 12 (bookworm) is configured in apt"
    suite=$1
    shift
    lists=$cache/suites/$suite${*:+-foreign}
    mkdir -p "$lists/lists/partial" "$lists/archives/partial"
    keyring=/usr/share/keyrings/debian-archive-keyring.gpg
    by=
    [ ! -e "$keyring" ] || by="signed-by=$keyring"
    [ $# = 0 ] || by="arch=$(echo "$*" | tr ' ' ',')${by:+ $by}"
    echo "deb ${by:+[$by] }$uri $suite main" >"$lists/sources.list"
    apt_opts="-o Dir::State::lists=$lists/lists -o Dir::Cache=$lists -o Dir::Etc::sourcelist=$lists/sources.list
        -o Dir::Etc::sourceparts=- -o Acquire::Languages=none -o APT::Sandbox::User=$(id -un)"
    for arch; do
        apt_opts="$apt_opts -o APT::Architectures::=$arch"
    done
    # shellcheck disable=SC2086
    retry apt-get $apt_opts -q -q update && return 0
    ls "$lists"/lists/*_Packages* >/dev/null 2>&1 || die "cannot read $suite from $uri"
    # What they name may be gone from the archive.
    old=$(find "$lists/lists" -name '*_Packages*' -printf '%TF\n' | sort | head -n 1)
    echo "setup: cannot read $suite from $uri; going on with its lists of $old" >&2
}

# Address, file name and SHA256 of packages, one a line; fails if one is not in the lists.
apt_uris() (
    empty=$(mktemp -d)
    cd "$empty" || exit
    # apt says nothing of a file that lies in the current directory already.
    # shellcheck disable=SC2086
    apt-get $apt_opts -q -q download --print-uris "$@" 2>/dev/null | sed "s/'//g; s/SHA256://" >uris || true
    cat uris
    [ "$(grep -c . uris)" = $# ] || status=1
    rm -rf "$empty"
    exit "${status:-0}"
)

# Fetches packages into the cache and prints their paths. What is there with the right
# checksum is not fetched again.
apt_fetch() (
    mkdir -p "$cache/debs"
    cd "$cache/debs" || exit
    apt_uris "$@" | while read -r _ file _ sum; do
        if ! echo "$sum  $file" | sha256sum -c --status 2>/dev/null; then
            rm -f "$file"
            echo "setup: fetching $file" >&2
            version=${file#*_} version=$(echo "${version%%_*}" | sed 's/%3a/:/')
            # shellcheck disable=SC2086
            retry apt-get $apt_opts -o "APT::Sandbox::User=$(id -un)" -q -q download "${file%%_*}=$version" >&2 || exit 1
            echo "$sum  $file" | sha256sum -c --status || exit 1
        fi
        echo "$cache/debs/$file"
    done
)
