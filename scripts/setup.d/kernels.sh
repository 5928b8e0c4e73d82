# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# A root of Debian 13 with compilers for four architectures and the headers of the kernels that Debian has for
# them, in build/vm/kernels/. Nothing in it is installed; scripts/check kernels builds the modules there.
#
#   root/  matrix: RELEASE ARCHITECTURE, a kernel a line, the newest one last
#
# That one is a guest kernel, too: build/vm/newest/. The machine whose bytes are in the other order is of foreign.sh.

# Read by scripts/setup after kernel.sh.
# shellcheck disable=SC2154

# What a finished directory was made from: rises when the steps below change.
kernels_format=3

kernels_from() {
    { echo "$kernels_format"; packages_listed kernels.root; } | cksum
}

# The release of the newest kernel of a suite that all the architectures have headers of, without its flavour.
newest_headers() { # FLAVOUR...
    for flavour; do
        # shellcheck disable=SC2086
        apt-cache $apt_opts pkgnames linux-headers- |
            sed -n "s/^linux-headers-\([0-9].*\)-$flavour\$/\1/p" | sort -u
    done | sort -V | uniq -c | awk -v all=$# '$1 == all { print $2 }' | tac
}

# The headers of a suite's newest kernel that can be had, into the root. Names of architectures are Debian's.
unpack_headers() ( # ROOT FLAVOUR:ARCHITECTURE...
    root=$1
    shift
    # shellcheck disable=SC2046
    for release in $(newest_headers $(for pair; do echo "${pair%:*}"; done)); do
        kbuild=linux-kbuild-$release
        case $release in 6.1.*) kbuild=linux-kbuild-6.1 ;; esac
        list="linux-headers-$release-common $kbuild"
        for pair; do
            list="$list linux-headers-$release-${pair%:*}:${pair#*:}"
        done
        rm -rf "$root.debs"
        mkdir "$root.debs"
        # A mirror may know of packages that it does not have yet, or no more: then the next older kernel.
        # shellcheck disable=SC2086
        (cd "$root.debs" && apt-get $apt_opts -q -q download $list) >"$cache/apt.log" 2>&1 || continue
        for deb in "$root.debs"/*.deb; do
            dpkg-deb -x "$deb" "$root" || return 1
        done
        rm -rf "$root.debs"
        for pair; do
            echo "$release-${pair%:*} ${pair#*:}"
        done
        return 0
    done
    cat "$cache/apt.log" >&2
    return 1
)

# What maintainer scripts would do, and what the kernel's scripts ask for.
kernels_furnish() (
    cd "$1" || exit
    ln -sf mawk usr/bin/awk
    ln -sf gcc-14 usr/bin/gcc
    mkdir -p src
    rm -rf usr/share/doc usr/share/man usr/share/locale
)

# The kernel itself that the last headers are of, and its modules, as a guest kernel (see kernel.sh).
unpack_newest() ( # DIR RELEASE
    dir=$1 rel=$2
    rm -rf "$dir" "$dir.new" "$dir.debs"
    mkdir -p "$dir.new" "$dir.debs"
    # From 7.3 on the kernel and its modules are packages of their own.
    # shellcheck disable=SC2086
    (cd "$dir.debs" && { apt-get $apt_opts -q -q download "linux-base-$rel" "linux-binary-$rel" "linux-modules-$rel" ||
        apt-get $apt_opts -q -q download "linux-image-$rel"; }) >"$cache/apt.log" 2>&1 || { cat "$cache/apt.log" >&2; exit 1; }
    for deb in "$dir.debs"/*.deb; do
        dpkg-deb -x "$deb" "$dir.new"
    done
    rm -rf "$dir.debs" "$dir.new/usr/share"
    [ -d "$dir.new/lib" ] || ln -s usr/lib "$dir.new/lib"
    image=$dir.new/usr/lib/modules/$rel/vmlinuz
    [ -e "$image" ] || image=$dir.new/boot/vmlinuz-$rel
    extract_vmlinux "$image" "$dir.new/vmlinux"
    rm -f "$image"
    /sbin/depmod -b "$dir.new" "$rel"
    make_initrd "$dir.new" "$rel"
    echo "$rel" >"$dir.new/release"
    echo "$kernels_format" >"$dir.new/format"
    mv "$dir.new" "$dir"
)

setup_kernels() {
    setup_packages packages.kernels
    setup_s390x
    dir=$repo/build/vm/kernels
    if [ "$(cat "$dir/format" 2>/dev/null)" = "$(kernels_from)" ]; then
        setup_newest_mac80211
        return 0
    fi
    want "headers of other kernels" "compilers and kernel headers for four architectures into build/vm/kernels" || return 0
    need_debian
    [ "$(bookworm_uri)" ] || machine_lists fresh
    rm -rf "$dir" "$dir.new"
    mkdir -p "$dir.new"
    retry mmdebstrap --quiet --variant=extract --include="$(packages_listed kernels.root | tr '\n' ',')" \
        trixie "$dir.new/root" "$(bookworm_uri)" || die "cannot unpack Debian 13"
    kernels_furnish "$dir.new/root"
    three="amd64:amd64 arm64:arm64 armmp:armhf"
    for suite in bookworm trixie forky; do
        # Kernels of forky for s390x want a gcc that Debian 13 lacks.
        [ "$suite" = forky ] && more= || more=s390x:s390x
        suite_lists "$suite" amd64 arm64 armhf ${more:+s390x}
        # A suite that lacks one architecture for a while is no reason to do without the others.
        # shellcheck disable=SC2086
        unpack_headers "$dir.new/root" $three $more || unpack_headers "$dir.new/root" $three ||
            die "cannot fetch the kernel headers of $suite"
    done >"$dir.new/matrix"
    suite_lists trixie-backports amd64
    unpack_headers "$dir.new/root" amd64:amd64 >>"$dir.new/matrix" || die "cannot fetch the newest kernel headers"
    unpack_newest "$repo/build/vm/newest" "$(tail -n 1 "$dir.new/matrix" | cut -d' ' -f1)" ||
        die "cannot fetch the newest kernel"
    kernels_from >"$dir.new/format"
    mv "$dir.new" "$dir"
    setup_newest_mac80211
}

# The short matrix, which scripts/check compiles for each time: headers of the newest kernel, and of 6.12 for a 32-bit and
# for a big-endian machine, in build/vm/headers/ as above. Their Makefiles name places of an installed kernel.
fetch_headers() {
    need_debian
    [ "$(bookworm_uri)" ] || machine_lists fresh
    rm -rf "$dir.new"
    mkdir -p "$dir.new/root"
    suite_lists bookworm-backports amd64 armhf s390x
    unpack_headers "$dir.new/root" armmp:armhf s390x:s390x >"$dir.new/matrix" || die "cannot fetch kernel headers for armhf and s390x"
    suite_lists trixie-backports amd64
    unpack_headers "$dir.new/root" amd64:amd64 >>"$dir.new/matrix" || die "cannot fetch the newest kernel headers"
    echo "$kernels_format" >"$dir.new/format"
    rm -rf "$dir"
    mv "$dir.new" "$dir"
}

# Debian takes kernels off its backports now and then. Unless one asks for this part, setup does without.
setup_headers() {
    dir=$repo/build/vm/headers
    [ "$(cat "$dir/format" 2>/dev/null)" != "$kernels_format" ] || return 0
    want "headers of the newest kernel and for other machines" \
        "headers of the newest kernel and for other machines into build/vm/headers" || return 0
    if [ "$parts" ]; then
        fetch_headers
    else
        (fetch_headers) || echo "setup: without them scripts/check compiles for fewer kernels" >&2
    fi
}
