# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# Sources of the drivers that kernel/drivers/ changes: their directories out of Debian's
# source packages of the kernels that scripts/setup unpacks, once for all clones, linked to
# build/vm/drivers/VERSION/.

# Read by scripts/setup after kernel.sh and linux_source.sh.
# shellcheck disable=SC2154

# The directories that the table of drivers names. A file without a suffix is one, too.
driver_directories() {
    awk '!/^#/ && NF { for (i = 3; i <= NF; i++) print $2 ($i ~ /[.]/ ? "" : "/" $i) }' \
        "$repo/kernel/drivers/drivers" | sort -u
}

driver_sources() { # VERSION
    # The source of the headers' own release, or nearly: a later one may need what these lack.
    [ "$1" != 6.12 ] || suite_lists bookworm-backports
    apt_uris "linux-source-$1" >/dev/null || machine_lists fresh
    unpack_driver_sources "linux-source-$1"
}

# Into the cache; leaves the place in $sources.
unpack_driver_sources() { # PACKAGE [PACKAGE'S VERSION]
    set -- "$1${2:+=$2}"
    sources=$(source_version "$1")
    sources=$cache/drivers-$sources
    [ ! -e "$sources/format" ] || [ "$(cat "$sources/format")" != "$(driver_directories)" ] || return 0
    # shellcheck disable=SC2046
    source_unpack "$1" "$sources" $(driver_directories | sed 's|^|*/|')
    driver_directories >"$sources/format"
}

# In place of a link, or of a directory.
link_driver_sources() { # LINK
    rm -rf "$1"
    ln -s "$sources" "$1"
}

setup_drivers() {
    setup_packages packages.drivers
    setup_armhf
    for version in 6.1 6.12; do
        setup_kernel $version
        link=$repo/build/vm/drivers/$version
        [ "$(cat "$link/format" 2>/dev/null)" != "$(driver_directories)" ] || continue
        want "sources of drivers, $version" "sources of drivers, $version, into build/vm/drivers/$version" || continue
        need_debian
        machine_lists
        driver_sources $version
        mkdir -p "$repo/build/vm/drivers"
        link_driver_sources "$link"
    done
}
