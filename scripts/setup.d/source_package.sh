# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# Sources of Debian's packages: fetched, unpacked and patched as Debian has them.

# Read by scripts/setup after apt.sh and foreign.sh.
# shellcheck disable=SC2154

# The lists of sources are not among the machine's.
debian_source() { # PACKAGE DIR: the source, in DIR/PACKAGE
    [ "$(bookworm_uri)" ] || machine_lists fresh
    uri=$(bookworm_uri)
    lists=$cache/sources
    mkdir -p "$lists/lists/partial" "$lists/archives/partial"
    keyring=/usr/share/keyrings/debian-archive-keyring.gpg
    [ -e "$keyring" ] && by="[signed-by=$keyring] " || by=
    echo "deb-src $by$uri bookworm main" >"$lists/sources.list"
    apt_opts="-o Dir::State::lists=$lists/lists -o Dir::Cache=$lists -o Dir::Etc::sourcelist=$lists/sources.list
        -o Dir::Etc::sourceparts=- -o Acquire::Languages=none -o APT::Sandbox::User=$(id -un)"
    # shellcheck disable=SC2086
    retry apt-get $apt_opts -q -q update || die "cannot read the sources of bookworm from $uri"
    rm -rf "$2"
    mkdir -p "$2/$1"
    # apt compares what it fetches with the checksums of the signed lists.
    # shellcheck disable=SC2086
    (cd "$2" && retry apt-get $apt_opts -q -q --download-only source "$1") || die "cannot fetch the source of $1"
    tar -x -J -C "$2/$1" --strip-components=1 -f "$2/$1"_*.orig.tar.xz
    tar -x -J -C "$2/$1" -f "$2/$1"_*.debian.tar.xz
    grep -v '^#' "$2/$1/debian/patches/series" | while read -r name; do
        patch -d "$2/$1" -p1 -s <"$2/$1/debian/patches/$name" || exit 1
    done || die "a patch of $1 does not apply"
}
