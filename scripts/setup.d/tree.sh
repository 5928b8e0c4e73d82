# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# For scripts/check tree: the source of a kernel, with its ynl, and DKMS, which is not installed.
#
#   build/vm/tree/source   Linux 6.12 of Debian, in the cache once for all clones
#   build/vm/tree/dkms     the unpacked package

# Read by scripts/setup after built.sh.
# shellcheck disable=SC2154

# What neither net/fmp/ needs nor ynl.
# shellcheck disable=SC2037
tree_without="*/arch/[a-tv-wyz]*/*.[chS] */arch/[a-tv-wyz]*/*.dts* */Documentation/[!n]*/* */sound/*.[ch] */drivers/*.[chS]
    */tools/perf/* */tools/testing/* */fs/*.[ch]"

tree_source() {
    machine_lists
    apt_uris linux-source-6.12 >/dev/null || machine_lists fresh
    file=$(apt_uris linux-source-6.12 | awk '{ print $2 }')
    [ "$file" ] || die "cannot find linux-source-6.12 through apt"
    file=${file#*_}
    source=$cache/tree-${file%%_*}
    [ ! -e "$source/Makefile" ] || return 0
    deb=$(apt_fetch linux-source-6.12) && [ "$deb" ] || die "cannot fetch linux-source-6.12"
    echo "setup: unpacking linux-source-6.12"
    rm -rf "$source.new"
    mkdir -p "$source.new"
    set -f
    # shellcheck disable=SC2046,SC2086
    dpkg-deb --fsys-tarfile "$deb" | tar -x -O -f - ./usr/src/linux-source-6.12.tar.xz |
        tar -x -J -C "$source.new" --strip-components=1 --wildcards $(printf -- '--exclude=%s ' $tree_without)
    set +f
    [ -e "$source.new/Makefile" ] || die "cannot unpack $deb"
    mv "$source.new" "$source"
    rm -f "$deb"
}

setup_tree() {
    dir=$repo/build/vm/tree
    [ ! -e "$dir/source/Makefile" ] || [ ! -e "$dir/dkms/usr/sbin/dkms" ] || return 0
    want "source of a kernel, DKMS" "source of a kernel and DKMS into build/vm/tree" || return 0
    need_debian
    mkdir -p "$dir"
    tree_source
    ln -sfn "$source" "$dir/source"
    deb=$(apt_fetch dkms) && [ "$deb" ] || die "cannot fetch dkms"
    rm -rf "$dir/dkms"
    dpkg-deb -x "$deb" "$dir/dkms"
}
