# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# A root of the Debian that comes after the next, in build/vm/newer/root, for scripts/check newer. Nothing in it is installed.

# Read by scripts/setup after apt.sh.
# shellcheck disable=SC2154

# What a finished directory was made from: rises when the steps below change.
newer_format=1

newer_from() {
    { echo "$newer_format"; packages_listed newer.root; } | cksum
}

# What maintainer scripts would do and the tests need.
newer_furnish() (
    cd "$1" || exit
    ln -sf mawk usr/bin/awk
    mkdir -p src
    printf '%s\n' root:x:0:0:root:/root:/bin/bash nobody:x:65534:65534::/:/usr/sbin/nologin >etc/passwd
    printf '%s\n' root:x:0: nogroup:x:65534: >etc/group
    echo 127.0.0.1 localhost >etc/hosts
    rm -rf usr/share/doc usr/share/man usr/share/locale
)

setup_newer() {
    setup_packages packages.kernels
    dir=$repo/build/vm/newer
    [ "$(cat "$dir/format" 2>/dev/null)" != "$(newer_from)" ] || return 0
    want "a newer Debian" "the Debian that comes after the next into build/vm/newer" || return 0
    need_debian
    [ "$(bookworm_uri)" ] || machine_lists fresh
    rm -rf "$dir" "$dir.new"
    mkdir -p "$dir.new"
    # A suite that is in preparation may not be signed anew each week.
    retry mmdebstrap --quiet --variant=extract --aptopt='Acquire::Check-Valid-Until "false"' \
        --include="$(packages_listed newer.root | tr '\n' ',')" forky "$dir.new/root" \
        "deb $(bookworm_uri) forky main" "deb $(bookworm_uri) trixie main" || die "cannot unpack a newer Debian"
    newer_furnish "$dir.new/root"
    newer_from >"$dir.new/format"
    mv "$dir.new" "$dir"
}
